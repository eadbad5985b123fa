"""Convolutions to few channels, such as those that end a network that makes images, as ones to more channels.

Three channels fill three lanes of a vector. The columns of the kernel become channels as well: each gives its share of
a pixel, and the shares of neighbours are added. So the lanes are filled, and each element of the image is read once
for all columns.
"""
from .arrays import package

MOST_RESULTS = 4  # channels of the result that are few
LEAST_OPERANDS = 16  # channels of the image for which the sums of shares cost little


def rewrite(graph):
    """Changes the convolutions of floats with constant weights that take steps of one."""
    numpy_helper = package("onnx").numpy_helper
    weights = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer if len(tensor.dims) == 4}
    for node in list(graph.node):
        if node.op_type == "Conv" and node.input[1] in weights and has_few_channels(node, weights[node.input[1]]):
            Shares(graph, node, weights[node.input[1]]).replace()


def has_few_channels(node, weight):
    """Whether it is of the form that this is for."""
    helper = package("onnx").helper
    fields = {each.name: helper.get_attribute_value(each) for each in node.attribute}
    results, operands, _, columns = weight.shape
    is_few = results <= MOST_RESULTS and operands >= LEAST_OPERANDS and columns > 1
    return (is_few and weight.dtype.name == "float32" and fields.get("group", 1) == 1 and
            fields.get("auto_pad", b"NOTSET") == b"NOTSET" and
            all(step == 1 for name in ("strides", "dilations") for step in fields.get(name, [1, 1])))


class Shares:
    """One such convolution."""

    def __init__(self, graph, node, weight):
        self.graph, self.node, self.weight = graph, node, weight
        self.helper, self.made = package("onnx").helper, []

    def replace(self):
        """Puts the wider convolution and the sums of its shares in the place of the node."""
        results, operands, rows, columns = self.weight.shape
        output = self.node.output[0]
        weight = self.weight.transpose(3, 0, 1, 2).reshape(columns * results, operands, rows, 1)
        pads = next((list(each.ints) for each in self.node.attribute if each.name == "pads"), [0] * 4)
        shares = self.add("Conv", [self.node.input[0], self.constant("weight", weight)], f"{output}.shares", pads=pads)
        terms = [self.share(shares, column) for column in range(columns)]
        if len(self.node.input) > 2:
            shape = self.constant("shape", package("numpy").array([-1, 1, 1], "int64"))
            terms.append(self.add("Reshape", [self.node.input[2], shape], f"{output}.bias"))
        total = terms[0]
        for index, term in enumerate(terms[1:], 1):
            total = self.add("Add", [total, term], output if index == len(terms) - 1 else f"{output}.sum{index}")
        position = list(self.graph.node).index(self.node)
        self.graph.node.remove(self.node)
        for index, made in enumerate(self.made):
            self.graph.node.insert(position + index, made)

    def share(self, shares, column):
        """Makes what one column of the kernel gives to all pixels."""
        numpy, name = package("numpy"), f"share{column}"
        results, columns = self.weight.shape[0], self.weight.shape[3]
        end = column + 1 - columns or 2 ** 63 - 1
        bounds = ([column * results, column], [(column + 1) * results, end], [1, 3])
        names = [self.constant(f"{name}.{index}", numpy.array(each, "int64")) for index, each in enumerate(bounds)]
        return self.add("Slice", [shares, *names], f"{self.node.output[0]}.{name}")

    def constant(self, name, values):
        """The name of a new constant."""
        name = f"{self.node.output[0]}.{name}"
        self.graph.initializer.append(package("onnx").numpy_helper.from_array(values, name))
        return name

    def add(self, operator, inputs, output, **attributes):
        """A new node; gives the name of its result."""
        self.made.append(self.helper.make_node(operator, inputs, [output], name=f"{self.node.name}.{len(self.made)}",
                                               **attributes))
        return output
