"""Arithmetic on open extents that torch-mlir's importer does not know, by sums, products and quotients."""
import operator

from .arrays import package

BEYOND = 1 << 40  # more than extents differ by


def expand(graph):
    """Changes the graph: extremes and sums of extents become what the importer knows."""
    torch = package("torch")
    meanings = {torch.sym_max: greatest, torch.sym_min: least, torch.sym_sum: total}
    found = [node for node in graph.graph.nodes if node.target in meanings]
    for node in found:
        with graph.graph.inserting_before(node):
            made = meanings[node.target](Maker(graph.graph), *node.args)
        replace(node, made)
        graph.graph.erase_node(node)
    if found:
        pin(graph.graph)


def pin(graph):
    """Gives tensors the extents that follow from what is promised: the importer would take them for open ones."""
    for node in graph.nodes:
        value = node.meta.get("val")
        if not package("torch").is_tensor(value) or all(isinstance(extent, int) for extent in value.shape):
            continue
        pinned = [only_number(extent) for extent in value.shape]
        if any(isinstance(extent, int) != isinstance(other, int) for extent, other in zip(pinned, value.shape)):
            with value.fake_mode:
                node.meta["val"] = value.new_empty(pinned)
            node.meta.pop("tensor_meta", None)  # which the importer would rather read


def only_number(extent):
    """The only value that an extent can have, if there is one; else the extent."""
    if isinstance(extent, int):
        return extent
    bounds = extent.node.shape_env.bound_sympy(extent.node.expr)
    return int(bounds.lower) if bounds.lower == bounds.upper else extent


def replace(node, value):
    """Whoever reads the node reads the value, which may be a number."""
    for user in list(node.users):
        user.args, user.kwargs = package("torch").fx.map_arg((user.args, user.kwargs), lambda each: value if each is node else each)


class Maker:
    """Makes nodes on extents, each with the extent itself, which the importer asks for."""

    def __init__(self, graph):
        self.graph = graph

    def __call__(self, function, left, right):
        if not (hasattr(left, "meta") or hasattr(right, "meta")):
            return function(left, right)
        node = self.graph.call_function(function, (left, right))
        node.meta["val"] = function(value_of(left), value_of(right))
        return node


def value_of(extent):
    """What stands for an extent that is a node."""
    return extent.meta["val"] if hasattr(extent, "meta") else extent


def is_known_greater(left, right):
    """Whether the left extent is greater or equal in all that is promised; None where that depends on the call."""
    difference = value_of(left) - value_of(right)
    if isinstance(difference, int):
        return difference >= 0
    bounds = difference.node.shape_env.bound_sympy(difference.node.expr)
    return True if bounds.lower >= 0 else False if bounds.upper <= 0 else None


def greatest(make, left, right):
    """right + (left - right) where left is greater."""
    is_left = is_known_greater(left, right)
    return make(operator.add, right, excess(make, left, right)) if is_left is None else left if is_left else right


def least(make, left, right):
    """left - (left - right) where left is greater."""
    is_left = is_known_greater(left, right)
    return make(operator.sub, left, excess(make, left, right)) if is_left is None else right if is_left else left


def excess(make, left, right):
    """By how much the left extent is greater; 0 where it is not: the quotient below is 0 there, and -1 elsewhere."""
    difference = make(operator.sub, left, right)
    below = make(operator.floordiv, make(operator.sub, difference, 1), BEYOND)
    return make(operator.mul, difference, make(operator.add, below, 1))


def total(make, terms):
    """One after the other."""
    found = terms[0]
    for term in terms[1:]:
        found = make(operator.add, found, term)
    return found
