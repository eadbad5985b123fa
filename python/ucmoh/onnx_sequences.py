"""Sequences of tensors whose length is known, as the tensors that are in them: torch-mlir's linalg has no sequences."""
from . import onnx_nodes, onnx_shapes, onnx_weights


def rewrite(model):
    """The model without sequences, as far as places and lengths in them are constants."""
    if not any(node.op_type in MAKERS for node in model.graph.node):
        return model
    model = onnx_nodes.rewrite(model, READERS)
    drop_unread(model.graph)
    return model


def drop_unread(graph):
    """Removes nodes that make sequences that nothing reads any more."""
    read, kept = {value.name for value in graph.output}, []
    for node in reversed(graph.node):
        if node.op_type not in MAKERS or read.intersection(node.output):
            read.update(onnx_shapes.read_by(node))
            kept.append(node)
    onnx_weights.replace(graph.node, reversed(kept))


def elements(nodes, name):
    """The names of the tensors in a sequence, made for `nodes` where they have none; None where they are not known."""
    maker = nodes.facts.makers.get(name)
    return MAKERS[maker.op_type](nodes, onnx_nodes.Nodes(maker, nodes.facts)) if maker and maker.op_type in MAKERS else None


def place(nodes, at, default):
    """A constant number; `default` where none is given, and None where it is computed."""
    if not at:
        return default
    known = nodes.value(at)
    return None if known is None else int(known.reshape(-1)[0])


def inserted(nodes, maker):
    """With one more, at the end or before the place that is given."""
    sequence, value, at = maker.inputs[:3]
    found = elements(nodes, sequence)
    at = place(nodes, at, len(found or []))
    return None if found is None or at is None else [*found[:at], value, *found[at:]]


def erased(nodes, maker):
    """Without the last one, or the one at the place that is given."""
    sequence, at = maker.inputs[:2]
    found, at = elements(nodes, sequence), place(nodes, at, -1)
    if found is None or at is None:
        return None
    return [value for number, value in enumerate(found) if number != at % len(found)]


def pieces(nodes, maker):
    """Slices along an axis, of as many rows as are given, or of one each."""
    x, sizes = maker.inputs[:2]
    axis = maker.field("axis", 0)
    extent = nodes.shape(x)[axis]
    known = nodes.value(sizes) if sizes else nodes.numpy.array(1)
    if known is None or extent is None:
        return None
    counts = known.tolist() if known.ndim else [int(known)] * (extent // int(known)) + [extent % int(known)]
    ends = [sum(counts[:number + 1]) for number, count in enumerate(counts) if count]
    found = [nodes.slice(x, begin, end, axis) for begin, end in zip([0, *ends], ends)]
    return found if sizes or maker.field("keepdims", 1) else [nodes.squeeze(each, axis % len(nodes.shape(x))) for each in found]


def element(nodes, sequence, at):
    """The tensor at a place."""
    found, at = elements(nodes, sequence), place(nodes, at, None)
    if found is None or at is None:
        return None
    if not -len(found) <= at < len(found):
        nodes.refuse(f"place {at} is none of a sequence of {len(found)}")
    return nodes.Identity(found[at])


def length(nodes, sequence):
    """How many there are."""
    found = elements(nodes, sequence)
    return None if found is None else nodes.Identity(nodes.numpy.array(len(found), "int64"))


def concatenated(nodes, sequence):
    """One behind the other, along an axis or a new one."""
    found, axis = elements(nodes, sequence), nodes.field("axis")
    if not found:
        return None
    if nodes.field("new_axis", 0):
        axis %= len(nodes.shape(found[0])) + 1
        found = [nodes.unsqueeze(value, axis) for value in found]
    return nodes.Concat(*found, axis=axis)


#: What is in the sequence that a node makes.
MAKERS = {
    "SequenceEmpty": lambda nodes, maker: [], "SequenceConstruct": lambda nodes, maker: list(maker.node.input),
    "SequenceInsert": inserted, "SequenceErase": erased, "SplitToSequence": pieces,
}
#: What reads a sequence and gives a tensor.
READERS = {"SequenceAt": element, "SequenceLength": length, "ConcatFromSequence": concatenated}
