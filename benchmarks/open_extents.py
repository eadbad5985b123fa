#!/usr/bin/env python3
"""Times ONNX files with open extents beside their forms of one extent, in turns, in one process.

    PYTHONPATH=python build/peers/bin/python benchmarks/open_extents.py served/llama-prefill.{f32,s8}.onnx --extents 1 33

Compiles a file once with open extents and once for each of --extents, into --folder, and takes from there what lies
there. Prints a line of JSON for each extent: the least milliseconds of all calls of both forms.

    {"network", "threads", "extent", "dynamic_ms", "static_ms"}
"""

import argparse
import json
import os
import pathlib

import ucmoh

import engine


def saved(path, extent, options):
    """The program for one extent, or without one that for all of them."""
    form = "open" if extent is None else str(extent)
    place = options.folder / f"{path.stem}.{form}.{options.threads}"
    if not place.exists():
        inputs = None if extent is None else engine.inputs_of(path, extent)
        with ucmoh.threads(options.threads):
            ucmoh.compile(path, inputs, keep=False).save(place)
    return place


def least_of_turns(programs, inputs, options):
    """The least milliseconds of each program."""
    turns = [[engine.least_ms(lambda: program.run(inputs), options.calls) for program in programs]
             for _ in range(options.rounds)]
    return [round(min(times), 3) for times in zip(*turns)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="+", type=pathlib.Path, metavar="NETWORK.onnx")
    parser.add_argument("--extents", nargs="+", type=int, default=[1, 7, 29, 33, 100, 128, 500])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--folder", type=pathlib.Path, default="build/open-extents", help="folder for what is compiled (build/open-extents)")
    parser.add_argument("--rounds", type=int, default=2, help="turns of both forms (2); 0 compiles only")
    parser.add_argument("--calls", type=int, default=8, help="calls in each turn (8)")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-options.threads:])
    for path in options.networks:
        places = {extent: saved(path, extent, options) for extent in (None, *options.extents)}
        for extent in options.extents if options.rounds else ():
            programs = [ucmoh.load(places[form]) for form in (None, extent)]
            times = least_of_turns(programs, engine.inputs_of(path, extent), options)
            print(json.dumps({"network": path.stem, "threads": options.threads, "extent": extent,
                              "dynamic_ms": times[0], "static_ms": times[1]}), flush=True)


if __name__ == "__main__":
    main()
