"""Takes attention of PyTorch apart, after masks are known."""
import math

from . import constants, torch_sums
from .arrays import package
from .constants import constant_of


def expand(graph_module, weights):
    """Replaces each scaled_dot_product_attention by products and a softmax.

    PyTorch's own way guards against rows that are masked as a whole, which costs a pass over all scores: such rows
    can exist only where a mask is an input or hides a whole row.
    """
    for node in list(graph_module.graph.nodes):
        if str(node.target) == "aten.scaled_dot_product_attention.default":
            with graph_module.graph.inserting_before(node):
                node.replace_all_uses_with(Attention(node, weights).emit())
            graph_module.graph.erase_node(node)  # dead code of this kind stays, since it might draw random numbers


class Attention:
    """One call, bound to its arguments."""

    def __init__(self, node, weights):
        self.node, self.graph, self.weights = node, node.graph, weights
        self.aten = package("torch").ops.aten
        names = ("query", "key", "value", "mask", "dropout", "causal")
        given = dict(zip(names, node.args)) | {
            {"attn_mask": "mask", "dropout_p": "dropout", "is_causal": "causal"}.get(key, key): value
            for key, value in node.kwargs.items()}
        self.query, self.key, self.value = given["query"], given["key"], given["value"]
        self.mask, self.causal = given.get("mask"), given.get("causal", False)
        self.scale = given.get("scale") or 1 / math.sqrt(self.query.meta["val"].shape[-1])
        self.grouped = given.get("enable_gqa", False)

    def call(self, target, *args, **kwargs):
        """A node, with the type that PyTorch computes for it."""
        return constants.call(self.node, target, *args, **kwargs)

    def emit(self):
        """The node that has the result."""
        aten = self.aten
        key, value = self.repeat(self.key), self.repeat(self.value)
        scores = self.call(aten.matmul.default, self.query, self.call(aten.transpose.int, key, -2, -1))
        scores = self.call(aten.mul.Scalar, scores, self.scale)
        mask = self.additive_mask(scores)
        if mask is not None:
            scores = self.call(aten.add.Tensor, scores, mask)
        weights = self.softmax(scores)
        if mask is not None and self.may_hide_rows():
            weights = self.without_hidden_rows(scores, weights)
        return self.call(aten.matmul.default, weights, value)

    def softmax(self, scores):
        """The softmax of each row, in f32 of narrow scores, whose sums would not be exact."""
        aten, torch, dtype = self.aten, package("torch"), scores.meta["val"].dtype
        if torch_sums.is_narrow(dtype):
            wide = self.softmax(self.call(aten._to_copy.default, scores, dtype=torch.float32))
            return self.call(aten._to_copy.default, wide, dtype=dtype)
        largest = self.call(aten.amax.default, scores, [-1], True)
        powers = self.call(aten.exp.default, self.call(aten.sub.Tensor, scores, largest))
        return self.call(aten.div.Tensor, powers, self.call(aten.sum.dim_IntList, powers, [-1], True))

    def repeat(self, tensor):
        """Keys or values once for each head of queries that shares them."""
        *batch, heads, length, size = tensor.meta["val"].shape if self.grouped else (0, 0, 0)
        times = self.query.meta["val"].shape[-3] // heads if heads else 1
        if times == 1:
            return tensor
        aten = self.aten
        wide = self.call(aten.expand.default, self.call(aten.unsqueeze.default, tensor, -3),
                         [*batch, heads, times, length, size])
        wide = self.call(aten.clone.default, wide, memory_format=package("torch").contiguous_format)
        return self.call(aten.view.default, wide, [*batch, heads * times, length, size])

    def additive_mask(self, scores):
        """Returns what is added to the scores: 0 or -inf, or the numbers that were given; nothing where all is 0."""
        torch = package("torch")
        if self.causal:
            rows, columns = self.query.meta["val"].shape[-2], self.key.meta["val"].shape[-2]
            if not (isinstance(rows, int) and isinstance(columns, int)):
                return self.call(self.aten.triu.default, self.call(self.aten.full_like.default, scores, -math.inf), 1)
            visible = torch.ones(rows, columns, dtype=torch.bool).tril()
            return self.constant(self.to_numbers(visible))
        known = None if self.mask is None else constant_of(self.mask, self.weights)
        if known is not None:
            numbers = self.to_numbers(known) if known.dtype == torch.bool else known
            return self.constant(numbers) if bool((numbers != 0).any()) else None
        if self.mask is None or self.mask.meta["val"].dtype != torch.bool:
            return self.mask
        zero, hidden = (self.call(self.aten.full.default, [], number, dtype=self.query.meta["val"].dtype)
                        for number in (0.0, -math.inf))
        return self.call(self.aten.where.self, self.mask, zero, hidden)

    def to_numbers(self, visible):
        """A mask of booleans as 0 and -inf."""
        torch = package("torch")
        return torch.zeros(visible.shape, dtype=self.query.meta["val"].dtype).masked_fill(~visible, -math.inf)

    def constant(self, value):
        """A new weight."""
        return constants.constant(self.node, value, self.weights)

    def may_hide_rows(self):
        """Whether a row of the mask may be -inf as a whole."""
        if self.causal:
            return False
        known = constant_of(self.mask, self.weights)
        if known is None:
            return True
        hidden = ~known if known.dtype == package("torch").bool else known == -math.inf
        return bool(hidden.all(-1).any())

    def without_hidden_rows(self, scores, weights):
        """0 instead of NaN, as PyTorch has it."""
        aten = self.aten
        hidden = self.call(aten.all.dim, self.call(aten.eq.Scalar, scores, -math.inf), -1, True)
        return self.call(aten.where.self, hidden, self.call(aten.full_like.default, weights, 0), weights)
