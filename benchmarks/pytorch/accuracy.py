"""Compares compiled networks with PyTorch itself, and prints a table in Markdown.

Usage: accuracy.py [NAME...] | --survey

A name is one of models.py, whose networks are all compared if none is given, or survey/NAME with one of survey.json, all
of which --survey compares. Each network is compiled in a process of its own. An error is relative to the largest
magnitude of a result.
"""
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
    start = time.perf_counter()
    try:
        fast = ucmoh.compile(module, inputs)
    except ucmoh.Error as error:
        return {"name": name, "error": str(error)}
    row = {"name": name, "seconds": time.perf_counter() - start, "ops": len(fast.explain())}
    with torch.no_grad():
        found, wanted = (results(call, inputs) for call in (fast, module))
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


def main():
    if sys.argv[1:2] == ["--one"]:
        warnings.simplefilter("ignore")
        print(json.dumps(compare(sys.argv[2])))
        return
    import models
    import surveyed
    names = sys.argv[1:] or models.MODELS
    if names == ["--survey"]:
        names = [SURVEY + name for name in surveyed.table()]
    print("| network | contractions | compile | max error |\n|---|---|---|---|")
    for name in names:
        row = compare_apart(name)
        if "error" in row:
            print(f"| {name} | | | {row['error']} |", flush=True)
        else:
            print(f"| {name} | {row['ops']} | {row['seconds']:.1f} s | {row['max_error']:.1e} |", flush=True)


if __name__ == "__main__":
    main()
