"""From linalg to a program that can be called, by ucmoh-compile."""
import dataclasses
import numbers
import os
import typing

from . import arrays, cache, extents, library, specs, tools
from .errors import ArgumentError, CompileError, Error
from .program import Program


@dataclasses.dataclass(frozen=True)
class Options:
    """How to compile: `target` as ucmoh-compile takes it, a file of pinned choices, whether results are kept, seconds to
    search for choices, whether convolutions may be computed with fewer products, whether results lie in arguments, inputs of
    ONNX that are constants, and whether products of ONNX may quantize their rows."""

    target: str = "host"
    threads: int = 1
    choices: typing.Any = None
    keep: bool = True
    tune: float = 0
    winograd: bool = True
    in_place: bool = False
    constants: typing.Any = None
    quantize_rows: bool = False

    def __post_init__(self):
        if not isinstance(self.tune, numbers.Real) or self.tune < 0:
            raise ArgumentError(f"tune= is a number of seconds, not {self.tune!r}")
        for option in ("target", "choices"):
            file = getattr(self, option)
            if str(file).endswith((".mlir", ".jsonl")) and not os.path.isfile(file):
                raise Error(f"{option}={file}: there is no such file")

    def flags(self):
        """As ucmoh-compile takes them."""
        flags = [f"--target={self.target}", f"--threads={self.threads}"]
        flags += [] if self.winograd else ["--winograd=false"]
        return flags + ([f"--choices={self.choices}"] if self.choices else [])


def build(text, name, options, origin="the model's linalg"):
    """The library of function @name of a text in MLIR, from the cache if it is there. Errors call the text `origin`."""
    tool = tools.find("ucmoh-compile")
    files = [file for file in (options.choices, options.target) if file and str(file).endswith((".mlir", ".jsonl"))]

    def make(path):
        source = path.with_suffix(".mlir")
        source.write_text(text, encoding="utf-8")
        try:
            chosen = tune(source, path.with_suffix(".jsonl"), options) if options.tune else []
            tools.run([tool, source, f"--entry={name}", *options.flags(), *chosen, "-o", path],
                      f"@{name} cannot be compiled")
        except CompileError as error:
            raise CompileError(str(error).replace(str(source), str(origin))) from error

    tuned = [f"tuned for {options.tune} s"] if options.tune else []
    key = cache.key(text, name, *options.flags(), *tuned, cache.stamp(tool), *map(cache.stamp, files))
    path = cache.fetch(f"{key}.so", make) if options.keep else cache.make_temporary(f"{key}.so", make)
    return library.Library(path, name)


def tune(source, choices, options):
    """The flags of ucmoh-compile for what a search found, which is written to `choices`. Where the cache folder can be
    written to, it has the measurements of all models."""
    try:
        cache.folder().parent.mkdir(parents=True, exist_ok=True)
        records = [f"--records={cache.folder().parent / 'records.sqlite'}"]
    except OSError:
        records = []
    tools.run([tools.find("ucmoh-tune"), source, f"--budget={options.tune:g}s", f"--output={choices}", *records,
               *options.flags()], "it cannot be tuned")
    return [f"--choices={choices}"]


def compile_imported(imported, options):
    """The program of what an importer gave. Without a structure, what knows the results' extents is the library."""
    shared_object = build(imported.text, "main", options)
    packed = pack(shared_object, imported.weights)
    outputs = imported.outputs if imported.structure else extents.of_results(imported.inputs, imported.outputs,
                                                                             shared_object.description)
    if shared_object.is_open:
        extents.Extents(imported.inputs, outputs, shared_object.description)  # raises now, not at the first call
    return Program(shared_object, packed, imported.inputs, outputs, imported.structure, options.in_place)


def compile_text(path, name, weights, options):
    """The program of a function of a file in MLIR; its arguments have the numbers as names."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Error(f"{path} cannot be read as text: {error}") from error
    shared_object = build(text, name, options, path)
    packed = pack(shared_object, weights)
    inputs, outputs = (specs.described(shared_object.description[key]) for key in ("inputs", "outputs"))
    return Program(shared_object, packed, inputs, extents.summed(outputs, shared_object.description),
                   in_place=options.in_place)


def pack(shared_object, weights):
    """The packed weights, after each was compared with what the program wants."""
    wanted = specs.described(shared_object.description["weights"])
    if len(weights) != len(wanted):
        raise ArgumentError(f"@{shared_object.name} has {len(wanted)} weights ({', '.join(map(str, wanted))}), and "
                            f"weights= has {len(weights)}")
    kept = [plain_weight(*each) for each in zip(weights, wanted)]
    return shared_object.pack([arrays.kind_of(weight).address(weight) for weight in kept])


def plain_weight(weight, spec):
    """The weight, contiguous; raises where it is another one than the program wants."""
    kind = arrays.kind_of(weight)
    if not kind.is_plain(weight):
        raise ArgumentError(f"weight {spec.name} must be {spec}, not {type(weight).__name__}")
    found = specs.Spec(spec.name, (str(weight.dtype).removeprefix("torch."),), tuple(weight.shape))
    if found.type not in spec.types or found.shape != spec.shape:
        raise ArgumentError(f"weight {spec.name} must be {spec}, not {found}")
    return kind.contiguous(weight)
