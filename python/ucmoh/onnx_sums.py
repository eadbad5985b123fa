"""Sums of floats of 16 bits, computed with 32 bits and rounded once, as ONNX Runtime computes them: torch-mlir rounds after
each addend, and a sum of 8 bits stays where it is once it is 256 times as large as what is added."""
from .arrays import package


def is_narrow(nodes, value):
    """Whether these are floats of 16 bits."""
    kinds = package("onnx").TensorProto
    nodes.shape(value, may_stay=True)  # its type is known with it
    return nodes.facts.types.get(value) in (kinds.FLOAT16, kinds.BFLOAT16)


def widened(nodes, *operands):
    """The same with operands of f32, rounded at the end; other types stay."""
    if not is_narrow(nodes, operands[0]):
        return None
    kinds, kind = package("onnx").TensorProto, nodes.facts.types[operands[0]]
    wide = [nodes.Cast(each, to=kinds.FLOAT) if nodes.facts.types.get(each) == kind else each for each in operands]
    return nodes.Cast(nodes.add(nodes.node.op_type, wide, **nodes.fields), to=kind)


MEANINGS = dict.fromkeys((
    "ReduceSum", "ReduceMean", "ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp", "ReduceProd",
    "CumSum", "GlobalAveragePool", "Softmax", "LogSoftmax"), widened)
