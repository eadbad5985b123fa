"""`ucmoh.compile`: one function for all that can be compiled."""
import contextlib
import contextvars
import os
import pathlib
from collections.abc import Mapping

from . import compiler
from .arrays import is_tensor, package
from .errors import ArgumentError, Error

THREADS_AT_MOST = 1024  # as of ucmoh-compile
THREADS = contextvars.ContextVar("threads", default=1)


@contextlib.contextmanager
def threads(count):
    """Models that are compiled in this context may use so many threads for one kernel: 1 to 1024."""
    if not isinstance(count, int) or not 1 <= count <= THREADS_AT_MOST:
        raise ArgumentError(f"threads() takes a whole number from 1 to {THREADS_AT_MOST}, not {count!r}")
    token = THREADS.set(count)
    try:
        yield
    finally:
        THREADS.reset(token)


def compile(model, example_inputs=None, example_kwargs=None, *, target="host", choices=None, tune=0, winograd=True,
            entry="main", weights=(), keep=True, in_place=False, constants=None,
            quantize_rows=False):  # noqa: A001 (the name that users of torch.compile expect)
    """Compiles a model for this CPU and gives a callable.

    model: a torch.nn.Module or ExportedProgram; the path of an ONNX file or of linalg in MLIR (.mlir).
    example_inputs, example_kwargs: arguments of the module, whose shapes and types are compiled for; one tensor, a
        sequence, or a mapping of keywords. For ONNX, arrays that give numbers to extents which the file leaves open;
        without them these stay open.
    target: as of ucmoh-compile: host, names of targets joined by +, or a target file.
    choices: a JSONL file of choices that override the cost model.
    tune: seconds to search for faster choices, by measuring on this machine, instead of `choices`. What was found is
        kept with the compiled code, and what was measured in the cache folder, for all models.
    winograd: whether convolutions of 3 x 3 pixels may be computed with fewer products, where the cost model predicts
        that it pays. Results of floats then differ by rounding.
    entry, weights: of MLIR only: the function, and arrays for its arguments marked ucmoh.weight.
    keep: whether the compiled code is kept in the cache folder.
    in_place: whether results that are arguments with parts replaced, as caches of keys and values are, lie in the
        memory of these arguments: a call then changes them, and gives them as its results. In an ONNX file, caches of
        GroupQueryAttention then have room for more words than are known, and stay as large as they are.
    constants: of ONNX only: a mapping from names of inputs to what they always are. Such inputs are none of the callable's.
        A flag by which a model chooses between two parts has to be one, as of decoders that were merged.
    quantize_rows: of ONNX only: whether a MatMulNBits without an accuracy level may quantize its rows to 8 bits, which is
        faster where there are many. Results then differ by what rows lose.

    The weights are packed now: later changes of the module's parameters are not seen.
    """
    if (len(weights) or entry != "main") and not str(model).endswith(".mlir"):
        raise Error("weights= and entry= are for files in MLIR: the weights of other models are their own")
    if constants and not str(model).endswith(".onnx"):
        raise Error("constants= is for inputs of ONNX files: give a module of PyTorch its constants as attributes")
    if quantize_rows and not str(model).endswith(".onnx"):
        raise Error("quantize_rows= is for MatMulNBits of ONNX files: other models say themselves what they quantize")
    if tune and choices:
        raise Error("tune= searches for choices, and choices= gives them: pass one of the two")
    options = compiler.Options(target, THREADS.get(), choices, keep, tune, winograd, in_place, constants,
                               quantize_rows)
    if isinstance(model, (str, os.PathLike)):
        return compile_file(pathlib.Path(model), example_inputs, entry, weights, options)
    torch = package("torch")
    if not isinstance(model, (torch.nn.Module, torch.export.ExportedProgram)):
        raise Error(f"{type(model).__name__} cannot be compiled: pass a torch.nn.Module, an ExportedProgram, or the "
                    "path of a file .onnx or .mlir")
    if example_inputs is None and example_kwargs is None and isinstance(model, torch.nn.Module):
        raise Error("example inputs are needed: ucmoh.compile(model, (x,))")
    from .torch_import import import_module
    return compiler.compile_imported(import_module(model, *examples(example_inputs, example_kwargs)), options)


def examples(inputs, kwargs):
    """Arguments by position and by keyword. One tensor may stand for itself, and a mapping for keywords."""
    if isinstance(inputs, Mapping):
        return (), {**inputs, **(kwargs or {})}
    return ((inputs,) if is_tensor(inputs) else tuple(inputs or ())), kwargs


def compile_file(path, example_inputs, entry, weights, options):
    """The program of a file, by its suffix."""
    if not path.exists():
        raise Error(f"{path} does not exist")
    if path.suffix == ".onnx":
        from .onnx_import import import_file
        return compiler.compile_imported(import_file(path, example_inputs, options.in_place, options.constants,
                                                     options.quantize_rows), options)
    if path.suffix == ".mlir":
        return compiler.compile_text(path, entry, weights, options)
    raise Error(f"{path} is neither .onnx nor .mlir")
