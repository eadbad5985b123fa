"""Lists what is taken apart before torch-mlir sees a graph: its own list, with changes that make faster or more
programs."""
import functools
import math

from . import torch_bags, torch_convolutions, torch_numbers, torch_orders, torch_products, torch_recurrent, torch_sums
from .arrays import package


@functools.cache
def table():
    """Functions by operators of PyTorch."""
    torch = package("torch")
    aten = torch.ops.aten
    known = dict(package("torch_mlir.extras.fx_decomp_util").get_decomposition_table())
    # torch-mlir has an op with a bias; attention waits until masks are known.
    for op in (aten.addmm.default, aten.scaled_dot_product_attention.default):
        known.pop(op, None)
    # torch-mlir would take a maximum with its index.
    known |= package("torch._decomp").get_decompositions([aten._softmax.default])
    # torch-mlir would compute variances in f64.
    known[aten.var_mean.correction] = var_mean
    known[aten.native_group_norm.default] = group_norm
    # torch-mlir would look for places of extremes element by element.
    known[aten.max.dim] = functools.partial(extreme, aten.amax.default)
    known[aten.min.dim] = functools.partial(extreme, aten.amin.default)
    # torch-mlir would refuse extremes of a scalar.
    known |= {op: extreme_of_scalar for op in (aten.amax.default, aten.amin.default)}
    known[aten.argmax.default] = functools.partial(place_of_extreme, aten.amax.default)
    known[aten.argmin.default] = functools.partial(place_of_extreme, aten.amin.default)
    known[aten.var.correction] = lambda *args, **kwargs: var_mean(*args, **kwargs)[0]
    # torch-mlir would read and write outside of tensors.
    known[aten.constant_pad_nd.default] = pad
    # torch-mlir has another factor, which is wrong in the fourth digit.
    known[aten.gelu.default] = gelu
    # torch-mlir would mix up open extents.
    known[aten.matmul.default] = product
    # torch-mlir would crash at dims that are counted from the end.
    known |= {op: functools.partial(from_the_front, op) for op in (
        aten.scatter.value, aten.scatter.src, aten.scatter_add.default, aten.scatter_reduce.two)}
    for part in (torch_bags, torch_convolutions, torch_numbers, torch_orders, torch_products):
        known |= part.table()
    sums = {op: before(function, known.get(op)) for op, function in torch_sums.table().items()}
    return known | sums | torch_recurrent.table(known)


def before(first, second):
    """Two functions of an op, the second one for what the first one leaves; it may be None."""
    def function(*args, **kwargs):
        result = first(*args, **kwargs)
        return second(*args, **kwargs) if result is NotImplemented and second else result

    return function


def gelu(x, approximate="none"):
    """By tanh, in f32 at least, as PyTorch does it."""
    if approximate != "tanh":
        return NotImplemented
    torch = package("torch")
    wide = x if x.dtype == torch.float64 else x.float()
    inner = math.sqrt(2 / math.pi) * (wide + 0.044715 * wide * wide * wide)
    return (0.5 * wide * (1 + torch.tanh(inner))).to(x.dtype)


def product(left, right):
    """Batches of open extents are repeated where the other operand has more of them."""
    torch = package("torch")
    batches = [each.shape[:-2] for each in (left, right)]
    if min(left.dim(), right.dim()) < 3 or batches[0] == batches[1] or all(isinstance(each, int) for each in sum(batches, ())):
        return NotImplemented
    batch = torch.broadcast_shapes(*batches)
    return left.expand(*batch, *left.shape[-2:]) @ right.expand(*batch, *right.shape[-2:])


def from_the_front(op, values, dim, *args, **kwargs):
    """The same op with another number for the dim."""
    return NotImplemented if dim >= 0 else op(values, dim + values.dim(), *args, **kwargs)


def pad(values, sizes, value=0):
    """Negative sizes are cut off before the others are added."""
    if min(sizes) >= 0:
        return NotImplemented
    for dim, (before, after) in enumerate(zip(sizes[::2], sizes[1::2]), start=1):
        begin = max(-before, 0)
        values = values.narrow(-dim, begin, values.shape[-dim] - begin + min(after, 0))
    return package("torch").ops.aten.constant_pad_nd(values, [max(size, 0) for size in sizes], value)


def var_mean(values, dim=None, *, correction=None, keepdim=False):
    """Variance and mean in the type of the values, and in f32 of narrow ones."""
    if torch_sums.is_narrow(values.dtype):
        found = var_mean(values.float(), dim, correction=correction, keepdim=keepdim)
        return tuple(each.to(values.dtype) for each in found)
    dims = list(range(values.dim())) if dim is None else dim
    count = 1
    for each in dims:
        count *= values.shape[each]
    mean = values.mean(dims, keepdim=True)
    centered = values - mean
    freedom = max(count - (1 if correction is None else correction), 0)
    variance = (centered * centered).sum(dims, keepdim=keepdim) / freedom
    return variance, mean if keepdim else mean.squeeze(dims)


def extreme_of_scalar(x, *_args):
    """The scalar itself; the op stays for all other tensors."""
    return NotImplemented if x.dim() else x.clone()


def extreme(reduce, values, dim, keepdim=False):
    """The greatest or the least element along a dim, and the first place where it is."""
    if values.dim() == 0:
        return values.clone(), package("torch").zeros_like(values, dtype=package("torch").int64)
    most = reduce(values, [dim], True)
    places = first_place(values, most, dim)
    return (most, places) if keepdim else (most.squeeze(dim), places.squeeze(dim))


def place_of_extreme(reduce, values, dim=None, keepdim=False):
    """The first place where the extreme element is; among all elements where no dim is given."""
    if dim is None:
        return place_of_extreme(reduce, values.reshape(-1), 0)
    places = first_place(values, reduce(values, [dim], True), dim)
    return places if keepdim else places.squeeze(dim)


def first_place(values, most, dim):
    """Where a value stands first along a dim."""
    torch = package("torch")
    count, rank = values.shape[dim], values.dim()
    places = torch.arange(count, dtype=torch.int32).view([-1, *[1] * (rank - 1 - dim % rank)])
    return torch.where(values == most, places, count - 1).amin([dim], True).to(torch.int64)


def group_norm(values, weight, bias, batch, channels, _pixels, groups, epsilon):
    """Statistics of pixels are taken for each channel, and then for each group: images stay images, in any layout."""
    if torch_sums.is_narrow(values.dtype):
        wide = [None if each is None else each.float() for each in (values, weight, bias)]
        return tuple(each.to(values.dtype) for each in group_norm(*wide, batch, channels, _pixels, groups, epsilon))
    shape = [1, channels, *[1] * (values.dim() - 2)]

    def mean_of_group(value):
        means = value.reshape(batch, groups, channels // groups).mean(2, keepdim=True)
        return means, means.expand(-1, -1, channels // groups).reshape(batch, *shape[1:])

    def mean_of_pixels(value):
        return value.mean(list(range(2, values.dim()))) if values.dim() > 2 else value

    mean, wide = mean_of_group(mean_of_pixels(values))
    centered = values - wide
    variance, _ = mean_of_group(mean_of_pixels(centered * centered))
    inverse = (variance + epsilon).rsqrt()
    factor = inverse.expand(-1, -1, channels // groups).reshape(batch, *shape[1:])
    result = centered * (factor if weight is None else factor * weight.reshape(shape))
    return result if bias is None else result + bias.reshape(shape), mean.squeeze(2), inverse.squeeze(2)
