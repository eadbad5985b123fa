"""Convolutions to few channels, such as those that end a network that makes images, as ones to more channels.

Three channels fill three lanes of a vector. The columns of the kernel become channels as well: each gives its share of
a pixel, and the shares of neighbours are added. So the lanes are filled, and each element of the image is read once
for all columns.
"""
import functools

from . import onnx_nodes

MOST_RESULTS = 4  # channels of the result that are few
LEAST_OPERANDS = 16  # channels of the image for which the sums of shares cost little


def rewrite(model):
    """The model with other convolutions for those of floats with constant weights that take steps of one."""
    return onnx_nodes.rewrite(model, {"Conv": shares})


def shares(nodes, image, weight, bias=""):
    """A wider convolution and the sums of its shares."""
    weight = nodes.value(weight)
    if weight is None or not has_few_channels(nodes, weight):
        return None
    results, operands, rows, columns = weight.shape
    wide = weight.transpose(3, 0, 1, 2).reshape(columns * results, operands, rows, 1)
    shared = nodes.Conv(image, wide, pads=nodes.field("pads", [0] * 4))
    terms = [share(nodes, shared, column, columns, results) for column in range(columns)]
    if bias:
        terms.append(nodes.Reshape(bias, [-1, 1, 1]))
    return functools.reduce(nodes.Add, terms)


def has_few_channels(nodes, weight):
    """Whether it is of the form that this is for."""
    if weight.ndim != 4 or weight.dtype.name != "float32":
        return False
    results, operands, _, columns = weight.shape
    is_few = results <= MOST_RESULTS and operands >= LEAST_OPERANDS and columns > 1
    return (is_few and nodes.field("group", 1) == 1 and nodes.field("auto_pad", "NOTSET") == "NOTSET" and
            all(step == 1 for name in ("strides", "dilations") for step in nodes.field(name, [1, 1])))


def share(nodes, shared, column, columns, results):
    """Makes what one of the columns of the kernel gives to all pixels."""
    end = column + 1 - columns or onnx_nodes.END
    return nodes.Slice(shared, [column * results, column], [(column + 1) * results, end], [1, 3])
