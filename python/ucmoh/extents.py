"""Open extents: what the arguments of a call say of the shapes that a model leaves open."""
import ctypes
import dataclasses

from . import arrays
from .errors import ArgumentError, CompileError


def evaluate(extent, numbers):
    """An extent as a number: it is one, or an expression of named extents, such as "2*s0"."""
    return extent if isinstance(extent, int) else int(eval(extent, {"__builtins__": {}}, numbers))  # noqa: S307


def is_name(extent):
    """Whether an extent is a name alone."""
    return isinstance(extent, str) and extent.isidentifier()


class Extents:
    """The open extents of a compiled model, by the names in its specs and by their numbers in the library.

    Raises CompileError where the extents of a result do not follow from those of the arguments.
    """

    def __init__(self, inputs, outputs, description):
        self.inputs, self.outputs, self.description = inputs, outputs, description
        known = {extent for spec in inputs for extent in spec.shape if is_name(extent)}
        for spec in outputs:
            try:
                self.concrete(spec, dict.fromkeys(known, 1))
            except NameError as error:
                raise CompileError(f"the extents of result {spec.name} do not follow from those of the arguments "
                                   f"({error}): return a result whose shape does") from error

    def of(self, values):
        """Extents by name. What is no tensor of the right rank gives none."""
        numbers = {}
        for spec, value in zip(self.inputs, values):
            for extent, found in zip(spec.shape, getattr(value, "shape", ())):
                if is_name(extent):
                    numbers.setdefault(extent, int(found))
        return numbers

    def concrete(self, spec, numbers):
        """The spec with numbers for extents."""
        return dataclasses.replace(spec, shape=tuple(evaluate(extent, numbers) for extent in spec.shape))

    def specs(self, numbers):
        """Those of arguments and results, for these extents."""
        return [[self.concrete(spec, numbers) for spec in specs] for specs in (self.inputs, self.outputs)]

    def numbered(self, inputs, outputs):
        """The extents as the library takes them. Raises ArgumentError where they are none that it promises to take."""
        found = {}
        for kind, specs in (("inputs", inputs), ("outputs", outputs)):
            for spec, described in zip(specs, self.description[kind]):
                for dim, (name, extent) in enumerate(zip(described["shape"], spec.shape)):
                    if isinstance(name, str) and found.setdefault(name, extent) != extent:
                        raise ArgumentError(f"{spec.name}: dim {dim} has extent {extent}, and must have "
                                            f"{found[name]}, as another argument has it")
        numbers = [found[f"e{number}"] for number in range(len(self.description["extents"]))]
        for number, (extent, (least, most)) in enumerate(zip(numbers, self.description["extents"])):
            if not least <= extent <= most:
                raise ArgumentError(f"{self.place(number)} is {extent}, and the model was compiled for {least} "
                                    f"{'or more' if most == 2**63 - 1 else f'to {most}'}")
        return (ctypes.c_int64 * len(numbers))(*numbers)

    def place(self, number):
        """Where the library has this extent first."""
        for kind in ("inputs", "outputs"):
            for spec, described in zip(getattr(self, kind), self.description[kind]):
                if f"e{number}" in described["shape"]:
                    return f"the extent of {spec.name}, dim {described['shape'].index(f'e{number}')},"
        return "an extent"


def summed(outputs, description):
    """The specs of results, with the library's numbers as names, where those that it knows as sums are such."""
    sums = description.get("sums", {})
    return [dataclasses.replace(spec, shape=tuple(sums.get(extent, extent) for extent in spec.shape)) for spec in outputs]


def of_results(inputs, outputs, description):
    """The specs of results with the names that the open extents of the arguments have, by the library's numbers.

    Raises CompileError where the extents of a result do not follow from those of the arguments.
    """
    known = {number: name for spec, described in zip(inputs, description["inputs"])
             for name, number in zip(spec.shape, described["shape"]) if isinstance(number, str)}
    sums = description.get("sums", {})

    def name_of(spec, number):
        if number in sums:  # the model joins tensors
            return " + ".join(str(known.get(term, term)) for term in sums[number].split(" + "))
        if isinstance(number, str) and number not in known:
            raise CompileError(f"an extent of result {spec.name} does not follow from those of the arguments: pass "
                               "example_inputs=[array, ...] for a model of static shapes")
        return known.get(number, number)

    return [dataclasses.replace(spec, shape=tuple(name_of(spec, number) for number in described["shape"]))
            for spec, described in zip(outputs, description["outputs"])]


FRAMES_AT_MOST = 64  # a model keeps so many frames; it makes more anew


class OpenFrame:
    """Does what `arrays.Frame` does, where shapes are open: a frame for each combination of extents."""

    def __init__(self, kind, inputs, outputs, description, within=()):
        self.kind, self.count, self.within = kind, len(inputs), within
        self.extents = Extents(inputs, outputs, description)
        self.frames = {}

    def call(self, run, values, packed):
        """The status and the results of one call."""
        named = self.extents.of(values)
        key = tuple(named.items())
        frame, numbers = self.frames.get(key) or self.make(key, named, values)
        return frame.call(lambda *pointers: run(*pointers, numbers), values, packed)

    def make(self, key, named, values):
        """The frame for these extents, and the extents as the library takes them."""
        try:
            inputs, outputs = self.extents.specs(named)
        except NameError:  # too few arguments, or such of another rank: the frame says so
            arrays.Frame(self.kind, self.extents.inputs, []).check(values)
            raise
        frame = arrays.Frame(self.kind, inputs, outputs, self.within)
        frame.check(values)
        made = frame, self.extents.numbered(inputs, outputs)
        if len(self.frames) < FRAMES_AT_MOST:
            self.frames[key] = made
        return made
