"""Numbers of 8 bits without sign in a graph of PyTorch: torch-mlir takes them for numbers with one wherever it computes with
them."""
from . import constants
from .arrays import package

#: These make one tensor of tensors of several types.
JOINS = ("cat", "stack")
#: These add up or compare elements.
REDUCTIONS = ("sum", "mean", "prod", "cumsum", "cumprod", "amax", "amin", "max", "min", "argmax", "argmin", "sort", "topk", "any", "all")
#: These give the same bits for numbers with and without sign, or are told the type.
SAME = ("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not", "bitwise_left_shift", "bitwise_right_shift", "__and__", "__or__",
        "__xor__", "__lshift__", "__rshift__", "_to_copy", "clone", "alias")


def expand(graph):
    """Rewrites a graph in place: what is computed with such numbers is computed with wider ones."""
    for node in list(graph.nodes):
        if node.op == "call_function" and computes_with_bytes(node):
            with graph.inserting_before(node):
                widen(node)


def is_of_bytes(value):
    """Whether a value in a graph is a tensor of such numbers."""
    torch = package("torch")
    return torch.is_tensor(value) and value.dtype == torch.uint8


def computes_with_bytes(node):
    """Whether the op is PyTorch's own, reads such numbers, and its result depends on their sign."""
    torch = package("torch")
    name = getattr(node.target, "_opname", "")
    is_arithmetic = torch.Tag.pointwise in getattr(node.target, "tags", ()) or name in REDUCTIONS or name in JOINS
    if not is_arithmetic or name in SAME or node.target.namespace != "aten" or (name in JOINS and is_of_bytes(node.meta["val"])):
        return False
    return any(is_of_bytes(each.meta.get("val")) for each in node.all_input_nodes)


def widen(node):
    """The same op on numbers that hold both the operands and the results."""
    torch = package("torch")
    value = node.meta["val"]
    wide = value.dtype if torch.is_tensor(value) and value.is_floating_point() else torch.int64

    def widened(operand):
        return converted(node, operand, wide) if is_of_bytes(operand.meta["val"]) else operand

    arguments, options = torch.fx.map_arg((node.args, node.kwargs), widened)
    made = constants.call(node, node.target, *arguments, **options)
    if torch.is_tensor(value):
        node.replace_all_uses_with(as_before(node, made))
        return
    for part in list(node.users):  # each takes one of several results
        with node.graph.inserting_before(part):
            part.replace_all_uses_with(as_before(part, constants.call(part, part.target, made, *part.args[1:])))


def as_before(node, made):
    """What stands for the result of an op, in its type."""
    return converted(node, made, node.meta["val"].dtype)


def converted(origin, operand, dtype):
    """The operand in another type."""
    if operand.meta["val"].dtype == dtype:
        return operand
    return constants.call(origin, package("torch").ops.aten._to_copy.default, operand, dtype=dtype)
