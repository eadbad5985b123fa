"""From ONNX to linalg, by torch-mlir's importer, which needs no PyTorch.

    python -m ucmoh.onnx_import MODEL.onnx OUT.mlir

writes linalg whose weights are arguments, as `ucmoh-run MODEL.onnx` reads it.
"""
import dataclasses
import graphlib
import pathlib
import re
import sys

from . import (experts, lowering, onnx_bodies, onnx_borders, onnx_cache, onnx_columns, onnx_functions, onnx_lines, onnx_narrow, onnx_operators, onnx_pixels,
               onnx_sequences, onnx_shapes, onnx_sums, onnx_weights, recurrences, torch_calls, torch_scatter)
from .arrays import package
from .errors import ArgumentError, CompileError, Error
from .imported import Imported
from .specs import Spec

UNLISTED = 4  # the version of ONNX's format since which constants are no inputs
LEGAL = "legal-ops=aten.flatten.using_ints,aten.unflatten.int"
TO_LINALG = "torch-backend-to-linalg-on-tensors-backend-pipeline"
PIPELINE = f"inline,symbol-dce,torch-onnx-to-torch-backend-pipeline{{backend-{LEGAL}}},{TO_LINALG}"
#: The same without inference of shapes, which takes most of the time, and finds nothing where ONNX's has found all.
STATIC_PIPELINE = (
    f"inline,symbol-dce,func.func(convert-torch-onnx-to-torch,torch-decompose-complex-ops{{{LEGAL}}},canonicalize,torch-scalarize-shapes),"
    f"torch-refine-public-return,func.func(canonicalize,torch-decompose-complex-ops{{{LEGAL}}},canonicalize),{TO_LINALG}")


def import_file(path, examples=None, in_place=False, constants=None, quantize_rows=False):
    """An ONNX file as linalg. What `examples`, a list or a dictionary of arrays, gives no number stays open. With
    `in_place`, caches have room for more words, and stay where they are. Inputs that `constants` names are no inputs.
    With `quantize_rows`, products with narrow weights may round their rows where the file says nothing of it."""
    onnx = package("onnx")
    try:
        model = onnx.load(path)
    except Exception as error:  # protobuf and the file system raise their own kinds
        raise CompileError(f"{path} cannot be read as ONNX: {type(error).__name__}: {error}") from error
    if not model.graph.output:
        raise CompileError(f"{path} has no results, so that there is nothing to compile")
    if quantize_rows:
        onnx_narrow.quantize_rows(model)
    unlist_constants(model)
    fix_inputs(model.graph, constants or {})
    sort_nodes(model.graph)
    drop_identities(model.graph)
    name_results(model.graph)
    fix_shapes(model.graph, examples)
    if in_place:
        onnx_cache.share(model.graph)
    return onnx_bodies.expand_refused(model, lower)


def lower(model):
    """A model with sorted and named nodes as linalg; changes it."""
    name_nodes(model.graph)
    onnx_shapes.fold_tables(model)
    model = onnx_columns.rewrite(onnx_borders.rewrite(onnx_sequences.rewrite(model)))
    model = onnx_operators.rewrite(onnx_pixels.rewrite(model))
    model = onnx_lines.rewrite(onnx_functions.rewrite(model))
    model = onnx_sums.rewrite(model)
    inputs = [named(spec_of(value)) for value in model.graph.input]
    model, weights = onnx_weights.lift(model)
    model = onnx_shapes.infer_shapes(model)
    model = onnx_operators.compare_as_numbers(model)
    refuse_unknown(model.graph)
    outputs = [spec_of(value) for value in model.graph.output]
    marks = [""] * len(inputs) + [lowering.mark_weight(weight) for weight in weights]
    text = lowering.mark_arguments(to_linalg(model), marks)
    return Imported(text, weights, inputs, outputs)


def unlist_constants(model):
    """Takes constants from the inputs, among which models of the third version of ONNX's format and older ones list them.
    The newer version is that of a file: operators stay those of its opset."""
    constants = {tensor.name for tensor in model.graph.initializer}
    inputs = [value for value in model.graph.input if value.name not in constants]
    onnx_weights.replace(model.graph.input, inputs)
    model.ir_version = max(model.ir_version, UNLISTED)


def fix_inputs(graph, constants):
    """Makes inputs constants, by name. One number stands for a tensor of one element."""
    numpy, helper, numbers = package("numpy"), package("onnx").helper, {}
    inputs = {value.name: value for value in graph.input}
    for name, given in constants.items():
        if name not in inputs:
            raise ArgumentError(f"constants= names {name}, which is no input: inputs are {', '.join(inputs)}")
        tensor = inputs[name].type.tensor_type
        array = numpy.asarray(given, helper.tensor_dtype_to_np_dtype(tensor.elem_type))
        array = array.reshape([1] * len(tensor.shape.dim)) if array.size == 1 else array
        numbers |= fix_shape(inputs[name], array)
        graph.initializer.append(package("onnx").numpy_helper.from_array(array, name))
        graph.input.remove(inputs[name])
    fix_names(graph, numbers)


def sort_nodes(graph):
    """Puts nodes behind those whose results they read, as ONNX wants them: ONNX Runtime takes, and writes, any order."""
    nodes = list(graph.node)
    makers = {name: number for number, node in enumerate(nodes) for name in node.output if name}
    before = {number: {makers[name] for name in onnx_shapes.read_by(node) if name in makers} for number, node in enumerate(nodes)}
    if all(number > other for number, others in before.items() for other in others):
        return
    try:
        order = list(graphlib.TopologicalSorter(before).static_order())
    except graphlib.CycleError as error:
        raise CompileError(f"{described(nodes[error.args[1][0]])}: its operands depend on its results") from error
    order = [type(nodes[number]).FromString(nodes[number].SerializeToString()) for number in order]
    del graph.node[:]
    graph.node.extend(order)


def drop_identities(graph):
    """Takes out nodes that give a value or a constant another name, but for results: exporters share constants so."""
    results, names, kept = {value.name for value in graph.output}, {}, []
    for node in graph.node:
        if node.op_type == "Identity" and not node.domain and node.output[0] not in results:
            names[node.output[0]] = names.get(node.input[0], node.input[0])
        else:
            kept.append(node)
    if names:
        onnx_weights.replace(graph.node, kept)
        rename(graph.node, names)


def rename(nodes, names):
    """Reads values under other names, also in the bodies of nodes."""
    for node in nodes:
        onnx_weights.replace(node.input, [names.get(name, name) for name in node.input])
        for body in (attribute.g for attribute in node.attribute if attribute.HasField("g")):
            rename(body.node, names)
            for value in body.output:
                value.name = names.get(value.name, value.name)


def name_nodes(graph):
    """Names nodes without a name by what they give, since diagnostics name nodes."""
    for node in graph.node:
        node.name = node.name or next(filter(None, node.output), node.op_type)


def name_results(graph):
    """Gives a value that is several results a name for each: torch-mlir takes names once. PyTorch's exporter repeats them."""
    names = set()
    for value in graph.output:
        given, number = value.name, 1
        while value.name in names:
            number += 1
            value.name = f"{given}.{number}"
        names.add(value.name)
        if number > 1:
            graph.node.append(package("onnx").helper.make_node("Identity", [given], [value.name], name=value.name))


def fix_shapes(graph, examples):
    """Sets the extents of the inputs to those of the examples."""
    values = list(graph.input)
    if examples is None:
        return
    if hasattr(examples, "shape"):  # one array
        examples = [examples]
    names = [value.name for value in values]
    if not isinstance(examples, dict):
        examples = {each: array for each, array in zip([*names, *range(len(examples))], examples)}
    if set(examples) != set(names):
        raise ArgumentError(f"example_inputs are {len(examples)} arrays, and the inputs are {', '.join(names)}")
    numbers = {}
    for value in values:
        numbers |= fix_shape(value, examples[value.name])
    fix_names(graph, numbers)


def fix_names(graph, numbers):
    """Gives open extents of these names their numbers."""
    for value in [*graph.input, *graph.value_info, *graph.output]:
        for extent in value.type.tensor_type.shape.dim:
            if extent.dim_param in numbers:
                extent.dim_value = numbers[extent.dim_param]


def fix_shape(value, example):
    """Sets the open extents of an input to those of an array; gives these by the names that they had. Raises ArgumentError
    where it does not fit."""
    declared, spec, found = value.type.tensor_type.shape.dim, spec_of(value), getattr(example, "shape", None)
    known = dict(enumerate(spec.shape))
    if found is None or len(found) != len(known) or any(isinstance(known[dim], int) and known[dim] != extent
                                                       for dim, extent in enumerate(found)):
        said = type(example).__name__ if found is None else list(found)
        raise ArgumentError(f"the example for input {value.name} must be {spec}, not {said}")
    numbers = {extent.dim_param: number for extent, number in zip(declared, found) if extent.dim_param}
    for extent, number in zip(declared, found):
        extent.dim_value = number
    return numbers


def spec_of(value):
    """The Spec of a declared input or result. Open extents are what the file calls them, or "?"."""
    onnx, tensor = package("onnx"), value.type.tensor_type
    if not tensor.elem_type:
        raise CompileError(f"{value.name} is no tensor of a known type")
    extents = [extent.dim_value if extent.HasField("dim_value") else extent.dim_param or "?"
               for extent in tensor.shape.dim]
    return Spec(value.name, (onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type).name,), tuple(extents))


def named(spec):
    """The spec of an input with names for open extents that are Python's, too: x_0 for the first of x without one."""
    def name_of(dim, extent):
        name = f"{spec.name}_{dim}" if extent == "?" else extent
        return re.sub(r"\W", "_", name) if isinstance(extent, str) else extent

    return dataclasses.replace(spec, shape=tuple(name_of(*each) for each in enumerate(spec.shape)))


def to_linalg(model):
    """torch-mlir's linalg; an error names the node and the op."""
    text = raw_import(model)
    try:
        return static_linalg(model.graph, text) or lowering.to_linalg(text, PIPELINE)
    except lowering.LoweringError as error:
        raise refusal(str(error), model.graph) from error


def static_linalg(graph, text):
    """The same without inference of shapes; None where an extent is open, or torch-mlir needs to know more."""
    if any(onnx_shapes.static_shape(value) is None for value in (*graph.input, *graph.output)):
        return None
    try:
        lowered = lowering.to_linalg(text, STATIC_PIPELINE)
    except lowering.LoweringError:
        return None
    return None if "?" in lowered else lowered


def raw_import(model):
    """The graph in torch-mlir's own dialect, as @main."""
    ir, dialect = package("torch_mlir.ir"), package("torch_mlir.dialects.torch")
    importer = package("torch_mlir.extras.onnx_importer")
    context = ir.Context()
    dialect.register_dialect(context)
    info = importer.ModelInfo(model)
    module = info.create_module(context=context).operation
    try:
        importer.NodeImporter.define_function(info.main_graph, module).import_all()
        module.verify()
    except Exception as error:  # torch-mlir raises many kinds
        raise CompileError(f"torch-mlir cannot import the ONNX graph: {str(error).splitlines()[0]}") from error
    module.regions[0].blocks[0].operations[0].attributes["sym_name"] = ir.StringAttr.get("main", context)
    torch_scatter.rewrite(module)
    functions = torch_calls.call(module, experts.BODIES | recurrences.BODIES)
    return torch_calls.insert(functions, module.get_asm(enable_debug_info=True))


def refuse_unknown(graph):
    """An error for an op that ONNX does not know, and of whose results no type is known, and for results without a type."""
    has = package("onnx").defs.has
    typed = {value.name for value in (*graph.value_info, *graph.output) if value.type.tensor_type.elem_type}
    results = {value.name for value in graph.output}
    for node in graph.node:
        unknown = set(filter(None, node.output)) - typed
        if unknown and not has(node.op_type, node.domain):
            raise CompileError(f"{described(node)}: it has no form here; export the model without optimizations of other "
                               "programs, or write it with ops of ONNX")
        if unknown & results:
            raise CompileError(f"{described(node)}: the type of its result {min(unknown & results)} is not known; export "
                               "the model with types")


def described(node):
    """The node as diagnostics name it."""
    return f"node '{node.name}', op {node.op_type}" + (f" of {node.domain}" if node.domain else "")


def refusal(message, graph):
    """torch-mlir's diagnostic with the node that it is about, whose name is the location."""
    has, message = package("onnx").defs.has, message.partition(": %")[0]
    remedy = "; write it with other ops of ONNX" if "failed to legalize operation" in message else ""
    blamed = [node for node in graph.node if node.name and f'"{node.name}"' in message]
    blamed += [node for node in graph.node if any(name and f'"{name}"' in message for name in node.input)]
    if blamed and blamed[0].op_type == "If":
        remedy = "; if its condition is an input, pass constants={name: value} to compile one of its parts"
    if blamed:
        return onnx_bodies.RefusedNode(f"{described(blamed[0])}: torch-mlir cannot lower it: {message}{remedy}",
                                       (blamed[0].domain, blamed[0].op_type))
    foreign = next((f"{described(node)}: with it, " for node in graph.node
                    if not has(node.op_type, node.domain)), "")
    return CompileError(f"{foreign}torch-mlir cannot lower the model: {message}")


def main():
    """The command line."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        pathlib.Path(sys.argv[2]).write_text(import_file(sys.argv[1]).text, encoding="utf-8")
    except Error as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
