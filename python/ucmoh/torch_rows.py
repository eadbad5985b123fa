"""A ScatterND that replaces one row, as an insertion of a slice.

torch-mlir would write each element to a place of its own.
"""
import re

from .arrays import package

PLACE = "!torch.vtensor<[1,1],si64>"  # the type of the places of one row


def insert_rows(module):
    """Rewrites a module in torch-mlir's own dialect, in place."""
    ir, found = package("torch_mlir.ir"), []

    def visit(op):
        if op.name == "torch.operator" and is_row(op):
            found.append(op)
        return ir.WalkResult.ADVANCE

    module.walk(visit)
    for op in found:
        insert_row(op)


def is_row(op):
    """Whether it is a ScatterND that replaces one row of a tensor with a known number of them."""
    return (package("torch_mlir.ir").StringAttr(op.attributes["name"]).value == "onnx.ScatterND"
            and "torch.onnx.reduction" not in op.attributes and str(op.operands[1].type) == PLACE
            and rows_of(op.operands[0]) is not None)


def rows_of(tensor):
    """The first extent; None if it is open or not known."""
    found = re.match(r"!torch\.vtensor<\[(\d+)", str(tensor.type))
    return int(found.group(1)) if found else None


def insert_row(op):
    """Replaces it. Places below 0 count from the end."""
    ir, torch = package("torch_mlir.ir"), package("torch_mlir.dialects.torch")
    tensor, place, row = op.operands
    with op.location, ir.InsertionPoint(op):
        zero, one, rows = (torch.ConstantIntOp(number).result for number in (0, 1, rows_of(tensor)))
        wrapped = torch.AtenRemainderScalarOp(place.type, place, rows).result
        begin = torch.AtenIntTensorOp(wrapped).result
        end = torch.AtenAddIntOp(begin, one).result
        inserted = torch.AtenSliceScatterOp(op.results[0].type, tensor, row, zero, begin, end, one)
    op.results[0].replace_all_uses_with(inserted.result)
    op.erase()
