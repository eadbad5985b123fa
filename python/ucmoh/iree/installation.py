"""The installation of IREE that is used, and which ones are known to work."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from .. import tools
from ..errors import CompileError, MissingPackage

#: Versions of iree-base-compiler with which the tests of this package have passed.
KNOWN = {"3.11", "3.12", "3.13"}

#: The C compiler of the message, and what pip calls IREE.
INSTALL = "pip install iree-base-compiler==3.13.0 iree-base-runtime==3.13.0"


class Installation:
    """An iree-compile. It is looked for in UCMOH_IREE, a folder, then beside this Python, then in PATH."""

    def __init__(self):
        self.compiler = self._find("iree-compile")
        self.version = self._read_version()

    @staticmethod
    def _find(name):
        beside = pathlib.Path(sys.executable).parent
        folders = [folder for folder in (os.environ.get("UCMOH_IREE"), str(beside)) if folder]
        for folder in folders:
            if found := shutil.which(name, path=folder):
                return found
        if found := shutil.which(name):
            return found
        raise MissingPackage(f"{name} was found neither in {', '.join(folders)} nor in PATH: {INSTALL}")

    def _read_version(self):
        """The version as "3.13", or "unknown"."""
        done = subprocess.run([self.compiler, "--version"], capture_output=True, text=True, check=False)
        found = re.search(r"IREE compiler version (\d+\.\d+)", done.stdout)
        return found[1] if found else "unknown"

    def caveat(self):
        """What to say of a version with which no test has passed; empty for a known one."""
        if self.version in KNOWN:
            return ""
        return (f"IREE {self.version} is not known ({', '.join(sorted(KNOWN))} are): what was compiled is checked "
                "nevertheless")

    def command(self, model, output, flags):
        """The command line of a compilation, as a list."""
        return [self.compiler, str(model), "-o", str(output), *flags]

    def run(self, model, output, flags, what):
        """Compiles `model` to `output`. Raises CompileError with IREE's first error."""
        try:
            tools.run(self.command(model, output, flags), what)
        except CompileError:
            pathlib.Path(output).unlink(missing_ok=True)
            raise
