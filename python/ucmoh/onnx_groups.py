"""Norms of groups of channels. Exporters write them as norms of one channel for each group, between two reshapes, and
quantizers put a rounding behind each of these: in whatever form, images stay images here, in any layout.
"""
import dataclasses
import math
import typing


def group_norm(nodes, x, scale, bias):
    """Until opset 20 a group has one scale and one bias."""
    shape, groups = nodes.shape(x), nodes.field("num_groups")
    if nodes.facts.opset < 21:
        scale, bias = (per_channel(nodes, each, shape, groups) for each in (scale, bias))
    return normalize_groups(nodes, x, Groups(x, shape, groups, scale, bias, nodes.field("epsilon", 1e-5)))


def per_channel(nodes, value, shape, groups):
    """A number of each group once for each of its channels."""
    wide = nodes.Expand(nodes.unsqueeze(value, 1), [1, shape[1] // groups])
    return nodes.Reshape(wide, [-1])


@dataclasses.dataclass
class Groups:
    """A norm: an image, and names or arrays of a scale and a bias for each channel, or None."""

    image: str
    shape: list
    count: int
    scale: typing.Any
    bias: typing.Any
    epsilon: float
    rounding: tuple = ()  # the operands of the quantization between the image and the norm


def normalize_groups(nodes, x, groups):
    """Statistics of pixels are taken for each channel, and then for each group."""
    shape = groups.shape
    if shape[1] is None:
        nodes.refuse("its channels are not known; export the model with a number of channels")
    pixels, channels = range(2, len(shape)), [-1, *[1] * (len(shape) - 2)]
    centered = nodes.Sub(x, mean_of_group(nodes, nodes.reduce("ReduceMean", x, pixels), shape, groups.count))
    squares = nodes.reduce("ReduceMean", nodes.Mul(centered, centered), pixels)
    variance = mean_of_group(nodes, squares, shape, groups.count)
    factor = nodes.Div(1.0, nodes.Sqrt(nodes.Add(variance, groups.epsilon)))
    if groups.scale is not None:
        factor = nodes.Mul(factor, nodes.Reshape(groups.scale, channels))
    result = nodes.Mul(centered, factor)
    return result if groups.bias is None else nodes.Add(result, nodes.Reshape(groups.bias, channels))


def mean_of_group(nodes, value, shape, groups):
    """A number of each channel, averaged over its group."""
    size = shape[1] // groups
    mean = nodes.reduce("ReduceMean", nodes.Reshape(value, [0, groups, size]), [2])
    return nodes.Reshape(nodes.Expand(mean, [1, 1, size]), [0, shape[1], *[1] * (len(shape) - 2)])


def instance_norm(nodes, x, scale, bias):
    """InstanceNormalization, also of channels that are groups of an image, as PyTorch exports a group norm.

    torch-mlir counts the elements of a channel wrong where their number is open.
    """
    groups, shape = find_groups(nodes, nodes.node), nodes.shape(x)
    if groups is None and None in shape[2:]:
        return normalize_channels(nodes, x, scale, bias)
    if groups is None:
        return None
    normalized = normalize_groups(nodes, rounded(nodes, groups.image, groups.rounding), groups)
    return nodes.Reshape(normalized, [0, *shape[1:]])


def normalize_channels(nodes, x, scale, bias):
    """Statistics of pixels are taken for each channel."""
    rank = len(nodes.shape(x))
    scale, bias = (nodes.Reshape(each, [-1, *[1] * (rank - 2)]) for each in (scale, bias))
    return nodes.Add(nodes.Mul(standardize(nodes, x, range(2, rank)), scale), bias)


def mean_square_root(nodes, x, axes, epsilon=None):
    """The root of the mean of squares and epsilon: the node's, or the one given, or else that of ONNX's norms or the smaller one
    of ONNX Runtime's."""
    epsilon = epsilon or (1e-12 if nodes.node.domain else 1e-5)
    squares = nodes.reduce("ReduceMean", nodes.Mul(x, x), axes)
    return nodes.Sqrt(nodes.Add(squares, nodes.field("epsilon", epsilon)))


def standardize(nodes, x, axes):
    """Elements with a mean of 0 and a variance of 1."""
    centered = nodes.Sub(x, nodes.reduce("ReduceMean", x, axes))
    return nodes.Div(centered, mean_square_root(nodes, centered, axes))


def reshape(nodes, x, _shape):
    """The reshape behind such a norm gives the image back: a quantization between both is one of the image."""
    norm, rounding = behind_rounding(nodes, x)
    groups = find_groups(nodes, norm) if rounding and norm is not None and norm.op_type == "InstanceNormalization" else None
    if groups is None or nodes.shape(nodes.node.output[0]) != groups.shape:
        return None
    normalized = normalize_groups(nodes, rounded(nodes, groups.image, groups.rounding), groups)
    return rounded(nodes, normalized, rounding)


def find_groups(nodes, norm):
    """The groups of an InstanceNormalization whose channels are groups of a reshaped image; None if they are not."""
    maker, rounding = behind_rounding(nodes, norm.input[0])
    numbers = [constant(nodes, each) for each in norm.input[1:]]
    if maker is None or maker.op_type != "Reshape" or None in [each if each is None else True for each in numbers]:
        return None
    image, shape = nodes.shape(maker.input[0]), nodes.shape(norm.input[0])
    if len(shape) != 3 or len(image) < 3 or image[0] != shape[0] or None in [*image[1:], *shape[1:]]:
        return None
    if image[1] % shape[1] or math.prod(image[1:]) != math.prod(shape[1:]):
        return None
    scale, bias = (nodes.numpy.repeat(each, image[1] // shape[1]) for each in numbers)
    fields = {each.name: nodes.helper.get_attribute_value(each) for each in norm.attribute}
    return Groups(maker.input[0], image, shape[1], None if (scale == 1).all() else scale, bias if bias.any() else None,
                  fields.get("epsilon", 1e-5), rounding)


def behind_rounding(nodes, name):
    """The node that made a value, or what is rounded to it by one scale; and the operands of that quantization."""
    maker = nodes.facts.makers.get(name)
    integers = maker is not None and maker.op_type == "DequantizeLinear" and nodes.facts.makers.get(maker.input[0])
    if not integers or integers.op_type != "QuantizeLinear" or integers.domain:
        return maker, ()
    one, other = ([nodes.value(each) for each in node.input[1:]] for node in (integers, maker))
    if len(one) != len(other) or not all(a is not None and b is not None and a.size == 1 and a.dtype == b.dtype and a == b
                                         for a, b in zip(one, other)):
        return maker, ()
    return nodes.facts.makers.get(integers.input[0]), tuple(maker.input[1:])


def rounded(nodes, value, rounding):
    """A value that is quantized and dequantized with these operands, if there are any."""
    return nodes.DequantizeLinear(nodes.QuantizeLinear(value, *rounding), *rounding) if rounding else value


def constant(nodes, name):
    """An array of one dim, which may be dequantized; None of other values."""
    value, maker = nodes.value(name), nodes.facts.makers.get(name)
    if value is None and maker is not None and maker.op_type == "DequantizeLinear":
        integers, scale, *zero = [nodes.value(each) for each in maker.input]
        if integers is None or scale is None or None in [each if each is None else True for each in zero]:
            return None
        value = (integers.astype("int64") - (zero[0].astype("int64") if zero else 0)).astype(scale.dtype) * scale
    return value if value is not None and value.ndim == 1 else None


MEANINGS = {"GroupNormalization": group_norm, "InstanceNormalization": instance_norm, "Reshape": reshape}
