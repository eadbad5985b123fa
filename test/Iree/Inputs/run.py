"""run.py MODEL.mlir STOCK.vmfb OURS.vmfb: calls @main of both modules with the same random arguments.

Prints "equal" if all results are the same bits, "close" if floats
differ by less than one in ten thousand of the largest, else how many differ.
"""
import pathlib
import re
import sys

import iree.runtime
import numpy as np

TYPES = {"i8": np.int8, "i32": np.int32, "f32": np.float32}


def types_of(model):
    """The types of the arguments of @main, such as "128x64xi8", where none is an alias."""
    text = pathlib.Path(model).read_text()
    aliases = dict(re.findall(r"^(!\w+) = tensor<(.*)>", text, re.MULTILINE))
    arguments = re.search(r"func @main\((.*?)\) ->", text, re.DOTALL)[1]
    found = re.findall(r": (?:tensor<([^>]+)>|(!\w+))", arguments)
    return [spelled or aliases[alias] for spelled, alias in found]


def load(path):
    context = iree.runtime.SystemContext(config=iree.runtime.Config("local-task"))
    context.add_vm_module(iree.runtime.VmModule.mmap(context.instance, path))
    return getattr(context.modules.module, "main")


def random(text, generator):
    *shape, element = text.split("x")
    shape = tuple(map(int, shape))
    if element.startswith("f"):
        return generator.standard_normal(shape).astype(TYPES[element])
    return generator.integers(-128, 128, shape).astype(TYPES[element])


def compare(stock, ours):
    if np.array_equal(stock, ours):
        return "equal"
    if stock.dtype.kind == "f" and np.allclose(stock, ours, rtol=0, atol=1e-4 * abs(stock).max()):
        return "close"
    return f"{(stock != ours).sum()} of {stock.size} elements differ"


def main():
    model, *paths = sys.argv[1:]
    generator = np.random.default_rng(1)
    arguments = [random(text, generator) for text in types_of(model)]
    results = [load(path)(*arguments) for path in paths]
    stock, ours = ([np.asarray(r) for r in (result if isinstance(result, tuple) else [result])] for result in results)
    for pair in zip(stock, ours):
        print(compare(*pair))


if __name__ == "__main__":
    main()
