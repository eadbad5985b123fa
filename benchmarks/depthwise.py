#!/usr/bin/env python3
"""Times depthwise and first convolutions by oneDNN and by UCMoH, interleaved in one process; appends JSON lines.

oneDNN runs twice, with channels-last activations and with those of its choice (OneDNN.h); the better one counts.
"""
import argparse
import json
import os

import bench
import compile_ours
from ucmoh import networks

# (image, channels, kernel, stride): those of MobileNet, EfficientNet, ConvNeXt and of nothing in particular.
DEPTHWISE = [(112, 16, 3, 1), (112, 32, 3, 1), (112, 64, 3, 2), (112, 96, 3, 2), (56, 144, 3, 1), (56, 128, 3, 1),
             (56, 144, 5, 2), (28, 192, 3, 1), (28, 240, 5, 1), (28, 240, 3, 2), (28, 256, 7, 1), (14, 480, 3, 1),
             (14, 512, 5, 1), (14, 672, 5, 2), (14, 384, 7, 1), (7, 1152, 3, 1), (7, 1152, 5, 1), (7, 960, 3, 1)]
# (image, filters, kernel, stride), 3 channels.
FIRST = [(224, 32, 3, 2), (224, 64, 7, 2)]


def task_of(image, channels, filters, kernel, stride):
    row = {"input": f"1x{channels}x{image}x{image}", "filter": f"{filters}x{channels}x{kernel}x{kernel}",
           "op": "conv2d", "stride": f"{stride}x{stride}", "pad": f"{kernel // 2}x{kernel // 2}",
           "dilation": "1x1"}
    return networks.convolution_of_row(row)


def tasks():
    for image, channels, kernel, stride in DEPTHWISE:
        task = task_of(image, channels, channels, kernel, stride)
        yield task | {"depthwise": True, "name": "depthwise_" + task["name"]}
    for image, filters, kernel, stride in FIRST:
        yield task_of(image, 3, filters, kernel, stride)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", required=True, help="the program ucmoh-bench")
    parser.add_argument("--ucmoh", required=True, help="folder of ucmoh-opt")
    parser.add_argument("--llvm", required=True, help="folder of LLVM's and MLIR's tools")
    parser.add_argument("--target", default="host", help="our target, as the pass takes it")
    parser.add_argument("--scratch", required=True, help="folder for compiled functions")
    parser.add_argument("--output", required=True, help="JSON lines")
    parser.add_argument("--types", nargs="+", default=["f32", "u8s8s32", "s8s8s32", "bf16"])
    parser.add_argument("--only", default="", help="tasks whose name contains this")
    parser.add_argument("--rounds", type=int, default=11, help="samples per implementation")
    parser.add_argument("--sample-seconds", type=float, default=1e-3, help="least length of a sample")
    parser.add_argument("--core", type=int, default=1, help="core to run on")
    parser.add_argument("--compile-only", action="store_true", help="leave what is compiled in --scratch")
    parser.add_argument("--compiled", action="store_true", help="take what is compiled from --scratch")
    return parser.parse_args()


def ratio(implementations):
    """oneDNN's time over ours."""
    best = {}
    for each in implementations:
        side = each["name"].split("-")[0]
        best[side] = min(best.get(side, float("inf")), sorted(each["seconds"])[len(each["seconds"]) // 2])
    return best["onednn"] / best["ours"], best


class Race:
    def __init__(self, arguments):
        self.arguments = arguments
        self.program = bench.pinned(arguments.bench, arguments.core)

    def compile(self, task, types):
        compiler = compile_ours.Compiler(task, types, self.arguments)
        if self.arguments.compiled:
            return [compiler.path(0, "json")]
        return compiler.build(["ours"], [""])

    def time(self, task, types):
        paths = self.compile(task, types)
        if self.arguments.compile_only:
            return
        done = bench.call(self.program, "--task", json.dumps(task), "--types", types,
                          "--rounds", str(self.arguments.rounds),
                          "--sample-seconds", str(self.arguments.sample_seconds),
                          *(f"--compiled={path}" for path in paths))
        with open(self.arguments.output, "a", encoding="utf-8") as output:
            output.write(json.dumps(done) + "\n")
        times, best = ratio(done["implementations"])
        error = max(each["error"] for each in done["implementations"])
        print(f"{types:8} {task['name']:44} onednn {best['onednn'] * 1e6:8.1f} us, "
              f"ours {best['ours'] * 1e6:8.1f} us: {times:.2f} (error {error:.1e})", flush=True)


def main():
    arguments = parse_arguments()
    os.environ["OMP_NUM_THREADS"] = "1"
    os.makedirs(arguments.scratch, exist_ok=True)
    race = Race(arguments)
    for types in arguments.types:
        for task in tasks():
            if arguments.only in task["name"]:
                race.time(task, types)


if __name__ == "__main__":
    main()
