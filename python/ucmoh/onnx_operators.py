"""Quantized operators, of ONNX Runtime mostly, as what they mean: dequantize, compute, quantize.

torch-mlir knows that form.
"""
from . import onnx_nodes, onnx_shapes
from .arrays import package

# The operator of ONNX that computes it, for (value, scale, zero point) as often as there are operands, then (scale,
# zero point) of the result.
MEANINGS = {
    "QLinearAdd": "Add", "QLinearMul": "Mul", "QLinearSigmoid": "Sigmoid", "QLinearLeakyRelu": "LeakyRelu",
    "QLinearSoftmax": "Softmax", "QLinearGlobalAveragePool": "GlobalAveragePool",
    "QLinearAveragePool": "AveragePool", "QLinearConcat": "Concat", "QGemm": "Gemm", "QLinearMatMul": "MatMul",
}
# Those of ONNX that torch-mlir takes, but not with a scale for each channel, nor with one dim of places.
PER_TENSOR_ONLY = {"QLinearConv": "Conv"}
# Those whose channels may be innermost.
POOLS = ("QLinearAveragePool", "QLinearGlobalAveragePool", "NhwcMaxPool")
MAXIMA = ("MaxPool", "GlobalMaxPool")
QUOTIENTS = ("Div", "Mod", "Clip")
WEIGHT, WEIGHT_SCALE = 3, 4  # among the inputs of a product
OWN_ATTRIBUTES = ("channels_last", "opset")  # which the operator of ONNX lacks


def rewrite(model):
    """The model without ONNX Runtime's quantized operators."""
    meanings = dict.fromkeys(MEANINGS, compute) | dict.fromkeys(PER_TENSOR_ONLY, compute_channels)
    return onnx_nodes.rewrite(model, meanings | dict.fromkeys(POOLS, pool))


def compare_as_numbers(model):
    """The model with maxima of unsigned integers as those of floats, and quotients as those of wider integers: torch-mlir
    compares and divides them as signed ones.

    The graph has the types of all results.
    """
    count = len(model.graph.node)
    meanings = dict.fromkeys(MAXIMA, largest_number) | dict.fromkeys(QUOTIENTS, wide_number)
    model = onnx_nodes.rewrite(model, meanings)
    return model if len(model.graph.node) == count else onnx_shapes.infer_shapes(model)


def largest_number(nodes, image):
    """A maximum of numbers, as an unsigned integer again; positions stay."""
    kinds = package("onnx").TensorProto
    if nodes.facts.types.get(image) != kinds.UINT8:
        return None
    wide = nodes.Cast(image, to=kinds.FLOAT)
    results = nodes.add(nodes.node.op_type, [wide], len(nodes.node.output), **nodes.fields)
    largest, *positions = [results] if isinstance(results, str) else results
    return [nodes.Cast(largest, to=kinds.UINT8), *positions]


def wide_number(nodes, value, *others):
    """The same of integers that hold all of an unsigned one; others stay."""
    kinds = package("onnx").TensorProto
    kind = nodes.facts.types.get(value)
    wide = {kinds.UINT8: kinds.INT32, kinds.UINT16: kinds.INT32, kinds.UINT32: kinds.INT64}.get(kind)
    if wide is None:
        return None
    operands = [each and nodes.Cast(each, to=wide) for each in (value, *others)]
    return nodes.Cast(nodes.add(nodes.node.op_type, operands, **nodes.fields), to=kind)


def compute_channels(nodes, *inputs):
    """As `compute`, where the weight has a scale for each channel, or one dim of places."""
    weight, scale = nodes.value(inputs[WEIGHT]), nodes.value(inputs[WEIGHT_SCALE])
    is_line = weight is not None and weight.ndim == 3
    has_channels = scale is not None and scale.shape not in ((), (1,))
    return compute(nodes, *inputs) if is_line or has_channels else None


def pool(nodes, image, *quantization):
    """As `compute`, with channels outermost."""
    is_maximum = nodes.node.op_type == "NhwcMaxPool"
    if not is_maximum and not nodes.field("channels_last", 0):
        return compute(nodes, image, *quantization)
    rank = len(nodes.shape(image))
    inside = nodes.Transpose(image, perm=[0, rank - 1, *range(1, rank - 1)])
    pooled = nodes.MaxPool(inside, **nodes.fields) if is_maximum else compute(nodes, inside, *quantization)
    return nodes.Transpose(pooled, perm=[0, *range(2, rank), 1])


def compute(nodes, *inputs):
    """Dequantized operands, the operator of ONNX, and its result quantized."""
    operands, result, bias = split(nodes, inputs)
    values = [dequantize(nodes, *operands[at:at + 3], channel(nodes)) for at in range(0, len(operands), 3)]
    if bias:
        values.append(dequantize(nodes, bias, *bias_parameters(nodes, operands[1], operands[WEIGHT_SCALE]), axis=0))
    attributes = {name: value for name, value in nodes.fields.items() if name not in OWN_ATTRIBUTES}
    computed = nodes.add((MEANINGS | PER_TENSOR_ONLY)[nodes.node.op_type], values, **attributes)
    return nodes.add("QuantizeLinear", [computed, *filter(None, result)]) if result[0] else computed


def split(nodes, inputs):
    """The names of the operands with their scales and zero points, of the result's, and of a bias."""
    inputs, operator = list(inputs), nodes.node.op_type
    if operator == "QLinearConcat":
        return inputs[2:], inputs[:2], ""
    if operator == "QLinearConv":
        return inputs[:6], inputs[6:8], "".join(inputs[8:])
    if operator == "QGemm":
        inputs += [""] * 3
        return inputs[:6], inputs[7:9], inputs[6]
    return inputs[:-2], inputs[-2:], ""


def channel(nodes):
    """The dim of a weight whose extents may have scales of their own."""
    return 0 if nodes.node.op_type == "QLinearConv" or nodes.field("transB") else -1


def dequantize(nodes, value, scale, zero, axis):
    """The name of the value as numbers."""
    return nodes.add("DequantizeLinear", filter(None, (value, scale, zero)), axis=axis)


def bias_parameters(nodes, left, right):
    """Scale and zero point of a bias, the product of two scales and 0, as new constants."""
    scales = nodes.value(left), nodes.value(right)
    if any(each is None for each in scales):
        nodes.refuse("scales of operands with a bias must be constants")
    scale = scales[0] * scales[1]
    return nodes.constant(scale), nodes.constant(nodes.numpy.zeros(scale.shape, "int32"))
