"""Compiles one benchmark task with UCMoH to shared libraries, one per candidate."""
import json
import pathlib
import re
import subprocess

import gen_workload
import iree_peer

ARGUMENT = re.compile(r"%\w+: (tensor<[^>]*>)(?: \{([^}]*)\})?")
CHOICE = re.compile(r"#ucmoh\.choice<[^>]*>")
ROLES = ["lhs", "rhs", "result"]  # the arguments of gen_workload's @f


def rank(tensor):
    return tensor.count("x")


def signature(text, function):
    """Argument list and result types of a function in printed IR."""
    line = re.search(rf"func\.func @\"?{re.escape(function)}\"?\((.*)\{{\n", text)[1]
    arguments, _, results = line.partition(") -> ")
    return ARGUMENT.findall(arguments), re.findall(r"tensor<[^>]*>", results)


def role(attributes):
    if "ucmoh.packed" in attributes:
        return "packed"
    return ROLES[int(re.search(r"ucmoh\.arg = (\d+)", attributes)[1])]


def describe(hoisted):
    """What ucmoh-bench must know to call @f and @f.pack; see Compiled.h."""
    arguments, results = signature(hoisted, "f")
    packs = '@f.pack' in hoisted
    roles = [role(attributes) for _, attributes in arguments] if packs else ROLES
    return {"function": "f", "arguments": roles, "returns": [rank(result) for result in results],
            "pack": [rank(result) for result in signature(hoisted, "f.pack")[1]] if packs else []}


class Compiler:
    def __init__(self, task, types, arguments):
        self.ucmoh, self.llvm = pathlib.Path(arguments.ucmoh), pathlib.Path(arguments.llvm)
        self.stem = pathlib.Path(arguments.scratch) / f"{task['name']}.{types}.ours"
        self.source = gen_workload.module(task, types)

    def path(self, label, ending):
        return self.stem.with_name(f"{self.stem.name}.{label}.{ending}")

    def opt(self, *options):
        return iree_peer.run([str(self.ucmoh / "ucmoh-opt"), *map(str, options)]).stdout

    def build(self, label, options=""):
        """Compiles with the given options of the pass and returns the path of the description."""
        source, tensorized = self.path(label, "in.mlir"), self.path(label, "mlir")
        library, description = self.path(label, "so"), self.path(label, "json")
        source.write_text(self.source)
        tensorized.write_text(self.opt(source, f"--tensorize-with-cost-model={options}"))
        choice = CHOICE.search(tensorized.read_text())
        if not choice:
            raise iree_peer.Failure("no kernel was made")
        self.to_library(tensorized, library)
        content = {"name": label, "detail": choice[0], "library": str(library),
                   **describe(self.opt(tensorized, "--ucmoh-hoist-weights"))}
        description.write_text(json.dumps(content))
        return description

    def to_library(self, tensorized, library):
        lowered, bitcode = library.with_suffix(".llvm.mlir"), library.with_suffix(".ll")
        lowered.write_text(self.opt(tensorized, "--ucmoh-to-llvm"))
        iree_peer.run([str(self.llvm / "mlir-translate"), "--mlir-to-llvmir", str(lowered), "-o",
                       str(bitcode)])
        iree_peer.run([str(self.llvm / "clang"), "-O3", "-march=native", "-fPIC", "-shared",
                       "-Wno-override-module", "-L" + str(self.llvm / "../lib"), "-Wl,-rpath," + str((self.llvm / "../lib").resolve()), "-lmlir_c_runner_utils", str(bitcode), "-o", str(library)])
