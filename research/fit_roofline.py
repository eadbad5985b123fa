"""Fits the constants of the roofline (lib/CostModel/AnalyticModel.cpp) to measured programs.

    ucmoh-featurize --least-samples=2 data/zen4-train.jsonl.zst --output=zen4.safetensors
    python3 research/fit_roofline.py --learn zen4.safetensors ... --judge held-out.safetensors ...

The roofline is written here once more, over arrays. The script first checks that it gives the seconds
that ucmoh-featurize stored with the present constants, so that the two cannot differ unnoticed. The fit is
a search along one constant after the other. It makes the geometric mean over lists (programs of a task
in one run on one machine) of best / picked seconds large, where "picked" stands for the first pick and
for the mean of the first five. Each file counts the same, and within it all programs and those of its
narrowest intrinsics alike. The script prints the constants and a table of scores before and after.
"""
import argparse
import dataclasses
import json
import struct

import numpy as np

#: The constants as they stand in AnalyticModel.cpp.
PRESENT = {
    "loads_per_cycle": 1.4,  # loads of fragments and broadcasts that a core issues
    "loop_control": 0.55,  # cycles of an iteration over steps
    "ragged_row": 5.5,  # cycles of a ragged load of a row beyond the first
    "ragged": 0.3,  # cycles of any ragged load
    "store": 0.4,  # the share that counts of what results in no cache cost by their bytes
    "stripe_bytes": 200.0,  # a narrower stripe of a result opens lines more than once
    "waits": 1.4,  # how much longer loads of several rows wait for L2 and beyond
    "convert": 20.0,  # times the cycles of L2 for an operand that is converted
    "sum": 26.0,  # the same for one that is summed
    "divide": 1.1,  # cycles of a read of a copy that takes a division
    "read": 0.75,  # cycles of another read of a copy
    "write": 1.4,  # cycles of a write of a copy
    "copied": 3.0,  # how much longer copies wait for caches
    "copy_hidden": 0.5,  # share of the shorter of issue and waiting that is not hidden
    "hidden": 0.1,  # the same for computing and traffic
    "tile": 0.55,  # cycles of an accumulator at the end of a tile
}


def read_tensors(path):
    """All tensors of a safetensors file by name, and its metadata."""
    types = {"F32": np.float32, "F64": np.float64, "I32": np.int32, "I64": np.int64}
    with open(path, "rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(size))
    metadata = header.pop("__metadata__")
    data = np.memmap(path, np.uint8, "r", 8 + size)
    return {name: data[slice(*entry["data_offsets"])].view(types[entry["dtype"]]).reshape(entry["shape"])
            for name, entry in header.items()}, metadata


@dataclasses.dataclass
class Measured:
    """The programs of one file: columns of features by name (a value a row), and what was measured."""

    name: str
    columns: dict
    kinds: dict  # the positions of each kind's rows, by flag
    program: np.ndarray  # each row's program
    seconds: np.ndarray  # each program's, as measured
    stored: np.ndarray  # seconds of the roofline as ucmoh-featurize computed them
    lists: list  # arrays of programs

    @staticmethod
    def read(path):
        """All programs of a file of ucmoh-featurize, and its lists of two programs or more."""
        tensors, metadata = read_tensors(path)
        rows, offsets = tensors["rows"], tensors["offsets"]
        names = json.loads(metadata["features"])
        columns = {name: rows[:, i].astype(np.float64) for i, name in enumerate(names)}
        flags = ("isConvert", "isSum", "isPackLhs", "isPackRhs", "isCompute", "isStore")
        kinds = {flag: np.flatnonzero(columns[flag]) for flag in flags}
        program = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        keys = np.stack([tensors["task"], tensors["run"], tensors["machine"]], 1)
        _, group = np.unique(keys, axis=0, return_inverse=True)
        group = group.ravel()
        order = np.argsort(group, kind="stable")
        lists = np.split(order, np.flatnonzero(np.diff(group[order])) + 1)
        return Measured(path, columns, kinds, program, np.array(tensors["seconds"]),
                        np.array(tensors["analytic"]), [part for part in lists if len(part) > 1])

    def of_narrow_vectors(self):
        """The lists again with the programs alone whose fragments of rhs have the fewest lanes."""
        first = np.searchsorted(self.program, np.arange(len(self.seconds)))
        lanes = self.columns["intrinsicN"][first]
        parts = [part[lanes[part] == lanes[part].min()] for part in self.lists]
        return [part for part in parts if len(part) > 1]


def beyond_l1(columns, rows, operand, waits=1.0):
    """Cycles that an operand of these rows takes beyond L1."""
    level1, level2, level3 = (columns[f"{operand}BeyondL{level}"][rows] for level in (1, 2, 3))
    return (waits * (level1 - level2) / columns["l2BytesPerCycle"][rows]
            + (level2 - level3) / columns["l3BytesPerCycle"][rows]
            + level3 / columns["memoryBytesPerCycle"][rows])


def compute_cycles(c, rows, k):
    """Cycles of steps, and of what their operands take beyond L1."""
    issue = c["executions"][rows] / np.maximum(c["steps"][rows], 1) * c["throughputCycles"][rows]
    loads = (c["loadBytesPerStep"][rows] / c["l1BytesPerCycle"][rows]
             + c["broadcastBytesPerStep"][rows] / c["broadcastBytesPerCycle"][rows])
    loads = np.maximum(loads, c["loadsPerStep"][rows] / k["loads_per_cycle"])
    step = np.maximum(np.maximum(issue, c["latencyCycles"][rows]), loads)
    step += k["loop_control"] / c["stepsPerIteration"][rows]
    ragged = k["ragged"] + k["ragged_row"] * (c["intrinsicM"][rows] - 1)
    waits = np.where(c["intrinsicM"][rows] > 1, k["waits"], 1.0)
    return (step * c["steps"][rows] + ragged * c["raggedLoads"][rows],
            beyond_l1(c, rows, "lhs", waits) + beyond_l1(c, rows, "rhs", waits))


def store_cycles(c, rows, k):
    """Cycles of writing results, and of the ends of tiles."""
    cycles = ((c["outBytes"][rows] - c["outBeyondL1"][rows]) / c["l1BytesPerCycle"][rows]
              + beyond_l1(c, rows, "out"))
    stripes = k["stripe_bytes"] / (c["tileColumns"][rows] * c["accBits"][rows] / 8)
    factor = k["store"] * (1 + np.where(c["innerMovesLhs"][rows] != 0, stripes, stripes / 2))
    tiles = c["tiles"][rows] * (c["latencyCycles"][rows] + k["tile"] * c["accumulators"][rows])
    return np.where(c["outBeyondL2"][rows] == 0, cycles, cycles * factor), tiles


def copy_cycles(c, rows, k):
    """Cycles of packing."""
    read = np.where(c["divides"][rows] != 0, k["divide"], k["read"])
    issue = read * c["reads"][rows] + k["write"] * c["writes"][rows]
    moved = k["copied"] * sum(beyond_l1(c, rows, operand) for operand in ("lhs", "rhs", "out"))
    return np.maximum(issue, moved) + k["copy_hidden"] * np.minimum(issue, moved)


def preparation_cycles(c, rows, factor):
    """Cycles of converting or summing a whole operand."""
    bytes_ = c["elements"][rows] * np.maximum(c["lhsBits"][rows], c["rhsBits"][rows]) / 8
    return factor * bytes_ / c["l2BytesPerCycle"][rows]


def roofline(measured, k):
    """Seconds of all programs of a CPU with these constants."""
    c, count = measured.columns, len(measured.seconds)

    def total(rows, cycles):
        return np.bincount(measured.program[rows], cycles, count)

    kinds = measured.kinds
    steps, loads = compute_cycles(c, kinds["isCompute"], k)
    stores, tiles = store_cycles(c, kinds["isStore"], k)
    compute = total(kinds["isCompute"], steps)
    traffic = total(kinds["isCompute"], loads) + total(kinds["isStore"], stores)
    others = total(kinds["isStore"], tiles)
    for flag in ("isPackLhs", "isPackRhs"):
        others += total(kinds[flag], copy_cycles(c, kinds[flag], k))
    for flag, factor in (("isConvert", k["convert"]), ("isSum", k["sum"])):
        others += total(kinds[flag], preparation_cycles(c, kinds[flag], factor))
    first = np.searchsorted(measured.program, np.arange(count))
    cycles = np.maximum(compute, traffic) + k["hidden"] * np.minimum(compute, traffic) + others
    return cycles * c["busiestShare"][first] / (c["clockGHz"][first] * 1e9)


def log_ratios(lists, seconds, scores, first):
    """log of best / mean of the seconds of the first picks, for each list."""
    ratios = []
    for part in lists:
        picked = part[np.argsort(scores[part], kind="stable")[:first]]
        ratios.append(np.log(seconds[part].min() / seconds[picked].mean()))
    return np.array(ratios)


def objective(files, k):
    """Mean log ratio over files, programs and number of picks: 0 is perfect."""
    parts = []
    for measured, groups in files:
        scores = roofline(measured, k)
        parts += [log_ratios(lists, measured.seconds, scores, first).mean()
                  for lists in groups if lists for first in (1, 5)]
    return float(np.mean(parts))


def fit(files, steps):
    """The constants that the search finds from the present ones, by factors that become smaller."""
    constants, best = dict(PRESENT), objective(files, PRESENT)
    for factor in steps:
        changed = True
        while changed:
            changed = False
            for name in PRESENT:
                for trial in (constants[name] * factor, constants[name] / factor):
                    score = objective(files, constants | {name: trial})
                    if score > best + 1e-5:
                        constants, best, changed = constants | {name: trial}, score, True
                        print(f"{name} {trial:.3g}: {np.exp(best):.4f}", flush=True)
    return constants


def report(files, constants):
    """A table: geometric means of best / picked seconds over lists, by the present constants and by these."""
    print("| file | programs | lists | before | now |\n|---|---|---|---|---|")
    for measured, groups in files:
        before, now = roofline(measured, PRESENT), roofline(measured, constants)
        for what, lists in zip(("all", "narrow vectors"), groups):
            scores = [np.exp(log_ratios(lists, measured.seconds, scores, 1).mean()) for scores in (before, now)]
            print(f"| {measured.name} | {what} | {len(lists)} | {scores[0]:.3f} | {scores[1]:.3f} |")


def load(paths, lists):
    """(programs, (all lists, those of narrow vectors)) of each file, at most so many lists of each."""
    files = []
    for path in paths:
        measured = Measured.read(path)
        if not np.allclose(roofline(measured, PRESENT), measured.stored, rtol=1e-3):
            raise SystemExit(f"{path}: PRESENT is not what AnalyticModel.cpp computes; bring them together")
        groups = measured.lists, measured.of_narrow_vectors()
        files.append((measured, [group[:: max(1, len(group) // lists)] for group in groups]))
    return files


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--learn", nargs="+", required=True, help="files of ucmoh-featurize with tasks to learn from")
    parser.add_argument("--judge", nargs="*", default=[], help="the same with tasks that are held out")
    parser.add_argument("--lists", type=int, default=300, help="lists of each file that is learned from, at most")
    parser.add_argument("--steps", nargs="+", type=float, default=[1.6, 1.25, 1.1],
                        help="factors by which constants change, one search after the other")
    arguments = parser.parse_args()
    learned = load(arguments.learn, arguments.lists)
    constants = fit(learned, arguments.steps)
    print(json.dumps({name: float(f"{value:.3g}") for name, value in constants.items()}))
    report(learned + load(arguments.judge, 10**9), constants)


if __name__ == "__main__":
    main()
