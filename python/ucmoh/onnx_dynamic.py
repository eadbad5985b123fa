"""Products of ONNX Runtime's dynamic quantization as products of integers, and quantization to 16 bits as floats."""
from .arrays import package

SHIFT = 128  # between bytes with and without a sign


def dynamic_product(nodes, x, weight, scale, zero="", bias=""):
    """Rows of floats, quantized together as their range wants."""
    values, step, shift = nodes.add("DynamicQuantizeLinear", [x], outputs=3)
    return product(nodes, (values, weight), (step, scale), (shift, zero), bias)


def integer_product(nodes, left, right, left_scale, right_scale, left_zero="", right_zero="", bias=""):
    """Integers with scales."""
    return product(nodes, (left, right), (left_scale, right_scale), (left_zero, right_zero), bias)


def product(nodes, operands, scales, zeros, bias):
    """(left - zero) times (right - zero), times both scales, and a bias."""
    weight, zero = signed(nodes, operands[1], zeros[1])
    sums = nodes.MatMulInteger(operands[0], weight, zeros[0] or nothing(nodes, operands[0]), zero)
    kind = nodes.helper.np_dtype_to_tensor_dtype(package("numpy").dtype("float32"))
    result = nodes.Mul(nodes.Cast(sums, to=kind), nodes.Mul(*scales))
    return nodes.Add(result, bias) if bias else result


def without_zeros(nodes, left, right, left_zero="", right_zero=""):
    """Zero points of 0 where a product of integers has none: torch-mlir wants both to tell the types."""
    if left_zero and right_zero:
        return None
    zeros = left_zero or nothing(nodes, left), right_zero or nothing(nodes, right)
    return nodes.add(nodes.node.op_type, [left, right, *zeros], **nodes.fields)


def nothing(nodes, operand):
    """0 in the type of an operand."""
    kind = nodes.facts.types.get(operand)
    return nodes.constant(nodes.numpy.zeros((), nodes.helper.tensor_dtype_to_np_dtype(kind) if kind else "uint8"))


def trimmed(*inputs):
    """Without the last of them that are empty."""
    inputs = list(inputs)
    while not inputs[-1]:
        inputs.pop()
    return inputs


def signed(nodes, weight, zero):
    """A constant weight as bytes with a sign, and its zero point: one where all are 0."""
    values, zeros = nodes.value(weight), nodes.value(zero) if zero else None
    if values is None or zero and zeros is None:
        return weight, zero or nothing(nodes, weight)
    shift = SHIFT if values.dtype.name == "uint8" else 0
    zeros = nodes.numpy.zeros((), "int16") if zeros is None else zeros.astype("int16")
    if shift:
        weight = nodes.constant((values.astype("int16") - shift).astype("int8"))
    zeros = zeros - shift
    return weight, nodes.constant((zeros if zeros.any() else zeros.reshape(-1)[0]).astype("int8"))


def is_wide(nodes, name):
    """Whether this is of 16 bits."""
    kind = nodes.facts.types.get(name, 0)
    return bool(kind) and nodes.helper.tensor_dtype_to_np_dtype(kind).name in ("int16", "uint16")


def quantize(nodes, x, scale, zero=""):
    """To 16 bits, which torch-mlir lacks, as integers in floats; others as ONNX has them."""
    if not is_wide(nodes, zero):
        return nodes.QuantizeLinear(*trimmed(x, scale, zero), **nodes.fields) if nodes.node.domain else None
    zeros = along(nodes, numbers_of(nodes, zero), x)
    limits = nodes.numpy.iinfo(nodes.value(zero).dtype)
    numbers = nodes.Add(nodes.Round(nodes.Div(x, along(nodes, scale, x))), zeros)
    return nodes.Min(nodes.Max(numbers, float(limits.min)), float(limits.max))


def dequantize(nodes, x, scale, zero=""):
    """From 16 bits, and by computed scales of an axis, which torch-mlir applies wrongly; others as ONNX has them."""
    is_computed = nodes.value(scale) is None and not nodes.field("block_size", 0)
    if is_computed and len(shape := nodes.shape(scale, may_stay=True)) == 1 and shape != [1]:
        own = nodes.facts.types[scale]
        numbers = nodes.Cast(x, to=own)
        if zero:
            numbers = nodes.Sub(numbers, nodes.Cast(along(nodes, zero, x), to=own))
        return nodes.Mul(numbers, along(nodes, scale, x))
    if not is_wide(nodes, x) and not is_wide(nodes, zero):
        return nodes.DequantizeLinear(*trimmed(x, scale, zero), **nodes.fields) if nodes.node.domain else None
    numbers = numbers_of(nodes, x) if nodes.value(x) is not None else x
    if zero:
        numbers = nodes.Sub(numbers, along(nodes, numbers_of(nodes, zero), x))
    return nodes.Mul(numbers, along(nodes, scale, x))


def numbers_of(nodes, name):
    """A constant of integers as one of floats."""
    if nodes.value(name) is None:
        nodes.refuse("a zero point of 16 bits that is no constant is not supported; quantize statically")
    return nodes.constant(nodes.value(name).astype("float32"))


def along(nodes, name, x):
    """A number for each extent of the axis, in a shape that goes with x."""
    value, rank = nodes.value(name), len(nodes.shape(x))
    shape = [-1, *[1] * (rank - 1 - nodes.field("axis", 1) % rank)]
    if value is None:
        return nodes.Reshape(name, shape) if len(nodes.shape(name)) == 1 else name
    return name if value.ndim == 0 or value.size == 1 else nodes.constant(value.reshape(shape))


MEANINGS = {"DynamicQuantizeMatMul": dynamic_product, "MatMulIntegerToFloat": integer_product,
            "MatMulInteger": without_zeros, "ConvInteger": without_zeros, "QuantizeLinear": quantize, "DequantizeLinear": dequantize}
