"""Rows in groups that have a matrix each, as the experts of a language model have, as loops over the groups.

torch-mlir lacks the op. It becomes a call of a function in linalg, which torch-mlir inlines and leaves as it is:

    for each group:   result[begin:end] = rows[begin:end] * matrices[group]

Numbers of rows are known only when the program runs. A matrix whose group has no row is not read.
"""
import re

from .arrays import package

#: Both take rows [S, K], sorted by group, matrices [G, K, N], and where each group ends, [G] of i32.
OPERATORS = ("torch.aten._grouped_mm", "torch.transformers.grouped_mm_fallback")
NAME = "ucmoh_grouped_product"
CALL, OUT, IN = "func.call", "torch_c.to_builtin_tensor", "torch_c.from_builtin_tensor"
MODULE = re.compile(r'^(?:"builtin\.module"\(\) \(\{|module.*\{)$', re.M)  # how a module's text begins
WIDE = {"bf16": "f32", "f16": "f32"}  # what sums of products have while they are added


def call(module):
    """Replaces the ops of a module in torch-mlir's own dialect by calls, in place. Returns what they call, as text."""
    ir, found = package("torch_mlir.ir"), []

    def visit(op):
        if op.name == "torch.operator" and ir.StringAttr(op.attributes["name"]).value in OPERATORS:
            found.append(op)
        return ir.WalkResult.ADVANCE

    module.walk(visit)
    return "\n".join([replace(op, f"{NAME}_{number}") for number, op in enumerate(found)])


def insert(functions, text):
    """The text of a module with functions in it."""
    return MODULE.sub(lambda match: f"{match.group(0)}\n{functions}", text, count=1)


def replace(op, name):
    """One op becomes a call of the function that is returned."""
    ir = package("torch_mlir.ir")
    operands, result = list(op.operands)[:3], op.results[0]
    names = [plain(value.type) for value in (*operands, result)]
    types = [ir.Type.parse(each, op.context) for each in names]
    with op.location, ir.InsertionPoint(op):
        given = [ir.Operation.create(OUT, results=[kind], operands=[value]).result for kind, value in zip(types, operands)]
        called = ir.Operation.create(CALL, results=types[3:], operands=given,
                                     attributes={"callee": ir.FlatSymbolRefAttr.get(name)})
        made = ir.Operation.create(IN, results=[result.type], operands=[called.result])
    result.replace_all_uses_with(made.result)
    op.erase()
    return body(name, *names)


def plain(kind):
    """The builtin type of a tensor of torch-mlir's."""
    extents, element = re.fullmatch(r"!torch\.vtensor<\[(.*)\],(\w+)>", str(kind)).groups()
    shape = "".join(f"{extent}x" for extent in extents.split(",") if extent)
    return f"tensor<{shape}{re.sub(r'^[su]i', 'i', element)}>"


def body(name, rows, matrices, ends, result):
    """The function of one op. Ends of groups are limited, so that no memory beside the rows is touched."""
    (_, depth), (groups, _, width), (count, _) = (extents(kind) for kind in (rows, matrices, result))
    element = matrices.rpartition("x")[2].rstrip(">")
    wide = WIDE.get(element, element)
    piece, sums = f"tensor<?x{width}x{element}>", f"tensor<?x{width}x{wide}>"
    size = "%count" if count == "?" else ""
    most = "" if count == "?" else f" {{ucmoh.assume = array<i64: 1, {count}>}}"
    narrow = f"""
    %narrow = tensor.empty(%size) : {piece}
    %product = linalg.generic {{indexing_maps = [#ucmoh_same, #ucmoh_same], iterator_types = ["parallel", "parallel"]}}
        ins(%sums : {sums}) outs(%narrow : {piece}) {{
    ^bb0(%sum: {wide}, %old: {element}):
      %rounded = arith.truncf %sum : {wide} to {element}
      linalg.yield %rounded : {element}
    }} -> {piece}"""
    return f"""func.func private @{name}(%rows: {rows}, %matrices: {matrices}, %ends: {ends}) -> {result} {{
  %first = arith.constant 0 : index
  %step = arith.constant 1 : index
  %groups = arith.constant {groups} : index
  %count = tensor.dim %rows, %first : {rows}
  %nothing = arith.constant 0.0 : {element}
  %zero = arith.constant 0.0 : {wide}
  %empty = tensor.empty({size}) : {result}
  %start = linalg.fill ins(%nothing : {element}) outs(%empty : {result}) -> {result}
  %done:2 = scf.for %group = %first to %groups step %step iter_args(%result = %start, %begin = %first) -> ({result}, index) {{
    %given = tensor.extract %ends[%group] : {ends}
    %wanted = arith.index_cast %given : i32 to index
    %inside = arith.minsi %wanted, %count : index
    %end = arith.maxsi %inside, %begin : index
    %size = arith.subi %end, %begin : index
    %own = tensor.extract_slice %rows[%begin, 0] [%size, {depth}] [1, 1] : {rows} to tensor<?x{depth}x{element}>
    %matrix = tensor.extract_slice %matrices[%group, 0, 0] [1, {depth}, {width}] [1, 1, 1] : {matrices} to tensor<{depth}x{width}x{element}>
    %place = tensor.empty(%size) : {sums}
    %cleared = linalg.fill ins(%zero : {wide}) outs(%place : {sums}) -> {sums}
    %{"product" if wide == element else "sums"} = linalg.matmul{most} ins(%own, %matrix : tensor<?x{depth}x{element}>, tensor<{depth}x{width}x{element}>) outs(%cleared : {sums}) -> {sums}{narrow if wide != element else ""}
    %joined = tensor.insert_slice %product into %result[%begin, 0] [%size, {width}] [1, 1] : {piece} into {result}
    scf.yield %joined, %end : {result}, index
  }}
  return %done#0 : {result}
}}""".replace("#ucmoh_same", "affine_map<(d0, d1) -> (d0, d1)>")


def extents(kind):
    """The extents of a tensor's type, as text."""
    return re.fullmatch(r"tensor<(.*)x\w+>", kind).group(1).split("x")
