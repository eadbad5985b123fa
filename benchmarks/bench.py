#!/usr/bin/env python3
"""Runs the benchmark: every task in every type, by oneDNN and UCMoH or by IREE; appends JSON lines.

A result that is already in the output is not measured again, so an interrupted run resumes.
"""
import argparse
import json
import math
import os
import pathlib
import subprocess

import compile_ours
import iree_peer
import recorded
import select_tasks
from ucmoh import networks

TYPES = ["u8s8s32", "s8s8s32", "f32", "bf16"]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", required=True, help="the program ucmoh-bench")
    parser.add_argument("--ucmoh", help="folder of ucmoh-opt")
    parser.add_argument("--llvm", help="folder of LLVM's and MLIR's tools")
    parser.add_argument("--iree", help="folder of IREE's programs: time IREE, not the others")
    parser.add_argument("--scratch", required=True, help="folder for compiled functions")
    parser.add_argument("--output", required=True, help="JSON lines")
    parser.add_argument("--types", nargs="+", default=TYPES, choices=TYPES)
    parser.add_argument("--only", default="", help="only tasks whose name contains this")
    parser.add_argument("--rounds", type=int, default=11, help="samples per implementation")
    parser.add_argument("--kinds", type=int, default=16,
                        help="how many kinds of our candidates to compile and time")
    parser.add_argument("--variants", type=int, default=8,
                        help="how many more candidates of the fastest kind")
    parser.add_argument("--exhaustive", action="store_true",
                        help="compile and time all of our candidates instead (minutes per task)")
    parser.add_argument("--records", nargs="+", metavar="EXPORT",
                        help="take the best candidate out of these measurements of this machine "
                             "instead; only tasks that they have")
    parser.add_argument("--least", type=int, default=1,
                        help="with --records: only tasks with so many measurements")
    parser.add_argument("--core", type=int, default=1, help="core to run on")
    return parser.parse_args()


def tasks():
    return list(select_tasks.select(networks.all_tasks()))


def pinned(program, core):
    """The command on one core; at real-time priority where that is allowed, so that it is not preempted."""
    command = ["taskset", "-c", str(core)]
    allowed = subprocess.run(["chrt", "-f", "10", "true"], capture_output=True, check=False)
    return [*(["chrt", "-f", "10"] if allowed.returncode == 0 else []), *command, program]


class Benchmark:
    def __init__(self, arguments):
        self.arguments = arguments
        self.bench = pinned(arguments.bench, arguments.core)
        self.peaks = self.call("--calibrate")
        self.recorded = recorded.Recorded(arguments.records or [])

    def call(self, *options):
        done = subprocess.run([*self.bench, *options], capture_output=True, text=True, check=False)
        if done.returncode:
            raise iree_peer.Failure(f"ucmoh-bench exited with {done.returncode}: "
                                    f"{done.stderr.strip()[-300:]}")
        return json.loads(done.stdout)

    def fastest(self, task, types, paths):
        """Times compiled candidates; returns seconds and description of the fastest that is right."""
        best = math.inf, None
        entries = self.time(task, types, 3, "--onednn=false",
                            *(f"--compiled={path}" for path in paths))
        for path, entry in zip(paths, entries):
            seconds = min(entry["seconds"], default=math.inf)
            if entry["error"] > 1e-4:
                print(f"  WRONG by {entry['error']}: {entry['detail']}", flush=True)
            elif seconds < best[0]:
                best = seconds, path
        if not best[1]:
            raise iree_peer.Failure("no candidate was right and timed undisturbed")
        return best

    def ours(self, task, types):
        """Descriptions of both models' picks and of the best candidate found.

        It was recorded, or is found in two steps: the best predicted candidate of each kind
        (intrinsic, register tile, packing), then the other cache blocks and loop orders of the
        fastest kind.
        """
        arguments = self.arguments
        compiler = compile_ours.Compiler(task, types, arguments.ucmoh, arguments.llvm,
                                         arguments.scratch)
        choices = compiler.choices("analytic")
        learned = compiler.choices("embedded")[0]
        if arguments.records:
            return self.recorded_best(task, types, compiler, [choices[0], learned])
        if arguments.exhaustive:
            return self.best_of_all(task, types, compiler, choices, learned)
        kinds = [*compile_ours.one_of_each(choices, arguments.kinds), learned]
        paths = compiler.build("kinds", kinds)
        first = self.fastest(task, types, paths)
        kind = compile_ours.shape_of(kinds[paths.index(first[1])])
        variants = [choice for choice in choices
                    if compile_ours.shape_of(choice) == kind and choice not in kinds]
        variants = variants[:arguments.variants]
        second = first
        if variants:
            second = self.fastest(task, types, compiler.build("variants", variants))
        best = min(first, second, key=lambda found: found[0])[1]
        return (compiler.all_named(paths[0], paths[-1], best),
                {"candidates": len(choices), "timed": len(kinds) + len(variants)})

    def recorded_best(self, task, types, compiler, picks):
        """The picks, and the fastest of what was recorded."""
        key = task["name"], types
        paths = compiler.build("picks", [*picks, self.recorded.best(key)])
        return compiler.all_named(*paths), {"recorded": self.recorded.count(key)}

    def best_of_all(self, task, types, compiler, choices, learned, chunk=64):
        """Like `ours`, but of all candidates; the fastest of each chunk meet in a final."""
        finalists = []
        pick, learned = compiler.build("picks", [choices[0], learned])
        for first in range(0, len(choices), chunk):
            paths = compiler.build(f"all{first}", choices[first:first + chunk])
            try:
                finalists.append(self.fastest(task, types, paths)[1])
            except iree_peer.Failure:  # none of them could be timed in calm
                continue
        best = self.fastest(task, types, [pick, *finalists])[1]
        return (compiler.all_named(pick, learned, best),
                {"candidates": len(choices), "timed": len(choices)})

    def time(self, task, types, rounds, *options):
        return self.call("--task", json.dumps(task), "--types", types, "--rounds", str(rounds),
                         *options)["contenders"]

    def ours_and_onednn(self, task, types):
        """Both in one process, in turns."""
        try:
            paths, counts = self.ours(task, types)
            return counts | {"contenders": self.time(task, types, self.arguments.rounds,
                                                     *(f"--compiled={path}" for path in paths))}
        except iree_peer.Failure as failure:
            print(f"  ours: {failure}", flush=True)
            return {"failure": str(failure),
                    "contenders": self.time(task, types, self.arguments.rounds)}

    def iree(self, task, types):
        iree = iree_peer.Iree(task, types, self.arguments.iree, self.arguments.scratch, self.bench)
        contenders = iree.contenders(max(3, self.arguments.rounds // 3))
        iree.remove_data()
        return {"contenders": contenders}

    def has(self, key):
        """Whether (task, types) is wanted."""
        return not self.arguments.records or (
            key in self.recorded and self.recorded.count(key) >= self.arguments.least)

    def record(self, task, types):
        measured = self.iree(task, types) if self.arguments.iree else self.ours_and_onednn(task, types)
        return {"task": task["name"], "class": task["class"], "types": types,
                "flops": task["flops"], **measured}


def main():
    arguments = parse_arguments()
    os.environ["OMP_NUM_THREADS"] = "1"
    os.makedirs(arguments.scratch, exist_ok=True)
    benchmark = Benchmark(arguments)
    print("peaks, operations a second:", json.dumps(benchmark.peaks), flush=True)
    done = set()
    if os.path.exists(arguments.output):
        with open(arguments.output, encoding="utf-8") as lines:
            done = {(record["task"], record["types"]) for record in map(json.loads, lines)}
    for types in arguments.types:
        for task in tasks():
            key = task["name"], types
            if key in done or arguments.only not in task["name"] or not benchmark.has(key):
                continue
            record = benchmark.record(task, types)
            with open(arguments.output, "a", encoding="utf-8") as output:
                output.write(json.dumps(record) + "\n")
            print(task["name"], types, flush=True)


if __name__ == "__main__":
    main()
