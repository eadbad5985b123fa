"""Weights of 2 to 8 bits with a scale for each block, as what they mean: integers, dequantized by nodes of ONNX.

torch-mlir knows neither MatMulNBits nor a DequantizeLinear with blocks. The compiler recognizes the nodes that stand for
them, and reads the integers.
"""
from .arrays import package
from .errors import CompileError

BITS_OF_BYTE = 8
QUANTIZED_ROWS = 4  # the accuracy level that lets a product quantize its rows to 8 bits
LARGEST = 127  # the largest integer of a quantized row
SMALLEST = 1e-30  # a row of zeros has no scale


def rewrite(graph):
    """Replaces MatMulNBits, and DequantizeLinear with blocks of constants."""
    new = []
    values = {tensor.name: tensor for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "MatMulNBits":
            new.extend(Product(node, graph, values).nodes())
        elif node.op_type == "DequantizeLinear" and fields(node).get("block_size") and node.input[0] in values:
            new.extend(Dequantization(node, graph, values).nodes())
        else:
            new.append(node)
    new = [type(node).FromString(node.SerializeToString()) for node in new]
    del graph.node[:]
    graph.node.extend(new)


def fields(node):
    """The numbers among the attributes."""
    return {attribute.name: attribute.i for attribute in node.attribute}


def unpack(packed, bits):
    """Numbers of 2, 4 or 8 bits out of bytes, the lowest bits first."""
    numpy = package("numpy")
    shifts = numpy.arange(0, BITS_OF_BYTE, bits, dtype=numpy.uint8)
    numbers = (packed[..., None] >> shifts) & numpy.uint8((1 << bits) - 1)
    return numbers.reshape(*packed.shape[:-1], -1)


class Rewriting:
    """One node, taken apart."""

    def __init__(self, node, graph, values):
        self.node, self.graph = node, graph
        self.onnx, self.numpy = package("onnx"), package("numpy")
        names = [*node.input, "", "", "", ""]
        self.inputs = [self.onnx.numpy_helper.to_array(values[name]) if name in values else None for name in names]
        self.made = []

    def refuse(self, why):
        """An error at the node."""
        raise CompileError(f"node '{self.node.name or self.node.output[0]}', op {self.node.op_type}: {why}")

    def add(self, operator, inputs, output="", **attributes):
        """A new node; gives the name of its result."""
        name = f"{self.node.name or self.node.output[0]}.{len(self.made)}"
        output = output or f"{self.node.output[0]}.{len(self.made)}"
        self.made.append(self.onnx.helper.make_node(operator, inputs, [output], name=name, **attributes))
        return output

    def constant(self, value, name):
        """A new initializer; gives its name."""
        name = f"{self.node.output[0]}.{name}"
        self.graph.initializer.append(self.onnx.numpy_helper.from_array(self.numpy.ascontiguousarray(value), name))
        return name

    def dequantize(self, integers, scales, zeros):
        """The name of (integers - zeros) * scales."""
        kind = self.onnx.helper.np_dtype_to_tensor_dtype(scales.dtype)
        numbers = self.add("Cast", [self.constant(integers, "integers")], to=kind)
        if zeros is not None:
            numbers = self.add("Sub", [numbers, self.constant(zeros.astype(scales.dtype), "zeros")])
        return self.add("Mul", [numbers, self.constant(scales, "scales")])

    def reshape(self, value, shape, output=""):
        """The name of the reshaped value."""
        shape = self.constant(self.numpy.array(shape, self.numpy.int64), f"shape{len(self.made)}")
        return self.add("Reshape", [value, shape], output)

    def cut(self, value, extent, axis, output=""):
        """The name of the value's beginning along an axis."""
        numbers = [self.constant(self.numpy.array([number], self.numpy.int64), f"{what}{len(self.made)}")
                   for what, number in (("from", 0), ("to", extent), ("axis", axis))]
        return self.add("Slice", [value, *numbers], output)


class Product(Rewriting):
    """A MatMulNBits: columns x blocks x steps of a block, lowest bits first."""

    def nodes(self):
        """Makes what stands for the node."""
        shape = fields(self.node)
        self.steps, self.columns, self.block = shape["K"], shape["N"], shape["block_size"]
        self.bits = shape.get("bits", 4)
        self.blocks = -(-self.steps // self.block)
        if self.bits not in (2, 4, 8):
            self.refuse(f"weights of {self.bits} bits are not supported, but such of 2, 4 and 8")
        if self.inputs[1] is None or self.inputs[2] is None:
            self.refuse("its weights and scales are not constants")
        weight = self.weight()
        weight = self.add("Transpose", [weight], perm=[1, 0])
        bias, output = self.node.input[5:6], self.node.output[0]
        rows = self.quantized() if shape.get("accuracy_level", 0) == QUANTIZED_ROWS else self.node.input[0]
        product = self.add("MatMul", [rows, weight], "" if bias and bias[0] else output)
        if product != output:
            self.add("Add", [product, bias[0]], output)
        return self.made

    def shaped(self, values, shape, what):
        """The values in that shape, if there are so many."""
        if values.size != self.numpy.prod(shape):
            self.refuse(f"its {what} have {values.size} elements, but {self.columns} columns of {self.steps} steps in "
                        f"blocks of {self.block} have {self.numpy.prod(shape)}")
        return values.reshape(shape)

    def weight(self):
        """The name of the weight as columns x steps."""
        middle = 1 << (self.bits - 1)
        size = -(-self.block * self.bits // BITS_OF_BYTE)
        integers = unpack(self.shaped(self.inputs[1], (self.columns, self.blocks, size), "weights"), self.bits)
        integers = (integers[..., :self.block].astype(self.numpy.int16) - middle).astype(self.numpy.int8)
        scales = self.shaped(self.inputs[2], (self.columns, self.blocks, 1), "scales")
        zeros = self.zeros(middle)
        if self.inputs[4] is not None and self.inputs[4].size:
            integers, scales, zeros = self.regroup(integers, scales, zeros)
        weight = self.reshape(self.dequantize(integers, scales, zeros), (self.columns, -1))
        return weight if self.blocks * self.block == self.steps else self.cut(weight, self.steps, axis=1)

    def zeros(self, middle):
        """Zero points of the integers minus `middle`; none where all are 0."""
        zeros = self.inputs[3]
        if zeros is None:
            return None
        if zeros.dtype == self.numpy.uint8:
            size = -(-self.blocks * self.bits // BITS_OF_BYTE)
            zeros = unpack(self.shaped(zeros, (self.columns, size), "zero points"), self.bits)[:, :self.blocks]
        zeros = self.shaped(zeros.astype(self.numpy.float32), (self.columns, self.blocks, 1), "zero points") - middle
        return zeros if zeros.any() else None

    def regroup(self, integers, scales, zeros):
        """Steps that are in any order belong to blocks that a list names: each has a scale of its own."""
        group = self.inputs[4].reshape(-1)
        if group.size < self.steps or group.min() < 0 or group.max() >= self.blocks:
            self.refuse(f"its g_idx must name one of {self.blocks} blocks for each of {self.steps} steps")
        group = self.numpy.resize(group, self.blocks * self.block)
        self.block, self.blocks = 1, group.size
        pick = lambda values: None if values is None else values[:, group]
        return integers.reshape(self.columns, -1, 1), pick(scales), pick(zeros)

    def quantized(self):
        """The name of the rows, each block of them quantized to 8 bits and dequantized."""
        rows, numpy = self.node.input[0], self.numpy
        if self.steps % self.block:
            return rows
        number = lambda value, what: self.constant(numpy.array(value, self.inputs[2].dtype), what)
        blocks = self.reshape(rows, (-1, self.blocks, self.block))
        axis = self.constant(numpy.array([-1], numpy.int64), "last")
        largest = self.add("ReduceMax", [self.add("Abs", [blocks]), axis], keepdims=1)
        largest = self.add("Max", [largest, number(SMALLEST, "smallest")])
        inverse = self.add("Div", [number(LARGEST, "largest"), largest])
        rounded = self.add("Round", [self.add("Mul", [blocks, inverse])])
        integers = self.add("Clip", [rounded, number(-LARGEST, "low"), number(LARGEST, "high")])
        scale = self.add("Mul", [largest, number(1 / LARGEST, "step")])
        dequantized = self.add("Mul", [integers, scale])
        return self.add("Reshape", [dequantized, self.add("Shape", [rows])])


class Dequantization(Rewriting):
    """A DequantizeLinear of a constant with a scale for each block of one axis."""

    def nodes(self):
        """Makes what stands for the node."""
        shape = fields(self.node)
        values, scales, zeros = self.inputs[:3]
        if scales is None:
            self.refuse("its scales are not constants")
        axis, block = shape.get("axis", 1) % values.ndim, shape["block_size"]
        blocks = scales.shape[axis] if scales.ndim == values.ndim else 0
        if not (blocks - 1) * block < values.shape[axis] <= blocks * block:
            self.refuse(f"{values.shape[axis]} elements in blocks of {block} do not have {blocks} scales")
        shift = 128 if values.dtype == self.numpy.uint8 else 0  # integers are of i8
        padding = [(0, blocks * block - extent if at == axis else 0) for at, extent in enumerate(values.shape)]
        integers = self.numpy.pad(values.astype(self.numpy.int16) - shift, padding).astype(self.numpy.int8)
        integers = integers.reshape(*values.shape[:axis], blocks, block, *values.shape[axis + 1:])
        if zeros is not None or shift:
            zeros = (0 if zeros is None else zeros.astype(self.numpy.float32)) - self.numpy.float32(shift)
            zeros = self.numpy.expand_dims(self.numpy.broadcast_to(zeros, scales.shape), axis + 1)
        numbers = self.dequantize(integers, self.numpy.expand_dims(scales, axis + 1),
                                  zeros if zeros is not None and zeros.any() else None)
        padded = [blocks * block if at == axis else extent for at, extent in enumerate(values.shape)]
        output = self.node.output[0]
        if padded == list(values.shape):
            self.reshape(numbers, padded, output)
        else:
            self.cut(self.reshape(numbers, padded), values.shape[axis], axis, output)
        return self.made
