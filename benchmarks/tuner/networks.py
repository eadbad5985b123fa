"""Tunes whole networks with several budgets; keeps the choices, and appends a JSON line for each network and budget.

    python3 benchmarks/tuner/networks.py --budgets 10s 60s 300s --work=DIR --output=tuned.jsonl FOLDER/resnet50.u8.mlir

Each budget starts from nothing. DIR/NETWORK.BUDGET.jsonl has the choices, which in_turns.py compiles and times, and .txt
the table of ucmoh-tune. What is in the output is not tuned again. With --records=FILE the search knows all that the file
has, and only the fastest ones meet the picks again: its budget is called `exhaustive`.
"""
import argparse
import json
import os
import pathlib
import subprocess
import time


def read(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def tune(network, budget, options):
    """The line of one search."""
    stem = options.work / f"{network.stem}.{'exhaustive' if options.records else budget}"
    choices, curve, table, log = (stem.with_name(f"{stem.name}.{ending}") for ending in ("jsonl", "curve", "txt", "log"))
    known = [f"--records={options.records}", "--least-gain=1"] if options.records else []
    start = time.monotonic()
    with open(table, "w", encoding="utf-8") as out, open(log, "w", encoding="utf-8") as errors:
        subprocess.run([f"{options.ucmoh}/ucmoh-tune", str(network), f"--budget={budget}", f"--output={choices}",
                        f"--curve={curve}", *known], check=True, stdout=out, stderr=errors)
    took, lines = time.monotonic() - start, read(choices)
    return {"network": network.stem, "budget": stem.name.rpartition(".")[2], "workloads": len(lines),
            "changed": sum(line["rank"] > 0 for line in lines), "trials": read(curve)[-1]["trials"],
            "took_seconds": round(took, 1), "end": table.read_text(encoding="utf-8").splitlines()[-1]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="+", type=pathlib.Path, metavar="NETWORK.mlir")
    parser.add_argument("--ucmoh", default="build/bin", help="the folder of ucmoh-tune")
    parser.add_argument("--budgets", nargs="+", default=["10s", "60s", "300s"])
    parser.add_argument("--records", help="database of what was measured before")
    parser.add_argument("--work", required=True, type=pathlib.Path, help="folder for choices")
    parser.add_argument("--output", required=True, type=pathlib.Path, help="JSON lines")
    options = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    options.work.mkdir(parents=True, exist_ok=True)
    done = {(line["network"], line["budget"]) for line in read(options.output)}
    for network in options.networks:
        for budget in options.budgets:
            if (network.stem, "exhaustive" if options.records else budget) not in done:
                line = tune(network, budget, options)
                with open(options.output, "a", encoding="utf-8") as output:
                    output.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
