#!/usr/bin/env python3
"""Times the winners of the race side by side: oneDNN, TVM's schedules, our picks and what our searches kept.

    PYTHONPATH=python:benchmarks build/peers/bin/python benchmarks/race/finals.py --peer=DIR --ours=ours.jsonl \
        --bench=build/benchmarks/ucmoh-bench --ucmoh=build/bin --scratch=DIR2 --output=finals.jsonl

--peer is the folder of compile_peer.py. With --compile nothing is timed, without it nothing is compiled. A task that is
in the output is not timed again.
"""
import argparse
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import bench  # noqa: E402
import compile_ours  # noqa: E402
import iree_peer  # noqa: E402

import names  # noqa: E402


def searched(path):
    """By (task, types): the choices of our searches, by the number of trials."""
    found = {}
    with open(path, encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            if "choice" in record:
                found.setdefault((record["task"], record["types"]), {})[record["trials"]] = record["choice"]
    return found


def compile_task(task, types, choices, options):
    """The paths of the descriptions of all that is compared."""
    compiler = compile_ours.Compiler(task, types, options)
    entries = {"ours-analytic": compiler.pick("analytic"), "ours-0": compiler.pick("embedded"),
               **{f"ours-{trials}": choice for trials, choice in sorted(choices.items())}}
    paths = compiler.build(list(entries), list(entries.values()))
    return [*map(str, paths), *map(str, sorted(options.peer.glob(f"{task['name']}.{types}.*.json")))]


def compile_all(tasks, options):
    listing = json.loads(options.listing.read_text()) if options.listing.exists() else {}
    for (name, types), choices in searched(options.ours).items():
        key = f"{name} {types}"
        if key in listing or not list(options.peer.glob(f"{name}.{types}.*.json")):
            continue
        try:
            listing[key] = compile_task(tasks[name], types, choices, options)
        except iree_peer.Failure as failure:
            print(key, failure, flush=True)
        options.listing.write_text(json.dumps(listing))


def time_all(tasks, options):
    done = set()
    if options.output.exists():
        done = {f"{record['task']} {record['types']}" for record in
                map(json.loads, options.output.read_text().splitlines())}
    program = bench.pinned(options.bench, options.core)
    for key, paths in json.loads(options.listing.read_text()).items():
        name, types = key.split()
        if key in done:
            continue
        result = iree_peer.run([*program, "--task", json.dumps(tasks[name]), "--types", types,
                                "--rounds", str(options.rounds), *(f"--compiled={path}" for path in paths)])
        record = {"task": name, "types": types, "flops": tasks[name]["flops"],
                  "implementations": json.loads(result.stdout)["implementations"]}
        with open(options.output, "a", encoding="utf-8") as output:
            output.write(json.dumps(record) + "\n")
        print(key, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", required=True, type=pathlib.Path, help="folder of compile_peer.py")
    parser.add_argument("--ours", required=True, help="output of ours.py")
    parser.add_argument("--scratch", required=True, type=pathlib.Path, help="folder for compiled functions")
    parser.add_argument("--output", required=True, type=pathlib.Path, help="JSON lines")
    parser.add_argument("--bench", default="build/benchmarks/ucmoh-bench", help="the program ucmoh-bench")
    parser.add_argument("--ucmoh", default="build/bin", help="folder of ucmoh-opt")
    parser.add_argument("--llvm", default="/usr/lib/llvm-22/bin", help="folder of LLVM's tools")
    parser.add_argument("--target", default="host")
    parser.add_argument("--compile", action="store_true", help="compile, and time nothing")
    parser.add_argument("--rounds", type=int, default=15, help="samples of each (15)")
    parser.add_argument("--core", type=int, default=1, help="core to run on")
    options = parser.parse_args()
    options.listing = options.scratch / "listing.json"
    options.scratch.mkdir(parents=True, exist_ok=True)
    os.environ["OMP_NUM_THREADS"] = "1"
    tasks = names.tasks()
    if options.compile:
        compile_all(tasks, options)
    else:
        time_all(tasks, options)


if __name__ == "__main__":
    main()
