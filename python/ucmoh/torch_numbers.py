"""Functions of single numbers that torch-mlir lacks, by others that it has."""
import functools
import math

from .arrays import package


def table():
    """Functions by operators of PyTorch."""
    torch = package("torch")
    aten = torch.ops.aten
    return {
        aten.hypot.default: lambda x, y: (x * x + y * y).sqrt(), aten.erfc.default: complement_of_erf,
        aten.fmod.Tensor: remainder, aten.fmod.Scalar: remainder, aten.reciprocal.default: reciprocal,
        aten.bitwise_and.Scalar: lambda x, y: x & like(x, y), aten.bitwise_or.Scalar: lambda x, y: x | like(x, y),
        aten.bitwise_xor.Scalar: lambda x, y: x ^ like(x, y), aten.angle.default: angle,
        aten.signbit.default: is_negative, aten.isfinite.default: is_finite, aten.copysign.Tensor: with_sign,
        aten.copysign.Scalar: lambda x, sign: with_sign(x, like(x, sign)),
        aten.fmax.default: functools.partial(extreme_number, torch.maximum),
        aten.fmin.default: functools.partial(extreme_number, torch.minimum),
    }


def like(values, number):
    """A number as a tensor of the same type."""
    return package("torch").full([], number, dtype=values.dtype)


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
