"""Borders of images, in forms that torch-mlir takes.

Those that repeat rows and columns of an image become concatenations of slices of it. torch-mlir would compute a place for
each element of such a Pad, and does not end for the mode wrap. Slices are copied as they lie, in any layout.
"""
from . import onnx_nodes

WIDEST = 8  # rows or columns on one side; wider ones are left to torch-mlir
MODES = ("reflect", "edge", "wrap")


def rewrite(model):
    """The model without Pads of these modes that have constant sizes, and without any right in front of wide steps."""
    return onnx_nodes.rewrite(model, {"Pad": border, "ConvTranspose": keep_apart})


def keep_apart(nodes, value, *weights):
    """The same, of the padded image and -0, which changes no number.

    A transposed convolution writes its pixels into zeros, some steps apart. MLIR would join a border with these zeros
    (FoldInsertPadIntoFill), and place the image as if its pixels were neighbours.
    """
    maker = nodes.facts.makers.get(value)
    if maker is None or maker.op_type != "Pad" or max(nodes.field("strides", [1])) == 1:
        return None
    return nodes.ConvTranspose(nodes.Add(value, -0.0), *weights, **nodes.fields)


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
