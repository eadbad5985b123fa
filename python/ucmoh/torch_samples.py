"""Elements of images at computed places between their pixels, as rows of all channels that are looked up: samples by a grid,
deformable convolutions, and regions of images of equal size."""
import functools
import itertools
import math

from .arrays import package
from .errors import CompileError

NEAREST, REFLECTION = 1, 2  # PyTorch's numbers of modes


def table():
    """Functions by operators, those of torchvision if a program uses it."""
    torch = package("torch")
    functions = {torch.ops.aten.grid_sampler_3d.default: grid_sample}
    if hasattr(torch.ops.torchvision, "deform_conv2d"):
        functions[torch.ops.torchvision.deform_conv2d.default] = deformable_convolution
        functions[torch.ops.torchvision.roi_align.default] = regions
    return functions


def sample(image, places, images, is_nearest=False):
    """Looks up elements of `image`, batch x channels x extents, at `places`, a tensor for each extent, of the images whose
    numbers `images` has. Outside there are zeros. The result has the channels behind the dims of the places."""
    torch, (batch, channels, *extents) = package("torch"), image.shape
    rows = image.flatten(2).transpose(1, 2).reshape(batch * math.prod(extents), channels)
    total = None
    for corner in itertools.product(*(taps(place, extent, is_nearest) for place, extent in zip(places, extents))):
        index = functools.reduce(lambda index, tap: index * tap[1] + tap[0], zip([tap for tap, _ in corner], extents), images)
        shares = functools.reduce(torch.mul, [share for _, share in corner])
        found = rows.index_select(0, index.reshape(-1)).reshape(*shares.shape, channels) * shares.unsqueeze(-1)
        total = found if total is None else total + found
    return total


def taps(place, extent, is_nearest):
    """Elements along a dim, each with its share."""
    torch = package("torch")
    low = place.round() if is_nearest else place.floor()
    found = [(low, torch.ones_like(place))] if is_nearest else [(low, low + 1 - place), (low + 1, place - low)]
    inside = lambda tap, share: torch.where((tap >= 0) & (tap <= extent - 1), share, 0.0)
    return [(tap.clamp(0, extent - 1).to(torch.int64), inside(tap, share)) for tap, share in found]


def grid_sample(image, grid, mode, padding, align_corners):
    """The last dim of `grid` has a place along each dim of the image, the innermost one first; from -1 to 1."""
    if mode > NEAREST:
        raise CompileError("grid_sample of volumes has no mode bicubic: use bilinear or nearest")
    edge, extents = 0.0 if align_corners else 0.5, image.shape[2:]
    places = []
    for dim, extent in enumerate(extents):
        half = extent / 2 - 0.5 + edge  # from the middle of the image to where 1 is
        place = (grid[..., len(extents) - 1 - dim] + 1) * half - edge
        if padding == REFLECTION:
            distance = (place + edge).abs()
            distance = distance - (distance / max(4 * half, 1e-30)).floor() * (4 * half)
            place = package("torch").minimum(distance, 4 * half - distance) - edge
        places.append(place.clamp(0, extent - 1) if padding else place)
    images = package("torch").arange(image.shape[0]).reshape(-1, *[1] * len(extents))
    return sample(image, places, images, mode == NEAREST).movedim(-1, 1)


def deformable_convolution(image, weight, offset, mask, bias, step_h, step_w, pad_h, pad_w, dilation_h, dilation_w,
                           groups, offset_groups, use_mask):
    """A product of weights and of elements that lie where the kernel's taps and their offsets say."""
    (results, inner, high, wide), (rows, columns), batch = weight.shape, offset.shape[2:], image.shape[0]
    steps = (step_h, pad_h, dilation_h), (step_w, pad_w, dilation_w)
    found = elements(image, (high, wide), steps, offset, offset_groups, mask if use_mask else None)
    found = found.reshape(batch * rows * columns, high * wide, groups, inner)
    found = found.permute(2, 0, 1, 3).reshape(groups, -1, high * wide * inner)
    weight = weight.reshape(groups, results // groups, inner, high * wide).permute(0, 3, 2, 1)
    product = found @ weight.reshape(groups, high * wide * inner, results // groups)
    product = product.reshape(groups, batch, rows * columns, results // groups).permute(1, 0, 3, 2)
    return product.reshape(batch, results, rows, columns) + bias.reshape(results, 1, 1)


def elements(image, kernel, steps, offset, offset_groups, mask):
    """All channels for each element of the result and each tap. Groups of channels have offsets of their own."""
    torch, (batch, channels), (rows, columns), (high, wide) = package("torch"), image.shape[:2], offset.shape[2:], kernel
    (step_h, pad_h, dilation_h), (step_w, pad_w, dilation_w) = steps
    taps_h = torch.arange(rows).reshape(rows, 1, 1, 1) * step_h - pad_h + torch.arange(high).reshape(high, 1) * dilation_h
    taps_w = torch.arange(columns).reshape(columns, 1, 1) * step_w - pad_w + torch.arange(wide) * dilation_w
    offset = offset.reshape(batch, offset_groups, high, wide, 2, rows, columns).permute(4, 1, 0, 5, 6, 2, 3)
    images, found, width = torch.arange(batch).reshape(batch, 1, 1, 1, 1), [], channels // offset_groups
    for group in range(offset_groups):
        places = offset[0, group] + taps_h, offset[1, group] + taps_w
        found.append(sample(image.narrow(1, group * width, width), places, images))
        if mask is not None:
            shares = mask.reshape(batch, offset_groups, high, wide, rows, columns)[:, group].permute(0, 3, 4, 1, 2)
            found[-1] = found[-1] * shares.unsqueeze(-1)
    return torch.cat(found, -1)


def regions(image, boxes, scale, rows, columns, ratio, aligned):
    """The mean of `ratio` x `ratio` samples in each of rows x columns parts of a box. A box is the number of its image, and
    the places of its first and its last corner."""
    if ratio <= 0:
        raise CompileError("roi_align takes more samples of larger boxes here: give it a sampling_ratio")
    torch = package("torch")
    corners = boxes[:, 1:] * scale - (0.5 if aligned else 0.0)
    places = []
    for at, (count, extent) in enumerate(((rows, image.shape[2]), (columns, image.shape[3]))):
        begin, size = corners[:, 1 - at], corners[:, 3 - at] - corners[:, 1 - at]
        size = size if aligned else size.clamp(min=1.0)
        parts = (torch.arange(count * ratio, dtype=boxes.dtype) + 0.5) / ratio
        place = begin.unsqueeze(1) + parts * (size / count).unsqueeze(1)
        place = place.unsqueeze(1 + (1 - at))  # boxes x rows x columns
        is_inside = (place >= -1) & (place <= extent)
        places.append((place.clamp(0, extent - 1), is_inside))
    (high, inside_h), (wide, inside_w) = places
    found = sample(image, torch.broadcast_tensors(high, wide), boxes[:, 0].to(torch.int64).reshape(-1, 1, 1))
    found = found * (inside_h & inside_w).unsqueeze(-1).to(found.dtype)
    found = found.reshape(boxes.shape[0], rows, ratio, columns, ratio, image.shape[1]).mean([2, 4])
    return found.permute(0, 3, 1, 2)
