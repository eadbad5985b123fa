"""From a module of PyTorch to linalg: torch.export, then torch-mlir."""
import re

from . import (attention, complex_numbers, constants, decompositions, lowering, quantized, torch_bytes, torch_calls,
               experts, torch_extents, torch_recurrent, torch_samples)
from .arrays import package
from .errors import CompileError
from .imported import Imported
from .specs import Spec
from .structure import Structure

PIPELINE = ("inline,symbol-dce,func.func(torch-match-quantized-custom-ops),torchdynamo-export-to-torch-backend-pipeline,"
            "torch-backend-to-linalg-on-tensors-backend-pipeline")
CONTROL_FLOW = ("cond", "while_loop", "map", "scan")  # operators of PyTorch with graphs of their own


def import_module(module, args, kwargs=None):
    """A module of PyTorch, or an exported program, as linalg."""
    package("torch_mlir")  # before what takes long
    program = export(module, tuple(args), dict(kwargs or {}))
    refuse_masks(program.graph)
    table = decompositions.table() | quantized.table() | torch_samples.table()
    own, said = {node.target for node in program.graph.nodes}, None
    while True:
        try:
            return lower(module, program, table)
        except CompileError as error:
            op = getattr(error, "op", None)
            if said is None or op in own:  # and not in what another op was taken apart to
                said = error
            taken_apart = by_pytorch([op] if op else own, table) if isinstance(error, RefusedOp) else {}
            if not taken_apart:
                raise explained(said, program) from said
            table |= taken_apart


def explained(error, program):
    """The error, or the reason for it if the model asks for what compiled models never have."""
    torch = package("torch")
    for node in program.graph.nodes:
        if getattr(node.target, "__name__", "") in CONTROL_FLOW and isinstance(node.target, torch._ops.HigherOrderOperator):
            return CompileError(f"{place_of(node)} calls torch.{node.target.__name__}, and compiled models have no branches and no "
                                "loops that depend on data: compute all sides and choose with torch.where")
        if has_size_of_data(node):
            return size_of_data(node, f" ({error})")
    return error


def size_of_data(node, said=""):
    """The error about an op whose result has a size that depends on the data."""
    return CompileError(f"{place_of(node)}, op {node.target}: the size of its result depends on the data, and compiled models "
                        f"know all sizes: compute all elements and choose with torch.where{said}")


def refuse_masks(graph):
    """Raises CompileError for elements that a mask selects, not for those at places that are listed.

    torch-mlir would crash at a mask, or take all memory.
    """
    torch = package("torch")

    def is_mask(place):
        return place is not None and place.meta["val"].dtype == torch.bool

    for node in graph.nodes:
        if node.target == torch.ops.aten.index.Tensor and any(map(is_mask, node.args[1])):
            raise size_of_data(node)


def has_size_of_data(node):
    """Whether the result has an extent that nobody knows before it is computed."""
    torch, value = package("torch"), node.meta.get("val")
    return torch.is_tensor(value) and bool(package("torch.fx.experimental.symbolic_shapes").free_unbacked_symbols(value.shape))


def by_pytorch(ops, table):
    """PyTorch's own ways to take ops apart, for those that the table lacks."""
    ops = [op for op in ops if isinstance(op, package("torch")._ops.OpOverload) and op not in table]
    composed = package("torch").export.default_decompositions()
    return package("torch._decomp").get_decompositions(ops) | {op: composed[op] for op in ops if op in composed}


class RefusedOp(CompileError):
    """An op of PyTorch that torch-mlir cannot lower; None where it does not say which."""

    def __init__(self, message, op):
        super().__init__(message)
        self.op = op


def lower(module, program, table):
    """An exported program as linalg, with ops taken apart by a table of functions."""
    try:
        program = program.run_decompositions(table)
    except CompileError:
        raise
    except Exception as error:  # PyTorch raises many kinds
        raise CompileError(f"PyTorch cannot decompose {type(module).__name__}: {first_line(error)}") from error
    refuse_mutations(program.graph_signature)
    program = package("torch.export._remove_effect_tokens_pass")._remove_effect_tokens(program)
    graph, weights = program.graph_module, weights_of(program)
    drop_assertions(graph.graph)
    constants.fold(graph, weights)
    complex_numbers.expand(graph, weights)
    attention.expand(graph, weights)
    torch_bytes.expand(graph.graph)
    constants.fold(graph, weights)
    keep_borders_apart(graph.graph)
    torch_extents.expand(graph)
    inputs, input_leaves = inputs_of(program)
    outputs, output_leaves = outputs_of(graph)
    if not outputs:
        raise CompileError(f"{type(module).__name__} returns no tensor, so that there is nothing to compile")
    specs = {spec.name: spec for spec in inputs}
    drop_unused(graph, set(specs))
    structure = Structure(program.call_spec.in_spec, input_leaves, program.call_spec.out_spec, output_leaves)
    nodes = [node.name for node in graph.graph.nodes if node.op == "placeholder"]
    ranges = ranges_of(program)
    marks = [lowering.mark_weight(weights[name]) if name in weights else lowering.promise(promised(specs[name], ranges)) if name in specs
             else "" for name in nodes]
    text = lowering.mark_arguments(to_linalg(graph), marks)
    return Imported(text, [weights[name] for name in nodes if name in weights], inputs, outputs, structure)


def export(module, args, kwargs):
    """The exported program of a module in evaluation mode."""
    torch = package("torch")
    if isinstance(module, torch.export.ExportedProgram):
        return module
    if module.training:
        raise CompileError(f"{type(module).__name__} is in training mode, and compiled models only infer: "
                           "call model.eval() first")
    try:
        with torch.no_grad():
            return torch.export.export(module, args, kwargs, strict=False)
    except Exception as error:  # PyTorch raises many kinds
        raise CompileError(f"torch.export cannot take {type(module).__name__}: {first_line(error)}"
                           f"{cause(error)}") from error


def first_line(error):
    """The kind of an error, and what it says first."""
    lines = [line for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0] if lines else ''}"


def cause(error):
    """The line of the model's own code that torch.export names in an error, if it names one."""
    found = re.search(r'^The following call raised this error:\n\s*File "(.*)", line (\d+)', str(error), re.M)
    return f" ({found.group(1)}:{found.group(2)})" if found else ""


def refuse_mutations(signature):
    """Raises CompileError where a call changes a parameter, a buffer or an argument."""
    changed = [*signature.parameters_to_mutate.values(), *signature.buffers_to_mutate.values(),
               *signature.user_inputs_to_mutate.values()]
    if changed:
        raise CompileError(f"the model changes {', '.join(changed)} when it is called, and a compiled model keeps no "
                           "state: return the new value as a result instead, or call the model once before it is "
                           "compiled if its first call alone does so")


def weights_of(program):
    """Parameters, buffers and constants, detached, by the names of their placeholders."""
    weights = {}
    for spec in program.graph_signature.input_specs:
        if spec.kind.name in ("PARAMETER", "BUFFER", "CONSTANT_TENSOR"):
            value = program.state_dict.get(spec.target)
            value = program.constants[spec.target] if value is None else value
            if not value.is_cpu:
                raise CompileError(f"{spec.target} is on {value.device}, and compiled models run on the CPU: call "
                                   "model.cpu() first")
            weights[spec.arg.name] = value.detach()
    return weights


def spec_of(name, value):
    """The Spec of a tensor of the graph."""
    extents = tuple(extent if isinstance(extent, int) else str(extent.node.expr) for extent in value.shape)
    return Spec(name, (str(value.dtype).removeprefix("torch."),), extents)


def ranges_of(program):
    """Returns what torch.export promises of named extents: {name: (least, most)}."""
    limit = 2**63 - 1
    return {str(name): (int(max(each.lower, 1)), int(min(each.upper, limit)))
            for name, each in getattr(program, "range_constraints", {}).items()}


def promised(spec, ranges):
    """The range of each open extent of an argument."""
    return [ranges.get(extent, (1, 2**63 - 1)) for extent in spec.shape if not isinstance(extent, int)]


def inputs_of(program):
    """Specs of the tensors among the module's own arguments, and a leaf for each argument."""
    nodes = {node.name: node for node in program.graph.nodes if node.op == "placeholder"}
    specs, leaves = [], []
    for each in program.graph_signature.input_specs:
        if each.kind.name != "USER_INPUT":
            continue
        if type(each.arg).__name__ == "TensorArgument":
            leaves.append({"tensor": len(specs)})
            specs.append(spec_of(each.arg.name, nodes[each.arg.name].meta["val"]))
        else:
            leaves.append({"constant": each.arg.value})
    return specs, leaves


def outputs_of(graph):
    """Specs and leaves of the results; what is no tensor leaves the graph."""
    output = next(node for node in graph.graph.nodes if node.op == "output")
    specs, leaves, kept = [], [], []
    for value in output.args[0]:
        if hasattr(value, "meta"):
            if not package("torch").is_tensor(value.meta["val"]):
                raise CompileError(f"{place_of(value)} returns the number {value.name}, which it computes, and compiled "
                                   "models return tensors: leave item() out, or wrap the number in torch.tensor()")
            leaves.append({"tensor": len(specs)})
            specs.append(spec_of(value.name, value.meta["val"]))
            kept.append(value)
        else:
            leaves.append({"constant": value})
    output.args = (tuple(kept),)
    return specs, leaves


def drop_assertions(graph):
    """Removes assertions on types, which hold for whatever is compiled, and on matrices: the inverse of a singular one has
    numbers without meaning, where PyTorch raises an error."""
    aten = package("torch").ops.aten
    for node in list(graph.nodes):
        if node.target in (aten._assert_tensor_metadata.default, aten._linalg_check_errors.default):
            graph.erase_node(node)


def keep_borders_apart(graph):
    """Changes the sign twice between a border and a transposed convolution, for the reason that onnx_borders.keep_apart
    gives. torch-mlir would leave -0 out."""
    aten = package("torch").ops.aten
    for node in graph.nodes:
        if node.target == aten.convolution.default and node.args[6] and node.args[0].target == aten.constant_pad_nd.default:
            border = apart = node.args[0]
            with graph.inserting_before(node):
                for _ in range(2):
                    apart = graph.call_function(aten.neg.default, (apart,))
                    apart.meta.update(border.meta)
            node.replace_input_with(border, apart)


def drop_unused(graph, inputs):
    """Removes weights that nothing reads, and arguments that are no tensors."""
    graph.graph.eliminate_dead_code()
    for node in list(graph.graph.nodes):
        if node.op == "placeholder" and not node.users and node.name not in inputs:
            graph.graph.erase_node(node)


def module_of(node):
    """The path and the class of the innermost module that a node comes from."""
    stack = node.meta.get("nn_module_stack")
    if not stack:
        return "", "module"
    path, kind = list(stack.values())[-1]
    name = kind if isinstance(kind, str) else kind.__name__
    return path.removeprefix("L['self'].").removeprefix("L['self']"), name.rpartition(".")[2]


def to_linalg(graph):
    """torch-mlir's linalg; an error names the module and the op."""
    nodes = list(graph.graph.nodes)
    for number, node in enumerate(nodes):
        # torch-mlir makes locations of these lines: they lead back from a diagnostic to the node.
        node.meta["stack_trace"] = f'File "node", line {number + 1}, in forward'
    try:
        return lowering.to_linalg(raw_import(graph), PIPELINE)
    except lowering.LoweringError as error:
        raise refusal(str(error), nodes) from error


def raw_import(graph):
    """The graph in torch-mlir's own dialect, as @main."""
    ir, dialect = package("torch_mlir.ir"), package("torch_mlir.dialects.torch")
    importer = package("torch_mlir.extras.fx_importer").FxImporter
    context = ir.Context()
    dialect.register_dialect(context)
    fx = importer(context=context)
    try:
        fx.import_stateless_graph(graph.graph, func_name="main")
    except Exception as error:  # torch-mlir raises many kinds
        raise CompileError(f"{place_of_type(graph, error)}torch-mlir cannot import the graph: "
                           f"{first_line(error)}") from error
    functions = torch_calls.call(fx.module.operation, experts.BODIES | torch_recurrent.BODIES)
    return torch_calls.insert(functions, fx.module.operation.get_asm(enable_debug_info=True))


def place_of_type(graph, error):
    """Where the first value of the element type stands that torch-mlir lacks, if that is what the error says."""
    lacking = error.args[0] if error.args else None
    for node in graph.graph.nodes:
        if isinstance(lacking, package("torch").dtype) and lacking in (getattr(node.meta.get("val"), "dtype", None),
                                                                       *node.args):
            return f"{place_of(node)}, op {node.target}: "
    return ""


def place_of(node):
    """The module of a node, in words."""
    path, kind = module_of(node)
    return f"module '{path}' ({kind})" if path else "the outermost module"


def refusal(message, nodes):
    """torch-mlir's diagnostic with the module and the op that it is about."""
    found = re.search(r'"?node"?:(\d+):\d+\W* (?:error: )?(.*)', message)
    if not found:
        return RefusedOp(f"torch-mlir cannot lower the model: {message}", None)
    node = nodes[int(found.group(1)) - 1]
    return RefusedOp(f"{place_of(node)}, op {node.target}: torch-mlir cannot lower it: "
                     f"{found.group(2).partition(': %')[0]}", node.target)
