"""A ScatterND that joins rows with rows, as a loop over these: torch-mlir would give each element a place of its own."""
import math

from . import onnx_nodes
from .arrays import package

JOINS = {"none": None, "add": "Add", "mul": "Mul", "max": "Max", "min": "Min"}
SHORTEST = 8  # elements of a row: a step of the loop takes as long as some elements one by one


def scatter_rows(nodes, data, places, updates):
    """The data after all steps. None where places have several numbers, or extents are open.

    What has a place outside of the data is left out: no memory beside it is touched.
    """
    shape, table, kind = nodes.shape(data), nodes.shape(places), nodes.facts.types.get(data)
    if None in [*shape, *table] or len(table) != 2 or table[1] != 1 or table[0] < 2:
        return None
    if math.prod(shape[1:]) < SHORTEST or kind != package("onnx").TensorProto.FLOAT:
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
    wanted = step.Reshape(step.Gather(places, this, axis=0), [1])
    at = step.Mod(wanted, shape[:1])  # places below 0 count from the end
    is_inside = step.And(step.GreaterOrEqual(wanted, [-shape[0]]), step.Less(wanted, shape[:1]))
    row, here = step.Gather(updates, this, axis=0), step.Gather(data, at, axis=0)
    join = JOINS[nodes.field("reduction", "none")]
    joined = step.Where(is_inside, step.add(join, [here, row]) if join else row, here)
    place = step.Reshape(at, [1, 1])
    results = [step.Identity(more), step.ScatterND(data, place, joined)]
    types = {number: (kinds.INT64, []), more: (kinds.BOOL, []), data: (kind, shape), results[0]: (kinds.BOOL, []),
             results[1]: (kind, shape), place: (kinds.INT64, [1, 1])}
    types |= {each: (kinds.INT64, [1]) for each in (this, wanted, at)}
    types |= {each: (kind, [1, *shape[1:]]) for each in (row, here, joined)}

    def described(names):
        return [helper.make_tensor_value_info(name, *types[name]) for name in names]

    return helper.make_graph(step.made, step.label, described(arguments), described(results),
                             value_info=described([this, wanted, at, place, row, here, joined]))


MEANINGS = {"ScatterND": scatter_rows}
