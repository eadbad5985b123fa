#!/usr/bin/env python3
"""Turns what engines.py prints of scripts/models/onnx_served.py into Markdown tables on standard output, and a plot.

Usage: served_report.py PLOT.svg RESULTS.jsonl...

Of lines with the same network, threads and extent the last one counts. A line {"memory_bytes_per_second",
"total_memory_bytes_per_second"}, as narrow_weights.py prints it, has what one core and all of them were probed to read.
"""
import collections
import json
import sys

from network_report import ENGINES, PEERS, cell, figure, pyplot, ratio


def read(paths):
    """{(stage, threads): {form: {extent: engines}}}, and the memory's bandwidth with one thread and with more."""
    tables, bandwidth = collections.defaultdict(lambda: collections.defaultdict(dict)), [None, None]
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            for record in map(json.loads, lines):
                if "network" not in record:
                    bandwidth = [record["memory_bytes_per_second"], record["total_memory_bytes_per_second"]]
                    continue
                stage, form = record["network"].removeprefix("llama-").split(".")
                tables[stage, record["threads"]][form][record["extent"]] = record["engines"]
    return tables, bandwidth


def seconds(engines):
    milliseconds = engines["ucmoh"].get("milliseconds")
    return milliseconds and milliseconds / 1e3


def weights_bytes(engines):
    """The bytes of the packed weights, as we save them."""
    return engines["ucmoh"]["saved_bytes"] - engines["ucmoh"]["code_bytes"]


def row(form, extent, stage, engines, bandwidth):
    ours = seconds(engines)
    rows = extent if stage == "prefill" else 1
    read_per_second = weights_bytes(engines) / ours
    times = [engines.get(name, {}).get("milliseconds") for name in ENGINES]
    cells = [form, str(extent), *("–" if time is None else f"{time:.2f}" for time in times), *(figure(ratio(engines, peer)) for peer in PEERS), f"{rows / ours:,.0f}",
             *([f"{read_per_second / 1e9:.1f}", figure(read_per_second / bandwidth) if bandwidth else "–"]
               if stage == "decode" else [])]
    return f"| {' | '.join(cells)} |"


def table(stage, forms, bandwidth):
    head = ["form", "rows" if stage == "prefill" else "cache", *(f"{name}, ms" for name in ENGINES.values()),
            *(f"x {ENGINES[peer]}" for peer in PEERS), "tokens/s",
            *(["GB/s of weights", "of the probed"] if stage == "decode" else [])]
    return [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}",
            *(row(form, extent, stage, engines, bandwidth) for form, extents in forms.items()
              for extent, engines in extents.items())]


def sizes(forms):
    """Memory and code of each form, after its last extent."""
    head = f"| form | peak MiB: {' / '.join(ENGINES.values())} | our code, KiB | compile, CPU s: ours |"
    rows = []
    for form, extents in forms.items():
        engines = list(extents.values())[-1]
        ours = engines["ucmoh"]
        rows.append(f"| {form} | {cell(engines, 'run_peak_bytes', 1 << 20, 0)} | {ours['code_bytes'] >> 10} | "
                    f"{ours['compile_cpu_seconds']:.1f} |")
    return [head, "|---|---|---|---|", *rows]


def plot(tables, path):
    """Times as fast as each peer over extents, for one thread."""
    chosen = [(stage, forms) for (stage, threads), forms in tables.items() if threads == 1]
    picture, axes = pyplot.subplots(len(chosen), len(PEERS), figsize=(9, 3.2 * len(chosen)), squeeze=False)
    for (stage, forms), line in zip(chosen, axes):
        for peer, axis in zip(PEERS, line):
            for form, extents in forms.items():
                points = {extent: value for extent, engines in extents.items() if (value := ratio(engines, peer))}
                axis.plot(list(points), list(points.values()), marker=".", label=form)
            axis.axhline(1, color="black", linewidth=0.8)
            axis.set(title=f"{stage}, x {ENGINES[peer]}", xscale="log", yscale="log",
                     xlabel="rows" if stage == "prefill" else "cache")
            axis.grid(alpha=0.3)
    axes[0][0].legend(fontsize=7)
    picture.tight_layout()
    picture.savefig(path, metadata={"Date": None})


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    tables, bandwidth = read(sys.argv[2:])
    for (stage, threads), forms in tables.items():
        print(f"\n### {stage.capitalize()}, {threads} thread{'s' * (threads > 1)}\n")
        print("\n".join([*table(stage, forms, bandwidth[threads > 1]), "", *sizes(forms)]))
    plot(tables, sys.argv[1])


if __name__ == "__main__":
    main()
