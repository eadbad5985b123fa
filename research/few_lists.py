#!/usr/bin/env python3
"""The last machine of a sequence learned from a share of its lists, by ways not to forget (research/lifelong.py) and by MTL: all
machines at once, each with last layers of its own.

    python3 research/few_lists.py run --folder build/lifelong --data TRAIN... --test HOLDOUT... --drawn drawn.safetensors
    python3 research/few_lists.py table --folder build/lifelong > table.md

What is in few-lists.jsonl already is not run again. Settings are those of the study of whole steps (docs/results/lifelong.md).
"""
import argparse
import collections
import itertools
import json
import os
import statistics
import sys

import lifelong
import study

SHARES = (0.005, 0.02, 0.1, 1)  # the shares of the last step's lists
# Method: further arguments of `ucmoh-research lifelong`.
METHODS = {"alone": [], "fine-tuning": [], "pseudo": ["--mix=3"], "joint": [], "heads": []}
SEQUENCE = "machines"
METRICS = {"top1": "top-1", "top1_geomean": "geomean", "pairwise": "pairs"}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("run", "table"))
    parser.add_argument("--folder", required=True, help="folder for few-lists.jsonl")
    parser.add_argument("--data", nargs="+", default=[], help="features files: what is learned")
    parser.add_argument("--test", nargs="+", default=[], help="features files: what judges")
    parser.add_argument("--drawn", default="", help="what `ucmoh-research draw` wrote")
    parser.add_argument("--program", default="build/bin/ucmoh-research", help="build/bin/ucmoh-research")
    parser.add_argument("--shares", nargs="+", type=float, default=SHARES, help="shares of the lists of the last step")
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=METHODS, help="only these")
    parser.add_argument("--seeds", nargs="+", type=int, default=lifelong.SEEDS, help="seeds of weights and order")
    parser.add_argument("--epochs", type=int, default=15, help="epochs of each step")
    return parser.parse_args()


def read(folder):
    """{(method, share): {seed: {machine: row}}}: behind the last step, held-out tasks."""
    found = collections.defaultdict(lambda: collections.defaultdict(dict))
    path = os.path.join(folder, "few-lists.jsonl")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                steps = row["order"]
                if row["set"] == "test" and (row["learned"] == len(steps) or row["method"] == "alone"):
                    found[row["method"], row["share"]][row["seed"]][row["on"]] = row
    return found


def run(arguments):
    os.makedirs(arguments.folder, exist_ok=True)
    steps = lifelong.Study(arguments, SEQUENCE)
    for seed, share, method in itertools.product(arguments.seeds, arguments.shares, arguments.methods):
        if seed in read(arguments.folder)[method, share]:
            continue
        steps.call(method, steps.names, f"--data={steps.sample}", f"--seed={seed}", f"--share={share}", *METHODS[method],
                   f"--epochs={arguments.epochs}", f"--output={os.path.join(arguments.folder, 'few-lists.jsonl')}")
        print(f"{method} {share:g} seed {seed}", file=sys.stderr, flush=True)


def cell(rows, metric):
    values = [row[metric] for row in rows]
    return study.with_spread(statistics.mean(values), statistics.stdev(values) if len(values) > 1 else None)


def print_table(found):
    """A line for each share and method; the last machine first."""
    machines = list(reversed(lifelong.SEQUENCES[SEQUENCE][0]))
    lines = [[f"{100 * share:g}", method, len(seeds), f"{statistics.mean(max(row['cpu_seconds'] for row in of.values()) for of in seeds.values()):.0f}",
              *(cell([of[machine] for of in seeds.values()], metric) for machine in machines for metric in METRICS)]
             for (method, share), seeds in sorted(found.items(), key=lambda item: (item[0][1], list(METHODS).index(item[0][0])))]
    study.print_table(["lists, %", "method", "seeds", "CPU s", *(f"{machine}: {title}" for machine in machines
                                                                for title in METRICS.values())], lines)


def main():
    arguments = parse_arguments()
    if arguments.command == "run":
        run(arguments)
    else:
        print_table(read(arguments.folder))


if __name__ == "__main__":
    main()
