"""Ops that torch-mlir lacks, by others that it has."""
import functools
import math

from . import torch_steps
from .arrays import package

JOINS = {"add": "sum", "multiply": "prod"}  # what scatter and scatter_reduce call them
FEW = 25  # rows up to which PyTorch takes differences for distances, and not a product


def table():
    """Functions by operators of PyTorch."""
    torch = package("torch")
    aten = torch.ops.aten
    return {
        aten.histc.default: histogram, aten._grouped_mm.default: grouped_product,
        aten.searchsorted.Tensor: place_in_order, aten.kthvalue.default: element_in_order, aten.median.dim: median,
        aten._cdist_forward.default: distances, aten.hypot.default: lambda x, y: (x * x + y * y).sqrt(),
        aten.fmod.Tensor: remainder, aten.fmod.Scalar: remainder,
        aten.bitwise_and.Scalar: lambda x, y: x & like(x, y), aten.bitwise_or.Scalar: lambda x, y: x | like(x, y),
        aten.bitwise_xor.Scalar: lambda x, y: x ^ like(x, y), aten._upsample_bilinear2d_aa.default: resize,
        aten.convolution.default: convolution, aten.signbit.default: is_negative, aten.copysign.Tensor: with_sign,
        aten.copysign.Scalar: lambda x, sign: with_sign(x, like(x, sign)),
        aten.fmax.default: functools.partial(extreme_number, torch.maximum),
        aten.fmin.default: functools.partial(extreme_number, torch.minimum),
        aten.cummax.default: functools.partial(running_extreme, torch.maximum),
        aten.cummin.default: functools.partial(running_extreme, torch.minimum),
        aten.median.default: lambda x: median(x.reshape(-1), 0)[0], aten.masked_select.default: select,
        aten.erfc.default: complement_of_erf, aten.isfinite.default: is_finite,
        aten.linalg_norm.ord_str: frobenius_norm, aten._pdist_forward.default: distances_once,
        aten.angle.default: angle,
        aten.scatter.reduce: lambda x, dim, places, new, *, reduce: x.scatter_reduce(dim, places, new, JOINS[reduce]),
        aten.reciprocal.default: reciprocal, aten.scatter.value_reduce: scatter_number, aten.as_strided.default: in_other_layout,
    }


def like(values, number):
    """A number as a tensor of the same type."""
    return package("torch").full([], number, dtype=values.dtype)


def histogram(values, bins=100, low=0, high=0):
    """How many of the values are in each of the bins between two numbers, which are equally wide."""
    if low >= high:  # the values' own bounds
        return NotImplemented
    torch = package("torch")
    values = values.reshape(-1, 1)
    places = ((values - low) * bins / (high - low)).floor().clamp(max=bins - 1)
    is_there = (places == torch.arange(bins, dtype=values.dtype)) & (values >= low) & (values <= high)
    return is_there.to(values.dtype).sum(0)


def grouped_product(left, right, offs=None, bias=None, out_dtype=None):
    """Groups of equally many rows are batches. Others stay (torch_experts.py)."""
    if offs is not None or bias is not None:
        return NotImplemented
    result = package("torch").bmm(left, right)
    return result if out_dtype is None else result.to(out_dtype)


def convolution(*args):
    """Those in groups that torch-mlir refuses."""
    result = volume_in_groups(*args)
    return torch_steps.transposed_apart(*args) if result is NotImplemented else result


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


def place_in_order(ordered, values, *, out_int32=False, right=False, side=None, sorter=None):
    """Where values belong among ordered ones: behind as many as are less, or not greater."""
    torch = package("torch")
    if sorter is not None:
        ordered = ordered.gather(-1, sorter)
    if ordered.dim() == 1:
        ordered = ordered.reshape([1] * values.dim() + [-1])
    else:
        ordered = ordered.unsqueeze(-2)
    values = values.unsqueeze(-1)
    is_before = ordered <= values if right or side == "right" else ordered < values
    return is_before.sum(-1).to(torch.int32 if out_int32 else torch.int64)


def element_in_order(values, k, dim=-1, keepdim=False):
    """The element that so many others are not greater than, and its place."""
    found = [each.narrow(dim, k - 1, 1) for each in values.sort(dim)]
    return tuple(found if keepdim else (each.squeeze(dim) for each in found))


def median(values, dim, keepdim=False):
    """The lower one of both in the middle; NaN where there is one."""
    middle, place = element_in_order(values, (values.shape[dim] + 1) // 2, dim, keepdim)
    if values.is_floating_point():
        middle = package("torch").where(values.isnan().any(dim, keepdim), float("nan"), middle)
    return middle, place


def distances(left, right, p, mode):
    """From each row to each other row; by a product where PyTorch does it so."""
    many = left.shape[-2] > FEW or right.shape[-2] > FEW
    if p != 2 or mode == 2 or (mode in (None, 0) and not many):
        apart = (left.unsqueeze(-2) - right.unsqueeze(-3)).abs()
        return apart.amax(-1) if p == float("inf") else apart.sum(-1) if p == 1 else (apart ** p).sum(-1) ** (1 / p)
    squares = (left * left).sum(-1, keepdim=True) + (right * right).sum(-1).unsqueeze(-2)
    return (squares - 2 * (left @ right.transpose(-1, -2))).clamp(min=0).sqrt()


def distances_once(values, p=2):
    """From each row to each row behind it."""
    count = values.shape[0]
    first, second = package("torch").triu_indices(count, count, 1)
    apart = (values.index_select(0, first) - values.index_select(0, second)).abs()
    return apart.amax(-1) if p == float("inf") else (apart ** p).sum(-1) ** (1 / p)


def frobenius_norm(values, order, dim=None, keepdim=False, *, dtype=None):
    """The root of the sum of squares; other norms with names need singular values."""
    if order != "fro":
        return NotImplemented
    return package("torch").linalg.vector_norm(values, 2, dim or [-2, -1], keepdim, dtype=dtype)


def scatter_number(values, dim, places, number, *, reduce):
    """The same number at all places."""
    new = package("torch").full_like(places, number, dtype=values.dtype)
    return values.scatter_reduce(dim, places, new, JOINS[reduce])


def in_other_layout(values, size, stride, offset=None):
    """The same elements with other strides of dims that have one, as pooled images of any batch get them."""
    if len(size) != values.dim() or offset not in (None, 0):
        return NotImplemented
    dims = zip(size, values.shape, stride, values.stride())
    is_same = all(extent == own and (own == 1 or step == present) for extent, own, step, present in dims)
    return values.view(size) if is_same else NotImplemented


def remainder(values, divisor):
    """What is left of a division; with the sign of what is divided."""
    torch = package("torch")
    size = abs(divisor) if isinstance(divisor, (int, float)) else divisor.abs()
    left = torch.remainder(values.abs(), size)
    return torch.where(values < 0, -left, left)


def is_negative(values):
    """Whether the sign is set, also that of zeros."""
    if not values.is_floating_point():
        return values < 0
    return (values < 0) | ((values == 0) & (1 / values < 0))


def is_finite(values):
    """Neither infinite nor NaN."""
    if values.is_complex():
        return NotImplemented
    if not values.is_floating_point():
        return package("torch").ones_like(values, dtype=package("torch").bool)
    return values.abs() < float("inf")


def reciprocal(values):
    """Infinite of zeros, for which torch-mlir would end the program."""
    if values.is_complex():
        return NotImplemented
    return package("torch").ones([], dtype=values.dtype if values.is_floating_point() else None) / values


def angle(values):
    """A half turn for numbers below zero."""
    return NotImplemented if values.is_complex() else package("torch").where(values < 0, math.pi, values * 0)


def with_sign(values, signs):
    """Magnitudes with the signs of another tensor."""
    size = values.abs()
    return package("torch").where(is_negative(signs), -size, size)


def extreme_number(join, x, y):
    """The extreme one of two numbers, or the one that is a number."""
    torch = package("torch")
    x, y = torch.broadcast_tensors(x, y)
    if not x.is_floating_point():
        return join(x, y)
    return torch.where(x.isnan(), y, torch.where(y.isnan(), x, join(x, y)))


def running_extreme(join, values, dim):
    """The greatest or the least element so far along a dim, and its last place; in steps that double what is joined."""
    torch = package("torch")
    if values.dim() == 0:
        return values.clone(), torch.zeros_like(values, dtype=torch.int64)
    dim %= values.dim()

    def run(join, found):
        count, step = found.shape[dim], 1
        while step < count:
            moved = torch.cat([found.narrow(dim, 0, step), found.narrow(dim, 0, count - step)], dim)
            found, step = join(found, moved), 2 * step
        return found

    extreme = run(join, values)
    shape = [-1 if each == dim else 1 for each in range(values.dim())]
    places = torch.arange(values.shape[dim]).reshape(shape)
    is_new = (values == extreme) | (values.isnan() if values.is_floating_point() else False)
    return extreme, run(torch.maximum, torch.where(is_new, places, 0))


def select(values, mask):
    """The elements whose flags are set."""
    values, mask = package("torch").broadcast_tensors(values, mask)
    return values.reshape(-1).index_select(0, mask.reshape(-1).nonzero().squeeze(1))


def complement_of_erf(values):
    """1 - erf, without a loss of digits where it is small (Press et al., Numerical Recipes, 6.2: 1.2e-7 of the result)."""
    torch = package("torch")
    if values.dtype == torch.float64:
        return NotImplemented
    size = values.float().abs()
    near = 1 / (1 + 0.5 * size)
    total = torch.zeros_like(size)
    for factor in (0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418, 0.37409196,
                   1.00002368, -1.26551223):
        total = total * near + factor
    found = near * torch.exp(total - size * size)
    return torch.where(values < 0, 2 - found, found).to(values.dtype)


def resize(image, size, align_corners, scales_h=None, scales_w=None):
    """Rows and columns are means of what lies under a triangle: a product with a matrix for each."""
    rows, columns = (triangles(image, dim, length, align_corners, scale)
                     for dim, length, scale in ((-2, size[0], scales_h), (-1, size[1], scales_w)))
    return rows @ (image @ columns.transpose(0, 1))


def triangles(image, dim, length, align_corners, scale):
    """How much each of the pixels along a dim counts for each of the new ones; these weights have a sum of 1."""
    torch, present = package("torch"), image.shape[dim]
    if align_corners:
        step = (present - 1) / (length - 1) if length > 1 else 0.0
    else:
        step = 1 / scale if scale else present / length
    center = step * (torch.arange(length, dtype=torch.float32).unsqueeze(1) + 0.5)  # with aligned corners, too
    place = torch.arange(present, dtype=torch.float32) + 0.5
    weights = (1 - ((place - center) / max(step, 1.0)).abs()).clamp(min=0)
    return (weights / weights.sum(1, keepdim=True)).to(image.dtype)
