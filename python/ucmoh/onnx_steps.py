"""Transposed convolutions of integers as convolutions of integers, whose channels are the pixels of a block.

Each step of a transposed convolution makes a block of pixels, and a kernel that is larger than a step adds to the
blocks of its neighbours. So a block is what a smaller kernel makes of a pixel and its neighbours. torch-mlir would
compute the pixels in float.
"""
import collections
import math

from .arrays import package
from .onnx_channels import Channels, replace
from .onnx_nodes import END

LARGEST_GROWTH = 2.0  # zeros continue a kernel to whole steps


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
        image, weight = (self.dequantized(name) for name in node.input[:2])
        if image is None or weight is None or weight.value not in self.constants:
            return [node]
        values = self.numpy_helper.to_array(self.constants[weight.value])
        blocks = Blocks(node, values.shape)
        if not blocks.are_simple() or weight.scale.size > 1 and weight.axis % values.ndim != 1:
            return [node]
        output = node.output[0]
        biases = [self.bias(f"{output}.biases", name, blocks) for name in node.input[2:]]
        if None in biases:
            return [node]
        column = self.column(f"{output}.image", image, node.input[0]) if blocks.is_line else []
        constants = [self.repeat(f"{output}.filters", weight, blocks.filters(values, weight.zero.flat[0]), blocks)]
        constants += [made for made, _ in biases if made]
        inputs = [column[-1].output[0] if column else node.input[0], f"{output}.filters", *(name for _, name in biases)]
        sums = self.helper.make_node("Conv", inputs, [f"{output}.blocks"], name=node.name, pads=blocks.border())
        return [*column, *constants, sums, *self.pixels(node, sums.output[0], blocks)]

    def bias(self, name, bias, blocks):
        """A bias for each pixel of a block: a node, or None, and the name of what it gives. None of what is no constant."""
        dequantized = self.dequantized(bias)
        value = dequantized.value if dequantized else bias
        if value not in self.constants:
            return None
        values = package("numpy").tile(self.numpy_helper.to_array(self.constants[value]), blocks.size)
        if dequantized is None:
            return None, self.constant(name, values)
        return self.repeat(name, dequantized, values, blocks), name

    def column(self, name, line, dequantized):
        """Nodes that give a line of integers the form of an image with one column, and dequantize it."""
        maker = self.copy(self.makers[dequantized])
        replace(maker.input, [name, *maker.input[1:]])
        replace(maker.output, [f"{name}.dequantized"])
        return [self.reshape(line.value, [0, 0, -1, 1], name), maker]

    def reshape(self, value, shape, output):
        """A new Reshape."""
        shape = self.constant(f"{output}.shape", package("numpy").array(shape, "int64"))
        return self.helper.make_node("Reshape", [value, shape], [output], name=output)

    def pixels(self, node, value, blocks):
        """Blocks as pixels. If their result is quantized, the blocks are, so that a kernel gives the smaller type."""
        output, made, quantizer = node.output[0], [], self.quantizers.get(node.output[0])
        if quantizer and all(self.is_scalar(name) for name in quantizer.input[1:]):
            self.moved.add(output)
            made.append(self.copy(quantizer))
            replace(made[0].input, [value, *quantizer.input[1:]])
            replace(made[0].output, [f"{output}.quantized"])
            value, output = made[0].output[0], quantizer.output[0]
        made.extend(self.line(value, blocks) if blocks.is_line else self.square(value, blocks))
        return [*made, self.cut(made[-1].output[0], output, blocks)]

    def square(self, value, blocks):
        """A node that puts the pixels of square blocks into their places."""
        name = f"{value}.pixels"
        return [self.helper.make_node("DepthToSpace", [value], [name], name=name, blocksize=blocks.steps[0])]

    def line(self, value, blocks):
        """Nodes that put the pixels of the blocks of a line into their places."""
        names = [f"{value}.apart", f"{value}.turned", f"{value}.pixels"]
        return [self.reshape(value, [0, blocks.size, blocks.channels, -1], names[0]),
                self.helper.make_node("Transpose", names[:1], names[1:2], name=names[1], perm=[0, 2, 3, 1]),
                self.reshape(names[1], [0, blocks.channels, -1], names[2])]

    def cut(self, value, output, blocks):
        """A node that leaves out the pixels at both ends which do not belong to the result."""
        begin, end = blocks.cuts()
        numbers = (("begin", begin), ("end", [-count or END for count in end]), ("dims", range(2, 2 + len(begin))))
        inputs = [self.constant(f"{output}.{what}", package("numpy").array(each, "int64")) for what, each in numbers]
        return self.helper.make_node("Slice", [value, *inputs], [output], name=f"{output}.cut")

    def is_scalar(self, name):
        """Whether it is a constant of one element."""
        return name in self.constants and list(self.constants[name].dims) in ([], [1])

    def repeat(self, name, operand, values, blocks):
        """A new DequantizeLinear of `values`, whose channels are those of `operand` for each pixel of a block."""
        def of_blocks(field):
            return package("numpy").tile(field, blocks.size) if field.size > 1 else field

        inputs = [self.constant(f"{name}.values", values), self.constant(f"{name}.scale", of_blocks(operand.scale)),
                  self.constant(f"{name}.zero", of_blocks(operand.zero))]
        return self.helper.make_node("DequantizeLinear", inputs, [name], name=name, axis=0)


class Blocks:
    """The blocks of a transposed convolution of lines or images: their extents, and the kernel that makes them."""

    def __init__(self, node, shape):
        helper = package("onnx").helper
        self.fields = {each.name: helper.get_attribute_value(each) for each in node.attribute}
        self.channels, self.kernel = shape[1], list(shape[2:])
        self.is_line = len(self.kernel) == 1
        self.steps = self.field("strides", 1)
        self.size = math.prod(self.steps)
        self.taps = [-(-extent // step) for extent, step in zip(self.kernel, self.steps)]

    def field(self, name, value, count=1):
        """An attribute with `count` numbers for each dim."""
        return list(self.fields.get(name) or [value] * count * len(self.kernel))

    def are_simple(self):
        """Whether a convolution makes them that is not much larger, and pixels at the ends are left out, not added."""
        grown = math.prod(self.taps) * self.size
        return (len(self.kernel) <= 2 and len(set(self.steps)) == 1 and self.fields.get("group", 1) == 1 and
                self.fields.get("auto_pad", b"NOTSET") == b"NOTSET" and "output_shape" not in self.fields and
                set(self.field("dilations", 1)) == {1} and grown <= LARGEST_GROWTH * math.prod(self.kernel) and
                min(sum(self.cuts(), [])) >= 0)

    def cuts(self):
        """How many pixels are left out at the beginning and at the end of each dim."""
        pads, count = self.field("pads", 0, count=2), len(self.kernel)
        extents = zip(self.taps, self.steps, self.kernel, pads[count:], self.field("output_padding", 0))
        return pads[:count], [taps * step - extent + pad - more for taps, step, extent, pad, more in extents]

    def border(self):
        """The pads of the convolution: neighbours on both sides."""
        low = [taps - 1 for taps in self.taps] + [0] * self.is_line
        return [*low, *low]

    def filters(self, values, zero):
        """Weights of the convolution: for each pixel of a block those elements of the kernel that lie whole steps
        apart, the last first."""
        numpy = package("numpy")
        missing = [(0, taps * step - extent) for taps, step, extent in zip(self.taps, self.steps, self.kernel)]
        values = numpy.pad(values, [(0, 0), (0, 0), *missing], constant_values=zero)
        shape = [extent for each in zip(self.taps, self.steps) for extent in each]
        values = values.reshape(*values.shape[:2], *shape)
        dims = range(len(self.kernel))
        taps, steps = [2 + 2 * dim for dim in dims], [3 + 2 * dim for dim in dims]
        values = numpy.flip(values, taps).transpose(*steps, 1, 0, *taps)
        return values.reshape(self.size * self.channels, -1, *self.taps, *[1] * self.is_line)
