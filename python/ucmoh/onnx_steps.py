"""Transposed convolutions of integers whose steps are as large as their kernel, as products of pixels.

Nothing of their results overlaps: each pixel becomes a block of pixels. So they are convolutions with a kernel of 1x1,
whose channels are the pixels of the block. torch-mlir would compute them in float.
"""
import collections

from .arrays import package
from .onnx_channels import Channels, replace

DEFAULTS = {"auto_pad": b"NOTSET", "group": 1, "dilations": [1, 1], "pads": [0] * 4, "output_padding": [0, 0]}


class Steps(Channels):
    """The transposed convolutions of a graph whose weights are constants of integers."""

    kinds = ("ConvTranspose", "QuantizeLinear")

    def __init__(self, graph):
        super().__init__(graph)
        read = collections.Counter(name for node in graph.node for name in node.input)
        read.update(value.name for value in graph.output)
        self.quantizers = {node.input[0]: node for node in graph.node
                           if node.op_type == "QuantizeLinear" and read[node.input[0]] == 1}
        self.moved = set()  # results whose blocks are quantized, by names

    def product(self, node):
        """Returns what stands for a transposed convolution; nothing for what quantizes it, once that is ahead of the
        pixels."""
        if node.op_type == "QuantizeLinear":
            return [] if node.input[0] in self.moved else [node]
        return self.convolution(node)

    def convolution(self, node):
        """Dequantized operands, a convolution and its blocks as pixels; or the node itself."""
        operands = [self.dequantized(name) for name in node.input]
        if None in operands or any(each.value not in self.constants for each in operands[1:]):
            return [node]
        weight, *biases = operands[1:]
        if not self.is_of_blocks(node, weight):
            return [node]
        output, values = node.output[0], self.numpy_helper.to_array(self.constants[weight.value])
        size = values.shape[2]
        filters = values.transpose(2, 3, 1, 0).reshape(-1, len(values), 1, 1)
        made = [self.repeat(f"{output}.filters", weight, filters, size)]
        for bias in biases:
            values = self.numpy_helper.to_array(self.constants[bias.value])
            made.append(self.repeat(f"{output}.biases", bias, package("numpy").tile(values, size * size), size))
        inputs = [node.input[0], *(each.output[0] for each in made)]
        made.append(self.helper.make_node("Conv", inputs, [f"{output}.blocks"], name=node.name))
        return [*made, *self.pixels(node, made[-1].output[0], size)]

    def pixels(self, node, blocks, size):
        """Blocks as pixels. If their result is quantized, the blocks are, so that a kernel gives the smaller type."""
        output, made, quantizer = node.output[0], [], self.quantizers.get(node.output[0])
        if quantizer and all(self.is_scalar(name) for name in quantizer.input[1:]):
            self.moved.add(output)
            made.append(self.copy(quantizer))
            replace(made[0].input, [blocks, *quantizer.input[1:]])
            replace(made[0].output, [f"{output}.quantized"])
            blocks, output = made[0].output[0], quantizer.output[0]
        return [*made, self.helper.make_node("DepthToSpace", [blocks], [output], name=f"{node.name}.pixels",
                                             blocksize=size)]

    def is_scalar(self, name):
        """Whether it is a constant of one element."""
        return name in self.constants and list(self.constants[name].dims) in ([], [1])

    def is_of_blocks(self, node, weight):
        """Whether each pixel becomes a square of its own, with one scale, or one for each channel of the result."""
        dims = list(self.constants[weight.value].dims)
        fields = {each.name: self.helper.get_attribute_value(each) for each in node.attribute}
        if len(dims) != 4 or dims[2] != dims[3] or list(fields.get("strides", [1, 1])) != dims[2:]:
            return False
        if any(fields.get(name, value) != value for name, value in DEFAULTS.items()) or "output_shape" in fields:
            return False
        return weight.scale.size == 1 or weight.axis % 4 == 1

    def repeat(self, name, operand, values, size):
        """A new DequantizeLinear of `values`, whose channels are those of `operand` for each pixel of a block."""
        def of_blocks(field):
            return package("numpy").tile(field, size * size) if field.size > 1 else field

        inputs = [self.constant(f"{name}.values", values), self.constant(f"{name}.scale", of_blocks(operand.scale)),
                  self.constant(f"{name}.zero", of_blocks(operand.zero))]
        return self.helper.make_node("DequantizeLinear", inputs, [name], name=name, axis=0)
