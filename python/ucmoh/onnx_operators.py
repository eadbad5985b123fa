"""Quantized operators, of ONNX Runtime mostly, as what they mean: dequantize, compute, quantize.

torch-mlir knows that form.
"""
import copy

from .arrays import package

# The operator of ONNX that computes it, for (value, scale, zero point) as often as there are operands, then (scale,
# zero point) of the result.
MEANINGS = {
    "QLinearAdd": "Add", "QLinearMul": "Mul", "QLinearSigmoid": "Sigmoid", "QLinearLeakyRelu": "LeakyRelu",
    "QLinearSoftmax": "Softmax", "QLinearGlobalAveragePool": "GlobalAveragePool",
    "QLinearAveragePool": "AveragePool", "QLinearConcat": "Concat", "QGemm": "Gemm", "QLinearMatMul": "MatMul",
}
# Those of ONNX that torch-mlir takes, but not with a scale for each channel.
PER_TENSOR_ONLY = {"QLinearConv": "Conv"}
MAXIMA = ("MaxPool", "GlobalMaxPool")
WEIGHT_SCALE = 4  # among the inputs of a product
OWN_ATTRIBUTES = ("channels_last", "opset")  # which the operator of ONNX lacks


def rewrite(graph):
    """Replaces ONNX Runtime's quantized operators by nodes of ONNX."""
    new = []
    scales = {tensor.name: list(tensor.dims) for tensor in graph.initializer}
    for node in graph.node:
        has_channels = node.op_type in PER_TENSOR_ONLY and scales.get(node.input[WEIGHT_SCALE]) not in ([], [1], None)
        new.extend(Rewriting(node, graph).nodes() if node.op_type in MEANINGS or has_channels else [node])
    copied = [copy.deepcopy(node) for node in new]
    del graph.node[:]
    graph.node.extend(copied)


def compare_as_numbers(graph):
    """Maxima of unsigned integers as those of floats: torch-mlir compares bytes as signed ones. Whether there were any.

    The graph has the types of all results.
    """
    onnx = package("onnx")
    unsigned = {value.name for value in (*graph.value_info, *graph.input)
                if value.type.tensor_type.elem_type == onnx.TensorProto.UINT8}
    nodes = [node for node in graph.node if node.op_type in MAXIMA and node.input[0] in unsigned]
    for node in nodes:
        position = list(graph.node).index(node)
        wide, result, output = f"{node.name}.wide", f"{node.name}.largest", node.output[0]
        graph.node.insert(position + 1, onnx.helper.make_node("Cast", [result], [output], name=result,
                                                              to=onnx.TensorProto.UINT8))
        graph.node.insert(position, onnx.helper.make_node("Cast", [node.input[0]], [wide], name=wide,
                                                          to=onnx.TensorProto.FLOAT))
        changed = graph.node[position + 1]
        changed.input[0], changed.output[0] = wide, result
    return bool(nodes)


class Rewriting:
    """One node, taken apart."""

    def __init__(self, node, graph):
        self.node, self.graph = node, graph
        self.helper = package("onnx").helper
        self.made = []

    def nodes(self):
        """Makes what stands for the node."""
        inputs = list(self.node.input)
        bias = ""
        if self.node.op_type == "QLinearConcat":
            result, operands = inputs[:2], inputs[2:]
        elif self.node.op_type == "QLinearConv":
            result, operands, bias = inputs[6:8], inputs[:6], "".join(inputs[8:])
        elif self.node.op_type == "QGemm":
            inputs += [""] * (9 - len(inputs))
            result, operands, bias = inputs[7:9], inputs[:6], inputs[6]
        else:
            result, operands = inputs[-2:], inputs[:-2]
        values = [self.dequantize(*operands[at:at + 3], axis=self.channel()) for at in range(0, len(operands), 3)]
        if bias:
            values.append(self.dequantize(bias, *self.bias_parameters(operands[1], operands[WEIGHT_SCALE]), axis=0))
        output = self.node.output[0]
        computed = f"{output}.computed" if result[0] else output
        meaning = (MEANINGS | PER_TENSOR_ONLY)[self.node.op_type]
        self.add(meaning, values, computed, [each for each in self.node.attribute if each.name not in OWN_ATTRIBUTES])
        if result[0]:
            self.add("QuantizeLinear", [name for name in (computed, *result) if name], output)
        return self.made

    def add(self, operator, inputs, output, attributes=()):
        """A new node; gives the name of its result."""
        made = self.helper.make_node(operator, inputs, [output], name=f"{self.node.name}.{len(self.made)}")
        made.attribute.extend(attributes)
        self.made.append(made)
        return output

    def channel(self):
        """The dim of a weight whose extents may have scales of their own."""
        is_transposed = any(attribute.name == "transB" and attribute.i for attribute in self.node.attribute)
        return 0 if self.node.op_type == "QLinearConv" or is_transposed else -1

    def dequantize(self, value, scale, zero, axis):
        """The name of the value as numbers."""
        name = f"{self.node.output[0]}.operand{len(self.made)}"
        attributes = [self.helper.make_attribute("axis", axis)]
        return self.add("DequantizeLinear", [each for each in (value, scale, zero) if each], name, attributes)

    def bias_parameters(self, left, right):
        """Scale and zero point of a bias, the product of two scales and 0, as new constants."""
        numpy, numpy_helper = package("numpy"), package("onnx").numpy_helper
        scales = {tensor.name: numpy_helper.to_array(tensor) for tensor in self.graph.initializer
                  if tensor.name in (left, right)}
        scale = scales[left] * scales[right]
        names = [f"{self.node.output[0]}.bias_{what}" for what in ("scale", "zero_point")]
        values = [scale, numpy.zeros(scale.shape, numpy.int32)]
        self.graph.initializer.extend(numpy_helper.from_array(*each) for each in zip(values, names))
        return names
