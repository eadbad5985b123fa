"""How well the cost model ranks IREE's configurations of a product, and what its pick is worth.

    PYTHONPATH=python build/peers/bin/python benchmarks/iree_configurations.py --type=f32 > f32.jsonl
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

PROGRAM = """
!a = tensor<{m}x{k}x{type}>
!b = tensor<{k}x{n}x{type}>
!c = tensor<{m}x{n}xf32>
func.func @main(%a: !a, %b: !b) -> !c {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : !c
  %init = linalg.fill ins(%zero : f32) outs(%empty : !c) -> !c
  %c = linalg.matmul ins(%a, %b : !a, !b) outs(%init : !c) -> !c
  return %c : !c
}}
"""


def lists_of(tiles):
    """The lists of a lowering_config by their names, of an entry "tiles" of report.json."""
    distribution_m, distribution_n, cache_m, cache_n, cache_k, vector_m, vector_n, vector_k = tiles
    return (f"distribution = [{distribution_m}, {distribution_n}, 0], cache_parallel = [{cache_m}, {cache_n}, 0], "
            f"cache_reduction = [0, 0, {cache_k}], vector_common_parallel = [{vector_m}, {vector_n}, 0], "
            f"vector_reduction = [0, 0, {vector_k}]")


class Task:
    """A product, in a folder of its own."""

    def __init__(self, shape, element, folder):
        self.shape, self.element, self.folder = shape, element, folder
        m, n, k = shape
        self.model = folder / "model.mlir"
        self.model.write_text(PROGRAM.format(m=m, n=n, k=k, type=element))
        tools.run([tools.find("ucmoh-translate"), "--to-iree-tuning-spec", self.model, f"--output={folder}"],
                  self.model)
        self.spec = (folder / "spec.mlir").read_text()
        self.ranked = json.loads((folder / "report.json").read_text())["tuned"][0]["ranked"]

    def write_spec(self, tiles):
        """A spec with other tiles than the pick's."""
        path = self.folder / "other.mlir"
        path.write_text(self.spec.replace(lists_of(self.ranked[0]["tiles"]), lists_of(tiles)))
        return path

    def measure(self, flags, seconds):
        """Gigaoperations per second, or None where IREE refuses the flags."""
        output = self.folder / "model.vmfb"
        try:
            Installation().run(self.model, output, [*with_device([]), *flags], self.model)
        except CompileError:
            return None
        m, n, k = self.shape
        return round(2 * m * n * k / self.least_seconds(output, seconds) / 1e9, 1)

    def least_seconds(self, module, seconds):
        config = iree.runtime.Config("local-sync")
        context = iree.runtime.SystemContext(config=config)
        context.add_vm_module(iree.runtime.VmModule.mmap(context.instance, str(module)))
        m, n, k = self.shape
        inputs = [self.make_input(config.device, shape) for shape in [(m, k), (k, n)]]
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
                flags = [f"{SPEC}{task.write_spec(entry['tiles'])}"]
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
            groups[row["type"], tuple(row["shape"])].append(row)
    columns = collections.defaultdict(list)
    print("| M×N×K | type | rank correlation | default | ukernels | pick | best of all |")
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
    parser.add_argument("--configurations", type=int, default=14, help="drawn of each shape (14)")
    parser.add_argument("--seconds", type=float, default=0.06, help="of calls of each (0.06)")
    parser.add_argument("--summary", nargs="+", metavar="FILE", help="print the table of measurements instead")
    options = parser.parse_args()
    if options.summary:
        return summarize(options.summary)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    for shape in SHAPES:
        measure_shape(shape, options)


if __name__ == "__main__":
    main()
