#!/usr/bin/env python3
"""Shows what few rows of a new machine are worth. Trains with shares of its rows, from nothing and from weights of other
machines.

    python3 research/few_rows.py run --folder build/few --from two.safetensors \\
        --records data/zen5-train.jsonl.zst
    python3 research/few_rows.py score --folder build/few --from two.safetensors \\
        --judge zen5.safetensors zen4.safetensors   # writes build/few/few-rows.jsonl
    python3 research/few_rows.py table --folder build/few > tables.md
    python3 research/few_rows.py plot --folder build/few --output few-rows.svg

Rows are chosen by task: 16 random rows of as many tasks as the budget has place for. What is trained already is not trained again.
With --divide, half of the shapes of the records are learned and the other half judges: for a machine of which there are held-out
tasks alone. Weights of such a study must not be used for anything else.
"""
import collections
import contextlib
import itertools
import os
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys

import study

SHARES = (0.5, 1, 2, 5, 10, 100)  # percent of the rows
METHODS = ("scratch", "fine-tuning", "learn")
# In which order tasks are taken: at random; those with the most FLOPs in all networks first; those first of whose pairs the weights
# and the roofline order the most differently.
CHOICES = ("random", "flops", "active")
SEEDS = (1, 2, 3)
ROWS_PER_TASK = 16
# `learn` says this where it writes nothing: that is a result.
REFUSALS = ("nothing is written, since", "measure five at least")
METRICS = {"top1": "top-1", "top1_geomean": "top-1 geomean", "pairwise": "pairs"}


def parse_arguments():
    parser = study.make_parser(__doc__, "samples, weights and few-rows.jsonl", commands=("run", "score", "table", "plot"))
    parser.add_argument("--from", dest="start", help="weights with an exam, of other machines")
    parser.add_argument("--records", help="measurements of the new machine")
    parser.add_argument("--judge", nargs="+", default=[],
                        help="features files of held-out tasks: the new machine's, then others'")
    parser.add_argument("--divide", action="store_true",
                        help="half of the records' shapes are learned, the other half judges")
    parser.add_argument("--output", help="file that plot writes")
    parser.add_argument("--learn-options", nargs="+", default=[], metavar="NAME=VALUE",
                        help="options of `ucmoh-train learn`, without --")
    parser.add_argument("--shares", nargs="+", type=float, default=SHARES, help="percent of the rows")
    parser.add_argument("--methods", nargs="+", default=METHODS, choices=METHODS, help="only these")
    parser.add_argument("--choices", nargs="+", default=CHOICES, choices=CHOICES, help="only these")
    parser.add_argument("--seeds", nargs="+", type=int, default=SEEDS,
                        help="seeds of the choice of rows and of the training")
    return parser.parse_args()


class Study(study.Folder):
    """The files of one machine's study."""

    def call(self, program, *options, **keywords):
        return subprocess.run([os.path.join(self.arguments.ucmoh, program), *options], text=True, check=True, capture_output=True,
                              **keywords)

    def database(self, name, *changes):
        """A database of the rows that were timed twice, with these changes."""
        return study.make_database(self.arguments.ucmoh, self.path(name), [self.arguments.records],
                                   "DELETE FROM measurements WHERE json_array_length(seconds) < 2", *changes)

    def without_half(self, half):
        """SQL without a half of the shapes, the first or the second one; a shape may be of several tasks, in other types."""
        tasks = study.query(self.database("whole.sqlite"), "SELECT json_extract(tags, '$.task'), id FROM workloads")
        shapes = sorted({shape for shape, _ in tasks})
        random.Random(0).shuffle(shapes)
        dropped = set(shapes[:len(shapes) // 2] if half == 1 else shapes[len(shapes) // 2:])
        ids = [task for shape, task in tasks if shape in dropped]
        return f"DELETE FROM measurements WHERE workload IN ({','.join('?' * len(ids))})", ids

    def all_rows(self):
        """A database of all rows that may be learned."""
        if not self.arguments.divide:
            return self.database("all.sqlite")
        return self.database("all.sqlite", self.without_half(2), "UPDATE workloads SET tags = json_set(tags, '$.split', 'train')")

    def judges(self):
        """Features files: the new machine's first."""
        if not self.arguments.divide:
            return self.arguments.judge
        name = os.path.basename(self.arguments.records).split("-")[0]
        path = self.path(f"{name}.safetensors")
        if not os.path.exists(path):
            self.call("ucmoh-featurize", self.database("judge.sqlite", self.without_half(1)), f"--output={path}")
        return [path, *self.arguments.judge]

    def disagreement(self):
        """{name of a task: share of its pairs that the weights and the roofline order differently}."""
        path = self.path("predictions.json")
        if not os.path.exists(path):
            self.call("ucmoh-train", "evaluate", f"--data={self.all_rows()}", "--split=train",
                      f"--model=analytic,{self.arguments.start}", f"--predictions={path}")
        content = study.read_json(path)
        scores = collections.defaultdict(list)
        for task, *both in zip(content["task"], *(model["predicted"] for model in content["models"])):
            scores[task].append(both)
        return {task: share_of_pairs(programs) for task, programs in scores.items()}

    def ordered(self, choice, seed, tasks):
        """Ids of the tasks, those first that are measured first; `tasks` are rows of the table of workloads."""
        tasks = sorted(tasks)
        random.Random(seed).shuffle(tasks)
        if choice == "flops":
            tasks.sort(key=lambda task: -study.importance(*task[2:]))
        if choice == "active":
            found = self.disagreement()
            tasks.sort(key=lambda task: -found.get(task[1], 0))
        return [task[0] for task in tasks]

    def sample(self, share, choice, seed):
        """A database of a share of the rows."""
        path = self.path(f"rows-{share:g}-{choice}-{seed}.sqlite")
        if share >= 100:
            return self.all_rows()
        if os.path.exists(path):
            return path
        shutil.copy(self.all_rows(), path + ".draft")
        with contextlib.closing(sqlite3.connect(path + ".draft")) as database, database:
            rows = database.execute("SELECT rowid, workload FROM measurements ORDER BY workload, choice_hash").fetchall()
            tasks = database.execute("SELECT id, name, flops, tags FROM workloads").fetchall()
            kept = choose(rows, self.ordered(choice, seed, tasks), share, seed)
            database.executemany("DELETE FROM measurements WHERE rowid = ?", [(row,) for row, _ in rows if row not in kept])
            database.execute("DELETE FROM workloads WHERE id NOT IN (SELECT workload FROM measurements)")
        os.rename(path + ".draft", path)
        return path

    def weights(self, method, share, choice, seed):
        return self.path(f"{method}-{share:g}-{'all' if share >= 100 else choice}-{seed}.safetensors")

    def train(self, method, share, choice, seed):
        """Writes the weights; those from which they come where `learn` refuses to write any."""
        path = self.weights(method, share, choice, seed)
        if os.path.exists(path):
            return
        data, trial = self.sample(share, choice, seed), self.path("trial.safetensors")
        common = [f"--seed={seed}", f"--output={trial}"]
        try:
            if method == "learn":
                self.call("ucmoh-train", "learn", f"--records={data}", f"--from={self.arguments.start}", *common,
                          *(f"--{option}" for option in self.arguments.learn_options))
            else:
                start = [f"--from={self.arguments.start}"] if method == "fine-tuning" else []
                self.call("ucmoh-train", "fit", f"--data={data}", "--validation=0", *start, *common)
        except subprocess.CalledProcessError as error:
            if not any(text in error.stderr for text in REFUSALS):
                raise
            with open(self.path("refused.txt"), "a", encoding="utf-8") as file:
                file.write(f"{path}: {error.stderr.splitlines()[-1]}\n")
            shutil.copy(self.arguments.start, trial)
        os.rename(trial, path)
        print(path, file=sys.stderr, flush=True)

    def cases(self):
        """(method, share, choice); with all rows there is no choice."""
        for choice, share, method in itertools.product(self.arguments.choices, self.arguments.shares, self.arguments.methods):
            if choice == "random" or share < 100:
                yield method, share, choice

    def run(self):
        for seed, case in itertools.product(self.arguments.seeds, self.cases()):
            self.train(*case, seed)

    def scores(self):
        """Scores all weights on each of the files; returns a list of rows."""
        found = []
        weights = {case: [path for seed in self.arguments.seeds if os.path.exists(path := self.weights(*case, seed))]
                   for case in self.cases()}
        for judge in self.judges():
            models = [f"{method} {share:g} {choice}={'+'.join(paths)}"
                      for (method, share, choice), paths in weights.items() if paths]
            table = self.path("scores.json")
            self.call("ucmoh-train", "evaluate", f"--data={judge}", f"--json={table}",
                      f"--model={','.join(['analytic', f'before={self.arguments.start}', *models])}")
            found += [{**row, "judge": os.path.basename(judge).split(".")[0]} for row in study.read_json(table)
                      if row["group"] in ("", "all")]
        return found


def share_of_pairs(programs):
    """The share of pairs that `one` orders differently from `other`, where each program is [one, other]."""
    pairs = [(a[0] - b[0]) * (a[1] - b[1]) < 0 for a, b in itertools.combinations(programs, 2)]
    return statistics.mean(pairs) if pairs else 0


def choose(rows, tasks, share, seed):
    """Row ids: some random rows of each task, in the order of the tasks, until the share of all rows is reached."""
    of_task = collections.defaultdict(list)
    for row, task in rows:
        of_task[task].append(row)
    budget, kept, source = round(len(rows) * share / 100), [], random.Random(seed)
    for task in tasks:
        kept += source.sample(of_task[task], min(ROWS_PER_TASK, len(of_task[task])))
    return set(kept[:budget])


def cell(row, metric):
    spread = row["spread"][metric]
    return study.with_spread(row[metric], spread)


def case_of(model):
    """[share, method, choice] of a row: texts."""
    if model == "before":
        return ["0", "the weights before", ""]
    method, share, choice = (model.split() + ["", ""])[:3]
    return [share, method, "" if share == "100" else choice]


def print_scores(rows):
    """A line for each model, the metrics of each file side by side."""
    judges = list(dict.fromkeys(row["judge"] for row in rows))
    models = list(dict.fromkeys(row["model"] for row in rows if row["model"] != "random"))
    models.sort(key=lambda model: (case_of(model)[2] not in ("", "random"), float(case_of(model)[0] or 0)))
    columns = [f"{judge}: {title}" for judge in judges for title in METRICS.values()]
    by_key = {(row["model"], row["judge"]): row for row in rows}
    study.print_table(["rows, %", "method", "choice", "seeds", *columns], (
        [*case_of(model), by_key[model, judges[0]]["seeds"],
         *(cell(by_key[model, judge], metric) if (model, judge) in by_key else "" for judge in judges for metric in METRICS)]
        for model in models))


def draw(rows, path):
    """Top-1 geomean and pairs of the first file against the share of rows, a line for each method."""
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "ucmoh"
    from matplotlib import pyplot
    rows = [row for row in rows if row["judge"] == rows[0]["judge"]]
    figure, axes = pyplot.subplots(1, 2, figsize=(9, 3.6))
    before = next(row for row in rows if row["model"] == "before")
    for axis, metric in zip(axes, ("top1_geomean", "pairwise")):
        for method in METHODS:
            found = [row for row in rows if row["model"].split()[0] == method and row["model"].split()[-1] == "random"]
            axis.errorbar([float(row["model"].split()[1]) for row in found], [row[metric] for row in found],
                          [row["spread"][metric] or 0 for row in found], marker="o", capsize=3, label=method)
        axis.axhline(before[metric], color="gray", linewidth=0.8, label="before: no row")
        axis.set_xscale("log")
        axis.set_xlabel("share of the new machine's rows, %")
        axis.set_ylabel(METRICS[metric])
    axes[1].legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main():
    few = Study(parse_arguments())
    raw = few.path("few-rows.jsonl")
    if few.arguments.command == "run":
        few.run()
    elif few.arguments.command == "score":
        study.write_lines(raw, few.scores())
    elif few.arguments.command == "table":
        print_scores(study.read_lines(raw))
    else:
        draw(study.read_lines(raw), few.arguments.output)


if __name__ == "__main__":
    main()
