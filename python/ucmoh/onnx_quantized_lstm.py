"""ONNX Runtime's quantized LSTM as a loop over steps, whose products are of integers.

As there, all rows of the sequence are quantized together, and the state anew in each step.
"""
from . import onnx_dynamic, onnx_nodes
from .arrays import package

WEIGHT, SCALE, ZERO = (1, 2), (8, 10), (9, 11)  # places of what is by the inputs, and by the state
BIAS, STATES = 3, (5, 6)
GATES = 4  # in the order of ONNX: input, output, forget, cell


def layer(nodes, at, sequence):
    """All states of one direction, (steps, batch, hidden), and the last state and cell, (1, batch, hidden)."""
    steps, batch, width = nodes.static_shape(sequence)
    by_input, by_state = (operands(nodes, at, place) for place in range(len(WEIGHT)))
    hidden = nodes.value(by_state[0]).shape[0]
    rows = nodes.Reshape(sequence, [steps * batch, width])
    sums = nodes.Add(onnx_dynamic.dynamic_product(nodes, rows, *by_input), bias(nodes, at, hidden))
    gates = nodes.declare(nodes.Reshape(sums, [steps, batch, GATES * hidden]), [steps, batch, GATES * hidden])
    state, cell = (initial(nodes, at, place, [1, batch, hidden]) for place in STATES)
    carried = [state, cell, nodes.numpy.zeros((steps, batch, hidden), "float32")]
    inputs = [nodes.numpy.asarray(steps, "int64"), nodes.numpy.asarray(True), *carried]
    step = body(nodes, gates, by_state)
    names = nodes.add("Loop", inputs, outputs=len(carried), body=step)
    for name, value in zip(names, step.output[1:], strict=True):  # which no inference of shapes says of a loop
        nodes.facts.graph.value_info.add(name=name, type=value.type)
    state, cell, states = map(nodes.Identity, names)
    return states, state, cell


def operands(nodes, at, place):
    """The weight of one direction as a constant of bytes, (rows, gates), its scale and its zero point."""
    values = [nodes.value(nodes.inputs[places[place]]) for places in (WEIGHT, SCALE, ZERO)]
    if any(value is None for value in values):
        nodes.refuse("its weights, scales and zero points must be constants")
    return [nodes.constant(value[at]) for value in values]


def bias(nodes, at, hidden):
    """The sum of both biases of one direction."""
    if not nodes.inputs[BIAS]:
        return nodes.constant(0.)
    ours = nodes.squeeze(nodes.part(nodes.inputs[BIAS], at, at + 1, 0), 0)
    return nodes.Add(*(nodes.slice(ours, half * GATES * hidden, (half + 1) * GATES * hidden, 0) for half in range(2)))


def initial(nodes, at, place, shape):
    """The state or cell before the first step."""
    if not nodes.inputs[place]:
        return nodes.constant(nodes.numpy.zeros(shape, "float32"))
    return nodes.part(nodes.inputs[place], at, at + 1, 0)


def body(nodes, gates, by_state):
    """The graph of one step: it gets its number, whether there is one, and what `layer` carries."""
    steps, batch, width = nodes.shape(gates)
    kinds, shape = package("onnx").TensorProto, [1, batch, width // GATES]
    step = onnx_nodes.Nodes(nodes.node, nodes.facts)
    step.label = f"{nodes.label}.step"
    arguments = [f"{step.label}.{name}" for name in ("number", "more", "state", "cell", "states")]
    number, more, state, cell, states = arguments
    new_state, new_cell = advance(step, gates, by_state, number, step.declare(state, shape), cell)
    place = step.Reshape(number, [1, 1])
    results = [step.Identity(more), new_state, new_cell, step.ScatterND(states, place, new_state)]
    types = [(kinds.INT64, []), (kinds.BOOL, []), *[(kinds.FLOAT, shape)] * 2, (kinds.FLOAT, [steps, *shape[1:]])]

    def described(names, types):
        return [nodes.helper.make_tensor_value_info(name, *each) for name, each in zip(names, types, strict=True)]

    return nodes.helper.make_graph(step.made, step.label, described(arguments, types), described(results, types[1:]),
                                   value_info=described([place], [(kinds.INT64, [1, 1])]))


def advance(step, gates, by_state, number, state, cell):
    """The next state and cell."""
    sums = step.Add(onnx_dynamic.dynamic_product(step, state, *by_state), step.Gather(gates, number, axis=0))
    count = {"num_outputs": GATES} if step.facts.opset >= 18 else {}
    enter, leave, stay, new = step.add("Split", [sums], outputs=GATES, axis=2, **count)
    new_cell = step.Add(step.Mul(step.Sigmoid(stay), cell), step.Mul(step.Sigmoid(enter), step.Tanh(new)))
    return step.Mul(step.Sigmoid(leave), step.Tanh(new_cell)), new_cell
