"""Operators of ONNX, or forms of them, that torch-mlir lacks or computes wrongly, by others."""
LONGEST = 2 ** 31 - 1  # what exporters write for a begin or an end that no extent reaches


def product(nodes, left, right):
    """A vector as one side of a batch of products: a matrix of one row, or of one column."""
    ranks = [len(nodes.shape(each, may_stay=True)) for each in (left, right)]
    if min(ranks) != 1 or max(ranks) < 3:
        return None
    if ranks[0] == 1:
        return nodes.squeeze(nodes.MatMul(nodes.unsqueeze(left, 0), right), ranks[1] - 2)
    return nodes.squeeze(nodes.MatMul(left, nodes.unsqueeze(right, 1)), ranks[0] - 1)


def cut(nodes, x, begins="", ends="", axes="", steps=""):
    """A slice from the end to the front that begins behind the last element: torch-mlir would read memory there."""
    known = nodes.value(begins), nodes.value(steps)
    if any(each is None for each in known) or not ((known[1] < 0) & (known[0] > 0)).any():
        return None
    shape, begins = nodes.shape(x, may_stay=True), known[0].tolist()
    dims = nodes.value(axes).tolist() if axes else range(len(begins))
    for at, dim in enumerate(dims):
        extent = shape[dim]
        if known[1][at] < 0 and (begins[at] >= LONGEST if extent is None else begins[at] >= extent):
            begins[at] = -1
    if begins == known[0].tolist():
        return None
    return nodes.Slice(x, begins, ends, axes or list(dims), steps)


def shift(nodes, x, count):
    """By all bits or more, which a processor takes as the rest of a division: only the sign is left, to the right."""
    nodes.shape(x, may_stay=True)  # its type is known with it
    kind = nodes.helper.tensor_dtype_to_np_dtype(nodes.facts.types[x])
    bits, nothing = (nodes.numpy.array(number, kind) for number in (kind.itemsize * 8, 0))
    known = nodes.value(count)
    if known is not None and ((known >= 0) & (known < bits)).all():
        return None
    is_less = nodes.And(nodes.Less(count, bits), nodes.GreaterOrEqual(count, nothing))
    shifted = nodes.BitShift(x, nodes.Where(is_less, count, bits - kind.type(1)), **nodes.fields)
    if kind.kind == "i" and nodes.field("direction") == "RIGHT":
        return shifted
    return nodes.Where(is_less, shifted, nothing)


def running_product(nodes, x, axis):
    """Twice as many factors in each step."""
    numpy, shape, at = nodes.numpy, nodes.static_shape(x), nodes.value(axis)
    if at is None:
        nodes.refuse("its axis is computed; give a constant")
    dim, dtype = int(at) % len(shape), nodes.helper.tensor_dtype_to_np_dtype(nodes.facts.types[x])
    ones = lambda count: numpy.ones([*shape[:dim], count, *shape[dim + 1:]], dtype)
    behind = lambda value, step: nodes.Concat(ones(step), nodes.slice(value, 0, shape[dim] - step, dim), axis=dim)
    is_reverse, step = nodes.field("reverse", 0), 1
    value = nodes.reverse(x, dim) if is_reverse else x
    value = behind(value, 1) if nodes.field("exclusive", 0) else value
    while step < shape[dim]:
        value, step = nodes.Mul(value, behind(value, step)), 2 * step
    return nodes.reverse(value, dim) if is_reverse else nodes.Identity(value)


def compress(nodes, x, flags):
    """The elements along an axis, or of the whole tensor, whose flags are set."""
    if "axis" not in nodes.fields:
        x = nodes.Reshape(x, [-1])
    extent = nodes.shape(x)[nodes.field("axis", 0)] if "axis" in nodes.fields else None
    count = nodes.shape(flags)[0]
    if extent is not None and count is not None and count > extent:
        flags = nodes.slice(flags, 0, extent, 0)
    return nodes.Gather(x, nodes.squeeze(nodes.NonZero(flags), 0), axis=nodes.field("axis", 0))


def add_blocks(nodes, x, image, block):
    """Blocks of an image, added up where they overlap: a transposed convolution that gives each of their elements its place."""
    extents, sizes = nodes.value(image), nodes.value(block)
    if extents is None or sizes is None:
        nodes.refuse("the extents of its image and of its blocks are computed; give constants")
    dims, size = len(sizes), int(sizes.prod())
    steps, apart = (nodes.field(name, [1] * dims) for name in ("strides", "dilations"))
    pads = nodes.field("pads", [0] * 2 * dims)
    lengths = [(each - 1) * far + 1 for each, far in zip(sizes.tolist(), apart)]
    left = [extent + pads[dim] + pads[dim + dims] - lengths[dim] for dim, extent in enumerate(extents.tolist())]
    counts = [each // step + 1 for each, step in zip(left, steps)]
    batch, channels, _ = nodes.static_shape(x)
    kind = nodes.helper.tensor_dtype_to_np_dtype(nodes.facts.types[x])
    places = nodes.numpy.eye(size, dtype=kind).reshape(size, 1, *sizes)
    filters = nodes.numpy.tile(places, (channels // size, *[1] * (dims + 1)))
    made = nodes.ConvTranspose(nodes.Reshape(x, [batch, channels, *counts]), filters, group=channels // size, strides=steps,
                               dilations=apart, output_padding=[each % step for each, step in zip(left, steps)])
    for dim, extent in enumerate(extents.tolist()):
        if pads[dim] or pads[dim + dims]:
            made = nodes.slice(made, pads[dim], pads[dim] + extent, dim + 2)
    return made


def in_order(nodes, x, count):
    """The greatest or least elements in order, also where any order would do."""
    if nodes.field("sorted", 1):
        return None
    return nodes.add("TopK", [x, count], 2, **(nodes.fields | {"sorted": 1}))


def reciprocal(nodes, x):
    """Infinite of zeros, for which torch-mlir would end the program."""
    return nodes.Div(1.0, x)


def normalize(nodes, x):
    """By the sum of magnitudes, or the root of the sum of squares, along an axis; zeros stay."""
    norm = nodes.reduce(f"ReduceL{nodes.field('p', 2)}", x, [nodes.field("axis", -1)])
    return nodes.Div(x, nodes.Where(nodes.Equal(norm, 0.0), 1.0, norm))


def space_to_depth(nodes, x):
    """With a block's pixels innermost."""
    if nodes.field("mode", "DCR") != "CRD":
        return None
    (batch, channels, height, width), size = nodes.static_shape(x), nodes.field("blocksize")
    apart = nodes.Reshape(x, [batch, channels, height // size, size, width // size, size])
    return nodes.Reshape(nodes.Transpose(apart, perm=[0, 1, 3, 5, 2, 4]),
                         [batch, channels * size * size, height // size, width // size])


MEANINGS = {
    "MatMul": product, "Slice": cut, "BitShift": shift, "CumProd": running_product, "Compress": compress,
    "LpNormalization": normalize, "SpaceToDepth": space_to_depth,
    "Reciprocal": reciprocal, "TopK": in_order, "Col2Im": add_blocks,
}
