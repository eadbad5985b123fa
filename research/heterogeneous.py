#!/usr/bin/env python3
"""The heterogeneous-transfer tuner's tables in form (Verma et al., arXiv:2304.05430), from this project's measurements.

    python3 research/heterogeneous.py run --folder build/heterogeneous --share 16 \\
        --train data/zen4-train.jsonl.zst data/sapphirerapids-train.jsonl.zst data/zen5-train.jsonl.zst \\
        --judge data/zen4-holdout.jsonl.zst data/sapphirerapids-holdout.jsonl.zst data/zen5-judge.jsonl.zst
    python3 research/heterogeneous.py table --folder build/heterogeneous [the same options] > tables.md

Pruning: its four learners on all rows and on those of the tasks with the most FLOPs x occurrences, judged on a fifth of each
task's programs (within_task), on a fifth of the tasks (by_task) and on a machine that is left out (by_target). One machine left
out: attention that learned from the others, against learners of that machine alone, on its held-out tasks. What is trained
already is not trained again. A file of --train and one of --judge, in the same order, are of one machine.
"""
import argparse
import os
import subprocess
import sys

import study

# Label: kind of features, further arguments of `fit`, the name that `evaluate` knows (none: the network, of ucmoh-train).
LEARNERS = {
    "XGB": ("ansor", ["--model=xgboost"], "xgboost"),
    "LGBM": ("ansor", ["--model=lightgbm"], "lightgbm"),
    "MLP": ("ansor", ["--model=transfer-mlp"], "transfer-mlp"),
    # Its attention learns the squared error, too; validation would need other programs.
    "attention": ("ucmoh", ["--loss=regression", "--validation=0", "--epochs=30"], ""),
}
SPLITS = ("within_task", "by_task", "by_target")
SETS = ("all", "pruned")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("run", "table"))
    parser.add_argument("--folder", required=True, help="of samples, weights and scores")
    parser.add_argument("--train", nargs="+", required=True, metavar="EXPORT", help="of each machine; the last is by_target's")
    parser.add_argument("--judge", nargs="+", required=True, metavar="EXPORT", help="held-out tasks of each machine")
    parser.add_argument("--share", type=int, default=16, help="one row in so many of each task takes part (16)")
    parser.add_argument("--kept", type=float, default=0.47, help="share of the rows that pruning leaves (.47, its figure for CPUs)")
    parser.add_argument("--least-rows", type=int, default=8, help="pruning leaves out tasks with fewer rows (8)")
    parser.add_argument("--learners", nargs="+", default=LEARNERS, choices=LEARNERS, help="only these prune")
    parser.add_argument("--ucmoh", default="build/bin", metavar="FOLDER", help="of the programs (build/bin)")
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

    def fit(self, name, learner, numbers, kind, split):
        """Weights of a training, and beside them its CPU seconds."""
        features, options, _ = LEARNERS[learner]
        weights = self.path(f"{name}-{learner}.safetensors")
        if not os.path.exists(weights + ".json"):
            seconds = study.cpu_seconds([self.tool(learner), "fit", f"--data={self.features(numbers, kind, features)}",
                                         f"--split={split}", f"--output={weights}", *options])
            study.write_json(weights + ".json", {"cpu_seconds": seconds})
        return weights

    def judge(self, weights, learner, numbers, kind, split):
        """What weights reach: a row of `evaluate`, and the CPU seconds of their training."""
        features, _, name = LEARNERS[learner]
        scores = f"{weights}.{split}.json"
        if not os.path.exists(scores):
            model = f"--models=model={name}:{weights}" if name else f"--model=model={weights}"
            subprocess.run([self.tool(learner), "evaluate", f"--data={self.features(numbers, kind, features)}",
                            f"--split={split}", model, f"--json={scores}"], check=True, stdout=subprocess.DEVNULL)
        row = next(row for row in study.read_json(scores) if row["model"] == "model")
        return {**row, **study.read_json(weights + ".json")}

    def pruning(self, learner, split, kind):
        """A cell of the pruning's table."""
        every = list(range(len(self.arguments.train)))
        if split != "by_target":
            weights = self.fit(f"{split}-{kind}", learner, every, kind, split)
            return self.judge(weights, learner, every, "all", split)
        weights = self.fit(f"{split}-{kind}", learner, every[:-1], kind, "holdout")
        return self.judge(weights, learner, every[-1:], "all", "train")

    def left_out(self, number):
        """{who learned: a row} of one machine's held-out tasks."""
        others = [other for other in range(len(self.arguments.train)) if other != number]
        found = {}
        for label, learner, numbers in (("attention, others", "attention", others), ("attention, itself", "attention", [number]),
                                        ("XGB, itself", "XGB", [number])):
            name = f"{'without' if numbers is others else 'only'}-{number}"
            weights = self.fit(name, learner, numbers, "all", "holdout")
            found[label] = self.judge(weights, learner, [number], "judge", "holdout")
        return found

    def complete(self):
        """Every training and every score; those that are there are read."""
        pruned = {(split, learner): [self.pruning(learner, split, kind) for kind in SETS]
                  for split in SPLITS for learner in self.arguments.learners}
        return pruned, [self.left_out(number) for number in range(len(self.arguments.train))]


def scores_of(row):
    return [study.number(row[metric]) for metric in ("top1", "top5", "pairwise")]


def print_tables(pruned, left_out, machines):
    study.print_table(["split", "learner", "top-1", "pruned", "top-5", "pruned", "PCA", "pruned", "CPU s", "pruned"], (
        [split, learner, *(cell for pair in zip(scores_of(full), scores_of(part)) for cell in pair),
         f"{full['cpu_seconds']:.0f}", f"{part['cpu_seconds']:.0f}"]
        for (split, learner), (full, part) in pruned.items()))
    print()
    study.print_table(["judged on", "learned from", "lists", "top-1", "top-5", "PCA"], (
        [machine, label, row["lists"], *scores_of(row)] for machine, rows in zip(machines, left_out) for label, row in rows.items()))


def main():
    arguments = parse_arguments()
    if len(arguments.train) != len(arguments.judge) or len(arguments.train) < 2:
        sys.exit("heterogeneous.py: name as many files with --judge as with --train, of two machines at least")
    pruned, left_out = Study(arguments).complete()
    if arguments.command == "table":
        print_tables(pruned, left_out, [os.path.basename(path).split("-")[0] for path in arguments.judge])


if __name__ == "__main__":
    main()
