"""Reshapes to open extents, with constants for their shapes.

An exporter writes `x.view(batch, -1, 20)` as a shape that it computes from the extents of some value. torch-mlir then
loses how the results' extents follow from the operand's. The shape is a constant where at most one of its extents is
neither a number nor the operand's of the same dim: 0 stands for the operand's, -1 for the other one.
"""
import collections
import math

from .arrays import package

INT64 = 7  # onnx.TensorProto.INT64


def fix(graph):
    """Makes shapes constants; how many became such. All values have the shapes that were inferred for them."""
    onnx, lists = package("onnx"), Lists(graph)
    count = join(graph, lists)
    for node in graph.node:
        if node.op_type != "Reshape" or node.domain or any(field.name == "allowzero" and field.i for field in node.attribute):
            continue
        value, wanted = node.input
        shape = constant_shape(lists.extents.get(value), lists.of(wanted))
        if shape is None or shape == lists.constant(wanted) or lists.is_static(value):
            continue
        node.input[1] = f"{node.output[0]}.shape.{len(graph.initializer)}"
        graph.initializer.append(onnx.helper.make_tensor(node.input[1], INT64, [len(shape)], shape))
        count += 1
    return count


def join(graph, lists):
    """Makes reshapes of reshapes read what these read, where both keep the same first extents; how many became such."""
    count = 0
    for node in graph.node:
        maker = lists.makers.get(node.input[0]) if node.op_type == "Reshape" and not node.domain else None
        if maker is None or maker.op_type != "Reshape":
            continue
        before, wanted = lists.constant(maker.input[1]), lists.constant(node.input[1])
        if before and wanted and all(before[at:at + 1] == [0] for at, extent in enumerate(wanted) if extent == 0):
            node.input[0] = maker.input[0]
            count += 1
    return count


def constant_shape(operand, wanted):
    """The shape as a list of numbers, 0 and -1 among them. None where there is none."""
    if operand is None or wanted is None:
        return None
    wanted = [operand[at] if extent == 0 and at < len(operand) else extent for at, extent in enumerate(wanted)]
    wanted = [rest(operand, wanted) if extent == -1 else extent for extent in wanted]
    shape = [0 if isinstance(extent, str) and operand[at:at + 1] == [extent] else extent
             for at, extent in enumerate(wanted)]
    others = [at for at, extent in enumerate(shape) if not isinstance(extent, int) or extent < 0]
    for at in others:
        shape[at] = -1
    return shape if len(others) <= 1 else None


def rest(operand, wanted):
    """What -1 among the wanted extents stands for: a number, a name, or -1 still."""
    others = list(wanted)
    others.remove(-1)
    if None in operand or None in others or -1 in others:
        return -1
    counted = [collections.Counter(extent for extent in extents if isinstance(extent, str)) for extents in (operand, others)]
    have, need = (math.prod(extent for extent in extents if isinstance(extent, int)) for extents in (operand, others))
    if counted[1] - counted[0] or need == 0 or have % need:
        return -1
    left, factor = list((counted[0] - counted[1]).elements()), have // need
    if not left:
        return factor
    return left[0] if len(left) == 1 and factor == 1 else -1


class Lists:
    """Evaluates lists of extents, whose elements are numbers, names of open extents, and None where nothing is known.

    `extents` has the shapes of all values in that form.
    """

    def __init__(self, graph):
        onnx = package("onnx")
        tensors = {tensor.name: tensor for tensor in graph.initializer}
        tensors |= {node.output[0]: field.t for node in graph.node if node.op_type == "Constant"
                    for field in node.attribute if field.name == "value"}
        self.tensors = {name: tensor for name, tensor in tensors.items() if tensor.data_type == INT64}
        self.to_array = onnx.numpy_helper.to_array
        self.makers = {name: node for node in graph.node if not node.domain for name in node.output}
        self.extents = {value.name: extents_of(value) for value in [*graph.value_info, *graph.input, *graph.output]}
        self.found = {}

    def constant(self, name):
        """The numbers of a constant list; None of other values."""
        return self.to_array(self.tensors[name]).tolist() if name in self.tensors else None

    def is_static(self, name):
        """Whether all extents of the value are numbers."""
        return all(isinstance(extent, int) for extent in self.extents.get(name) or [None])

    def of(self, name):
        """The list that a value is; None if it cannot be said."""
        array = self.array(name)
        return None if array is None or array.ndim != 1 else array.tolist()

    def array(self, name):
        """The same for numbers, as an array of objects."""
        if name not in self.found:
            self.found[name] = None
            self.found[name] = self.evaluate(name)
        return self.found[name]

    def evaluate(self, name):
        numpy, node = package("numpy"), self.makers.get(name)
        if name in self.tensors:
            return self.to_array(self.tensors[name]).astype(object)
        if node is None:
            return None
        if node.op_type == "Shape":
            bounds = {field.name: field.i for field in node.attribute}
            extents = self.extents.get(node.input[0])
            return extents and numpy.array(extents[bounds.get("start"):bounds.get("end")], object)
        if node.op_type not in MOVES:
            return self.unknown(name)
        operands = [self.array(each) for each in node.input]
        if any(operand is None for operand in operands):
            return self.unknown(name)
        return MOVES[node.op_type](numpy, *operands)

    def unknown(self, name):
        """As many unknown elements as the value has."""
        extents = self.extents.get(name)
        is_short = extents is not None and all(isinstance(extent, int) for extent in extents) and math.prod(extents) < 16
        return package("numpy").full(extents, None, object) if is_short else None


def extents_of(value):
    """A list of numbers and names; None if nothing is known."""
    tensor = value.type.tensor_type
    if not tensor.HasField("shape"):
        return None
    return [extent.dim_value if extent.HasField("dim_value") else extent.dim_param or None
            for extent in tensor.shape.dim]


#: Ops that move extents from list to list. Lists have one dim, so that axes need not be read.
MOVES = {
    "Concat": lambda numpy, *lists: numpy.concatenate(lists),
    "Gather": lambda numpy, extents, places: numpy.asarray(extents.take(places.astype(int)), object),
    "Identity": lambda numpy, extents: extents,
    "Cast": lambda numpy, extents: extents,
    "Unsqueeze": lambda numpy, extent, *_: extent.reshape(1) if extent.ndim == 0 else None,
    "Squeeze": lambda numpy, extent, *_: extent.reshape(()) if extent.size == 1 else None,
    "Slice": lambda numpy, extents, begin, end, axes=None, step=None:
        extents[begin.item():end.item():None if step is None else step.item()],
}
