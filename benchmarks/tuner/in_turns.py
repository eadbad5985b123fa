"""Times a network with the choices of several searches, in turns in one process; appends a JSON line per search.

    PATH=build/bin:$PATH PYTHONPATH=python build/peers/bin/python benchmarks/tuner/in_turns.py --work=DIR --compile N.mlir
    PATH=build/bin:$PATH PYTHONPATH=python build/peers/bin/python benchmarks/tuner/in_turns.py --work=DIR \
        --output=times.jsonl N.mlir

DIR is that of networks.py; budget 0s is the network without choices. With --compile nothing is timed, and what was
compiled stays in the cache of ucmoh.compile. Weights and inputs are random. A line has all seconds of all turns, which
begin with a call that does not count. Searches that found the same choices are one program: "program" is the first one.
"""
import argparse
import json
import os
import pathlib
import time

import numpy
import ucmoh
from ucmoh import compiler, specs

RANDOM = numpy.random.default_rng(1)


def array(spec):
    """Random values for an argument, small ones where they are floats."""
    kind = spec.types[0]
    if kind.startswith("float"):
        return (RANDOM.standard_normal(spec.shape, numpy.float32) * 0.05).astype(kind)
    return RANDOM.integers(0, 100, spec.shape).astype(kind)


def searches(network, work):
    """By budget, the file of choices; none for budget 0s. And by budget, the first one that has the same choices."""
    files = {"0s": None, **{file.name.split(".")[-2]: file for file in sorted(work.glob(f"{network.stem}.*.jsonl"))}}
    same, first = {}, {}
    for budget, file in files.items():
        lines = map(json.loads, file.read_text(encoding="utf-8").splitlines()) if file else []
        others = frozenset((line["workload_hash"], line["rank"]) for line in lines if line["rank"] > 0)
        same[budget] = first.setdefault(others, budget)
    return {budget: files[budget] for budget in first.values()}, same


def load(network, choices, weights):
    """The program. Weights are made for the first one, and shared."""
    library = compiler.build(network.read_text(encoding="utf-8"), "main", compiler.Options(choices=choices), network)
    if not weights:
        weights.extend(map(array, specs.described(library.description["weights"])))
    return ucmoh.compile(network, choices=choices, weights=weights)


def turn(program, inputs, calls):
    """Seconds of each call after the first."""
    seconds = []
    for _ in range(calls + 1):
        start = time.perf_counter()
        program(*inputs)
        seconds.append(round(time.perf_counter() - start, 7))
    return seconds[1:]


def measure(programs, inputs, options):
    """Seconds by budget; the order of a turn is another one each time."""
    seconds, order = {budget: [] for budget in programs}, list(programs)
    for _ in range(options.rounds):
        for budget in order:
            seconds[budget] += turn(programs[budget], inputs, options.calls)
        order = order[1:] + order[:1]
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="+", type=pathlib.Path, metavar="NETWORK.mlir")
    parser.add_argument("--work", required=True, type=pathlib.Path, help="folder of networks.py")
    parser.add_argument("--output", type=pathlib.Path, help="JSON lines")
    parser.add_argument("--compile", action="store_true", help="compile, and time nothing")
    parser.add_argument("--rounds", type=int, default=6, help="turns of all budgets (6)")
    parser.add_argument("--calls", type=int, default=10, help="calls in each turn (10)")
    options = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    for network in options.networks:
        weights = []
        files, same = searches(network, options.work)
        programs = {budget: load(network, choices, weights) for budget, choices in files.items()}
        if options.compile:
            continue
        inputs = list(map(array, programs["0s"].inputs))
        seconds = measure(programs, inputs, options)
        for budget, program in same.items():
            line = {"network": network.stem, "budget": budget, "program": program, "calls": options.calls,
                    "seconds": seconds[program]}
            with open(options.output, "a", encoding="utf-8") as output:
                output.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
