#!/usr/bin/env python3
"""Chooses the benchmark's tasks from data/networks.csv and prints them for ucmoh-collect.

Rule: unique tasks of 1 MFLOP to 1.3 GFLOP, no depthwise ones, in classes by operation, kernel and
stride; of each class, sorted by work, QUOTA tasks at evenly spaced ranks (smallest and largest
included). No randomness: the same table gives the same tasks. Small ones are printed first.
"""
import argparse
import json
import sys

from ucmoh import networks
from ucmoh.tasks import TYPES, line

MIN_FLOPS, MAX_FLOPS = 1e6, 1.3e9
QUOTA = {
    "matmul": 16,
    "batch_matmul": 7,
    "conv2d 1x1 stride 1": 16,
    "conv2d 1x1 stride 2": 4,
    "conv2d 3x3 stride 1": 10,
    "conv2d 3x3 stride 2": 5,
    "conv2d 7x7 stride 2": 3,
    "conv2d other": 5,
    "conv3d": 4,
}


def kind_of(task):
    return task["class"] if task["class"] in QUOTA else "conv2d other"


def select(tasks):
    tasks = [task | {"class": kind_of(task)} for task in tasks]
    for kind, quota in QUOTA.items():
        members = sorted((t for t in tasks if t["class"] == kind
                          and MIN_FLOPS <= t["flops"] <= MAX_FLOPS),
                         key=lambda task: (task["flops"], task["name"]))
        count = min(quota, len(members))
        ranks = sorted({round(i * (len(members) - 1) / max(1, count - 1)) for i in range(count)})
        yield from (members[rank] for rank in ranks)


def chosen(arguments):
    """The tasks that the options ask for; without any, those of the rule."""
    tasks = list(networks.all_tasks())
    if not arguments.network and not arguments.matmul:
        yield from select(tasks)
        return
    named = {task["name"]: task for task in tasks
             if any(name in task["networks"] for name in arguments.network)}
    of_networks = {task["name"]: task for task in tasks}
    for shape in arguments.matmul:
        task = networks.matmul(1, *networks.numbers(shape))
        task |= {"flops": networks.flops(task), "networks": {}, "split": "train",
                 "published": "train"}
        named[task["name"]] = of_networks.get(task["name"], task)
    yield from (task | {"class": kind_of(task)} for task in named.values())


def add_options(parser):
    """Adds the options that bench.py understands, too."""
    parser.add_argument("--types", nargs="+", default=TYPES, choices=TYPES)
    parser.add_argument("--only", default="", help="only tasks whose name contains this")
    parser.add_argument("--network", nargs="+", default=[], metavar="NAME/BATCH/SIZE",
                        help="all tasks of these instead, e.g. resnet50/1/224")
    parser.add_argument("--matmul", nargs="+", default=[], metavar="MxNxK",
                        help="these products instead, or beside those of --network")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    arguments = parser.parse_args()
    for task in sorted(chosen(arguments), key=lambda task: task["flops"]):
        for types in arguments.types:
            if arguments.only in task["name"]:
                json.dump(line(task, types), sys.stdout)
                print()


if __name__ == "__main__":
    main()
