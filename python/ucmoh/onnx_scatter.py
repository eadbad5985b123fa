"""A ScatterND that joins rows with rows, as a loop over these: torch-mlir would give each element a place of its own."""
from . import onnx_nodes
from .arrays import package

JOINS = {"none": None, "add": "Add", "mul": "Mul", "max": "Max", "min": "Min"}
SHORTEST = 8  # elements of a row: a step of the loop takes as long as some elements one by one


def scatter_rows(nodes, data, places, updates):
    """The data after all steps. None where places have several numbers, or extents are open."""
    kinds, shape, table = package("onnx").TensorProto, nodes.shape(data), nodes.shape(places)
    row, width = shape[1:], nodes.numpy.prod([extent or 0 for extent in shape[1:]])
    if None in [*shape, *table] or len(table) != 2 or table != [table[0], 1] or width < SHORTEST:
        return None
    kind = nodes.facts.types.get(data)
    if table[0] < 2 or kind != kinds.FLOAT:
        return None
    step = body(nodes, shape, places, updates, kind)
    result = nodes.add("Loop", [nodes.numpy.asarray(table[0], "int64"), nodes.numpy.asarray(True), data], body=step)
    nodes.facts.graph.value_info.add(name=result, type=step.output[1].type)  # which no inference says of a loop
    return nodes.Identity(result)


def body(nodes, shape, places, updates, kind):
    """The graph of one step: it gets its number, whether there is one, and the data."""
    kinds, helper = package("onnx").TensorProto, nodes.helper
    step = onnx_nodes.Nodes(nodes.node, nodes.facts)
    step.label = f"{nodes.label}.step"
    arguments = number, more, data = [f"{step.label}.{name}" for name in ("number", "more", "data")]
    this = step.Reshape(number, [1])
    at = step.Reshape(step.Gather(places, this, axis=0), [1])
    row = step.Gather(updates, this, axis=0)
    join = JOINS[nodes.field("reduction", "none")]
    joined = step.add(join, [step.Gather(data, at, axis=0), row]) if join else row
    place = step.Reshape(at, [1, 1])
    results = [step.Identity(more), step.ScatterND(data, place, joined)]
    types = {number: (kinds.INT64, []), more: (kinds.BOOL, []), data: (kind, shape), results[0]: (kinds.BOOL, []),
             results[1]: (kind, shape), this: (kinds.INT64, [1]), at: (kinds.INT64, [1]),
             place: (kinds.INT64, [1, 1]), row: (kind, [1, *shape[1:]]), joined: (kind, [1, *shape[1:]])}

    def described(names):
        return [helper.make_tensor_value_info(name, *types[name]) for name in dict.fromkeys(names)]

    return helper.make_graph(step.made, step.label, described(arguments), described(results),
                             value_info=described([this, at, place, row, joined]))


MEANINGS = {"ScatterND": scatter_rows}
