"""Attention and rotary embeddings that are one operator, of ONNX and of ONNX Runtime, as products and a softmax."""
import functools
import math

from . import onnx_dynamic


def attention(nodes, query, key, value, mask="", past_key="", past_value="", lengths=""):
    """ONNX's Attention: heads are a dim of their own, or side by side in the last one."""
    is_flat = len(nodes.shape(query)) == 3
    if is_flat:
        heads = nodes.field("q_num_heads"), nodes.field("kv_num_heads"), nodes.field("kv_num_heads")
        query, key, value = (to_heads(nodes, each, count) for each, count in zip((query, key, value), heads))
    key, value = behind(nodes, past_key, key), behind(nodes, past_value, value)
    bias = bias_of(nodes, query, key, mask, past_key, lengths)
    *scores, shares = steps_to_shares(nodes, query, key, [bias])
    result = weigh(nodes, shares, query, value)
    if bias and (mask or lengths):
        hidden = nodes.Equal(nodes.reduce("ReduceMax", bias, [-1]), -math.inf)
        result, shares = nodes.Where(hidden, 0.0, result), nodes.Where(hidden, 0.0, shares)
    shown = [*scores, shares][nodes.field("qk_matmul_output_mode", 0)]
    return [flatten(nodes, result) if is_flat else result, key, value, shown]


def bias_of(nodes, query, key, mask, past, lengths):
    """Returns what is added to the scores: minus infinity for keys that are hidden, and what a mask of numbers says."""
    if mask and None not in (width := nodes.shape(mask)[-1], total := nodes.shape(key)[2]) and width < total:
        hidden = nodes.numpy.zeros([*nodes.static_shape(mask)[:-1], total - width], bool)
        mask = nodes.Concat(mask, hidden if is_bool(nodes, mask) else nodes.numpy.where(hidden, 0, -math.inf).astype(
            nodes.dtype()), axis=-1)
    seen = visible(nodes, query, key, past, lengths)
    if mask and is_bool(nodes, mask):
        seen, mask = [mask, *seen], ""
    masks = [mask] if mask else []
    if seen:
        masks.append(nodes.Where(functools.reduce(nodes.And, seen), 0.0, -math.inf))
    return functools.reduce(nodes.Add, masks) if masks else ""


def visible(nodes, query, key, past, lengths):
    """Flags that say for queries and keys by their places whether one sees the other: all of them have to."""
    left, right = nodes.field("left_window_size", -1), nodes.field("right_window_size", -1)
    right = 0 if nodes.field("is_causal", 0) else right
    distance, before, flags = distances(nodes, query, key), [0], []
    if lengths:
        lengths = nodes.Reshape(lengths, [-1, 1, 1, 1])
        before = nodes.Sub(lengths, count_words(nodes, query))
        flags.append(nodes.Less(places(nodes, key), lengths))
    elif past:
        before = count_words(nodes, past)
    if right >= 0:
        flags.append(nodes.LessOrEqual(distance, nodes.Add(before, [right])))
    if left >= 0:
        flags.append(nodes.GreaterOrEqual(distance, nodes.Sub(before, [left])))
    return flags


def distances(nodes, query, key):
    """How far each key is behind each query, by their places."""
    return nodes.Sub(nodes.unsqueeze(places(nodes, key), 0), nodes.unsqueeze(places(nodes, query), 1))


def count_words(nodes, x, dim=2):
    """A vector of one number."""
    return nodes.slice(nodes.Shape(x), dim, dim + 1, 0)


def places(nodes, x, dim=2):
    """A vector that numbers the words."""
    first, step = (nodes.numpy.array(number, "int64") for number in (0, 1))
    return nodes.Range(first, nodes.squeeze(count_words(nodes, x, dim), 0), step)


def multi_head_attention(nodes, query, key="", value="", bias="", padding="", mask="", past_key="", past_value="",
                         *rest):
    """ONNX Runtime's MultiHeadAttention: heads are side by side, and keys and values may have a dim of heads
    already."""
    if not key or not value or any(rest):
        nodes.refuse("packed or shared operands are not supported; export the model without ONNX Runtime's optimizations")
    heads, at, operands = nodes.field("num_heads"), 0, []
    for each in (query, key, value):
        shape = nodes.shape(each)
        if bias and len(shape) == 3:
            each, at = nodes.Add(each, nodes.part(bias, at, at + shape[-1], 0)), at + shape[-1]
        operands.append(to_heads(nodes, nodes.declare(each, shape), heads) if len(shape) == 3 else each)
    query, *keys = operands
    return attend(nodes, query, keys, (past_key, past_value), mask, padding)


def packed_attention(nodes, x, weight, bias="", padding="", past="", mask="", *rest):
    """ONNX Runtime's Attention: one weight makes queries, keys and values."""
    refuse_shared(nodes, *rest)
    made = nodes.MatMul(x, weight)
    return attend_packed(nodes, nodes.Add(made, bias) if bias else made, (x, weight), past, (mask, padding))


def quantized_attention(nodes, x, weight, bias="", scale="", weight_scale="", padding="", zero="", weight_zero="", past="", *rest):
    """The same with a product of integers."""
    refuse_shared(nodes, *rest)
    made = onnx_dynamic.product(nodes, (x, weight), (scale, weight_scale), (zero, weight_zero), bias)
    return attend_packed(nodes, made, (x, weight), past, ("", padding))


def refuse_shared(nodes, *operands):
    """An error where a past has room for more words, and for angles of places."""
    if any(operands) or nodes.field("past_present_share_buffer", 0) or nodes.field("do_rotary", 0):
        nodes.refuse("a past with room for more words, and rotary embeddings inside of the node, are not supported; export the "
                     "model without ONNX Runtime's optimizations")


def attend_packed(nodes, made, operands, past, masks):
    """What is made of words that `operands` are multiplied for: queries, keys and values side by side. Keys and values of all
    words are the second result, as the past is: 2 x batch x heads x words x width."""
    x, weight = operands
    heads, width = nodes.field("num_heads"), nodes.shape(weight)[-1]
    sizes = nodes.field("qkv_hidden_sizes", [width // 3] * 3)
    parts = [(sum(sizes[:at]), size) for at, size in enumerate(sizes)]
    query, *keys = (to_heads(nodes, nodes.declare(nodes.slice(made, begin, begin + size, 2), [*nodes.shape(x)[:2], size]), heads)
                    for begin, size in parts)
    pasts = [nodes.declare(nodes.squeeze(nodes.row(past, at, 0), 0), nodes.shape(past)[1:]) if past else "" for at in (0, 1)]
    result, *known = attend(nodes, query, keys, pasts, *masks)
    if not any(nodes.node.output[1:]):
        return [result]
    shape = [2, *nodes.shape(known[0])]
    return [result, nodes.declare(nodes.Concat(*(nodes.unsqueeze(each, 0) for each in known), axis=0), shape)]


def to_heads(nodes, x, heads):
    """batch x words x (heads x width) as batch x heads x words x width."""
    batch, words, width = nodes.shape(x)
    return nodes.declare(nodes.Transpose(nodes.Reshape(x, [0, 0, heads, -1]), perm=[0, 2, 1, 3]),
                         [batch, heads, words, width // heads])


def behind(nodes, past, new):
    """Keys or values behind those of words before."""
    if not past:
        return new
    before, (batch, heads, words, width) = nodes.shape(past)[2], nodes.shape(new)
    total = None if None in (before, words) else before + words
    return nodes.declare(nodes.Concat(past, new, axis=2), [batch, heads, total, width])


def attend(nodes, query, keys, pasts, mask, padding):
    """The result, keys and values of ONNX Runtime's operators. All operands have a dim of heads."""
    key, value = (behind(nodes, *each) for each in zip(pasts, keys))
    biases = [additive(nodes, mask), padded(nodes, padding, key)]
    if nodes.field("unidirectional", 0):
        biases.append(causal(nodes, query, key))
    *_, shares = steps_to_shares(nodes, query, key, biases)
    return [flatten(nodes, weigh(nodes, shares, query, value)), key, value]


def steps_to_shares(nodes, query, key, biases):
    """The scores of queries and keys, the same with a limit, those with all that is added, and the softmax of these."""
    scores = nodes.MatMul(query, nodes.Transpose(repeat(nodes, key, query), perm=[0, 1, 3, 2]))
    scores = limited = nodes.Mul(scores, nodes.field("scale", 0.0) or 1 / math.sqrt(nodes.shape(query)[-1]))
    cap = nodes.field("softcap", 0.0)
    if cap:
        limited = nodes.Mul(nodes.Tanh(nodes.Mul(scores, 1 / cap)), cap)
    added = functools.reduce(nodes.Add, filter(None, biases), limited)
    return scores, limited, added, softmax(nodes, added)


def softmax(nodes, scores):
    """In the type that the node asks for."""
    own = nodes.helper.np_dtype_to_tensor_dtype(nodes.dtype())
    wanted = nodes.field("softmax_precision", own)
    if wanted == own:
        return nodes.Softmax(scores, axis=-1)
    return nodes.Cast(nodes.Softmax(nodes.Cast(scores, to=wanted), axis=-1), to=own)


def weigh(nodes, shares, query, value):
    """The mean of the values for each query."""
    return nodes.MatMul(shares, repeat(nodes, value, query))


def flatten(nodes, x):
    """Heads side by side again."""
    return nodes.Reshape(nodes.Transpose(x, perm=[0, 2, 1, 3]), [0, 0, -1])


def repeat(nodes, x, query):
    """Keys or values once for each head of queries that shares them."""
    (batch, heads, words, width), wanted = nodes.shape(x), nodes.shape(query)[1]
    if heads in (None, wanted):
        return x
    times = wanted // heads
    wide = nodes.Expand(nodes.unsqueeze(x, 2), [1, 1, times, 1, 1])
    return nodes.declare(nodes.Reshape(wide, [0, wanted, -1, width]), [batch, wanted, words, width])


def lowest(nodes):
    """Returns what is added to scores that are hidden, as ONNX Runtime does: rows that are hidden as a whole stay
    numbers."""
    return float(nodes.field("mask_filter_value", 0.0)) or float(nodes.numpy.finfo(nodes.dtype()).min)


def is_bool(nodes, mask):
    """Whether the elements are flags."""
    return nodes.facts.types.get(mask) == nodes.helper.np_dtype_to_tensor_dtype(nodes.numpy.dtype("bool"))


def additive(nodes, mask):
    """A mask of flags as numbers."""
    return nodes.Where(mask, 0.0, lowest(nodes)) if mask and is_bool(nodes, mask) else mask


def padded(nodes, padding, key):
    """Makes the mask that hides keys beyond the end of a text. `padding`, of batch x keys, is 0 for those, or it has the
    length of each text."""
    if not padding:
        return ""
    shape, own = nodes.shape(padding), lambda name: nodes.helper.np_dtype_to_tensor_dtype(nodes.numpy.dtype(name))
    if len(shape) == 2:
        visible = nodes.Cast(padding, to=own("bool"))
    elif len(shape) == 1 and shape[0] is not None and shape[0] == nodes.shape(key)[0]:
        visible = nodes.Less(places(nodes, key), nodes.unsqueeze(nodes.Cast(padding, to=own("int64")), 1))
    else:
        nodes.refuse("its mask of keys is neither batch x keys nor a length for each text of a batch of known size; export "
                     "the model without ONNX Runtime's optimizations")
    return nodes.unsqueeze(nodes.unsqueeze(nodes.Where(visible, 0.0, lowest(nodes)), 1), 2)


def causal(nodes, query, key):
    """Makes the mask that hides the keys behind each query; the last query sees all."""
    last = nodes.Sub(count_words(nodes, key), count_words(nodes, query))
    return nodes.Where(nodes.Greater(distances(nodes, query, key), last), lowest(nodes), 0.0)


def rotary(nodes, x, *tables):
    """Pairs of elements of a head, turned by an angle that depends on the place."""
    if nodes.node.domain:
        positions, cosines, sines = tables
    else:
        cosines, sines, positions = [*tables, ""][:3]
    if positions and nodes.node.domain and nodes.shape(positions) == [1]:
        positions = nodes.unsqueeze(nodes.Add(positions, places(nodes, x, -2 if len(nodes.shape(x)) == 4 else 1)), 0)
    angles = [nodes.Gather(each, positions) if positions else each for each in (cosines, sines)]
    return turn_heads(nodes, x, angles, nodes.shape(cosines)[-1])


def rotary_of_images(nodes, x, positions, cosines, sines):
    """The same where words have three places, in time, height and width: each angle belongs to one of these."""
    streams = [nodes.squeeze(nodes.row(positions, at, 0), 0) for at in range(3)]
    masks = [nodes.constant(each) for each in angles_of_streams(nodes, nodes.shape(cosines)[-1])]
    angles = []
    for table in (cosines, sines):
        angle, *others = (nodes.Gather(table, stream) for stream in streams)
        for mask, other in zip(masks, others):
            angle = nodes.Where(mask, other, angle)
        angles.append(angle)
    return turn_heads(nodes, x, angles, nodes.shape(cosines)[-1])


def angles_of_streams(nodes, count):
    """Flags that say of `count` angles whether they belong to the height, and whether to the width."""
    sizes, numbers = nodes.field("mrope_section"), nodes.numpy.arange(count)
    if len(sizes) != 3 or sum(sizes) != count:
        nodes.refuse(f"sections {list(sizes)} do not share {count} angles among three places")
    if nodes.field("mrope_layout", 0):
        return [(numbers % 3 == at) & (numbers < 3 * sizes[at]) for at in (1, 2)]
    return [(numbers >= sum(sizes[:at])) & (numbers < sum(sizes[:at + 1])) for at in (1, 2)]


def turn_heads(nodes, x, angles, count):
    """Heads, which may be side by side, turned by angles of batch x words x `count`."""
    if nodes.field("is_packed_batching", 0):
        nodes.refuse("packed batches are not supported; give each text a row of its own")
    is_flat, width = len(nodes.shape(x)) == 3, nodes.shape(x)[-1]
    size = nodes.field("rotary_embedding_dim", 0)
    if is_flat:
        heads = nodes.field("num_heads", 0) or width // (2 * count)
        x, width = to_heads(nodes, x, heads), width // heads
    angles = [nodes.unsqueeze(each, 1) for each in angles]
    result = turn(nodes, x, (size or width, width), angles, nodes.field("interleaved", 0))
    return nodes.Reshape(nodes.Transpose(result, perm=[0, 2, 1, 3]), [0, 0, -1]) if is_flat else result


def turn(nodes, x, sizes, angles, is_interleaved):
    """The first elements turned; `sizes` are how many, of how many. Pairs are neighbours, or half of them apart."""
    (size, width), (cosine, sine), outer = sizes, angles, len(nodes.shape(x)) - 1
    if is_interleaved:
        first, second = (nodes.slice(x, at, size, outer, 2) for at in (0, 1))
    else:
        first, second = nodes.slice(x, 0, size // 2, outer), nodes.slice(x, size // 2, size, outer)
    turned = [nodes.Sub(nodes.Mul(cosine, first), nodes.Mul(sine, second)),
              nodes.Add(nodes.Mul(sine, first), nodes.Mul(cosine, second))]
    if is_interleaved:
        turned = [alternate(nodes, turned, nodes.shape(x)[:-1], size)]
    rest = [nodes.slice(x, size, width, outer)] if size < width else []
    parts = [*turned, *rest]
    return nodes.Concat(*parts, axis=outer) if len(parts) > 1 else parts[0]


def alternate(nodes, parts, outer, size):
    """Two tensors of rows as one whose rows have an element of each in turn. A reshape with a dim of one among open ones would
    lose their extents in torch-mlir, so that it has none."""
    rank = len(outer)
    pairs = nodes.Concat(*(nodes.unsqueeze(each, rank + 1) for each in parts), axis=rank + 1)
    ones = [dim for dim, extent in enumerate(outer) if extent == 1]
    for dim in reversed(ones):
        pairs = nodes.squeeze(pairs, dim)
    rows = nodes.Reshape(pairs, [0] * (rank - len(ones)) + [size])
    for dim in ones:
        rows = nodes.unsqueeze(rows, dim)
    return rows


def by_domain(nodes, *operands):
    """Both have an operator of this name."""
    return (packed_attention if nodes.node.domain else attention)(nodes, *operands)


MEANINGS = {"Attention": by_domain, "QAttention": quantized_attention, "MultiHeadAttention": multi_head_attention,
            "RotaryEmbedding": rotary, "MRotaryEmbedding": rotary_of_images}
