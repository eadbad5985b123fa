"""Sums of floats of 16 bits, computed with 32 bits and rounded once, as PyTorch computes them: torch-mlir rounds after each
addend, and a sum of 8 bits stays where it is once it is 256 times as large as what is added."""
import functools

from .arrays import package


def table():
    """Functions by operators of PyTorch."""
    aten = package("torch").ops.aten
    return {op: functools.partial(widened, op) for op in (
        aten.sum.default, aten.sum.dim_IntList, aten.mean.default, aten.mean.dim, aten.cumsum.default,
        aten.prod.default, aten.prod.dim_int, aten.cumprod.default, aten.linalg_vector_norm.default,
        aten.avg_pool1d.default, aten.avg_pool2d.default, aten.avg_pool3d.default, aten._adaptive_avg_pool3d.default,
        aten.grid_sampler_2d.default)
    } | {aten.rms_norm.default: rms_norm}


def is_narrow(dtype):
    """Whether floats of the type have 16 bits."""
    return dtype in (package("torch").bfloat16, package("torch").float16)


def widened(op, values, *args, dtype=None, **kwargs):
    """The same in f32, rounded at the end, where the result has 16 bits; other types stay."""
    dtype = dtype or values.dtype
    if not is_narrow(dtype):
        return NotImplemented
    wide = [each.float() if package("torch").is_tensor(each) else each for each in args]
    return op(values.to(dtype).float(), *wide, **kwargs).to(dtype)


def rms_norm(values, shape, weight=None, eps=None):
    """Over the last dims. Without an epsilon it is that of the type which it is computed in; torch-mlir would take none."""
    wide = values.float() if is_narrow(values.dtype) else values
    eps = package("torch").finfo(wide.dtype).eps if eps is None else eps
    squares = (wide * wide).mean(list(range(-len(shape), 0)), keepdim=True)
    result = wide * (squares + eps).rsqrt()
    return (result if weight is None else result * weight).to(values.dtype)
