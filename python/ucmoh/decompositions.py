"""What is taken apart before torch-mlir sees a graph: its own list, with changes that make faster or more programs."""
import functools

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
    known[aten.var.correction] = lambda *args, **kwargs: var_mean(*args, **kwargs)[0]
    # torch-mlir would read and write outside of tensors.
    known[aten.constant_pad_nd.default] = pad
    return known


def pad(values, sizes, value=0):
    """Negative sizes are cut off before the others are added."""
    if min(sizes) >= 0:
        return NotImplemented
    for dim, (before, after) in enumerate(zip(sizes[::2], sizes[1::2]), start=1):
        begin = max(-before, 0)
        values = values.narrow(-dim, begin, values.shape[-dim] - begin + min(after, 0))
    return package("torch").ops.aten.constant_pad_nd(values, [max(size, 0) for size in sizes], value)


def var_mean(values, dim=None, *, correction=None, keepdim=False):
    """Variance and mean in the type of the values."""
    dims = list(range(values.dim())) if dim is None else dim
    count = 1
    for each in dims:
        count *= values.shape[each]
    mean = values.mean(dims, keepdim=True)
    centered = values - mean
    freedom = max(count - (1 if correction is None else correction), 0)
    variance = (centered * centered).sum(dims, keepdim=keepdim) / freedom
    return variance, mean if keepdim else mean.squeeze(dims)
