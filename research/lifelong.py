#!/usr/bin/env python3
"""Compares ways not to forget on sequences of intrinsics and of machines, and writes the tables of docs/results/lifelong.md.

    python3 research/lifelong.py run --folder build/lifelong --sequence machines   # appends to build/lifelong/results.jsonl
    python3 research/lifelong.py table --folder build/lifelong > tables.md

Weights of what holds or is rehearsed are chosen with one seed and one order, by tasks that are neither held out nor learned.
What is in the file already is not run again, so an interrupted study resumes.
"""
import argparse
import collections
import itertools
import json
import os
import statistics
import subprocess
import sys
import time

INTRINSICS = {
    "vpmaddwd": "x86_avx2_fma::vpmaddwd_256+x86_avx512bw::vpmaddwd_512",
    "fma256": "x86_avx2_fma::vfmadd_256",
    "fma512": "x86_avx512f",
    "vnni": "x86_avx512_vnni+x86_avx512vl_vnni+x86_avxvnni",
    "bf16": "x86_avx512_bf16",
    "amx-int8": "x86_amx_int8",
    "amx-bf16": "x86_amx_bf16",
}
MACHINES = {name: name for name in ("zen4", "sapphirerapids", "zen5")}
# UniCoMo's protocol in form: six intrinsics of one family, three of them first and then one after the other, and another family.
FAMILIES = {
    "three int8": "x86_avx2_fma::vpmaddwd_256+x86_avx512bw::vpmaddwd_512+x86_avx512vl_vnni::vpdpwssd_256",
    "vpdpwssd 512": "x86_avx512_vnni::vpdpwssd_512",
    "vpdpbusd 256": "x86_avx512vl_vnni::vpdpbusd_256",
    "vpdpbusd 512": "x86_avx512_vnni::vpdpbusd_512",
    "AMX int8": "x86_amx_int8",
}

# Name: steps, orders of them, further arguments of `ucmoh-research lifelong`.
SEQUENCES = {
    "intrinsics": (INTRINSICS, [(0, 1, 2, 3, 4, 5, 6), (6, 5, 4, 3, 2, 1, 0), (3, 1, 6, 0, 5, 2, 4)],
                   ["--machine=sapphirerapids", "--train-programs=2400", "--rehearsed=2400"]),
    "machines": (MACHINES, [(0, 1, 2), (2, 1, 0), (1, 2, 0)], ["--train-programs=9600", "--rehearsed=9600"]),
    "families": (FAMILIES, [(0, 1, 2, 3, 4)], ["--machine=sapphirerapids", "--train-programs=2400", "--rehearsed=2400"]),
}
# Method: what is chosen, and among which values.
METHODS = {
    "fine-tuning": (None, ()),
    "ewc": ("lambda", (1e-2, 1e-1, 1, 10, 100)),
    "online-ewc": ("lambda", (1e-2, 1e-1, 1, 10, 100)),
    "mas": ("lambda", (1e-2, 1e-1, 1, 10, 100)),
    "l2-sp": ("lambda", (1e-2, 1e-1, 1, 10, 100)),
    "last-layers": (None, ()),
    "pseudo": ("mix", (0.3, 1, 3)),
    "pseudo+ewc": ("lambda", (1, 10)),
    "replay": ("mix", (0.3, 1, 3)),
}
REFERENCES = ("joint", "heads", "alone")
SEEDS = (1, 2, 3)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("run", "table"))
    parser.add_argument("--folder", required=True, help="folder for results.jsonl")
    parser.add_argument("--sequence", choices=sorted(SEQUENCES), help="only this one")
    parser.add_argument("--data", nargs="+", default=[], help="features files: what is learned")
    parser.add_argument("--test", nargs="+", default=[], help="features files: what judges")
    parser.add_argument("--drawn", default="", help="what `ucmoh-research draw` wrote")
    parser.add_argument("--program", default="build/bin/ucmoh-research", help="build/bin/ucmoh-research")
    parser.add_argument("--paired", action="store_true",
                        help="each seed with one order, the next one; not with each order")
    parser.add_argument("--first", action="store_true",
                        help="table shows only the first seed and order, which all settings have")
    parser.add_argument("--chosen-on", choices=sorted(SEQUENCES),
                        help="settings are those that this sequence chooses, not its own")
    parser.add_argument("--methods", nargs="+", default=[*METHODS, *REFERENCES], help="only these")
    return parser.parse_args()


def read(folder):
    """Rows by (sequence, method, lambda, mix, seed, order); the last of equal ones counts."""
    runs = collections.defaultdict(dict)
    path = os.path.join(folder, "results.jsonl")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                key = (row["sequence"], row["method"], row["lambda"], row["mix"], row["seed"], tuple(row["order"]))
                runs[key][row["set"], row["learned"], row["on"]] = row
    return {key: cells for key, cells in runs.items() if ("test", len(key[-1]), key[-1][-1]) in cells}


class Study:
    """Runs what is missing of one sequence."""

    def __init__(self, arguments, sequence):
        self.arguments, self.sequence = arguments, sequence
        self.steps, self.orders, self.options = SEQUENCES[sequence]
        self.names = list(self.steps)
        self.sample = os.path.join(arguments.folder, f"{sequence}.safetensors")
        if not os.path.exists(self.sample):
            self.call("pseudo", self.names, f"--data={','.join(arguments.data)}", f"--test={','.join(arguments.test)}",
                      f"--drawn={arguments.drawn}", f"--write-sample={self.sample}")

    def call(self, method, names, *options):
        """`ucmoh-research lifelong` with the steps `names` in this order."""
        command = [self.arguments.program, "lifelong", f"--sequence={self.sequence}", f"--method={method}", *self.options, *options]
        subprocess.run(command + [f"--step={name}={self.steps[name]}" for name in names], check=True, stderr=subprocess.DEVNULL)

    def run(self, method, order, seed, **settings):
        """The cells of one run, which is made if there is none."""
        names = tuple(self.names[number] for number in order)
        key = (self.sequence, method, settings.get("lambda", 0), settings.get("mix", 1), seed, names)
        done = read(self.arguments.folder)
        if key not in done:
            start = time.time()
            self.call(method, names, f"--data={self.sample}", f"--seed={seed}", "--epochs=15",
                      f"--output={os.path.join(self.arguments.folder, 'results.jsonl')}",
                      *(f"--{name}={value}" for name, value in settings.items()))
            print(f"{self.sequence} {method} {settings} seed {seed} {'-'.join(map(str, order))}: "
                  f"{time.time() - start:.0f} s", file=sys.stderr, flush=True)
            done = read(self.arguments.folder)
        return done[key]

    def choose(self, method):
        """The settings that are best on tasks that are neither learned nor held out."""
        name, values = METHODS[method]
        if name is None:
            return {}
        order = [self.names[number] for number in self.orders[0]]
        return {name: max(values, key=lambda value: score(self.run(method, self.orders[0], 1, **{name: value}), order))}

    def complete(self):
        """Every method, order and seed."""
        for method in REFERENCES:
            for seed in SEEDS if method in self.arguments.methods else ():
                self.run(method, self.orders[0], seed)
        chooser = Study(self.arguments, self.arguments.chosen_on) if self.arguments.chosen_on else self
        chosen = {method: chooser.choose(method) for method in METHODS if method in self.arguments.methods}
        paired = zip(SEEDS, itertools.cycle(self.orders))
        for seed, order in paired if self.arguments.paired else itertools.product(SEEDS, self.orders):
            for method, settings in chosen.items():
                self.run(method, order, seed, **settings)


def score(cells, order):
    """Returns the score that chooses settings: behind the last step, the mean over all steps' tasks that are neither
    learned nor held out."""
    return statistics.mean(cells["choose", len(order), name][metric] for name in order for metric in ("top1_geomean", "pairwise"))


def summary(cells, order, alone, metric):
    """ACC, BWT, FWT, zero-shot of the next step, and learned last against alone, of one run."""
    def at(learned, name):
        return cells["test", learned, name][metric]
    steps = len(order)
    found = {"ACC": statistics.mean(at(steps, name) for name in order)}
    if ("test", 1, order[0]) in cells:
        found["BWT"] = statistics.mean(at(steps, name) - at(number + 1, name) for number, name in enumerate(order[:-1]))
        found["zero-shot"] = statistics.mean(at(number, name) for number, name in enumerate(order) if number)
        found["FWT"] = found["zero-shot"] - statistics.mean(at(0, name) for name in order[1:])
        found["learned"] = statistics.mean(at(number + 1, name) for number, name in enumerate(order))
        if alone:
            found["plasticity"] = statistics.mean(
                at(number + 1, name) - alone[name] for number, name in enumerate(order) if number)
    return found


def means(values):
    spread = f" ±{statistics.stdev(values):.3f}" if len(values) > 1 else ""
    return f"{statistics.mean(values):.3f}{spread}".replace("0.", ".")


def final_settings(runs, sequence, method):
    """The settings of the method that most runs have; of those that as many have, the ones that are chosen."""
    found = collections.defaultdict(list)
    for (name, other, weight, mix, _, order), cells in runs.items():
        if (name, other) == (sequence, method):
            found[weight, mix].append((order, cells))

    def worth(settings):
        return len(found[settings]), max(score(cells, order) for order, cells in found[settings])
    return max(found, key=worth) if len(found) > 1 else next(iter(found), None)


def table(runs, sequence, metric):
    """Markdown: a line for each method."""
    columns = ["ACC", "BWT", "zero-shot", "FWT", "learned", "plasticity"]
    print(f"| method | λ, mix | runs | CPU s | {' | '.join(columns)} |")
    print("|---" * (4 + len(columns)) + "|")
    alone = collections.defaultdict(list)
    for (name, method, *_), cells in runs.items():
        if (name, method) == (sequence, "alone"):
            for (where, _, step), row in cells.items():
                if where == "test":
                    alone[step].append(row[metric])
    alone = {step: statistics.mean(values) for step, values in alone.items()}
    for method in [*METHODS, *REFERENCES]:
        settings = final_settings(runs, sequence, method)
        if settings is None:
            continue
        found, seconds = collections.defaultdict(list), []
        for (name, other, weight, mix, _, order), cells in runs.items():
            if (name, other, weight, mix) != (sequence, method, *settings):
                continue
            seconds.append(max(row["cpu_seconds"] for row in cells.values()))
            if method == "alone":
                found["ACC"].append(statistics.mean(row[metric] for (where, _, _), row in cells.items() if where == "test"))
            else:
                for column, value in summary(cells, order, alone, metric).items():
                    found[column].append(value)
        chosen = f"{settings[0]:g}" if METHODS.get(method, (None,))[0] == "lambda" else (
            f"{settings[1]:g}" if METHODS.get(method, (None,))[0] == "mix" else "")
        cells = [means(found[column]) if column in found else "" for column in columns]
        print(f"| {method} | {chosen} | {len(seconds)} | {statistics.mean(seconds):.0f} | {' | '.join(cells)} |")


def matrix(runs, sequence, method, metric):
    """Markdown: R of the first order, mean over the seeds."""
    steps, orders, _ = SEQUENCES[sequence]
    order = tuple(list(steps)[number] for number in orders[0])
    settings = final_settings(runs, sequence, method)
    chosen = [cells for key, cells in runs.items()
              if settings and key[:4] == (sequence, method, *settings) and key[-1] == order]
    if not chosen:
        return
    print(f"| {method}: after | {' | '.join(order)} |")
    print("|---" * (1 + len(order)) + "|")
    for learned in range(len(order) + 1):
        values = [statistics.mean(cells["test", learned, name][metric] for cells in chosen) for name in order]
        print(f"| {order[learned - 1] if learned else 'nothing: the roofline'} | "
              + " | ".join(f"{value:.3f}".removeprefix("0") for value in values) + " |")
    print()


METRICS = {"top1_geomean": "Top-1 geomean", "top1": "Top-1", "top5": "Top-5", "pairwise": "Pairs"}


def is_first(key):
    """Whether a run is of the first seed and order of its sequence."""
    steps, orders, _ = SEQUENCES[key[0]]
    return key[-2:] == (SEEDS[0], tuple(list(steps)[number] for number in orders[0]))


def print_tables(runs, sequences):
    for sequence in sequences:
        for metric, title in METRICS.items():
            print(f"\n{title}:\n")
            table(runs, sequence, metric)
        print("\nMatrices R, top-1 geomean, the first order, mean of the seeds:\n")
        for method in ("fine-tuning", "ewc", "pseudo"):
            matrix(runs, sequence, method, "top1_geomean")


def main():
    arguments = parse_arguments()
    sequences = [arguments.sequence] if arguments.sequence else list(SEQUENCES)
    os.makedirs(arguments.folder, exist_ok=True)
    if arguments.command == "table":
        runs = read(arguments.folder)
        print_tables({key: cells for key, cells in runs.items() if not arguments.first or is_first(key)}, sequences)
        return
    for sequence in sequences:
        Study(arguments, sequence).complete()


if __name__ == "__main__":
    main()
