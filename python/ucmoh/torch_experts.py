"""Rows in groups that have a matrix each, as the experts of a language model have, as loops over the groups.

    for each group:   result[begin:end] = rows[begin:end] * matrices[group]

Numbers of rows are known only when the program runs. A matrix whose group has no row is not read.
"""
from .torch_calls import extents

#: Both take rows [S, K], sorted by group, matrices [G, K, N], and where each group ends, [G] of i32.
OPERATORS = ("torch.aten._grouped_mm", "torch.transformers.grouped_mm_fallback")
WIDE = {"bf16": "f32", "f16": "f32"}  # what sums of products have while they are added


def body(name, operands, results):
    """The function of one op. Ends of groups are limited, so that no memory beside the rows is touched."""
    (rows, matrices, ends), (result,) = operands, results
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


BODIES = dict.fromkeys(OPERATORS, body)
