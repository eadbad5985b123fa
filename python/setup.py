"""Builds a wheel that carries the tools and the shared libraries that they need.

The tools are taken from ../build/bin, or from the folder UCMOH_BIN. UCMOH_BIN= (empty) makes a wheel without tools, for
machines that have them in PATH.
"""
import os
import pathlib
import platform
import re
import shutil
import subprocess

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

HERE = pathlib.Path(__file__).parent
TOOLS = ("ucmoh-compile", "ucmoh-opt", "ucmoh-run", "ucmoh-probe", "ucmoh-translate", "ucmoh-tune")
# For machines without a compiler of C. All that it needs the tools need too.
LINKER = pathlib.Path("/usr/lib/llvm-22/bin/ld.lld")
# Glibc and every Linux that Python runs on have these libraries.
OF_THE_SYSTEM = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+))\.so\..*")


def tools_folder():
    """The folder of the tools, or nothing where none are wanted."""
    chosen = os.environ.get("UCMOH_BIN")
    if chosen == "":
        return None
    folder = pathlib.Path(chosen) if chosen else HERE.parent / "build" / "bin"
    missing = [tool for tool in TOOLS if not (folder / tool).exists()]
    if missing:
        raise SystemExit(f"{', '.join(missing)} not found in {folder}: build UCMoH first, and call `python -m build "
                         "--wheel`; or set UCMOH_BIN to the folder of the tools, or to nothing for a wheel without "
                         "them")
    return folder


def libraries_of(file):
    """The shared libraries that a file needs and that not every Linux has: {name: path}."""
    listed = subprocess.run(["ldd", file], capture_output=True, text=True, check=True).stdout
    found = dict(re.findall(r"(\S+) => (\S+) \(", listed))
    return {name: path for name, path in found.items() if not OF_THE_SYSTEM.fullmatch(name)}


def carry(file, folder, path_to_libraries):
    """Copies a file of the tools, without symbols for debuggers, so that it looks for libraries beside it."""
    place = folder / file.name
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(file, place)
    place.chmod(0o755)
    subprocess.run(["strip", "--strip-unneeded", place], check=False)
    subprocess.run(["patchelf", "--set-rpath", path_to_libraries, place], check=True)


class BuildWithTools(build_py):
    """Adds ucmoh/bin and ucmoh/lib."""

    def run(self):
        package = pathlib.Path(self.build_lib) / "ucmoh"
        shutil.rmtree(package, ignore_errors=True)  # an earlier build left it
        super().run()
        source = tools_folder()
        if source is None or self.editable_mode:
            return
        needed = {}
        for tool in TOOLS:
            needed |= libraries_of(source / tool)
            carry(source / tool, package / "bin", "$ORIGIN/../lib")
        carry(LINKER, package / "bin", "$ORIGIN/../lib")
        for name, path in needed.items():
            carry(pathlib.Path(path).parent / name, package / "lib", "$ORIGIN")


class TaggedWheel(bdist_wheel):
    """For every Python, and for the glibc of this machine or a later one."""

    def get_tag(self):
        if tools_folder() is None:
            return "py3", "none", "any"
        version = platform.libc_ver()[1].replace(".", "_")
        return "py3", "none", f"manylinux_{version}_{platform.machine()}"


class WithBinaries(Distribution):
    """So that the wheel unpacks where binaries belong."""

    def has_ext_modules(self):
        return tools_folder() is not None


setup(cmdclass={"build_py": BuildWithTools, "bdist_wheel": TaggedWheel}, distclass=WithBinaries)
