"""Prints what timing.py printed as tables in Markdown: one for each number of threads, with geometric means.

Usage: timing_report.py FILE.jsonl...
"""
import json
import math
import pathlib
import sys

NAMES = {"ucmoh": "ucmoh", "eager": "eager", "inductor": "inductor", "onnxruntime": "ONNX Runtime",
         "openvino": "OpenVINO"}


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def summary(rows):
    """How long each engine takes, in units of ucmoh, over the networks that it takes."""
    parts = []
    for engine, name in list(NAMES.items())[1:]:
        ratios = [row[engine] / row["ucmoh"] for row in rows.values() if engine in row]
        if ratios:
            parts.append(f"{name} {geomean(ratios):.2f} times (of {len(ratios)}, {min(ratios):.2f} at least)")
    return f"In the geometric mean of {len(rows)} networks, as long as ucmoh: {', '.join(parts)}."


def table(rows):
    yield f"| network | {' | '.join(f'{name}, ms' for name in NAMES.values())} |"
    yield f"|---|{'---|' * len(NAMES)}"
    for network, row in rows.items():
        cells = [f"{row[engine]:.2f}" if engine in row else "" for engine in NAMES]
        yield f"| {network} | {' | '.join(cells)} |"


def main():
    lines = [json.loads(line) for path in sys.argv[1:] for line in pathlib.Path(path).read_text().splitlines()]
    for threads in sorted({line["threads"] for line in lines}):
        rows = {line["network"]: line["milliseconds"] for line in lines if line["threads"] == threads}
        print(f"Threads: {threads}. {summary(rows)}", *table(rows), sep="\n", end="\n\n")


if __name__ == "__main__":
    main()
