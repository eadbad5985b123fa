"""Activations that torch-mlir lacks, or that ONNX Runtime's optimizer joins with a bias."""
import math


def softsign(nodes, x):
    """x / (1 + |x|)."""
    return nodes.Div(x, nodes.Add(nodes.Abs(x), 1.0))


def swish(nodes, x):
    """x * sigmoid(alpha * x); ONNX Runtime's QuickGelu has another alpha where none is given."""
    alpha = nodes.field("alpha", 1.702 if nodes.node.op_type == "QuickGelu" else 1.0)
    return nodes.Mul(x, nodes.Sigmoid(x if alpha == 1 else nodes.Mul(x, alpha)))


def gelu(nodes, x, bias=""):
    """The exact one, or by tanh."""
    if nodes.node.op_type == "FastGelu" or nodes.field("approximate") == "tanh":
        return gelu_by_tanh(nodes, nodes.Add(x, bias) if bias else x)
    if not bias and not nodes.node.domain:
        return None
    x = nodes.Add(x, bias) if bias else x
    erf = nodes.Erf(nodes.Mul(x, math.sqrt(0.5)))
    return nodes.Mul(nodes.Mul(x, nodes.Add(erf, 1.0)), 0.5)


def gelu_by_tanh(nodes, x):
    """x / 2 * (1 + tanh(sqrt(2 / pi) * (x + .044715 * x ** 3)))."""
    cube = nodes.Mul(nodes.Mul(x, x), x)
    inner = nodes.Mul(nodes.Add(x, nodes.Mul(cube, 0.044715)), math.sqrt(2 / math.pi))
    return nodes.Mul(nodes.Mul(x, nodes.Add(nodes.Tanh(inner), 1.0)), 0.5)


MEANINGS = {"Softsign": softsign, "Swish": swish, "QuickGelu": swish, "Gelu": gelu, "BiasGelu": gelu, "FastGelu": gelu}
