"""Rows in groups that have a matrix each, as the experts of a language model have, as loops over the groups.

    for each group:   result[begin:end] = rows[begin:end] * matrices[group]

Numbers of rows are known only when the program runs. A matrix whose group has no row is not read.
"""
import functools
import textwrap

from .onnx_narrow import LARGEST, SMALLEST
from .torch_calls import extents

#: Both take rows [S, K], sorted by group, matrices [G, K, N], and where each group ends, [G] of i32.
OPERATORS = ("torch.aten._grouped_mm", "torch.transformers.grouped_mm_fallback")
#: Operators of our own: neither ONNX nor torch-mlir has such. The last one quantizes rows as the matrices are, to 8 bits in blocks.
SORT, PRODUCT, BYTES = "SortByGroup", "GroupedProduct", "GroupedProductOfBytes"
WIDE = {"bf16": "f32", "f16": "f32"}  # what sums of products have while they are added
MAPS = {"same": "affine_map<(d0, d1) -> (d0, d1)>", "rows": "affine_map<(d0, d1, d2) -> (d0, d2)>",
        "matrix": "affine_map<(d0, d1, d2) -> (d2, d1)>", "columns": "affine_map<(d0, d1, d2) -> (d1, d2)>",
        "result": "affine_map<(d0, d1, d2) -> (d0, d1)>", "number": "affine_map<(d0, d1, d2) -> (d0, d1, d2)>",
        "scale": "affine_map<(d0, d1, d2) -> (d0, d1, 0)>", "block": "affine_map<(d0, d1, d2) -> (d0, d1)>"}


def product_of(name, operands, results):
    """The function of one of OPERATORS."""
    rows, matrices, ends = operands
    _, depth, width = extents(matrices)
    element = element_of(matrices)
    matrix = f"""
    %matrix = tensor.extract_slice %matrices[%group, 0, 0] [1, {depth}, {width}] [1, 1, 1] : {matrices} to tensor<{depth}x{width}x{element}>"""
    return body(name, {"rows": rows, "matrices": matrices, "ends": ends}, results[0], (matrix, f"tensor<{depth}x{width}x{element}>", "matrix"))


def product_of_columns(name, operands, results, has_bytes=False):
    """The function of a GroupedProduct, or one of bytes: rows [S, K], where each group ends, [G] of i32, and matrices [G, N, K]; or of integers
    [G, N, B, K / B] with scales [G, N, B, 1], and zero points of the same shape, if there are any."""
    rows, ends, *parts = operands
    given = {"rows": rows, "ends": ends} | dict(zip(("matrices", "scales", "zeros"), parts))
    _, width, *depths = map(int, extents(parts[0]))
    if len(depths) == 1:
        columns = f"tensor<{width}x{depths[0]}x{element_of(parts[0])}>"
        return body(name, given, results[0], (slice_of("matrices", parts[0], "matrix"), columns, "columns"))
    element, (blocks, block) = element_of(rows), depths
    columns = f"tensor<{width}x{blocks * block}x{element}>"
    matrix = dequantized(parts, element, columns), columns, "columns"
    return body(name, given, results[0], matrix, rounded(element, blocks, block) if has_bytes else "")


def rounded(element, blocks, block):
    """Rows %given_rows, each block of them quantized to integers by its largest number, and dequantized, as %own."""
    rows, numbers, scales = (f"tensor<?x{sizes}x{element}>" for sizes in (blocks * block, f"{blocks}x{block}", blocks))
    by_block = f"""iterator_types = ["parallel", "parallel"]}} ins(%largest : {scales}) outs(%place_of_largest : {scales}) {{
    ^bb0(%most: {element}, %old: {element}):"""
    return f"""
    %blocks = tensor.expand_shape %given_rows [[0], [1, 2]] output_shape [%size, {blocks}, {block}] : {rows} into {numbers}
    %place_of_largest = tensor.empty(%size) : {scales}
    %smallest = arith.constant {SMALLEST:.1e} : {element}
    %least = linalg.fill ins(%smallest : {element}) outs(%place_of_largest : {scales}) -> {scales}
    %largest = linalg.generic {{indexing_maps = [#ucmoh_number, #ucmoh_block], iterator_types = ["parallel", "parallel", "reduction"]}}
        ins(%blocks : {numbers}) outs(%least : {scales}) {{
    ^bb0(%number: {element}, %most: {element}):
      %size_of_number = math.absf %number : {element}
      %more = arith.maximumf %size_of_number, %most : {element}
      linalg.yield %more : {element}
    }} -> {scales}
    %inverses = linalg.generic {{indexing_maps = [#ucmoh_same, #ucmoh_same], {by_block}
      %top = arith.constant {LARGEST}.0 : {element}
      %inverse = arith.divf %top, %most : {element}
      linalg.yield %inverse : {element}
    }} -> {scales}
    %steps = linalg.generic {{indexing_maps = [#ucmoh_same, #ucmoh_same], {by_block}
      %share = arith.constant {1 / LARGEST!r} : {element}
      %step_of_block = arith.mulf %most, %share : {element}
      linalg.yield %step_of_block : {element}
    }} -> {scales}
    %place_of_rows = tensor.empty(%size) : {numbers}
    %rounded = linalg.generic {{indexing_maps = [#ucmoh_number, #ucmoh_block, #ucmoh_block, #ucmoh_number],
        iterator_types = ["parallel", "parallel", "parallel"]}} ins(%blocks, %inverses, %steps : {numbers}, {scales}, {scales}) outs(%place_of_rows : {numbers}) {{
    ^bb0(%number: {element}, %inverse: {element}, %step_of_block: {element}, %old: {element}):
      %high = arith.constant {LARGEST}.0 : {element}
      %low = arith.constant -{LARGEST}.0 : {element}
      %scaled = arith.mulf %number, %inverse : {element}
      %whole = math.roundeven %scaled : {element}
      %above = arith.maximumf %whole, %low : {element}
      %integer = arith.minimumf %above, %high : {element}
      %back = arith.mulf %integer, %step_of_block : {element}
      linalg.yield %back : {element}
    }} -> {numbers}
    %own = tensor.collapse_shape %rounded [[0], [1, 2]] : {numbers} into {rows}"""


def slice_of(name, kind, result):
    """What belongs to a group, without the dim of groups."""
    _, *sizes = extents(kind)
    zeros, ones = ", ".join("0" * len(sizes)), ", ".join("1" * (len(sizes) + 1))
    return f"""
    %{result} = tensor.extract_slice %{name}[%group, {zeros}] [1, {", ".join(sizes)}] [{ones}] : {kind} to {without_groups(kind)}"""


def without_groups(kind):
    """The type of what belongs to one group."""
    return f"tensor<{'x'.join(extents(kind)[1:])}x{element_of(kind)}>"


def dequantized(parts, element, columns):
    """The matrix of a group, (integers - zeros) * scales."""
    kinds = [without_groups(kind) for kind in parts]
    numbers = f"tensor<{'x'.join(extents(parts[0])[1:])}x{element}>"
    names = ["integers", "own_scales", "own_zeros"][:len(parts)]
    text = "".join(slice_of(*each) for each in zip(("matrices", "scales", "zeros"), parts, names))
    arguments = "".join(f", %{name}: {element}" for name in ("scale", "zero_point")[:len(parts) - 1])
    shifted = f"%shifted = arith.subf %wide, %zero_point : {element}" if len(parts) == 3 else ""
    maps = ", ".join(["#ucmoh_number", *["#ucmoh_scale"] * (len(parts) - 1), "#ucmoh_number"])
    return text + f"""
    %place_of_numbers = tensor.empty() : {numbers}
    %numbers = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel", "parallel"]}}
        ins({", ".join(f"%{name}" for name in names)} : {", ".join(kinds)}) outs(%place_of_numbers : {numbers}) {{
    ^bb0(%integer: {element_of(parts[0])}{arguments}, %old: {element}):
      %wide = arith.sitofp %integer : {element_of(parts[0])} to {element}
      {shifted}
      %number = arith.mulf {"%shifted" if shifted else "%wide"}, %scale : {element}
      linalg.yield %number : {element}
    }} -> {numbers}
    %matrix = tensor.collapse_shape %numbers [[0], [1, 2]] : {numbers} into {columns}"""


def element_of(kind):
    """The type of a tensor's elements, as text."""
    return kind.rpartition("x")[2].rstrip(">")


def body(name, given, result, matrix, changed=""):
    """A loop over the groups. `given` has types by names, `matrix` what makes %matrix, its type and its map, and `changed` what
    makes %own of %given_rows, if it is not the same. Ends of groups are limited, so that no memory beside the rows is touched."""
    made, kind, place = matrix
    count, depth = extents(given["rows"])
    (groups,), (_, width) = extents(given["ends"]), extents(result)
    element = element_of(result)
    wide = WIDE.get(element, element)
    piece, sums, rows = f"tensor<?x{width}x{element}>", f"tensor<?x{width}x{wide}>", f"tensor<?x{depth}x{element}>"
    size = "%count" if count == "?" else ""
    most = "" if count == "?" else f", ucmoh.assume = array<i64: 1, {count}>"
    inputs = ", ".join(f"%{each}: {of}" for each, of in given.items())
    return with_maps(f"""func.func private @{name}({inputs}) -> {result} {{
  %first = arith.constant 0 : index
  %step = arith.constant 1 : index
  %groups = arith.constant {groups} : index
  %count = tensor.dim %rows, %first : {given["rows"]}
  %nothing = arith.constant 0.0 : {element}
  %zero = arith.constant 0.0 : {wide}
  %empty = tensor.empty({size}) : {result}
  %start = linalg.fill ins(%nothing : {element}) outs(%empty : {result}) -> {result}
  %done:2 = scf.for %group = %first to %groups step %step iter_args(%result = %start, %begin = %first) -> ({result}, index) {{
    %given = tensor.extract %ends[%group] : {given["ends"]}
    %wanted = arith.index_cast %given : i32 to index
    %inside = arith.minsi %wanted, %count : index
    %end = arith.maxsi %inside, %begin : index
    %size = arith.subi %end, %begin : index
    %{"given_rows" if changed else "own"} = tensor.extract_slice %rows[%begin, 0] [%size, {depth}] [1, 1] : {given["rows"]} to {rows}{changed}{made}
    %place = tensor.empty(%size) : {sums}
    %cleared = linalg.fill ins(%zero : {wide}) outs(%place : {sums}) -> {sums}
    %{"product" if wide == element else "sums"} = linalg.generic {{indexing_maps = [#ucmoh_rows, #ucmoh_{place}, #ucmoh_result],
        iterator_types = ["parallel", "parallel", "reduction"]{most}}} ins(%own, %matrix : {rows}, {kind}) outs(%cleared : {sums}) {{
    ^bb0(%row: {element}, %column: {element}, %sum: {wide}):{added(element, wide)}
      linalg.yield %added : {wide}
    }} -> {sums}{narrow(element, wide, sums, piece)}
    %joined = tensor.insert_slice %product into %result[%begin, 0] [%size, {width}] [1, 1] : {piece} into {result}
    scf.yield %joined, %end : {result}, index
  }}
  return %done#0 : {result}
}}""")


def added(element, wide):
    """A product and its sum with those before."""
    names = ("row", "column")
    text = "" if wide == element else "".join(f"""
      %wide_{name} = arith.extf %{name} : {element} to {wide}""" for name in names)
    left, right = names if wide == element else [f"wide_{name}" for name in names]
    return text + f"""
      %times = arith.mulf %{left}, %{right} : {wide}
      %added = arith.addf %sum, %times : {wide}"""


def narrow(element, wide, sums, piece):
    """Sums in the type of the result."""
    return "" if wide == element else f"""
    %narrow = tensor.empty(%size) : {piece}
    %product = linalg.generic {{indexing_maps = [#ucmoh_same, #ucmoh_same], iterator_types = ["parallel", "parallel"]}}
        ins(%sums : {sums}) outs(%narrow : {piece}) {{
    ^bb0(%sum: {wide}, %old: {element}):
      %rounded = arith.truncf %sum : {wide} to {element}
      linalg.yield %rounded : {element}
    }} -> {piece}"""


def with_maps(text):
    """The text with indexing maps in the place of their names: a function cannot define names of its own."""
    for name, written in MAPS.items():
        text = text.replace(f"#ucmoh_{name}", written)
    return text


def sort(name, operands, results):
    """The function of a SortByGroup. It takes the groups that each of T items chose, [T, C] of i64, and the items, of which there
    have to be as many, and gives for a list of all choices, sorted by group: the item and the group of each, [T * C] of i64; where each choice is in it, [T, C] of i64; and
    where each group ends, [G] of i32. A number that is of no group stands for the first or the last one."""
    (chosen, given), (items, _, places, ends) = operands, results
    (count, choices), (groups,) = extents(chosen), extents(ends)
    total, each = ("%total", "%count") if count == "?" else ("", "")
    return textwrap.dedent(f"""
        func.func private @{name}(%chosen: {chosen}, %items_given: {given}) -> ({", ".join(results)}) {{
          %first = arith.constant 0 : index
          %step = arith.constant 1 : index
          %groups = arith.constant {groups} : index
          %last = arith.constant {int(groups) - 1} : i64
          %least = arith.constant 0 : i64
          %choices = arith.constant {choices} : index
          %nothing = arith.constant 0 : i32
          %one = arith.constant 1 : i32
          %count = tensor.dim %chosen, %first : {chosen}
          %have = tensor.dim %items_given, %first : {given}
          %fits = arith.cmpi eq, %have, %count : index
          cf.assert %fits, "a router has to score each row once"
          %total = arith.muli %count, %choices : index
          %empty = tensor.empty() : {ends}
          %zeros = linalg.fill ins(%nothing : i32) outs(%empty : {ends}) -> {ends}
          %sizes = scf.for %item = %first to %count step %step iter_args(%outer = %zeros) -> ({ends}) {{
            %counted = scf.for %choice = %first to %choices step %step iter_args(%sizes = %outer) -> ({ends}) {{
              %given = tensor.extract %chosen[%item, %choice] : {chosen}
              %above = arith.maxsi %given, %least : i64
              %number = arith.minsi %above, %last : i64
              %group = arith.index_cast %number : i64 to index
              %size = tensor.extract %sizes[%group] : {ends}
              %more = arith.addi %size, %one : i32
              %changed = tensor.insert %more into %sizes[%group] : {ends}
              scf.yield %changed : {ends}
            }}
            scf.yield %counted : {ends}
          }}
          %begins:2 = scf.for %group = %first to %groups step %step iter_args(%found = %empty, %sum = %nothing) -> ({ends}, i32) {{
            %size = tensor.extract %sizes[%group] : {ends}
            %begin = tensor.insert %sum into %found[%group] : {ends}
            %end = arith.addi %sum, %size : i32
            scf.yield %begin, %end : {ends}, i32
          }}
          %items = tensor.empty({total}) : {items}
          %own = tensor.empty({total}) : {items}
          %places = tensor.empty({each}) : {places}
          %done:4 = scf.for %item = %first to %count step %step iter_args(%a = %items, %b = %own, %c = %places, %d = %begins#0) -> ({", ".join(results)}) {{
            %sorted:4 = scf.for %choice = %first to %choices step %step iter_args(%e = %a, %f = %b, %g = %c, %h = %d) -> ({", ".join(results)}) {{
              %given = tensor.extract %chosen[%item, %choice] : {chosen}
              %above = arith.maxsi %given, %least : i64
              %number = arith.minsi %above, %last : i64
              %group = arith.index_cast %number : i64 to index
              %place = tensor.extract %h[%group] : {ends}
              %at = arith.index_cast %place : i32 to index
              %behind = arith.addi %place, %one : i32
              %moved = tensor.insert %behind into %h[%group] : {ends}
              %number_of_item = arith.index_cast %item : index to i64
              %taken = tensor.insert %number_of_item into %e[%at] : {items}
              %grouped = tensor.insert %number into %f[%at] : {items}
              %wide = arith.extsi %place : i32 to i64
              %found = tensor.insert %wide into %g[%item, %choice] : {places}
              scf.yield %taken, %grouped, %found, %moved : {", ".join(results)}
            }}
            scf.yield %sorted#0, %sorted#1, %sorted#2, %sorted#3 : {", ".join(results)}
          }}
          return %done#0, %done#1, %done#2, %done#3 : {", ".join(results)}
        }}""").strip()


BODIES = dict.fromkeys(OPERATORS, product_of)
BODIES |= {f"onnx.{SORT}": sort, f"onnx.{PRODUCT}": product_of_columns,
           f"onnx.{BYTES}": functools.partial(product_of_columns, has_bytes=True)}
