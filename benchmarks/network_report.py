#!/usr/bin/env python3
"""Turns the raw results of engines.py into a Markdown table on standard output, and a plot.

Usage: network_report.py PLOT.svg RESULTS.jsonl...

Of lines with the same network the last one counts, engine by engine.
"""
import json
import math
import statistics
import sys

from figures import pyplot

ENGINES = {"onnxruntime": "ONNX Runtime", "openvino": "OpenVINO", "ucmoh": "ours"}
PEERS = [name for name in ENGINES if name != "ucmoh"]


def read(paths):
    """{network: {engine: its fields}}"""
    networks = {}
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            for record in map(json.loads, lines):
                networks.setdefault(record["network"], {}).update(record["engines"])
    return networks


def ratio(engines, peer):
    """How many times as long the peer takes: more is better. None where one of them failed."""
    theirs, ours = (engines.get(name, {}).get("milliseconds") for name in (peer, "ucmoh"))
    return theirs / ours if theirs and ours else None


def cell(engines, field, unit, digits):
    """The engines' figures of one kind, side by side."""
    values = [engines.get(name, {}).get(field) for name in ENGINES]
    return " / ".join("–" if value is None else f"{value / unit:.{digits}f}" for value in values)


def figure(value):
    return "–" if value is None else f"{value:.2f}".removeprefix("0")


def row(network, engines):
    times = [engines.get(name, {}).get("milliseconds") for name in ENGINES]
    cells = [network.replace(".", " "), *("–" if time is None else f"{time:.1f}" for time in times),
             *(figure(ratio(engines, peer)) for peer in PEERS), cell(engines, "compile_cpu_seconds", 1, 1),
             cell(engines, "run_peak_bytes", 1 << 20, 0), cell(engines, "saved_bytes", 1 << 20, 0)]
    return f"| {' | '.join(cells)} |"


def table(networks):
    names = list(ENGINES.values())
    together = " / ".join(names)
    head = ["network", *names, *(f"x {ENGINES[peer]}" for peer in PEERS), f"compile, CPU s: {together}",
            "memory, MiB", "saved, MiB"]
    return [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *(row(*entry) for entry in networks.items())]


def summary(networks):
    """Geometric mean and worst of the ratios to each peer."""
    lines = []
    for peer in PEERS:
        ratios = {name: value for name, engines in networks.items() if (value := ratio(engines, peer))}
        mean = math.exp(statistics.fmean(map(math.log, ratios.values())))
        worst = min(ratios, key=ratios.get)
        lines.append(f"x {ENGINES[peer]}: {len(ratios)} networks, geometric mean {mean:.2f}, worst "
                     f"{ratios[worst]:.2f} ({worst})")
    return lines


def plot(networks, path):
    """Speed relative to each peer, a bar per network."""
    figure_, axis = pyplot.subplots(figsize=(8, 0.32 * len(networks) + 1))
    for index, peer in enumerate(PEERS):
        ratios = [ratio(engines, peer) or 0 for engines in networks.values()]
        axis.barh([place + 0.4 * index for place in range(len(ratios))], ratios, 0.38, label=f"x {ENGINES[peer]}")
    axis.set_yticks([place + 0.2 for place in range(len(networks))], [name.replace(".", " ") for name in networks])
    axis.axvline(1, color="black", linewidth=0.8)
    axis.set(xlabel="times as fast", ylim=(len(networks), -0.4))
    axis.grid(axis="x", alpha=0.3)
    axis.legend(fontsize=8)
    figure_.tight_layout()
    figure_.savefig(path, metadata={"Date": None})


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    networks = read(sys.argv[2:])
    print("\n".join([*table(networks), "", *summary(networks)]))
    plot(networks, sys.argv[1])


if __name__ == "__main__":
    main()
