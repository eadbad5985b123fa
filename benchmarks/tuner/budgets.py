"""A table (Markdown, standard output) and a plot of networks' latency against budgets of ucmoh-tune.

    build/peers/bin/python benchmarks/tuner/budgets.py --tuned=tuned.jsonl --times=times.jsonl --plot=budgets.svg

Lines are those of networks.py and in_turns.py, also compressed (.xz). The median is over all calls. A ratio is the median
over turns of the median seconds without a budget over those with it, both of the same turn: more is faster. Budgets
that led to the same choices have the same program, which was timed once.
"""
import argparse
import pathlib
import re
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from figures import pyplot, read  # noqa: E402


def turns(line):
    """The median seconds of each turn."""
    calls = line["calls"]
    return [statistics.median(line["seconds"][start:start + calls]) for start in range(0, len(line["seconds"]), calls)]


def faster(line, base):
    return statistics.median(before / after for before, after in zip(turns(base), turns(line), strict=True))


def seconds_of(budget):
    """The number that a budget begins with; those that have none come last, since they are no budgets."""
    number = re.match(r"\d+", budget)
    return int(number.group()) if number else float("inf")


def by_network(times):
    """For each network, the lines by budget, in the budgets' order."""
    found = {}
    for line in sorted(times, key=lambda line: (seconds_of(line["budget"]), line["budget"])):
        found.setdefault(line["network"], {})[line["budget"]] = line
    return found


def rows(networks, tuned):
    yield ("| network | budget | least, ms | median, ms | faster than without | kernels with another choice | trials | took, s |")
    yield "|---|---|---|---|---|---|---|---|"
    for network, lines in networks.items():
        for budget, line in lines.items():
            search = tuned.get((network, budget))
            made = (f"{search['changed']} of {search['workloads']} | {search['trials']} | {search['took_seconds']:.0f}"
                    if search else "– | – | –")
            times = (f"{1e3 * min(line['seconds']):.2f} | {1e3 * statistics.median(line['seconds']):.2f} | "
                     f"{faster(line, lines['0s']):.3f}" if line["program"] == budget else f"the program of {line['program']} | | ")
            yield f"| {network} | {budget} | {times} | {made} |"


def plot(networks, path):
    figure, axis = pyplot.subplots(figsize=(7, 3.6))
    for network, lines in networks.items():
        points = [(seconds_of(budget), faster(line, lines["0s"])) for budget, line in lines.items()
                  if seconds_of(budget) < float("inf")]
        axis.plot([max(seconds, 1) for seconds, _ in points], [1 / ratio for _, ratio in points], "o-", label=network)
    axis.set(xscale="log", xlabel="budget, seconds (0 is drawn at 1)", ylabel="latency / latency without")
    axis.set_ylim(0.9, 1.1)
    axis.grid(alpha=0.3)
    axis.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tuned", required=True, help="lines of networks.py")
    parser.add_argument("--times", required=True, help="lines of in_turns.py")
    parser.add_argument("--plot", required=True, help="SVG to write")
    options = parser.parse_args()
    tuned = {(line["network"], line["budget"]): line for line in read(options.tuned)}
    networks = by_network(read(options.times))
    print("\n".join(rows(networks, tuned)))
    plot(networks, options.plot)


if __name__ == "__main__":
    main()
