"""Caches of keys and values: GroupQueryAttention, with which ONNX Runtime generates text, and TensorScatter.

Heads of queries that share keys are rows of one matrix, head by head: batch x shared heads x (heads x words) x
elements. So keys and values are read once for all of them, and never repeated.
"""
import math

from . import onnx_attention
from .arrays import package

INSERT, KEEP = "InsertRows", "KeepRows"  # what is left for ucmoh.torch_scatter: neither ONNX nor torch-mlir has such operators
SHARED = "past_is_present"  # a field of nodes whose caches stay where they are
QUANTIZED = ("k_quant_type", "v_quant_type")


def grouped_attention(nodes, query, key="", value="", past_key="", past_value="", lengths="", total="", cosines="",
                      sines="", positions="", bias="", sink="", *others):
    """Knows `lengths` + 1 words of each text behind this call. The cache gets as many as the past and the query
    have together, or stays as large as it is where `share` was asked for this, or where it has a window's words."""
    refuse_forms(nodes, past_key, bias, others)
    heads, kept = nodes.field("num_heads"), nodes.field("kv_num_heads")
    flat = (query, key, value) if key else unpacked(nodes, query, heads, kept)
    query, key, value = (split(nodes, each, kept, count // kept) for each, count in zip(flat, (heads, kept, kept)))
    for cache in (past_key, past_value, *nodes.node.output[1:3]):
        fix_width(nodes, cache, nodes.shape(query)[-1])
    before = words_before(nodes, flat[0], lengths)
    at = nodes.Add(before, onnx_attention.places(nodes, flat[0], 1))
    if nodes.field("do_rotary", 0):
        query, key = (turn(nodes, each, positions or at, cosines, sines) for each in (query, key))
    query, key, value = (join(nodes, each) for each in (query, key, value))
    if nodes.field("sliding_window_cache", 0):
        key, value, at, results = in_window(nodes, (past_key, past_value), (key, value), at, before, lengths)
    else:
        key, value = results = [put_behind(nodes, *each, before) for each in ((past_key, key), (past_value, value))]
        if nodes.field(SHARED, 0):
            key, value = (known_words(nodes, each, total) for each in results)
    masks = [hidden(nodes, at, key, heads // kept), shared(nodes, bias, kept)]
    *_, scores, shares = onnx_attention.steps_to_shares(nodes, query, key, masks)
    if sink or nodes.field("smooth_softmax", 0):
        shares = shares_with(nodes, scores, sink_of_rows(nodes, sink, at, kept))
    result = nodes.declare(nodes.MatMul(shares, value), nodes.shape(query))
    result = side_by_side(nodes, result, heads // kept, nodes.shape(flat[0])[-1])
    return [result, *results]


def share(graph):
    """Asks that caches have room for more words, and that what is known behind a call lies where the past did."""
    for node in graph.node:
        if node.op_type == "GroupQueryAttention":
            node.attribute.append(package("onnx").helper.make_attribute(SHARED, 1))


def refuse_forms(nodes, past, bias, others):
    """An error for what has no form here: `others` are scales of a cache, and norms of heads."""
    if any(others) or any(nodes.field(name, "NONE") != "NONE" for name in QUANTIZED):
        nodes.refuse("a quantized cache, and norms of heads inside of the node, are not supported; export the model with a "
                     "cache of floats, and norms in front of it")
    if not nodes.field("causal", 1):
        nodes.refuse("queries that see words behind them are not supported; export the model with causal = 1")
    is_window = nodes.field("sliding_window_cache", 0)
    if is_window and nodes.field("local_window_size", -1) < 1:
        nodes.refuse("a cache of a window's words needs a local_window_size of 1 or more")
    if is_window and bias:
        nodes.refuse("a bias for a cache of a window's words is not supported; export the model with a cache of all words")
    if not past:
        nodes.refuse("it has no cache; export the model with past keys and values, which may be of no words")
    if "".join(nodes.node.output[3:4]):
        nodes.refuse("scores as a result are not supported; export the model without them")


def unpacked(nodes, packed, heads, kept):
    """Queries, keys and values that lie side by side."""
    *outer, columns = nodes.shape(packed)
    width, begin, parts = columns // (heads + 2 * kept), 0, []
    for count in (heads, kept, kept):
        part = nodes.slice(packed, begin, begin + count * width, 2)
        parts.append(nodes.declare(part, [*outer, count * width]))
        begin += count * width
    return parts


def split(nodes, x, kept, group):
    """batch x words x (heads x elements) as batch x shared heads x heads of a group x words x elements."""
    batch, words, columns = nodes.shape(x)
    width = columns // (kept * group)
    if group == 1:  # torch-mlir loses open extents of a reshape that adds a dim of one
        apart = nodes.unsqueeze(nodes.Transpose(nodes.Reshape(x, [0, 0, kept, width]), perm=[0, 2, 1, 3]), 2)
    else:
        apart = nodes.Transpose(nodes.Reshape(x, [0, 0, kept, group, width]), perm=[0, 2, 3, 1, 4])
    return nodes.declare(apart, [batch, kept, group, words, width])


def join(nodes, x):
    """The heads of a group as rows, one behind the other."""
    batch, kept, group, words, width = nodes.shape(x)
    rows = None if words is None else group * words
    return nodes.declare(nodes.Reshape(x, [0, 0, -1, width]), [batch, kept, rows, width])


def side_by_side(nodes, x, group, columns):
    """The rows of all groups as `split` found them: batch x words x (heads x elements)."""
    apart = nodes.Reshape(x, [0, 0, group, -1, nodes.shape(x)[-1]])
    return nodes.Reshape(nodes.Transpose(apart, perm=[0, 3, 1, 2, 4]), [0, 0, columns])


def fix_width(nodes, cache, width):
    """Gives the elements of a head, which a file may leave open, their number: they are no extent of a call's."""
    for declared in (*nodes.facts.graph.input, *nodes.facts.graph.output):
        if declared.name == cache and nodes.facts.shapes.get(cache):
            declared.type.tensor_type.shape.dim[3].dim_value = width
            nodes.declare(cache, [*nodes.shape(cache)[:3], width])


def words_known(nodes, lengths):
    """How many words of each text, as a column, are known behind this call."""
    known = nodes.Add(nodes.Cast(lengths, to=nodes.helper.np_dtype_to_tensor_dtype(nodes.numpy.dtype("int64"))), [1])
    return nodes.Reshape(known, [-1, 1])


def words_before(nodes, query, lengths):
    """How many are known in front of it. A text that is shorter than the query, which holds it with something behind, has
    none."""
    return nodes.Max(nodes.Sub(words_known(nodes, lengths), onnx_attention.count_words(nodes, query, 1)), [0])


def turn(nodes, x, places, cosines, sines):
    """Heads with the rotary embedding of their places, batch x words."""
    angles = [nodes.unsqueeze(nodes.unsqueeze(nodes.Gather(table, places), 1), 1) for table in (cosines, sines)]
    sizes = 2 * nodes.shape(cosines)[-1], nodes.shape(x)[-1]
    return nodes.declare(onnx_attention.turn(nodes, x, sizes, angles, nodes.field("rotary_interleaved", 0)),
                         nodes.shape(x))


def put_behind(nodes, past, new, before):
    """The cache with new keys or values behind the known words of each text. A text for which it has no room ends the call
    with an error."""
    return insert(nodes, past if nodes.field(SHARED, 0) else onnx_attention.behind(nodes, past, new), new, before)


def insert(nodes, cache, new, begin):
    """The cache with new rows of each text from a place on."""
    return nodes.note(nodes.add(INSERT, [cache, new, nodes.Reshape(begin, [-1])]), nodes.shape(cache), new)


def in_window(nodes, pasts, news, at, before, lengths):
    """Keys, values and the places of queries among them, batch x words, and caches that have the last words at their
    beginning. Which words a cache has depends on their number alone, and not on the calls that they came with."""
    known, begin = words_known(nodes, lengths), kept_words(nodes, before, pasts[0])
    shift, count = nodes.Sub(before, begin), kept_words(nodes, known, pasts[0])
    whole = [insert(nodes, onnx_attention.behind(nodes, past, new), new, begin) for past, new in zip(pasts, news)]
    first = nodes.Sub(nodes.Sub(known, shift), count)
    caches = [keep(nodes, past, each, first, count) for past, each in zip(pasts, whole)]
    return *whole, nodes.Sub(at, shift), caches


def kept_words(nodes, words, cache):
    """How many of so many words a cache of a window has: all for which there is room. Where there is none, the first ones
    make room for as many as the cache has beyond a window."""
    room = onnx_attention.count_words(nodes, cache)
    step = nodes.Max(nodes.Sub(room, [nodes.field("local_window_size") - 1]), [1])
    times = nodes.Div(nodes.Add(nodes.Sub(words, room), nodes.Sub(step, [1])), step)
    return nodes.Sub(words, nodes.Mul(nodes.Max(times, [0]), step))


def keep(nodes, cache, rows, first, count):
    """The cache that begins with so many of each text's rows, from a first one on."""
    operands = [cache, rows, *(nodes.Reshape(each, [-1]) for each in (first, count))]
    kept = nodes.add(KEEP, operands, least=nodes.field("local_window_size"))
    return nodes.note(kept, nodes.shape(cache), cache)


def known_words(nodes, cache, total):
    """The beginning of a cache, of as many words as the longest text has."""
    batch, heads, _, width = nodes.shape(cache)
    part = nodes.Slice(cache, [0], nodes.Reshape(as_extent(nodes, total), [1]), [2])
    return nodes.declare(part, [batch, heads, None, width])


def as_extent(nodes, total):
    """The number of words as the compiler follows it where the file reads it off a mask: without the conversion."""
    makers, value = [], total
    for operator in ("Cast", "Gather", "Shape"):
        maker = nodes.facts.makers.get(value)
        if maker is None or maker.op_type != operator:
            return total
        makers, value = [*makers, maker], maker.input[0]
    dim = nodes.value(makers[1].input[1])
    return total if dim is None else onnx_attention.count_words(nodes, value, int(dim))


def hidden(nodes, at, key, group):
    """Minus infinity for words behind the place of each query, or out of its window. `at` is batch x words."""
    at = rows_of_group(nodes, at, nodes.numpy.zeros([group, 1], "int64"))
    place, window = onnx_attention.places(nodes, key), nodes.field("local_window_size", -1)
    seen = nodes.LessOrEqual(place, at)
    if window > 0:
        seen = nodes.And(seen, nodes.Greater(place, nodes.Sub(at, [window])))
    return nodes.Where(seen, 0.0, -math.inf)


def rows_of_group(nodes, words, heads):
    """The sum of a value for each word, batch x words, and one for each head, shared heads x heads of a group x 1, as a
    column."""
    wide = nodes.Add(nodes.unsqueeze(nodes.unsqueeze(words, 1), 1), heads)
    return nodes.Reshape(wide, [0, 0, -1, 1])


def shared(nodes, bias, kept):
    """A bias of batch x heads x words x words for the rows of a group."""
    if not bias:
        return ""
    batch, heads, words, known = nodes.static_shape(bias)
    wanted = nodes.field("num_heads")
    bias = bias if heads == wanted else nodes.Expand(bias, [batch, wanted, words, known])
    return nodes.Reshape(bias, [batch, kept, wanted // kept * words, known])


def sink_of_rows(nodes, sink, at, kept):
    """The score that each row has besides those of its words."""
    if not sink:
        return 0.0
    nothing = nodes.Mul(nodes.Cast(at, to=nodes.helper.np_dtype_to_tensor_dtype(nodes.dtype())), 0.0)
    return rows_of_group(nodes, nothing, nodes.Reshape(sink, [kept, -1, 1]))


def shares_with(nodes, scores, sink):
    """A softmax over scores and one more, whose share goes nowhere."""
    most = nodes.Max(nodes.reduce("ReduceMax", scores, [-1]), sink)
    powers = nodes.Exp(nodes.Sub(scores, most))
    return nodes.Div(powers, nodes.Add(nodes.reduce("ReduceSum", powers, [-1]), nodes.Exp(nodes.Sub(sink, most))))


def update(nodes, cache, new, begins=""):
    """A cache of keys or values with new ones at a place of each batch; beyond the end they begin anew if they may."""
    rank, axis = len(nodes.shape(cache)), nodes.field("axis", -2)
    axis %= rank
    if axis == rank - 2 and nodes.field("mode", "linear") == "linear":
        return insert(nodes, cache, new, begins or nodes.Expand([0], onnx_attention.count_words(nodes, new, 0)))
    count, more = nodes.static_shape(cache)[axis], nodes.static_shape(new)[axis]
    shape = [1] * rank
    shape[axis] = count
    places = nodes.numpy.arange(count).reshape(shape)
    begins = nodes.Reshape(begins, [-1, *[1] * (rank - 1)]) if begins else [0]
    behind = nodes.Sub(places, begins)  # the first new one
    if nodes.field("mode", "linear") == "circular":
        behind = nodes.Mod(nodes.Add(behind, [count]), [count])
    is_new = nodes.And(nodes.GreaterOrEqual(behind, [0]), nodes.Less(behind, [more]))
    if more == 1:
        return nodes.Where(is_new, new, cache)
    found = nodes.Max(nodes.Min(behind, [more - 1]), [0])
    wide = nodes.Expand(found, nodes.constant([1 if dim == axis else extent
                                               for dim, extent in enumerate(nodes.static_shape(new))]))
    return nodes.Where(is_new, nodes.GatherElements(new, wide, axis=axis), cache)


MEANINGS = {"GroupQueryAttention": grouped_attention, "TensorScatter": update}
