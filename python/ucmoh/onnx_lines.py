"""Quantized convolutions of one dim as such of images with one column: torch-mlir computes those of one dim in float."""

RANK = 3  # a convolution of one dim reads batches, channels and places


def convolution(nodes, x, weight, bias=""):
    """The same sums over an image with one column; None where an operand is no line that was quantized."""
    image, kernel = dequantized_image(nodes, x), dequantized_image(nodes, weight)
    if image is None or kernel is None:
        return None
    fields = {name: field_of_image(name, values) for name, values in nodes.fields.items()}
    sums = nodes.Conv(image, kernel, *filter(None, [bias]), **fields)
    return nodes.squeeze(sums, RANK)


def dequantized_image(nodes, name):
    """The name of a dequantized line as an image with one column; None of other values."""
    maker = nodes.facts.makers.get(name)
    if maker is None or maker.op_type != "DequantizeLinear" or len(nodes.shape(maker.input[0])) != RANK:
        return None
    fields = {each.name: nodes.helper.get_attribute_value(each) for each in maker.attribute}
    scales = nodes.shape(maker.input[1])
    if "block_size" in fields or scales and scales != [1] and fields.get("axis", 1) not in (0, 1):
        return None
    integers = nodes.value(maker.input[0])
    image = nodes.unsqueeze(maker.input[0], RANK) if integers is None else nodes.constant(integers[..., None])
    return nodes.DequantizeLinear(image, *maker.input[1:], **fields)


def field_of_image(name, values):
    """An attribute with the column behind the places."""
    if name == "pads":
        return [values[0], 0, values[1], 0]
    return [*values, 1] if name in ("kernel_shape", "strides", "dilations") else values


MEANINGS = {"Conv": convolution}
