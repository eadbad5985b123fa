"""Deformable convolutions and regions of images of equal size: elements at computed places, as rows of all channels that are
looked up (torch_samples.py has the same for PyTorch)."""
import functools
import itertools
import math

from .onnx_grid import INT64, look_up, taps_of


def sample(nodes, image, shape, places, images):
    """Rows of elements of `image`, batch x channels x height x width, at places along both dims, of the images with the
    numbers `images`. Outside there are zeros."""
    _, channels, *extents = shape
    rows = nodes.Reshape(nodes.Transpose(image, perm=[0, 2, 3, 1]), [-1, channels])
    first = nodes.Mul(images, nodes.numpy.array(math.prod(extents)))
    taps = [taps_of(nodes, place, extent, is_nearest=False) for place, extent in zip(places, extents)]
    parts = [look_up(nodes, rows, corner, extents, first) for corner in itertools.product(*taps)]
    return functools.reduce(nodes.Add, parts)


def deformable_convolution(nodes, image, weight, offset, bias="", mask=""):
    """A product of weights and of elements that lie where the kernel's taps and their offsets say."""
    results, inner, *kernel = nodes.static_shape(weight)
    if len(kernel) != 2:
        nodes.refuse("only images are supported, no lines and no volumes")
    batch, rows, columns = nodes.static_shape(image)[0], *nodes.static_shape(offset)[2:]
    count, groups = math.prod(kernel), nodes.field("group", 1)
    found = elements(nodes, image, kernel, offset, mask)
    found = nodes.Reshape(found, [batch * rows * columns, count, groups, inner])
    found = nodes.Reshape(nodes.Transpose(found, perm=[2, 0, 1, 3]), [groups, -1, count * inner])
    weight = nodes.Transpose(nodes.Reshape(weight, [groups, results // groups, inner, count]), perm=[0, 3, 2, 1])
    product = nodes.MatMul(found, nodes.Reshape(weight, [groups, count * inner, results // groups]))
    product = nodes.Transpose(nodes.Reshape(product, [groups, batch, rows * columns, -1]), perm=[1, 0, 3, 2])
    product = nodes.Reshape(product, [batch, results, rows, columns])
    return nodes.Add(product, nodes.Reshape(bias, [-1, 1, 1])) if bias else product


def elements(nodes, image, kernel, offset, mask):
    """Rows of all channels for each element of the result and each tap. Groups of channels have offsets of their own."""
    batch, channels, *extents = nodes.static_shape(image)
    parts, (rows, columns) = nodes.field("offset_group", 1), nodes.static_shape(offset)[2:]
    count, width = math.prod(kernel), channels // parts
    offset = nodes.Transpose(nodes.Reshape(offset, [batch, parts, count, 2, rows, columns]), perm=[1, 3, 0, 4, 5, 2])
    if mask:
        mask = nodes.Transpose(nodes.Reshape(mask, [batch, parts, count, rows, columns]), perm=[1, 0, 3, 4, 2])
    images, found = nodes.numpy.arange(batch).reshape(batch, 1, 1, 1), []
    for part in range(parts):
        apart = nodes.squeeze(nodes.row(offset, part, 0), 0)
        places = [nodes.Add(nodes.squeeze(nodes.row(apart, dim, 0), 0), each)
                  for dim, each in enumerate(taps_of_kernel(nodes, kernel, (rows, columns)))]
        piece = image if parts == 1 else nodes.slice(image, part * width, (part + 1) * width, 1)
        found.append(sample(nodes, piece, (batch, width, *extents), places, nodes.constant(images)))
        if mask:
            found[-1] = nodes.Mul(found[-1], nodes.Reshape(nodes.row(mask, part, 0), [-1, 1]))
    return found[0] if parts == 1 else nodes.Concat(*found, axis=1)


def taps_of_kernel(nodes, kernel, extents):
    """Places of the kernel's elements along rows and along columns, for each element of the result."""
    numpy = nodes.numpy
    steps, dilation, pads = (nodes.field(name, [value] * 4) for name, value in (("strides", 1), ("dilations", 1), ("pads", 0)))
    first = [numpy.arange(extent) * step - pad for extent, step, pad in zip(extents, steps, pads)]
    taps = numpy.meshgrid(*(numpy.arange(extent) * step for extent, step in zip(kernel, dilation)), indexing="ij")
    high = first[0].reshape(-1, 1, 1) + taps[0].reshape(-1)
    wide = first[1].reshape(-1, 1) + taps[1].reshape(-1)
    return [each.astype(nodes.dtype()) for each in (high, wide)]


def regions(nodes, image, boxes, numbers):
    """The mean of equally many samples in each part of a box."""
    ratio, aligned = nodes.field("sampling_ratio", 0), nodes.field("coordinate_transformation_mode", "half_pixel")
    if ratio <= 0 or nodes.field("mode", "avg") != "avg":
        nodes.refuse("only means are supported, and of a number of samples that sampling_ratio gives")
    is_aligned = aligned == "half_pixel" and nodes.facts.opset >= 16
    (batch, channels, *extents), (count, _) = nodes.static_shape(image), nodes.static_shape(boxes)
    corners = nodes.Sub(nodes.Mul(boxes, nodes.field("spatial_scale", 1.0)), 0.5 if is_aligned else 0.0)
    parts = [nodes.field("output_height", 1), nodes.field("output_width", 1)]
    places, flags = zip(*(place_samples(nodes, corners, dim, parts[dim], ratio, extents[dim], is_aligned) for dim in (0, 1)))
    shape = nodes.constant([count, parts[0] * ratio, parts[1] * ratio])
    wide = [nodes.Expand(place, shape) for place in places]
    images = nodes.Reshape(nodes.Cast(numbers, to=INT64), [-1, 1, 1])
    found = sample(nodes, image, (batch, channels, *extents), wide, images)
    is_inside = nodes.Reshape(nodes.Expand(nodes.And(*flags), shape), [-1, 1])
    found = nodes.Reshape(nodes.Where(is_inside, found, 0.0), [count, parts[0], ratio, parts[1], ratio, channels])
    mean = nodes.Reshape(nodes.reduce("ReduceMean", found, [2, 4]), [count, *parts, channels])
    return nodes.Transpose(mean, perm=[0, 3, 1, 2])


def place_samples(nodes, corners, dim, parts, ratio, extent, is_aligned):
    """Places of the samples along a dim of the image, boxes x rows x columns, and whether they count."""
    begin, end = (nodes.slice(corners, at, at + 1, 1) for at in (1 - dim, 3 - dim))
    size = nodes.Sub(end, begin)
    size = size if is_aligned else nodes.Max(size, 1.0)
    steps = ((nodes.numpy.arange(parts * ratio) + 0.5) / (ratio * parts)).astype(nodes.dtype())
    place = nodes.unsqueeze(nodes.Add(begin, nodes.Mul(size, steps)), 2 - dim)
    is_inside = nodes.And(nodes.GreaterOrEqual(place, -1.0), nodes.LessOrEqual(place, float(extent)))
    return nodes.Clip(place, 0.0, extent - 1.0), is_inside


MEANINGS = {"DeformConv": deformable_convolution, "RoiAlign": regions}
