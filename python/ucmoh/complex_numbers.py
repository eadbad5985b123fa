"""Complex numbers in a graph of PyTorch, as two tensors of real numbers each: torch-mlir has no others.

Rotary embeddings multiply by complex numbers, and spectra have them. A Fourier transform is a product with a constant
matrix, or two of them (fourier.py).
"""
from . import constants, fourier
from .arrays import package
from .errors import CompileError

#: These give each of both parts what they give a real tensor.
ON_PARTS = {f"aten.{name}" for name in (
    "view.default", "_unsafe_view.default", "reshape.default", "unsqueeze.default", "squeeze.default", "squeeze.dim",
    "squeeze.dims", "expand.default", "permute.default", "transpose.int", "t.default", "slice.Tensor", "select.int",
    "clone.default", "alias.default", "detach.default", "contiguous.default", "roll.default", "flip.default",
    "index_select.default", "index.Tensor", "cat.default", "sum.dim_IntList", "sum.default", "mean.dim", "mean.default",
    "neg.default", "repeat.default", "lift_fresh_copy.default", "copy.default", "slice_scatter.default",
    "select_scatter.default")}
SAME = ("aten.resolve_conj.default", "aten.resolve_neg.default")


def expand(graph_module, weights):
    """Rewrites a graph in place. Arguments and results of a model have to be real."""
    if any(is_complex(node) for node in graph_module.graph.nodes):
        Rewriting(graph_module.graph, weights).run()


def is_complex(node):
    """Whether a node has complex elements."""
    value = node.meta.get("val")
    return isinstance(value, package("torch").Tensor) and value.is_complex()


def both_of(number):
    """The real and the imaginary part of a number."""
    number = complex(number)
    return number.real, number.imag


class Rewriting:
    """One graph that is rewritten. `pairs` has the real and the imaginary part of each complex node so far."""

    def __init__(self, graph, weights):
        self.graph, self.weights, self.pairs = graph, weights, {}
        self.torch = package("torch")
        self.aten = self.torch.ops.aten
        self.node = None

    def run(self):
        """Replaces all complex nodes."""
        replaced = []
        for self.node in list(self.graph.nodes):
            if is_complex(self.node) or any(each in self.pairs for each in self.node.all_input_nodes):
                with self.graph.inserting_before(self.node):
                    self.replace()
                replaced.append(self.node)
        for node in reversed(replaced):
            self.graph.erase_node(node)

    def replace(self):
        """One node becomes a pair, or a real node that others read in its place."""
        name = str(self.node.target)
        if self.node.op == "output":
            self.refuse("returns", "return torch.view_as_real of it")
        if self.node.op == "placeholder" and self.node.name not in self.weights:
            self.refuse("takes", "take real numbers and call torch.view_as_complex")
        if self.node.op == "placeholder":
            found = self.weight()
        elif name in ON_PARTS:
            found = self.on_parts()
        elif name in SAME:
            found = self.parts(self.node.args[0])
        elif (rule := getattr(self, name.removeprefix("aten.").replace(".", "_"), None)) is not None:
            found = rule(*self.node.args, **self.node.kwargs)
        elif fourier.is_transform(name):
            found = fourier.Transform(self, self.node).emit()
        else:
            raise CompileError(f"op {name} on complex numbers is not supported: compute it with real numbers")
        if isinstance(found, tuple):
            self.pairs[self.node] = found
        else:
            self.node.replace_all_uses_with(found)

    def refuse(self, what, remedy):
        """Raises for a complex argument or result."""
        raise CompileError(f"the model {what} complex numbers, and compiled models have real ones: {remedy}")

    def call(self, target, *args, **kwargs):
        """A new node, with the type that PyTorch computes for it."""
        return constants.call(self.node, target, *args, **kwargs)

    def constant(self, value):
        """A new weight."""
        return constants.constant(self.node, value.contiguous(), self.weights)

    def weight(self):
        """A complex weight, in two."""
        value = self.weights[self.node.name]
        return self.constant(value.real), self.constant(value.imag)

    def parts(self, value):
        """Both parts of a node or of a number. The second one is None where it is 0."""
        if value in self.pairs:
            return self.pairs[value]
        return (value.real, value.imag) if isinstance(value, complex) else (value, None)

    def on_parts(self):
        """What an op that moves or adds elements gives each part."""
        def take(number):
            return self.torch.fx.map_arg(self.node.args, lambda each: self.both(each)[number])
        kwargs = {key: value for key, value in self.node.kwargs.items() if value is not None}
        return tuple(self.call(self.node.target, *take(number), **kwargs) for number in (0, 1))

    def both(self, value):
        """Both parts of a node that may be real: of indices, the same twice; of other tensors, zeros behind it."""
        if value in self.pairs:
            return self.pairs[value]
        return value, value if not value.meta["val"].is_floating_point() else self.call(self.aten.zeros_like.default, value)

    def times(self, left, right):
        """A product of real nodes or numbers; None is 0."""
        if left is None or right is None:
            return None
        if isinstance(left, (int, float)):
            left, right = right, left
        return left * right if isinstance(left, (int, float)) else self.call(self.aten.mul.Tensor, left, right)

    def plus(self, left, right, target="add"):
        """A sum or a difference of real nodes or numbers; None is 0."""
        if right is None:
            return left
        if left is None or isinstance(left, (int, float)):
            if target == "add":
                return right if left is None else self.call(self.aten.add.Tensor, right, left)
            right = self.call(self.aten.neg.default, right)
            return right if left is None else self.call(self.aten.add.Tensor, right, left)
        return self.call(getattr(self.aten, target).Tensor, left, right)

    def filled(self, real, imaginary):
        """A pair whose parts have the shape of the node."""
        shape = list(self.node.meta["val"].shape)
        parts = []
        for part in (real, imaginary):
            if part is None:
                part = self.call(self.aten.zeros_like.default, real if imaginary is part else imaginary)
            if list(part.meta["val"].shape) != shape:
                part = self.call(self.aten.expand.default, part, shape)
            parts.append(part)
        return tuple(parts)

    def full_default(self, size, fill, **_):
        return tuple(self.call(self.aten.full.default, size, each, dtype=self.kind()) for each in both_of(fill))

    def full_like_default(self, value, fill, **_):
        real = self.parts(value)[0]
        return tuple(self.call(self.aten.full_like.default, real, each, dtype=self.kind()) for each in both_of(fill))

    def kind(self):
        """The type of both parts of the node."""
        return self.node.meta["val"].real.dtype

    def constant_pad_nd_default(self, value, sizes, fill=0):
        return tuple(self.call(self.aten.constant_pad_nd.default, part, sizes, each)
                     for part, each in zip(self.parts(value), both_of(fill)))

    def mul_Tensor(self, left, right):
        (a, b), (c, d) = self.parts(left), self.parts(right)
        return self.filled(self.plus(self.times(a, c), self.times(b, d), "sub"),
                           self.plus(self.times(a, d), self.times(b, c)))

    mul_Scalar = mul_Tensor

    def add_Tensor(self, left, right, alpha=1, target="add"):
        if alpha != 1:
            self.refuse_factor()
        (a, b), (c, d) = self.parts(left), self.parts(right)
        return self.filled(self.plus(a, c, target), self.plus(b, d, target))

    def sub_Tensor(self, left, right, alpha=1):
        return self.add_Tensor(left, right, alpha, "sub")

    def refuse_factor(self):
        raise CompileError("a sum of complex numbers with a factor (alpha) is not supported: multiply before")

    def div_Tensor(self, left, right):
        (a, b), (c, d) = self.parts(left), self.parts(right)
        if d is None:
            inverse = 1 / c if isinstance(c, (int, float)) else self.call(self.aten.reciprocal.default, c)
            return self.filled(self.times(a, inverse), self.times(b, inverse))
        size = self.call(self.aten.reciprocal.default, self.squares(c, d))
        real = self.plus(self.times(a, c), self.times(b, d))
        imaginary = self.plus(self.times(b, c), self.times(a, d), "sub")
        return self.filled(self.times(real, size), self.times(imaginary, size))

    div_Scalar = div_Tensor

    def squares(self, real, imaginary):
        """The square of the magnitude."""
        return self.plus(self.times(real, real), self.times(imaginary, imaginary))

    def abs_default(self, value):
        return self.call(self.aten.sqrt.default, self.squares(*self.parts(value)))

    def angle_default(self, value):
        real, imaginary = self.parts(value)
        return self.call(self.aten.atan2.default, imaginary, real)

    def exp_default(self, value):
        real, imaginary = self.parts(value)
        return self.polar_default(self.call(self.aten.exp.default, real), imaginary)

    def polar_default(self, size, angle):
        return tuple(self.times(size, self.call(target, angle)) for target in (self.aten.cos.default, self.aten.sin.default))

    def complex_default(self, real, imaginary):
        return self.filled(real, imaginary)

    def _conj_default(self, value):
        real, imaginary = self.parts(value)
        return real, self.call(self.aten.neg.default, imaginary)

    conj_physical_default = _conj_default

    def scalar_tensor_default(self, number, **_):
        return tuple(self.call(self.aten.scalar_tensor.default, each, dtype=self.kind()) for each in both_of(number))

    def masked_fill_Scalar(self, value, mask, number):
        return tuple(self.call(self.aten.masked_fill.Scalar, part, mask, each)
                     for part, each in zip(self.parts(value), both_of(number)))

    def sqrt_default(self, value):
        real, imaginary = self.parts(value)
        size = self.abs_default(value)
        squares = (self.call(self.aten.relu.default, self.plus(size, real, target)) for target in ("add", "sub"))
        found, other = (self.call(self.aten.sqrt.default, self.times(square, 0.5)) for square in squares)
        is_below = self.call(self.aten.lt.Scalar, imaginary, 0)
        return found, self.call(self.aten.where.self, is_below, self.call(self.aten.neg.default, other), other)

    def where_self(self, condition, left, right):
        return tuple(self.call(self.aten.where.self, condition, *both) for both in zip(self.both(left), self.both(right)))

    def real_default(self, value):
        return self.parts(value)[0]

    def imag_default(self, value):
        return self.parts(value)[1]

    def view_as_complex_default(self, value):
        return tuple(self.call(self.aten.select.int, value, -1, number) for number in (0, 1))

    def view_as_real_default(self, value):
        parts = [self.call(self.aten.unsqueeze.default, part, -1) for part in self.parts(value)]
        return self.call(self.aten.cat.default, parts, -1)

    def _to_copy_default(self, value, **kwargs):
        kind = {self.torch.complex64: self.torch.float32, self.torch.complex128: self.torch.float64}.get(kwargs.get("dtype"))
        if kind is None:
            raise CompileError("complex numbers do not become others: take their real part")
        return self.filled(*(None if part is None else self.call(self.aten._to_copy.default, part, dtype=kind)
                             for part in self.parts(value)))

    def matmul_default(self, left, right):
        (a, b), (c, d), product = self.parts(left), self.parts(right), self.node.target

        def times(first, second):
            return None if first is None or second is None else self.call(product, first, second)

        return self.filled(self.plus(times(a, c), times(b, d), "sub"), self.plus(times(a, d), times(b, c)))

    mm_default = bmm_default = matmul_default
