"""Says what cycles of a micro-kernel, by intrinsic and tile of registers, could add to weights that do not know a machine.

    python3 research/micro_kernel.py --learn zen5-train.safetensors --judge zen5-judge.safetensors --model weights.safetensors

A probe would measure each tile alone. Here the best rows of the machine's other tasks stand for that: of the programs of --learn
with this intrinsic and tile, the cycles of an execution over the intrinsic's throughput, 5th percentile. What is new in it is the
difference to the same percentile of what a model predicts. A share of this difference is added to the predictions of --judge, and a
table says how programs are ranked then. Its last lines have the mean error of each tile, or of each intrinsic, instead.
"""
import argparse
import collections
import itertools
import json
import os
import subprocess
import tempfile

import numpy as np
from fit_roofline import read_tensors

LEAST, PERCENTILE = 8, 5  # programs of a tile; of their cycles
SHARES = (0.25, 0.5, 0.75, 1)
PRIOR = 8  # programs without any error that each tile has besides its own


class Programs:
    """The programs of a features file that a split has, in lists, with what models predict: log2 of seconds."""

    def __init__(self, path, split, options):
        tensors, metadata = read_tensors(path)
        tasks, intrinsics = json.loads(metadata["tasks"]), json.loads(metadata["intrinsics"])
        columns = {name: number for number, name in enumerate(json.loads(metadata["features"]))}
        groups = collections.defaultdict(list)
        for program in np.flatnonzero(tensors["seconds"] > 0):
            key = tuple(int(tensors[name][program]) for name in ("task", "machine", "run"))
            if (tasks[key[0]].get("split") == "holdout") == (split == "holdout"):
                groups[key].append(program)
        lists = [group for group in groups.values() if len(group) > 1]
        flat = np.concatenate(lists)
        self.measured = np.log2(tensors["seconds"][flat])
        self.lists = np.split(np.arange(len(flat)), np.cumsum([len(group) for group in lists])[:-1])
        self.tiles, cycles = [], []
        for program in flat:
            rows = tensors["rows"][tensors["offsets"][program]:tensors["offsets"][program + 1]]
            rows = rows[rows[:, columns["isCompute"]] > 0]
            work = rows[:, columns["executions"]] * rows[:, columns["throughputCycles"]]
            most = rows[np.argmax(work)]
            self.tiles.append((intrinsics[tensors["intrinsic"][program]], *most[[columns["tileRows"], columns["tileColumns"]]]))
            cycles.append(work.sum() / most[columns["clockGHz"]] / 1e9)
        self.executing = np.log2(cycles)
        self.predicted = self.predict(path, split, options)

    def predict(self, path, split, options):
        """{model: log2 of seconds}, as the compiler would predict them."""
        with tempfile.TemporaryDirectory() as folder:
            output = os.path.join(folder, "predictions.json")
            subprocess.run([os.path.join(options.ucmoh, "ucmoh-train"), "evaluate", f"--data={path}", f"--split={split}",
                            f"--model=analytic,weights={options.model}", f"--predictions={output}"],
                           check=True, capture_output=True)
            with open(output, encoding="utf-8") as file:
                content = json.load(file)
        assert np.allclose(np.log2(content["measured"]), self.measured), "the programs are in another order"
        return {model["model"].partition("@")[0]: np.log2(model["predicted"]) for model in content["models"]}

    def by(self, keys):
        """{key: positions of its programs}"""
        found = collections.defaultdict(list)
        for position, key in enumerate(keys):
            found[key].append(position)
        return found

    def judge(self, predicted):
        """Top-1 geomean, and the mean over lists of the share of pairs in the right order."""
        first, pairs = [], []
        for group in self.lists:
            measured, wanted = self.measured[group], predicted[group]
            first.append(measured.min() - measured[np.argmin(wanted)])
            one, other = np.triu_indices(len(group), 1)
            order = np.sign(measured[one] - measured[other])
            alike = order * np.sign(wanted[one] - wanted[other])
            pairs.append(np.mean((alike[order != 0] + 1) / 2) if order.any() else 1)
        return 2 ** np.mean(first), np.mean(pairs)


def news(programs, predicted):
    """{tile: how much longer its best programs take than their model predicts, log2}"""
    found = {}
    for tile, positions in programs.by(programs.tiles).items():
        if len(positions) >= LEAST:
            cycles = [np.percentile(seconds[positions] - programs.executing[positions], PERCENTILE)
                      for seconds in (programs.measured, predicted)]
            found[tile] = cycles[0] - cycles[1]
    return found


def within_intrinsics(values):
    """The same without what all tiles of an intrinsic share."""
    means = {intrinsic: np.mean([values[tile] for tile in tiles])
             for intrinsic, tiles in itertools.groupby(sorted(values), key=lambda tile: tile[0])}
    return {tile: value - means[tile[0]] for tile, value in values.items()}


def errors(programs, predicted, keys):
    """{key: mean error within lists, log2}"""
    error = programs.measured - predicted
    for group in programs.lists:
        error[group] -= error[group].mean()
    return {key: error[positions].sum() / (len(positions) + PRIOR) for key, positions in programs.by(keys).items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--learn", required=True, help="features file of the machine: tasks that are not held out")
    parser.add_argument("--judge", required=True, help="features file of the machine: held-out tasks")
    parser.add_argument("--model", required=True, help="weights that do not know the machine")
    parser.add_argument("--ucmoh", default="build/bin", help="folder of the programs (build/bin)")
    options = parser.parse_args()
    learned, judged = Programs(options.learn, "train", options), Programs(options.judge, "holdout", options)
    print("| model | added | top-1 geomean | pairs |\n|---|---|---|---|")
    for model, predicted in learned.predicted.items():
        def line(what, values, keys, share=1.0, model=model):
            added = np.array([share * values.get(key, 0) for key in keys])
            scores = judged.judge(judged.predicted[model] + added)
            print(f"| {model} | {what} | " + " | ".join(f"{score:.4f}".removeprefix("0") for score in scores) + " |")
        line("nothing", {}, judged.tiles)
        tiles = news(learned, predicted)
        for share in SHARES:
            line(f"{share:g} of the tile's news", tiles, judged.tiles, share)
            line(f"{share:g} of them, intrinsics as they were", within_intrinsics(tiles), judged.tiles, share)
        line("mean error of the tile", errors(learned, predicted, learned.tiles), judged.tiles)
        line("mean error of the intrinsic", errors(learned, predicted, [tile[0] for tile in learned.tiles]),
             [tile[0] for tile in judged.tiles])


if __name__ == "__main__":
    main()
