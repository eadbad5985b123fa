#!/usr/bin/env python3
"""Runs the benchmark: every task in every type by oneDNN, IREE and UCMoH; appends JSON lines.

A result that is already in the output is not measured again, so an interrupted run resumes.
"""
import argparse
import json
import os
import pathlib
import subprocess

import compile_ours
import iree_peer
import select_tasks

TYPES = ["u8s8s32", "s8s8s32", "f32", "bf16"]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", required=True, help="the program ucmoh-bench")
    parser.add_argument("--ucmoh", required=True, help="folder of ucmoh-opt")
    parser.add_argument("--llvm", required=True, help="folder of LLVM's and MLIR's tools")
    parser.add_argument("--iree", help="folder of IREE's programs; without it IREE is left out")
    parser.add_argument("--scratch", required=True, help="folder for compiled functions")
    parser.add_argument("--output", required=True, help="JSON lines")
    parser.add_argument("--types", nargs="+", default=TYPES, choices=TYPES)
    parser.add_argument("--only", default="", help="only tasks whose name contains this")
    parser.add_argument("--rounds", type=int, default=11, help="samples per implementation")
    parser.add_argument("--candidates", type=int, default=24,
                        help="how many of our candidates to compile and time")
    parser.add_argument("--core", type=int, default=1, help="core to run on")
    return parser.parse_args()


def tasks():
    with open(pathlib.Path(__file__).with_name("networks.csv"), encoding="utf-8") as table:
        return list(select_tasks.select(select_tasks.all_tasks(table)))


def pinned(program, core):
    """The command on one core; at real-time priority where that is allowed, so that it is not preempted."""
    command = ["taskset", "-c", str(core)]
    allowed = subprocess.run(["chrt", "-f", "10", "true"], capture_output=True, check=False)
    return [*(["chrt", "-f", "10"] if allowed.returncode == 0 else []), *command, program]


class Benchmark:
    def __init__(self, arguments):
        self.arguments = arguments
        self.bench = pinned(arguments.bench, arguments.core)
        self.calibration = self.call("--calibrate")
        self.bench.append(f"--sentinel={self.calibration['sentinel']}")

    def call(self, *options):
        done = subprocess.run([*self.bench, *options], capture_output=True, text=True, check=False)
        if done.returncode:
            raise iree_peer.Failure(f"ucmoh-bench exited with {done.returncode}: "
                                    f"{done.stderr.strip()[-300:]}")
        return json.loads(done.stdout)

    def ours(self, task, types):
        """Descriptions of the analytic pick and of the best candidate."""
        compiler = compile_ours.Compiler(task, types, self.arguments)
        pick, candidates = compiler.analytic(), compiler.candidates(self.arguments.candidates)
        best, least = pick, None
        for path in candidates:
            try:
                entry = self.time(task, types, 3, "--onednn=false", f"--compiled={path}")[0]
            except iree_peer.Failure as failure:
                print(f"  {path}: {failure}", flush=True)
                continue
            seconds = min(entry["seconds"], default=None)
            if entry["error"] > 1e-4:
                print(f"  {path}: WRONG, {entry['error']}", flush=True)
            elif seconds is not None and (least is None or seconds < least):
                best, least = path, seconds
        return compile_ours.renamed(pick, "ours-analytic"), compile_ours.renamed(best, "ours-best")

    def time(self, task, types, rounds, *options):
        return self.call("--task", json.dumps(task), "--types", types, "--rounds", str(rounds),
                         *options)["contenders"]

    def contenders(self, task, types):
        try:
            ours = [f"--compiled={path}" for path in self.ours(task, types)]
            result = self.time(task, types, self.arguments.rounds, *ours)
        except iree_peer.Failure as failure:
            print(f"  ours: {failure}", flush=True)
            result = self.time(task, types, self.arguments.rounds)
        if self.arguments.iree:
            iree = iree_peer.Iree(task, types, self.arguments.iree, self.arguments.scratch, self.bench)
            result += iree.contenders(max(3, self.arguments.rounds // 2))
            iree.remove_data()
        return result


def main():
    arguments = parse_arguments()
    os.environ["OMP_NUM_THREADS"] = "1"
    os.makedirs(arguments.scratch, exist_ok=True)
    benchmark = Benchmark(arguments)
    print("calibration:", json.dumps(benchmark.calibration), flush=True)
    done = set()
    if os.path.exists(arguments.output):
        with open(arguments.output, encoding="utf-8") as lines:
            done = {(record["task"], record["types"]) for record in map(json.loads, lines)}
    for task in tasks():
        for types in arguments.types:
            if (task["name"], types) in done or arguments.only not in task["name"]:
                continue
            record = {"task": task["name"], "class": task["class"], "types": types,
                      "flops": task["flops"], "contenders": benchmark.contenders(task, types)}
            with open(arguments.output, "a", encoding="utf-8") as output:
                output.write(json.dumps(record) + "\n")
            print(task["name"], types, flush=True)


if __name__ == "__main__":
    main()
