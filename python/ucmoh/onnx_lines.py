"""Quantized convolutions of one dim as such of images with one column: torch-mlir computes those of one dim in float,
or not at all.
"""
from .onnx_nodes import rewrite as rewrite_nodes

RANK = 3  # a convolution of one dim reads batches, channels and places


def rewrite(model):
    """The model without such convolutions."""
    return rewrite_nodes(model, MEANINGS)


def convolution(nodes, x, weight, bias=""):
    """The same sums over an image with one column; None where an operand is not dequantized, or is no line."""
    kernel = dequantized_image(nodes, weight) if is_line(nodes, integers_of(nodes, weight)) else None
    image = dequantized_image(nodes, x) if kernel else None
    if image is None:
        return None
    return nodes.squeeze(nodes.Conv(image, kernel, *filter(None, [bias]), **fields_of_image(nodes)), RANK)


def integer_convolution(nodes, x, weight, *zeros):
    """The same for integers without scales."""
    if not is_line(nodes, weight):
        return None
    image = nodes.unsqueeze(x, RANK)
    return nodes.squeeze(nodes.ConvInteger(image, column(nodes, weight), *zeros, **fields_of_image(nodes)), RANK)


def integers_of(nodes, name):
    """The integers that a DequantizeLinear made a value of; nothing of other values."""
    maker = nodes.facts.makers.get(name)
    return maker.input[0] if maker is not None and maker.op_type == "DequantizeLinear" else ""


def is_line(nodes, weight):
    """Whether these are the constant weights of a convolution of one dim."""
    values = nodes.value(weight)
    return values is not None and values.ndim == RANK


def column(nodes, name):
    """The name of a line as an image with one column."""
    values = nodes.value(name)
    return nodes.unsqueeze(name, RANK) if values is None else nodes.constant(values[..., None])


def dequantized_image(nodes, name):
    """The name of a dequantized line as an image with one column; None of other values, and of those in blocks."""
    integers, maker = integers_of(nodes, name), nodes.facts.makers.get(name)
    fields = {each.name: nodes.helper.get_attribute_value(each) for each in maker.attribute} if integers else {}
    if not integers or "block_size" in fields or fields.get("axis", 1) not in (0, 1):
        return None
    return nodes.DequantizeLinear(column(nodes, integers), *maker.input[1:], **fields)


def fields_of_image(nodes):
    """The attributes with a column behind the places."""
    def extend(name, values):
        if name == "pads":
            return [values[0], 0, values[1], 0]
        return [*values, 1] if name in ("kernel_shape", "strides", "dilations") else values

    return {name: extend(name, values) for name, values in nodes.fields.items()}


MEANINGS = {"Conv": convolution, "ConvInteger": integer_convolution}
