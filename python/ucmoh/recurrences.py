"""Linear attention as a loop over words, which keep what they know of those before in a matrix of fixed size.

    for each text and head, for each word:
        said  = questions x state              what the state answers to the queries, and to the key
        new   = (value - said[key]) * rate     what the key says already is taken off; or the value itself
        result = said[queries] + products * new
        state  = state * decay + key x new     each row times its factor

Questions are times the decay already, and products are those of queries and the key: so a state is read once before it changes.
"""
import functools

from .experts import element_of
from .torch_calls import extents

STEPS = "LinearAttentionSteps"  # an operator of our own: neither ONNX nor torch-mlir has such
#: What it may have behind questions [B, H, T, G, K], products [B, H, T, G], keys [B, H, T, K], values [B, H, T, V] and states
#: [B, H, K, V]. Where there are rates, the last question is the key.
PARTS = ("decay", "rates")


def steps(given, name, operands, results):
    """The function of one op. B is of texts, H of heads, T of words, and G of queries that share a head; `given` says which of
    PARTS there are: decays are [B, H, T, K] or [B, H, T, 1], rates [B, H, T, 1]. It gives [B, H, T, G, V] and new states."""
    return Loop(given, operands, results).text(name)


class Loop:
    """The text of one function."""

    def __init__(self, given, operands, results):
        self.names = ["questions", "products", "keys", "values", "states", *(part for part in PARTS if part in given)]
        self.kinds, self.results = dict(zip(self.names, operands)), results
        self.element = element_of(operands[0])
        _, self.heads, _, self.asked, self.depth = extents(self.kinds["questions"])
        self.group, self.width = extents(self.kinds["products"])[-1], extents(self.kinds["values"])[-1]
        self.state, self.row = self.tensor(self.depth, self.width), self.tensor(self.width)
        self.rows, self.all = self.tensor(self.group, self.width), self.tensor(self.asked, self.width)

    def tensor(self, *sizes):
        """A type of these extents."""
        return f"tensor<{'x'.join([*map(str, sizes), self.element])}>"

    def now(self, name, *sizes):
        """What belongs to a word."""
        kind, rank = self.kinds[name], len(sizes)
        wanted, zeros, ones = ", ".join(map(str, sizes)), ", 0" * rank, ", 1" * rank
        return (f"%{name}_now = tensor.extract_slice %{name}[%text, %head, %word{zeros}] [1, 1, 1, {wanted}] [1, 1, 1{ones}] : {kind} "
                f"to {self.tensor(*sizes)}")

    def generic(self, result, kinds, operands, maps, iterators, block):
        """An op over as many dims as there are iterators; `operands` are the inputs, then what is written."""
        (*inputs, output), (*of_inputs, of_output) = operands, kinds
        dims = ", ".join(f"d{at}" for at in range(len(iterators)))
        written = ", ".join(f"affine_map<({dims}) -> ({each})>" for each in maps)
        types = ", ".join(f'"{each}"' for each in iterators)
        names = ", ".join(f"%{name}: {self.element}" for name in block[0])
        lines = "\n          ".join(f"{line} : {self.element}" for line in block[1:])
        return f"""%{result} = linalg.generic {{indexing_maps = [{written}], iterator_types = [{types}]}}
          ins({", ".join(inputs)} : {", ".join(of_inputs)}) outs({output} : {of_output}) {{
        ^bb0({names}):
          {lines}
        }} -> {of_output}"""

    def said(self):
        """The answers of the state."""
        return self.generic(
            "said", [self.tensor(self.asked, self.depth), self.state, self.all], ["%questions_now", "%state", "%nothing"],
            ["d0, d2", "d2, d1", "d0, d1"], ["parallel", "parallel", "reduction"],
            [("question", "number", "sum"), "%part = arith.mulf %question, %number", "%more = arith.addf %sum, %part",
             "linalg.yield %more"])

    def news(self):
        """The name of what is new, and the text of what makes it."""
        if "rates" not in self.kinds:
            return "%values_now", ""
        made = self.generic(
            "news", [self.row, self.row, self.tensor(1), self.row], ["%values_now", "%known", "%rates_now", "%place"],
            ["d0", "d0", "0", "d0"], ["parallel"],
            [("value", "number", "rate", "old"), "%apart = arith.subf %value, %number", "%new = arith.mulf %apart, %rate",
             "linalg.yield %new"])
        return "%news", f"""{self.now("rates", 1)}
        %known = tensor.extract_slice %said[{self.group}, 0] [1, {self.width}] [1, 1] : {self.all} to {self.row}
        %place = tensor.empty() : {self.row}
        {made}"""

    def found(self, news):
        """The result of the word."""
        return self.generic(
            "found", [self.rows, self.tensor(self.group), self.row, self.rows], ["%answers", "%products_now", news, "%room"],
            ["d0, d1", "d0", "d1", "d0, d1"], ["parallel", "parallel"],
            [("answer", "product", "new", "old"), "%part = arith.mulf %product, %new", "%more = arith.addf %answer, %part",
             "linalg.yield %more"])

    def next(self, news):
        """The state behind the word."""
        operands, kinds, maps = ["%keys_now", news], [self.tensor(self.depth), self.row], ["d0", "d1"]
        names, before, text = ["key", "new"], "%old", []
        if "decay" in self.kinds:
            size = extents(self.kinds["decay"])[-1]
            operands, kinds, maps = operands + ["%decay_now"], kinds + [self.tensor(size)], maps + ["d0" if size == self.depth else "0"]
            names, before, text = names + ["factor"], "%less", ["%less = arith.mulf %old, %factor"]
        return self.generic(
            "next", [*kinds, self.state], [*operands, "%state"], [*maps, "d0, d1"], ["parallel", "parallel"],
            [(*names, "old"), *text, "%part = arith.mulf %key, %new", f"%more = arith.addf {before}, %part", "linalg.yield %more"])

    def step(self):
        """All of one word."""
        news, known = self.news()
        parts = [("questions", self.asked, self.depth), ("products", self.group), ("keys", self.depth), ("values", self.width)]
        if "decay" in self.kinds:
            parts.append(("decay", extents(self.kinds["decay"])[-1]))
        return "\n        ".join([
            *(self.now(*part) for part in parts),
            f"%empty_answers = tensor.empty() : {self.all}",
            f"%nothing = linalg.fill ins(%zero : {self.element}) outs(%empty_answers : {self.all}) -> {self.all}",
            f"%room = tensor.empty() : {self.rows}", self.said(), known,
            f"%answers = tensor.extract_slice %said[0, 0] [{self.group}, {self.width}] [1, 1] : {self.all} to {self.rows}",
            self.found(news), self.next(news)])

    def checks(self):
        """Assertions that all operands are of as many texts and words as there are values."""
        lines = []
        for name, dims in ((name, ("texts",) if name == "states" else ("texts", "words")) for name in self.names if name != "values"):
            for dim in dims:
                lines += [f"%{name}_{dim} = tensor.dim %{name}, %{'first' if dim == 'texts' else 'dim'} : {self.kinds[name]}",
                          f"%{name}_{dim}_fit = arith.cmpi eq, %{name}_{dim}, %{dim} : index",
                          f'cf.assert %{name}_{dim}_fit, "operands of linear attention have to be of as many {dim}"']
        return "\n  ".join(lines)

    def text(self, name):
        """The function."""
        output, states = self.results[0], self.kinds["states"]
        cast = f"tensor.cast %done#1 : {states} to {self.results[1]}"  # a file may say less of a result than is known
        sizes = [f"%{each}" for each, extent in zip(("texts", "heads", "words"), extents(output)) if extent == "?"]
        return f"""func.func private @{name}({", ".join(f"%{each}: {kind}" for each, kind in self.kinds.items())}) -> ({output}, {self.results[1]}) {{
  %first = arith.constant 0 : index
  %step = arith.constant 1 : index
  %dim = arith.constant 2 : index
  %heads = arith.constant {self.heads} : index
  %zero = arith.constant 0.0 : {self.element}
  %texts = tensor.dim %values, %first : {self.kinds["values"]}
  %words = tensor.dim %values, %dim : {self.kinds["values"]}
  {self.checks()}
  %empty = tensor.empty({", ".join(sizes)}) : {output}
  %done:2 = scf.for %head = %first to %heads step %step iter_args(%results = %empty, %all = %states) -> ({output}, {states}) {{
    %each:2 = scf.for %text = %first to %texts step %step iter_args(%outer = %results, %own = %all) -> ({output}, {states}) {{
      %begin = tensor.extract_slice %own[%text, %head, 0, 0] [1, 1, {self.depth}, {self.width}] [1, 1, 1, 1] : {states} to {self.state}
      %end:2 = scf.for %word = %first to %words step %step iter_args(%result = %outer, %state = %begin) -> ({output}, {self.state}) {{
        {self.step()}
        %joined = tensor.insert_slice %found into %result[%text, %head, %word, 0, 0] [1, 1, 1, {self.group}, {self.width}] [1, 1, 1, 1, 1] : {self.rows} into {output}
        scf.yield %joined, %next : {output}, {self.state}
      }}
      %changed = tensor.insert_slice %end#1 into %own[%text, %head, 0, 0] [1, 1, {self.depth}, {self.width}] [1, 1, 1, 1] : {self.state} into {states}
      scf.yield %end#0, %changed : {output}, {states}
    }}
    scf.yield %each#0, %each#1 : {output}, {states}
  }} {{ucmoh.items}}
  %last = {cast}
  return %done#0, %last : {output}, {self.results[1]}
}}"""


def operator(given):
    """The name of the operator that has these of PARTS."""
    return STEPS + "".join(part.capitalize() for part in given)


BODIES = {f"onnx.{operator(given)}": functools.partial(steps, given) for given in ((), PARTS[:1], PARTS[1:], PARTS)}
