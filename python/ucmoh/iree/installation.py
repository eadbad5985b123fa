"""The installation of IREE that is used, and which ones are known to work."""
import contextlib
import os
import pathlib
import re
import shutil
import sys
import tempfile

from .. import tools
from ..errors import CompileError, MissingPackage

#: Versions of iree-base-compiler with which the tests of this package have passed.
KNOWN = {"3.11", "3.12", "3.13"}

#: The C compiler of the message, and what pip calls IREE.
INSTALL = "pip install iree-base-compiler==3.13.0 iree-base-runtime==3.13.0"


@contextlib.contextmanager
def scratch_beside(path):
    """A folder beside `path`, in which to write what is then renamed to it: other processes see it whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".ucmoh-") as folder:
        yield pathlib.Path(folder)


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
        found = re.search(r"IREE compiler version (\d+\.\d+)", tools.run([self.compiler, "--version"], self.compiler))
        return found[1] if found else "unknown"

    def caveat(self):
        """Warns of a version with which no test has passed; empty for a known one."""
        if self.version in KNOWN:
            return ""
        return (f"IREE {self.version} is not known ({', '.join(sorted(KNOWN))} are): what was compiled is checked "
                "nevertheless")

    def spelling(self):
        """The flag of ucmoh-translate for this version; what is not known is written as for the newest one."""
        return [f"--iree-version={self.version}"] if self.version in KNOWN else []

    def command(self, model, output, flags):
        """The command line of a compilation, as a list."""
        return [self.compiler, str(model), "-o", str(output), *flags]

    def run(self, model, output, flags, what):
        """Compiles `model` to `output`, which is whole or not there. Raises CompileError with IREE's first error."""
        output = pathlib.Path(output)
        try:
            with scratch_beside(output) as scratch:
                tools.run(self.command(model, scratch / output.name, flags), what)
                os.replace(scratch / output.name, output)
        except OSError as error:
            raise CompileError(f"{output} cannot be written: {error.strerror}") from error
