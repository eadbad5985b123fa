"""Recurrent layers that read a sequence backwards, or in both directions, as ones that read forwards.

torch-mlir lowers only those, and overlooks what is refused here.
"""
from . import onnx_quantized_lstm

DEFAULTS = {"RNN": ["Tanh"], "GRU": ["Sigmoid", "Tanh"], "LSTM": ["Sigmoid", "Tanh", "Tanh"]}
LENGTHS, PEEPHOLES = 4, 7  # places of inputs
STATES = (5, 6)
BY_DIRECTION = (1, 2, 3, *STATES)  # inputs whose first dim is of directions
QUANTIZED = {"DynamicQuantizeLSTM": "LSTM"}


def recurrent(nodes, *_operands):
    """One or two layers that read forwards; None where it is one already."""
    check(nodes)
    direction = nodes.field("direction", "forward")
    if direction == "forward" and not nodes.inputs[LENGTHS] and nodes.node.op_type not in QUANTIZED:
        return None
    ways = ["forward", "reverse"] if direction == "bidirectional" else [direction]
    results = [layer(nodes, at, way == "reverse", len(ways)) for at, way in enumerate(ways)]
    if len(ways) == 1:
        return results[0]
    sequences, *states = zip(*results)
    return [nodes.Concat(*sequences, axis=1), *(nodes.Concat(*each, axis=0) for each in states)]


def kind_of(nodes):
    """The operator of ONNX."""
    return QUANTIZED.get(nodes.node.op_type, nodes.node.op_type)


def layer(nodes, at, is_reversed, count):
    """The results of one direction."""
    sequence = nodes.inputs[0]
    if is_reversed:
        sequence = nodes.declare(nodes.reverse(sequence, 0), nodes.shape(sequence))
    run = quantized_layer if nodes.node.op_type in QUANTIZED else float_layer
    sequence, *states = run(nodes, at, sequence, count)
    return [nodes.reverse(sequence, 0) if is_reversed else sequence, *states]


def quantized_layer(nodes, at, sequence, _count):
    """The results of one direction that reads a sequence forwards, of ONNX Runtime's operator."""
    sequence, *states = onnx_quantized_lstm.layer(nodes, at, sequence)
    return [nodes.unsqueeze(sequence, 1), *states]


def float_layer(nodes, at, sequence, count):
    """The same of an operator of ONNX."""
    operands = [sequence, *nodes.inputs[1:PEEPHOLES]]
    operands[LENGTHS] = ""
    for place in BY_DIRECTION if count > 1 else ():
        if operands[place]:
            operands[place] = nodes.part(operands[place], at, at + 1, 0)
    while not operands[-1]:
        operands.pop()
    own = {name: value for name, value in nodes.fields.items() if name not in ("direction", "activations")}
    kind = kind_of(nodes)
    return nodes.add(kind, operands, outputs=3 if kind == "LSTM" else 2, **own)


def check(nodes):
    """An error for what torch-mlir would overlook."""
    kind = kind_of(nodes)
    if nodes.inputs[PEEPHOLES]:
        nodes.refuse("peepholes are not supported; train without them")
    if any(nodes.field(name, 0) for name in ("clip", "input_forget", "layout")):
        nodes.refuse("clip, input_forget and layout=1 are not supported; export the model without them")
    activations = [each.decode() for each in nodes.field("activations", [])]
    if activations not in ([], DEFAULTS[kind], 2 * DEFAULTS[kind]):
        nodes.refuse(f"activations {', '.join(activations)} are not supported, but {', '.join(DEFAULTS[kind])}")
    lengths = nodes.value(nodes.inputs[LENGTHS]) if nodes.inputs[LENGTHS] else None
    if nodes.inputs[LENGTHS] and (lengths is None or (lengths != nodes.static_shape(nodes.inputs[0])[0]).any()):
        nodes.refuse("sequences of several lengths in one batch are not supported; call the model once for each length")


MEANINGS = dict.fromkeys([*DEFAULTS, *QUANTIZED], recurrent)
