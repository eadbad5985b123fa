"""Linear attention as a loop over words, which keep what they know of those before in a matrix of fixed size.

    for each text and head, for each word:
        state  = state * decay                             each row times its factor
        state += key x (value - state^T key) * rate        what the key says already is taken off; or key x value
        result = query^T state                             for each query that shares the head
"""
import functools

from .experts import element_of
from .torch_calls import extents

STEPS = "LinearAttentionSteps"  # an operator of our own: neither ONNX nor torch-mlir has such
PARTS = ("decay", "rates")  # what it may have behind queries [B, H, T, G, K], keys [B, H, T, K], values [B, H, T, V] and states [B, H, K, V]


def steps(given, name, operands, results):
    """The function of one op. B is of texts, H of heads, T of words, and G of queries that share a head; `given` says which of
    PARTS there are: decays are [B, H, T, K] or [B, H, T, 1], rates [B, H, T, 1]. It gives [B, H, T, G, V] and new states."""
    return Loop(given, operands, results).text(name)


class Loop:
    """The text of one function."""

    def __init__(self, given, operands, results):
        self.names = ["queries", "keys", "values", "states", *(part for part in PARTS if part in given)]
        self.kinds, self.results = dict(zip(self.names, operands)), results
        self.element = element_of(operands[0])
        _, self.heads, _, self.group, self.depth = extents(self.kinds["queries"])
        self.width = extents(self.kinds["values"])[-1]
        self.state = self.tensor(self.depth, self.width)

    def tensor(self, *sizes):
        """A type of these extents."""
        return f"tensor<{'x'.join([*map(str, sizes), self.element])}>"

    def row(self, name, *sizes):
        """What belongs to a word."""
        kind, rank = self.kinds[name], len(sizes)
        wanted, zeros, ones = ", ".join(map(str, sizes)), ", 0" * rank, ", 1" * rank
        return f"%{name}_now = tensor.extract_slice %{name}[%text, %head, %word{zeros}] [1, 1, 1, {wanted}] [1, 1, 1{ones}] : {kind} to {self.tensor(*sizes)}"

    def generic(self, result, kinds, operands, maps, iterators, block):
        """An op over (depth, width), or (group, depth, width); `operands` are the inputs, then what is written."""
        *inputs, output = operands
        *of_inputs, of_output = kinds
        dims = "d0, d1" if len(iterators) == 2 else "d0, d1, d2"
        written = ", ".join(f"affine_map<({dims}) -> ({each})>" for each in maps)
        types = ", ".join(f'"{each}"' for each in iterators)
        return f"""%{result} = linalg.generic {{indexing_maps = [{written}], iterator_types = [{types}]}}
          ins({", ".join(inputs)} : {", ".join(of_inputs)}) outs({output} : {of_output}) {{{block}
        }} -> {of_output}"""

    def decayed(self):
        """The state before the word, and the text of what makes it."""
        if "decay" not in self.kinds:
            return "%state", ""
        size = extents(self.kinds["decay"])[-1]
        block = f"""
        ^bb0(%factor: {self.element}, %old: {self.element}):
          %less = arith.mulf %old, %factor : {self.element}
          linalg.yield %less : {self.element}"""
        maps = ["d0" if size == self.depth else "0", "d0, d1"]
        kinds = [self.tensor(size), self.state]
        return "%kept", self.row("decay", size) + "\n        " + self.generic(
            "kept", kinds, ["%decay_now", "%state"], maps, ["parallel", "parallel"], block)

    def known(self, state):
        """What the key says already, as a row, and the values that are new, and their names."""
        if "rates" not in self.kinds:
            return "%values_now", ""
        block = f"""
        ^bb0(%key: {self.element}, %number: {self.element}, %sum: {self.element}):
          %part = arith.mulf %key, %number : {self.element}
          %more = arith.addf %sum, %part : {self.element}
          linalg.yield %more : {self.element}"""
        said = self.generic("said", [self.tensor(self.depth), self.state, self.tensor(self.width)],
                            ["%keys_now", state, "%cleared"], ["d0", "d0, d1", "d1"], ["reduction", "parallel"], block)
        block = f"""
        ^bb0(%value: {self.element}, %known: {self.element}, %rate: {self.element}, %old: {self.element}):
          %apart = arith.subf %value, %known : {self.element}
          %new = arith.mulf %apart, %rate : {self.element}
          linalg.yield %new : {self.element}"""
        maps = ", ".join(f"affine_map<(d0) -> ({each})>" for each in ("d0", "d0", "0", "d0"))
        row = self.tensor(self.width)
        return "%news", f"""{self.row("rates", 1)}
        {said}
        %news = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}}
          ins(%values_now, %said, %rates_now : {row}, {row}, {self.tensor(1)}) outs(%place : {row}) {{{block}
        }} -> {row}"""

    def text(self, name):
        """The function."""
        output, states = self.results
        state, decay = self.decayed()
        news, known = self.known(state)
        row, rows = self.tensor(self.width), self.tensor(self.group, self.width)
        added = self.generic("next", [self.tensor(self.depth), row, self.state], ["%keys_now", news, state],
                             ["d0", "d1", "d0, d1"], ["parallel", "parallel"], f"""
        ^bb0(%key: {self.element}, %value: {self.element}, %old: {self.element}):
          %part = arith.mulf %key, %value : {self.element}
          %more = arith.addf %old, %part : {self.element}
          linalg.yield %more : {self.element}""")
        asked = self.generic("found", [self.tensor(self.group, self.depth), self.state, rows], ["%queries_now", "%next", "%nothing"],
                             ["d0, d1", "d1, d2", "d0, d2"], ["parallel", "reduction", "parallel"], f"""
        ^bb0(%query: {self.element}, %number: {self.element}, %sum: {self.element}):
          %part = arith.mulf %query, %number : {self.element}
          %more = arith.addf %sum, %part : {self.element}
          linalg.yield %more : {self.element}""")
        sizes = [f"%{each}" for each, extent in zip(("texts", "heads", "words"), extents(output)) if extent == "?"]
        return f"""func.func private @{name}({", ".join(f"%{each}: {kind}" for each, kind in self.kinds.items())}) -> ({output}, {states}) {{
  %first = arith.constant 0 : index
  %step = arith.constant 1 : index
  %dim = arith.constant 2 : index
  %heads = arith.constant {self.heads} : index
  %zero = arith.constant 0.0 : {self.element}
  %texts = tensor.dim %values, %first : {self.kinds["values"]}
  %words = tensor.dim %values, %dim : {self.kinds["values"]}
  %empty = tensor.empty({", ".join(sizes)}) : {output}
  %done:2 = scf.for %head = %first to %heads step %step iter_args(%results = %empty, %all = %states) -> ({output}, {states}) {{
    %each:2 = scf.for %text = %first to %texts step %step iter_args(%outer = %results, %own = %all) -> ({output}, {states}) {{
      %begin = tensor.extract_slice %own[%text, %head, 0, 0] [1, 1, {self.depth}, {self.width}] [1, 1, 1, 1] : {states} to {self.state}
      %end:2 = scf.for %word = %first to %words step %step iter_args(%result = %outer, %state = %begin) -> ({output}, {self.state}) {{
        %place = tensor.empty() : {row}
        %cleared = linalg.fill ins(%zero : {self.element}) outs(%place : {row}) -> {row}
        %room = tensor.empty() : {rows}
        %nothing = linalg.fill ins(%zero : {self.element}) outs(%room : {rows}) -> {rows}
        {self.row("queries", self.group, self.depth)}
        {self.row("keys", self.depth)}
        {self.row("values", self.width)}
        {decay}
        {known}
        {added}
        {asked}
        %joined = tensor.insert_slice %found into %result[%text, %head, %word, 0, 0] [1, 1, 1, {self.group}, {self.width}] [1, 1, 1, 1, 1] : {rows} into {output}
        scf.yield %joined, %next : {output}, {self.state}
      }}
      %changed = tensor.insert_slice %end#1 into %own[%text, %head, 0, 0] [1, 1, {self.depth}, {self.width}] [1, 1, 1, 1] : {self.state} into {states}
      scf.yield %end#0, %changed : {output}, {states}
    }}
    scf.yield %each#0, %each#1 : {output}, {states}
  }}
  return %done#0, %done#1 : {output}, {states}
}}"""


def operator(given):
    """The name of the operator that has these of PARTS."""
    return STEPS + "".join(part.capitalize() for part in given)


BODIES = {f"onnx.{operator(given)}": functools.partial(steps, given) for given in ((), PARTS[:1], PARTS[1:], PARTS)}
