#!/usr/bin/env python3
"""The tables of the heterogeneous transfer tuner (Verma et al., arXiv:2304.05430) in form, on the project's measurements.

    python3 research/heterogeneous.py run --folder build/hetero --results build/hetero.jsonl \\
        --machine zen4=data/zen4-train.jsonl.zst,data/zen4-holdout.jsonl.zst \\
        --machine zen5=data/zen5-train.jsonl.zst,data/zen5-judge.jsonl.zst
    python3 research/heterogeneous.py table --results research/results/zen4-hetero.jsonl.xz > tables.md

Four learners learn all rows of a sample, and what is left of it without the tasks that weigh little in FLOPs and occurrences. They
are judged within tasks, by task and by target: there, on a machine's held-out tasks, after the other machines or itself. One
baseline learns nothing: held-out tasks take the schedules of the most similar tuned task. Results are lines; what has one is not
run again.
"""
import argparse
import collections
import contextlib
import itertools
import json
import lzma
import math
import os
import re
import sqlite3
import statistics
import subprocess
import sys

LEARNERS = {"XGB": ("ansor", "xgboost"), "LGBM": ("ansor", "lightgbm"), "MLP": ("ansor", "transfer-mlp"),
            "attention": ("assignment", "assignment")}
LEAST_ROWS = 8  # tasks with fewer are left out of the pruned rows
METRICS = {"top1": "top-1", "top5": "top-5", "top1_geomean": "top-1 geomean", "pairwise": "PCA"}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("run", "table"))
    parser.add_argument("--results", required=True, help="lines of results; table reads .xz, too")
    parser.add_argument("--folder", help="of samples and weights")
    parser.add_argument("--machine", action="append", default=[], metavar="NAME=TRAIN,HOLDOUT",
                        help="exports of a machine; the first one is judged within tasks and by task")
    parser.add_argument("--ucmoh", default="build/bin", help="folder of the programs (build/bin)")
    parser.add_argument("--rows", type=int, default=4000, help="of each machine's tasks to learn from, about (4000)")
    parser.add_argument("--judged", type=int, default=8000, help="of each machine's held-out tasks, about (8000)")
    parser.add_argument("--dropped", type=float, default=0.5, help="share of the rows that pruning drops (0.5)")
    parser.add_argument("--epochs", type=int, default=0, help="of the networks (as published)")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--learners", nargs="+", default=list(LEARNERS), choices=LEARNERS, help="only these")
    return parser.parse_args()


class Study:
    """The samples of all machines, and what was found."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.exports = {name: paths.split(",") for name, paths in (text.split("=", 1) for text in arguments.machine)}
        os.makedirs(arguments.folder, exist_ok=True)
        self.known = {key_of(line) for line in read_lines(arguments.results)} if os.path.exists(arguments.results) else set()

    def path(self, name):
        return os.path.join(self.arguments.folder, name)

    def call(self, program, *options):
        """Runs a program; its CPU seconds."""
        with open(self.path("log"), "a", encoding="utf-8") as log:
            child = subprocess.Popen([os.path.join(self.arguments.ucmoh, program), *options], stdout=log, stderr=log)
            _, status, usage = os.wait4(child.pid, 0)
        if status:
            raise RuntimeError(f"{program} {' '.join(options)}: status {status}")
        return usage.ru_utime + usage.ru_stime

    def write(self, line):
        with open(self.arguments.results, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        print(json.dumps(line), file=sys.stderr, flush=True)

    def sample(self, machine, part):
        """A database of rows that were timed twice: part is `full`, `pruned` or `holdout`."""
        path = self.path(f"{machine}-{part}.sqlite")
        if os.path.exists(path):
            return path
        draft = path + ".draft"
        source = self.exports[machine][part == "holdout"] if part != "pruned" else self.sample(machine, "full")
        self.call("ucmoh-records", "import", draft, source)
        with contextlib.closing(sqlite3.connect(draft)) as database, database:
            database.execute("DELETE FROM measurements WHERE json_array_length(seconds) < 2")
            if part == "pruned":
                database.executemany("DELETE FROM measurements WHERE workload = ?", light_tasks(database, self.arguments.dropped))
            else:
                wanted = self.arguments.judged if part == "holdout" else self.arguments.rows
                count = database.execute("SELECT count(*) FROM measurements").fetchone()[0]
                database.execute("DELETE FROM measurements WHERE abs(choice_hash) % ? <> 0", (max(1, round(count / wanted)),))
            database.execute("DELETE FROM workloads WHERE id NOT IN (SELECT workload FROM measurements)")
        os.rename(draft, path)
        return path

    def features(self, machine, part, kind):
        path = self.path(f"{machine}-{part}-{kind}.safetensors")
        if not os.path.exists(path):
            self.call("ucmoh-research", "featurize", f"--data={self.sample(machine, part)}", f"--features={kind}", f"--output={path}")
        return path

    def rows(self, machine, part):
        with contextlib.closing(sqlite3.connect(self.sample(machine, part))) as database:
            return database.execute("SELECT count(*) FROM measurements").fetchone()[0]

    def cases(self):
        """(split, judged machine, learned machines, part)"""
        machines = list(self.exports)
        for split, part in itertools.product(("within_task", "by_task"), ("full", "pruned")):
            yield split, machines[0], machines[:1], part
        for judged in machines:
            others = [machine for machine in machines if machine != judged]
            if others:
                yield "by_target", judged, others, "full"
                yield "by_target", judged, others, "pruned"
            yield "by_target", judged, [judged], "full"

    def learn(self, split, judged, learned, part, learner, seed):
        line = {"split": split, "judged": judged, "learned": "+".join(learned), "part": part, "learner": learner, "seed": seed}
        if key_of(line) in self.known:
            return
        kind, model = LEARNERS[learner]
        weights, table = self.path("trial.safetensors"), self.path("trial.json")
        apart = "holdout" if split == "by_target" else split
        options = [f"--epochs={self.arguments.epochs}"] if kind != "ansor" or model == "transfer-mlp" else []
        spent = self.call("ucmoh-research", "fit", *(f"--data={self.features(machine, part, kind)}" for machine in learned),
                          f"--model={model}", f"--split={apart}", f"--seed={seed}", f"--output={weights}", *options)
        data = self.features(judged, "holdout" if split == "by_target" else "full", kind)
        self.call("ucmoh-research", "evaluate", f"--data={data}", f"--split={apart}", f"--models=model={model}:{weights}",
                  f"--json={table}")
        with open(table, encoding="utf-8") as file:
            found = {row["model"]: row for row in json.load(file) if row["group"] in ("", "all")}
        line |= {"rows": sum(self.rows(machine, part) for machine in learned), "cpu_seconds": round(spent, 2)}
        line |= {metric: found["model"][metric] for metric in METRICS}
        self.write(line | {"roofline": {metric: found["analytic"][metric] for metric in METRICS}})

    def transfer(self, machine, part):
        line = {"split": "by_target", "judged": machine, "learned": machine, "part": part, "learner": "similar task", "seed": 0}
        if key_of(line) not in self.known:
            found = transfer(read_tasks(self.sample(machine, part)), read_tasks(self.sample(machine, "holdout")))
            self.write(line | {"rows": self.rows(machine, part), "cpu_seconds": 0, "pairwise": None, **found})

    def run(self):
        for machine, part in itertools.product(self.exports, ("full", "pruned")):
            self.transfer(machine, part)
        for seed, learner, case in itertools.product(self.arguments.seeds, self.arguments.learners, list(self.cases())):
            self.learn(*case, learner, seed)


def key_of(line):
    return tuple(line[name] for name in ("split", "judged", "learned", "part", "learner", "seed"))


def read_lines(path):
    with (lzma.open if path.endswith(".xz") else open)(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def light_tasks(database, dropped):
    """The tasks that pruning leaves out, as parameters of a statement: those with few rows, and of the others those that weigh least
    in FLOPs times occurrences, until the share of the rows is dropped."""
    rows = dict(database.execute("SELECT workload, count(*) FROM measurements GROUP BY workload"))
    weights = {task: flops * max(1, sum(json.loads(tags).get("networks", {}).values()))
               for task, flops, tags in database.execute("SELECT id, flops, tags FROM workloads") if task in rows}
    left_out, budget = [], dropped * sum(rows.values())
    for task in sorted(rows, key=lambda task: (rows[task] >= LEAST_ROWS, weights[task], task)):
        if rows[task] >= LEAST_ROWS and budget <= 0:
            break
        budget -= rows[task]
        left_out.append((task,))
    return left_out


Task = collections.namedtuple("Task", "kind sizes use programs")  # programs: [(seconds, schedule)], fastest first


def schedule_of(choice):
    """{field: text} of a choice, without what a model said of it."""
    fields = dict(re.findall(r"(\w+) = (\[[^\]]*\]|\"[^\"]*\"|[^,>]+)", choice))
    return {name: text for name, text in fields.items() if name not in ("predicted_seconds", "model")}


def read_tasks(path):
    """Tasks of a database; their kind is the class and the types, their sizes those of the operands."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        programs = collections.defaultdict(list)
        for task, choice, seconds in database.execute("SELECT workload, choice, seconds FROM measurements WHERE error IS NULL"):
            programs[task].append((statistics.median(json.loads(seconds)), schedule_of(choice)))
        tasks = []
        for task, ir, text in database.execute("SELECT id, ir, tags FROM workloads"):
            tags = json.loads(text)
            sizes = [int(size) for shape in re.findall(r"tensor<((?:\d+x)+)", ir.partition("->")[0])
                     for size in shape.rstrip("x").split("x")]
            if len(programs[task]) > 1:
                tasks.append(Task((tags.get("class"), tags.get("types"), len(sizes)), sizes,
                                  sum(tags.get("networks", {}).values()) or 1,
                                  sorted(programs[task], key=lambda program: program[0])))
        return tasks


def distance(sizes, others):
    return sum(abs(math.log2(one / other)) for one, other in zip(sizes, others))


def unlike(schedule, other):
    """How far a schedule is from another one: other fields first, then sizes."""
    numbers = [[int(size) for size in re.findall(r"\d+", one.get("cache_tile", ""))] for one in (schedule, other)]
    fields = ("intrinsic", "register_tile", "order", "pack_lhs", "pack_rhs", "unroll")
    return [schedule.get(field) != other.get(field) for field in fields], distance(*numbers)


def transfer(tuned, untuned):
    """Scores of taking, for each untuned task, the best schedules of the most similar tuned one: of the programs that were measured,
    those that are most like them."""
    scores, exact, times = {1: [], 5: []}, 0, {1: [0, 0], 5: [0, 0]}
    judged = [task for task in untuned if any(other.kind == task.kind for other in tuned)]
    for task in judged:
        similar = min((other for other in tuned if other.kind == task.kind), key=lambda other: distance(task.sizes, other.sizes))
        taken = [min(task.programs, key=lambda program, wanted=wanted: unlike(program[1], wanted[1]))
                 for wanted in similar.programs[:5]]
        exact += taken[0][1] == similar.programs[0][1]
        for count, score in scores.items():
            seconds = min(program[0] for program in taken[:count])
            score.append(task.programs[0][0] / seconds)
            times[count][0] += task.use * task.programs[0][0]
            times[count][1] += task.use * seconds
    return {"top1": times[1][0] / times[1][1], "top5": times[5][0] / times[5][1],
            "top1_geomean": statistics.geometric_mean(scores[1]), "lists": len(judged), "untuned": len(untuned),
            "exact": exact / len(judged)} if judged else {"top1": None, "top5": None, "top1_geomean": None, "lists": 0,
                                                          "untuned": len(untuned), "exact": None}


def cell(values):
    values = [value for value in values if value is not None]
    if not values:
        return ""
    spread = f" ±{statistics.stdev(values):.3f}".replace("0.", ".") if len(values) > 1 else ""
    return f"{statistics.mean(values):.3f}".removeprefix("0") + spread


def print_tables(lines):
    """A line for each split, judged machine, learned rows and learner, the mean of the seeds."""
    groups = collections.defaultdict(list)
    for line in lines:
        groups[key_of(line)[:-1]].append(line)
    print(f"| split | judged on | learned | rows | learner | CPU s | {' | '.join(METRICS.values())} |\n" + "|---" * (6 + len(METRICS)) + "|")
    shown = set()
    for (split, judged, learned, part, learner), found in sorted(groups.items()):
        if (split, judged) not in shown and "roofline" in found[0]:
            shown.add((split, judged))
            cells = [cell([found[0]["roofline"][metric]]) for metric in METRICS]
            print(f"| {split} | {judged} | | | roofline | | {' | '.join(cells)} |")
        cells = [cell([line[metric] for line in found]) for metric in METRICS]
        print(f"| {split} | {judged} | {learned} | {found[0]['rows']} ({part}) | {learner} | "
              f"{statistics.mean(line['cpu_seconds'] for line in found):.1f} | {' | '.join(cells)} |")


def main():
    arguments = parse_arguments()
    if arguments.command == "run":
        Study(arguments).run()
    else:
        print_tables(read_lines(arguments.results))


if __name__ == "__main__":
    main()
