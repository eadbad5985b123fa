"""Compiles a model with the stock iree-compile and code of UCMoH inside."""
import json
import pathlib
import re
import shlex
import sys

from .. import tools
from ..errors import CompileError
from .installation import Installation

#: Where nothing is said of the device: this CPU.
HOST = ["--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu",
        "--iree-llvmcpu-target-cpu=host"]


def with_device(flags):
    """The flags of iree-compile, with this CPU as the device where they name none."""
    named = any(flag.startswith(("--iree-hal-target-", "--iree-hal-local-target-")) for flag in flags)
    return list(flags) if named else HOST + list(flags)


class Door:
    """One compilation: what was done for each contraction, and the command that does it again."""

    def __init__(self, model, output, flags=(), work=None, target="host", group="network"):
        """`work` keeps the files that the command needs (default: OUTPUT.ucmoh); `target` and `group` are those of
        ucmoh-translate."""
        self.model, self.output = pathlib.Path(model), pathlib.Path(output)
        self.flags = with_device(flags)
        self.work = pathlib.Path(work) if work else self.output.with_name(self.output.name + ".ucmoh")
        self.target, self.group = target, group
        self.iree = Installation()
        self.report = {}

    def translate(self):
        """Writes the program, as IREE has it before its passes, with dispatches of our code in it."""
        self.work.mkdir(parents=True, exist_ok=True)
        dump = self.work / "program.mlir"
        self.iree.run(self.model, dump, [*self.flags, "--compile-to=abi", "--mlir-print-op-generic"], self.model)
        tools.run([tools.find("ucmoh-translate"), "--to-iree-module", dump, f"--output={self.work}",
                   f"--target={self.target}", f"--group={self.group}"], self.model)
        dump.unlink()
        self.report = json.loads((self.work / "report.json").read_text())

    def module_command(self):
        """The model or flags of iree-compile for what was translated, as its arguments."""
        if not self.report["dispatches"]:
            return self.model, self.flags
        return self.work / "module.mlir", [*self.flags, "--compile-from=abi", "--iree-hal-link-executables=false"]

    def compile(self):
        self.translate()
        model, flags = self.module_command()
        self.iree.run(model, self.output, flags, self.model)

    def reproduction(self):
        """A command line of iree-compile that makes the same file."""
        model, flags = self.module_command()
        return shlex.join(self.iree.command(model, self.output, flags))

    def explain(self):
        """A line for each contraction: what was done, or why nothing was."""
        for dispatch in self.report["dispatches"]:
            done = f"{dispatch['places']} times"
            for op in dispatch["contractions"]:
                kernel = re.search(r"intrinsic = [^,]*@(\w+)", op["choice"])
                yield f"{dispatch['name']}: {op['workload']}: {kernel[1] if kernel else 'plain loops'}, {done}"
        for left in self.report["left"]:
            yield f"left to IREE: {left['op']} at {place_of(left['location'])}: {left['reason']}"


def place_of(location):
    """"FILE:LINE" of an MLIR location."""
    found = re.search(r'"([^"]+)":(\d+)', location)
    return f"{found[1]}:{found[2]}" if found else location


def compile_model(model, output, flags=(), **options):
    """Compiles the MLIR file `model` to the module `output` for IREE's runtime.

    `flags` go to iree-compile; without a device among them, it is this CPU. Returns a Door, whose `explain()` and
    `reproduction()` say what was done. Raises CompileError where IREE refuses the model or ignores the code, and
    MissingPackage where IREE is not installed.
    """
    door = Door(model, output, flags, **options)
    if caveat := door.iree.caveat():
        print(f"warning: {caveat}", file=sys.stderr)
    door.compile()
    return door
