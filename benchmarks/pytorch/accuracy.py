"""Compares compiled networks with PyTorch itself, and prints a table in Markdown.

Usage: accuracy.py [NAME...]

Each network is compiled in a process of its own. An error is relative to the largest magnitude of a result.
"""
import json
import subprocess
import sys
import time
import warnings

SECONDS_AT_MOST = 900


def compare(name):
    """One row: seconds to compile, contractions, and the largest error, or what went wrong."""
    import torch

    import models
    import ucmoh
    module, inputs = models.MODELS[name]()
    start = time.perf_counter()
    try:
        fast = ucmoh.compile(module, inputs)
    except ucmoh.Error as error:
        return {"name": name, "error": str(error)}
    row = {"name": name, "seconds": time.perf_counter() - start, "ops": len(fast.explain())}
    with torch.no_grad():
        found, wanted = (torch.utils._pytree.tree_leaves(call(*inputs)) for call in (fast, module))
    errors = [(each - other).abs().max().item() / max(other.abs().max().item(), 1e-30)
              for each, other in zip(found, wanted, strict=True)]
    return row | {"max_error": max(errors)}


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
    print("| network | contractions | compile | max error |\n|---|---|---|---|")
    for name in sys.argv[1:] or models.MODELS:
        row = compare_apart(name)
        if "error" in row:
            print(f"| {name} | | | {row['error']} |", flush=True)
        else:
            print(f"| {name} | {row['ops']} | {row['seconds']:.1f} s | {row['max_error']:.1e} |", flush=True)


if __name__ == "__main__":
    main()
