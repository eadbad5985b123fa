"""Tunes whole networks with several budgets; keeps the choices, and appends a JSON line for each network and budget.

    python3 benchmarks/tuner/networks.py --budgets 10s 60s 300s --work=DIR --output=tuned.jsonl FOLDER/resnet50.u8.mlir

Each budget starts from nothing. DIR/NETWORK.BUDGET.jsonl has the choices, which in_turns.py compiles and times, .txt the
table of ucmoh-tune, .log its progress. What is in the output is not tuned again. The budget `exhaustive` measures the
--first candidates of each task that the model ranks first, as far as they could be the best by what instructions take;
then the fastest ones meet the picks again, alone and in the model, as at the end of each search. For `alone`, which takes
what `exhaustive` measured, they do not have to win in the model.
"""
import argparse
import contextlib
import json
import os
import pathlib
import sqlite3
import subprocess
import time


def read(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def measure_all(network, stem, options):
    """Measures candidates of all tasks of the network into a database, whose path it gives. Goes on where it stopped."""
    records, tasks = f"{stem}.sqlite", stem.with_name(f"{stem.name}.tasks")
    subprocess.run([f"{options.ucmoh}/ucmoh-tune", network, "--plan=1", f"--records={records}", f"--output={tasks}"], check=True)
    with contextlib.closing(sqlite3.connect(records)) as database:
        rows = database.execute("SELECT name, ir FROM workloads").fetchall()
    tasks.write_text("".join(json.dumps({"name": name, "ir": ir}) + "\n" for name, ir in rows), encoding="utf-8")
    subprocess.run([f"{options.ucmoh}/ucmoh-collect", f"--tasks={tasks}", f"--db={records}", f"--first={options.first}",
                    "--model=embedded", "--beatable=0.75"], check=True)
    return records


def tune(network, budget, options):
    """The line of one search."""
    stem, start, known = options.work / f"{network.stem}.{budget}", time.monotonic(), []
    if budget in ("exhaustive", "alone"):
        records = measure_all(network, options.work / f"{network.stem}.exhaustive", options)
        known = [f"--records={records}", "--least-gain=1", f"--in-place={str(budget == 'exhaustive').lower()}"]
        budget = "10m"
    choices, curve, table, log = (stem.with_name(f"{stem.name}.{ending}") for ending in ("jsonl", "curve", "txt", "log"))
    with open(table, "w", encoding="utf-8") as out, open(log, "w", encoding="utf-8") as errors:
        subprocess.run([f"{options.ucmoh}/ucmoh-tune", network, f"--budget={budget}", f"--output={choices}",
                        f"--curve={curve}", *known], check=True, stdout=out, stderr=errors)
    took, lines = time.monotonic() - start, read(choices)
    return {"network": network.stem, "budget": stem.name.rpartition(".")[2], "workloads": len(lines),
            "changed": sum(line["rank"] > 0 for line in lines), "trials": read(curve)[-1]["trials"],
            "took_seconds": round(took, 1), "end": table.read_text(encoding="utf-8").splitlines()[-1]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="+", type=pathlib.Path, metavar="NETWORK.mlir")
    parser.add_argument("--ucmoh", default="build/bin", help="the folder of ucmoh-tune and ucmoh-collect")
    parser.add_argument("--budgets", nargs="+", default=["10s", "60s", "300s"], help="as of ucmoh-tune, or exhaustive, or alone")
    parser.add_argument("--first", type=int, default=500, help="candidates of each task for exhaustive (500)")
    parser.add_argument("--work", required=True, type=pathlib.Path, help="folder for choices")
    parser.add_argument("--output", required=True, type=pathlib.Path, help="JSON lines")
    options = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    options.work.mkdir(parents=True, exist_ok=True)
    done = {(line["network"], line["budget"]) for line in read(options.output)}
    for network in options.networks:
        for budget in options.budgets:
            if (network.stem, budget) not in done:
                line = tune(network, budget, options)
                with open(options.output, "a", encoding="utf-8") as output:
                    output.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
