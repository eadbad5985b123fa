#!/usr/bin/env python3
"""Turns the lines of the race into tables (Markdown, standard output) and a plot.

    PYTHONPATH=python build/peers/bin/python benchmarks/race/report.py --peer=peer.jsonl --ours=ours.jsonl \
        --finals=finals.jsonl --one=one.jsonl --plot=race.svg
"""
import argparse
import json
import lzma
import math
import statistics

import matplotlib
matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "ucmoh"  # same input, same file
from matplotlib import pyplot  # noqa: E402


def read(path):
    opener = lzma.open if path.endswith(".xz") else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def by_task(records):
    found = {}
    for record in records:
        found.setdefault((record["task"], record["types"]), []).append(record)
    return found


def geomean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def medians(record):
    """Seconds by name; of several entries of a name, the fastest one's. Wrong results do not count."""
    best = {}
    for entry in record["implementations"]:
        if entry["seconds"] and entry["error"] < 1e-2:
            seconds = statistics.median(entry["seconds"])
            best[entry["name"]] = min(seconds, best.get(entry["name"], seconds))
    return best


def searches(final):
    """Our names in a record of finals, by the number of trials."""
    return sorted((name for name in final if name.startswith("ours-") and name[5:].isdigit()),
                  key=lambda name: int(name[5:]))


def best_so_far(records):
    """(trials, seconds) after each trial."""
    best, curve = math.inf, []
    for record in sorted(records, key=lambda record: record["trial"]):
        best = min(best, record["seconds"] or math.inf)
        curve.append((record["trial"] + 1, best))
    return curve


def task_table(finals, types, peer):
    chosen = {key: final for key, final in finals.items() if key[1] == types}
    ours = searches(next(iter(chosen.values())))
    titles = " | ".join(f"ours after {name[5:]}" for name in ours)
    lines = [f"| task | oneDNN, us | MetaSchedule, us (trials) | {titles} | MetaSchedule / ours after 0 |",
             "|---|" + "---|" * (len(ours) + 3)]
    for key, final in chosen.items():
        if "metaschedule" not in final:
            continue
        cells = [f"{1e6 * final[name]:.1f}" if name in final else "–" for name in ours]
        lines.append(f"| {key[0]} | {1e6 * final['onednn-plain']:.1f} | {1e6 * final['metaschedule']:.1f} "
                     f"({len(peer[key])}) | {' | '.join(cells)} | {final['metaschedule'] / final['ours-0']:.2f} |")
    return lines


def summary(finals):
    """MetaSchedule's time over ours: more is better for us."""
    lines = ["| | tasks | geomean | median | worst | at least as fast | or 2 % slower |",
             "|---|---|---|---|---|---|---|"]
    for types in sorted({key[1] for key in finals}, reverse=True):
        chosen = [final for key, final in finals.items() if key[1] == types and "metaschedule" in final]
        for name in ["ours-analytic", *searches(chosen[0]), "onednn-plain"]:
            ratios = [final["metaschedule"] / final[name] for final in chosen if name in final]
            if ratios:
                shares = [sum(ratio >= least for ratio in ratios) / len(ratios) for least in (1, 0.98)]
                percent = " | ".join(f"{100 * share:.0f} %" for share in shares)
                lines.append(f"| {types}: {name} | {len(ratios)} | {geomean(ratios):.2f} | "
                             f"{statistics.median(ratios):.2f} | {min(ratios):.2f} | {percent} |")
    return lines


def normalized(curves, finals, seconds_per_trial):
    """Over tasks, the geometric mean of best-so-far over the peer's final, by trial; trials that all tasks have."""
    length = min(len(curve) for curve in curves.values())
    points = []
    for index in range(length):
        ratios = [curve[index][1] / finals[key] for key, curve in curves.items()]
        points.append((index + 1, geomean(ratios) if all(map(math.isfinite, ratios)) else math.nan))
    return [(trial, trial * seconds_per_trial, ratio) for trial, ratio in points]


def ours_points(finals, types, ours):
    """(trials, seconds, ratio) of our picks and searches, as they were timed side by side."""
    chosen = {key: final for key, final in finals.items() if key[1] == types and "metaschedule" in final}
    spent = {}
    for key, records in ours.items():
        for record in records:
            if "choice" in record:
                spent.setdefault(record["trials"], {})[key] = record["search_seconds"]
    points, total = [], 0
    for name in searches(next(iter(chosen.values()))):
        trials = int(name[5:])
        ratios = [final[name] / final["metaschedule"] for final in chosen.values() if name in final]
        seconds = [value for key, value in spent.get(trials, {}).items() if key[1] == types]
        total += statistics.median(seconds) if seconds else 0
        points.append((trials, total, geomean(ratios)))
    return points


def plot(finals, peer, ours, seconds, options):
    kinds = sorted({key[1] for key in finals}, reverse=True)
    figure, axes = pyplot.subplots(len(kinds), 2, figsize=(10, 3.2 * len(kinds)), squeeze=False, sharey="row")
    for row, types in zip(axes, kinds):
        curves = {key: best_so_far(records) for key, records in peer.items() if key[1] == types and key in finals}
        last = {key: curve[-1][1] for key, curve in curves.items()}
        theirs, mine = normalized(curves, last, seconds[types]), ours_points(finals, types, ours)
        for axis, column in zip(row, (0, 1)):
            axis.plot([point[column] for point in theirs], [point[2] for point in theirs], label="MetaSchedule")
            floor = 0.5 if column == 0 else options.pick_seconds
            axis.plot([max(point[column], floor) for point in mine], [point[2] for point in mine], "o-",
                      label="UCMoH: 0 trials, and searches")
            axis.axhline(1, color="gray", linewidth=0.8)
            axis.set(xscale="log", yscale="log", ylabel=f"{types}\nbest so far / MetaSchedule's final"
                     if column == 0 else None)
            axis.grid(alpha=0.3)
    axes[-1, 0].set_xlabel("trials (0 is drawn at 0.5)")
    axes[-1, 1].set_xlabel("seconds of one core")
    axes[0, 0].legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(options.plot, metadata={"Date": None})


def seconds_of_trial(records):
    """By types, over all of their trials."""
    found = {}
    for (_, types), lines in by_task(records).items():
        found.setdefault(types, []).append(max(line["elapsed_seconds"] for line in lines) / len(lines))
    return {types: statistics.fmean(values) for types, values in found.items()}


def reaching(finals, peer):
    """Trials after which MetaSchedule's own times are at least as low as our pick without any."""
    lines = ["| types | tasks | never | median of those that do, trials |", "|---|---|---|---|"]
    for types in sorted({key[1] for key in finals}, reverse=True):
        needed = []
        for key, final in finals.items():
            if key[1] == types and "metaschedule" in final:
                needed.append(next((trial for trial, seconds in best_so_far(peer[key])
                                    if seconds <= final["ours-0"]), None))
        some = [value for value in needed if value]
        median = f"{statistics.median(some):.0f}" if some else "–"
        lines.append(f"| {types} | {len(needed)} | {len(needed) - len(some)} | {median} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", required=True, help="of metaschedule.py")
    parser.add_argument("--ours", required=True, help="of ours.py")
    parser.add_argument("--finals", required=True, help="of finals.py")
    parser.add_argument("--plot", required=True, help="SVG to write")
    parser.add_argument("--one", required=True, help="of metaschedule.py, alone on a core: what a trial takes")
    parser.add_argument("--pick-seconds", type=float, default=0.1, help="that the pick without trials takes (0.1)")
    options = parser.parse_args()
    peer, ours = by_task(read(options.peer)), by_task(read(options.ours))
    finals = {key: medians(records[0]) for key, records in by_task(read(options.finals)).items()}
    seconds = seconds_of_trial(read(options.one))
    for types, value in seconds.items():
        print(f"A trial of MetaSchedule takes {value:.2f} s ({types}).\n")
    print("\n".join(summary(finals)))
    print("\nTrials until MetaSchedule is as fast as our pick:\n")
    print("\n".join(reaching(finals, peer)))
    for types in sorted({key[1] for key in finals}, reverse=True):
        print(f"\n### {types}\n")
        print("\n".join(task_table(finals, types, peer)))
    plot(finals, peer, ours, seconds, options)


if __name__ == "__main__":
    main()
