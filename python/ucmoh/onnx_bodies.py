"""Operators that torch-mlir refuses as the functions that ONNX defines them by, or in the form of a newer opset."""
from . import onnx_nodes, onnx_shapes
from .arrays import package
from .errors import CompileError

DOMAIN = "ucmoh.bodies"  # the functions are in it until they stand in the nodes' places

NEW_ENOUGH = 18  # an opset
BROADCASTS = 7  # the opset since which operands are broadcast as in numpy; before, attributes said how
WRONG = [("", "SoftmaxCrossEntropyLoss")]  # torch-mlir takes them, and computes something else with weights


class RefusedNode(CompileError):
    """A node that torch-mlir cannot lower, and its operator: the domain and the name."""

    def __init__(self, message, operator):
        super().__init__(message)
        self.operator = operator


def expand_refused(model, lower):
    """Returns what `lower` makes of the model, with operators that it refuses expanded one after the other."""
    first = None
    if opset_of(model) < BROADCASTS:
        model = modernize(onnx_nodes.rewrite(model, {"PRelu": spread_slopes})) or model
    for operator in WRONG:
        model = expand(model, operator) or model
    while True:
        try:
            return lower(type(model).FromString(model.SerializeToString()))
        except CompileError as error:
            first, expanded = first or error, None
            if isinstance(error, RefusedNode):
                expanded = expand(model, error.operator) or modernize(model)
            if expanded is None:
                raise first
            model = expanded


def expand(model, operator):
    """The model without the operator; None where it has none, or one without a definition by others."""
    onnx = package("onnx")
    opset = max((each.version for each in model.opset_import if each.domain in ("", operator[0])), default=1)
    is_wanted = lambda node: (node.domain, node.op_type) == operator
    if not onnx.defs.has(operator[1], opset, operator[0]) or not any(map(is_wanted, model.graph.node)):
        return None
    schema, inferred = onnx.defs.get_schema(operator[1], opset, operator[0]), onnx_shapes.infer(model)
    types = {value.name: value.type for value in (*inferred.graph.value_info, *inferred.graph.input)}
    types |= {each.name: onnx.helper.make_tensor_type_proto(each.data_type, each.dims) for each in model.graph.initializer}
    for number, node in enumerate(filter(is_wanted, model.graph.node)):
        body = body_of(schema, node, [types.get(name, onnx.TypeProto()) for name in node.input], opset)
        if body is None:
            return None
        body.domain, body.name = DOMAIN, f"{operator[1]}{number}"
        model.functions.append(body)
        node.domain, node.op_type = DOMAIN, body.name
    if all(each.domain != DOMAIN for each in model.opset_import):
        model.opset_import.append(onnx.helper.make_opsetid(DOMAIN, 1))
    try:
        return package("onnx.inliner").inline_local_functions(model)
    except Exception:  # an exception of C++: what was refused first is said then
        return None


def spread_slopes(nodes, x, slopes):
    """With a slope for each channel as newer opsets write it."""
    if len(nodes.static_shape(slopes)) != 1 or nodes.static_shape(slopes) == [1]:
        return None
    return nodes.PRelu(x, nodes.Reshape(slopes, [-1, *[1] * (len(nodes.shape(x)) - 2)]))


def opset_of(model):
    """The version of ONNX's own operators."""
    return next((each.version for each in model.opset_import if each.domain in ("", "ai.onnx")), NEW_ENOUGH)


def modernize(model):
    """The model in a newer opset, whose forms of operators torch-mlir takes; None where it is new enough, or has others."""
    if opset_of(model) >= NEW_ENOUGH:
        return None
    try:
        return package("onnx.version_converter").convert_version(model, NEW_ENOUGH)
    except Exception:  # an exception of C++: what was refused first is said then
        return None


def body_of(schema, node, types, opset):
    """The function of a node, which may depend on its attributes and on the types of its operands."""
    proto = package("onnx").FunctionProto
    if schema.has_function:
        return proto.FromString(schema.get_function_with_opset_version(opset))
    if not schema.has_context_dependent_function:
        return None
    types = [each.SerializeToString() for each in types]
    return proto.FromString(schema.get_context_dependent_function_with_opset_version(opset, node.SerializeToString(), types))
