"""Products of ONNX Runtime's dynamic quantization as products of integers."""
from .arrays import package
from .onnx_quantized import as_signed


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


def signed(nodes, weight, zero):
    """A constant weight as bytes with a sign, and its zero point: one where all are 0."""
    values, zeros = nodes.value(weight), nodes.value(zero) if zero else None
    if values is None or zero and zeros is None:
        return weight, zero or nothing(nodes, weight)
    made, zeros = as_signed(values, nodes.numpy.zeros((), values.dtype) if zeros is None else zeros)
    if made.dtype != values.dtype:
        weight = nodes.constant(made)
    return weight, nodes.constant(zeros if zeros.any() else zeros.reshape(-1)[0])


MEANINGS = {"DynamicQuantizeMatMul": dynamic_product, "MatMulIntegerToFloat": integer_product,
            "MatMulInteger": without_zeros, "ConvInteger": without_zeros}
