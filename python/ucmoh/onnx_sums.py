"""Operators on floats of 16 bits that ONNX Runtime computes with 32 bits and rounds once, and torch-mlir rounds after each step.
Plain sums and means are left to the compiler, which computes them so in any program."""
from . import onnx_nodes
from .arrays import package


def rewrite(model):
    """The model with them computed so; the same one where no value has 16 bits."""
    graph, kinds = model.graph, {value.type.tensor_type.elem_type for value in model.graph.input}
    kinds |= {tensor.data_type for tensor in graph.initializer}
    for node in graph.node:
        kinds |= {each.i if each.name == "to" else each.t.data_type for each in node.attribute}  # casts and constants
    return onnx_nodes.rewrite(model, MEANINGS) if kinds & narrow() else model


def narrow():
    """Floats of 16 bits."""
    kinds = package("onnx").TensorProto
    return {kinds.FLOAT16, kinds.BFLOAT16}


def widened(nodes, *operands):
    """The same with operands of f32, rounded at the end; other types stay."""
    nodes.shape(operands[0], may_stay=True)  # its type is known with it
    kinds, kind = package("onnx").TensorProto, nodes.facts.types.get(operands[0])
    if kind not in narrow():
        return None
    wide = [nodes.Cast(each, to=kinds.FLOAT) if nodes.facts.types.get(each) == kind else each for each in operands]
    return nodes.Cast(nodes.add(nodes.node.op_type, wide, **nodes.fields), to=kind)


MEANINGS = dict.fromkeys(("ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "CumSum", "Softmax", "LogSoftmax"), widened)
