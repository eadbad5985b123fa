"""How well the cost model ranks IREE's configurations of a product or a convolution, and what its pick is worth.

    PYTHONPATH=python build/peers/bin/python benchmarks/iree_configurations.py --type=f32 > f32.jsonl
    PYTHONPATH=python build/peers/bin/python benchmarks/iree_configurations.py --convolutions >> f32.jsonl
    PYTHONPATH=python build/peers/bin/python benchmarks/iree_configurations.py --summary f32.jsonl

Of each shape it measures the pick, configurations drawn at random from those that ucmoh-translate lists, and IREE's own
two ways: its default, and data tiling with ukernels. A line of JSON for each: gigaoperations per second by the least
time of all calls, and the predicted seconds. One core.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import subprocess
import tempfile
import time

import iree.runtime
import numpy as np

from ucmoh import tools
from ucmoh.errors import CompileError
from ucmoh.iree import Installation, with_device

#: M, N, K: products of BERT and ResNet-50, squares, and long, flat and deep ones.
SHAPES = [(128, 768, 768), (128, 3072, 768), (128, 768, 3072), (196, 256, 1024), (784, 128, 1152), (3136, 64, 576),
          (49, 512, 4608), (196, 1024, 256), (784, 512, 128), (256, 256, 256), (384, 384, 384), (512, 512, 512),
          (768, 768, 768), (1024, 1024, 1024), (64, 1024, 1024), (32, 4096, 1024), (16, 768, 768), (256, 256, 2048),
          (2048, 128, 128), (384, 384, 1536), (512, 64, 512), (320, 320, 960), (96, 2048, 512), (128, 128, 128)]
UKERNELS = ["--iree-opt-data-tiling", "--iree-llvmcpu-enable-ukernels=all"]
SPEC = "--iree-codegen-tuning-spec-path="
ELEMENTS = {"f32": iree.runtime.HalElementType.FLOAT_32, "bf16": iree.runtime.HalElementType.BFLOAT_16}

#: Images, rows and columns of the result, its channels, filter, stride and input channels.
CONVOLUTIONS = [(2, 56, 56, 64, 3, 1, 64), (2, 28, 28, 128, 3, 1, 128), (2, 14, 14, 256, 3, 1, 256),
                (4, 7, 7, 512, 3, 1, 512), (2, 28, 28, 128, 3, 2, 128), (2, 16, 16, 128, 3, 1, 64),
                (4, 32, 32, 64, 5, 1, 32), (2, 112, 112, 64, 3, 2, 16)]

PROGRAM = """
!a = tensor<{a}x{type}>
!b = tensor<{b}x{type}>
!c = tensor<{c}xf32>
func.func @main(%a: !a, %b: !b) -> !c {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : !c
  %init = linalg.fill ins(%zero : f32) outs(%empty : !c) -> !c
  %c = linalg.{op} ins(%a, %b : !a, !b) outs(%init : !c) -> !c
  return %c : !c
}}
"""


def text_of(shape):
    return "x".join(map(str, shape))


class Product:
    """A product of M, N, K."""

    op = "matmul"

    def __init__(self, m, n, k):
        self.a, self.b, self.c = (m, k), (k, n), (m, n)
        self.operations = 2 * m * n * k

    @staticmethod
    def lists_of(tiles):
        """The lists of a lowering_config by their names, of an entry "tiles" of report.json."""
        distribution_m, distribution_n, cache_m, cache_n, cache_k, vector_m, vector_n, vector_k = tiles
        return (f"distribution = [{distribution_m}, {distribution_n}, 0], cache_parallel = [{cache_m}, {cache_n}, 0], "
                f"cache_reduction = [0, 0, {cache_k}], vector_common_parallel = [{vector_m}, {vector_n}, 0], "
                f"vector_reduction = [0, 0, {vector_k}]")


class Convolution:
    """A convolution of images with their channels innermost."""

    def __init__(self, images, rows, columns, channels, filter_size, stride, inputs):
        self.op = f"conv_2d_nhwc_hwcf {{strides = dense<{stride}> : vector<2xi64>}}"
        self.a = (images, (rows - 1) * stride + filter_size, (columns - 1) * stride + filter_size, inputs)
        self.b, self.c = (filter_size, filter_size, inputs, channels), (images, rows, columns, channels)
        self.operations = 2 * images * rows * columns * channels * filter_size ** 2 * inputs

    @staticmethod
    def lists_of(tiles):
        """As a product's."""
        rows, columns, channels, vector_columns, vector_channels, vector_inputs = tiles
        return (f"distribution = [1, {rows}, {columns}, {channels}, 0, 0, 0], vector_common_parallel = "
                f"[1, 1, {vector_columns}, {vector_channels}, 0, 0, 0], vector_reduction = "
                f"[0, 0, 0, 0, 1, 1, {vector_inputs}]")


def op_of(shape):
    """The op that a shape of either list stands for."""
    return Product(*shape) if len(shape) == 3 else Convolution(*shape)


class Task:
    """An op, in a folder of its own."""

    def __init__(self, shape, element, folder):
        self.op, self.element, self.folder = op_of(shape), element, folder
        self.model = folder / "model.mlir"
        self.model.write_text(PROGRAM.format(op=self.op.op, type=element, a=text_of(self.op.a), b=text_of(self.op.b),
                                             c=text_of(self.op.c)))
        tools.run([tools.find("ucmoh-translate"), "--to-iree-tuning-spec", self.model, f"--output={folder}"],
                  self.model)
        self.spec = (folder / "spec.mlir").read_text()
        self.ranked = json.loads((folder / "report.json").read_text())["tuned"][0]["ranked"]

    def write_spec(self, tiles):
        """A spec with other tiles than the pick's."""
        path = self.folder / "other.mlir"
        path.write_text(self.spec.replace(self.op.lists_of(self.ranked[0]["tiles"]), self.op.lists_of(tiles)))
        return path

    def measure(self, flags, seconds):
        """Gigaoperations per second, or None where IREE refuses the flags."""
        output = self.folder / "model.vmfb"
        try:
            Installation().run(self.model, output, [*with_device([]), *flags], self.model)
        except CompileError:
            return None
        return round(self.op.operations / self.least_seconds(output, seconds) / 1e9, 1)

    def least_seconds(self, module, seconds):
        config = iree.runtime.Config("local-sync")
        context = iree.runtime.SystemContext(config=config)
        context.add_vm_module(iree.runtime.VmModule.mmap(context.instance, str(module)))
        inputs = [self.make_input(config.device, shape) for shape in [self.op.a, self.op.b]]
        function, least = context.modules.module.main, float("inf")
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            start = time.perf_counter()
            function(*inputs)
            least = min(least, time.perf_counter() - start)
        return least

    def make_input(self, device, shape):
        """Ones, as the bits of either type."""
        ones = np.full(shape, 1.0, np.float32)
        bits = ones if self.element == "f32" else (ones.view(np.uint32) >> 16).astype(np.uint16)
        view = device.allocator.allocate_buffer_copy(memory_type=iree.runtime.MemoryType.DEVICE_LOCAL,
                                                     allowed_usage=iree.runtime.BufferUsage.DEFAULT, device=device,
                                                     buffer=bits, element_type=ELEMENTS[self.element])
        return iree.runtime.DeviceArray(device, view)


def measure_shape(shape, options):
    with tempfile.TemporaryDirectory() as folder:
        task = Task(shape, options.type, pathlib.Path(folder))
        drawn = random.Random(str(shape)).sample(task.ranked[1:], min(options.configurations, len(task.ranked) - 1))
        ways = [("default", [], None), ("ukernels", UKERNELS, None)]
        ways += [("pick" if entry is task.ranked[0] else "drawn", None, entry) for entry in [task.ranked[0], *drawn]]
        for name, flags, entry in ways:
            if entry:
                flags = [f"{SPEC}{task.write_spec(entry['tiles'])}", "--mlir-disable-threading"]
            row = {"shape": shape, "type": options.type, "way": name, "gops": task.measure(flags, options.seconds)}
            print(json.dumps(row | (entry or {})), flush=True)


def ranks(values):
    order = np.argsort(values, kind="stable")
    result = np.empty(len(values))
    result[order] = np.arange(len(values))
    return result


def summarize_shape(rows):
    """Spearman's correlation, and the pick's speed over the default, ukernels and the best of all."""
    one = {row["way"]: row["gops"] for row in rows if row["way"] != "drawn"}
    tuned = [row for row in rows if "tiles" in row and row["gops"]]
    predicted, measured = [row["predicted_seconds"] for row in tuned], [1 / row["gops"] for row in tuned]
    correlation = np.corrcoef(ranks(predicted), ranks(measured))[0, 1]
    best = max(row["gops"] for row in tuned)
    return correlation, one["default"], one["ukernels"], one["pick"], best


def summarize(paths):
    groups = collections.defaultdict(list)
    for path in paths:
        for line in pathlib.Path(path).read_text().splitlines():
            row = json.loads(line)
            kind = row["type"] + (" convolutions" if len(row["shape"]) > 3 else "")
            groups[kind, tuple(row["shape"])].append(row)
    columns = collections.defaultdict(list)
    print("| shape | type | rank correlation | default | ukernels | pick | best of all |")
    print("|---|---|---|---|---|---|---|")
    for (element, shape), rows in groups.items():
        found = summarize_shape(rows)
        columns[element].append(found)
        speeds = " | ".join(f"{speed:.0f}" for speed in found[1:])
        print(f"| {'×'.join(map(str, shape))} | {element} | {found[0]:.2f} | {speeds} |")
    for element, found in columns.items():
        correlations, default, ukernels, pick, best = np.array(found).T
        geomean = [np.exp(np.log(pick / other).mean()) for other in (default, ukernels, best)]
        print(f"{element}: {len(found)} shapes, rank correlation mean {correlations.mean():.2f}, median "
              f"{np.median(correlations):.2f}; the pick's speed: {geomean[0]:.2f} of the default, {geomean[1]:.2f} of "
              f"ukernels, {geomean[2]:.2f} of the best that was measured")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--type", default="f32", choices=list(ELEMENTS))
    parser.add_argument("--convolutions", action="store_true", help="instead of products")
    parser.add_argument("--configurations", type=int, default=14, help="drawn of each shape (14)")
    parser.add_argument("--seconds", type=float, default=0.06, help="seconds of calls of each (0.06)")
    parser.add_argument("--summary", nargs="+", metavar="FILE", help="print the table of measurements instead")
    options = parser.parse_args()
    if options.summary:
        return summarize(options.summary)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    for shape in CONVOLUTIONS if options.convolutions else SHAPES:
        measure_shape(shape, options)


if __name__ == "__main__":
    main()
