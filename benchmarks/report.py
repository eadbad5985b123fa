#!/usr/bin/env python3
"""Turns the raw results of bench.py into a Markdown table and plots.

    report.py TABLES.md PLOT.svg RESULTS.jsonl[.xz]...
"""
import json
import lzma
import math
import statistics
import sys

import matplotlib
matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "ucmoh"  # same input, same file
from matplotlib import pyplot  # noqa: E402

from ucmoh.tasks import TYPES  # noqa: E402

PICKS = {"ours-analytic": "analytic pick", "ours-learned": "learned pick"}
PEERS = [("onednn-plain", "oneDNN"), ("onednn-any", "oneDNN, any format"), ("iree", "IREE")]


def best_seconds(record, name):
    """The least median time of the contenders of that name; None if there is none.

    The picks are candidates as well, so the best is never worse than they.
    """
    names = {name, *PICKS} if name == "ours-best" else {name}
    medians = [statistics.median(entry["seconds"]) for entry in record["contenders"]
               if entry["name"] in names and entry["seconds"] and entry.get("error", 0) < 1e-2]
    return min(medians, default=None)


def ratio(record, peer, ours):
    """How many times as long the peer takes: more is better."""
    seconds = best_seconds(record, peer), best_seconds(record, ours)
    return None if None in seconds else seconds[0] / seconds[1]


def geomean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def summary_row(records, label, pairs):
    ratios = {record["task"]: ratio(record, *pairs) for record in records}
    ratios = {task: value for task, value in ratios.items() if value is not None}
    if not ratios:
        return []
    worst = min(ratios, key=ratios.get)
    return [f"| {label} | {len(ratios)} | {geomean(ratios.values()):.2f} | "
            f"{statistics.median(ratios.values()):.2f} | {ratios[worst]:.2f} | {worst} |"]


def summary(records):
    lines = ["| | shapes | geomean | median | worst | where |", "|---|---|---|---|---|---|"]
    for types in TYPES:
        chosen = [record for record in records if record["types"] == types]
        for peer, label in PEERS:
            for ours in ("ours-best", *PICKS):
                lines += summary_row(chosen, f"{types}: {ours} against {label}", (peer, ours))
        for pick, label in PICKS.items():
            lines += summary_row(chosen, f"{types}: {label} against the best candidate",
                                 ("ours-best", pick))
    return lines


def pick_rows(records):
    """How fast the picks are relative to the best candidate, by work, and of held-out tasks."""
    lines = ["| | (task, types) | " + " | ".join(f"{label}: geomean, worst" for label in PICKS.values())
             + " |", "|---|---|" + "---|" * len(PICKS)]
    groups = {"up to 0.1 GFLOP": lambda record: record["flops"] <= 1e8,
              "0.1 to 0.4 GFLOP": lambda record: 1e8 < record["flops"] <= 4e8,
              "more": lambda record: record["flops"] > 4e8,
              "all": lambda record: True,
              "of these, held out: never trained on": lambda record: record["split"] == "holdout"}
    for label, belongs in groups.items():
        chosen = [record for record in records if belongs(record)]
        cells = [[value for record in chosen if (value := ratio(record, "ours-best", pick))]
                 for pick in PICKS]
        if all(cells):
            figures = [f"{geomean(values):.3f}, {min(values):.3f}" for values in cells]
            lines.append(f"| {label} | {len(cells[0])} | " + " | ".join(figures) + " |")
    return lines


def shape_rows(records, types):
    names = [name for name, _ in PEERS] + [*PICKS, "ours-best"]
    lines = ["| task | MFLOP | " + " | ".join(names) + " | best / oneDNN |",
             "|---|---|" + "---|" * (len(names) + 1)]
    for record in records:
        if record["types"] != types:
            continue
        cells = [f"{record['flops'] / seconds / 1e9:.0f}" if seconds else "–"
                 for seconds in (best_seconds(record, name) for name in names)]
        against = ratio(record, "onednn-plain", "ours-best")
        cells.append(f"{against:.2f}" if against else "–")
        lines.append(f"| {record['task']} | {record['flops'] / 1e6:.1f} | "
                     + " | ".join(cells) + " |")
    return lines


def plot(records, path):
    kinds = [types for types in TYPES if any(record["types"] == types for record in records)]
    figure, axes = pyplot.subplots(len(kinds), 1, figsize=(10, 2.8 * len(kinds)), squeeze=False)
    for axis, types in zip(axes[:, 0], kinds):
        chosen = [record for record in records if record["types"] == types]
        ours = [(name, f"ours, {label}") for name, label in PICKS.items()]
        for name, label in [*PEERS, *ours, ("ours-best", "ours, best candidate")]:
            points = [(record["flops"] / 1e6, record["flops"] / seconds / 1e9)
                      for record in chosen if (seconds := best_seconds(record, name))]
            if points:
                marker = "o" if name.startswith("ours") else "x"
                axis.plot(*zip(*points), marker, markersize=4, label=label, alpha=0.7)
        axis.set(xscale="log", ylabel=f"{types}\nGOP/s", ylim=(0, None))
        axis.grid(alpha=0.3)
    axes[0, 0].legend(fontsize=8, loc="lower right")
    axes[-1, 0].set_xlabel("MFLOP per call")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def read(paths):
    """Records of all files; those of the same task and types become one."""
    merged = {}
    for path in paths:
        opener = lzma.open if path.endswith(".xz") else open
        with opener(path, "rt", encoding="utf-8") as lines:
            for record in map(json.loads, lines):
                key = record["task"], record["types"]
                merged.setdefault(key, {**record, "contenders": []})
                merged[key]["contenders"] += record["contenders"]
    return list(merged.values())


def main(tables, picture, *results):
    records = read(results)
    text = ["# Benchmark tables", "", "Written by `benchmarks/report.py`; what they mean: [benchmarks.md](benchmarks.md).", "",
            "### Ratios (peer's time / our time: more is better)", "", *summary(records),
            "", "### Picks, relative to the best candidate", "", *pick_rows(records)]
    for types in TYPES:
        if any(record["types"] == types for record in records):
            text += ["", f"### {types}, GOP/s", "", *shape_rows(records, types)]
    with open(tables, "w", encoding="utf-8") as output:
        output.write("\n".join(text) + "\n")
    plot(records, picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
