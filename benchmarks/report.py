#!/usr/bin/env python3
"""Turns the raw results of bench.py into Markdown tables and a plot."""
import argparse
import math
import statistics

import figures
from figures import pyplot
from ucmoh.tasks import TYPES

PICKS = {"ours-analytic": "analytic pick", "ours-learned": "learned pick"}
PEERS = [("onednn-plain", "oneDNN"), ("onednn-any", "oneDNN, any format"), ("iree", "IREE")]


def is_right(entry, saturating_peer):
    """Wrong results do not count, but those of a peer that is known to saturate."""
    return entry.get("error", 0) < 1e-2 or saturating_peer and not entry["name"].startswith("ours")


def best_seconds(record, name):
    """The least time of the implementations of that name, each by its "seconds"; None if there is none.

    The picks are candidates as well, so the best is never worse than they.
    """
    names = {name, *PICKS} if name == "ours-best" else {name}
    return min((record["statistic"](entry["seconds"]) for entry in record["implementations"]
                if entry["name"] in names and entry["seconds"]), default=None)


def ratio(record, peer, ours):
    """How many times as long the peer takes: more is better."""
    seconds = best_seconds(record, peer), best_seconds(record, ours)
    return None if None in seconds else seconds[0] / seconds[1]


def ratio_rows(records, types):
    """Each task's time by oneDNN, and what of its speed ours have."""
    lines = ["| task | oneDNN, us | best | " + " | ".join(PICKS.values()) + " |",
             "|---|---|---|" + "---|" * len(PICKS)]
    for record in records:
        seconds = best_seconds(record, "onednn-plain")
        if record["types"] == types and seconds:
            ratios = [ratio(record, "onednn-plain", ours) for ours in ("ours-best", *PICKS)]
            lines.append(f"| {record['task']} | {1e6 * seconds:.0f} | "
                         + " | ".join(f"{value:.2f}" if value else "–" for value in ratios) + " |")
    return lines


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


def read(paths, statistic, saturating_peer):
    """Records of all files; those of the same task and types become one."""
    merged = {}
    for path in paths:
        for record in figures.read(path):
            key = record["task"], record["types"]
            found = record.get("implementations") or record["contenders"]  # older results
            merged.setdefault(key, {**record, "implementations": [], "statistic": statistic})
            merged[key]["implementations"] += [entry for entry in found if is_right(entry, saturating_peer)]
    return list(merged.values())


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", help="Markdown file to write")
    parser.add_argument("picture", help="plot to write (SVG)")
    parser.add_argument("results", nargs="+", help="JSON lines of bench.py, perhaps xz-compressed")
    parser.add_argument("--ratios", action="store_true",
                        help="per task what of oneDNN's speed ours have, in place of GOP/s")
    parser.add_argument("--minima", action="store_true",
                        help="each implementation by its fastest sample, in place of the median")
    parser.add_argument("--saturating-peer", action="store_true",
                        help="count a peer's wrong sums, too: oneDNN's u8 x s8 saturates in 16 bits "
                             "on CPUs without VNNI")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    records = read(arguments.results, min if arguments.minima else statistics.median,
                   arguments.saturating_peer)
    text = ["# Benchmark tables", "", "Written by `benchmarks/report.py`. [Results](README.md) says what they mean.", "",
            "### Ratios (peer's time / our time: more is better)", "", *summary(records),
            "", "### Picks, relative to the best candidate", "", *pick_rows(records)]
    for types in TYPES:
        if any(record["types"] == types for record in records):
            rows, unit = (ratio_rows, "ratios") if arguments.ratios else (shape_rows, "GOP/s")
            text += ["", f"### {types}, {unit}", "", *rows(records, types)]
    with open(arguments.tables, "w", encoding="utf-8") as output:
        output.write("\n".join(text) + "\n")
    plot(records, arguments.picture)


if __name__ == "__main__":
    main()
