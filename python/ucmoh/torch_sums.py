"""Operators on floats of 16 bits that PyTorch computes with 32 bits and rounds once, and torch-mlir rounds after each step. Plain
sums and means are left to the compiler, which computes them so in any program."""
import functools

from .arrays import package


def table():
    """Functions by operators of PyTorch."""
    aten = package("torch").ops.aten
    return {op: functools.partial(widened, op) for op in (
        aten.cumsum.default, aten.cumprod.default, aten.linalg_vector_norm.default, aten._adaptive_avg_pool3d.default,
        aten.grid_sampler_2d.default)} | {aten.rms_norm.default: rms_norm}


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
