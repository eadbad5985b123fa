"""Attention and rotary embeddings that are one operator, of ONNX and of ONNX Runtime, as products and a softmax."""
import math


def attention(nodes, query, key, value, mask="", past_key="", past_value="", lengths=""):
    """ONNX's Attention: heads are a dim of their own, or side by side in the last one."""
    if lengths or "".join(nodes.node.output[3:4]):
        nodes.refuse("nonpad_kv_seqlen and the scores as a result are not supported; export attention as single ops")
    is_flat = len(nodes.shape(query)) == 3
    if is_flat:
        heads = nodes.field("q_num_heads"), nodes.field("kv_num_heads"), nodes.field("kv_num_heads")
        query, key, value = (to_heads(nodes, each, count) for each, count in zip((query, key, value), heads))
    return attend(nodes, query, (key, value), (past_key, past_value), is_flat=is_flat, mask=mask,
                  is_causal=nodes.field("is_causal", 0))


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
    return attend(nodes, operands[0], operands[1:], (past_key, past_value), mask=mask, padding=padding,
                  is_causal=nodes.field("unidirectional", 0))


def packed_attention(nodes, x, weight, bias="", padding="", past="", mask="", *rest):
    """ONNX Runtime's Attention: one weight makes queries, keys and values."""
    if past or any(rest) or nodes.field("do_rotary", 0):
        nodes.refuse("a past is not supported; export the model without ONNX Runtime's optimizations")
    heads, width = nodes.field("num_heads"), nodes.shape(weight)[-1]
    sizes = nodes.field("qkv_hidden_sizes", [width // 3] * 3)
    made = nodes.MatMul(x, weight)
    made = nodes.Add(made, bias) if bias else made
    parts = [(sum(sizes[:at]), size) for at, size in enumerate(sizes)]
    query, key, value = (to_heads(nodes, nodes.declare(nodes.slice(made, begin, begin + size, 2),
                                                       [*nodes.shape(x)[:2], size]), heads) for begin, size in parts)
    return attend(nodes, query, (key, value), ("", ""), mask=mask, padding=padding,
                  is_causal=nodes.field("unidirectional", 0))[:1]


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


def attend(nodes, query, keys, pasts, mask="", padding="", is_causal=0, is_flat=True):
    """The result, keys and values. All operands have a dim of heads."""
    key, value = (behind(nodes, *each) for each in zip(pasts, keys))
    present = [key, value]
    if nodes.fields.get("kv_num_heads") or not nodes.node.domain:
        key, value = (repeat(nodes, each, query) for each in (key, value))
    scores = nodes.MatMul(query, nodes.Transpose(key, perm=[0, 1, 3, 2]))
    scores = nodes.Mul(scores, nodes.field("scale", 0.0) or 1 / math.sqrt(nodes.shape(query)[-1]))
    cap = nodes.field("softcap", 0.0)
    if cap:
        scores = nodes.Mul(nodes.Tanh(nodes.Mul(scores, 1 / cap)), cap)
    for each in (additive(nodes, mask), padded(nodes, padding), causal(nodes, query, key) if is_causal else ""):
        scores = nodes.Add(scores, each) if each else scores
    result = nodes.MatMul(nodes.Softmax(scores, axis=-1), value)
    if is_flat:
        result = nodes.Reshape(nodes.Transpose(result, perm=[0, 2, 1, 3]), [0, 0, -1])
    return [result, *present]


def repeat(nodes, x, query):
    """Keys or values once for each head of queries that shares them."""
    (_, heads, _, width), times = nodes.shape(x), nodes.shape(query)[1] // nodes.shape(x)[1]
    if times == 1:
        return x
    wide = nodes.Expand(nodes.unsqueeze(x, 2), [1, 1, times, 1, 1])
    return nodes.declare(nodes.Reshape(wide, [0, heads * times, -1, width]), nodes.shape(x))


def lowest(nodes):
    """Returns what is added to scores that are hidden, as ONNX Runtime does: rows that are hidden as a whole stay
    numbers."""
    return float(nodes.field("mask_filter_value", 0.0)) or float(nodes.numpy.finfo(nodes.dtype()).min)


def additive(nodes, mask):
    """A mask of booleans as numbers."""
    if mask and nodes.facts.types.get(mask) == nodes.helper.np_dtype_to_tensor_dtype(nodes.numpy.dtype("bool")):
        return nodes.Where(mask, 0.0, lowest(nodes))
    return mask


def padded(nodes, padding):
    """Makes the mask that hides keys beyond the end of a text. `padding`, of batch x keys, is 0 for those."""
    if not padding:
        return ""
    if len(nodes.shape(padding)) != 2:
        nodes.refuse("its mask of keys is not batch x keys; export the model without ONNX Runtime's optimizations")
    visible = nodes.Cast(padding, to=nodes.helper.np_dtype_to_tensor_dtype(nodes.numpy.dtype("bool")))
    return nodes.unsqueeze(nodes.unsqueeze(nodes.Where(visible, 0.0, lowest(nodes)), 1), 2)


def causal(nodes, query, key):
    """Makes the mask that hides the keys behind each query; the last query sees all."""
    rows, columns = nodes.static_shape(query)[2], nodes.static_shape(key)[2]
    hidden = nodes.numpy.triu(nodes.numpy.ones((rows, columns), bool), columns - rows + 1)
    return nodes.constant(nodes.numpy.where(hidden, lowest(nodes), 0).astype(nodes.dtype()))


def rotary(nodes, x, *tables):
    """Pairs of elements of a head, turned by an angle that depends on the place."""
    if nodes.node.domain:
        places, cosines, sines = tables
    else:
        cosines, sines, places = [*tables, ""][:3]
    is_flat, heads = len(nodes.shape(x)) == 3, nodes.field("num_heads", 0)
    if nodes.field("is_packed_batching", 0) or is_flat and not heads:
        nodes.refuse("packed batches, and flat heads without num_heads, are not supported; give each head a dim")
    words, width = nodes.static_shape(x)[1 if is_flat else 2], nodes.static_shape(x)[-1] // (heads if is_flat else 1)
    x = to_heads(nodes, x, heads) if is_flat else x
    if places and nodes.node.domain and nodes.shape(places) == [1]:
        places = nodes.unsqueeze(nodes.Add(places, list(range(words))), 0)
    angles = [nodes.unsqueeze(nodes.Gather(each, places) if places else each, 1) for each in (cosines, sines)]
    result = turn(nodes, x, width, angles)
    return nodes.Reshape(nodes.Transpose(result, perm=[0, 2, 1, 3]), [0, 0, -1]) if is_flat else result


def turn(nodes, x, width, angles):
    """The first `rotary_embedding_dim` elements turned; pairs are neighbours, or half of these apart."""
    size, (cosine, sine) = nodes.field("rotary_embedding_dim", 0) or width, angles
    is_interleaved = nodes.field("interleaved", 0)
    if is_interleaved:
        first, second = (nodes.slice(x, at, size, 3, 2) for at in (0, 1))
    else:
        first, second = nodes.slice(x, 0, size // 2, 3), nodes.slice(x, size // 2, size, 3)
    turned = [nodes.Sub(nodes.Mul(cosine, first), nodes.Mul(sine, second)),
              nodes.Add(nodes.Mul(sine, first), nodes.Mul(cosine, second))]
    if is_interleaved:
        pairs = nodes.Concat(*(nodes.unsqueeze(each, 4) for each in turned), axis=4)
        turned = [nodes.Reshape(pairs, [0, 0, 0, size])]
    rest = [nodes.slice(x, size, width, 3)] if size < width else []
    parts = [*turned, *rest]
    return nodes.Concat(*parts, axis=3) if len(parts) > 1 else parts[0]


def by_domain(nodes, *operands):
    """Both have an operator of this name."""
    return (packed_attention if nodes.node.domain else attention)(nodes, *operands)


MEANINGS = {"Attention": by_domain, "MultiHeadAttention": multi_head_attention, "RotaryEmbedding": rotary}
