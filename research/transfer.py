#!/usr/bin/env python3
"""Transfer tuning, as one more baseline (Verma et al., arXiv:2304.05430): the tasks of a network that have most of its FLOPs are
tuned, all others take the choice of the most similar tuned task. Replayed from measurements, nothing is timed.

    ucmoh-train evaluate --least-samples=2 --data=data/zen4-holdout.jsonl.zst --model=analytic,models/default.safetensors \\
        --predictions=predictions.json
    PYTHONPATH=python python3 research/transfer.py --records data/zen4-holdout.jsonl.zst --predictions predictions.json \\
        --networks resnet50 mobilenet_v2 bert_base > table.md

A tuned task has the best of its measured programs. Another one has the measured program whose choice is nearest to the one that it
takes: the same intrinsic, then tiles, order, packing and unrolling that differ the least.
"""
import argparse
import collections
import math
import re

import study
from ucmoh import dataset

SHARES = (0.2, 0.5, 0.8)  # the shares of a network's FLOPs that are tuned


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", required=True, metavar="EXPORT",
                        help="measurements of the networks' tasks on one machine")
    parser.add_argument("--predictions", required=True, metavar="FILE",
                        help="output of `ucmoh-train evaluate` for models to compare with")
    parser.add_argument("--networks", nargs="+", required=True, metavar="NAME[/BATCH[/SIZE]]",
                        help="as the tasks' tags name them; in any batch and size, where they are not said")
    parser.add_argument("--shares", nargs="+", type=float, default=SHARES, help="shares of the FLOPs that are tuned")
    return parser.parse_args()


def log_distance(one, other):
    """Between two lists of numbers: the sum of octaves; infinite where they have different lengths."""
    if len(one) != len(other):
        return math.inf
    return sum(abs(math.log2(a + 1) - math.log2(b + 1)) for a, b in zip(one, other))


def numbers(text):
    return [int(number) for number in re.findall(r"\d+", text)]


class Task:
    """A task with its measured programs: [(choice, seconds)]."""

    def __init__(self, workload, rows):
        self.name, self.flops, self.tags = workload.name, workload.flops, workload.tags
        self.programs = [(row.choice, row.median) for row in rows]
        self.best_choice, self.best = min(self.programs, key=lambda program: program[1])

    def uses(self, network):
        """How often the network has the task, in all of its batches and sizes together."""
        return sum(count for name, count in self.tags.get("networks", {}).items() if f"{name}/".startswith(f"{network}/"))

    def distance(self, other):
        """How unlike two tasks are; infinite for another operation or other types."""
        same = self.tags["types"] == other.tags["types"] and self.tags["class"].split()[0] == other.tags["class"].split()[0]
        return log_distance(numbers(self.tags["task"]), numbers(other.tags["task"])) if same else math.inf

    def take(self, choice):
        """(seconds, whether it is the very choice) of the program that is nearest to a choice; None without its intrinsic."""
        own = [(choice_distance(choice, mine), seconds) for mine, seconds in self.programs if intrinsic(mine) == intrinsic(choice)]
        if not own:
            return None
        distance, seconds = min(own)
        return seconds, distance == 0


def intrinsic(choice):
    return re.search(r"intrinsic = (\S+),", choice)[1]


def choice_distance(one, other):
    """Octaves between the tiles, and eight for each other field that differs."""
    def fields(choice):
        found = dict(re.findall(r'(\w+) = ("[^"]*"|\[[^]]*\]|[^,>]+)', choice))
        return {name: text for name, text in found.items() if name not in ("intrinsic", "predicted_seconds", "model")}
    one, other = fields(one), fields(other)
    distance = 0
    for name in sorted(one.keys() | other.keys()):
        if "tile" in name:
            distance += log_distance(numbers(one.get(name, "")), numbers(other.get(name, "")))
        elif one.get(name) != other.get(name):
            distance += 8
    return distance


def read_tasks(path):
    """Tasks of the first run of one machine."""
    rows = collections.defaultdict(list)
    for row in dataset.read(path):
        if row.run == "1" and len(row.seconds) > 1:
            rows[row.workload].append(row)
    return [Task(workload, found) for workload, found in rows.items() if len(found) > 1]


def picks(path):
    """{model: {task: seconds of its pick}}."""
    content = study.read_json(path)
    found = {}
    for model in content["models"]:
        best = {}
        for task, measured, predicted in zip(content["task"], content["measured"], model["predicted"]):
            if task not in best or predicted < best[task][0]:
                best[task] = predicted, measured
        found[model["model"]] = {task: measured for task, (_, measured) in best.items()}
    return found


def tuned_tasks(tasks, network, share):
    """Those with the most FLOPs that have the share together."""
    def weight(task):
        return task.flops * task.uses(network)
    total, chosen = sum(map(weight, tasks)), []
    for task in sorted(tasks, key=weight, reverse=True):
        if sum(map(weight, chosen)) < share * total:
            chosen.append(task)
    return chosen


def transfer(tasks, tuned):
    """{task: seconds}, the tuned tasks, and how many take the very choice of another one. Tasks without a similar one, of the same
    operation and types, are tuned, too."""
    seconds, exact, tuned = {}, 0, list(tuned)
    for task in tasks:
        taken = [found for other in sorted(tuned, key=task.distance) if task.distance(other) < math.inf
                 if (found := task.take(other.best_choice))]
        if task in tuned or not taken:
            seconds[task.name] = task.best
            tuned += [task] if task not in tuned else []
            continue
        seconds[task.name] = taken[0][0]
        exact += taken[0][1]
    return seconds, tuned, exact


def line(tasks, network, share, models):
    """A row of the table: how long the network's tasks take, against the best of each."""
    def total(seconds):
        return sum(seconds[task.name] * task.uses(network) for task in tasks)
    seconds, tuned, exact = transfer(tasks, tuned_tasks(tasks, network, share))
    best = total({task.name: task.best for task in tasks})
    measured = sum(len(task.programs) for task in tuned) / sum(len(task.programs) for task in tasks)
    names = {task.name for task in tuned}
    mixed = [total({task.name: task.best if task.name in names else own.get(task.name, task.best) for task in tasks})
             for own in models.values()]
    alone = [total({task.name: own.get(task.name, task.best) for task in tasks}) for own in models.values()]
    return [f"{share:g}", f"{len(tuned)} of {len(tasks)}", f"{1 - measured:.0%}", exact, *(
        study.number(best / value) for value in (total(seconds), *mixed, *alone))]


def main():
    arguments = parse_arguments()
    tasks, models = read_tasks(arguments.records), picks(arguments.predictions)
    lines = []
    for network in arguments.networks:
        own = [task for task in tasks if task.uses(network)]
        lines += [[network, *line(own, network, share, models)] for share in arguments.shares]
    study.print_table(["network", "FLOPs tuned", "tasks", "measurements saved", "same choice", "transfer",
                       *(f"tuned, {name}" for name in models), *(f"{name} alone" for name in models)], lines)


if __name__ == "__main__":
    main()
