#!/usr/bin/env python3
"""Stands for ucmoh-collect: adds CANDIDATES rows for each task that has none of them yet.

Each row that it adds is a line in --log. Once, half-way through the task --kill, it kills the
process that started it.
"""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "python"))
from ucmoh import dataset  # noqa: E402

CANDIDATES = 3


def measured(database):
    """Returns what an earlier attempt left."""
    if not database.exists():
        return set()
    export = database.with_suffix(".jsonl")
    subprocess.run(["ucmoh-records", "export", database, f"--output={export}"], check=True)
    return {(row.workload.name, row.choice) for row in dataset.read(export)}


def add(task, choice, database):
    row = {"workload": task["id"], "machine": "fake", "target": "host", "intrinsic": "t::i",
           "choice": choice, "program": "0", "seconds": [1e-3], "error": None, "run": "first",
           "versions": "", "time": int(time.time())}
    lines = [{"schema": dataset.SCHEMA}, {"machine": {"name": "fake", "cpu": "", "ir": ""}},
             {"workload": task | {"flops": 1, "tags": {}}}, {"row": row}]
    file = database.with_suffix(".row.jsonl")
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    subprocess.run(["ucmoh-records", "import", database, file], check=True)


def kill_parent_once(marker):
    if not marker.exists():
        marker.touch()
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)  # not reached to its end: it dies with its parent


def main():
    parser = argparse.ArgumentParser()
    for name in ("--tasks", "--db", "--log"):
        parser.add_argument(name, type=pathlib.Path, required=True)
    parser.add_argument("--kill", default="")
    parser.add_argument("--pause", type=float, default=0)
    options = parser.parse_args()
    present = measured(options.db)
    for task in map(json.loads, options.tasks.read_text().splitlines()):
        for number in range(CANDIDATES):
            choice = f"choice {number}"
            if (task["name"], choice) in present:
                continue
            if task["name"] == options.kill and number == 1:
                kill_parent_once(options.log.with_suffix(".killed"))
            add(task, choice, options.db)
            with open(options.log, "a", encoding="ascii") as log:
                log.write(f"{task['name']} {choice}\n")
            time.sleep(options.pause)


if __name__ == "__main__":
    main()
