"""Convolutions to few channels, such as those that end a network that makes images, as ones to more channels.

Three channels fill three lanes of a vector. The columns of the kernel become channels as well: each gives its share of
a pixel, and the shares of neighbours are added. So the lanes are filled, and each element of the image is read once
for all columns. Shares of quantized convolutions are dequantized before they are added.
"""
import functools

from . import onnx_nodes
from .onnx_lines import integers_of

MOST_RESULTS = 4  # channels of the result that are few
LEAST_OPERANDS = 16  # channels of the image for which the sums of shares cost little


def rewrite(model):
    """The model with other convolutions for those with constant weights that take steps of one."""
    return onnx_nodes.rewrite(model, {"Conv": shares})


def shares(nodes, image, weight, bias=""):
    """A wider convolution and the sums of its shares."""
    values = nodes.value(integers_of(nodes, weight) or weight)
    if values is None or not has_few_channels(nodes, values) or not is_scaled_by_channels(nodes, weight):
        return None
    results, operands, rows, columns = values.shape
    wide = values.transpose(3, 0, 1, 2).reshape(columns * results, operands, rows, 1)
    shared = nodes.Conv(image, dequantized(nodes, weight, wide, columns), pads=nodes.field("pads", [0] * 4))
    terms = [share(nodes, shared, column, columns, results) for column in range(columns)]
    if bias:
        terms.append(nodes.Reshape(bias, [-1, 1, 1]))
    return functools.reduce(nodes.Add, terms)


def is_scaled_by_channels(nodes, weight):
    """Whether it is no quantized one, or one with constant scales for all of it or for channels of the result."""
    if not integers_of(nodes, weight):
        return True
    maker = nodes.facts.makers[weight]
    fields = {each.name: nodes.helper.get_attribute_value(each) for each in maker.attribute}
    scales = [nodes.value(each) for each in maker.input[1:]]
    return "block_size" not in fields and all(each is not None and (each.size == 1 or fields.get("axis") == 0)
                                              for each in scales)


def dequantized(nodes, weight, wide, columns):
    """The wider weight in the form of the old one: floats, or integers whose scales are repeated for the columns."""
    if wide.dtype.kind == "f":
        return wide
    scales = [nodes.value(each) for each in nodes.facts.makers[weight].input[1:]]
    return nodes.DequantizeLinear(wide, *(nodes.numpy.tile(each, columns) if each.size > 1 else each for each in scales),
                                  axis=0)


def has_few_channels(nodes, weight):
    """Whether it is of the form that this is for."""
    if weight.ndim != 4 or weight.dtype.name not in ("float32", "int8", "uint8"):
        return False
    results, operands, _, columns = weight.shape
    is_few = results <= MOST_RESULTS and operands >= LEAST_OPERANDS and columns > 1
    return (is_few and nodes.field("group", 1) == 1 and nodes.field("auto_pad", "NOTSET") == "NOTSET" and
            all(step == 1 for name in ("strides", "dilations") for step in nodes.field(name, [1, 1])))


def share(nodes, shared, column, columns, results):
    """Makes what one of the columns of the kernel gives to all pixels."""
    end = column + 1 - columns or onnx_nodes.END
    return nodes.Slice(shared, [column * results, column], [(column + 1) * results, end], [1, 3])
