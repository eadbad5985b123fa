"""Recurrent layers as loops over their steps. PyTorch would write each step out.

    gates = x * input weights + biases         for all steps at once
    for each step:   hidden, cell = cell function of (gates[step] + hidden * weights)

The loop is an op of its own until torch-mlir has the graph (torch_calls.py).
"""
import functools

from .arrays import package
from .torch_calls import extents

SIGMOID = """
      %{0}n = arith.negf %{0} : f32
      %{0}e = math.exp %{0}n : f32
      %{0}d = arith.addf %{0}e, %one : f32
      %{0}s = arith.divf %one, %{0}d : f32"""

#: By kinds of cells: how many gates there are, and the computation of a new state from gates and the one before.
CELLS = {
    "lstm": (4, SIGMOID.format("g0") + SIGMOID.format("g1") + SIGMOID.format("g3") + """
      %new = math.tanh %g2 : f32
      %kept = arith.mulf %g1s, %before : f32
      %taken = arith.mulf %g0s, %new : f32
      %next = arith.addf %kept, %taken : f32
      %shown = math.tanh %next : f32
      %out = arith.mulf %g3s, %shown : f32
      linalg.yield %out, %next : f32, f32"""),
    "gru": (3, """
      %sum0 = arith.addf %x0, %g0 : f32
      %sum1 = arith.addf %x1, %g1 : f32""" + SIGMOID.format("sum0") + SIGMOID.format("sum1") + """
      %reset = arith.mulf %sum0s, %g2 : f32
      %sum2 = arith.addf %x2, %reset : f32
      %new = math.tanh %sum2 : f32
      %apart = arith.subf %before, %new : f32
      %kept = arith.mulf %sum1s, %apart : f32
      %out = arith.addf %kept, %new : f32
      linalg.yield %out : f32"""),
    "tanh": (1, """
      %out = math.tanh %g0 : f32
      linalg.yield %out : f32"""),
    "relu": (1, """
      %none = arith.constant 0.0 : f32
      %out = arith.maximumf %g0, %none : f32
      linalg.yield %out : f32"""),
}


def table(known):
    """Functions by operators of PyTorch. `known` has those that write the steps out."""
    aten = package("torch").ops.aten
    kinds = {aten.lstm.input: "lstm", aten.gru.input: "gru", aten.rnn_tanh.input: "tanh", aten.rnn_relu.input: "relu"}
    return {op: functools.partial(expand, kind, known[op]) for op, kind in kinds.items()}


@functools.cache
def operators():
    """The ops of the loops, by kinds: (gates [T, B, G*H], weights [H, G*H], biases [G*H], hidden [B, H], cell [B, H]) to
    outputs [T, B, H], the last hidden state and the last cell."""
    torch = package("torch")
    library = torch.library.Library("ucmoh", "FRAGMENT")
    for kind in CELLS:
        library.define(f"{kind}_steps(Tensor gates, Tensor weights, Tensor biases, Tensor hidden, Tensor cell) -> "
                       "(Tensor, Tensor, Tensor)")
        torch.library.register_fake(f"ucmoh::{kind}_steps", shapes, lib=library)
    return library, {kind: getattr(torch.ops.ucmoh, f"{kind}_steps").default for kind in CELLS}


def shapes(gates, _weights, _biases, hidden, _cell):
    """Empty results."""
    return hidden.new_empty([gates.shape[0], *hidden.shape]), hidden.new_empty(hidden.shape), hidden.new_empty(hidden.shape)


def expand(kind, otherwise, value, states, weights, *options):
    """Outputs, hidden states and, of an LSTM, cells."""
    found = layers(kind, value, *(states if kind == "lstm" else (states, states)), weights, *options)
    if found is None:
        return otherwise(value, states, weights, *options)
    return found if kind == "lstm" else found[:2]


def layers(kind, value, hidden, cell, weights, has_biases, count, dropout, train, bidirectional, batch_first):
    """All layers, each in one direction or both; None where a layer has another form."""
    torch, directions = package("torch"), 2 if bidirectional else 1
    each = 4 if has_biases else 2
    if train and dropout or value.dtype != torch.float32 or value.dim() != 3 or len(weights) != each * count * directions:
        return None  # such as projections, which have five weights
    value = value.transpose(0, 1) if batch_first else value
    lasts, cells = [], []
    for layer in range(count):
        outputs = []
        for direction in range(directions):
            number = layer * directions + direction
            output, last, last_cell = steps(kind, value, weights[number * each:(number + 1) * each], hidden[number], cell[number],
                                            backward=direction == 1)
            outputs.append(output)
            lasts.append(last)
            cells.append(last_cell)
        value = torch.cat(outputs, -1) if bidirectional else outputs[0]
    value = value.transpose(0, 1) if batch_first else value
    return value, torch.stack(lasts), torch.stack(cells)


def steps(kind, value, weights, hidden, cell, backward):
    """One layer in one direction."""
    torch = package("torch")
    inputs, recurrent, *biases = weights
    input_bias, bias = biases or 2 * [inputs.new_zeros(inputs.shape[0])]
    if kind != "gru":
        input_bias = input_bias + bias
    gates = torch.nn.functional.linear(value, inputs, input_bias)
    gates = gates.flip(0) if backward else gates
    output, last, last_cell = operators()[1][kind](gates, recurrent.t(), bias, hidden, cell)
    return output.flip(0) if backward else output, last, last_cell


class Loop:
    """The function of one op. `%cell` is what a cell keeps beside the hidden state; others keep that twice."""

    def __init__(self, kind, operands, results):
        self.kind, self.results = kind, results
        self.gates, self.weights, self.biases, self.state, _ = operands
        (self.count, self.batch, self.width), (self.size, _) = extents(self.gates), extents(self.weights)
        self.number, self.cell = CELLS[kind]
        self.rows = "%batch" if self.batch == "?" else self.batch
        self.step = f"tensor<{self.batch}x{self.width}xf32>"

    def empty(self, name, kind):
        """A tensor of a type whose open extents are the loop's."""
        sizes = ["%count"] * (kind == self.results[0] and self.count == "?") + ["%batch"] * (self.batch == "?")
        return f"%{name} = tensor.empty({', '.join(sizes)}) : {kind}"

    def start(self):
        """What the product with the hidden state is added to: a GRU resets its sum before the gates of the input join."""
        if self.kind != "gru":
            return "%now", ""
        return "%init", f"""{self.empty("room", self.step)}
    %init = linalg.broadcast ins(%biases : {self.biases}) outs(%room : {self.step}) dimensions = [0]"""

    def parts(self, prefix, source):
        """Slices of a row of gates, one for each gate."""
        size = int(self.size)
        return [f"%{prefix}{at} = tensor.extract_slice %{source}[0, {at * size}] [{self.rows}, {size}] [1, 1] : {self.step} to "
                f"{self.state}" for at in range(self.number)]

    def update(self):
        """The new state, from gates and the state before: its own slices, and an elementwise op on them."""
        lines, read = self.parts("part_g", "sums"), [f"g{at}" for at in range(self.number)]
        if self.kind == "gru":
            lines, read = lines + self.parts("part_x", "now"), read + [f"x{at}" for at in range(self.number)]
        before = {"gru": ["%hidden"], "lstm": ["%cell"]}.get(self.kind, [])
        taken = [f"%part_{each}" for each in read] + before
        results = 2 if self.kind == "lstm" else 1
        maps = ", ".join(["affine_map<(d0, d1) -> (d0, d1)>"] * (len(taken) + results))
        names = [f"%{each}: f32" for each in (*read, *(["before"] if before else []), *(f"old{at}" for at in range(results)))]
        made = f"({', '.join([self.state] * results)})" if results > 1 else self.state
        return "\n    ".join([*lines, f"""%new{":2" if results > 1 else ""} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel"]}}
        ins({", ".join(taken)} : {", ".join([self.state] * len(taken))}) outs({", ".join(["%place"] * results)} : {", ".join([self.state] * results)}) {{
    ^bb0({", ".join(names)}):{self.cell}
    }} -> {made}"""])

    def text(self, name):
        """The function."""
        output, state = self.results[0], self.state
        sums, start = self.start()
        hidden, cell = ("%new#0", "%new#1") if self.kind == "lstm" else ("%new", "%new")
        return f"""func.func private @{name}(%gates: {self.gates}, %weights: {self.weights}, %biases: {self.biases}, %hidden0: {state}, %cell0: {state}) -> ({output}, {state}, {state}) {{
  %first = arith.constant 0 : index
  %step = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %count = tensor.dim %gates, %first : {self.gates}
  %batch = tensor.dim %gates, %step : {self.gates}
  {self.empty("empty", output)}
  {self.empty("place", state)}
  %done:3 = scf.for %at = %first to %count step %step iter_args(%all = %empty, %hidden = %hidden0, %cell = %cell0) -> ({output}, {state}, {state}) {{
    %now = tensor.extract_slice %gates[%at, 0, 0] [1, {self.rows}, {self.width}] [1, 1, 1] : {self.gates} to {self.step}
    {start}
    %sums = linalg.matmul ins(%hidden, %weights : {state}, {self.weights}) outs({sums} : {self.step}) -> {self.step}
    {self.update()}
    %joined = tensor.insert_slice {hidden} into %all[%at, 0, 0] [1, {self.rows}, {self.size}] [1, 1, 1] : {state} into {output}
    scf.yield %joined, {hidden}, {cell} : {output}, {state}, {state}
  }}
  return %done#0, %done#1, %done#2 : {output}, {state}, {state}
}}"""


def body(kind, name, operands, results):
    """The function of an op of one kind."""
    return Loop(kind, operands, results).text(name)


BODIES = {f"torch.ucmoh.{kind}_steps": functools.partial(body, kind) for kind in CELLS}
