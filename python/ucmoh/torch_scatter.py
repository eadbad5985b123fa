"""Scatters of ONNX as operators of PyTorch.

A ScatterND that replaces one row is an insertion of a slice: torch-mlir would write each element to a place of its own.
So are new rows in a cache, one slice for each batch, and the rows that a cache keeps: operators of our own, `InsertRows` and
`KeepRows`. A ScatterElements that keeps maxima or minima torch-mlir does not take at all.
"""
import re

from .arrays import package

EXTREMES = {"max": "amax", "min": "amin"}  # as PyTorch calls what is kept
PLACE = "!torch.vtensor<[1,1],si64>"  # the type of the places of one row
EXTENTS = r"!torch\.vtensor<\[([\d,?]+)\]"


def rewrite(module):
    """Rewrites a module in torch-mlir's own dialect, in place."""
    ir, found = package("torch_mlir.ir"), []

    def visit(op):
        if op.name == "torch.operator":
            found.extend((function, op) for is_one, function in FORMS if is_one(op))
        return ir.WalkResult.ADVANCE

    module.walk(visit)
    for function, op in found:
        function(op)


def is_called(op, name):
    """Whether it is that operator of ONNX."""
    return package("torch_mlir.ir").StringAttr(op.attributes["name"]).value == f"onnx.{name}"


def is_row(op):
    """Whether it is a ScatterND that replaces one row of a tensor with a known number of them."""
    return (is_called(op, "ScatterND")
            and "torch.onnx.reduction" not in op.attributes and str(op.operands[1].type) == PLACE
            and rows_of(op.operands[0]) is not None)


def rows_of(tensor):
    """The first extent; None if it is open or not known."""
    return extent_of(tensor, 0)


def extents_of(tensor):
    """As the type writes them; None if even their number is not known."""
    found = re.match(EXTENTS, str(tensor.type))
    return found.group(1).split(",") if found else None


def extent_of(tensor, dim):
    """An extent; None if it is open or not known."""
    extent = (extents_of(tensor) or ["?"] * (dim + 1))[dim]
    return None if extent == "?" else int(extent)


def keeps_extremes(op):
    """Whether it is a ScatterElements that keeps maxima or minima along a dim of known extent."""
    ir = package("torch_mlir.ir")
    if not is_called(op, "ScatterElements") or "torch.onnx.reduction" not in op.attributes:
        return False
    kept = ir.StringAttr(op.attributes["torch.onnx.reduction"]).value
    return kept in EXTREMES and extent_of(op.operands[0], axis_of(op)) is not None


def axis_of(op):
    """The dim along which it has places."""
    name = "torch.onnx.axis"
    return package("torch_mlir.ir").IntegerAttr(op.attributes[name]).value if name in op.attributes else 0


def from_the_front(places, extent):
    """Places of which those below 0 count from the end. Of such constants torch-mlir folds the remainder to a number below 0, so
    that it gets none."""
    torch = package("torch_mlir.dialects.torch")
    count, one = (torch.ConstantIntOp(number).result for number in (extent, 1))
    above = torch.AtenAddScalarOp(places.type, places, count, one).result
    return torch.AtenRemainderScalarOp(places.type, above, count).result


def keep_extremes(op):
    """Replaces it."""
    ir, torch = package("torch_mlir.ir"), package("torch_mlir.dialects.torch")
    tensor, places, new = op.operands
    kept = EXTREMES[ir.StringAttr(op.attributes["torch.onnx.reduction"]).value]
    extent = extent_of(tensor, axis_of(op))
    rank = str(tensor.type).partition("[")[2].partition("]")[0].count(",") + 1
    with op.location, ir.InsertionPoint(op):
        axis, wrapped = torch.ConstantIntOp(axis_of(op) % rank).result, from_the_front(places, extent)
        made = torch.AtenScatterReduceTwoOp(op.results[0].type, tensor, axis, wrapped, new, torch.ConstantStrOp(kept).result,
                                            torch.ConstantBoolOp(True).result)
    op.results[0].replace_all_uses_with(made.result)
    op.erase()


def insert_row(op):
    """Replaces it."""
    ir, torch = package("torch_mlir.ir"), package("torch_mlir.dialects.torch")
    tensor, place, row = op.operands
    with op.location, ir.InsertionPoint(op):
        zero, one = (torch.ConstantIntOp(number).result for number in (0, 1))
        begin = torch.AtenIntTensorOp(from_the_front(place, rows_of(tensor))).result
        end = torch.AtenAddIntOp(begin, one).result
        inserted = torch.AtenSliceScatterOp(op.results[0].type, tensor, row, zero, begin, end, one)
    op.results[0].replace_all_uses_with(inserted.result)
    op.erase()


def inserts_rows(op):
    """Whether it writes rows to a place of each batch."""
    return is_called(op, "InsertRows")


def insert_rows(op):
    """Replaces it by a loop over batches. Rows and the dim of their places are the last but one."""
    _, new, begins = op.operands
    for_each_batch(op, new, lambda cache, part: with_rows(cache, new, part, begins))


def keeps_rows(op):
    """Whether it puts some rows of each batch to the beginning of a cache."""
    return is_called(op, "KeepRows")


def keep_rows(op):
    """Replaces it, in the same way."""
    _, rows, firsts, counts = op.operands
    least = package("torch_mlir.ir").IntegerAttr(op.attributes["torch.onnx.least"]).value
    for_each_batch(op, rows, lambda cache, part: from_first(cache, part, (rows, firsts, counts), least))


def for_each_batch(op, rows, change):
    """Replaces an op on a cache by a loop over the batches of `rows`. `change` gets the cache of one, and what gives such a
    part of another tensor."""
    ir, torch = package("torch_mlir.ir"), package("torch_mlir.dialects.torch")
    cache = op.operands[0]
    with op.location, ir.InsertionPoint(op):
        zero, one = (torch.ConstantIntOp(number).result for number in (0, 1))
        count, always = torch.AtenSizeIntOp(rows, zero).result, torch.ConstantBoolOp(True).result
        loop = torch.PrimLoopOp([cache.type], count, always, [cache])
        step = loop.operation.regions[0].blocks.append(ir.Type.parse("!torch.int"), cache.type)
        with ir.InsertionPoint(step):
            batch, carried = step.arguments
            after = torch.AtenAddIntOp(batch, one).result

            def part(x):
                kind = re.sub(r"\[[\d?]+", "[1", str(x.type), count=1)
                return torch.AtenSliceTensorOp(ir.Type.parse(kind), x, zero, batch, after, one).result

            changed = change(part(carried), part)
            written = torch.AtenSliceScatterOp(cache.type, carried, changed, zero, batch, after, one).result
            torch.PrimLoopConditionOp(always, [written])
    op.results[0].replace_all_uses_with(loop.results[0])
    op.erase()


def dim_of_rows(tensor):
    """The last but one."""
    return package("torch_mlir.dialects.torch").ConstantIntOp(len(extents_of(tensor)) - 2).result


def require_room(cache, rows, why):
    """An assertion that the cache has that many rows."""
    ir, torch = package("torch_mlir.ir"), package("torch_mlir.dialects.torch")
    fits = torch.AtenLeIntOp(rows, torch.AtenSizeIntOp(cache, dim_of_rows(cache)).result).result
    torch.RuntimeAssertOp(fits, ir.StringAttr.get(why))


def with_rows(cache, new, part, begins):
    """The cache of one batch with new rows in their place. What computes these may write them there at once, so that it has to
    come behind the assertion."""
    torch = package("torch_mlir.dialects.torch")
    dim, one, begin = dim_of_rows(cache), torch.ConstantIntOp(1).result, torch.AtenIntTensorOp(part(begins)).result
    end = torch.AtenAddIntOp(begin, torch.AtenSizeIntOp(new, dim).result).result
    require_room(cache, end, "a cache has no room for new rows where they belong")
    return torch.AtenSliceScatterOp(cache.type, cache, part(new), dim, begin, end, one).result


def from_first(cache, part, operands, least):
    """The cache of one batch, which begins with so many rows from a first one on: `operands` are those of all batches. It has
    room for `least`."""
    ir, torch = package("torch_mlir.ir"), package("torch_mlir.dialects.torch")
    dim, zero, one = dim_of_rows(cache), *(torch.ConstantIntOp(number).result for number in (0, 1))
    require_room(cache, torch.ConstantIntOp(least).result, "a cache has room for fewer rows than its window")
    rows, *places = (part(each) for each in operands)
    first, count = (torch.AtenIntTensorOp(each).result for each in places)
    end = torch.AtenAddIntOp(first, count).result
    *outer, _, width = extents_of(rows)
    kind = re.sub(r"\[[\d?,]+", f"[{','.join([*outer, '?', width])}", str(rows.type), count=1)
    kept = torch.AtenSliceTensorOp(ir.Type.parse(kind), rows, dim, first, end, one).result
    return torch.AtenSliceScatterOp(cache.type, cache, kept, dim, zero, count, one).result


FORMS = ((is_row, insert_row), (keeps_extremes, keep_extremes), (inserts_rows, insert_rows),
         (keeps_rows, keep_rows))
