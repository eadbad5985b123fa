"""Ops that torch-mlir lacks as calls of functions in linalg, which it inlines and leaves as they are."""
import re

from .arrays import package

NAME = "ucmoh_op"
TENSOR = re.compile(r"!torch\.vtensor<\[(.*)\],(\w+)>")
MODULE = re.compile(r'^(?:"builtin\.module"\(\) \(\{|module.*\{)$', re.M)  # how a module's text begins


def call(module, bodies):
    """Replaces ops of a module in torch-mlir's own dialect by calls, in place. Returns what they call, as text.

    `bodies` has a function for each kind of op. It gets a name, the builtin types of tensors among the op's operands, and
    those of its results, and gives the text of a function.
    """
    ir, found = package("torch_mlir.ir"), []

    def visit(op):
        if op.name == "torch.operator" and ir.StringAttr(op.attributes["name"]).value in bodies:
            found.append(op)
        return ir.WalkResult.ADVANCE

    module.walk(visit)
    return "\n".join([replace(op, f"{NAME}_{number}", bodies[ir.StringAttr(op.attributes["name"]).value])
                      for number, op in enumerate(found)])


def insert(functions, text):
    """The text of a module with functions in it."""
    return MODULE.sub(lambda match: f"{match.group(0)}\n{functions}", text, count=1)


def replace(op, name, body):
    """One op becomes a call of the function that is returned."""
    ir = package("torch_mlir.ir")
    operands = [value for value in op.operands if TENSOR.fullmatch(str(value.type))]
    names = [[plain(value.type) for value in values] for values in (operands, op.results)]
    types, made = ([ir.Type.parse(each, op.context) for each in some] for some in names)
    with op.location, ir.InsertionPoint(op):
        given = [ir.Operation.create("torch_c.to_builtin_tensor", results=[kind], operands=[value]).result
                 for kind, value in zip(types, operands)]
        called = ir.Operation.create("func.call", results=made, operands=given,
                                     attributes={"callee": ir.FlatSymbolRefAttr.get(name)})
        for result, value in zip(op.results, called.results):
            back = ir.Operation.create("torch_c.from_builtin_tensor", results=[result.type], operands=[value])
            result.replace_all_uses_with(back.result)
    op.erase()
    return body(name, *names)


def plain(kind):
    """The builtin type of a tensor of torch-mlir's."""
    extents, element = TENSOR.fullmatch(str(kind)).groups()
    shape = "".join(f"{extent}x" for extent in extents.split(",") if extent)
    return f"tensor<{shape}{re.sub(r'^[su]i', 'i', element)}>"


def extents(kind):
    """The extents of a tensor's type, as text."""
    return re.fullmatch(r"tensor<(.*)x\w+>", kind).group(1).split("x")
