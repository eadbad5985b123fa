"""Times networks with a dynamic extent against their static forms, in turns, on one core.

    PYTHONPATH=python .venv-python/bin/python benchmarks/pytorch/extents.py llama 2 77 512

Exports a network with random weights once with a dynamic extent and once for each extent, and prints a line of JSON for
each extent: the least milliseconds of all calls of both. `llama` is a block of width 768 with 12 heads and 2048 inner
channels, whose sequence is dynamic, `bert` has two layers of BERT-base's width and a dynamic length, and `resnet50` a
dynamic number of images.

With --engines the dynamic form is compared with those of other engines instead: ONNX Runtime and OpenVINO, one thread
each, in one process and in turns.
"""
import argparse
import json
import pathlib
import subprocess
import time

import torch
from torch.export import Dim

from ucmoh import torch_import


EXPORTED = {"llama": 40, "bert": 40, "resnet50": 3}  # extents of the example that is traced


class RmsNorm(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-5) * self.weight


class LlamaBlock(torch.nn.Module):
    def __init__(self, width=768, heads=12, inner=2048):
        super().__init__()
        self.heads, self.width = heads, width // heads
        self.query, self.key, self.value, self.out = (torch.nn.Linear(width, width, bias=False) for _ in range(4))
        self.gate, self.up = (torch.nn.Linear(width, inner, bias=False) for _ in range(2))
        self.down = torch.nn.Linear(inner, width, bias=False)
        self.norms = torch.nn.ModuleList([RmsNorm(width), RmsNorm(width)])

    def attend(self, x, mask):
        split = lambda y: y.view(x.shape[0], self.heads, self.width).transpose(0, 1)
        query, key, value = split(self.query(x)), split(self.key(x)), split(self.value(x))
        scores = torch.softmax(torch.matmul(query, key.transpose(1, 2)) * self.width**-0.5 + mask, -1)
        return self.out(torch.matmul(scores, value).transpose(0, 1).reshape(x.shape[0], self.heads * self.width))

    def forward(self, x, mask):
        x = x + self.attend(self.norms[0](x), mask)
        y = self.norms[1](x)
        return x + self.down(torch.nn.functional.silu(self.gate(y)) * self.up(y))


class BertLayers(torch.nn.Module):
    def __init__(self):
        super().__init__()
        import transformers
        config = transformers.BertConfig(num_hidden_layers=2, attn_implementation="eager")
        self.model = transformers.BertModel(config)

    def forward(self, x):
        return self.model(inputs_embeds=x)[0]


def build(name, extent):
    """The module, inputs of this extent, and what is dynamic in them."""
    if name == "llama":
        length = Dim("T", min=2, max=2048)
        return LlamaBlock(), (torch.randn(extent, 768), torch.zeros(extent, extent)), ({0: length}, {0: length, 1: length})
    if name == "bert":
        return BertLayers(), (torch.randn(1, extent, 768),), ({1: Dim("T", min=2, max=512)},)
    import torchvision
    return torchvision.models.resnet50(weights=None), (torch.randn(extent, 3, 224, 224),), ({0: Dim("N", min=1, max=64)},)


def export(name, extent, dynamic, folder):
    module, inputs, dims = build(name, extent)
    program = torch.export.export(module.eval(), inputs, dynamic_shapes=dims if dynamic else None)
    path = folder / f"{name}-{'dynamic' if dynamic else extent}.mlir"
    path.write_text(torch_import.import_module(program, ()).text, encoding="utf-8")
    return path


def least_ms(arguments, path, *options):
    command = [f"{arguments.ucmoh}/ucmoh-run", path, "--json", "--verify=false", "--budget=0.05",
               f"--repeat={arguments.calls}", f"--target={arguments.target}", *options]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return json.loads(lines[-1])["seconds"]["min"] * 1e3


def engine_calls(name, path):
    """For each engine, a function of inputs: it runs the dynamic form in the ONNX file, which it compiles now."""
    import onnxruntime
    import openvino
    import ucmoh
    module, inputs, dims = build(name, EXPORTED[name])
    torch.onnx.export(module.eval(), inputs, path, dynamo=False, opset_version=17,
                      input_names=[f"x{index}" for index in range(len(inputs))],
                      dynamic_axes={f"x{index}": {dim: str(each) for dim, each in open.items()}
                                    for index, open in enumerate(dims)})
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    request = openvino.Core().compile_model(path, "CPU", {
        "INFERENCE_NUM_THREADS": 1, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"}).create_infer_request()
    ours = ucmoh.compile(path)
    return {"ucmoh": lambda values: ours(*values),
            "onnxruntime": lambda values: session.run(None, {f"x{index}": value for index, value in enumerate(values)}),
            "openvino": lambda values: request.infer(dict(enumerate(values)), share_inputs=True, share_outputs=True)}


def compare_engines(arguments, folder):
    """Prints a line of JSON for each extent: the least milliseconds of each engine."""
    calls = engine_calls(arguments.network, str(folder / f"{arguments.network}.onnx"))
    for extent in arguments.extents:
        values = [value.numpy() for value in build(arguments.network, extent)[1]]
        best = dict.fromkeys(calls, float("inf"))
        for _ in range(2 * arguments.calls):
            for engine, call in calls.items():
                start = time.perf_counter()
                call(values)
                best[engine] = min(best[engine], (time.perf_counter() - start) * 1e3)
        print(json.dumps({"network": arguments.network, "extent": extent, "engines_ms": best}), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", choices=("llama", "bert", "resnet50"))
    parser.add_argument("extents", nargs="+", type=int)
    parser.add_argument("--ucmoh", default="build/bin", help="folder of ucmoh-run (build/bin)")
    parser.add_argument("--target", default="host", help="target of ucmoh-run (host)")
    parser.add_argument("--folder", default="build/extents", help="folder of the exported networks (build/extents)")
    parser.add_argument("--calls", default=15, type=int, help="calls of each form in each of two turns (15)")
    parser.add_argument("--engines", action="store_true", help="compares with other engines")
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.folder)
    folder.mkdir(parents=True, exist_ok=True)
    if arguments.engines:
        compare_engines(arguments, folder)
        return
    dynamic = export(arguments.network, EXPORTED[arguments.network], True, folder)
    for extent in arguments.extents:
        static = export(arguments.network, extent, False, folder)
        turns = [(least_ms(arguments, dynamic, f"--dim={extent}"), least_ms(arguments, static)) for _ in range(2)]
        times = [min(column) for column in zip(*turns)]
        print(json.dumps({"network": arguments.network, "extent": extent, "dynamic_ms": times[0], "static_ms": times[1]}),
              flush=True)


if __name__ == "__main__":
    main()
