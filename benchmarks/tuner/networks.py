#!/usr/bin/env python3
"""Times whole networks after several budgets of ucmoh-tune; appends a JSON line for each network and budget.

    python3 benchmarks/tuner/networks.py --budgets 10s 60s --output=networks.jsonl FOLDER/resnet50.u8.mlir

Each budget starts from nothing. In the end, the network without tuning (budget 0) and with the choices of each budget
runs in turns; the least milliseconds of all calls count. A network that is in the output is not tuned again.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time


def tune(network, budget, folder, options):
    """The file of choices, how many kernels are another than the pick, trials, and the seconds it took."""
    choices = folder / f"{budget}.jsonl"
    start = time.monotonic()
    subprocess.run([f"{options.ucmoh}/ucmoh-tune", str(network), f"--budget={budget}", f"--output={choices}"],
                   check=True, stdout=subprocess.DEVNULL)
    lines = [json.loads(line) for line in choices.read_text().splitlines()]
    return choices, {"kernels": len(lines), "changed": sum(line["rank"] > 0 for line in lines),
                     "trials": sum(line["trials"] for line in lines),
                     "took_seconds": round(time.monotonic() - start, 1)}


def least(network, choices, options):
    """The least and the median seconds of a call."""
    command = [f"{options.ucmoh}/ucmoh-run", str(network), "--verify=false", "--json", f"--repeat={options.calls}"]
    command += [f"--choices={choices}"] if choices else []
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return report["seconds"]["min"], report["seconds"]["median"]


def measure(network, options):
    with tempfile.TemporaryDirectory() as folder:
        searched = {"0s": (None, {})}
        for budget in options.budgets:
            searched[budget] = tune(network, budget, pathlib.Path(folder), options)
        times = {budget: [] for budget in searched}
        for _ in range(options.rounds):
            for budget, (choices, _) in searched.items():
                times[budget].append(least(network, choices, options))
    for budget, (_, tuned) in searched.items():
        yield {"network": network.stem, "budget": budget, "min_ms": round(min(t[0] for t in times[budget]) * 1e3, 3),
               "median_ms": [round(t[1] * 1e3, 3) for t in times[budget]], **tuned}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="+", type=pathlib.Path, metavar="NETWORK.mlir")
    parser.add_argument("--ucmoh", default="build/bin", help="the folder of ucmoh-tune and ucmoh-run")
    parser.add_argument("--budgets", nargs="+", default=["10s", "60s"])
    parser.add_argument("--output", required=True, type=pathlib.Path, help="JSON lines")
    parser.add_argument("--rounds", type=int, default=2, help="turns of all budgets (2)")
    parser.add_argument("--calls", type=int, default=10, help="calls in each turn (10)")
    options = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    done = set()
    if options.output.exists():
        done = {json.loads(line)["network"] for line in options.output.read_text().splitlines()}
    for network in options.networks:
        if network.stem in done:
            continue
        try:
            lines = list(measure(network, options))
        except subprocess.CalledProcessError as error:
            print(f"{network}: {error}", file=sys.stderr)
            continue
        with open(options.output, "a", encoding="utf-8") as output:
            output.writelines(json.dumps(line) + "\n" for line in lines)


if __name__ == "__main__":
    main()
