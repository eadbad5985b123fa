"""Gives programs the addresses of what they take and give: NumPy arrays or PyTorch tensors."""
import ctypes
import functools
import importlib
import itertools
import sys

from . import pool
from .errors import ArgumentError, MissingPackage


def package(name):
    """A package by name, or one error that says how to install it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingPackage(f"this needs the package {name}, which cannot be imported ({error}): "
                             f"pip install {name.partition('.')[0].replace('_', '-')}") from error


def is_tensor(value):
    """Whether this is a PyTorch tensor, without importing PyTorch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


class Numpy:
    """NumPy arrays."""

    def __init__(self):
        self.numpy = package("numpy")
        self.from_dlpack = self.numpy.from_dlpack
        self.empty = pool.Pool(self.numpy).empty

    def dtype(self, name):
        """The type of this name."""
        if name == "bfloat16":
            package("ml_dtypes")  # registers the type
        return self.numpy.dtype(name)

    def shape(self, extents):
        """Extents in the form that a value has them."""
        return extents

    def is_plain(self, value):
        """Whether this is an array."""
        return isinstance(value, self.numpy.ndarray)

    def refusal(self, _value):
        """Why this array cannot be taken at all, or nothing."""
        return None

    def contiguous(self, value):
        """The value, or a copy in row-major order."""
        return value if value.flags.c_contiguous else self.numpy.ascontiguousarray(value)

    def address(self, value):
        """The address of the first element."""
        return value.__array_interface__["data"][0]

    def bounds(self, value):
        """The least and the most of at least one element."""
        return value.min(), value.max()

    def may_change(self, value):
        """Whether a call may write to the value where it lies."""
        return value.flags.c_contiguous and value.flags.writeable

    def bytes(self, value):
        """How much memory the elements take."""
        return value.nbytes


class Torch:
    """PyTorch tensors on the CPU."""

    def __init__(self):
        self.torch = package("torch")
        self.from_dlpack = self.torch.from_dlpack
        self.empty = self._empty
        self.address = self.torch.Tensor.data_ptr

    def dtype(self, name):
        """The type of this name."""
        return getattr(self.torch, name)

    def shape(self, extents):
        """Extents in the form that a value has them."""
        return self.torch.Size(extents)

    def is_plain(self, value):
        """Whether this is a tensor."""
        return isinstance(value, self.torch.Tensor)

    def refusal(self, value):
        """Why this tensor cannot be taken at all, or nothing."""
        if value.layout is not self.torch.strided:
            return "it is sparse: pass value.to_dense()"
        if not value.is_cpu:
            return f"it is on {value.device}, and compiled models run on the CPU: pass value.cpu()"
        if value.requires_grad and self.torch.is_grad_enabled():
            return "it wants a gradient, and compiled models compute none: call in torch.no_grad(), or detach it"
        return None

    def contiguous(self, value):
        """The value, or a copy in row-major order."""
        return value.contiguous()

    def bounds(self, value):
        """The least and the most of at least one element."""
        return tuple(bound.item() for bound in self.torch.aminmax(value))

    def may_change(self, value):
        """Whether a call may write to the value where it lies."""
        return value.is_contiguous()

    def bytes(self, value):
        """How much memory the elements take."""
        return value.numel() * value.element_size()

    def _empty(self, shape, dtype):
        return self.torch.empty(shape, dtype=dtype)


@functools.cache
def kind(is_of_torch):
    """The one object for tensors of PyTorch, or for arrays of NumPy."""
    return Torch() if is_of_torch else Numpy()


def kind_of(value):
    """Torch for a tensor, Numpy for all else."""
    return kind(is_tensor(value))


class Frame:
    """Checks arguments against specs and gathers their addresses; makes results. Those that lie `within` an argument, by
    their number and its, are this argument."""

    def __init__(self, kind, inputs, outputs, within=()):
        self.kind = kind
        self.specs = inputs
        self.inputs = [(frozenset(map(kind.dtype, spec.types)), kind.shape(spec.shape) if spec.is_static else spec.shape)
                       for spec in inputs]
        self.places = [(index, spec.places) for index, spec in enumerate(inputs) if spec.places and 0 not in spec.shape]
        self.outputs = [(kind.shape(spec.shape), kind.dtype(spec.type)) for spec in outputs]
        self.within = dict(within)
        self.input_addresses = ctypes.c_void_p * len(inputs)
        self.output_addresses = ctypes.c_void_p * len(outputs)

    def call(self, run, values, packed):
        """The status and the results of one call. The addresses are of this call alone, so that threads may share."""
        kind = self.kind
        values = self.check(values)
        for index in self.within.values():
            if not kind.may_change(values[index]):
                raise ArgumentError(f"{self.wanted(index)}, contiguous and writable: the call changes it in its place")
        kept, addresses = [], []
        for value in values:
            value = kind.contiguous(value)
            kept.append(value)
            addresses.append(kind.address(value))
        if self.within:
            self.check_changed(kept)
        results = [kept[self.within[number]] if number in self.within else kind.empty(shape, dtype)
                   for number, (shape, dtype) in enumerate(self.outputs)]
        status = run(self.input_addresses(*addresses), self.output_addresses(*map(kind.address, results)), packed)
        return status, results

    def check(self, values):
        """The arguments, those of other libraries as of this kind, without copies. Raises ArgumentError for what the specs
        do not describe."""
        kind = self.kind
        if len(values) != len(self.inputs):
            raise ArgumentError(f"{len(self.inputs)} arguments are expected, not {len(values)}: "
                                f"{', '.join(f'{spec.name}: {spec}' for spec in self.specs)}")
        for index, (value, (types, shape)) in enumerate(zip(values, self.inputs)):
            if not kind.is_plain(value):
                value = self.adopt(index, value)
                values = [*values[:index], value, *values[index + 1:]]
            if value.dtype not in types or value.shape != shape or kind.refusal(value):
                self.refuse(index, value)
        for index, (first, last) in self.places:
            least, most = kind.bounds(values[index])
            if least < first or most > last:
                raise ArgumentError(f"argument {index} ({self.specs[index].name}) has {most if most > last else least} among "
                                    f"places in a table, which are from {first} to {last}")
        return values

    def check_changed(self, values):
        """Raises ArgumentError where an argument that the call changes shares memory with another one."""
        kind, changed = self.kind, set(self.within.values())
        places = sorted((kind.address(value), kind.bytes(value), index) for index, value in enumerate(values))
        for (begin, size, index), (following, _, other) in itertools.pairwise(places):
            if begin + size > following and changed & {index, other}:
                raise ArgumentError(f"arguments {index} ({self.specs[index].name}) and {other} ({self.specs[other].name}) share "
                                    "memory that the call changes: pass copies")

    def adopt(self, index, value):
        """Takes in what another library holds, as of this kind, by DLPack."""
        try:
            return self.kind.from_dlpack(value)
        except Exception as error:  # libraries raise many kinds
            reason = f" ({error})" if hasattr(value, "__dlpack__") else ""
            raise ArgumentError(f"{self.wanted(index)} and is {type(value).__module__}.{type(value).__name__}: pass a NumPy "
                                f"array, a tensor of PyTorch, or what has __dlpack__{reason}") from error

    def wanted(self, index):
        """Says in words what an argument must be."""
        spec = self.specs[index]
        return f"argument {index} ({spec.name}) must be {spec}"

    def refuse(self, index, value):
        """Raises what is wrong with an argument."""
        said = self.wanted(index)
        found = f"{str(value.dtype).removeprefix('torch.')}[{', '.join(map(str, value.shape))}]"
        reason = self.kind.refusal(value)
        raise ArgumentError(f"{said}: {reason}" if reason else f"{said}, not {found}; compile again for other shapes "
                            "and types")
