"""Small networks of PyTorch drawn at random: steps of all kinds, each on results of earlier ones."""
import math
import random

import torch
from torch import nn
from torch.nn import functional

EXTENTS = (1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 24, 32)
LARGEST, MOST_ELEMENTS = 1e4, 60000

UNARY = (torch.relu, torch.sigmoid, torch.tanh, functional.gelu, functional.silu, torch.abs, torch.square, torch.sin,
         torch.erf, functional.elu, functional.softplus, functional.hardswish, functional.mish, torch.floor, torch.cos,
         lambda x: torch.exp(-x.abs()), lambda x: torch.sqrt(x.abs() + 1), lambda x: 1 / (x.abs() + 1),
         lambda x: torch.log1p(x.abs()), lambda x: torch.round(4 * x), lambda x: x.clamp(-0.5, 0.7))
BINARY = (torch.add, torch.sub, torch.mul, torch.maximum, torch.minimum, lambda x, y: x / (y.abs() + 1),
          lambda x, y: torch.where(x > 0, x, y))
HALVES = (lambda x, y: x * torch.sigmoid(y), torch.sub)
REDUCTIONS = (torch.mean, torch.sum, torch.amax, torch.amin, torch.logsumexp)
POOLINGS = {1: (functional.max_pool1d, functional.avg_pool1d), 2: (functional.max_pool2d, functional.avg_pool2d)}
CONVOLUTIONS = {1: (functional.conv1d, functional.conv_transpose1d), 2: (functional.conv2d, functional.conv_transpose2d)}


class RandomNetwork(nn.Module):
    """The network of a seed. `inputs` are its arguments, `steps` what it does, as text."""

    def __init__(self, seed):
        super().__init__()
        self.draw, self.weights = random.Random(seed), nn.ParameterList()
        torch.manual_seed(seed)
        shape = [self.draw.choice((1, 1, 2)), *(self.draw.choice(EXTENTS) for _ in range(self.draw.choice((1, 2, 2, 3, 3))))]
        self.inputs = torch.randn(shape),
        self.functions, self.steps, values = [], [], list(self.inputs)
        for _ in range(1000):
            self.add_step(values)
            if len(self.functions) >= self.draw.randint(3, 10):
                break
        self.results = [len(values) - 1, *(self.draw.randrange(len(values)) for _ in range(self.draw.choice((0, 0, 1, 2))))]

    def add_step(self, values):
        """Draws a step, and keeps it if it works here and gives numbers of a usual size."""
        at = len(values) - 1 if self.draw.random() < 0.7 else self.draw.randrange(len(values))
        kind, count = self.draw.choice(KINDS), len(self.weights)
        try:
            function, *others = kind(self, values[at], values)
            result = function(*(values[each] for each in (at, *others)))
        except (TypeError, ValueError, LookupError, RuntimeError):  # such as a convolution of a scalar
            return
        if not 0 < result.numel() <= MOST_ELEMENTS or not result.isfinite().all() or result.abs().max() > LARGEST:
            return
        self.functions.append((function, (at, *others)))
        self.steps.append(f"{kind.__name__} of {(at, *others)} with {len(self.weights) - count} weights")
        values.append(result)

    def forward(self, *values):
        values = list(values)
        for function, sources in self.functions:
            values.append(function(*(values[each] for each in sources)))
        results = tuple(values[each] for each in self.results)
        return results if len(results) > 1 else results[0]

    def weight(self, *shape):
        """A function that gives a new weight."""
        self.weights.append(nn.Parameter(torch.randn(shape) / 2))
        place = len(self.weights) - 1
        return lambda: self.weights[place]

    def dim(self, x):
        return self.draw.randrange(x.dim())

    def flag(self):
        return self.draw.random() < 0.5

    def divisor(self, number):
        return self.draw.choice([each for each in range(1, number + 1) if number % each == 0])


def unary(net, _x, _values):
    return net.draw.choice(UNARY),


def binary(net, _x, values):
    return net.draw.choice(BINARY), net.draw.randrange(len(values))


def broadcast_weight(net, x, _values):
    weight, function = net.weight(*(each if net.flag() else 1 for each in x.shape)), net.draw.choice(BINARY)
    return lambda x: function(x, weight()),


def reduction(net, x, _values):
    dims, keep = [each for each in range(x.dim()) if net.flag()] or [0], net.flag()
    function = net.draw.choice(REDUCTIONS)
    return lambda x: function(x, dims, keepdim=keep),


def softmax(net, x, _values):
    dim = net.dim(x)
    return lambda x: torch.softmax(x, dim),


def variance(net, x, _values):
    dim, keep = net.dim(x), net.flag()
    return lambda x: x.var(dim, keepdim=keep, unbiased=False),


def greatest(net, x, _values):
    dim, keep = net.dim(x), net.flag()
    return lambda x: torch.argmax(x, dim, keepdim=keep).to(x.dtype),


def layer_norm(net, x, _values):
    shape = x.shape[-net.draw.randint(1, x.dim()):]
    scale, shift = net.weight(*shape), net.weight(*shape)
    return lambda x: functional.layer_norm(x, shape, scale(), shift()),


def group_norm(net, x, _values):
    groups, scale, shift = net.divisor(x.shape[1]), net.weight(x.shape[1]), net.weight(x.shape[1])
    return lambda x: functional.group_norm(x, groups, scale(), shift()),


def view(net, x, _values):
    shape, left = [], x.numel()
    for _ in range(net.draw.randint(0, 3)):
        shape.append(net.divisor(left))
        left //= shape[-1]
    net.draw.shuffle(shape := [*shape, left])
    return lambda x: x.reshape(shape),


def permutation(net, x, _values):
    order = net.draw.sample(range(x.dim()), x.dim())
    return lambda x: x.permute(order),


def concatenation(net, x, values):
    dim = net.dim(x)
    return lambda x, y: torch.cat([x, y], dim), net.draw.randrange(len(values))


def part(net, x, _values):
    dim, step = net.dim(x), net.draw.choice((1, 1, 2))
    begin = net.draw.randrange(x.shape[dim])
    end = net.draw.randint(begin + 1, x.shape[dim])
    return lambda x: x[(slice(None),) * dim + (slice(begin, end, step),)],


def halves(net, x, _values):
    dim, function = net.dim(x), net.draw.choice(HALVES)
    return lambda x: function(*x.chunk(2, dim)),


def rearranged(net, x, _values):
    dim, count = net.dim(x), net.draw.choice((1, 2, -1))
    places = torch.tensor([net.draw.randrange(x.shape[dim]) for _ in range(3)])
    return net.draw.choice((lambda x: x.flip(dim), lambda x: x.roll(count, dim), lambda x: x.index_select(dim, places))),


def gathered(net, x, _values):
    dim = net.dim(x)
    shape = [*x.shape[:dim], net.draw.choice(EXTENTS), *x.shape[dim + 1:]]
    places = torch.tensor([net.draw.randrange(x.shape[dim]) for _ in range(math.prod(shape))]).reshape(shape)
    return lambda x: x.gather(dim, places),


def masked(net, x, _values):
    diagonal, least = net.draw.randint(-2, 2), net.draw.choice((-1.0, 0.0, 0.5))
    return net.draw.choice((lambda x: x.tril(diagonal), lambda x: x.triu(diagonal), lambda x: x.clamp(min=least),
                            lambda x: x.masked_fill(torch.ones(x.shape[-2:]).tril(diagonal) == 0, least))),


def cumulative(net, x, _values):
    dim = net.dim(x)
    return lambda x: x.cumsum(dim),


def repeated(net, x, _values):
    times = [net.draw.choice((1, 1, 2, 3)) for _ in x.shape]
    return lambda x: x.repeat(times),


def unit_dim(net, x, _values):
    dim = net.dim(x)
    return net.draw.choice((lambda x: x.unsqueeze(dim), lambda x: x.squeeze())),


def padded(net, x, _values):
    sizes, mode = [net.draw.randint(0, 2) for _ in range(2 * min(x.dim(), 2))], net.draw.choice(("constant", "replicate"))
    return lambda x: functional.pad(x, sizes, mode),


def linear(net, x, _values):
    outputs = net.draw.choice(EXTENTS)
    weight, bias = net.weight(outputs, x.shape[-1]), net.weight(outputs)
    return lambda x: functional.linear(x, weight(), bias()),


def product(net, _x, values):
    turn = net.flag()
    return lambda x, y: x @ (y.transpose(-1, -2) if turn else y), net.draw.randrange(len(values))


def attention(net, _x, _values):
    causal = net.flag()
    return lambda x: functional.scaled_dot_product_attention(x, x / 2, x + 1, is_causal=causal),


def window_sizes(net, x):
    return [net.draw.choice((1, 2, 3, 3, 5)) for _ in range(x.dim() - 2)], net.draw.choice((1, 1, 2)), net.draw.randint(0, 2)


def convolution(net, x, _values):
    (sizes, stride, padding), groups = window_sizes(net, x), net.draw.choice((1, 1, x.shape[1], net.divisor(x.shape[1])))
    weight = net.weight(groups * net.draw.choice((1, 2, 4)), x.shape[1] // groups, *sizes)
    function, dilation = CONVOLUTIONS[x.dim() - 2][0], net.draw.choice((1, 1, 2))
    return lambda x: function(x, weight(), None, stride, padding, dilation, groups),


def transposed_convolution(net, x, _values):
    sizes, stride, padding = window_sizes(net, x)
    weight, function = net.weight(x.shape[1], net.draw.choice((1, 2, 4)), *sizes), CONVOLUTIONS[x.dim() - 2][1]
    return lambda x: function(x, weight(), None, stride, min(padding, *(each - 1 for each in (*sizes, *sizes)))),


def pooling(net, x, _values):
    function, size, stride = net.draw.choice(POOLINGS[x.dim() - 2]), net.draw.choice((2, 3)), net.draw.choice((1, 2))
    padding = net.draw.choice((0, 1))
    return lambda x: function(x, size, stride, padding),


def resized(net, _x, _values):
    scale, mode = net.draw.choice((2, 0.5, 1.5)), net.draw.choice(("nearest", "bilinear"))
    return lambda x: functional.interpolate(x, scale_factor=scale, mode=mode),


KINDS = (unary, unary, binary, binary, broadcast_weight, reduction, reduction, softmax, variance, greatest, layer_norm,
         group_norm, view, permutation, concatenation, part, halves, rearranged, gathered,
         masked, cumulative, repeated, unit_dim, padded, linear, product, attention, convolution, convolution,
         transposed_convolution, pooling, resized)
