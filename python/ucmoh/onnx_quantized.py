"""QuantizeLinear and DequantizeLinear in the forms that torch-mlir lacks or applies wrongly: of weights, without zero
points, by computed scales of an axis, and of 16 bits, whose integers are floats."""
import itertools

from .arrays import package
from .onnx_nodes import Unknown
from .onnx_weights import replace

WIDE = ("int16", "uint16")
SHIFT = 128  # between bytes with and without a sign
BYTE = "uint8"  # what a QuantizeLinear gives where nothing says its type


def quantize(nodes, x, scale, zero=""):
    """The integers of a weight, as exporters of networks that were trained with quantization leave it; those of 16 bits as
    floats; others as ONNX has them."""
    kind = kind_of_result(nodes, zero)
    zeros = nodes.value(zero) if zero else nodes.numpy.zeros((), kind)
    values, scales = nodes.value(x), nodes.value(scale)
    if limits_of(kind) and not is_result(nodes) and all(each is not None for each in (values, scales, zeros)):
        return nodes.become(rounded(nodes, values, scales, zeros).astype(kind))
    if kind is not None and kind.name in WIDE:
        return quantize_wide(nodes, x, scale, zeros, kind)
    if nodes.node.domain or not zero:
        return nodes.QuantizeLinear(x, scale, zero or zeros_like(nodes, scale, kind), **without_kind(nodes))
    return None


def kind_of_result(nodes, zero):
    """The type that a QuantizeLinear gives, as NumPy's; None where it is not known."""
    if zero:
        return kind_of(nodes, zero)
    declared = nodes.field("output_dtype", 0)
    return nodes.helper.tensor_dtype_to_np_dtype(declared) if declared else nodes.numpy.dtype(BYTE)


def kind_of(nodes, name):
    """The type of a value, as NumPy's; None where it is not known."""
    kind = nodes.facts.types.get(name)
    return nodes.helper.tensor_dtype_to_np_dtype(kind) if kind else None


def without_kind(nodes):
    """The attributes of a QuantizeLinear whose zero point says its type."""
    return {name: value for name, value in nodes.fields.items() if name != "output_dtype"}


def is_result(nodes):
    """Whether the node gives a result of the graph."""
    return nodes.node.output[0] in {value.name for value in nodes.facts.graph.output}


def limits_of(kind):
    """The least and the greatest integer of a type; None of types that are no integers. NumPy knows none of 4 bits."""
    name = "" if kind is None else kind.name
    bits = name.removeprefix("u").removeprefix("int")
    if not bits.isdigit():
        return None
    return (0, 2 ** int(bits) - 1) if name.startswith("u") else (-2 ** (int(bits) - 1), 2 ** (int(bits) - 1) - 1)


def rounded(nodes, values, scales, zeros):
    """Integers, rounded to even, as floats."""
    low, high = limits_of(zeros.dtype)
    scales, zeros = (spread(nodes, each, values) for each in (scales, zeros.astype(values.dtype)))
    return nodes.numpy.clip(nodes.numpy.rint(values / scales) + zeros, low, high)


def spread(nodes, numbers, values):
    """Numbers of a tensor, of an axis or of blocks along it, in a shape that goes with `values`."""
    if numbers.size == 1:
        return numbers.reshape(())
    axis, block = nodes.field("axis", 1) % values.ndim, nodes.field("block_size", 0)
    if block:
        return nodes.numpy.repeat(numbers, block, axis).take(range(values.shape[axis]), axis)
    return numbers.reshape([-1 if dim == axis else 1 for dim in range(values.ndim)])


def clip(nodes, x, *bounds):
    """The integers of a weight in narrower bounds, which exporters of symmetric quantization leave; others stay."""
    values = nodes.value(x)
    limits = None if values is None else limits_of(values.dtype)
    if limits is None or values.ndim == 0 or is_result(nodes):
        return None
    limits = [nodes.value(name) if name else limit for name, limit in itertools.zip_longest(bounds, limits)]
    return None if any(each is None for each in limits) else nodes.become(nodes.numpy.clip(values, *limits).astype(values.dtype))


def quantize_wide(nodes, x, scale, zeros, kind):
    """Integers of 16 bits as floats. What the graph says of their types is not so any more."""
    if zeros is None:
        nodes.refuse("a zero point of 16 bits that is no constant is not supported; quantize statically")
    if is_result(nodes):
        nodes.refuse("results of 16 bits are not supported; dequantize them")
    forget_wide_types(nodes)
    low, high = limits_of(kind)
    zeros = along(nodes, nodes.constant(zeros.astype("float32")), x)
    numbers = nodes.Add(nodes.Round(nodes.Div(x, along(nodes, scale, x))), zeros)
    return nodes.Min(nodes.Max(numbers, float(low)), float(high))


def forget_wide_types(nodes):
    """Removes declarations of values of 16 bits."""
    kinds = package("onnx").TensorProto
    declared = nodes.facts.graph.value_info
    kept = [value for value in declared if value.type.tensor_type.elem_type not in (kinds.INT16, kinds.UINT16)]
    if len(kept) < len(declared):
        replace(declared, kept)


def dequantize(nodes, x, scale, zero=""):
    """Those of 16 bits and by computed scales as differences and products; others with a zero point."""
    if nodes.field("block_size", 0):
        return nodes.add("DequantizeLinear", [x, scale, *filter(None, [zero])], **nodes.fields) if nodes.node.domain else None
    kind = kind_of(nodes, zero or x)
    if kind is None:
        raise Unknown(f"the type of {zero or x} is not known", may_stay=True)  # other nodes may give it one
    if kind.name in (*WIDE, "float32"):
        return dequantize_wide(nodes, x, scale, zero)
    if (values := nodes.value(x)) is not None and limits_of(values.dtype):
        made = dequantize_weight(nodes, values, scale, zero)
        if made is not None:
            return made
    is_computed = nodes.value(scale) is None
    if is_computed and len(shape := nodes.shape(scale, may_stay=True)) == 1 and shape != [1]:
        return dequantize_axis(nodes, x, scale, zero)
    if zero and not nodes.node.domain or not limits_of(kind):
        return None
    return nodes.DequantizeLinear(x, scale, zero or zeros_like(nodes, scale, kind), **nodes.fields)


def dequantize_weight(nodes, values, scale, zero):
    """A weight whose integers torch-mlir does not know, as one of bytes: such of 2 or 4 bits, and of bytes without a sign
    with a scale for each extent of an axis. None of others."""
    scales, zeros = nodes.value(scale), nodes.value(zero) if zero else nodes.numpy.zeros((), values.dtype)
    is_unsigned = values.dtype.name == "uint8" and scales is not None and scales.size > 1
    is_narrow = limits_of(values.dtype)[1] < limits_of(nodes.numpy.dtype("int8"))[1]
    if zeros is None or not is_unsigned and not is_narrow:
        return None
    weight, zeros = as_signed(values, zeros)
    if scales is not None:
        zeros = nodes.numpy.broadcast_to(zeros, scales.shape)
    return nodes.DequantizeLinear(nodes.constant(weight), scale, nodes.constant(zeros), **nodes.fields)


def as_signed(values, zeros):
    """Integers of up to 8 bits and their zero points as bytes with a sign, of which the differences are the same."""
    shift = SHIFT if values.dtype.name == "uint8" else 0
    return [(each.astype("int16") - shift).astype("int8") for each in (values, zeros)]


def zeros_like(nodes, scale, kind):
    """A zero point of 0 for each scale; one where scales are computed."""
    scales = nodes.value(scale)
    return nodes.constant(nodes.numpy.zeros(() if scales is None else scales.shape, kind))


def dequantize_axis(nodes, x, scale, zero):
    """By a computed scale for each extent of the axis."""
    own = nodes.facts.types[scale]
    numbers = nodes.Cast(x, to=own)
    if zero:
        numbers = nodes.Sub(numbers, nodes.Cast(along(nodes, zero, x), to=own))
    return nodes.Mul(numbers, along(nodes, scale, x))


def dequantize_wide(nodes, x, scale, zero):
    """From 16 bits: constants, inputs of the graph, or floats that `quantize_wide` made."""
    kind = nodes.helper.np_dtype_to_tensor_dtype(nodes.numpy.dtype("float32"))
    if nodes.value(x) is not None:
        numbers = nodes.constant(nodes.value(x).astype("float32"))
    else:
        numbers = x if x in nodes.facts.makers else nodes.Cast(x, to=kind)
    if zero:
        zeros = nodes.value(zero)
        if zeros is None:
            nodes.refuse("a zero point of 16 bits that is no constant is not supported; quantize statically")
        if zeros.any():
            numbers = nodes.Sub(numbers, along(nodes, nodes.constant(zeros.astype("float32")), x))
    return nodes.Mul(numbers, along(nodes, scale, x))


def along(nodes, name, x):
    """A number for each extent of the axis, in a shape that goes with x."""
    value = nodes.value(name)
    if value is not None and value.size == 1:
        return name if value.ndim == 0 else nodes.constant(value.reshape(()))
    rank = len(nodes.shape(x))
    shape = [-1, *[1] * (rank - 1 - nodes.field("axis", 1) % rank)]
    if value is None:
        return nodes.Reshape(name, shape) if len(nodes.shape(name)) == 1 else name
    return nodes.constant(value.reshape(shape))


MEANINGS = {"QuantizeLinear": quantize, "DequantizeLinear": dequantize, "Clip": clip}
