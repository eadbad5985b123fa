"""Transposed convolutions whose channels do not meet, which torch-mlir refuses, as convolutions whose channels are the
pixels of a block: each step makes one block, out of a pixel and its neighbours."""
import math

from .arrays import package


def transposed_apart(image, weight, bias, steps, padding, dilation, transposed, output_padding, groups):
    """A transposed convolution with one filter for each channel."""
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
