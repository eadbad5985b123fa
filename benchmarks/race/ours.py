#!/usr/bin/env python3
"""Tunes the tasks of the race with ucmoh-tune; appends a JSON line per round, and one with the choice of each search.

    PYTHONPATH=python python3 benchmarks/race/ours.py --tuner=build/bin/ucmoh-tune --work=DIR --output=ours.jsonl

A task's searches have --trials=16 and --trials=64, say, of which the longer one goes on from the records of the shorter
one. What is in the output is not measured again.
"""
import argparse
import json
import os
import pathlib
import subprocess
import time

from ucmoh import gen_workload
import names


def finished(path):
    if not os.path.exists(path):
        return set()
    with open(path, encoding="utf-8") as lines:
        return {(record["task"], record["types"], record["trials"]) for record in map(json.loads, lines)
                if "choice" in record}


def read_lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def search(task, types, trials, before, options):
    """The lines of one search; `before` trials are in the records."""
    stem = options.work / f"{task['name']}.{types}"
    source, choices, curve = (stem.with_name(f"{stem.name}.{ending}") for ending in ("mlir", "choices", "curve"))
    source.write_text(gen_workload.function(task, types))
    start = time.monotonic()
    subprocess.run([options.tuner, str(source), f"--records={stem}.sqlite", f"--output={choices}",
                    f"--curve={curve}", f"--trials={trials - before}", f"--budget={options.budget}",
                    "--least-gain=0", "--in-place=false"], check=True, stdout=subprocess.DEVNULL)
    tags = {"task": task["name"], "types": types}
    for point in read_lines(curve):
        yield {**tags, "trial": before + point["trials"], "seconds": point["after_seconds"],
               "elapsed_seconds": round(point["seconds"], 3)}
    choice = read_lines(choices)[0]
    yield {**tags, "trials": trials, "choice": choice["choice"], "rank": choice["rank"],
           "search_seconds": round(time.monotonic() - start, 3)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tuner", default="ucmoh-tune")
    parser.add_argument("--work", required=True, type=pathlib.Path, help="folder for records")
    parser.add_argument("--output", required=True, help="JSON lines")
    parser.add_argument("--types", nargs="+", default=["u8s8s32", "f32"], choices=list(gen_workload.ELEMENTS))
    parser.add_argument("--tasks", type=int, default=len(names.NAMES), help="the first so many of the race")
    parser.add_argument("--trials", nargs="+", type=int, default=[16, 64], help="trials of the searches (16 64)")
    parser.add_argument("--budget", default="10m", help="time of each search (10m)")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    done = finished(options.output)
    for before, trials in zip([0, *options.trials], options.trials):
        for task in list(names.tasks().values())[:options.tasks]:
            for types in options.types:
                if (task["name"], types, trials) in done:
                    continue
                try:
                    lines = list(search(task, types, trials, before, options))
                except subprocess.CalledProcessError as error:
                    print(task["name"], types, error, flush=True)
                    continue
                with open(options.output, "a", encoding="utf-8") as output:
                    output.writelines(json.dumps(line) + "\n" for line in lines)
                print(task["name"], types, trials, flush=True)


if __name__ == "__main__":
    main()
