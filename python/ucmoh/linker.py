"""Shared objects by the linker that a wheel carries, whatever else is installed."""
import ctypes
import pathlib
import re

from . import tools

LIBRARIES = (r"libm\.so\.6", r"libgcc_s\.so\.1", r"libc\.so\.6", r"ld-linux\S*\.so\.\d")


def compile_to(path, command, what):
    """Runs ucmoh-compile (`command` without -o) for the shared object `path`."""
    linker = tools.PACKAGE / "bin" / "ld.lld"
    if not linker.exists():
        tools.run([*command, "-o", path], what)
        return
    compiled = path.with_suffix(".o")
    tools.run([*command, "-o", compiled], what)
    tools.run([linker, "-shared", "-z", "defs", "--as-needed", "-o", path, compiled, *map(path_of, LIBRARIES)], what)


def path_of(pattern):
    """Where a library of the system lies, as this process has it loaded."""
    for name in ("libm.so.6", "libgcc_s.so.1"):
        ctypes.CDLL(name)
    maps = pathlib.Path("/proc/self/maps").read_text(encoding="utf-8")
    return re.search(rf"\s(/\S*/{pattern})$", maps, re.M).group(1)
