"""Borders that repeat rows and columns of an image, as concatenations of slices of it.

torch-mlir computes a place for each element of such a Pad, and does not end for the mode wrap. Slices are copied as
they lie, in any layout.
"""
from . import onnx_nodes

WIDEST = 8  # rows or columns on one side; wider ones are left to torch-mlir
MODES = ("reflect", "edge", "wrap")


def rewrite(model):
    """The model without Pads of these modes that have constant sizes."""
    return onnx_nodes.rewrite(model, {"Pad": border})


def border(nodes, value, sizes="", _fill="", axes=""):
    """Slices and a concatenation for each dim."""
    mode = nodes.field("mode", "constant")
    if mode not in MODES:
        return None
    known = None if axes else nodes.value(sizes)
    if known is None or known.min() < 0 or known.max() > WIDEST:
        if mode == "wrap":
            nodes.refuse(f"the mode wrap needs constant sizes of all dims from 0 to {WIDEST}; slice and concatenate instead")
        return None
    for dim, (before, after) in enumerate(zip(*known.reshape(2, -1).tolist())):
        if before or after:
            value = concatenate(nodes, mode, value, dim, before, after)
    return value


def concatenate(nodes, mode, value, dim, before, after):
    """The value with its border along one dim."""
    head = [place(mode, count - before) for count in range(before)]
    tail = [place(mode, count, behind=True) for count in range(1, after + 1)]
    row = lambda at: nodes.row(value, at, dim)
    return nodes.Concat(*map(row, head), value, *map(row, tail), axis=dim)


def place(mode, distance, behind=False):
    """Which element stands so far in front of the first one (negative), or behind the last one.

    Negative results count from the end.
    """
    if mode == "reflect":
        return -1 - distance if behind else -distance
    if mode == "edge":
        return -1 if behind else 0
    return distance - 1 if behind else distance
