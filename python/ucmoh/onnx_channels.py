"""Weights that are quantized per channel: products of integers, with the scales behind them.

An importer that knows integers only with one scale would compute such a product in float.
"""
import dataclasses
import typing

from .arrays import package

# A bias has the product of two scales as its own; both are rounded to f32.
TOLERANCE = 1e-5


@dataclasses.dataclass
class Dequantized:
    """Operands of a DequantizeLinear: names, and scales and zero points as arrays."""

    value: str
    scale_name: str
    scale: typing.Any
    zero: typing.Any
    axis: int


class Channels:
    """The products of a graph whose weights have a scale for each channel of the result."""

    kinds = ("Conv", "Gemm", "MatMul")

    def __init__(self, graph):
        onnx = package("onnx")
        self.graph, self.helper, self.numpy_helper = graph, onnx.helper, onnx.numpy_helper
        self.constants = {tensor.name: tensor for tensor in graph.initializer}
        self.makers = {node.output[0]: node for node in graph.node if node.op_type == "DequantizeLinear"}

    def rewrite(self):
        """Changes the graph."""
        new = []
        for node in self.graph.node:
            new.extend(self.product(node) if node.op_type in self.kinds else [node])
        read = {name for node in new for name in node.input} | {value.name for value in self.graph.output}
        new = [node for node in new if node.op_type != "DequantizeLinear" or node.output[0] in read]
        copied = [self.copy(node) for node in new]
        del self.graph.node[:]
        self.graph.node.extend(copied)

    @staticmethod
    def copy(node):
        """A node apart from the list that it is in."""
        made = type(node)()
        made.CopyFrom(node)
        return made

    def product(self, node):
        """Returns what stands for a product: integers and the scales behind them, or the node itself."""
        left, weight = (self.dequantized(name) for name in node.input[:2])
        bias = self.bias_of(node, left, weight) if self.can_be_split(node, left, weight) else None
        if bias is None:
            return [node]
        inside, behind = bias
        output = node.output[0]
        one = self.constant(f"{output}.one", left.scale.dtype.type(1))
        made = [self.dequantize(f"{output}.weight", weight, one), *inside]
        product = self.copy(node)
        replace(product.input, [node.input[0], *(each.output[0] for each in made)])
        replace(product.output, [f"{output}.sums"])
        return [*made, product, *self.behind(node, [("Mul", "scaled", weight.scale), *behind])]

    def bias_of(self, node, left, weight):
        """The nodes that make a bias one of the integers, and the steps that add it behind their scales: one of both, or
        neither where there is none. None where it is no constant."""
        if len(node.input) < 3:
            return [], []
        bias = self.dequantized(node.input[2])
        if self.is_sum_of_products(bias, left, weight):
            return [self.dequantize(f"{node.output[0]}.bias", bias, left.scale_name)], []
        numbers = self.floats(node.input[2])
        return None if numbers is None else ([], [("Add", "shifted", numbers)])

    def behind(self, node, steps):
        """Nodes that take the sums of a product to its result: an operator, a name and numbers of channels for each."""
        output, made, value = node.output[0], [], f"{node.output[0]}.sums"
        shape = (-1, *(1,) * self.dims_behind(node)) if node.op_type == "Conv" else (-1,)
        for operator, name, numbers in steps:
            numbers = self.constant(f"{output}.numbers_{name}", numbers.reshape(shape))
            made.append(self.helper.make_node(operator, [value, numbers], [f"{output}.{name}"], name=f"{node.name}.{name}"))
            value = made[-1].output[0]
        replace(made[-1].output, [output])
        return made

    def floats(self, name):
        """The numbers of a constant bias, one for each channel, or None: integers are dequantized."""
        if name in self.constants:
            values = self.numpy_helper.to_array(self.constants[name])
        else:
            bias = self.dequantized(name)
            if bias is None or bias.value not in self.constants:
                return None
            integers = self.numpy_helper.to_array(self.constants[bias.value])
            values = (integers.astype("int64") - bias.zero).astype(bias.scale.dtype) * bias.scale
        return values if values.ndim == 1 else None

    def can_be_split(self, node, left, weight):
        """Whether the weight's scales are those of the channels of the result, with one zero point."""
        if left is None or weight is None or left.scale.size != 1 or weight.scale.ndim != 1 or weight.scale.size == 1:
            return False
        fields = {attribute.name: attribute for attribute in node.attribute}
        if any(name in fields and fields[name].f != 1 for name in ("alpha", "beta")):
            return False
        if weight.value not in self.constants or "transA" in fields and fields["transA"].i:
            return False
        rank = len(self.constants[weight.value].dims)
        is_transposed = node.op_type == "Gemm" and "transB" in fields and fields["transB"].i
        channel = 0 if node.op_type == "Conv" or is_transposed else rank - 1
        return weight.axis % rank == channel and (weight.zero == weight.zero.flat[0]).all()

    def is_sum_of_products(self, bias, left, weight):
        """Whether a bias is of the integers that the products are: its scales are the products of theirs."""
        numpy = package("numpy")
        return bias is not None and not bias.zero.any() and numpy.allclose(
            bias.scale, left.scale.reshape(()) * weight.scale, rtol=TOLERANCE, atol=0)

    def dims_behind(self, node):
        """Dims of an image."""
        return len(self.constants[self.dequantized(node.input[1]).value].dims) - 2

    def dequantized(self, name):
        """The operands of the DequantizeLinear that gives `name`; nothing if it is another value."""
        node = self.makers.get(name)
        if node is None or any(each and each not in self.constants for each in node.input[1:]):
            return None
        numpy = package("numpy")
        scale = self.numpy_helper.to_array(self.constants[node.input[1]])
        has_zero = len(node.input) > 2 and node.input[2]
        zero = self.numpy_helper.to_array(self.constants[node.input[2]]) if has_zero else numpy.zeros((), numpy.int8)
        axis = next((attribute.i for attribute in node.attribute if attribute.name == "axis"), 1)
        return Dequantized(node.input[0], node.input[1], scale, zero, axis)

    def dequantize(self, name, operand, scale):
        """A new DequantizeLinear of the same integers, with one scale."""
        zero = self.constant(f"{name}.zero", operand.zero.flat[0])
        return self.helper.make_node("DequantizeLinear", [operand.value, scale, zero], [name], name=name)

    def constant(self, name, value):
        """The name of a new constant."""
        numpy = package("numpy")
        self.constants[name] = self.numpy_helper.from_array(numpy.asarray(value), name)
        self.graph.initializer.append(self.constants[name])
        return name


def replace(field, values):
    """Sets a list of a message."""
    del field[:]
    field.extend(values)
