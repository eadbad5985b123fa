"""Compiles a model with the stock iree-compile and code of UCMoH inside."""
import json
import os
import pathlib
import platform
import re
import shlex
import sys

from .. import tools
from ..errors import CompileError
from .installation import Installation, scratch_beside

#: Where nothing is said of the device: this CPU.
HOST = ["--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu",
        "--iree-llvmcpu-target-cpu=host"]

#: How IREE prints a program that MLIR of another version reads, with the places of the model's own ops.
PRINTED = ["--mlir-print-op-generic", "--mlir-print-debuginfo"]

#: IREE evaluates at compile time what makes constants larger by 1 MB at most, and what packs weights may make them larger:
#: else it would pack them in each call.
EVALUATED = "--iree-opt-const-expr-max-size-increase-threshold"


def with_device(flags):
    """The flags of iree-compile, with this CPU as the device where they name none."""
    named = any(flag.startswith(("--iree-hal-target-", "--iree-hal-local-target-")) for flag in flags)
    return list(flags) if named else HOST + list(flags)


def check_target(target, flags):
    """Raises CompileError where `flags` name another architecture than this CPU's, and `target` is this CPU."""
    triple = triple_of(flags)
    if target == "host" and triple.split("-")[0] != platform.machine():
        raise CompileError(f"IREE compiles for {triple}: --target says what of ucmoh's that is, such as "
                           "--target=aarch64_dotprod; docs/generated/targets.md lists them")


def triple_of(flags):
    """Returns what IREE compiles for: an architecture, or all of the triple."""
    triples = [flag.split("=")[1] for flag in flags if flag.startswith("--iree-llvmcpu-target-triple=")]
    return triples[-1] if triples else platform.machine()


class Door:
    """One compilation: what was done for each contraction, and the command that does it again."""

    def __init__(self, model, output, flags=(), work=None, target="host", group="network", workgroups=1):
        """`work` keeps the files that the command needs (default: OUTPUT.ucmoh); `target`, `group` and
        `workgroups` are those of ucmoh-translate."""
        self.model, self.output = pathlib.Path(model), pathlib.Path(output)
        self.flags = with_device(flags)
        check_target(target, flags)
        self.work = pathlib.Path(work) if work else self.output.with_name(self.output.name + ".ucmoh")
        self.options = [f"--target={target}", f"--group={group}", f"--workgroups={workgroups}"]
        self.iree = Installation()
        self.report = {}

    def translate(self):
        """Writes the program, as IREE has it before its passes, with dispatches of our code in it."""
        self.translate_dump("abi", "--to-iree-module")
        for dispatch in self.report["dispatches"]:
            if dispatch["triple"].split("-")[0] != triple_of(self.flags).split("-")[0]:
                raise CompileError(f"the code is for {dispatch['triple']}, and IREE compiles for {triple_of(self.flags)}: "
                                   f"--iree-llvmcpu-target-triple={dispatch['triple']} says the same to it")

    def translate_dump(self, phase, form):
        """Writes module.mlir and report.json of what IREE prints at the phase."""
        with scratch_beside(self.output) as scratch:
            dump = scratch / "program.mlir"
            self.iree.run(self.model, dump, [*self.flags, f"--compile-to={phase}", *PRINTED], self.model)
            tools.run([tools.find("ucmoh-translate"), form, dump, f"--output={scratch}", *self.iree.spelling(),
                       *self.options], self.model)
            self.work.mkdir(parents=True, exist_ok=True)
            for name in ("module.mlir", "report.json"):
                os.replace(scratch / name, self.work / name)
        self.report = json.loads((self.work / "report.json").read_text())

    def module_command(self):
        """The model or flags of iree-compile for what was translated, as its arguments."""
        if not self.report["dispatches"]:
            return self.model, self.flags
        given = any(flag.startswith(EVALUATED) for flag in self.flags)
        evaluated = [] if given else [f"{EVALUATED}={1 << 40}"]
        return self.work / "module.mlir", [*self.flags, "--compile-from=abi", "--iree-hal-link-executables=false", *evaluated]

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
            done += f" by {dispatch['workgroups']} workgroups" if dispatch["workgroups"] > 1 else ""
            for op in dispatch["contractions"]:
                yield f"{dispatch['name']}: {op['workload']}: {op['intrinsic'] or 'plain loops'}, {done}"
        yield from self.explain_left()

    def explain_left(self):
        """A line for each contraction of which nothing was done."""
        for left in self.report["left"]:
            yield f"left to IREE: {left['op']} at {place_of(left['location'])}: {left['reason']}"


def place_of(location):
    """"FILE:LINE" of an MLIR location."""
    found = re.search(r'"([^"]+)":(\d+)', location)
    return f"{found[1]}:{found[2]}" if found else location
