"""Layers that carry a state from one call to the next, and know all words in front of it by that, of ONNX and of ONNX Runtime:
convolutions that see only what is before, and linear attention (recurrences.py), with the gates of both."""
import math

from . import onnx_activations, onnx_attention, onnx_groups, recurrences
from .arrays import package
from .onnx_nodes import END

RULES = {"linear": (), "gated": ("decay",), "delta": ("rates",), "gated_delta": ("decay", "rates")}

#: Attributes by what they are for words one by one, as CPUs take them.
PLAIN = {"ndim": 1, "state_window": 0, "input_channels": 0, "state_length": 0, "state_update_capacity": 0, "state_channels_last": -1}


def convolution(nodes, x, weight, bias="", past=""):
    """Each channel with its own kernel, over the words of the state and of the call: the result and the last words of these,
    of which the next call needs so many."""
    refuse_forms(nodes)
    channels, _, size = nodes.static_shape(weight)
    spacing, is_last, shape = nodes.field("dilation", 1), nodes.field("channels_last", 0), nodes.shape(x)
    reach = (size - 1) * spacing
    if past and nodes.shape(past)[1 if is_last else 2] not in (reach, None):
        nodes.refuse(f"a state of {nodes.shape(past)} does not have the {reach} words that a kernel of {size} looks back")
    x, past = (channels_first(nodes, each, channels) if is_last and each else each for each in (x, past))
    seen = nodes.Concat(past, x, axis=2) if past else nodes.Pad(x, [0, 0, reach, 0, 0, 0])
    result = nodes.Conv(seen, weight, *filter(None, [bias]), group=channels, kernel_shape=[size], dilations=[spacing])
    if nodes.field("activation", "none") in ("silu", "swish"):
        result = onnx_activations.swish(nodes, result)
    state = nodes.declare(nodes.slice(seen, -reach or END, END, 2), [shape[0], channels, reach])
    if is_last:
        result, state = (nodes.Reshape(nodes.Transpose(each, perm=[0, 2, 1]), [0, words, *shape[2:]])
                         for each, words in ((result, 0), (state, reach)))
        nodes.declare(state, [shape[0], reach, *shape[2:]])
    return [nodes.declare(result, shape), state]


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


def linear_attention(nodes, query, key, value, past="", decay="", rates="", *others):
    """Heads are side by side in all operands; queries and keys may have fewer or more of them than values."""
    rule, heads, batch = nodes.field("update_rule", "gated_delta"), nodes.field("kv_num_heads"), nodes.shape(value)[0]
    if nodes.field("state_window", 0) or any(others) or rule not in RULES:
        nodes.refuse(f"windows of states, and the rule {rule}, are not supported; export the model for CPUs")
    depth, width = nodes.shape(query)[-1] // nodes.field("q_num_heads"), nodes.shape(value)[-1] // heads
    scale = nodes.field("scale", 0.0) or 1 / math.sqrt(depth)
    past = past or zeros(nodes, value, [batch, heads, depth, width])
    sizes = nodes.shape(key)[-1], nodes.shape(past)[1:]
    if sizes[0] % depth or heads * depth % sizes[0] or sizes[1] != [heads, depth, width]:
        nodes.refuse(f"keys of {sizes[0]} columns and states of {sizes[1]} do not belong to {heads} heads of {depth} x {width}")
    value = onnx_attention.to_heads(nodes, value, heads)
    key = heads_like(nodes, key, value, depth)
    query = in_groups(nodes, nodes.declare(nodes.Mul(query, float(scale)), nodes.shape(query)), value, depth)
    given = {"decay": decay and onnx_attention.to_heads(nodes, nodes.declare(nodes.Exp(decay), nodes.shape(decay)), heads),
             "rates": rates and rate_of_heads(nodes, rates, heads)}
    parts = RULES[rule]
    if not all(given[part] for part in parts):
        nodes.refuse(f"the rule {rule} needs {' and '.join(parts)}")
    words, group = nodes.shape(query)[2:4]
    operands = [*questions(nodes, query, key, parts, given["decay"]), key, value, past, *(given[part] for part in parts)]
    found, states = nodes.add(recurrences.operator(parts), operands, 2)
    nodes.note(found, [batch, heads, words, group, width], value)
    nodes.note(states, nodes.shape(past), past)
    return [nodes.Reshape(nodes.Transpose(found, perm=[0, 2, 1, 3, 4]), [0, 0, heads * group * width]), states]


def questions(nodes, query, key, parts, decay):
    """What each word asks the state before it, and the products of its queries and its key, as recurrences.py says."""
    one = nodes.unsqueeze(key, 3)
    products = nodes.squeeze(nodes.reduce("ReduceSum", nodes.Mul(query, one), [4]), 4)
    asked = nodes.Concat(query, one, axis=3) if "rates" in parts else query
    return nodes.Mul(asked, nodes.unsqueeze(decay, 3)) if "decay" in parts else asked, products


def zeros(nodes, value, shape):
    """A state of no words, for as many texts as `value` has."""
    value_of = package("onnx").numpy_helper.from_array(nodes.numpy.zeros(1, nodes.dtype()))
    extents = nodes.Concat(onnx_attention.count_words(nodes, value, 0), shape[1:], axis=0)
    return nodes.declare(nodes.ConstantOfShape(extents, value=value_of), shape)


def in_groups(nodes, x, value, width):
    """Queries as batch x heads x words x queries of a head x width, with as many heads as values have."""
    (batch, words, columns), heads = nodes.shape(x), nodes.shape(value)[1]
    group = max(columns // (heads * width), 1)
    if group == 1:
        apart = nodes.unsqueeze(heads_like(nodes, x, value, width), 3)
    else:
        apart = nodes.Transpose(nodes.Reshape(x, [0, 0, heads, group, width]), perm=[0, 2, 1, 3, 4])
    return nodes.declare(apart, [batch, heads, words, group, width])


def heads_like(nodes, x, value, width):
    """batch x words x (heads x width) as batch x heads x words x width, with as many heads as values have."""
    return onnx_attention.repeat(nodes, onnx_attention.to_heads(nodes, x, nodes.shape(x)[-1] // width), value)


def rate_of_heads(nodes, rates, heads):
    """One for each head, or one for all of them, as batch x heads x words x 1."""
    batch, words, count = nodes.shape(rates)
    rates = rates if count == heads else nodes.declare(nodes.Expand(rates, [1, 1, heads]), [batch, words, heads])
    turned = nodes.declare(nodes.Transpose(rates, perm=[0, 2, 1]), [batch, heads, words])
    return nodes.declare(nodes.unsqueeze(turned, 3), [batch, heads, words, 1])


def gates(nodes, decay, bias, scale, rates=""):
    """Decays, scale * softplus(decay + bias), and rates as shares."""
    softened = nodes.Mul(nodes.Softplus(nodes.Add(decay, bias)), scale)
    return [softened, nodes.Sigmoid(rates)] if rates else [softened]


def gated_norm(nodes, x, scale, gate):
    """An RMS norm of as many elements as there are scales, times an activated gate."""
    (count,), columns = nodes.static_shape(scale), nodes.shape(x)[-1]
    outer = [0] * (len(nodes.shape(x)) - 1)
    rows = nodes.declare(nodes.Reshape(x, [*outer, columns // count, count]), [*nodes.shape(x)[:-1], columns // count, count])
    norm = nodes.Div(rows, onnx_groups.mean_square_root(nodes, rows, [-1], epsilon=1e-5))
    opened = nodes.Sigmoid(gate) if nodes.field("activation", "silu") == "sigmoid" else onnx_activations.swish(nodes, gate)
    return nodes.Mul(nodes.Reshape(nodes.Mul(norm, scale), [*outer, columns]), opened)


def gated_sum(nodes, x, other, gate, weight=""):
    """x + other * gate; where there is a weight, the gate is a share that it makes of rows."""
    opened = nodes.Sigmoid(nodes.MatMul(gate, weight)) if weight else gate
    return nodes.Add(x, nodes.Mul(other, opened))


MEANINGS = {"CausalConvWithState": convolution, "GatedAdd": gated_sum, "LinearAttention": linear_attention, "LinearAttentionGate": gates,
            "GatedRMSNorm": gated_norm}
