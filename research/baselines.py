#!/usr/bin/env python3
"""Trains the network and every published cost model on the same sample of measurements, with several seeds, judges all on the same
held-out tasks, and writes one table. What is trained already is not trained again, so an interrupted run resumes.

    python3 research/baselines.py --train data/zen4-train.jsonl.zst --holdout data/zen4-holdout.jsonl.zst \\
        --output build/baselines --cores 0 1 > table.md
"""
import argparse
import concurrent.futures
import os
import queue
import subprocess
import sys
import time

import study

# Label: features, further arguments of `fit`, the name by which `evaluate` knows the weights (none: the network's, of ucmoh-train).
MODELS = {
    "the network": ("ucmoh", ["--validation=0"], ""),
    "xgboost": ("ansor", ["--model=xgboost"], "xgboost"),
    "lightgbm": ("ansor", ["--model=lightgbm"], "lightgbm"),
    "transfer-mlp": ("ansor", ["--model=transfer-mlp"], "transfer-mlp"),
    "tenset-mlp": ("ansor", ["--model=tenset-mlp"], "tenset-mlp"),
    "tenset-mlp --rank-tasks": ("ansor", ["--model=tenset-mlp", "--rank-tasks"], "tenset-mlp"),
    "assignment": ("assignment", ["--model=assignment"], "assignment"),
    "tlp": ("tlp", ["--model=tlp"], "tlp"),
    "mtl-tlp": ("tlp", ["--model=mtl-tlp"], "mtl-tlp"),
    "unicomo": ("unicomo", ["--model=unicomo"], "unicomo"),
}
# UniCoMo without one departure from the network after the other (research/README.md).
REPAIRS = ["mask", "log", "implementation", "roofline"]
# Groups of features that are taken away, one at a time (`ucmoh-train fit --help`); machine and parallelism say nothing where
# one thread of one machine was measured, and without the kind of a statement there is no program.
GROUPS = ["sizes", "tiles", "order", "levels", "access", "strides", "semantics", "work", "implementation", "roofline"]
COLUMNS = {"top1": "top-1", "top5": "top-5", "top8": "top-8", "top1_geomean": "top-1 geomean", "top8_geomean": "top-8 geomean",
           "pairwise": "pairwise", "of_ceiling": "of ceiling"}


def ladder():
    yield "unicomo --rank-tasks", ("unicomo", ["--model=unicomo", "--rank-tasks"], "unicomo")
    for count in range(1, len(REPAIRS) + 1):
        names = ",".join(REPAIRS[:count])
        yield (f"unicomo --rank-tasks --repair={names}",
               ("unicomo", ["--model=unicomo", "--rank-tasks", f"--repair={names}"], "unicomo"))


def ablations():
    for group in GROUPS:
        yield f"the network without {group}", ("ucmoh", ["--validation=0", f"--ablate={group}"], "")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", nargs="+", required=True, metavar="EXPORT", help="measurements to learn")
    parser.add_argument("--holdout", nargs="+", required=True, metavar="EXPORT", help="... to judge by")
    parser.add_argument("--output", required=True, metavar="FOLDER",
                        help="folder for the sample, the weights and the scores")
    parser.add_argument("--ucmoh", default="build/bin", metavar="FOLDER", help="folder of the programs (build/bin)")
    parser.add_argument("--share", type=int, default=16, help="one row in so many of each task is learned (16)")
    parser.add_argument("--max-flops", type=float, default=4e8, help="larger tasks are left out (4e8)")
    parser.add_argument("--seeds", type=int, default=3, help="trainings of each model (3)")
    parser.add_argument("--cores", type=int, nargs="+", default=[0], help="one training at a time on each (0)")
    parser.add_argument("--only", default="", metavar="TEXT", help="models whose label contains it")
    parser.add_argument("--ladder", action="store_true", help="UniCoMo, one departure repaired after the other, too")
    parser.add_argument("--ablations", action="store_true", help="the network without each group of features, too")
    return parser.parse_args()


class Study:
    def __init__(self, arguments):
        self.arguments = arguments
        # Another sample is another study: nothing of it is taken for this one's. No '+': `evaluate` would take it for the next seed.
        self.folder = os.path.join(arguments.output, f"{arguments.share}-{arguments.max_flops / 1e6:g}mflop")
        os.makedirs(self.folder, exist_ok=True)
        self.models = dict(MODELS)
        self.models.update(ladder() if arguments.ladder else ())
        self.models.update(ablations() if arguments.ablations else ())
        self.models = {label: model for label, model in self.models.items() if arguments.only in label}

    def path(self, name):
        return os.path.join(self.folder, name)

    def program(self, name):
        return os.path.join(self.arguments.ucmoh, name)

    def tool(self, label):
        return self.program("ucmoh-research" if self.models[label][2] else "ucmoh-train")

    def weights(self, label, seed):
        return self.path(f"{label.replace(' ', '_').replace('=', '-')}-{seed}.safetensors")

    def sample(self, name, exports, share):
        """A database of a share of the rows, by a hash of their choice: the same ones each time."""
        return study.make_database(self.arguments.ucmoh, self.path(f"{name}.sqlite"), exports, (
            "DELETE FROM measurements WHERE abs(choice_hash) % ? <> 0 OR workload IN (SELECT id FROM workloads WHERE flops > ?)",
            (share, self.arguments.max_flops)))

    def featurize(self, name, exports, share):
        """{kind of features: file of the sample described by them}."""
        files = {}
        for kind in sorted({features for features, _, _ in self.models.values()}):
            files[kind] = self.path(f"{name}-{kind}.safetensors")
            if not os.path.exists(files[kind]):
                # A single sample may be of a noisy moment.
                sample = self.sample(name, exports, share)
                command = ([self.program("ucmoh-featurize"), sample] if kind == "ucmoh" else
                           [self.program("ucmoh-research"), "featurize", f"--data={sample}", f"--features={kind}"])
                subprocess.run([*command, "--least-samples=2", f"--output={files[kind]}"], check=True, stdout=sys.stderr)
        return files

    def train(self, job, cores):
        """One training on a core that is free; its CPU seconds go to a file beside the weights, last."""
        label, seed, data = job
        output = self.weights(label, seed)
        core = cores.get()
        try:
            seconds = study.cpu_seconds(["taskset", "-c", str(core), self.tool(label), "fit", f"--data={data}",
                                         f"--seed={seed}", f"--output={output}", *self.models[label][1]])
        finally:
            cores.put(core)
        study.write_json(output + ".json", {"cpu_seconds": seconds})
        return label, seed

    def train_all(self, data):
        jobs = [(label, seed, data[model[0]]) for seed in range(1, self.arguments.seeds + 1)
                for label, model in self.models.items() if not os.path.exists(self.weights(label, seed) + ".json")]
        cores = queue.Queue()
        for core in self.arguments.cores:
            cores.put(core)
        start = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(len(self.arguments.cores)) as pool:
            done = concurrent.futures.as_completed([pool.submit(self.train, job, cores) for job in jobs])
            for count, future in enumerate(done, 1):
                label, seed = future.result()
                print(f"[{count}/{len(jobs)}] {label}, seed {seed}; {time.monotonic() - start:.0f} s", file=sys.stderr,
                      flush=True)

    def judge(self, label, data):
        """The rows of `evaluate` by model: this one's, the roofline's, a random pick's and the ceiling's."""
        features, _, name = self.models[label]
        seeds = range(1, self.arguments.seeds + 1)
        weights = (f"{name}:" if name else "") + "+".join(self.weights(label, seed) for seed in seeds)
        table = self.weights(label, "scores") + ".json"
        option = "--models=model=" if name else "--model=analytic,model="
        subprocess.run([self.tool(label), "evaluate", f"--data={data[features]}", option + weights, f"--json={table}"],
                       check=True, stdout=subprocess.DEVNULL)
        return {row["model"]: row for row in study.read_json(table)}

    def seconds(self, label):
        files = [self.weights(label, seed) + ".json" for seed in range(1, self.arguments.seeds + 1)]
        return sum(study.read_json(path)["cpu_seconds"] for path in files) / len(files)


def line(label, seconds, row):
    cells = []
    for column in COLUMNS:
        spread = row["spread"][column]
        cells.append("" if row[column] is None else f"{row[column]:.3f}" + (f" ±{spread:.3f}" if spread is not None else ""))
    return [label, seconds, *cells]


def main():
    baselines = Study(parse_arguments())
    baselines.train_all(baselines.featurize("train", baselines.arguments.train, baselines.arguments.share))
    data = baselines.featurize("holdout", baselines.arguments.holdout, 1)
    lines, others = [], {}
    for label in baselines.models:
        rows = baselines.judge(label, data)
        own = rows.pop("model")
        others.update(rows)
        lines.append(line(label, f"{baselines.seconds(label):.0f}", own))
    lines += [line(label, "", row) for label, row in others.items()]
    study.print_table(["model", "CPU seconds", *COLUMNS.values()], lines)


if __name__ == "__main__":
    main()
