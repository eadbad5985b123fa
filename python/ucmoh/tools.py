"""Finds the tools, and runs them."""
import os
import pathlib
import shutil
import subprocess
import sys

from .errors import CompileError, MissingPackage

PACKAGE = pathlib.Path(__file__).parent


def folders():
    """Where tools are looked for, in this order, before PATH."""
    if chosen := os.environ.get("UCMOH_BIN"):
        yield pathlib.Path(chosen)
    yield PACKAGE / "bin"  # a wheel
    yield PACKAGE.parents[1] / "build" / "bin"  # the source tree
    if PACKAGE.parts[-4:] == ("share", "ucmoh", "python", "ucmoh"):
        yield PACKAGE.parents[3] / "bin"  # as CMake installs it


def find(name):
    """The path of a tool of UCMoH."""
    for folder in folders():
        if os.access(folder / name, os.X_OK):
            return str(folder / name)
    if (found := shutil.which(name)) and not is_script_of_ours(found):
        return found
    raise MissingPackage(f"{name} was found neither in {', '.join(map(str, folders()))} nor in PATH: build UCMoH, "
                         "and set UCMOH_BIN to the folder of its tools if they lie elsewhere")


def is_script_of_ours(path):
    """Whether this is what pip installs for `main`, which would call itself."""
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def main():
    """Becomes the tool of the name by which it was called."""
    try:
        tool = find(pathlib.Path(sys.argv[0]).name)
    except MissingPackage as error:
        sys.exit(f"error: {error}")
    os.execv(tool, [tool, *sys.argv[1:]])


def run(command, what):
    """The output of a tool. `what` says in an error what it was to do, if that does not begin with it."""
    try:
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        raise CompileError(f"{command[0]} cannot be executed: {error.strerror}") from error
    if done.returncode != 0:
        said = first_error(done)
        raise CompileError(said if said.startswith(f"{what}:") else f"{what}: {said}")
    return done.stdout


def first_error(done):
    """The first diagnostic, or how the process ended where it printed none."""
    lines = [line for line in done.stderr.splitlines() if "error:" in line]
    tool, signal = pathlib.Path(done.args[0]).name, signal_of(done.returncode)
    if signal:
        return lines[0] if lines else f"{tool} was ended by signal {signal}"
    lines = lines or done.stderr.splitlines()
    return lines[0] if lines else f"{tool} ended with {done.returncode}"


def signal_of(status):
    """The signal that ended a process, or 0. Scripts hand on that of a child: Python's as 256 less it, shells' as 128
    and it."""
    if status > 192:
        return 256 - status
    return -status if status < 0 else max(status - 128, 0)
