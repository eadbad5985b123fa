"""A block of Llama in the forms in which language models are served, through each of our doors, compared with PyTorch.

    PYTHONPATH=python .venv-python/bin/python scripts/models/llama.py --forms f32 w4g32 --doors torch onnx

Forms: f32, bf16, s8 (weights of 8 bits for each column, rows quantized on each call), w8 (weights of 8 bits, a scale for
each column), w8gN and w4gN (weights of 8 and 4 bits, a scale for each N steps of the reduction), each of the latter
also with -bf16 (rows of bf16). Stages: prefill, of a sequence of any length, and decode, of one row and a cache of any
length. Doors:

    torch     ucmoh.compile of an exported program whose length is open (Dim)
    backend   torch.compile(backend="ucmoh")
    onnx      ucmoh.compile of an ONNX file with open extents
    mlir      ucmoh.compile of linalg, as ucmoh-compile takes it
    verify    ucmoh-run, which compares each kernel with plain loops
    iree      iree-compile with our code, of linalg with static extents: no open ones (docs/how-to/iree.md)

Prints a line of JSON for each form, stage, door and extent: {"form", "stage", "door", "extent", "error"}. `error` is
that of the results, relative to their largest magnitude, or says why there are none. Ends with status 1 where an error
is larger than what the form allows.
"""
import argparse
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import torch
from torch import nn
from torch.nn import functional

FORMS = ["f32", "bf16", "s8", "w8", "w8g32", "w8g128", "w4g32", "w4g128", "w4g32-bf16", "w4g128-bf16"]
DOORS = ["torch", "backend", "onnx", "mlir", "verify", "iree"]
STAGES = ["prefill", "decode"]
EXTENTS = [1, 2, 7, 33, 130, 2048]
LONGEST = 2048


class Narrow(nn.Module):
    """A product with weights of few bits, and a scale for each group of steps: in the form of torchao's tensors, after
    these are lowered. `group` None: one for each column."""

    def __init__(self, steps, columns, bits, group, dtype):
        super().__init__()
        self.group = group or steps
        low, high = -(1 << bits - 1), 1 << bits - 1
        self.register_buffer("integers", torch.randint(low, high, (columns, steps), dtype=torch.int8))
        self.register_buffer("scales", (.5 + torch.rand(columns, steps // self.group)).to(dtype) / high / steps**.5)

    def weight(self):
        groups = self.integers.view(len(self.integers), -1, self.group).to(self.scales.dtype)
        return (groups * self.scales[:, :, None]).view(len(self.integers), -1)

    def forward(self, x):
        return functional.linear(x, self.weight())


class Quantized(Narrow):
    """The same with rows that are quantized to 8 bits, each by its largest magnitude."""

    def forward(self, x):
        scale = x.abs().amax(-1, keepdim=True).clamp(min=1e-6) / 127
        return functional.linear(torch.clamp(torch.round(x / scale), -128, 127) * scale, self.weight())


def linear(form, steps, columns):
    """The product of a form."""
    weights, _, rows = form.partition("-")
    dtype = torch.bfloat16 if "bf16" in form else torch.float32
    if weights in ("f32", "bf16"):
        return nn.Linear(steps, columns, bias=False).to(dtype)
    if weights == "s8":
        return Quantized(steps, columns, 8, None, dtype)
    bits, _, group = weights.removeprefix("w").partition("g")
    return Narrow(steps, columns, int(bits), int(group) if group else None, dtype)


class RmsNorm(nn.Module):
    def __init__(self, width, dtype):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(width, dtype=dtype) + .5)

    def forward(self, x):
        y = x.float()
        return (y * torch.rsqrt((y * y).mean(-1, keepdim=True) + 1e-5)).to(x.dtype) * self.weight


def rotate(x, angles):
    """Rotary positions: `x` is heads x rows x width, `angles` rows x half the width."""
    first, second = x.chunk(2, -1)
    cosine, sine = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    return torch.cat([first * cosine - second * sine, second * cosine + first * sine], -1)


class Block(nn.Module):
    """`heads` of the queries share half as many of keys and values."""

    def __init__(self, form, width=256, heads=4, inner=512):
        super().__init__()
        self.heads, self.width = heads, width // heads
        self.dtype = torch.bfloat16 if "bf16" in form else torch.float32
        self.query, self.out = linear(form, width, width), linear(form, width, width)
        self.key, self.value = (linear(form, width, width // 2) for _ in range(2))
        self.gate, self.up, self.down = (linear(form, *shape) for shape in ((width, inner),) * 2 + ((inner, width),))
        self.first, self.second = RmsNorm(width, self.dtype), RmsNorm(width, self.dtype)

    def split(self, y, heads):
        return y.view(-1, heads, self.width).transpose(0, 1)

    def attend(self, query, key, value, mask):
        key, value = (part.unsqueeze(1).expand(-1, 2, -1, -1).reshape(self.heads, -1, self.width) for part in (key, value))
        scores = torch.matmul(query, key.transpose(1, 2)) * self.width**-.5
        weights = torch.softmax(scores.float() + mask, -1).to(self.dtype)
        return self.out(torch.matmul(weights, value).transpose(0, 1).reshape(-1, self.heads * self.width))

    def parts(self, x, angles):
        y = self.first(x)
        return (rotate(self.split(self.query(y), self.heads), angles),
                rotate(self.split(self.key(y), self.heads // 2), angles), self.split(self.value(y), self.heads // 2))

    def feed(self, x):
        y = self.second(x)
        return x + self.down(functional.silu(self.gate(y)) * self.up(y))


class Prefill(Block):
    def forward(self, x, angles, mask):
        return self.feed(x + self.attend(*self.parts(x, angles), mask))

    def inputs(self, extent):
        mask = torch.full((extent, extent), float("-inf")).triu(1)
        return torch.randn(extent, self.heads * self.width).to(self.dtype), torch.rand(extent, self.width // 2), mask

    @staticmethod
    def dims(length):
        return {0: length}, {0: length}, {0: length, 1: length}


class Decode(Block):
    """One row, and what was computed of the rows before; gives the keys and values with those of the row behind."""

    def forward(self, x, angles, keys, values):
        query, key, value = self.parts(x, angles)
        keys, values = torch.cat([keys, key], 1), torch.cat([values, value], 1)
        return self.feed(x + self.attend(query, keys, values, 0.)), keys, values

    def inputs(self, extent):
        cache = (torch.randn(self.heads // 2, extent, self.width).to(self.dtype) for _ in range(2))
        return torch.randn(1, self.heads * self.width).to(self.dtype), torch.rand(1, self.width // 2), *cache

    @staticmethod
    def dims(length):
        return None, None, {1: length}, {1: length}


def build(form, stage, **sizes):
    """The block, with the same weights each time."""
    torch.manual_seed(0)
    return (Prefill if stage == "prefill" else Decode)(form, **sizes).eval()


def allowed(form):
    """The error that roundings of the form explain. Rows that are quantized may round to another integer."""
    return 3e-2 if "bf16" in form else 2e-2 if form == "s8" else 1e-3


def as_tuple(results):
    return tuple(results) if isinstance(results, (tuple, list)) else (results,)


def relative_error(results, expected):
    """The largest one of all results."""
    def one(result, wanted):
        result = torch.as_tensor(result)
        if result.shape != wanted.shape:
            return float("inf")
        return ((result.double() - wanted.double()).abs().max() / wanted.double().abs().max()).item()
    return max(one(*pair) for pair in zip(as_tuple(results), as_tuple(expected), strict=True))


#
# Doors: each gives a function of the inputs.
#


def exported(block, extent=5):
    """The program whose length is open."""
    return torch.export.export(block, block.inputs(extent), dynamic_shapes=block.dims(
        torch.export.Dim("length", min=1, max=LONGEST)))


def open_torch(block, folder):
    import ucmoh
    return ucmoh.compile(exported(block))


def open_backend(block, folder):
    import ucmoh
    torch.compiler.reset()
    compiled = torch.compile(block, backend=ucmoh.backend)

    def call(*inputs):
        with warnings.catch_warnings():
            warnings.simplefilter("error", category=ucmoh.errors.Fallback)
            return compiled(*inputs)
    return call


def open_onnx(block, folder):
    import ucmoh
    path = folder / "block.onnx"
    inputs = block.inputs(5)
    names = [f"x{index}" for index in range(len(inputs))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(block, inputs, path, dynamo=False, opset_version=17, input_names=names, dynamic_axes={
            name: {axis: "length" for axis in dims} for name, dims in zip(names, block.dims(None)) if dims})
    session = ucmoh.compile(path)
    return lambda *inputs: session(*inputs)


def linalg(program, folder):
    from ucmoh import torch_import
    imported = torch_import.import_module(program, ())
    path = folder / "block.mlir"
    path.write_text(imported.text, encoding="utf-8")
    return path, imported.weights


def open_mlir(block, folder):
    import ucmoh
    path, weights = linalg(exported(block), folder)
    return ucmoh.compile(path, weights=weights)


def open_verify(block, folder):
    from ucmoh import tools
    path, _ = linalg(exported(block), folder)
    lengths = {"prefill": lambda inputs: inputs[0].shape[0], "decode": lambda inputs: inputs[2].shape[1]}
    extent_of = lengths["prefill" if isinstance(block, Prefill) else "decode"]

    def call(*inputs):
        done = subprocess.run([tools.find("ucmoh-run"), path, f"--dim={extent_of(inputs)}", "--json", "--repeat=1",
                               "--budget=0.01"], capture_output=True, text=True)
        report = json.loads(done.stdout.splitlines()[-1]) if done.stdout else {"error": done.stderr.strip()}
        if not report.get("verified"):
            raise RuntimeError(report["error"] or "not verified")
        return block(*inputs)
    return call


def open_iree(block, folder):
    return lambda *inputs: run_in_iree(block, inputs, folder)


def run_in_iree(block, inputs, folder):
    """Compiled for the extents of these inputs, in the Python that has IREE."""
    import numpy
    path, weights = linalg(torch.export.export(block, inputs), folder)
    values = [tensor.float().numpy() if tensor.dtype == torch.bfloat16 else tensor.numpy()
              for tensor in (*weights, *inputs)]  # as the text has them
    names = []
    for index, value in enumerate(values):
        names.append(folder / f"{index}.npy")
        numpy.save(names[-1], value)
    python = pathlib.Path(__file__).parents[2] / ".venv-iree" / "bin"
    module = folder / "block.vmfb"
    for command in ([python / "python", "-m", "ucmoh.iree", "compile", path, "-o", module],
                    [python / "iree-run-module", f"--module={module}", "--device=local-task", "--function=main",
                     *(f"--input=@{name}" for name in names),
                     *(f"--output=@{folder}/result{index}.npy" for index in range(len(as_tuple(block(*inputs)))))]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr.strip()[-300:])
    return [torch.from_numpy(numpy.load(folder / f"result{index}.npy")) for index in range(len(as_tuple(block(*inputs))))]


OPEN = {"torch": open_torch, "backend": open_backend, "onnx": open_onnx, "mlir": open_mlir, "verify": open_verify,
        "iree": open_iree}


def check(form, stage, door, extents, **sizes):
    """The error for each extent, or why there is none."""
    block = build(form, stage, **sizes)
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        try:
            call = OPEN[door](block, pathlib.Path(folder))
        except Exception as error:  # whatever its kind, the table reports it
            return {extent: explain(error) for extent in extents}
        return {extent: attempt(block, call, extent) for extent in extents}


def attempt(block, call, extent):
    inputs = block.inputs(extent)
    try:
        return relative_error(call(*inputs), block(*inputs))
    except Exception as error:
        return explain(error)


def explain(error):
    return f"{type(error).__name__}: {str(error)[:300]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--forms", nargs="+", default=FORMS)
    parser.add_argument("--stages", nargs="+", default=STAGES, choices=STAGES)
    parser.add_argument("--doors", nargs="+", default=DOORS, choices=DOORS)
    parser.add_argument("--extents", nargs="+", type=int, default=EXTENTS)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--inner", type=int, default=512)
    options = parser.parse_args()
    sizes, failed = {"width": options.width, "heads": options.heads, "inner": options.inner}, False
    for form, stage, door in itertools.product(options.forms, options.stages, options.doors):
        for extent, error in check(form, stage, door, options.extents, **sizes).items():
            failed |= isinstance(error, str) or not error <= allowed(form)
            print(json.dumps({"form": form, "stage": stage, "door": door, "extent": extent, "error": error}), flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
