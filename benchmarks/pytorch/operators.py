"""Compares operators of PyTorch's own database (op_db) with PyTorch, one by one.

Usage: operators.py OUT.jsonl [--samples N] [--dtype TYPE] [--part I/N] [PATTERN...]

Each sample of an operator is compiled in a process of its own. OUT.jsonl gets a row for it: "ok", "wrong" (with the
largest error, relative to the largest magnitude), "refused" or "failed" (with the error), or "none" where it has no
tensors or PyTorch itself cannot compute it. What the file has already is not compared again. It needs expecttest, which
PyTorch's database imports.
"""
import argparse
import collections
import json
import multiprocessing
import pathlib
import re
import warnings

from accuracy import error_of

TOLERANCE = {"bfloat16": 2e-2, "float16": 3e-3}  # relative to the largest magnitude; 1e-4 of others
SECONDS_AT_MOST = 240


def samples_of(operator, dtype, count):
    """At most so many samples, as different ones as there are."""
    samples = list(operator.sample_inputs("cpu", dtype, requires_grad=False))
    if len(samples) <= count:
        return samples
    return [samples[at * (len(samples) - 1) // max(count - 1, 1)] for at in range(count)]


def called(operator, sample):
    """A module whose arguments are the tensors of the sample, and these tensors."""
    import torch
    leaves, structure = torch.utils._pytree.tree_flatten(((sample.input, *sample.args), sample.kwargs))
    places = [place for place, leaf in enumerate(leaves) if torch.is_tensor(leaf)]

    class Call(torch.nn.Module):
        def forward(self, *tensors):
            given = list(leaves)
            for place, tensor in zip(places, tensors):
                given[place] = tensor
            args, kwargs = torch.utils._pytree.tree_unflatten(given, structure)
            return operator.op(*args, **kwargs)

    return Call().eval(), tuple(leaves[place].detach() for place in places)


def numbers(tensor):
    """Its elements; complex ones are pairs."""
    import torch
    return (torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor).double()


def compare(operator, sample, dtype):
    """What a row says of one sample."""
    import torch

    import ucmoh
    module, tensors = called(operator, sample)
    try:
        with torch.no_grad():
            wanted = module(*(tensor.clone() for tensor in tensors)) if tensors else None
    except Exception as error:  # PyTorch raises many kinds
        return {"status": "none", "error": str(error)}
    if not tensors:
        return {"status": "none"}
    try:
        found = ucmoh.compile(module, tensors)(*tensors)
    except ucmoh.Error as error:
        return {"status": "refused", "error": str(error)}
    pairs = [[leaf for leaf in torch.utils._pytree.tree_leaves(results) if torch.is_tensor(leaf)] for results in (found, wanted)]
    kinds = [[(tuple(leaf.shape), str(leaf.dtype)) for leaf in leaves] for leaves in pairs]
    if kinds[0] != kinds[1]:
        return {"status": "wrong", "error": f"{kinds[0]} instead of {kinds[1]}"}
    error = max((error_of(numbers(value), numbers(other)) for value, other in zip(*pairs)), default=0.0)
    return {"status": "ok" if error < TOLERANCE.get(dtype, 1e-4) else "wrong", "max_error": error}


def name_of(operator):
    return f"{operator.name}.{operator.variant_test_name}" if operator.variant_test_name else operator.name


def database():
    """Operators by name."""
    from torch.testing._internal.common_methods_invocations import op_db
    return {name_of(operator): operator for operator in op_db}


def send_row(pipe, operator, sample, dtype):
    """In a process of its own."""
    warnings.simplefilter("ignore")
    pipe.send(compare(operator, sample, dtype) | {"sample": str(sample)[:300]})


def compare_apart(operator, sample, dtype):
    """The row of a forked process, whose crash is a row, too."""
    context = multiprocessing.get_context("fork")
    reader, writer = context.Pipe(duplex=False)
    process = context.Process(target=send_row, args=(writer, operator, sample, dtype))
    process.start()
    writer.close()
    is_done = reader.poll(SECONDS_AT_MOST)
    try:
        row = reader.recv() if is_done else {"status": "failed", "error": f"took more than {SECONDS_AT_MOST} s"}
    except EOFError:
        row = None
    if not is_done:
        process.kill()
    process.join()
    return row or {"status": "failed", "error": f"ended with {process.exitcode}", "sample": str(sample)[:300]}


def chosen(arguments):
    """Names of the operators, and the samples of each."""
    import torch
    dtype, (part, parts) = getattr(torch, arguments.dtype), map(int, arguments.part.split("/"))
    for name, operator in list(database().items())[part::parts]:
        matches = not arguments.patterns or any(re.search(pattern, name) for pattern in arguments.patterns)
        if matches and dtype in operator.supported_dtypes("cpu"):
            yield name, operator, samples_of(operator, dtype, arguments.samples)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     epilog="example: operators.py rows.jsonl --samples 4 --dtype bfloat16 '^nn.functional'")
    parser.add_argument("out", metavar="OUT.jsonl")
    parser.add_argument("patterns", nargs="*", metavar="PATTERN", help="a regular expression of names (default: all operators)")
    parser.add_argument("--samples", type=int, default=1, help="at most, of each operator (default: 1)")
    parser.add_argument("--dtype", default="float32", help="a type of PyTorch's (default: float32)")
    parser.add_argument("--part", default="0/1", metavar="I/N", help="every Nth operator, from the Ith on: for several processes")
    return parser.parse_intermixed_args()


def main():
    arguments = parse_arguments()
    import torch
    torch.set_num_threads(1)  # others would not be there in forked processes
    path, counts = pathlib.Path(arguments.out), collections.Counter()
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    done = {(row["name"], row["number"]) for row in rows}
    with path.open("a", encoding="utf-8") as file:
        for name, operator, samples in chosen(arguments):
            for number, sample in enumerate(samples):
                if (name, number) in done:
                    continue
                row = {"name": name, "number": number} | compare_apart(operator, sample, arguments.dtype)
                counts[row["status"]] += 1
                print(json.dumps(row), file=file, flush=True)
                print(f"{name} {number}: {row['status']} {row.get('error', '')[:160]}", flush=True)
    print(", ".join(f"{count} {status}" for status, count in counts.most_common()))


if __name__ == "__main__":
    main()
