"""Compiles one benchmark task with UCMoH: a shared library with one function per candidate."""
import json
import os
import pathlib
import re

from ucmoh import gen_workload
import iree_peer

ARGUMENT = re.compile(r"%\w+: (tensor<[^>]*>)(?: \{([^}]*)\})?")
ROLES = ["lhs", "rhs", "result"]  # the arguments of gen_workload's function


def rank(tensor):
    return tensor.count("x")


def signature(text, function):
    """Argument list and result types of a function in printed IR."""
    line = re.search(rf"func\.func @{re.escape(function)}\((.*)\{{\n", text)[1]
    arguments, _, results = line.partition(") -> ")
    return ARGUMENT.findall(arguments), re.findall(r"tensor<[^>]*>", results)


def role(attributes):
    if "ucmoh.packed" in attributes:
        return "packed"
    return ROLES[int(re.search(r"ucmoh\.arg = (\d+)", attributes)[1])]


def describe(hoisted, function):
    """Describes the function and its .pack, so that ucmoh-bench can call them; see Compiled.h."""
    arguments, results = signature(hoisted, function)
    packs = f"@{function}.pack(" in hoisted
    roles = [role(attributes) for _, attributes in arguments] if packs else ROLES
    packed = signature(hoisted, f"{function}.pack")[1] if packs else []
    return {"function": function, "arguments": roles, "returns": list(map(rank, results)),
            "pack": list(map(rank, packed))}


class Compiler:
    """`options`: folders of ucmoh-opt and ucmoh-candidates (`ucmoh`) and of LLVM's tools (`llvm`), and the
    `target` as of the pass. UCMOH_HOST_CPU stands for the CPU of this machine here, too."""

    def __init__(self, task, types, options):
        self.task, self.types = task, types
        self.ucmoh, self.llvm = pathlib.Path(options.ucmoh), pathlib.Path(options.llvm)
        self.target = options.target
        self.stem = pathlib.Path(options.scratch) / f"{task['name']}.{types}.ours"

    def path(self, label, ending):
        return self.stem.with_name(f"{self.stem.name}.{label}.{ending}")

    def opt(self, *options):
        return iree_peer.run([str(self.ucmoh / "ucmoh-opt"), *map(str, options)]).stdout

    def pick(self, model):
        """The model's first choice of all legal ones."""
        source = self.path("plain", "mlir")
        source.write_text(gen_workload.function(self.task, self.types))
        printed = iree_peer.run([str(self.ucmoh / "ucmoh-candidates"), str(source),
                                 f"--target={self.target}", f"--model={model}"]).stdout
        return json.loads(printed.splitlines()[0])["choice"]

    def build(self, names, choices):
        """Compiles one function per choice; returns the paths of their descriptions."""
        source, tensorized = self.path("in", "mlir"), self.path("tensorized", "mlir")
        library = self.path("library", "so")
        source.write_text("\n".join(gen_workload.function(self.task, self.types, None, f"f{i}", choice)
                                    for i, choice in enumerate(choices)))
        tensorized.write_text(self.opt(source, f"--tensorize-with-cost-model=target={self.target}"))
        hoisted = self.opt(tensorized, "--ucmoh-hoist-weights")
        self.to_library(tensorized, library)
        return [self.write_description(i, name, choice, library, describe(hoisted, f"f{i}"))
                for i, (name, choice) in enumerate(zip(names, choices))]

    def write_description(self, index, name, choice, library, calling):
        path = self.path(index, "json")
        path.write_text(json.dumps({"name": name, "detail": choice, "library": str(library),
                                    **calling}))
        return path

    def to_library(self, tensorized, library):
        lowered, bitcode = library.with_suffix(".llvm.mlir"), library.with_suffix(".ll")
        resolve = f"ucmoh-resolve-target{{target={self.target}}}"  # loads the machine's file, if it is one
        lowered.write_text(self.opt(tensorized, f"--pass-pipeline=builtin.module({resolve},ucmoh-to-llvm)"))
        iree_peer.run([str(self.llvm / "mlir-translate"), "--mlir-to-llvmir", str(lowered), "-o",
                       str(bitcode)])
        cpu = os.environ.get("UCMOH_HOST_CPU", "native")
        iree_peer.run([str(self.llvm / "clang"), "-O3", f"-march={cpu}", "-fPIC", "-shared",
                       "-Wno-override-module", str(bitcode), "-o", str(library)])
        for path in (lowered, bitcode):
            path.unlink()
