"""Pixels that become blocks of pixels, in the forms that torch-mlir lowers rightly and kernels read in order.

PyTorch's pixel shuffle has a block's channels innermost (DepthToSpace of mode CRD). They are put outermost: in the
weights of the convolution that computes them, which costs nothing, or else in the tensor itself. A resize that repeats
each pixel is a broadcast, instead of places that are computed for each pixel.
"""
from . import onnx_shapes
from .arrays import package
from .errors import CompileError
from .onnx_channels import replace

THROUGH = ("QuantizeLinear", "DequantizeLinear", "Relu", "Clip", "LeakyRelu", "Identity")


def rewrite(model):
    """The model without such pixel shuffles and resizes."""
    if not any(is_innermost(node) or repeats(node) for node in model.graph.node):
        return model
    model = onnx_shapes.infer(model)
    Pixels(model.graph).rewrite()
    return model


def is_innermost(node):
    """Whether a block's channels are innermost."""
    mode = next((each.s for each in node.attribute if each.name == "mode"), b"DCR")
    return node.op_type == "DepthToSpace" and mode == b"CRD"


def repeats(node):
    """Whether a resize by whole factors repeats pixels."""
    fields = {each.name: each.s for each in node.attribute if each.s}
    return (node.op_type == "Resize" and fields.get("mode", b"nearest") == b"nearest" and
            fields.get("coordinate_transformation_mode") == b"asymmetric" and fields.get("nearest_mode") == b"floor")


def has_groups(node):
    """Whether the channels of a convolution are apart."""
    return any(each.name == "group" and each.i != 1 for each in node.attribute)


class Pixels:
    """The pixel shuffles of a graph with the shapes of its results."""

    def __init__(self, graph):
        onnx = package("onnx")
        self.graph, self.helper, self.numpy_helper = graph, onnx.helper, onnx.numpy_helper
        self.constants = {tensor.name: tensor for tensor in graph.initializer}
        self.makers = {name: node for node in graph.node for name in node.output}
        self.shapes = {value.name: [extent.dim_value for extent in value.type.tensor_type.shape.dim]
                       for value in [*graph.value_info, *graph.input, *graph.output]}
        self.reads = [name for node in graph.node for name in node.input] + [value.name for value in graph.output]

    def rewrite(self):
        """Changes the graph."""
        for node in list(self.graph.node):
            if is_innermost(node):
                size = next(each for each in node.attribute if each.name == "blocksize")
                replace(node.attribute, [self.helper.make_attribute("blocksize", size.i)])
                self.reorder(node, size.i ** 2)
            elif repeats(node):
                self.broadcast(node)

    def reorder(self, node, pixels):
        """Puts the channels of what the node reads in the other order."""
        convolution = self.convolution_behind(node.input[0])
        if convolution is None:
            self.gather(node, pixels)
            return
        for index, name in enumerate(convolution.input):
            if index > 0:
                convolution.input[index] = self.reordered(name, pixels)

    def convolution_behind(self, name):
        """The convolution with constant weights that computes a value for one reader; ops by elements may follow it."""
        maker = self.makers.get(name)
        if maker is None or self.reads.count(name) != 1:
            return None
        if maker.op_type == "Conv":
            is_known = all(self.parts(each) is not None for each in maker.input[1:])
            return maker if is_known and not has_groups(maker) else None
        has_one_operand = all(each in self.constants and self.size(each) == 1 for each in maker.input[1:])
        return self.convolution_behind(maker.input[0]) if maker.op_type in THROUGH and has_one_operand else None

    def size(self, name):
        """Elements of a constant."""
        return self.numpy_helper.to_array(self.constants[name]).size

    def parts(self, name):
        """The constants that a weight is made of: itself, or those that are dequantized along its first dim."""
        maker = self.makers.get(name)
        if name in self.constants:
            return [name]
        if maker is None or maker.op_type != "DequantizeLinear" or not all(n in self.constants for n in maker.input):
            return None
        axis = next((each.i for each in maker.attribute if each.name == "axis"), 1)
        return list(maker.input) if axis == 0 or self.size(maker.input[1]) == 1 else None

    def reordered(self, name, pixels):
        """The name of a weight whose first dim is in the other order."""
        made = f"{name}.blocks"
        if name in self.constants:
            values = self.numpy_helper.to_array(self.constants[name])
            if values.size > 1:
                values = values.reshape(-1, pixels, *values.shape[1:]).swapaxes(0, 1).reshape(values.shape)
            self.graph.initializer.append(self.numpy_helper.from_array(values, made))
            return made
        maker = self.makers[name]
        inputs = [self.reordered(each, pixels) for each in maker.input]
        node = self.helper.make_node("DequantizeLinear", inputs, [made], name=f"{maker.name}.blocks")
        node.attribute.extend(maker.attribute)
        self.graph.node.insert(0, node)
        return made

    def gather(self, node, pixels):
        """Reads the channels in the other order."""
        numpy = package("numpy")
        channels = self.shapes.get(node.input[0], [0, 0])[1]
        if not channels:
            raise CompileError(f"node '{node.name}', op DepthToSpace: its channels are not known; export the model "
                               "with a number of channels")
        order = numpy.arange(channels).reshape(-1, pixels).T.reshape(-1)
        name = self.constant(f"{node.output[0]}.order", order)
        position = list(self.graph.node).index(node)
        made = self.helper.make_node("Gather", [node.input[0], name], [f"{name}ed"], name=f"{node.name}.order", axis=1)
        self.graph.node.insert(position, made)
        node.input[0] = made.output[0]

    def constant(self, name, values):
        """The name of a new constant."""
        self.graph.initializer.append(self.numpy_helper.from_array(package("numpy").asarray(values), name))
        return name

    def broadcast(self, node):
        """Repeats rows and columns of an image of known shape by a dim of its own behind each of them."""
        before, after = (self.shapes.get(name, []) for name in (node.input[0], node.output[0]))
        if len(before) != 4 or len(after) != 4 or not all([*before, *after]) or before[:2] != after[:2]:
            return
        if any(large % small for small, large in zip(before, after)):
            return
        rows, columns = (large // small for small, large in zip(before[2:], after[2:]))
        name, output = node.name, node.output[0]
        apart = [*before[:2], before[2], 1, before[3], 1]
        shapes = [apart, [*apart[:3], rows, before[3], columns], after]
        names = [node.input[0], f"{output}.apart", f"{output}.repeated", output]
        position = list(self.graph.node).index(node)
        self.graph.node.remove(node)
        for index, operator in enumerate(("Reshape", "Expand", "Reshape")):
            inputs = [names[index], self.constant(f"{output}.shape{index}", shapes[index])]
            made = self.helper.make_node(operator, inputs, [names[index + 1]], name=f"{name}.{index}")
            self.graph.node.insert(position + index, made)
