"""Prints the generated part of data/README.md: what the exports of records hold.

    python3 -m ucmoh.card data/*.jsonl.zst
"""
import argparse
import collections
import datetime
import itertools
import statistics

from ucmoh import dataset, noise


def target_of(intrinsic):
    return intrinsic.split("::")[0]


def day(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%d")


def markdown(title, rows):
    yield "| " + " | ".join(title) + " |"
    yield "|" + "---|" * len(title)
    for row in rows:
        yield "| " + " | ".join(map(str, row)) + " |"


def spread(row):
    """(p90 - p10) / median of the repeats."""
    return (noise.quantile(row.seconds, 0.9) - noise.quantile(row.seconds, 0.1)) / row.median


def count_rows(rows):
    """Rows by machine, split, types and target."""
    groups = collections.defaultdict(list)
    for row in rows:
        tags = row.workload.tags
        groups[row.machine.name, tags.get("split", ""), tags.get("types", ""),
               target_of(row.intrinsic)].append(row)
    for key, members in sorted(groups.items()):
        good = [row for row in members if not row.error]
        yield (*key, len({row.workload.id for row in members}), len(members),
               f"{1 - len(good) / len(members):.2%}",
               f"{statistics.median(map(spread, good)):.1%}" if good else "")


def count_intrinsics(rows):
    """Rows by machine, types and intrinsic."""
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row.machine.name, row.workload.tags.get("types", ""), row.intrinsic].append(row)
    for key, members in sorted(groups.items()):
        yield (*key, len({row.workload.id for row in members}), len(members),
               sum(bool(row.error) for row in members))


def count_depth(rows, enough=100):
    """How many candidates tasks have, by machine, types and target."""
    depth = collections.Counter((row.machine.name, row.workload.tags.get("types", ""),
                                 target_of(row.intrinsic), row.workload.id, row.choice)
                                for row in rows)
    groups = collections.defaultdict(collections.Counter)
    for machine, types, target, task, _ in depth:
        groups[machine, types, target][task] += 1
    for key, tasks in sorted(groups.items()):
        counts = tasks.values()
        yield (*key, len(counts), min(counts), statistics.median_low(counts),
               sum(count >= enough for count in counts))


def count_best(rows):
    """In how many tasks each target has the fastest candidate, among tasks that several compute."""
    tasks = collections.defaultdict(dict)
    for row in rows:
        if row.error:
            continue
        best = tasks[row.machine.name, row.workload.tags.get("types", ""), row.workload.id]
        target = target_of(row.intrinsic)
        best[target] = min(best.get(target, row.median), row.median)
    wins = collections.Counter()
    for (machine, types, _), best in tasks.items():
        if len(best) > 1:
            wins[machine, types, min(best, key=best.get)] += 1
    totals = collections.Counter()
    for (machine, types, _), count in wins.items():
        totals[machine, types] += count
    for (machine, types, target), count in sorted(wins.items()):
        yield machine, types, target, count, f"{count / totals[machine, types]:.1%}"


def failures(rows):
    reasons = collections.Counter(row.error.splitlines()[0][:80] for row in rows if row.error)
    return reasons.most_common() or [("none", 0)]


def card(paths):
    rows = list(itertools.chain.from_iterable(map(dataset.read, paths)))
    days = sorted({day(row.time) for row in rows})
    tasks = {row.workload.id for row in rows}
    yield (f"{len(rows)} rows, {len(tasks)} tasks, {len({row.machine.name for row in rows})} "
           f"machines, {days[0]} to {days[-1]}.")
    yield "\n### Rows\n"
    yield from markdown(("machine", "split", "types", "target", "tasks", "rows", "failed",
                         "spread of repeats"), count_rows(rows))
    yield "\n### Rows by intrinsic\n"
    yield from markdown(("machine", "types", "intrinsic", "tasks", "rows", "failed"),
                        count_intrinsics(rows))
    yield "\n### Different candidates of a task\n"
    yield from markdown(("machine", "types", "target", "tasks", "least", "median",
                         "tasks with at least 100"), count_depth(rows))
    yield "\n### Failures\n"
    yield from markdown(("reason", "rows"), failures(rows))
    yield "\n### Which target has the fastest candidate\n"
    yield from markdown(("machine", "types", "target", "tasks", "of all"), count_best(rows))
    yield "\n### Noise\n"
    yield from noise.table(noise.read_runs(paths))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("exports", nargs="+")
    print("\n".join(card(parser.parse_args().exports)))


if __name__ == "__main__":
    main()
