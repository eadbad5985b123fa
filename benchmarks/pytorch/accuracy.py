"""Compares compiled networks with PyTorch itself, and prints a table in Markdown.

Each network is compiled in a process of its own. An error is relative to the largest magnitude of a result.

With --open the length of a text or the number of images is open: a network is compiled once, and compared at several of
them.
"""
import argparse
import json
import math
import subprocess
import sys
import time
import warnings

SECONDS_AT_MOST = 900
SURVEY = "survey/"
LENGTHS = (17, 2, 5, 32, 63, 77)  # words of a text; networks are exported with the first one
COUNTS = (2, 3, 5)  # images
LONGEST = 77  # as CLIP has it


def compare(name, is_open):
    """One row: seconds to compile, contractions, and the largest error, or what went wrong."""
    import torch

    import models
    import surveyed
    import ucmoh
    module, inputs = surveyed.build(name.removeprefix(SURVEY)) if name.startswith(SURVEY) else models.MODELS[name]()
    calls, dims = open_calls(inputs) if is_open else ([inputs], None)
    if not calls:
        return {"name": name, "error": "no text and no image among its inputs"}
    with torch.no_grad():
        # Before it is compiled: first calls of some models change their weights.
        wanted = [results(module, call) for call in calls]
    start = time.perf_counter()
    try:
        fast = ucmoh.compile(module if dims is None else exported(module, calls[0], dims), calls[0])
    except ucmoh.Error as error:
        return {"name": name, "error": str(error)}
    row = {"name": name, "seconds": time.perf_counter() - start, "ops": len(fast.explain())}
    errors = [error_of(each, other) for call, others in zip(calls, wanted)
              for each, other in zip(results(fast, call), others, strict=True)]
    return row | {"max_error": max(errors)}


def exported(module, inputs, dims):
    """The module with open extents; an error of torch.export is one of ours."""
    import torch
    import ucmoh
    args, kwargs = ((), inputs) if isinstance(inputs, dict) else (inputs, None)
    try:
        with torch.no_grad():
            return torch.export.export(module, args, kwargs, dynamic_shapes=dims, strict=False)
    except Exception as error:  # PyTorch raises many kinds
        raise ucmoh.CompileError(f"torch.export: {type(error).__name__}: {str(error).strip().splitlines()[0]}") from error


def open_calls(inputs):
    """Inputs for each extent, and what is open: the length of integers of batch x length, or else the count of images."""
    import torch
    items = list(inputs.items()) if isinstance(inputs, dict) else list(enumerate(inputs))
    tensors = [value for _, value in items if torch.is_tensor(value)]
    texts = [value for value in tensors if value.dim() == 2 and not value.is_floating_point()]
    if texts:
        extent, dim, sizes = texts[0].shape[1], torch.export.Dim("length", min=2, max=LONGEST), LENGTHS
        at = {key: 1 for key, value in items if torch.is_tensor(value) and value.dim() > 1 and value.shape[1] == extent
              and not value.is_floating_point()}
    else:
        dim, sizes = torch.export.Dim("count", min=1, max=8), COUNTS
        at = {key: 0 for key, value in items if torch.is_tensor(value) and value.dim() > 1}
    if not at:
        return [], None

    def sized(key, value, size):
        if key not in at:
            return value
        times = -(-size // value.shape[at[key]])
        return torch.cat([value, *(value.flip(at[key]) for _ in range(times - 1))], at[key]).narrow(at[key], 0, size)

    def arranged(values):
        return dict(values) if isinstance(inputs, dict) else tuple(value for _, value in values)

    calls = [arranged([(key, sized(key, value, size)) for key, value in items]) for size in sizes]
    return calls, arranged([(key, {at[key]: dim} if key in at else None) for key, value in items])


def results(call, inputs):
    """The tensors among the results, as numbers."""
    import torch
    called = call(**inputs) if isinstance(inputs, dict) else call(*inputs)
    return [leaf.double() for leaf in torch.utils._pytree.tree_leaves(called) if torch.is_tensor(leaf)]


def error_of(found, wanted):
    """The largest difference, relative to the largest finite magnitude; what is equal, infinities and NaN too, has none."""
    differs = (found != wanted) & ~(found.isnan() & wanted.isnan())
    if not differs.any():
        return 0.0
    difference = (found - wanted)[differs].abs().max().item()
    largest = wanted[wanted.isfinite()].abs().max().item() if wanted.isfinite().any() else 0
    return difference / max(largest, 1e-30) if math.isfinite(difference) else math.inf


def compare_apart(name, is_open):
    """The row of a process of its own."""
    command = [sys.executable, "-W", "ignore", __file__, "--one", name, *(["--open"] if is_open else [])]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_AT_MOST, check=False)
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
    parser.add_argument("--open", action="store_true", help="leave lengths of texts, or counts of images, open")
    parser.add_argument("--one", metavar="NAME", help="compare in this process and print the row as JSON")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    if arguments.one:
        warnings.simplefilter("ignore")
        print(json.dumps(compare(arguments.one, arguments.open)))
        return
    import models
    import surveyed
    names = arguments.names or ([SURVEY + name for name in surveyed.table()] if arguments.survey else models.MODELS)
    print("| network | contractions | compile | max error |\n|---|---|---|---|")
    for name in names:
        row = compare_apart(name, arguments.open)
        if "error" in row:
            print(f"| {name} | | | {row['error']} |", flush=True)
        else:
            print(f"| {name} | {row['ops']} | {row['seconds']:.1f} s | {row['max_error']:.1e} |", flush=True)


if __name__ == "__main__":
    main()
