"""Networks of torchvision and transformers, compiled and eager: results differ by rounding alone."""
import pathlib
import sys
import unittest

import needs
import ucmoh

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "benchmarks" / "pytorch"))
try:
    import models
    import torch
    import torch_mlir  # noqa: F401
except ImportError as error:
    raise unittest.SkipTest("this needs torch, torchvision, transformers and torch-mlir: scripts/setup.sh --python "
                            "installs them") from error

needs.need_tool("ucmoh-compile")

#: Those that are compiled in seconds; benchmarks/pytorch/accuracy.py compares all.
NETWORKS = ["squeezenet1_1", "resnet18", "mobilenet_v2", "mobilenet_v3_small", "shufflenet_v2_x1_0", "mnasnet1_0", "bert",
            "roberta", "distilbert", "albert", "electra", "deberta_v2", "gpt2", "gpt_neox", "opt", "llama", "mistral",
            "qwen2", "phi", "gemma", "mixtral", "t5", "bart", "whisper", "vit", "dinov2", "clip_vision"]
LARGEST = 1e-5  # relative to the largest magnitude of a result


class AccuracyTest(needs.FolderCase):
    def compare(self, name):
        module, inputs = models.MODELS[name]()
        fast = ucmoh.compile(module, inputs)
        with torch.no_grad():
            found, wanted = (torch.utils._pytree.tree_leaves(call(*inputs)) for call in (fast, module))
        for each, other in zip(found, wanted, strict=True):
            self.assertLess((each - other).abs().max().item(), LARGEST * other.abs().max().item())


def add_test(name):
    setattr(AccuracyTest, f"test_{name}", lambda self: self.compare(name))


for network in NETWORKS:
    add_test(network)


if __name__ == "__main__":
    unittest.main()
