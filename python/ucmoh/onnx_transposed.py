"""Transposed convolutions in forms that torch-mlir takes: with sizes of borders in numbers, and, where channels do not
meet, as convolutions whose channels are the pixels of a block (torch_convolutions.py has the same for PyTorch)."""
import math

from .onnx_nodes import END
from .onnx_steps import Blocks


def transposed(nodes, image, weight, *bias):
    """None where torch-mlir takes it as it is."""
    fields, count = nodes.fields, len(nodes.shape(weight, may_stay=True)) - 2
    is_same = nodes.field("auto_pad", "NOTSET") not in ("NOTSET", "VALID")
    if is_same or "output_shape" in fields and is_apart(nodes, weight):
        fields = with_pads(nodes, image, weight, count)
    if not is_apart(nodes, weight):
        return with_equal_pads(nodes, image, weight, bias, fields, count)
    result = blocks(nodes, image, weight, fields, count)
    return nodes.Add(result, nodes.Reshape(bias[0], [1, -1, *[1] * count])) if bias and bias[0] else result


def with_equal_pads(nodes, image, weight, bias, fields, count):
    """The same for torch-mlir, which leaves out as much at the beginning as at the end: the rest of it is cut off."""
    begin, end = fields.get("pads", [0] * 2 * count)[:count], fields.get("pads", [0] * 2 * count)[count:]
    if begin == end or nodes.facts.opset < 10 or becomes_blocks(nodes, weight, fields):
        return None if fields is nodes.fields else nodes.ConvTranspose(image, weight, *bias, **fields)
    both = [min(pair) for pair in zip(begin, end)]
    result = nodes.ConvTranspose(image, weight, *bias, **fields | {"pads": both * 2})
    starts, ends = ([each - least for each, least in zip(some, both)] for some in (begin, end))
    return nodes.Slice(result, starts, [-each or END for each in ends], list(range(2, 2 + count)))


def becomes_blocks(nodes, weight, fields):
    """Whether onnx_steps.py takes it: a product of integers, whose borders may be unequal."""
    maker = nodes.facts.makers.get(weight)
    if maker is None or maker.op_type != "DequantizeLinear":
        return False
    return Blocks(nodes.helper.make_node("ConvTranspose", [], [], **fields), nodes.shape(weight)).are_simple()


def is_apart(nodes, weight):
    """Whether each channel has one filter of its own."""
    groups = nodes.field("group", 1)
    return nodes.facts.opset >= 11 and groups > 1 and nodes.shape(weight)[:2] == [groups, 1]


def with_pads(nodes, image, weight, count):
    """The attributes with the borders that are left out in numbers, which follow from the shape of the result."""
    steps, more = (list(nodes.field(name, [value] * count)) for name, value in (("strides", 1), ("output_padding", 0)))
    extents = nodes.static_shape(image)[2:]
    wanted = nodes.field("output_shape", [extent * step for extent, step in zip(extents, steps)])[-count:]
    begins, ends = [], []
    for dim, kernel in enumerate(reach(nodes, weight, count)):
        total = steps[dim] * (extents[dim] - 1) + more[dim] + kernel - wanted[dim]
        more[dim], total = more[dim] + max(-total, 0), max(total, 0)
        less, rest = total // 2, total - total // 2
        begin, end = (less, rest) if nodes.field("auto_pad", "NOTSET") == "SAME_UPPER" else (rest, less)
        begins, ends = [*begins, begin], [*ends, end]
    kept = {name: value for name, value in nodes.fields.items() if name not in ("auto_pad", "output_shape")}
    return kept | {"pads": [*begins, *ends], "output_padding": more}


def reach(nodes, weight, count):
    """Extents of the filters with what a dilation puts between their elements."""
    dilation = nodes.field("dilations", [1] * count)
    return [(extent - 1) * step + 1 for extent, step in zip(nodes.static_shape(weight)[2:], dilation)]


def blocks(nodes, image, weight, fields, count):
    """The convolution, and its blocks as pixels."""
    groups, kernel = nodes.field("group"), reach(nodes, weight, count)
    steps = fields.get("strides", [1] * count)
    taps = [-(-extent // step) for extent, step in zip(kernel, steps)]
    border = [tap - 1 for tap in taps]
    made = nodes.Conv(image, filters(nodes, weight, steps, taps), group=groups, pads=border * 2)
    made = pixels(nodes, made, image, steps, taps)
    pads, more = fields.get("pads", [0] * 2 * count), fields.get("output_padding", [0] * count)
    ends = [tap * step - extent + end - each
            for tap, step, extent, end, each in zip(taps, steps, kernel, pads[count:], more)]
    lacking = [max(-end, 0) for end in ends]
    if any(lacking):  # no filter reaches these pixels
        made = nodes.Pad(made, [0] * (4 + count) + lacking)
    return nodes.Slice(made, list(pads[:count]), [-max(end, 0) or END for end in ends], list(range(2, 2 + count)))


def filters(nodes, weight, steps, taps):
    """Filters of the convolution: for each pixel of a block those elements that lie whole steps apart, the last first."""
    dims, kernel = range(len(steps)), nodes.static_shape(weight)[2:]
    for dim, step in enumerate(nodes.field("dilations", [1] * len(steps)), start=2):
        if step > 1:
            zeros = [0] * len(kernel)
            wide = nodes.Pad(nodes.unsqueeze(weight, dim + 1), [0] * (3 + len(kernel) + dim + 1) + [step - 1] +
                             zeros[dim - 1:])
            kernel[dim - 2] *= step
            weight = nodes.slice(nodes.Reshape(wide, [0, 0, *kernel]), 0, 1 - step, dim)
            kernel[dim - 2] -= step - 1
    missing = [tap * step - extent for tap, step, extent in zip(taps, steps, kernel)]
    if any(missing):
        weight = nodes.Pad(weight, [0] * (4 + len(kernel)) + missing)
    weight = nodes.Reshape(weight, [0, *(extent for pair in zip(taps, steps) for extent in pair)])
    for dim in dims:
        weight = nodes.reverse(weight, 1 + 2 * dim)
    weight = nodes.Transpose(weight, perm=[0, *(2 + 2 * dim for dim in dims), *(1 + 2 * dim for dim in dims)])
    return nodes.Reshape(weight, [-1, 1, *taps])


def pixels(nodes, made, image, steps, taps):
    """The pixels of the blocks in their places."""
    groups, count = nodes.field("group"), len(steps)
    if math.prod(steps) == 1:
        return made
    if count == 2 and steps[0] == steps[1] and None in nodes.shape(image):
        outermost = nodes.numpy.arange(groups * math.prod(steps)).reshape(groups, -1).T.reshape(-1)
        return nodes.DepthToSpace(nodes.Gather(made, outermost, axis=1), blocksize=steps[0])
    extents = [-1] if count == 1 else [extent + tap - 1 for extent, tap in zip(nodes.static_shape(image)[2:], taps)]
    apart = nodes.Reshape(made, [0, groups, *steps, *extents])
    turned = nodes.Transpose(apart, perm=[0, 1, *(place for dim in range(count) for place in (2 + count + dim, 2 + dim))])
    return nodes.Reshape(turned, [0, groups, *([-1] if count == 1 else map(math.prod, zip(extents, steps)))])


MEANINGS = {"ConvTranspose": transposed}
