"""Makes the weights of an ONNX graph its last inputs, so that they are packed and no text has them."""
from . import onnx_channels, onnx_narrow, onnx_steps
from .arrays import package

SMALL = 16  # elements: such constants, which may be shapes, scales or zero points, stay in the graph


def lift(model):
    """The model with weights as inputs, and the values of these in their order."""
    constants_to_initializers(model.graph)
    onnx_steps.Steps(model.graph).rewrite()
    onnx_channels.Channels(model.graph).rewrite()
    model = onnx_narrow.rewrite(model)
    onnx, graph = package("onnx"), model.graph
    drop_unused(graph)
    values = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in graph.initializer}
    weights = {name: value for name, value in values.items() if value.size > SMALL and not is_zero(value)}
    kept = [tensor for tensor in graph.initializer if tensor.name not in weights]
    replace(graph.initializer, kept)
    replace(graph.input, [*graph.input, *(describe(*weight) for weight in weights.items())])
    return model, list(weights.values())


def replace(field, values):
    """Sets a list of a message."""
    values = list(values)
    del field[:]
    field.extend(values)


def drop_unused(graph):
    """Removes initializers that no node reads."""
    if has_subgraphs(graph):
        return
    read = {name for node in graph.node for name in node.input} | {value.name for value in graph.output}
    replace(graph.initializer, [tensor for tensor in graph.initializer if tensor.name in read])


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
    onnx, kept = package("onnx"), []
    for node in graph.node:
        if node.op_type != "Constant" or node.attribute[0].name != "value":
            kept.append(node)
            continue
        tensor = onnx.TensorProto()
        tensor.CopyFrom(node.attribute[0].t)
        tensor.name = node.output[0]
        graph.initializer.append(tensor)
    if len(kept) < len(graph.node):
        replace(graph.node, kept)
