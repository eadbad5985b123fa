"""A compiled model that can be called."""
import ctypes
from collections.abc import Mapping

from . import archive, arrays, errors, explain, extents, library, specs


class Program:
    """A compiled model. Call it with the tensors or arrays that the model takes.

    Arguments are read where they lie, those of other libraries by DLPack; one that is not contiguous is copied first
    (`.contiguous()`). Results are new tensors where the first argument is a tensor, and NumPy arrays otherwise. Calls may
    overlap in several threads. A model that was compiled with `in_place` gives arguments that it has changed.
    """

    def __init__(self, shared_object, packed, inputs, outputs, structure=None, in_place=False):
        self.library = shared_object
        self.packed = packed  # memory and its address
        self.inputs, self.outputs = specs.with_places(inputs, shared_object.description["inputs"]), outputs
        self.structure = structure
        self.within = specs.within(shared_object.description) if in_place else []
        self.frames = {}

    def __call__(self, *args, **kwargs):
        if self.structure is None:
            results = self.call_flat(self._positional(args, kwargs))
            return results[0] if len(results) == 1 else tuple(results)
        return self.structure.unflatten(self.call_flat(self.structure.flatten(args, kwargs)))

    def call_flat(self, values):
        """The list of results for the list of arguments."""
        frame = self._frame(self._wants_tensors(values))
        status, results = frame.call(self.library.run, values, self.packed[1])
        if status != 0:
            library.check(status, self.library.name)
        return results

    def _wants_tensors(self, values):
        return arrays.is_tensor(values[0]) if values else self.structure is not None

    def _frame(self, is_of_torch):
        if is_of_torch not in self.frames:
            kind = arrays.kind(is_of_torch)
            self.frames[is_of_torch] = (
                extents.OpenFrame(kind, self.inputs, self.outputs, self.library.description, self.within)
                if self.library.is_open else arrays.Frame(kind, self.inputs, self.outputs, self.within))
        return self.frames[is_of_torch]

    def _positional(self, args, kwargs):
        """Arguments by keyword go where the name of the input says."""
        if not kwargs:
            return args
        rest = [spec.name for spec in self.inputs[len(args):]]
        if set(rest) != set(kwargs):
            raise errors.ArgumentError(f"the inputs {', '.join(rest)} are expected, and {', '.join(kwargs)} were given")
        return [*args, *(kwargs[name] for name in rest)]

    def run(self, names, feeds=None):
        """As a session of ONNX Runtime: run(names or None, {input: array}) gives the list of results."""
        if feeds is None:
            names, feeds = None, names
        if isinstance(names, str) or not isinstance(feeds, Mapping):
            raise errors.ArgumentError('run takes a list of names and a dictionary of arrays: run(["y"], {"x": array})')
        known = {spec.name: index for index, spec in enumerate(self.outputs)}
        unknown = [name for name in names or () if name not in known]
        if unknown:
            raise errors.ArgumentError(f"there is no output {', '.join(unknown)}, only {', '.join(known)}")
        results = self.call_flat(self._positional((), feeds))
        return results if names is None else [results[known[name]] for name in names]

    def explain(self):
        """The choices that were made: a list of dictionaries with op, workload, choice and predicted_seconds."""
        return explain.explanation(self.library.description)

    def packed_weights(self):
        """The packed weights as bytes."""
        return ctypes.string_at(self.packed[1], self.library.packed_bytes())

    def save(self, path):
        """Writes the compiled model and its packed weights into one file, which `ucmoh.load` reads."""
        archive.write(self, path)

    def __repr__(self):
        return (f"ucmoh.Program(@{self.library.name} for {self.library.description['target']}: "
                f"{', '.join(map(str, self.inputs))} -> {', '.join(map(str, self.outputs))})")


def load(path):
    """The program that `Program.save` wrote. It needs neither the model, nor torch-mlir, nor UCMoH's tools.

    Raises Error for a file that is none, WrongCpu where this CPU lacks an instruction that the program needs.
    """
    return Program(*archive.read(path))
