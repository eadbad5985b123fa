"""A shared object of ucmoh-compile, by its C interface."""
import ctypes
import json
import mmap

from . import cpu
from .errors import Error, WrongCpu


def new_pages(size_bytes):
    """Memory of that size and its address, in large pages where the system has some; the first keeps it alive.

    Weights are read once a call, so that there is an address to translate for each page. The memory is private: for
    memory that processes share, systems refuse large pages unless they are told otherwise.
    """
    memory = mmap.mmap(-1, max(size_bytes, 1), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    try:
        memory.madvise(mmap.MADV_HUGEPAGE)
    except (AttributeError, OSError):  # a system without
        pass
    return memory, ctypes.addressof(ctypes.c_char.from_buffer(memory))


def wrong_cpu(name, lacking="an instruction that it needs"):
    """The error for a library of another CPU."""
    return WrongCpu(f"@{name} was compiled for another CPU: this one lacks {lacking}; compile the model here, or with "
                    "target= of a CPU that has less")


def load(path, name):
    """The shared object, as ctypes has it."""
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        if architecture_of(path) not in (b"", architecture_of("/proc/self/exe")):
            raise WrongCpu(f"@{name} was compiled for another architecture, which this machine does not execute: "
                           "ucmoh-compile makes libraries for other machines") from error
        raise Error(f"@{name} cannot be loaded: {error}; remove the file, and compile the model again") from error


def architecture_of(path):
    """The field of an ELF file that names it; empty where there is none."""
    try:
        with open(path, "rb") as file:
            return file.read(20)[18:]
    except OSError:
        return b""


def check(status, name):
    """Raises what a status of the interface means."""
    if status == 1:
        raise wrong_cpu(name)
    if status == 3:
        raise Error(f"@{name} was called with an extent that it does not promise to take")
    if status == 4:
        raise Error(f"an assertion of @{name}, which was printed, does not hold for these arguments")
    if status != 0:
        raise MemoryError(f"no memory for @{name}") if status == 2 else Error(f"@{name} failed with status {status}")


class Library:
    """The functions of one compiled model: `run`, `pack`, `packed_bytes`, and what it says of itself."""

    def __init__(self, path, name):
        self.name, self.path = name, str(path)
        self.handle = load(self.path, name)
        self._pack = self._function("pack", ctypes.c_int, [ctypes.c_void_p] * 2)
        self.packed_bytes = self._function("packed_bytes", ctypes.c_size_t, [])
        self.description = json.loads(self._function("describe", ctypes.c_char_p, [])())
        self.is_open = bool(self.description.get("extents"))  # then `run` takes them as well
        self.run = self._function("run", ctypes.c_int, [ctypes.c_void_p] * (4 if self.is_open else 3))
        if lacking := cpu.missing(self.description["cpu_features"]):
            raise wrong_cpu(name, ", ".join(lacking))

    def _function(self, suffix, result, arguments):
        function = getattr(self.handle, f"{self.name}_{suffix}")
        function.restype, function.argtypes = result, arguments
        return function

    def pack(self, addresses):
        """Packs the weights at these addresses; gives memory and its address."""
        packed = new_pages(self.packed_bytes())
        check(self._pack((ctypes.c_void_p * len(addresses))(*addresses), packed[1]), self.name)
        return packed
