"""How far measurements can be trusted: prints a table about the runs in exports of records.

    python3 -m ucmoh.noise data/*.jsonl.zst

For each pair of runs of a machine, over the programs that both measured: by how much two
measurements of a program differ (median and 90th percentile), and two ceilings: how fast the pick
of the first run is by the times of the second, compared with the second's own best (geomean and
sum over tasks), and how many pairs of a task's programs both order alike (mean over tasks). No
model can be expected to score above them.
"""
import argparse
import collections
import itertools
import math
import statistics

from ucmoh import dataset

LEAST_PROGRAMS = 8  # a task has so many programs, or picking the best says nothing


def quantile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def read_runs(paths):
    """{machine: {run: {workload: {choice: median seconds}}}} of what did not fail."""
    runs = collections.defaultdict(
        lambda: collections.defaultdict(lambda: collections.defaultdict(dict)))
    for row in itertools.chain.from_iterable(map(dataset.read, paths)):
        if not row.error:
            runs[row.machine.name][row.run][row.workload.id][row.choice] = row.median
    return runs


def common_tasks(first, second):
    """[(times of the first, times of the second)] per task, over the same programs."""
    tasks = []
    for workload in sorted(first.keys() & second.keys()):
        choices = sorted(first[workload].keys() & second[workload].keys())
        if len(choices) >= LEAST_PROGRAMS:
            tasks.append(([first[workload][choice] for choice in choices],
                          [second[workload][choice] for choice in choices]))
    return tasks


def agreement(first, second):
    """Share of the pairs that differ in `second` which `first` orders alike; half of a tie."""
    pairs = [(a, c, b < d) for (a, b), (c, d) in itertools.combinations(zip(first, second), 2)
             if b != d]
    return sum(0.5 if a == c else (a < c) == less for a, c, less in pairs) / max(1, len(pairs))


def compare(first, second):
    """Statistics of a pair of runs; None if they have no task in common."""
    tasks = common_tasks(first, second)
    if not tasks:
        return None
    differences = [abs(a / b - 1) for times in tasks for a, b in zip(*times)]
    best = [min(judge) for _, judge in tasks]
    picked = [judge[times.index(min(times))] for times, judge in tasks]
    middle = [statistics.mean(judge) for _, judge in tasks]
    return {"tasks": len(tasks), "programs": len(differences),
            "median": statistics.median(differences), "p90": quantile(differences, 0.9),
            "ceiling": math.exp(statistics.mean(map(math.log, map(ratio, best, picked)))),
            "ceiling_sum": sum(best) / sum(picked),
            "pairwise": statistics.mean(agreement(*times) for times in tasks),
            "random": sum(best) / sum(middle)}


def ratio(best, picked):
    return best / picked


def table(runs):
    """Markdown lines."""
    yield "| machine | runs | tasks | programs | median difference | p90 | ceiling, geomean | ceiling, sums | ceiling, pairwise | random pick, sums |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for machine, of_machine in sorted(runs.items()):
        for first, second in itertools.permutations(sorted(of_machine), 2):
            found = compare(of_machine[first], of_machine[second])
            if found:
                yield (f"| {machine} | {first}, judged by {second} | {found['tasks']} | "
                       f"{found['programs']} | {found['median']:.2%} | {found['p90']:.2%} | "
                       f"{found['ceiling']:.4f} | {found['ceiling_sum']:.4f} | "
                       f"{found['pairwise']:.4f} | "
                       f"{found['random']:.3f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("exports", nargs="+")
    print("\n".join(table(read_runs(parser.parse_args().exports))))


if __name__ == "__main__":
    main()
