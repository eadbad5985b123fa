"""Mixtures of experts, ONNX Runtime's MoE and QMoE: rows go to the experts that a router chose for them, and back.

    chosen, shares = the experts with the largest scores of each row, and what they count
    result         = the sum of shares * (activation(row * first matrix + bias) * second matrix + bias)

Rows are sorted by expert, so that each matrix is read once, and those of experts that none chose are not read at all
(experts.py).
"""
import math

from . import experts, onnx_activations, onnx_narrow

WEIGHT_BITS = (4, 8)
BYTES_OF_ROWS = 8  # with weights of so many bits in blocks, ONNX Runtime quantizes rows as well


def mixture(nodes, x, router, *weights):
    """Weights are floats, experts x columns x steps, each followed by its bias."""
    first, first_bias, second, second_bias, third, third_bias, *_ = [*weights, *[""] * 6]
    layers = [([matrix], bias) for matrix, bias in ((first, first_bias), (second, second_bias), (third, third_bias))]
    is_whole = nodes.field("normalize_routing_weights", 0)
    return Mixture(nodes, x, router, layers).result(nodes.Softmax(router, axis=-1), is_whole)


def quantized_mixture(nodes, x, router, *weights):
    """Weights are integers of 4 or 8 bits, with a scale for each column or each block of its steps. Rows that meet bytes in
    blocks are quantized in the same blocks, as by ONNX Runtime."""
    if nodes.field("quant_type", "int") != "int":
        nodes.refuse("weights of floats of few bits are not supported, but such of integers")
    if nodes.field("weights_prepacked", -1) == 1:
        nodes.refuse("weights in the order of another machine are not supported; export the model for CPUs")
    given = [*weights, *[""] * 13]
    layers = []
    for at in range(3):
        matrix, scales, bias = given[3 * at:3 * at + 3]
        bits = nodes.field(f"fc{at + 1}_expert_weight_bits", 0) or nodes.field("expert_weight_bits", 4)
        layers.append((integers(nodes, matrix, scales, given[9 + at], bits) if matrix else [""], bias))
    shares, router_weights = nodes.Softmax(router, axis=-1), given[12]
    is_whole = not router_weights or nodes.field("normalize_routing_weights", 0)
    return Mixture(nodes, x, router, layers, BYTES_OF_ROWS).result(router_weights or shares, is_whole)


def integers(nodes, matrix, scales, zeros, bits):
    """What a GroupedProduct multiplies by: integers around zero by experts, columns, blocks and steps, scales, and zero points
    if there are any."""
    packed, scale = nodes.value(matrix), nodes.value(scales)
    if packed is None or scale is None or packed.ndim != 3 or bits not in WEIGHT_BITS:
        nodes.refuse("its weights and scales must be constants, of 4 or 8 bits, for experts, columns and steps")
    numbers = onnx_narrow.unpack(packed, bits)
    count, columns, steps = numbers.shape
    block = nodes.field("block_size", 0) or steps
    if steps % block or scale.size * block != numbers.size:
        nodes.refuse(f"{scale.size} scales do not belong to {count} x {columns} columns of {steps} steps in blocks of {block}")
    shape = [count, columns, steps // block]
    made = [onnx_narrow.around_zero(numbers, bits).reshape(*shape, block), scale.astype(nodes.dtype()).reshape(*shape, 1)]
    if zeros:
        made.append(zero_points(nodes, zeros, shape, bits).reshape(*shape, 1))
    return [nodes.constant(each) for each in made]


def zero_points(nodes, name, shape, bits):
    """Zero points of integers around zero, for columns, or for blocks of each column: as bytes, the last dim packed."""
    packed = nodes.value(name)
    if packed is None:
        nodes.refuse("its zero points must be constants")
    found = onnx_narrow.unpack(packed, bits)
    found = found[..., :shape[2]] if found.ndim == 3 else found[:, :shape[1], None]
    if list(found.shape) != shape:
        nodes.refuse(f"zero points of {list(packed.shape)} bytes do not belong to {shape[0]} x {shape[1]} columns of {shape[2]} blocks")
    return found.astype(nodes.dtype()) - nodes.numpy.array(1 << bits - 1, nodes.dtype())


class Mixture:
    """One node, taken apart. A layer is the operands of its product behind the rows, and its bias."""

    def __init__(self, nodes, x, router, layers, bits_of_rows=0):
        self.nodes, self.x, self.router, self.layers = nodes, x, router, layers
        has_bytes = nodes.field("block_size", 0) and nodes.field("expert_weight_bits", 4) == bits_of_rows
        self.product = experts.BYTES if has_bytes else experts.PRODUCT
        self.experts, self.count = nodes.shape(router)[-1], nodes.field("k", 1)
        if nodes.field("use_sparse_mixer", 0):
            nodes.refuse("a sparse mixer is not supported; export the model with a router that chooses the largest scores")
        if self.experts is None or not 0 < self.count <= self.experts:
            nodes.refuse(f"{self.count} of {self.experts} experts cannot be chosen")

    def result(self, shares, is_whole):
        """The name of the result. What experts count is `shares`, rows x experts, divided by their sum if it `is_whole`."""
        nodes, shape = self.nodes, self.nodes.shape(self.x)
        rows = nodes.Reshape(self.x, [-1, shape[-1]])
        _, chosen = nodes.add("TopK", [self.router, [self.count]], 2)
        items, own, places, ends = self.sort(chosen, rows)
        sorted_rows = nodes.declare(nodes.Gather(rows, items), [nodes.shape(items)[0], shape[-1]])
        product = self.layer(0, sorted_rows, ends, own)
        other = self.layer(2, sorted_rows, ends, own) if self.layers[2][0][0] else ""
        found = self.layer(1, self.activate(product, other), ends, own)
        shares = nodes.GatherElements(shares, chosen, axis=1)
        if is_whole:
            shares = nodes.Div(shares, nodes.reduce("ReduceSum", shares, [1]))
        weighed = nodes.Mul(nodes.Gather(found, places), nodes.unsqueeze(shares, 2))
        total = nodes.squeeze(nodes.reduce("ReduceSum", weighed, [1]), 1)
        return total if len(shape) == 2 else nodes.Reshape(total, nodes.Shape(self.x))

    def sort(self, chosen, rows):
        """Rows and experts of all choices, places of choices, and the end of each expert, as experts.py says."""
        nodes, wide = self.nodes, self.nodes.helper.np_dtype_to_tensor_dtype
        count = nodes.shape(self.router)[0]
        total = None if count is None else count * self.count
        results = nodes.add(experts.SORT, [chosen, rows], 4)
        kinds = [("int64", [total]), ("int64", [total]), ("int64", [count, self.count]), ("int32", [self.experts])]
        for name, (kind, shape) in zip(results, kinds):
            info = nodes.helper.make_tensor_value_info(name, wide(nodes.numpy.dtype(kind)), shape)
            nodes.facts.graph.value_info.append(info)
            nodes.declare(name, shape)
        return results

    def layer(self, number, rows, ends, own):
        """What the matrices of experts make of rows, with a bias for each expert."""
        nodes, (matrices, bias) = self.nodes, self.layers[number]
        (count, columns, *steps), width = nodes.shape(matrices[0]), nodes.shape(rows)[1]
        if [count, math.prod(steps)] != [self.experts, width] or bias and nodes.shape(bias) != [count, columns]:
            nodes.refuse(f"matrix {number + 1} has {count} x {columns} columns of {math.prod(steps)} steps, and {self.experts} experts "
                         f"read rows of {width}, with a bias for each column if there is any")
        shape = [nodes.shape(rows)[0], nodes.shape(matrices[0])[1]]
        made = nodes.note(nodes.add(self.product, [rows, ends, *matrices]), shape, self.x)
        return nodes.declare(nodes.Add(made, nodes.Gather(bias, own)), shape) if bias else made

    def activate(self, x, other):
        """The activation of a first product, and of a third one that gates it."""
        nodes, kind = self.nodes, self.nodes.field("activation_type", "relu")
        simple = {"relu": nodes.Relu, "identity": lambda value: value, "gelu": lambda value: onnx_activations.gelu_by_tanh(nodes, value),
                  "silu": lambda value: onnx_activations.swish(nodes, value),
                  "relu2": lambda value: nodes.Mul(nodes.Relu(value), nodes.Relu(value))}
        if kind in simple:
            made = simple[kind](x)
            made = nodes.Mul(made, other) if other else made
        elif kind in ("swiglu", "geglu"):
            gate, linear = (x, other) if other else self.halves(x)
            made = self.swiglu(gate, linear) if kind == "swiglu" else nodes.Mul(onnx_activations.gelu_by_tanh(nodes, gate), linear)
        else:
            nodes.refuse(f"the activation {kind} is not supported")
        return nodes.declare(made, [nodes.shape(x)[0], nodes.shape(x)[1] // (1 if kind in simple or other else 2)])

    def halves(self, x):
        """The two parts of rows: every second element, or all of one before the other."""
        nodes, (_, width) = self.nodes, self.nodes.shape(x)
        if nodes.field("swiglu_fusion", 0) == 0:
            nodes.refuse("a product of gates that is apart from the others needs a third matrix")
        if nodes.field("swiglu_fusion", 0) == 1:
            return [nodes.slice(x, at, width, 1, 2) for at in (0, 1)]
        return [nodes.slice(x, begin, begin + width // 2, 1) for begin in (0, width // 2)]

    def swiglu(self, gate, linear):
        """gate * sigmoid(alpha * gate) * (linear + beta), with a limit for both parts."""
        nodes, limit = self.nodes, self.nodes.field("swiglu_limit", None)
        if nodes.field("swiglu_limit_after_activation", 0):
            nodes.refuse("a limit behind the activation is not supported")
        if limit is not None:
            number = lambda value: nodes.numpy.array(value, nodes.dtype())
            gate, linear = nodes.Min(gate, number(limit)), nodes.Max(nodes.Min(linear, number(limit)), number(-limit))
        alpha, beta = nodes.field("activation_alpha", 1.0), nodes.field("activation_beta", 0.0)
        opened = nodes.Mul(gate, nodes.Sigmoid(gate if alpha == 1 else nodes.Mul(gate, float(alpha))))
        return nodes.Mul(opened, nodes.Add(linear, float(beta)) if beta else linear)


MEANINGS = {"MoE": mixture, "QMoE": quantized_mixture}
