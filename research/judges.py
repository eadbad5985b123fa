#!/usr/bin/env python3
"""Judges weights on every judge of data/: one table of top-1 geomean and pairs, for weights that are to ship.

    python3 research/judges.py run --folder build/judges --model before=models/default.safetensors \\
        learn=1.safetensors+2.safetensors+3.safetensors      # writes build/judges/judges.jsonl
    python3 research/judges.py table --folder build/judges > table.md

Weights joined by '+' are seeds of one line: their mean and their standard deviation. Features of a judge are computed once.
"""
import os
import subprocess
import sys

import study

# Title: exports of data/, without .jsonl.zst.
JUDGES = {
    "Zen 4": ["zen4-holdout"],
    "Sapphire Rapids": ["sapphirerapids-holdout"],
    "Sapphire Rapids, with the exhaustive lists": ["sapphirerapids-holdout", "sapphirerapids-exhaustive-holdout"],
    "Zen 5": ["zen5-judge"],
    "Zen 3, never learned": ["zen3-judge"],
    "Zen 4, windows": ["zen4-windows-holdout"],
    "Zen 4, aligned channels": ["zen4-aligned-holdout"],
    "Zen 5, windows": ["zen5-windows-holdout"],
    "Zen 5, aligned channels": ["zen5-aligned-holdout"],
    "Zen 5, two threads": ["zen5-threads-holdout"],
}
METRICS = ("top1_geomean", "pairwise")
RAW = "judges.jsonl"


def parse_arguments():
    parser = study.make_parser(__doc__, "features and judges.jsonl")
    parser.add_argument("--model", nargs="+", default=[], metavar="LABEL=W[+W...]", help="weights")
    parser.add_argument("--judges", nargs="+", default=list(JUDGES), choices=JUDGES, metavar="TITLE", help="only these")
    parser.add_argument("--types", nargs="+", default=["f32"], help="types that get lines of their own, of windows")
    parser.add_argument("--data", default="data", help="folder of the exports (data)")
    return parser.parse_args()


def features(folder, arguments, export):
    path = folder.path(f"{export}.safetensors")
    if not os.path.exists(path):
        subprocess.run([os.path.join(arguments.ucmoh, "ucmoh-featurize"), os.path.join(arguments.data, f"{export}.jsonl.zst"),
                        "--least-samples=2", f"--output={path}"], check=True, stdout=sys.stderr)
    return path


def run(folder, arguments):
    """Writes a row for each judge, group and model."""
    found, table = [], folder.path("scores.json")
    for judge in arguments.judges:
        data = ",".join(features(folder, arguments, export) for export in JUDGES[judge])
        subprocess.run([os.path.join(arguments.ucmoh, "ucmoh-train"), "evaluate", f"--data={data}", "--by=types", f"--json={table}",
                        f"--model={','.join(['analytic', *arguments.model])}"], check=True, stdout=subprocess.DEVNULL)
        found += [{"judge": judge, **row} for row in study.read_json(table)]
    study.write_lines(folder.path(RAW), found)


def cell(row):
    """Both metrics, with their spread over the seeds."""
    return ", ".join(study.with_spread(row[metric], row["spread"][metric] if row["seeds"] > 1 else None)
                     for metric in METRICS) if row else ""


def print_table(rows, types):
    models = [model for model in dict.fromkeys(row["model"] for row in rows) if model != "random"]
    models.sort(key=lambda model: model == "ceiling")
    by_key = {(row["judge"], row["group"], row["model"]): row for row in rows}
    lines = []
    for judge in dict.fromkeys(row["judge"] for row in rows):
        for group in ["all", *(f"types {name}" for name in types if "windows" in judge)]:
            found = [by_key.get((judge, group, model)) for model in models]
            if found[0]:
                title = judge if group == "all" else f"{judge}, {group.split()[1]}"
                lines.append([title, found[0]["lists"], *map(cell, found)])
    study.print_table(["judged on", "lists", *("second measurement" if model == "ceiling" else model for model in models)], lines)


def main():
    arguments = parse_arguments()
    folder = study.Folder(arguments)
    if arguments.command == "run":
        run(folder, arguments)
    else:
        print_table(study.read_lines(folder.path(RAW)), arguments.types)


if __name__ == "__main__":
    main()
