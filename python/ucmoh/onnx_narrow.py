"""Weights of 2 to 8 bits with a scale for each block, as what they mean: integers, dequantized by nodes of ONNX.

torch-mlir knows neither MatMulNBits nor a DequantizeLinear with blocks. The compiler recognizes the nodes that stand for
them, and reads the integers.
"""
from . import onnx_nodes
from .arrays import package

BITS_OF_BYTE = 8
QUANTIZED_ROWS = 4  # the accuracy level that lets a product quantize its rows to 8 bits
LARGEST = 127  # the largest integer of a quantized row
SMALLEST = 1e-30  # a row of zeros has no scale
#: The numbers of the codes of FP4 and NF4, as bitsandbytes defines them: floats of four bits, and quantiles of a normal
#: distribution.
MAGNITUDES = (0, 1 / 192, 2 / 3, 1, 1 / 3, 1 / 2, 1 / 6, 1 / 4)
TABLES = ((*MAGNITUDES, *(-each for each in MAGNITUDES)),
          (-1, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334,
           -0.09105003625154495, 0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224,
           0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1))


def rewrite(model):
    """The model without MatMulNBits, MatMulBnb4 and GatherBlockQuantized, and without DequantizeLinear with blocks of
    constants."""
    return onnx_nodes.rewrite(model, {"MatMulNBits": product, "DequantizeLinear": dequantization,
                                      "GatherBlockQuantized": lookup, "MatMulBnb4": product_by_codes})


def quantize_rows(model):
    """Lets each MatMulNBits without an accuracy level, in bodies and functions as well, quantize its rows."""
    for graph in (model.graph, *model.functions):
        quantize_rows_of(graph)


def quantize_rows_of(graph):
    """The same in one graph and the bodies of its nodes."""
    for node in graph.node:
        for body in (field.g for field in node.attribute if field.HasField("g")):
            quantize_rows_of(body)
        if node.op_type == "MatMulNBits":
            levels = [field for field in node.attribute if field.name == "accuracy_level"]
            if not any(level.i for level in levels):
                for level in levels:
                    node.attribute.remove(level)
                node.attribute.append(package("onnx").helper.make_attribute("accuracy_level", QUANTIZED_ROWS))


def product(nodes, *_):
    """A product with dequantized weights."""
    return Product(nodes).result()


def product_by_codes(nodes, rows, weight, largest):
    """A product with weights of four bits, which are places in a table of numbers, each times the largest number of its
    block. No integers are in proportion to these, so that the weights become floats."""
    codes, scales, kind = nodes.value(weight), nodes.value(largest), nodes.field("quant_type", 0)
    if codes is None or scales is None or kind not in range(len(TABLES)):
        nodes.refuse("its weights and scales must be constants, of FP4 or NF4")
    columns, steps, block = (nodes.field(name) for name in ("N", "K", "block_size"))
    if 2 * codes.size < columns * steps or scales.size * block < columns * steps:
        nodes.refuse(f"{codes.size} bytes and {scales.size} scales are too few for {columns} columns of {steps} steps in "
                     f"blocks of {block}")
    numpy, count = nodes.numpy, columns * steps
    places = numpy.stack([codes.reshape(-1) >> 4, codes.reshape(-1) & 15], axis=-1).reshape(-1)[:count]
    numbers = numpy.array(TABLES[kind], scales.dtype)[places] * numpy.repeat(scales.reshape(-1), block)[:count]
    return nodes.MatMul(rows, nodes.constant(numbers.reshape(columns, steps).T))


def dequantization(nodes, value, *_):
    """A constant with a scale for each block."""
    if not nodes.field("block_size") or nodes.value(value) is None:
        return None
    return Dequantization(nodes).result()


def lookup(nodes, table, places, scales, zeros=""):
    """Rows of a table that are dequantized when they are looked up, so that it stays narrow: the bytes of a row hold
    numbers of `bits` bits, the lowest first."""
    bits, block, rank = nodes.field("bits", 4), nodes.field("block_size", 128), len(nodes.shape(places))
    dims = len(nodes.shape(table))
    kind, middle = nodes.facts.types.get(table), float(1 << bits - 1)
    if kind in kinds_of_four(nodes):
        middle = 0.0 if kind == kinds_of_four(nodes)[1] else 8.0
        bits, table, zeros = 4, as_bytes(nodes, table), as_bytes(nodes, zeros) if zeros else ""
    elif bits not in (2, 4, 8) or kind != nodes.helper.np_dtype_to_tensor_dtype(nodes.numpy.dtype("uint8")):
        nodes.refuse("it is supported for rows of bytes, with numbers of 2, 4 or 8 bits; export the model with such a table")
    if nodes.field("gather_axis", 0) % dims or nodes.field("quantize_axis", 1) % dims != dims - 1 or dims != 2:
        nodes.refuse("it is supported for rows of a matrix with scales for blocks of each row; export the model with such a table")
    outer = [0] * rank
    numbers = nodes.Reshape(spread(nodes, nodes.Gather(table, places), bits, rank), [*outer, -1, block])
    if zeros:
        middle = nodes.unsqueeze(spread(nodes, nodes.Gather(zeros, places), bits, rank), rank + 1)
    rows = nodes.Mul(nodes.Sub(numbers, middle), nodes.unsqueeze(nodes.Gather(scales, places), rank + 1))
    return nodes.Reshape(rows, [*outer, -1])


def kinds_of_four(nodes):
    """The element types of four bits, with a sign and without one."""
    kinds = package("onnx").TensorProto
    return kinds.INT4, kinds.UINT4


def as_bytes(nodes, name):
    """A constant of four bits as bytes that hold two numbers each; those with a sign become 8 more."""
    found = nodes.value(name)
    if found is None:
        nodes.refuse("its table and zero points must be constants")
    shift = 8 if nodes.facts.types.get(name) == kinds_of_four(nodes)[0] else 0
    numbers = (found.astype("int8") + shift).astype("uint8")
    if numbers.shape[-1] % 2:
        numbers = nodes.numpy.pad(numbers, [(0, 0)] * (numbers.ndim - 1) + [(0, 1)])
    return nodes.constant(numbers[..., 0::2] | numbers[..., 1::2] << 4)


def spread(nodes, rows, bits, rank):
    """The numbers of bytes as floats."""
    left = nodes.Cast(rows, to=nodes.helper.np_dtype_to_tensor_dtype(nodes.numpy.dtype("float32")))
    base, numbers = nodes.numpy.float32(1 << bits), []
    for _ in range(BITS_OF_BYTE // bits - 1):
        others = nodes.Floor(nodes.Mul(left, 1 / base))
        numbers.append(nodes.Sub(left, nodes.Mul(others, base)))
        left = others
    if not numbers:
        return left
    together = nodes.Concat(*(nodes.unsqueeze(each, rank + 1) for each in (*numbers, left)), axis=rank + 1)
    return nodes.Reshape(together, [0] * rank + [-1])


def unpack(packed, bits):
    """Numbers of 2, 4 or 8 bits out of bytes, the lowest bits first."""
    numpy = package("numpy")
    if bits == BITS_OF_BYTE:
        return packed
    numbers = numpy.empty((*packed.shape, BITS_OF_BYTE // bits), numpy.uint8)
    for at in range(BITS_OF_BYTE // bits):
        numpy.bitwise_and(packed >> numpy.uint8(at * bits), numpy.uint8((1 << bits) - 1), out=numbers[..., at])
    return numbers.reshape(*packed.shape[:-1], -1)


def around_zero(numbers, bits):
    """The same minus the one in the middle, as integers of 8 bits."""
    numpy = package("numpy")
    return (numbers - numpy.uint8(1 << bits - 1)).view(numpy.int8)  # modulo 256


class Rewriting:
    """One node, taken apart."""

    def __init__(self, nodes):
        self.nodes, self.numpy = nodes, nodes.numpy
        self.inputs = [nodes.value(name) for name in nodes.inputs]

    def dequantize(self, integers, scales, zeros):
        """The name of (integers - zeros) * scales."""
        numbers = self.nodes.Cast(integers, to=self.nodes.helper.np_dtype_to_tensor_dtype(scales.dtype))
        if zeros is not None:
            numbers = self.nodes.Sub(numbers, zeros.astype(scales.dtype))
        return self.nodes.Mul(numbers, scales)


class Product(Rewriting):
    """A MatMulNBits: columns x blocks x steps of a block, lowest bits first."""

    def result(self):
        """The name of what stands for the node."""
        nodes = self.nodes
        self.steps, self.columns, self.block = map(nodes.field, ("K", "N", "block_size"))
        self.bits = nodes.field("bits", 4)
        self.blocks = -(-self.steps // self.block)
        if self.bits not in (2, 4, 8):
            self.nodes.refuse(f"weights of {self.bits} bits are not supported, but such of 2, 4 and 8")
        if self.inputs[1] is None or self.inputs[2] is None:
            self.nodes.refuse("its weights and scales are not constants")
        weight = nodes.Transpose(self.weight(), perm=[1, 0])
        is_quantized = nodes.field("accuracy_level", 0) == QUANTIZED_ROWS
        product = nodes.MatMul(self.quantized() if is_quantized else nodes.inputs[0], weight)
        return nodes.Add(product, nodes.inputs[5]) if nodes.inputs[5] else product

    def shaped(self, values, shape, what):
        """The values in that shape, if there are so many."""
        if values.size != self.numpy.prod(shape):
            self.nodes.refuse(f"its {what} have {values.size} elements, but {self.columns} columns of {self.steps} steps "
                              f"in blocks of {self.block} have {self.numpy.prod(shape)}")
        return values.reshape(shape)

    def weight(self):
        """The name of the weight as columns x steps."""
        middle = 1 << (self.bits - 1)
        size = -(-self.block * self.bits // BITS_OF_BYTE)
        integers = unpack(self.shaped(self.inputs[1], (self.columns, self.blocks, size), "weights"), self.bits)
        integers = around_zero(integers[..., :self.block], self.bits)
        scales = self.shaped(self.inputs[2], (self.columns, self.blocks, 1), "scales")
        zeros = self.zeros(middle)
        if self.inputs[4] is not None and self.inputs[4].size:
            integers, scales, zeros = self.regroup(integers, scales, zeros)
        weight = self.nodes.Reshape(self.dequantize(integers, scales, zeros), [self.columns, -1])
        return weight if self.blocks * self.block == self.steps else self.nodes.slice(weight, 0, self.steps, axis=1)

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
            self.nodes.refuse(f"its g_idx must name one of {self.blocks} blocks for each of {self.steps} steps")
        group = self.numpy.resize(group, self.blocks * self.block)
        self.block, self.blocks = 1, group.size
        pick = lambda values: None if values is None else values[:, group]
        return integers.reshape(self.columns, -1, 1), pick(scales), pick(zeros)

    def quantized(self):
        """The name of the rows, each block of them quantized to 8 bits and dequantized."""
        nodes, rows = self.nodes, self.nodes.inputs[0]
        if self.steps % self.block:
            return rows
        number = lambda value: self.numpy.array(value, self.inputs[2].dtype)
        outer = [0] * (len(nodes.shape(rows)) - 1)  # as they are, also where several are open
        blocks = nodes.Reshape(rows, [*outer, self.blocks, self.block])
        largest = nodes.Max(nodes.reduce("ReduceMax", nodes.Abs(blocks), [-1]), number(SMALLEST))
        rounded = nodes.Round(nodes.Mul(blocks, nodes.Div(number(LARGEST), largest)))
        integers = nodes.Clip(rounded, number(-LARGEST), number(LARGEST))
        dequantized = nodes.Mul(integers, nodes.Mul(largest, number(1 / LARGEST)))
        return nodes.Reshape(dequantized, [*outer, self.steps])


class Dequantization(Rewriting):
    """A DequantizeLinear of a constant with a scale for each block of one axis."""

    def result(self):
        """The name of what stands for the node."""
        values, scales, zeros = self.inputs[:3]
        if scales is None:
            self.nodes.refuse("its scales are not constants")
        axis, block = self.nodes.field("axis", 1) % values.ndim, self.nodes.field("block_size")
        blocks = scales.shape[axis] if scales.ndim == values.ndim else 0
        if not (blocks - 1) * block < values.shape[axis] <= blocks * block:
            self.nodes.refuse(f"{values.shape[axis]} elements in blocks of {block} do not have {blocks} scales")
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
        numbers = self.nodes.Reshape(numbers, padded)
        return numbers if padded == list(values.shape) else self.nodes.slice(numbers, 0, values.shape[axis], axis)
