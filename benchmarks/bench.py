#!/usr/bin/env python3
"""Runs the benchmark: every task in every type, by oneDNN and UCMoH or by IREE; appends JSON lines.

A result that is already in the output is not measured again, so an interrupted run resumes.
"""
import argparse
import json
import os
import subprocess

import compile_ours
import iree_peer
import recorded
import select_tasks
from ucmoh import networks

FINALISTS = 3  # recorded candidates that are timed once more, interleaved with the others


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", required=True, help="the program ucmoh-bench")
    parser.add_argument("--ucmoh", help="folder of ucmoh-opt")
    parser.add_argument("--llvm", help="folder of LLVM's and MLIR's tools")
    parser.add_argument("--target", default="host", help="our target, as the pass takes it")
    parser.add_argument("--iree", help="folder of IREE's programs: time IREE, not the others")
    parser.add_argument("--scratch", required=True, help="folder for compiled functions")
    parser.add_argument("--output", required=True, help="JSON lines")
    select_tasks.add_options(parser)
    parser.add_argument("--rounds", type=int, default=11, help="samples per implementation")
    parser.add_argument("--sample-seconds", type=float, default=5e-3, help="least length of a sample")
    parser.add_argument("--records", nargs="+", metavar="EXPORT",
                        help="measurements on this machine, of which our best candidates are taken; "
                             "only tasks that they have")
    parser.add_argument("--unselected", action="store_true",
                        help="all tasks that the records have, not only those of select_tasks.py")
    parser.add_argument("--core", type=int, default=1, help="core to run on")
    arguments = parser.parse_args()
    if not arguments.iree and not arguments.records:
        parser.error("either --iree, or --records for our best candidates")
    if arguments.unselected and not arguments.records:
        parser.error("--unselected needs --records, which say which tasks")
    return arguments


def pinned(program, core):
    """The command on one core; at real-time priority where that is allowed, so that it is not preempted."""
    command = ["taskset", "-c", str(core)]
    allowed = subprocess.run(["chrt", "-f", "10", "true"], capture_output=True, check=False)
    return [*(["chrt", "-f", "10"] if allowed.returncode == 0 else []), *command, program]


def call(program, *options):
    """Returns what ucmoh-bench prints. `program` is what `pinned` returns."""
    done = subprocess.run([*program, *options], capture_output=True, text=True, check=False)
    if done.returncode:
        raise iree_peer.Failure(f"ucmoh-bench exited with {done.returncode}: "
                                f"{done.stderr.strip()[-300:]}")
    return json.loads(done.stdout)


class Benchmark:
    def __init__(self, arguments):
        self.arguments = arguments
        self.bench = pinned(arguments.bench, arguments.core)
        self.peaks = self.call("--calibrate")
        self.recorded = recorded.Recorded(arguments.records or [])

    def call(self, *options):
        return call(self.bench, *options)

    def ours(self, task, types):
        """Descriptions of both models' picks and of the best candidates that were recorded."""
        compiler = compile_ours.Compiler(task, types, self.arguments)
        key = task["name"], types
        names = ["ours-analytic", "ours-learned"]
        choices = [compiler.pick("analytic"), compiler.pick("embedded")]
        best = self.recorded.best(key, FINALISTS)
        return (compiler.build(names + ["ours-best"] * len(best), choices + best),
                {"recorded": self.recorded.count(key)})

    def time(self, task, types, paths=()):
        """oneDNN and what is described there, interleaved."""
        return self.call("--task", json.dumps(task), "--types", types,
                         "--rounds", str(self.arguments.rounds),
                         "--sample-seconds", str(self.arguments.sample_seconds),
                         *(f"--compiled={path}" for path in paths))["implementations"]

    def ours_and_onednn(self, task, types):
        """Both in one process, interleaved."""
        try:
            paths, counts = self.ours(task, types)
            return counts | {"implementations": self.time(task, types, paths)}
        except iree_peer.Failure as failure:
            print(f"  ours: {failure}", flush=True)
            return {"failure": str(failure),
                    "implementations": self.time(task, types)}

    def iree(self, task, types):
        iree = iree_peer.Iree(task, types, self.arguments.iree, self.arguments.scratch, self.bench)
        implementations = iree.implementations(max(3, self.arguments.rounds // 3))
        iree.remove_data()
        return {"implementations": implementations}

    def has(self, key):
        """Whether (task, types) is wanted."""
        return not self.arguments.records or key in self.recorded

    def record(self, task, types):
        measured = self.iree(task, types) if self.arguments.iree else self.ours_and_onednn(task, types)
        return {"task": task["name"], "class": task["class"], "split": task["split"],
                "types": types, "flops": task["flops"], **measured}


def main():
    arguments = parse_arguments()
    os.environ["OMP_NUM_THREADS"] = "1"
    os.makedirs(arguments.scratch, exist_ok=True)
    benchmark = Benchmark(arguments)
    print("peaks, operations a second:", json.dumps(benchmark.peaks), flush=True)
    tasks = list(networks.all_tasks())
    if not arguments.unselected:
        tasks = list(select_tasks.chosen(arguments))
    done = set()
    if os.path.exists(arguments.output):
        with open(arguments.output, encoding="utf-8") as lines:
            done = {(record["task"], record["types"]) for record in map(json.loads, lines)}
    for types in arguments.types:
        for task in tasks:
            key = task["name"], types
            if key in done or arguments.only not in task["name"] or not benchmark.has(key):
                continue
            record = benchmark.record(task, types)
            with open(arguments.output, "a", encoding="utf-8") as output:
                output.write(json.dumps(record) + "\n")
            print(task["name"], types, flush=True)


if __name__ == "__main__":
    main()
