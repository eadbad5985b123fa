"""Takes ops of PyTorch's quantization apart (torch.ops.quantized_decomposed) that torch-mlir has no form for, or whose zero
points it would lose sight of.

Each function has the operands of its op: integers or floats, scales (f32 or f64) and zero points (integers) as tensors,
of one element or one for each channel or token, and the least and the greatest integer. A scale is rounded to f32 before
it is used.
"""
import operator

from .arrays import package


def table():
    """Functions by ops, of those that are registered: they are once a model has been quantized."""
    ops = package("torch").ops.quantized_decomposed
    known = {"quantize_per_tensor.tensor": quantize, "dequantize_per_tensor.tensor": dequantize,
             "quantize_per_token.default": quantize_tokens, "dequantize_per_token.default": dequantize_tokens,
             "dequantize_per_channel.default": dequantize_channels, "choose_qparams.tensor": choose,
             "choose_qparams_symmetric.tensor": choose_symmetric, "choose_qparams_per_token.default": choose_of_tokens,
             "choose_qparams_per_token_asymmetric.default": choose_of_asymmetric_tokens,
             "convert_element_type.no_fuse": convert}
    return {operator.attrgetter(name)(ops): function for name, function in known.items()
            if hasattr(ops, name.partition(".")[0])}


def as_floats(scales):
    """Scales in f32; that of a tensor without dims, so that it broadcasts to any."""
    scales = scales.to(package("torch").float32)
    return scales.reshape([]) if scales.numel() == 1 else scales


def as_zeros(zero_points):
    """Zero points in 32 bits; that of a tensor without dims."""
    zero_points = zero_points.to(package("torch").int32)
    return zero_points.reshape([]) if zero_points.numel() == 1 else zero_points


def quantize(values, scales, zero_points, low, high, dtype):
    """Rounds to even."""
    rounded = package("torch").round(values * (1 / as_floats(scales))) + as_zeros(zero_points)
    return rounded.clamp(low, high).to(dtype)


def quantize_tokens(values, scales, zero_points, low, high, dtype):
    """The zero point is added before numbers are rounded."""
    return (values * (1 / as_floats(scales)) + zero_points).round().clamp(low, high).to(dtype)


def dequantize(integers, scales, zero_points, _low=None, _high=None, _dtype=None, *, out_dtype=None):
    """(integer - zero point) * scale."""
    torch = package("torch")
    numbers = (integers.to(torch.int32) - as_zeros(zero_points)).to(torch.float32)
    return (numbers * as_floats(scales)).to(out_dtype or torch.float32)


def dequantize_tokens(integers, scales, zero_points, _low, _high, _dtype, out_dtype):
    return dequantize(integers, scales, zero_points, out_dtype=out_dtype)


def dequantize_channels(integers, scales, zero_points, axis, *_, out_dtype=None):
    """Zero points are floats here: where all are 0, nothing is left of them, and kernels read the bytes."""
    torch = package("torch")
    shape = [1] * integers.dim()
    shape[axis] = -1
    numbers = integers.to(torch.float32)
    if zero_points is not None:
        numbers = numbers - zero_points.to(torch.float32).reshape(shape)
    return (numbers * scales.to(torch.float32).reshape(shape)).to(out_dtype or torch.float32)


def choose(values, low, high, epsilon, _dtype):
    """The scale and the zero point with which 0 and both bounds of a tensor are in range."""
    torch = package("torch")
    least, greatest = values.amin().clamp(max=0), values.amax().clamp(min=0)
    scale = ((greatest - least) / float(high - low)).clamp(min=epsilon)
    zero_point = (low - torch.round(least / scale)).clamp(low, high)
    return scale.to(torch.float64).reshape(1), zero_point.to(torch.int64).reshape(1)


def choose_symmetric(values, low, high, epsilon, dtype):
    """The scale with which the largest magnitude of a tensor is in range, and the zero point in the middle."""
    torch = package("torch")
    scale = (values.abs().amax() / (float(high - low) / 2)).clamp(min=epsilon)
    middle = 128 if dtype == torch.uint8 else 0
    return scale.to(torch.float64).reshape(1), torch.full([1], middle, dtype=torch.int64)


def choose_of_tokens(values, _dtype):
    """A scale for each token; zero points are 0. For 8 bits with a sign."""
    torch = package("torch")
    scales = values.abs().amax(-1, keepdim=True).to(torch.float32).clamp(min=1e-5) / 127
    return scales, torch.zeros_like(scales)


def choose_of_asymmetric_tokens(values, _dtype):
    """A scale and a zero point for each token, for 8 bits with a sign. One bound is met exactly, whichever is nearer to the
    end of the integers."""
    torch = package("torch")
    low, high = -128, 127
    least = values.amin(-1, keepdim=True).clamp(max=0)
    greatest = values.amax(-1, keepdim=True).clamp(min=0)
    scales = ((greatest - least) / float(high - low)).clamp(min=torch.finfo(torch.float32).eps)
    from_least, from_greatest = low - least / scales, high - greatest / scales
    is_first = (low + least / scales) + (high + greatest / scales) > 0
    zero_points = torch.where(is_first, from_least, from_greatest).clamp(low, high).round()
    return scales.to(torch.float64), zero_points.to(torch.int64)


def convert(values, dtype):
    return values.to(dtype)
