"""Searches in the order of other models' scores, over points of ucmoh-replay-tuner.

    ucmoh-research score --models=unicomo:WEIGHTS --features=unicomo --data=RECORDS --output=scores.txt
    python3 benchmarks/tuner/ranked.py points.jsonl unicomo:scores.txt >> replay.jsonl

A file has a number for each program of the same records, in their order; the lowest is measured first. Several files of
a name are its seeds.
"""
import argparse
import collections
import json
import pathlib


def order(task, scores):
    """The task's candidates, as indices, by their scores; those that are alike stay in the order of the points."""
    return sorted(range(len(task["programs"])), key=lambda i: scores[task["programs"][i]])


def line(task, method, seed, ordered, trials):
    """As ucmoh-replay-tuner prints it."""
    return {"task": task["task"], "types": task["types"], "candidates": len(task["seconds"]), "method": method,
            "seed": seed, "best": min(task["seconds"]), "seconds": [task["seconds"][i] for i in ordered[:trials]]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("points")
    parser.add_argument("scores", nargs="+", metavar="NAME:FILE")
    parser.add_argument("--trials", type=int, default=64)
    options = parser.parse_args()
    models, seeds = [], collections.Counter()
    for text in options.scores:
        name, _, path = text.partition(":")
        models.append((name, seeds[name], list(map(float, pathlib.Path(path).read_text(encoding="utf-8").split()))))
        seeds[name] += 1
    with open(options.points, encoding="utf-8") as lines:
        for task in map(json.loads, lines):
            for name, seed, scores in models:
                print(json.dumps(line(task, name, seed, order(task, scores), options.trials)))


if __name__ == "__main__":
    main()
