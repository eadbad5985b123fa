"""How a module of PyTorch nests its arguments and results."""
import json

from .arrays import package
from .errors import ArgumentError, Error


def form(positions, keywords):
    """How arguments are passed, in words."""
    by_keyword = f" and {', '.join(sorted(keywords))} by keyword" if keywords else ""
    return f"{positions} argument{'' if positions == 1 else 's'} by position{by_keyword}"


class Structure:
    """Two trees of PyTorch, and for each of their leaves the number of a tensor or the constant that stands there.

    A leaf is {"tensor": number} or {"constant": value}.
    """

    def __init__(self, inputs, input_leaves, outputs, output_leaves):
        self.trees = package("torch.utils._pytree")
        self.inputs, self.outputs = inputs, outputs
        self.input_leaves, self.output_leaves = input_leaves, output_leaves
        self.keywords = inputs.child(1).context
        self.keyword_set = set(self.keywords)
        self.positions = inputs.child(0).num_children
        self.flat_arguments = self._is_flat(inputs.child(0)) and self._is_flat(inputs.child(1)) and all(
            "tensor" in leaf for leaf in input_leaves)
        self.flat_results = outputs.is_leaf() and "tensor" in output_leaves[0]

    @staticmethod
    def _is_flat(tree):
        return all(child.is_leaf() for child in tree.children())

    def flatten(self, args, kwargs):
        """The tensors among the arguments of a call."""
        if kwargs.keys() == self.keyword_set:
            if self.flat_arguments and len(args) == self.positions:
                return [*args, *(kwargs[key] for key in self.keywords)]
            kwargs = {key: kwargs[key] for key in self.keywords}
        leaves, tree = self.trees.tree_flatten((args, kwargs))
        if tree != self.inputs:
            raise ArgumentError(self._mismatch(len(args), kwargs, tree))
        return [leaf for index, (leaf, wanted) in enumerate(zip(leaves, self.input_leaves))
                if self._is_tensor(index, leaf, wanted)]

    def _mismatch(self, positions, keywords, tree):
        """Says in one line what is wrong with arguments of another structure."""
        wanted, found = form(self.positions, self.keywords), form(positions, keywords)
        if wanted == found:  # in a list or a dictionary among them
            wanted, found = (f"arguments of the structure {' '.join(str(each).split())}" for each in (self.inputs, tree))
        return f"the model was compiled for {wanted}, and was called with {found}"

    @staticmethod
    def _is_tensor(index, leaf, wanted):
        if "tensor" in wanted:
            return True
        if leaf != wanted["constant"]:
            raise ArgumentError(f"argument {index} was {wanted['constant']!r} when the model was compiled, and cannot "
                                f"become {leaf!r}")
        return False

    def unflatten(self, tensors):
        """The results as the module nests them."""
        if self.flat_results:
            return tensors[self.output_leaves[0]["tensor"]]
        leaves = [tensors[leaf["tensor"]] if "tensor" in leaf else leaf["constant"] for leaf in self.output_leaves]
        return self.trees.tree_unflatten(leaves, self.outputs)

    def to_json(self):
        """Raises Error where PyTorch has no name for a class among the arguments or results."""
        try:
            return self._fields(self.trees.treespec_dumps)
        except NotImplementedError as error:
            raise Error(f"the structure of arguments and results cannot be saved: {error}") from error

    def _fields(self, dumps):
        return {"inputs": json.loads(dumps(self.inputs)), "input_leaves": self.input_leaves,
                "outputs": json.loads(dumps(self.outputs)), "output_leaves": self.output_leaves}

    @classmethod
    def from_json(cls, fields):
        """The structure that `to_json` wrote."""
        loads = package("torch.utils._pytree").treespec_loads
        return cls(loads(json.dumps(fields["inputs"])), fields["input_leaves"],
                   loads(json.dumps(fields["outputs"])), fields["output_leaves"])
