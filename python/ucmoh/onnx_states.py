"""Layers that carry a state from one call to the next, and know all words in front of it by that: convolutions that see only
what is before, CausalConvWithState, of ONNX and of ONNX Runtime."""
from .onnx_nodes import END

#: Attributes by what they are for words one by one, as CPUs take them.
PLAIN = {"ndim": 1, "state_window": 0, "input_channels": 0, "state_length": 0, "state_update_capacity": 0, "state_channels_last": -1}


def convolution(nodes, x, weight, bias="", past=""):
    """Each channel with its own kernel, over the words of the state and of the call: the result and the last words of these,
    of which the next call needs so many."""
    refuse_forms(nodes)
    channels, _, size = nodes.static_shape(weight)
    spacing, is_last, shape = nodes.field("dilation", 1), nodes.field("channels_last", 0), nodes.shape(x)
    reach = (size - 1) * spacing
    x, past = (channels_first(nodes, each, channels) if is_last and each else each for each in (x, past))
    seen = nodes.Concat(past, x, axis=2) if past else nodes.Pad(x, [0, 0, reach, 0, 0, 0])
    result = nodes.Conv(seen, weight, *filter(None, [bias]), group=channels, kernel_shape=[size], dilations=[spacing])
    if nodes.field("activation", "none") in ("silu", "swish"):
        result = nodes.Mul(result, nodes.Sigmoid(result))
    state = nodes.slice(seen, -reach or END, END, 2)
    if is_last:
        result, state = (nodes.Reshape(nodes.Transpose(each, perm=[0, 2, 1]), [0, 0, *shape[2:]]) for each in (result, state))
    return [result, state]


def refuse_forms(nodes):
    """An error for what other machines take, and for activations that are not known."""
    if any(nodes.field(name, value) != value for name, value in PLAIN.items()):
        nodes.refuse("images, windows of states and parts of channels are not supported; export the model for CPUs")
    if nodes.field("activation", "none") not in ("silu", "swish", "none"):
        nodes.refuse(f"the activation {nodes.field('activation')} is not supported")


def channels_first(nodes, x, channels):
    """batch x words x channels, in several dims perhaps, as batch x channels x words."""
    batch, words, *_ = nodes.shape(x)
    return nodes.declare(nodes.Transpose(nodes.Reshape(x, [0, 0, channels]), perm=[0, 2, 1]), [batch, channels, words])


MEANINGS = {"CausalConvWithState": convolution}
