"""Compiled models by the hash of all that decides what is compiled. Several processes may use it at once."""
import hashlib
import os
import pathlib
import platform
import tempfile
import warnings

from .errors import Fallback

ROOM_BYTES = 64 << 20  # that the folder must have for a model to be kept


def folder():
    """The folder for compiled models, of the XDG Base Directory Specification."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (pathlib.Path(base) if os.path.isabs(base) else pathlib.Path.home() / ".cache") / "ucmoh" / "compiled"


def machine():
    """Returns what target=host depends on: the CPU, and the numbers that ucmoh-probe installed."""
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split("\n\n")[0].splitlines()
        yield from (line for line in lines if line.split(":")[0].strip() in ("model name", "flags", "Features"))
    except OSError:
        yield platform.processor()
    base = os.environ.get("XDG_DATA_HOME", "")
    data = pathlib.Path(base) if os.path.isabs(base) else pathlib.Path.home() / ".local" / "share"
    yield from (stamp(file) for file in sorted((data / "ucmoh" / "machines").glob("*.mlir")))
    yield os.environ.get("UCMOH_HOST_CPU", "")


def stamp(file):
    """A file's path, size and time: another build of a tool has another one."""
    status = os.stat(file)
    return f"{file} {status.st_size} {status.st_mtime_ns}"


def key(*parts):
    """A hash of texts and of this machine."""
    digest = hashlib.sha256()
    for part in (*parts, *machine()):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()


def fetch(name, make):
    """The file of this name in the cache; `make(path)` writes it where it is not there.

    It is written beside its place and renamed, so that no other process sees half of it. A folder that cannot be
    written to costs a warning, and the file then lies in a temporary folder of this process.
    """
    place = folder() / name
    if place.exists():
        return place
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place.parent) as scratch:
            # A tool tells a full disk from a wrong program by its message alone.
            probe(scratch)
            make(pathlib.Path(scratch) / name)
            os.replace(pathlib.Path(scratch) / name, place)
        return place
    except OSError as error:
        warnings.warn(f"nothing is kept in the cache folder {place.parent}: {error.strerror}; "
                      "XDG_CACHE_HOME chooses another one", Fallback, stacklevel=2)
        return make_temporary(name, make)


def probe(scratch):
    """Raises OSError where there is no room for a model."""
    with tempfile.TemporaryFile(dir=scratch) as file:
        os.posix_fallocate(file.fileno(), 0, ROOM_BYTES)


TEMPORARY = []  # folders that live as long as the process


def make_temporary(name, make):
    """The file of this name in a folder that this process removes when it ends."""
    scratch = tempfile.TemporaryDirectory(prefix="ucmoh-")
    TEMPORARY.append(scratch)
    make(pathlib.Path(scratch.name) / name)
    return pathlib.Path(scratch.name) / name
