"""Compares compiled networks with PyTorch itself, and prints a table in Markdown.

Each network is compiled in a process of its own. An error is relative to the largest magnitude of a result.
"""
import argparse
import json
import subprocess
import sys
import time
import warnings

SECONDS_AT_MOST = 900
SURVEY = "survey/"


def compare(name):
    """One row: seconds to compile, contractions, and the largest error, or what went wrong."""
    import torch

    import models
    import surveyed
    import ucmoh
    module, inputs = surveyed.build(name.removeprefix(SURVEY)) if name.startswith(SURVEY) else models.MODELS[name]()
    with torch.no_grad():
        wanted = results(module, inputs)  # before it is compiled: first calls of some models change their weights
    start = time.perf_counter()
    try:
        fast = ucmoh.compile(module, inputs)
    except ucmoh.Error as error:
        return {"name": name, "error": str(error)}
    row = {"name": name, "seconds": time.perf_counter() - start, "ops": len(fast.explain())}
    found = results(fast, inputs)
    return row | {"max_error": max(error_of(each, other) for each, other in zip(found, wanted, strict=True))}


def results(call, inputs):
    """The tensors among the results, as numbers."""
    import torch
    called = call(**inputs) if isinstance(inputs, dict) else call(*inputs)
    return [leaf.double() for leaf in torch.utils._pytree.tree_leaves(called) if torch.is_tensor(leaf)]


def error_of(found, wanted):
    """The largest difference, relative to the largest finite magnitude; what is equal, infinities too, has none."""
    differs = found != wanted
    largest = wanted[wanted.isfinite()].abs().max().item() if wanted.isfinite().any() else 0
    return (found - wanted)[differs].abs().max().item() / max(largest, 1e-30) if differs.any() else 0.0


def compare_apart(name):
    """The row of a process of its own."""
    try:
        done = subprocess.run([sys.executable, "-W", "ignore", __file__, "--one", name], capture_output=True, text=True,
                              timeout=SECONDS_AT_MOST, check=False)
    except subprocess.TimeoutExpired:
        return {"name": name, "error": f"took more than {SECONDS_AT_MOST} s"}
    if done.returncode != 0:
        return {"name": name, "error": f"ended with {done.returncode}: {done.stderr.strip().splitlines()[-1:]}"}
    return json.loads(done.stdout.splitlines()[-1])


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     epilog="example: accuracy.py survey/qwen3 survey/layoutlm")
    parser.add_argument("names", nargs="*", metavar="NAME",
                        help="a network of models.py (default: all of them), or survey/NAME with one of survey.json")
    parser.add_argument("--survey", action="store_true", help="compare all networks of survey.json (more than an hour)")
    parser.add_argument("--one", metavar="NAME", help="compare in this process and print the row as JSON")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    if arguments.one:
        warnings.simplefilter("ignore")
        print(json.dumps(compare(arguments.one)))
        return
    import models
    import surveyed
    names = [SURVEY + name for name in surveyed.table()] if arguments.survey else arguments.names or models.MODELS
    print("| network | contractions | compile | max error |\n|---|---|---|---|")
    for name in names:
        row = compare_apart(name)
        if "error" in row:
            print(f"| {name} | | | {row['error']} |", flush=True)
        else:
            print(f"| {name} | {row['ops']} | {row['seconds']:.1f} s | {row['max_error']:.1e} |", flush=True)


if __name__ == "__main__":
    main()
