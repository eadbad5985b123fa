"""Fourier transforms of a graph of PyTorch as products with constant matrices."""
import math
import re

from .arrays import package
from .errors import CompileError

#: inverse, real (r: of real numbers; hermitian forms are not supported), how many dims
NAME = re.compile(r"aten\.fft_(i?)(r?)fft(2|n|)\.default")
MOST = 2 ** 12  # elements along a dim, beyond which a fast transform would be another thing


def is_transform(name):
    """Whether an op is a Fourier transform that has a form here."""
    return bool(NAME.fullmatch(name)) or name in ("aten.stft.default", "aten.istft.default")


class Transform:
    """One op. `graph` adds nodes to its graph (complex_numbers.py)."""

    def __init__(self, graph, node):
        self.graph, self.node, self.torch = graph, node, package("torch")
        self.aten = self.torch.ops.aten

    def emit(self):
        """The pair of the spectrum, or the real node of what is transformed back."""
        if str(self.node.target) == "aten.stft.default":
            return self.of_frames(*self.node.args, **self.node.kwargs)
        if str(self.node.target) == "aten.istft.default":
            return self.from_frames(*self.node.args, **self.node.kwargs)
        inverse, real, many = NAME.fullmatch(str(self.node.target)).groups()
        lengths, dims, norm = self.fields(many)
        value = self.graph.parts(self.node.args[0])
        value = self.resize(value, lengths, dims, halves=bool(inverse and real))
        for dim, length in list(zip(dims, lengths))[:-1 if real and inverse else None][::-1]:
            kept = length // 2 + 1 if real and dim == dims[-1] else length
            value = self.along(value, dim, *self.matrices(length, kept, bool(inverse), norm))
        return self.to_real(value, dims[-1], lengths[-1], norm) if real and inverse else value

    def fields(self, many):
        """The number of elements along each of the dims, these dims, and what sums are divided by."""
        names = ("self", "s" if many else "n", "dim", "norm")
        given = dict(zip(names, self.node.args)) | dict(self.node.kwargs)
        shape, length = self.node.args[0].meta["val"].shape, given.get(names[1])
        if not many:
            dims, lengths = [given.get("dim", -1)], None if length is None else [length]
        else:
            lengths = length
            dims = given.get("dim", [-2, -1] if many == "2" else None)
            dims = dims if dims is not None else list(range(-len(lengths), 0)) if lengths else list(range(len(shape)))
        dims = [dim % len(shape) for dim in dims]
        if lengths is None:
            lengths = [shape[dim] for dim in dims]
            if NAME.fullmatch(str(self.node.target)).group(1, 2) == ("i", "r"):
                lengths[-1] = 2 * (shape[dims[-1]] - 1)
        lengths = [shape[dim] if length == -1 else length for dim, length in zip(dims, lengths)]
        if not all(isinstance(length, int) and length <= MOST for length in lengths):
            raise CompileError(f"a Fourier transform of more than {MOST} elements, or of any number of them, is not supported: "
                               "transform shorter pieces")
        return lengths, dims, given.get("norm")

    def resize(self, value, lengths, dims, halves):
        """Cuts what is too long, and adds zeros behind what is too short."""
        def change(part):
            for dim, length in zip(dims, lengths):
                wanted = length // 2 + 1 if halves and dim == dims[-1] else length
                present, rank = part.meta["val"].shape[dim], part.meta["val"].dim()
                if present > wanted:
                    part = self.graph.call(self.aten.slice.Tensor, part, dim, 0, wanted)
                elif present < wanted:
                    padding = [0, 0] * (rank - 1 - dim) + [0, wanted - present]
                    part = self.graph.call(self.aten.constant_pad_nd.default, part, padding, 0.0)
            return part
        return tuple(part if part is None else change(part) for part in value)

    def matrices(self, length, kept, inverse, norm):
        """Cosines and sines: what each element adds to each place of the spectrum."""
        turns = self.torch.outer(self.torch.arange(length), self.torch.arange(kept)) % length
        angles = turns.double() * (2 * math.pi / length)
        factor = scale(length, inverse, norm)
        return angles.cos() * factor, angles.sin() * (factor if inverse else -factor)

    def along(self, value, dim, cosines, sines):
        """Multiplies complex numbers along a dim by a complex matrix."""
        (real, imaginary), graph = value, self.graph
        first = self.product(real, dim, cosines)
        second = self.product(real, dim, sines)
        if imaginary is None:
            return first, second
        return (graph.plus(first, self.product(imaginary, dim, sines), "sub"),
                graph.plus(second, self.product(imaginary, dim, cosines)))

    def product(self, part, dim, matrix):
        """Multiplies real numbers along a dim by a real matrix."""
        matrix = self.graph.constant(matrix.to(part.meta["val"].dtype))
        moved = self.graph.call(self.aten.transpose.int, part, dim, -1)
        return self.graph.call(self.aten.transpose.int, self.graph.call(self.aten.matmul.default, moved, matrix), dim, -1)

    def to_real(self, value, dim, length, norm):
        """What half of a spectrum gives."""
        cosines, sines = self.halves(length, norm)
        real, imaginary = value
        found = self.product(real, dim, cosines)
        return found if imaginary is None else self.graph.plus(found, self.product(imaginary, dim, sines), "sub")

    def halves(self, length, norm):
        """The matrices of half of a spectrum, whose other half has the same real and the opposite imaginary parts."""
        count = length // 2 + 1
        twice = self.torch.full((count, 1), 2.0, dtype=self.torch.float64)
        twice[0] = 1
        if length % 2 == 0:
            twice[-1] = 1
        return tuple(part[:count] * twice for part in self.matrices(length, length, True, norm))

    def of_frames(self, value, size, hop=None, width=None, window=None, normalized=False, onesided=None,
                  return_complex=None, align_to_window=None):
        """Spectra of frames of a signal: a convolution whose filters are the rows of the matrix, times the window."""
        graph, hop, width = self.graph, hop or size // 4, width or size
        kept = size if onesided is False else size // 2 + 1
        filters = self.torch.cat([part.T for part in self.matrices(size, kept, False, "ortho" if normalized else None)])
        filters = graph.constant(filters.unsqueeze(1).to(value.meta["val"].dtype))
        if window is not None:
            filters = graph.times(filters, self.wide_window(window, width, size))
        rank = value.meta["val"].dim()
        signal = graph.call(self.aten.unsqueeze.default, value, -2)
        if rank == 1:
            signal = graph.call(self.aten.unsqueeze.default, signal, 0)
        spectrum = graph.call(self.aten.convolution.default, signal, filters, None, [hop], [0], [1], False, [0], 1)
        parts = tuple(graph.call(self.aten.slice.Tensor, spectrum, 1, begin, begin + kept) for begin in (0, kept))
        return tuple(graph.call(self.aten.squeeze.dim, part, 0) for part in parts) if rank == 1 else parts

    def wide_window(self, window, width, size):
        """A window with zeros around it."""
        before = (size - width) // 2
        if width == size:
            return window
        return self.graph.call(self.aten.constant_pad_nd.default, window, [before, size - width - before], 0.0)

    def from_frames(self, value, size, hop=None, width=None, window=None, center=True, normalized=False, onesided=None,
                    length=None, return_complex=False):
        """The signal of spectra of frames: a transposed convolution with the same filters, less what windows add up to."""
        if return_complex:
            raise CompileError("a signal of complex numbers (istft) is not supported: take its real part")
        graph, hop, width, (real, imaginary) = self.graph, hop or size // 4, width or size, self.graph.parts(value)
        rank, (bins, count) = real.meta["val"].dim(), real.meta["val"].shape[-2:]
        norm, is_half = "ortho" if normalized else None, bins != size if onesided is None else onesided
        cosines, sines = self.halves(size, norm) if is_half else self.matrices(size, size, True, norm)
        kind = real.meta["val"].dtype
        filters = graph.constant(self.torch.cat([cosines, -sines]).unsqueeze(1).to(kind))
        if window is None:
            window = graph.constant(self.torch.ones(width, dtype=kind))
        window = self.wide_window(window, width, size)
        spectrum = graph.call(self.aten.cat.default, [real, imaginary], -2)
        if rank == 2:
            spectrum = graph.call(self.aten.unsqueeze.default, spectrum, 0)
        squares = graph.call(self.aten.view.default, graph.times(window, window), [1, 1, size])
        ones = graph.constant(self.torch.ones(1, 1, count, dtype=kind))
        signal, weight = self.spread(spectrum, graph.times(filters, window), hop), self.spread(ones, squares, hop)
        begin, behind = size // 2 if center else 0, size + hop * (count - 1)
        end = behind - begin if length is None else begin + length
        signal = self.cut(signal, weight, begin, end, behind)
        return graph.call(self.aten.squeeze.dim, signal, 0) if rank == 2 else signal

    def cut(self, signal, weight, begin, end, behind):
        """The part of a weighted signal that is wanted, with zeros where there is none."""
        parts = (self.graph.call(self.aten.slice.Tensor, each, -1, begin, min(end, behind)) for each in (signal, weight))
        signal = self.graph.call(self.aten.squeeze.dim, self.graph.call(self.aten.div.Tensor, *parts), -2)
        if end <= behind:
            return signal
        return self.graph.call(self.aten.constant_pad_nd.default, signal, [0, end - behind], 0.0)

    def spread(self, frames, filters, hop):
        """Adds filters up, each times an element of a frame."""
        return self.graph.call(self.aten.convolution.default, frames, filters, None, [hop], [0], [1], True, [0], 1)


def scale(length, inverse, norm):
    """What sums are multiplied by."""
    if norm == "ortho":
        return 1 / math.sqrt(length)
    return 1 / length if inverse == (norm != "forward") else 1.0
