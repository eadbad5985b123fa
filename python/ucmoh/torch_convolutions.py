"""Convolutions and poolings that torch-mlir refuses, by those that it takes, and means of pixels as products."""
import functools
import math
import re

from .arrays import package


def table():
    """Functions by operators of PyTorch."""
    aten = package("torch").ops.aten
    return {
        aten.convolution.default: convolution, aten._upsample_bilinear2d_aa.default: functools.partial(resize, triangle),
        aten._upsample_bicubic2d_aa.default: functools.partial(resize, cubic),
        **{op: functools.partial(pooling, op) for op in (
            aten.avg_pool1d.default, aten.avg_pool2d.default, aten.avg_pool3d.default, aten.max_pool2d.default,
            aten.max_pool2d_with_indices.default, aten.max_pool3d_with_indices.default)},
        **{op: functools.partial(one_image, op) for op in (aten.adaptive_max_pool2d.default, aten.adaptive_max_pool3d.default)},
    }


def one_image(op, image, *args, **kwargs):
    """An image without a batch as a batch of one; batches stay."""
    dims = int(re.search(r"pool(\d)d", op._opname).group(1))
    if image.dim() != dims + 1:
        return NotImplemented
    made = op(image.unsqueeze(0), *args, **kwargs)
    return tuple(each.squeeze(0) for each in made) if isinstance(made, tuple) else made.squeeze(0)


def pooling(op, image, window, *rest, **named):
    """With windows no larger than the image with its border: torch-mlir would make the image as large as the windows that
    ceil_mode allows, of which EfficientNet's last one has 1280 x 1280 pixels of 7 x 7."""
    made = one_image(op, image, window, *rest, **named)
    if made is not NotImplemented:
        return made
    names = [each.name for each in op._schema.arguments[2:]]
    given = dict(zip(names, rest)) | named
    borders, extents = given.get("padding") or [0], image.shape[-len(window):]
    if not given.get("ceil_mode") or not all(isinstance(extent, int) for extent in extents):
        return NotImplemented
    wide = borders * len(window) if len(borders) == 1 else borders
    steps = given.get("stride") or window
    steps = steps * len(window) if len(steps) == 1 else steps
    clipped = [min(each, extent + 2 * border) for each, extent, border in zip(window, extents, wide)]
    steps = [step if each == size else size for step, each, size in zip(steps, window, clipped)]
    if clipped == list(window) or max(given.get("dilation") or [1]) > 1:
        return NotImplemented
    return op(image, clipped, **(given | {"stride": steps}))


def convolution(*args):
    """Those in groups that torch-mlir refuses."""
    result = volume_in_groups(*args)
    return transposed_apart(*args) if result is NotImplemented else result


def volume_in_groups(value, filters, bias, stride, padding, dilation, transposed, _output_padding, groups):
    """A convolution of volumes in groups of channels: a sum of convolutions of their layers, which are images."""
    if transposed or groups == 1 or value.dim() != 5:
        return NotImplemented
    torch = package("torch")
    value = torch.nn.functional.pad(value, [0, 0, 0, 0, padding[0], padding[0]])
    batch, channels, depth = value.shape[:3]
    count = (depth - dilation[0] * (filters.shape[2] - 1) - 1) // stride[0] + 1
    total = None
    for layer in range(filters.shape[2]):
        begin = layer * dilation[0]
        images = value[:, :, begin:begin + (count - 1) * stride[0] + 1:stride[0]].transpose(1, 2)
        images = images.reshape(batch * count, channels, *value.shape[3:])
        part = torch.ops.aten.convolution(images, filters[:, :, layer], None if layer else bias, stride[1:], padding[1:],
                                          dilation[1:], False, [0, 0], groups)
        total = part if total is None else total + part
    return total.reshape(batch, count, *total.shape[1:]).transpose(1, 2)


def transposed_apart(image, weight, bias, steps, padding, dilation, transposed, output_padding, groups):
    """A transposed convolution with one filter for each channel, as a convolution whose channels are the pixels of a block:
    each step makes one block, out of a pixel and its neighbours."""
    if not transposed or groups == 1 or list(weight.shape[:2]) != [groups, 1]:
        return NotImplemented
    torch, dims = package("torch"), range(len(steps))
    weight = dense(weight, dilation)
    kernel = weight.shape[2:]
    taps = [-(-extent // step) for extent, step in zip(kernel, steps)]
    made = torch.ops.aten.convolution(image, filters(weight, steps, taps), None, [1] * len(steps), [tap - 1 for tap in taps],
                                      [1] * len(steps), False, [0] * len(steps), groups)
    made = made.reshape(made.shape[0], groups, *steps, *made.shape[2:])
    made = made.permute(0, 1, *(place for dim in dims for place in (2 + len(steps) + dim, 2 + dim)))
    made = made.reshape(made.shape[0], groups, *(made.shape[2 + 2 * dim] * steps[dim] for dim in dims))
    for dim in dims:
        count = (image.shape[2 + dim] - 1) * steps[dim] - 2 * padding[dim] + kernel[dim] + output_padding[dim]
        lacking = output_padding[dim] - padding[dim] - (taps[dim] * steps[dim] - kernel[dim])
        if lacking > 0:  # no filter reaches these pixels
            made = torch.nn.functional.pad(made, [0, 0] * (len(steps) - 1 - dim) + [0, lacking])
        made = made.narrow(2 + dim, padding[dim], count)
    return made if bias is None else made + bias.reshape(1, groups, *[1] * len(steps))


def dense(weight, dilation):
    """The filters with the zeros that a dilation puts between their elements."""
    for dim, step in enumerate(dilation, start=2):
        if step > 1:
            extent, pads = weight.shape[dim], [0, 0] * (weight.dim() - 1 - dim) + [0, step - 1]
            wide = package("torch").nn.functional.pad(weight.unsqueeze(dim + 1), pads)
            weight = wide.reshape(*weight.shape[:dim], extent * step, *weight.shape[dim + 1:])
            weight = weight.narrow(dim, 0, (extent - 1) * step + 1)
    return weight


def filters(weight, steps, taps):
    """Filters of the convolution: for each pixel of a block those elements that lie whole steps apart, the last first."""
    torch, dims = package("torch"), range(len(steps))
    missing = [tap * step - extent for tap, step, extent in zip(taps, steps, weight.shape[2:])]
    weight = torch.nn.functional.pad(weight, [size for each in reversed(missing) for size in (0, each)])
    weight = weight.reshape(weight.shape[0], *(extent for pair in zip(taps, steps) for extent in pair))
    weight = weight.flip([1 + 2 * dim for dim in dims])
    weight = weight.permute(0, *(2 + 2 * dim for dim in dims), *(1 + 2 * dim for dim in dims))
    return weight.reshape(weight.shape[0] * math.prod(steps), 1, *taps)


def resize(curve, image, size, align_corners, scales_h=None, scales_w=None):
    """Rows and columns are means of what lies under a curve: a product with a matrix for each."""
    rows, columns = (means(curve, image, dim, length, align_corners, scale)
                     for dim, length, scale in ((-2, size[0], scales_h), (-1, size[1], scales_w)))
    return rows @ (image @ columns.transpose(0, 1))


def triangle(distance):
    """How much a pixel at this distance counts, in pixels of the larger image."""
    return (1 - distance).clamp(min=0)


def cubic(distance, a=-0.5):
    """The same for a cubic curve."""
    near = ((a + 2) * distance - (a + 3)) * distance * distance + 1
    far = (((distance - 5) * distance + 8) * distance - 4) * a
    return package("torch").where(distance < 1, near, package("torch").where(distance < 2, far, 0.0))


def means(curve, image, dim, length, align_corners, scale):
    """How much each of the pixels along a dim counts for each of the new ones; these weights have a sum of 1."""
    torch, present = package("torch"), image.shape[dim]
    if align_corners:
        step = (present - 1) / (length - 1) if length > 1 else 0.0
    else:
        step = 1 / scale if scale else present / length
    center = step * (torch.arange(length, dtype=torch.float32).unsqueeze(1) + 0.5)  # with aligned corners, too
    place = torch.arange(present, dtype=torch.float32) + 0.5
    weights = curve(((place - center) / max(step, 1.0)).abs())
    return (weights / weights.sum(1, keepdim=True)).to(image.dtype)
