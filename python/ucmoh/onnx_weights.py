"""Makes the weights of an ONNX graph its last inputs, so that they are packed and no text has them."""
from . import onnx_channels, onnx_operators
from .arrays import package

SMALL = 16  # elements: such constants, which may be shapes, scales or zero points, stay in the graph
BITS_OF_BYTE = 8


def lift(model):
    """Changes the model; gives the values of the new inputs in their order."""
    onnx, graph = package("onnx"), model.graph
    constants_to_initializers(graph)
    onnx_operators.rewrite(graph)
    onnx_channels.Channels(graph).rewrite()
    dequantize_products(graph)
    drop_unused(graph)
    values = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in graph.initializer}
    weights = {name: value for name, value in values.items() if value.size > SMALL and not is_zero(value)}
    kept = [tensor for tensor in graph.initializer if tensor.name not in weights]
    inputs = [value for value in graph.input if value.name not in values]
    replace(graph.initializer, kept)
    replace(graph.input, [*inputs, *(describe(*weight) for weight in weights.items())])
    return list(weights.values())


def replace(field, values):
    """Sets a list of a message."""
    values = list(values)
    del field[:]
    field.extend(values)


def drop_unused(graph):
    """Removes initializers that no node reads."""
    read = {name for node in graph.node for name in node.input} | {value.name for value in graph.output}
    replace(graph.initializer, [tensor for tensor in graph.initializer if tensor.name in read or has_subgraphs(graph)])


def has_subgraphs(graph):
    """Whether nodes have bodies, which may read what the graph's nodes do not."""
    return any(attribute.HasField("g") for node in graph.node for attribute in node.attribute)


def is_zero(value):
    """Zero points of 0 for each channel are worth knowing: nothing is to be corrected."""
    return value.dtype.itemsize == 1 and not value.any()


def describe(name, value):
    """The declaration of an input."""
    onnx = package("onnx")
    return onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)


def constants_to_initializers(graph):
    """Nodes that are constants become initializers."""
    onnx = package("onnx")
    for node in [node for node in graph.node if node.op_type == "Constant" and node.attribute[0].name == "value"]:
        tensor = onnx.TensorProto()
        tensor.CopyFrom(node.attribute[0].t)
        tensor.name = node.output[0]
        graph.initializer.append(tensor)
        graph.node.remove(node)


def dequantize_products(graph):
    """MatMulNBits as a MatMul whose weight is dequantized now: torch-mlir does not know the op."""
    onnx = package("onnx")
    values = {tensor.name: tensor for tensor in graph.initializer}
    for index, node in enumerate(list(graph.node)):
        if node.op_type != "MatMulNBits":
            continue
        name = f"{node.output[0]}.dequantized"
        graph.initializer.append(onnx.numpy_helper.from_array(dequantized(node, values), name))
        bias = node.input[5:6]
        product = f"{node.output[0]}.product" if bias else node.output[0]
        nodes = [onnx.helper.make_node("MatMul", [node.input[0], name], [product], name=node.name)]
        if bias:
            nodes.append(onnx.helper.make_node("Add", [product, bias[0]], [node.output[0]], name=f"{node.name}.bias"))
        graph.node.remove(node)
        for offset, new in enumerate(nodes):
            graph.node.insert(index + offset, new)


def dequantized(node, values):
    """The weight of a MatMulNBits as K x N numbers of the type of its scales."""
    numpy, onnx = package("numpy"), package("onnx")
    fields = {attribute.name: attribute.i for attribute in node.attribute}
    rows, columns, bits, block = fields["K"], fields["N"], fields.get("bits", 4), fields["block_size"]
    blocks = -(-rows // block)
    read = [onnx.numpy_helper.to_array(values[name]) if name else None for name in node.input[1:4]]
    read += [None] * (3 - len(read))
    numbers = unpack(read[0].reshape(columns, blocks, -1), bits)[..., :block]
    scales = read[1].reshape(columns, blocks, 1)
    if read[2] is None:
        zeros = numpy.float32(1 << (bits - 1))
    elif read[2].dtype == numpy.uint8:
        zeros = unpack(read[2].reshape(columns, -1), bits)[:, :blocks, None].astype(numpy.float32)
    else:
        zeros = read[2].reshape(columns, blocks, 1)
    weight = ((numbers - zeros) * scales).reshape(columns, blocks * block)[:, :rows]
    return numpy.ascontiguousarray(weight.T.astype(read[1].dtype))


def unpack(packed, bits):
    """Numbers of 2, 4 or 8 bits out of bytes, the lowest bits first."""
    numpy = package("numpy")
    shifts = numpy.arange(0, BITS_OF_BYTE, bits, dtype=numpy.uint8)
    numbers = (packed[..., None] >> shifts) & ((1 << bits) - 1)
    return numbers.reshape(*packed.shape[:-1], -1)
