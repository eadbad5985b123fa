#!/usr/bin/env python3
"""Turns the lines of the race into tables (Markdown, standard output) and a plot.

    PYTHONPATH=python build/peers/bin/python benchmarks/race/report.py --peer=peer.jsonl --ours=ours.jsonl \
        --finals=finals.jsonl --one=one.jsonl --plot=race.svg
"""
import argparse
import math
import pathlib
import re
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from figures import pyplot, read  # noqa: E402


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


def searches(final, whose="ours"):
    """Names of a record of finals, by the number of trials."""
    return sorted((name for name in final if re.fullmatch(rf"{whose}-\d+", name)), key=trials_of)


def trials_of(name):
    return int(name.rpartition("-")[2])


def peers(final):
    """Seconds of what MetaSchedule found with all of its trials; None if it has none."""
    names = searches(final, "metaschedule")
    return final[names[-1]] if names else None


def of_types(finals, types):
    """Those that the peer has, too."""
    return {key: final for key, final in finals.items() if key[1] == types and peers(final)}


def best_so_far(records):
    """(trials, seconds) after each trial."""
    best, curve = math.inf, []
    for record in sorted(records, key=lambda record: record["trial"]):
        best = min(best, record["seconds"] or math.inf)
        curve.append((record["trial"] + 1, best))
    return curve


def task_table(finals, types):
    chosen = of_types(finals, types)
    ours = sorted({name for final in chosen.values() for name in searches(final)}, key=trials_of)
    titles = " | ".join(f"ours after {trials_of(name)}" for name in ours)
    lines = [f"| task | oneDNN, us | MetaSchedule, us (trials) | {titles} | MetaSchedule / ours after 0 |",
             "|---|" + "---|" * (len(ours) + 3)]
    for (task, _), final in chosen.items():
        cells = [f"{1e6 * final[name]:.1f}" if name in final else "–" for name in ours]
        theirs = ", ".join(f"{1e6 * final[name]:.1f} ({trials_of(name)})" for name in searches(final, "metaschedule"))
        lines.append(f"| {task} | {1e6 * final['onednn-plain']:.1f} | {theirs} | {' | '.join(cells)} | "
                     f"{peers(final) / final['ours-0']:.2f} |")
    return lines


def statistics_row(label, ratios):
    shares = [sum(ratio >= least for ratio in ratios) / len(ratios) for least in (1, 0.98)]
    percent = " | ".join(f"{100 * share:.0f} %" for share in shares)
    return (f"| {label} | {len(ratios)} | {geomean(ratios):.2f} | {statistics.median(ratios):.2f} | {min(ratios):.2f} | "
            f"{percent} |")


SUMMARY = ["| | tasks | geomean | median | worst | at least as fast | or 2 % slower |", "|---|---|---|---|---|---|---|"]


def summary(finals):
    """MetaSchedule's time over ours: more is better for us."""
    lines = list(SUMMARY)
    for types in kinds_of(finals):
        chosen = of_types(finals, types).values()
        ours = sorted({name for final in chosen for name in searches(final)}, key=trials_of)
        for name in ["ours-analytic", *ours, "onednn-plain"]:
            if ratios := [peers(final) / final[name] for final in chosen if name in final]:
                lines.append(statistics_row(f"{types}: {name}", ratios))
    return lines


def equal_trials(finals):
    """As the summary, for both sides after the same number of trials."""
    lines = list(SUMMARY)
    for types in kinds_of(finals):
        pairs = {}
        for final in of_types(finals, types).values():
            for name in searches(final, "metaschedule"):
                if (ours := f"ours-{trials_of(name)}") in final:
                    pairs.setdefault(trials_of(name), []).append(final[name] / final[ours])
        lines += [statistics_row(f"{types}: {trials} trials", ratios) for trials, ratios in sorted(pairs.items())]
    return lines


def spent(ours):
    """By (task, types) and number of trials: the seconds of our searches up to there."""
    found = {}
    for key, records in ours.items():
        total = 0
        for record in sorted((record for record in records if "choice" in record), key=lambda line: line["trials"]):
            total += record["search_seconds"]
            found[key, record["trials"]] = total
    return found


def equal_seconds(finals, ours, seconds, pick_seconds):
    """As the summary: ours after the longest search that took no longer than all of MetaSchedule's trials."""
    lines, took = list(SUMMARY), spent(ours)
    for types in kinds_of(finals):
        ratios = []
        for key, final in of_types(finals, types).items():
            whole = trials_of(searches(final, "metaschedule")[-1]) * seconds[types]
            fits = [name for name in searches(final) if took.get((key, trials_of(name)), pick_seconds) <= whole]
            if fits:
                ratios.append(peers(final) / final[fits[-1]])
        if ratios:
            lines.append(statistics_row(types, ratios))
    return lines


def ours_reaching(finals, ours, seconds, options):
    """How many trials and seconds we need for MetaSchedule's final time, which may be 2 % less for noise."""
    lines = ["| types | tasks | after 0 trials | with a search | never | our seconds, median | MetaSchedule's seconds, "
             "median | times as fast, median | least |", "|---|---|---|---|---|---|---|---|---|"]
    took = spent(ours)
    for types in kinds_of(finals):
        needed, ratios, theirs = [], [], []
        for key, final in of_types(finals, types).items():
            name = next((name for name in searches(final) if final[name] * 0.98 <= peers(final)), None)
            theirs.append(trials_of(searches(final, "metaschedule")[-1]) * seconds[types])
            needed.append(name and trials_of(name))
            if name:
                ratios.append(theirs[-1] / took.get((key, trials_of(name)), options.pick_seconds))
        mine = [whole / ratio for whole, ratio in zip([t for t, n in zip(theirs, needed) if n is not None], ratios)]
        if ratios:
            lines.append(f"| {types} | {len(needed)} | {needed.count(0)} | {sum(bool(n) for n in needed)} | "
                         f"{needed.count(None)} | {statistics.median(mine):.2f} | {statistics.median(theirs):.0f} | "
                         f"{statistics.median(ratios):.0f} | {min(ratios):.1f} |")
    return lines


def kinds_of(finals):
    return sorted({key[1] for key in finals if of_types(finals, key[1])}, reverse=True)


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
    chosen, took, points = of_types(finals, types), spent(ours), []
    for name in sorted({name for final in chosen.values() for name in searches(final)}, key=trials_of):
        trials = trials_of(name)
        ratios = [final[name] / peers(final) for final in chosen.values() if name in final]
        seconds = [took[key, trials] for key in chosen if (key, trials) in took]
        points.append((trials, statistics.median(seconds) if seconds else 0, geomean(ratios)))
    return points


def plot(finals, peer, ours, seconds, options):
    kinds = kinds_of(finals)
    figure, axes = pyplot.subplots(len(kinds), 2, figsize=(10, 3.2 * len(kinds)), squeeze=False, sharey="row")
    for row, types in zip(axes, kinds):
        curves = {key: best_so_far(records) for key, records in peer.items() if key in of_types(finals, types)}
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


def reaching(finals, peer, seconds):
    """Trials after which MetaSchedule's own times are at least as low as our pick without any."""
    lines = ["| types | tasks | never | of those that do, trials (median) | seconds |", "|---|---|---|---|---|"]
    for types in kinds_of(finals):
        needed = [next((trial for trial, least in best_so_far(peer[key]) if least <= final["ours-0"]), None)
                  for key, final in of_types(finals, types).items()]
        some = [value for value in needed if value]
        median = f"{statistics.median(some):.0f} | {statistics.median(some) * seconds[types]:.1f}" if some else "– | –"
        lines.append(f"| {types} | {len(needed)} | {len(needed) - len(some)} | {median} |")
    return lines


def print_tables(finals, peer, ours, seconds, options):
    for title, lines in [
            ("MetaSchedule's time, after all of its trials, over ours", summary(finals)),
            ("Both after the same number of trials", equal_trials(finals)),
            ("Both after the same number of seconds", equal_seconds(finals, ours, seconds, options.pick_seconds)),
            ("What we need for MetaSchedule's final time", ours_reaching(finals, ours, seconds, options)),
            ("What MetaSchedule needs for the time of our pick", reaching(finals, peer, seconds))]:
        print(f"{title}:\n\n" + "\n".join(lines) + "\n")
    for types in kinds_of(finals):
        print(f"### {types}\n\n" + "\n".join(task_table(finals, types)) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", required=True, help="output of metaschedule.py")
    parser.add_argument("--ours", required=True, help="output of ours.py")
    parser.add_argument("--finals", required=True, help="output of finals.py")
    parser.add_argument("--plot", required=True, help="SVG to write")
    parser.add_argument("--one", required=True,
                        help="output of metaschedule.py alone on a core, which says what a trial takes")
    parser.add_argument("--pick-seconds", type=float, default=0.1, help="that the pick without trials takes (0.1)")
    options = parser.parse_args()
    peer, ours = by_task(read(options.peer)), by_task(read(options.ours))
    finals = {key: medians(records[0]) for key, records in by_task(read(options.finals)).items()}
    seconds = seconds_of_trial(read(options.one))
    for types, value in seconds.items():
        print(f"A trial of MetaSchedule takes {value:.2f} s ({types}).\n")
    print_tables(finals, peer, ours, seconds, options)
    plot(finals, peer, ours, seconds, options)


if __name__ == "__main__":
    main()
