#!/usr/bin/env python3
"""The heterogeneous-transfer tuner's tables in form (Verma et al., arXiv:2304.05430), from this project's measurements.

    python3 research/heterogeneous.py run --folder build/heterogeneous --share 16 \\
        --train data/zen4-train.jsonl.zst data/sapphirerapids-train.jsonl.zst data/zen5-train.jsonl.zst \\
        --judge data/zen4-holdout.jsonl.zst data/sapphirerapids-holdout.jsonl.zst data/zen5-judge.jsonl.zst
    python3 research/heterogeneous.py table --folder build/heterogeneous > tables.md

Pruning: its four learners on all rows and on those of the tasks with the most FLOPs x occurrences, judged on a fifth of each
task's programs (within_task), on a fifth of the tasks (by_task) and on a machine that is left out (by_target). One machine left
out: attention that learned from the others, against learners of that machine alone, on its held-out tasks. What results is
appended to heterogeneous.jsonl in the folder, and what is in there is not run again. A file of --train and one of --judge, in the
same order, are of one machine.
"""
import collections
import itertools
import json
import os
import statistics
import subprocess
import sys

import study

# Label: kind of features, further arguments of `fit`, the name that `evaluate` knows (none: the network, of ucmoh-train). XGB as it
# is set up here draws nothing, so that all seeds are alike.
LEARNERS = {
    "XGB": ("ansor", ["--model=xgboost"], "xgboost"),
    "LGBM": ("ansor", ["--model=lightgbm"], "lightgbm"),
    "MLP": ("ansor", ["--model=transfer-mlp"], "transfer-mlp"),
    # Its attention learns the squared error, too; validation would need other programs.
    "attention": ("ucmoh", ["--loss=regression", "--validation=0", "--epochs=30"], ""),
}
SPLITS = ("within_task", "by_task", "by_target")
SETS = ("all", "pruned")
SEEDS = (1, 2, 3)
SCORES = ("top1", "top5", "pairwise")
LEFT_OUT = (("attention", "others"), ("attention", "itself"), ("XGB", "itself"))  # a learner, and whose rows it learned
RAW = "heterogeneous.jsonl"


def parse_arguments():
    parser = study.make_parser(__doc__, "samples, weights and heterogeneous.jsonl")
    parser.add_argument("--train", nargs="+", default=[], metavar="EXPORT",
                        help="records of each machine; the last are by_target's")
    parser.add_argument("--judge", nargs="+", default=[], metavar="EXPORT", help="held-out tasks of each machine")
    parser.add_argument("--share", type=int, default=16, help="one row in so many of each task takes part (16)")
    parser.add_argument("--kept", type=float, default=0.47,
                        help="share of the rows that pruning leaves (.47, its figure for CPUs)")
    parser.add_argument("--least-rows", type=int, default=8, help="pruning leaves out tasks with fewer rows (8)")
    parser.add_argument("--learners", nargs="+", default=LEARNERS, choices=LEARNERS, help="only these prune")
    parser.add_argument("--seeds", nargs="+", type=int, default=SEEDS, help="seeds of the trainings")
    return parser.parse_args()


def important_tasks(tasks, kept, least_rows):
    """Ids of the tasks with the most FLOPs x occurrences that have a share `kept` of all rows; `tasks`: id, FLOPs, tags, rows."""
    budget, chosen = kept * sum(rows for *_, rows in tasks), []
    for task, _, _, rows in sorted(tasks, key=lambda task: study.importance(*task[1:3]), reverse=True):
        if rows >= least_rows and budget >= rows:
            chosen.append(task)
            budget -= rows
    return chosen


class Study(study.Folder):
    """The files of one study."""

    def tool(self, learner):
        return os.path.join(self.arguments.ucmoh, "ucmoh-research" if LEARNERS[learner][2] else "ucmoh-train")

    def database(self, number, kind):
        """A machine's rows that were timed twice: `judge`, `all` or `pruned`."""
        exports = [(self.arguments.judge if kind == "judge" else self.arguments.train)[number]]
        deletions = ["DELETE FROM measurements WHERE json_array_length(seconds) < 2"]
        if kind != "judge":
            deletions.append(("DELETE FROM measurements WHERE abs(choice_hash) % ? <> 0", [self.arguments.share]))
        path = self.path(f"{kind}-{number}.sqlite")
        if kind == "pruned" and not os.path.exists(path):
            ids = self.pruned_tasks(number)
            deletions.append((f"DELETE FROM measurements WHERE workload NOT IN ({','.join('?' * len(ids))})", ids))
        return study.make_database(self.arguments.ucmoh, path, exports, *deletions)

    def pruned_tasks(self, number):
        tasks = study.query(self.database(number, "all"),
                            "SELECT w.id, w.flops, w.tags, count(*) FROM workloads w JOIN measurements m ON m.workload = w.id "
                            "WHERE json_extract(w.tags, '$.split') <> 'holdout' GROUP BY w.id ORDER BY w.name")
        return important_tasks(tasks, self.arguments.kept, self.arguments.least_rows)

    def features(self, numbers, kind, features):
        """Files of the machines' programs described for a learner."""
        paths = []
        for number in numbers:
            paths.append(self.path(f"{kind}-{number}-{features}.safetensors"))
            if os.path.exists(paths[-1]):
                continue
            data = self.database(number, kind)
            command = ([os.path.join(self.arguments.ucmoh, "ucmoh-featurize"), data] if features == "ucmoh" else
                       [os.path.join(self.arguments.ucmoh, "ucmoh-research"), "featurize", f"--data={data}",
                        f"--features={features}"])
            subprocess.run([*command, f"--output={paths[-1]}"], check=True, stdout=sys.stderr)
        return ",".join(paths)

    def fit(self, name, learner, numbers, kind, split, seed):
        """Weights of a training, and its CPU seconds."""
        features, options, _ = LEARNERS[learner]
        weights = self.path(f"{name}-{learner}-{seed}.safetensors")
        seconds = study.cpu_seconds([self.tool(learner), "fit", f"--data={self.features(numbers, kind, features)}",
                                     f"--split={split}", f"--output={weights}", f"--seed={seed}", *options])
        return weights, seconds

    def judge(self, trained, learner, numbers, kind, split):
        """Judges weights: returns a row of `evaluate`, and the CPU seconds of their training."""
        (weights, seconds), (features, _, name) = trained, LEARNERS[learner]
        scores = self.path("scores.json")
        model = f"--models=model={name}:{weights}" if name else f"--model=model={weights}"
        subprocess.run([self.tool(learner), "evaluate", f"--data={self.features(numbers, kind, features)}", f"--split={split}",
                        model, f"--json={scores}"], check=True, stdout=subprocess.DEVNULL)
        row = next(row for row in study.read_json(scores) if row["model"] == "model")
        return {"lists": row["lists"], "cpu_seconds": seconds, **{metric: row[metric] for metric in SCORES}}

    def pruning(self, split, learner, kind, seed):
        """A cell of the pruning's table."""
        every = list(range(len(self.arguments.train)))
        if split != "by_target":
            return self.judge(self.fit(split, learner, every, kind, split, seed), learner, every, "all", split)
        return self.judge(self.fit(split, learner, every[:-1], kind, "holdout", seed), learner, every[-1:], "all", "train")

    def left_out(self, machine, learner, learned, seed):
        """Judges a machine's held-out tasks by the rows of the machine `itself` or of the `others`."""
        number = [machine_of(path) for path in self.arguments.judge].index(machine)
        numbers = [other for other in range(len(self.arguments.train)) if (other == number) == (learned == "itself")]
        return self.judge(self.fit(learned, learner, numbers, "all", "holdout", seed), learner, [number], "judge", "holdout")

    def cases(self):
        """Yields what makes a row, and what its key says."""
        arguments = self.arguments
        for seed in arguments.seeds:
            for split, learner, kind in itertools.product(SPLITS, arguments.learners, SETS):
                yield self.pruning, {"split": split, "learner": learner, "kind": kind, "seed": seed}
            for path, (learner, learned) in itertools.product(arguments.judge, LEFT_OUT):
                yield self.left_out, {"machine": machine_of(path), "learner": learner, "learned": learned, "seed": seed}

    def run(self):
        """Every training and every score that is not in the file."""
        path = self.path(RAW)
        done = [{name: row[name] for name in row if name not in (*SCORES, "lists", "cpu_seconds")} for row in study.read_lines(path)]
        for make, key in self.cases():
            if key not in done:
                row = json.dumps({**key, **make(**key)})
                with open(path, "a", encoding="utf-8") as file:
                    file.write(row + "\n")
                print(row, file=sys.stderr, flush=True)


def machine_of(path):
    return os.path.basename(path).split("-")[0]


def means(rows, metric, digits=3):
    """The mean over all seeds, with the standard deviation where it shows."""
    values = [row[metric] for row in rows]
    spread = statistics.stdev(values) if len(values) > 1 else 0
    return study.with_spread(statistics.mean(values), spread if spread >= 0.0005 and digits else None, digits)


def grouped(rows, *names):
    """{values of these fields: rows}, in the order of the rows."""
    found = collections.defaultdict(list)
    for row in rows:
        if all(name in row for name in names):
            found[tuple(row[name] for name in names)].append(row)
    return found


def print_tables(rows):
    pruning = grouped(rows, "split", "learner", "kind")
    study.print_table(["split", "learner", "seeds", *(f"{title}{kind}" for title in ("top-1", "top-5", "PCA", "CPU s")
                                                      for kind in ("", ", pruned"))], (
        [split, learner, len(full), *(means(part, metric) for metric in SCORES for part in (full, pruning[split, learner, "pruned"])),
         *(means(part, "cpu_seconds", 0) for part in (full, pruning[split, learner, "pruned"]))]
        for (split, learner, kind), full in list(pruning.items()) if kind == "all"))
    print()
    study.print_table(["judged on", "learned from", "seeds", "lists", "top-1", "top-5", "PCA"], (
        [machine, f"{learner}, {learned}", len(found), found[0]["lists"], *(means(found, metric) for metric in SCORES)]
        for (machine, learner, learned), found in grouped(rows, "machine", "learner", "learned").items()))


def main():
    arguments = parse_arguments()
    tables = Study(arguments)
    if arguments.command == "table":
        print_tables(study.read_lines(tables.path(RAW)))
        return
    if len(arguments.train) != len(arguments.judge) or len(arguments.train) < 2:
        sys.exit("heterogeneous.py: name as many files with --judge as with --train, of two machines at least")
    tables.run()


if __name__ == "__main__":
    main()
