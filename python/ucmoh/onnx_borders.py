"""Borders that repeat rows and columns of an image, as concatenations of slices of it.

torch-mlir computes a place for each element of such a Pad, and does not end for the mode wrap. Slices are copied as
they lie, in any layout.
"""
from .arrays import package
from .errors import CompileError

WIDEST = 8  # rows or columns on one side; wider ones are left to torch-mlir
MODES = (b"reflect", b"edge", b"wrap")


def rewrite(graph):
    """Replaces the Pads with constant sizes that are no constants themselves."""
    onnx = package("onnx")
    constants = {tensor.name: tensor for tensor in graph.initializer}
    constants |= {node.output[0]: node.attribute[0].t for node in graph.node
                  if node.op_type == "Constant" and node.attribute[0].name == "value"}
    for node in list(graph.node):
        mode = next((each.s for each in node.attribute if each.name == "mode"), b"constant")
        if node.op_type != "Pad" or mode not in MODES:
            continue
        sizes = None
        if len(node.input) > 1 and node.input[1] in constants and "".join(node.input[3:]) == "":
            sizes = onnx.numpy_helper.to_array(constants[node.input[1]]).tolist()
        if sizes is not None and min(sizes) >= 0 and max(sizes) <= WIDEST:
            Border(graph, node, mode, sizes).replace()
        elif mode == b"wrap":
            raise CompileError(f"node '{node.name}', op Pad: the mode wrap needs constant sizes of all dims from 0 to "
                               f"{WIDEST}; slice and concatenate instead")


class Border:
    """One Pad, taken apart."""

    def __init__(self, graph, node, mode, sizes):
        self.graph, self.node, self.mode, self.sizes = graph, node, mode, sizes
        self.helper, self.made = package("onnx").helper, []

    def replace(self):
        """Puts slices and a concatenation for each dim in the place of the node."""
        rank, value = len(self.sizes) // 2, self.node.input[0]
        dims = [dim for dim in range(rank) if self.sizes[dim] or self.sizes[rank + dim]]
        for dim in dims:
            output = self.node.output[0] if dim == dims[-1] else f"{self.node.output[0]}.{dim}"
            value = self.concatenate(value, dim, self.sizes[dim], self.sizes[rank + dim], output)
        if not dims:
            self.add("Identity", [value], self.node.output[0])
        position = list(self.graph.node).index(self.node)
        self.graph.node.remove(self.node)
        for index, made in enumerate(self.made):
            self.graph.node.insert(position + index, made)

    def concatenate(self, value, dim, before, after, output):
        """The value with its border along one dim."""
        head = [self.place(count - before) for count in range(before)]
        tail = [self.place(count, behind=True) for count in range(1, after + 1)]
        parts = [*(self.slice(value, dim, place) for place in head), value,
                 *(self.slice(value, dim, place) for place in tail)]
        return self.add("Concat", parts, output, axis=dim)

    def place(self, distance, behind=False):
        """Which element stands so far in front of the first one (negative), or behind the last one.

        Negative results count from the end.
        """
        if self.mode == b"reflect":
            return -1 - distance if behind else -distance
        if self.mode == b"edge":
            return -1 if behind else 0
        return distance - 1 if behind else distance

    def slice(self, value, dim, place):
        """One row of the value."""
        name = f"{self.node.output[0]}.slice{len(self.made)}"
        end = place + 1 if place != -1 else 2 ** 63 - 1
        bounds = [self.constant(f"{name}.{index}", [each]) for index, each in enumerate((place, end, dim))]
        return self.add("Slice", [value, *bounds], name)

    def constant(self, name, values):
        """The name of a new constant of positions."""
        tensor = package("onnx").numpy_helper.from_array(package("numpy").array(values, "int64"), name)
        self.graph.initializer.append(tensor)
        return name

    def add(self, operator, inputs, output, **attributes):
        """A new node; gives the name of its result."""
        self.made.append(self.helper.make_node(operator, inputs, [output], name=f"{self.node.name}.{len(self.made)}",
                                               **attributes))
        return output
