"""Recurrent layers that read a sequence backwards, or in both directions, as ones that read forwards.

torch-mlir lowers only those, and overlooks what is refused here. ONNX Runtime's quantized LSTM becomes one of floats,
whose weights are dequantized.
"""
DEFAULTS = {"RNN": ["Tanh"], "GRU": ["Sigmoid", "Tanh"], "LSTM": ["Sigmoid", "Tanh", "Tanh"]}
LENGTHS, PEEPHOLES = 4, 7  # places of inputs
STATES = (5, 6)
BY_DIRECTION = (1, 2, 3, *STATES)  # inputs whose first dim is of directions
QUANTIZED = {"DynamicQuantizeLSTM": "LSTM"}
WEIGHTS = {1: 8, 2: 10}  # places of quantized weights, and of their scales, which zero points follow


def recurrent(nodes, *_operands):
    """One or two layers that read forwards; None where it is one already."""
    check(nodes)
    direction = nodes.field("direction", "forward")
    if nodes.node.op_type in QUANTIZED:
        dequantize(nodes)
    elif direction == "forward" and not nodes.inputs[LENGTHS]:
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


def dequantize(nodes):
    """Puts floats in the place of quantized weights, whose rows are inputs, with a scale for each direction or gate."""
    for place, scale in WEIGHTS.items():
        weight, scales, zeros = (nodes.value(nodes.inputs[each]) for each in (place, scale, scale + 1))
        if weight is None or scales is None or zeros is None:
            nodes.refuse("its weights, scales and zero points must be constants")
        scales, zeros = (each.reshape(len(weight), 1, -1) for each in (scales, zeros))
        floats = (weight.astype("int32") - zeros.astype("int32")).astype("float32") * scales
        nodes.inputs[place] = nodes.constant(floats.transpose(0, 2, 1))


def layer(nodes, at, is_reversed, count):
    """The results of one direction."""
    operands = list(nodes.inputs[:PEEPHOLES])
    operands[LENGTHS] = ""
    for place in BY_DIRECTION if count > 1 else ():
        if operands[place]:
            operands[place] = nodes.part(operands[place], at, at + 1, 0)
    if is_reversed:
        operands[0] = nodes.reverse(operands[0], 0)
    while not operands[-1]:
        operands.pop()
    own = {name: value for name, value in nodes.fields.items() if name not in ("direction", "activations")}
    kind = kind_of(nodes)
    sequence, *states = nodes.add(kind, operands, outputs=3 if kind == "LSTM" else 2, **own)
    return [nodes.reverse(sequence, 0) if is_reversed else sequence, *states]


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
