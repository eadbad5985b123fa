"""Searches whose network is fine-tuned after each round, over points of ucmoh-replay-tuner.

    ucmoh-featurize data/zen4-holdout.jsonl.zst --output=features.safetensors
    build/peers/bin/python benchmarks/tuner/finetuned.py points.jsonl features.safetensors >> replay.jsonl

A task's search begins with the network's order. After each round of eight, `ucmoh-train fit` goes on from the weights
with the task's programs that were measured, and what it predicts orders the rest. The weights of one task are forgotten
before the next one. A task that is in --done already is left out.
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile

import numpy
import ranked
import safetensors
import safetensors.numpy

ROUND = 8
PER_PROGRAM = ("seconds", "analytic", "spread", "task", "intrinsic", "machine", "run")


class Features:
    """A file of ucmoh-featurize, from which programs are taken."""

    def __init__(self, path):
        self.tensors = safetensors.numpy.load_file(path)
        with safetensors.safe_open(path, "numpy") as file:
            self.metadata = file.metadata()
        tasks = json.loads(self.metadata["tasks"])
        self.metadata["tasks"] = json.dumps([{**task, "split": "train"} for task in tasks])

    def write(self, programs, path):
        """A file of these programs alone, in this order, none of them held out."""
        ranges = [slice(*self.tensors["offsets"][program:program + 2]) for program in programs]
        rows = [self.tensors["rows"][part] for part in ranges]
        offsets = numpy.cumsum([0, *map(len, rows)]).astype(self.tensors["offsets"].dtype)
        chosen = {name: numpy.ascontiguousarray(self.tensors[name][programs]) for name in PER_PROGRAM}
        safetensors.numpy.save_file({**chosen, "rows": numpy.concatenate(rows), "offsets": offsets}, path, self.metadata)


class Tuned:
    """The network, fine-tuned with some programs of a task."""

    def __init__(self, features, options, folder):
        self.features, self.options = features, options
        self.learned, self.judged, self.weights, self.answers = (
            str(folder / name) for name in ("learned.safetensors", "judged.safetensors", "weights.safetensors", "predictions.json"))

    def call(self, *command):
        subprocess.run([self.options.program, *command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def predict(self, known, programs, seed):
        """Seconds of `programs`, when those that are `known` were learned."""
        self.features.write(known, self.learned)
        self.call("fit", f"--from={self.options.weights}", f"--data={self.learned}", "--validation=0", "--least-samples=1",
                  f"--epochs={self.options.epochs}", f"--rate={self.options.rate}", f"--seed={seed}", f"--output={self.weights}")
        lists = numpy.argsort(self.features.tensors["run"][programs], kind="stable")  # `evaluate` has a list for each run
        self.features.write(programs[lists], self.judged)
        self.call("evaluate", "--split=train", f"--data={self.judged}", f"--model={self.weights}", "--least-samples=1",
                  f"--predictions={self.answers}")
        with open(self.answers, encoding="utf-8") as file:
            answers = json.load(file)
        if not numpy.array_equal(answers["measured"], self.features.tensors["seconds"][programs[lists]]):
            raise RuntimeError("the predictions are of other programs")
        predicted = numpy.empty(len(programs))
        predicted[lists] = answers["models"][0]["predicted"]
        return predicted


def search(task, trials, seed, tuned):
    """The order, as indices, in which candidates are measured."""
    programs, order = numpy.array(task["programs"]), list(range(min(ROUND, len(task["programs"]))))
    while len(order) < min(trials, len(programs)):
        expected = tuned.predict(programs[order], programs, seed)
        expected[order] = numpy.inf
        order += [i for i in numpy.argsort(expected, kind="stable")[:ROUND] if numpy.isfinite(expected[i])]
    return order[:trials]


def finished(path):
    """The (task, types) that the file of lines has of this search."""
    if not path or not os.path.exists(path):
        return set()
    with open(path, encoding="utf-8") as lines:
        return {(line["task"], line["types"]) for line in map(json.loads, lines) if line["method"] == "fine-tuned"}


def main():
    """Prints lines as ucmoh-replay-tuner does."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("points")
    parser.add_argument("features", help="features of the same records")
    parser.add_argument("--trials", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=20, help="epochs of each round (20)")
    parser.add_argument("--rate", type=float, default=1e-4, help="highest learning rate (1e-4)")
    parser.add_argument("--weights", default="models/default.safetensors")
    parser.add_argument("--program", default="build/bin/ucmoh-train")
    parser.add_argument("--done", help="a file of lines")
    options = parser.parse_args()
    done = finished(options.done)
    with tempfile.TemporaryDirectory() as folder, open(options.points, encoding="utf-8") as lines:
        tuned = Tuned(Features(options.features), options, pathlib.Path(folder))
        for task in map(json.loads, lines):
            if (task["task"], task["types"]) not in done:
                order = search(task, options.trials, options.seed, tuned)
                print(json.dumps(ranked.line(task, "fine-tuned", options.seed, order, options.trials)), flush=True)


if __name__ == "__main__":
    main()
