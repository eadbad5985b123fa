"""Tables of best-so-far against trials, from lines of ucmoh-replay-tuner and online_xgboost.py.

    python3 benchmarks/tuner/curves.py replay.jsonl
"""
import argparse
import collections
import json
import statistics

TRIALS = (1, 2, 4, 8, 16, 32, 64)


def reached(line, trials):
    """The best of all over the best of the first trials: 1 is the best there is."""
    return line["best"] / min(line["seconds"][:trials])


def summaries(lines):
    """(method, candidates' share of the best after each number of trials, trials to 98 %) for each method."""
    methods = collections.defaultdict(list)
    for line in lines:
        methods[line["method"]].append(line)
    for method, group in methods.items():
        yield method, group


def trials_to(line, share):
    """How many trials reach that share of the best; one more than there were if none does."""
    for count in range(1, len(line["seconds"]) + 1):
        if reached(line, count) >= share:
            return count
    return len(line["seconds"]) + 1


def table(lines, statistic):
    """Rows of Markdown."""
    yield "| search | " + " | ".join(f"{count}" for count in TRIALS) + " |"
    yield "|---" * (len(TRIALS) + 1) + "|"
    for method, group in summaries(lines):
        cells = (f"{statistic([reached(line, count) for line in group]):.3f}" for count in TRIALS)
        yield f"| {method} | " + " | ".join(cells) + " |"


def main():
    """Prints geomean, worst tenth and trials to 98 % of the best."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    lines = []
    for name in options.files:
        with open(name, encoding="utf-8") as file:
            lines += map(json.loads, file)
    print(len({(line["task"], line["candidates"]) for line in lines}), "tasks\n")
    print("Share of the best, geometric mean over tasks and seeds, after so many trials:\n")
    print("\n".join(table(lines, statistics.geometric_mean)))
    print("\nThe same, for the worst tenth (the 10th percentile):\n")
    print("\n".join(table(lines, lambda shares: statistics.quantiles(shares, n=10)[0])))
    print("\n| search | trials to 98 % of the best, median | mean | tasks that never reach it |\n|---|---|---|---|")
    for method, group in summaries(lines):
        counts = [trials_to(line, 0.98) for line in group]
        never = sum(reached(line, len(line["seconds"])) < 0.98 for line in group) / len(group)
        print(f"| {method} | {statistics.median(counts):g} | {statistics.mean(counts):.1f} | {100 * never:.0f} % |")


if __name__ == "__main__":
    main()
