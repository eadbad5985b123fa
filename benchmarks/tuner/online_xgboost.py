"""Searches with gradient boosted trees that learn from each round, over points of ucmoh-replay-tuner.

    python3 benchmarks/tuner/online_xgboost.py points.jsonl >> replay.jsonl

Two searches, in rounds of eight, with three seeds each: "trees" knows nothing before its first round, which is drawn at
random, and draws one candidate of each later round at random (as the peers' searches do); "corrected: trees" learns by
which factor the model's prediction is wrong, and begins with the model's order.
"""
import argparse
import json

import numpy
import ranked
import xgboost

ROUND = 8
TREES = 60
PARAMETERS = {"max_depth": 6, "eta": 0.2, "subsample": 0.8, "nthread": 1, "tree_method": "exact"}


def search(task, trials, seed, corrects):
    """The order, as indices, in which candidates are measured."""
    points, logs = numpy.array(task["points"], numpy.float32), numpy.log(task["seconds"])
    prior = numpy.log(task["predicted"]) if corrects else numpy.zeros(len(logs))
    everything = xgboost.DMatrix(points)
    random = numpy.random.default_rng(seed)
    order = list(range(ROUND)) if corrects else list(random.permutation(len(logs))[:ROUND])
    while len(order) < min(trials, len(logs)):
        known = xgboost.DMatrix(points[order], (logs - prior)[order])
        model = xgboost.train({**PARAMETERS, "seed": seed}, known, TREES)
        expected = model.predict(everything) + prior
        expected[order] = numpy.inf
        chosen = list(numpy.argsort(expected, kind="stable")[:ROUND if corrects else ROUND - 1])
        rest = [i for i in range(len(logs)) if i not in order and i not in chosen]
        if not corrects and rest:
            chosen.append(random.choice(rest))
        order += [i for i in chosen if numpy.isfinite(expected[i])]
    return order[:trials]


def main():
    """Prints lines as ucmoh-replay-tuner does."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("points")
    parser.add_argument("--trials", type=int, default=64)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    with open(options.points, encoding="utf-8") as lines:
        for task in map(json.loads, lines):
            for corrects in (False, True):
                for seed in range(options.seeds):
                    order = search(task, options.trials, seed, corrects)
                    method = "corrected: trees" if corrects else "trees"
                    print(json.dumps(ranked.line(task, method, seed, order, options.trials)), flush=True)


if __name__ == "__main__":
    main()
