"""Elements by their order or their place, where torch-mlir lacks the operator."""
import functools

from .arrays import package

JOINS = {"add": "sum", "multiply": "prod"}  # what scatter and scatter_reduce call them


def table():
    """Functions by operators of PyTorch."""
    torch = package("torch")
    aten = torch.ops.aten
    return {
        aten.histc.default: histogram, aten.searchsorted.Tensor: place_in_order,
        aten.kthvalue.default: element_in_order, aten.median.dim: median,
        aten.median.default: lambda x: median(x.reshape(-1), 0)[0],
        aten.cummax.default: functools.partial(running_extreme, torch.maximum),
        aten.cummin.default: functools.partial(running_extreme, torch.minimum),
        aten.logcumsumexp.default: running_logsumexp, aten.masked_select.default: select,
        aten.scatter.value_reduce: scatter_number,
        aten.scatter.reduce: lambda x, dim, places, new, *, reduce: x.scatter_reduce(dim, places, new, JOINS[reduce]),
        aten.as_strided.default: in_other_layout, aten.sort.stable: sort, aten.topk.default: in_order,
        aten.index_reduce.default: reduce_slices,
        aten.fft_fftshift.default: lambda x, dim=None: turn(x, dim, lambda extent: extent // 2),
        aten.fft_ifftshift.default: lambda x, dim=None: turn(x, dim, lambda extent: -(extent // 2)),
    }


def histogram(values, bins=100, low=0, high=0):
    """How many of the values are in each of the bins between two numbers, which are equally wide."""
    if low >= high:  # the values' own bounds
        return NotImplemented
    torch = package("torch")
    values = values.reshape(-1, 1)
    places = ((values - low) * bins / (high - low)).floor().clamp(max=bins - 1)
    is_there = (places == torch.arange(bins, dtype=values.dtype)) & (values >= low) & (values <= high)
    return is_there.to(values.dtype).sum(0)


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


def reduce_slices(values, dim, places, new, reduce, *, include_self=True):
    """Slices of a dim that are joined with new ones."""
    shape = [1] * new.dim()
    shape[dim] = -1
    return values.scatter_reduce(dim, places.reshape(shape).expand_as(new), new, reduce, include_self=include_self)


def sort(values, *, stable=None, dim=-1, descending=False):  # noqa: ARG001
    """All sorts keep equal elements in their order (loops.py)."""
    return package("torch").ops.aten.sort.default(values, dim, descending)


def turn(values, dim, steps):
    """Elements move along dims, all by default, so many steps around."""
    dims = list(range(values.dim())) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    return values.roll([steps(values.shape[each]) for each in dims], dims)


def in_order(values, k, dim=-1, largest=True, sorted=True):
    """The greatest or least elements are in order, also where any order would do."""
    return NotImplemented if sorted else values.topk(k, dim, largest)


def element_in_order(values, k, dim=-1, keepdim=False):
    """The element that so many others are not greater than, and its place."""
    if values.dim() == 0:
        return values.clone(), package("torch").zeros_like(values, dtype=package("torch").int64)
    found = [each.narrow(dim, k - 1, 1) for each in values.sort(dim)]
    return tuple(found if keepdim else (each.squeeze(dim) for each in found))


def median(values, dim, keepdim=False):
    """The lower one of both in the middle; NaN where there is one."""
    middle, place = element_in_order(values, (values.shape[dim] + 1) // 2, dim, keepdim)
    if values.is_floating_point():
        middle = package("torch").where(values.isnan().any(dim, keepdim), float("nan"), middle)
    return middle, place


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


def running_logsumexp(values, dim):
    """The logarithm of the sum of powers so far, whose powers need not be numbers; in steps that double what is added."""
    torch, found, step = package("torch"), values, 1
    while values.dim() and step < values.shape[dim]:
        nothing = torch.full_like(found.narrow(dim, 0, step), float("-inf"))
        before = torch.cat([nothing, found.narrow(dim, 0, found.shape[dim] - step)], dim)
        found, step = torch.where(before == float("-inf"), found, torch.logaddexp(found, before)), 2 * step
    return found.clone()


def select(values, mask):
    """The elements whose flags are set."""
    values, mask = package("torch").broadcast_tensors(values, mask)
    return values.reshape(-1).index_select(0, mask.reshape(-1).nonzero().squeeze(1))


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
