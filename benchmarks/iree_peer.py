#!/usr/bin/env python3
"""Times one benchmark task by IREE on one core: the best of several sets of flags.

Weights are constants, so that IREE packs them when it compiles. Results are compared with oneDNN's.
"""
import json
import pathlib
import subprocess

import numpy

from ucmoh import gen_workload

TARGET = ["--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu",
          "--iree-llvmcpu-target-cpu=host"]
FLAGS = {
    "base": [],
    "data-tiling+ukernels": ["--iree-opt-data-tiling", "--iree-llvmcpu-enable-ukernels=all"],
    "data-tiling+inner-tiled": ["--iree-opt-data-tiling", "--iree-llvmcpu-enable-inner-tiled",
                                "--iree-opt-level=O3"],
}
NOISY = 75  # exit status of `ucmoh-bench -- COMMAND`


class Failure(RuntimeError):
    """A tool failed; the message is the end of what it said."""


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, NOISY):
        raise Failure(f"{pathlib.Path(command[0]).name} exited with {done.returncode}: "
                      f"{done.stderr.strip()[:300]}")
    return done


class Iree:
    """Compiled modules of one task, kept in `folder`; `tools` is the folder of IREE's programs."""

    def __init__(self, task, types, tools, folder, bench):
        self.task, self.types, self.tools, self.bench = task, types, pathlib.Path(tools), bench
        self.stem = pathlib.Path(folder) / f"{task['name']}.{types}"

    def path(self, ending):
        return self.stem.with_name(f"{self.stem.name}.{ending}")

    def write_source(self):
        run([*self.bench, "--task", json.dumps(self.task), "--types", self.types,
             "--dump", str(self.stem)])
        text = gen_workload.function(self.task, self.types, self.path("rhs").read_bytes())
        self.path("mlir").write_text(text)

    def compile(self, flags):
        module = self.path(f"{flags}.vmfb")
        if not module.exists():
            if not self.path("mlir").exists():
                self.write_source()
            run([str(self.tools / "iree-compile"), str(self.path("mlir")), "-o", str(module),
                 *TARGET, *FLAGS[flags]])
        return module

    def inputs(self):
        element = gen_workload.ELEMENTS[self.types]
        operands = zip(("lhs", "rhs"), gen_workload.shapes(self.task), element)
        return [f"--input={'x'.join(map(str, shape))}x{kind}=@{self.path(name)}"
                for name, shape, kind in operands if name == "lhs" or self.task["batch"] > 1]

    def error(self, module):
        """Largest difference to oneDNN, relative to the largest result."""
        output = self.path("out")
        run([str(self.tools / "iree-run-module"), f"--module={module}", "--device=local-sync",
             "--function=f", f"--output=@{output}", *self.inputs()])
        kind = numpy.int32 if gen_workload.ELEMENTS[self.types][2] == "i32" else numpy.float32
        ours = numpy.fromfile(output, kind).astype(float)
        theirs = numpy.fromfile(self.path("result"), kind).astype(float)
        return float(numpy.abs(ours - theirs).max() / numpy.abs(theirs).max())

    def samples(self, module, rounds):
        """Seconds per call of `rounds` quiet runs."""
        command = [*self.bench, "--", str(self.tools / "iree-benchmark-module"),
                   f"--module={module}", "--device=local-sync", "--function=f",
                   "--benchmark_min_time=0.02s", "--benchmark_format=json",
                   "--time_unit=us", *self.inputs()]
        seconds = []
        for _ in range(4 * rounds):
            done = run(command)
            if done.returncode == 0:
                report = json.loads(done.stdout[done.stdout.index("{"):])
                seconds.append(report["benchmarks"][0]["real_time"] * 1e-6)
            if len(seconds) == rounds:
                break
        return seconds

    def implementations(self, rounds):
        """One entry per set of flags, in the form of ucmoh-bench."""
        result = []
        for flags in FLAGS:
            entry = {"name": "iree", "detail": flags, "seconds": []}
            try:
                module = self.compile(flags)
                entry["error"] = self.error(module)
                entry["seconds"] = self.samples(module, rounds)
            except Failure as failure:
                entry["failure"] = str(failure)
            result.append(entry)
        return result

    def remove_data(self):
        modules = [f"{flags}.vmfb" for flags in FLAGS]
        for ending in ("lhs", "rhs", "result", "out", "mlir", *modules):
            self.path(ending).unlink(missing_ok=True)
