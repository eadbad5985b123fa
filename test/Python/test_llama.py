"""A block of Llama with open lengths, in forms in which language models are served, through our doors."""
import pathlib
import sys
import unittest

import needs

sys.path.append(str(pathlib.Path(__file__).parents[2] / "scripts" / "models"))
try:
    import onnx  # noqa: F401
    import torch_mlir  # noqa: F401

    import llama
except ImportError as error:
    raise unittest.SkipTest("this needs torch, torch-mlir and onnx: scripts/setup.sh --python installs them") from error

needs.need_tool("ucmoh-compile")

llama.LONGEST = 60  # fewer sizes of pieces than a served model has
SIZES = {"width": 64, "heads": 2, "inner": 96}


class LlamaTest(needs.FolderCase):
    def check(self, form, stage, door, extents=(1, 3, 45)):
        for extent, error in llama.check(form, stage, door, extents, **SIZES).items():
            with self.subTest(form=form, stage=stage, door=door, extent=extent):
                self.assertIsInstance(error, float, error)
                self.assertLessEqual(error, llama.allowed(form))

    def test_four_bits(self):
        self.check("w4g32", "prefill", "torch")
        self.check("w4g32", "decode", "mlir")

    def test_a_cache_that_grows(self):
        self.check("w8g32", "decode", "onnx")

    def test_other_forms(self):
        self.check("w4g32-bf16", "decode", "torch")
        self.check("s8", "prefill", "onnx")

    def test_static_shapes(self):
        self.check("w8", "prefill", "backend", (3,))

    def test_errors_are_told(self):
        self.assertEqual(llama.relative_error(llama.torch.ones(2), llama.torch.ones(3)), float("inf"))


if __name__ == "__main__":
    unittest.main()
