"""torch-mlir's passes, in a process of their own, and the mark of weights."""
import contextlib
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys

from . import loops, tools
from .errors import CompileError, MissingPackage


class LoweringError(CompileError):
    """A diagnostic of torch-mlir."""


def torch_mlir_opt():
    """The tool of the package torch-mlir: beside this Python, or in PATH."""
    beside = pathlib.Path(sys.executable).parent / "torch-mlir-opt"
    found = str(beside) if beside.exists() else shutil.which("torch-mlir-opt")
    if not found:
        raise MissingPackage("this needs the package torch-mlir, whose torch-mlir-opt was found neither beside Python "
                             "nor in PATH: pip install torch-mlir")
    return found


def to_linalg(text, pipeline):
    """The text as linalg, and loops where linalg lacks an op. What torch-mlir leaves in a dialect of its own otherwise is an
    error, as is what it cannot lower."""
    lowered = run_pipeline(text, pipeline)
    if loops.DIALECT in lowered:
        lowered = loops.expand(run_pipeline(text, pipeline, "--mlir-print-op-generic"))
    if loops.DIALECT in lowered:
        raise LoweringError(left_over(run_pipeline(text, pipeline, "--mlir-print-debuginfo")))
    return lowered


def most_bytes():
    """The memory that torch-mlir may take, three quarters of the machine's or what this process may: what it folds can have
    any size, and all that runs on a machine without memory stands still."""
    most, own = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 3 // 4, resource.getrlimit(resource.RLIMIT_AS)[0]
    return most if own == resource.RLIM_INFINITY else min(most, own)


def run_pipeline(text, pipeline, *flags):
    """The text after torch-mlir's passes. They run apart, so that a crash in them, or a lack of memory, is an error."""
    most = most_bytes()
    done = run_within([torch_mlir_opt(), f"--pass-pipeline=builtin.module({pipeline})", *flags], text, most)
    if done.returncode == 0:
        return done.stdout
    if re.search("cannot allocate memory|out of memory|bad_alloc", done.stderr, re.I):
        raise LoweringError(f"torch-mlir needs more than {most / 2**30:.1f} GiB of memory: does a tensor inside of the "
                            "program have far more elements than its inputs?")
    raise LoweringError(tools.first_error(done))


def run_within(command, text, most):
    """How a process ended that got the text as input and at most so many bytes of memory."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="replace") as process:
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(process.pid, resource.RLIMIT_AS, (most, most))
        output, errors = process.communicate(text)
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


def left_over(text):
    """A diagnostic, as torch-mlir would print it, for the first op of its own dialect that has no loops."""
    op = rf"{re.escape(loops.DIALECT)}(?!yield|{'|'.join(loops.FORMS)})\w+"
    name = re.search(op, text).group(0)
    # The location stands behind the op, at the end of its line or of its region.
    found = re.search(rf"{op}(?:[^\n]*|.*?\n    }}(?: -> [^\n]*?)?) loc\((#\w+)\)\n", text, re.S)
    place = found and re.search(rf"^{found.group(1)} = loc\((.*)\)$", text, re.M)
    return f"{place.group(1) if place else '<unknown>'}: error: '{name}' has no form in linalg"


WEIGHT = "ucmoh.weight"
#: Bounds that let bytes be packed or multiplied in a better way: two of 4 bits lie in one byte, and two products of an
#: unsigned byte with one of 7 bits fit into 16 bits, as CPUs without VNNI add them.
NARROW = ((-8, 7), (-64, 64))


def promise(ranges):
    """The attribute for what is promised of an argument's open extents, [(least, most)]."""
    bounds = ", ".join(str(bound) for each in ranges for bound in each)
    return f"ucmoh.assume = array<i64: {bounds}>" if bounds else ""


def mark_weight(values):
    """The attribute of a weight's argument. It says of bytes whether they are integers of 4 or of 7 bits."""
    if str(values.dtype).rpartition(".")[2] != "int8" or not len(values.reshape(-1)):
        return WEIGHT
    bounds = (f", ucmoh.range = array<i64: {low}, {high}>" for low, high in NARROW
              if low <= values.min() and values.max() <= high)
    return WEIGHT + next(bounds, "")


def mark_arguments(text, marks):
    """Gives arguments of the only function an attribute each, or none where it is empty."""
    def mark(match):
        attribute = marks[int(match.group(1))]
        return f"{match.group(0)} {{{attribute}}}" if attribute else match.group(0)

    head, function, rest = text.partition("func.func @main(")
    arguments, end, rest = rest.partition(") -> ")
    if not (function and end):
        raise CompileError("torch-mlir gave no function @main with results")
    return head + function + re.sub(r"%arg(\d+): tensor<[^>]*>", mark, arguments) + end + rest
