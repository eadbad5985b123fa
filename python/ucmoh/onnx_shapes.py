"""Shapes of an ONNX graph, and the arithmetic on them that exporters leave in it.

An exporter that traces a network writes down how extents, indices and masks were computed from them, even where all of
them are known. torch-mlir folds some of that, and fails at reshapes whose shapes it does not find, and at the ops that
fill masks.
"""
import math

from . import onnx_reshapes
from .arrays import package
from .errors import CompileError

#: Elements of the largest constant that is computed: the mask of an attention has so many.
MOST_ELEMENTS = 1 << 18

#: Ops that torch-mlir does not lower, but which exporters apply to constants to number positions.
COUNTS = {"CumSum"}

#: Ops that exporters apply to a quotient of extents, which they write down as one float.
WHOLE = {"Ceil", "Floor"}

#: Ops whose results are others in each call.
RANDOM = {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"}


def fold_tables(model):
    """Computes what a graph computes from constant positions and flags, such as masks and tables of angles."""
    fold(model.graph, model.opset_import)


def infer_shapes(model):
    """The model with the shapes of all results; arithmetic on known extents is folded."""
    forget_what_is_stale(model.graph)
    model = infer(model)
    while fold(model.graph, model.opset_import) or onnx_reshapes.fix(model.graph):
        forget_what_is_stale(model.graph)
        model = infer(model)
    return model


def forget_what_is_stale(graph):
    """Removes what an inference with less knowledge has left, and would outlast what is known.

    That is names of extents that no input has, which exporters make up, too, second declarations of results, and what
    was declared of a constant before it was one.
    """
    declared = {value.name for value in [*graph.output, *graph.initializer]}
    kept = [value for value in graph.value_info if value.name not in declared]
    del graph.value_info[:]
    graph.value_info.extend(kept)
    names = {extent.dim_param for value in graph.input for extent in value.type.tensor_type.shape.dim}
    for value in [*graph.value_info, *graph.output]:
        for extent in value.type.tensor_type.shape.dim:
            if extent.HasField("dim_param") and extent.dim_param not in names:
                extent.Clear()


def infer(model):
    """The model with the shapes of results, as far as they are known."""
    onnx, count = package("onnx"), 0
    try:
        model = onnx.shape_inference.infer_shapes(model, data_prop=True)
        while count != (count := keep_extents(model.graph)):
            model = onnx.shape_inference.infer_shapes(model, data_prop=True)
        return model
    except Exception as error:  # an exception of C++
        raise CompileError(f"ONNX cannot infer the shapes of the model: {error}") from error


def keep_extents(graph):
    """Gives slices the extents along which they cut nothing: ONNX's inference knows none where one end is computed. Returns
    how many extents it has given."""
    made = {value.name: value.type.tensor_type.shape.dim for value in [*graph.value_info, *graph.output]}
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    tensors |= {node.output[0]: node.attribute[0].t for node in graph.node
                if node.op_type == "Constant" and node.attribute[0].name == "value"}
    shapes = {value.name: [extent.dim_value for extent in value.type.tensor_type.shape.dim]
              for value in [*graph.value_info, *graph.output, *graph.input]}
    shapes |= {name: list(tensor.dims) for name, tensor in tensors.items()}
    count = 0
    for node in graph.node:
        if node.op_type != "Slice" or len(node.input) < 4 or node.input[3] not in tensors:
            continue
        whole, part = shapes.get(node.input[0], []), made.get(node.output[0], [])
        cut = {int(axis) % len(whole) for axis in package("onnx").numpy_helper.to_array(tensors[node.input[3]]) if whole}
        for dim, (before, extent) in enumerate(zip(whole, part)):
            if dim not in cut and before and not extent.HasField("dim_value"):
                extent.dim_value, count = before, count + 1
    return count


class Constants:
    """The values of constants by name; those of tensors are read when they are asked for: there may be thousands."""

    def __init__(self, tensors):
        self.tensors, self.values, self.to_array = tensors, {}, package("onnx").numpy_helper.to_array

    def __contains__(self, name):
        return name in self.values or name in self.tensors

    def __getitem__(self, name):
        if name not in self.values:
            self.values[name] = self.to_array(self.tensors[name])
        return self.values[name]

    def get(self, name):
        """None of what is no constant."""
        return self[name] if name in self else None

    def update(self, values):
        """Adds values by name."""
        self.values.update(values)


def fold(graph, opsets):
    """Makes extents, and what is computed from them and from constants, constants; how many of the nodes went."""
    onnx = package("onnx")
    shapes = {value.name: static_shape(value) for value in [*graph.output, *graph.value_info, *graph.input]}
    constants = [(tensor.name, tensor) for tensor in graph.initializer]
    constants += [(node.output[0], attribute.t) for node in graph.node if node.op_type == "Constant"
                  for attribute in node.attribute if attribute.name == "value"]
    known = Constants({name: tensor for name, tensor in constants if math.prod(tensor.dims) <= MOST_ELEMENTS})
    results, kept, derived, count = {value.name for value in graph.output}, [], {}, 0
    for node in graph.node:
        branch = taken_branch(node, known)
        if branch is not None:
            graph.initializer.extend(branch.initializer)
            kept.extend(branch.node)
            kept.extend(onnx.helper.make_node("Identity", [value.name], [name], name=node.name)
                        for value, name in zip(branch.output, node.output))
            count += 1
            continue
        values = evaluate(node, opsets, shapes, known, derived)
        if values is None or results.intersection(node.output):
            kept.append(node)
        else:
            known.update(zip(node.output, values))
            derived.update(zip(node.output, values))
            count += 1
    for name in sorted({name for node in kept for name in read_by(node) if name in derived}):
        graph.initializer.append(onnx.numpy_helper.from_array(derived[name], name))
    del graph.node[:]
    graph.node.extend(kept)
    return count


def read_by(node):
    """Names of the values that a node reads, and those that its bodies read."""
    bodies = [attribute.g for attribute in node.attribute if attribute.HasField("g")]
    return [*node.input, *(name for body in bodies for inner in body.node for name in read_by(inner)),
            *(value.name for body in bodies for value in body.output)]


def taken_branch(node, known):
    """The graph that an If with a known condition computes; None of other nodes."""
    if node.op_type != "If" or node.domain or node.input[0] not in known:
        return None
    taken = "then_branch" if known[node.input[0]].all() else "else_branch"
    return next(attribute.g for attribute in node.attribute if attribute.name == taken)


def shape_of(value):
    """A list of extents, None for those that are open; None if nothing is known."""
    tensor = value.type.tensor_type
    if not tensor.HasField("shape"):
        return None
    return [dim.dim_value if dim.HasField("dim_value") else None for dim in tensor.shape.dim]


def static_shape(value):
    """None if an extent is open, or nothing is known."""
    shape = shape_of(value)
    return None if shape is None or None in shape else shape


def computes_positions(node, inputs, known, derived):
    """Whether all inputs are known, and are no weights alone: those are floats, or integers of 8 bits."""
    if not inputs or not all(name in known for name in inputs):
        return False
    is_extent = node.op_type in WHOLE and known[inputs[0]].size == 1
    return (is_extent or any(name in derived for name in inputs) or node.op_type in COUNTS or
            all(known[name].dtype.name in ("int64", "int32", "bool") for name in inputs))


def evaluate(node, opsets, shapes, known, derived):
    """The results of a node that takes an extent, or computes with extents, positions and constants; None of others."""
    if node.op_type == "Shape" and not node.domain and shapes.get(node.input[0]) is not None:
        numpy, bounds = package("numpy"), {attribute.name: attribute.i for attribute in node.attribute}
        return [numpy.array(shapes[node.input[0]][bounds.get("start"):bounds.get("end")], numpy.int64)]
    if node.op_type == "Constant" and node.attribute[0].name in ("value_int", "value_ints"):
        return [package("numpy").array(package("onnx").helper.get_attribute_value(node.attribute[0]), "int64")]
    inputs = [name for name in node.input if name]
    if node.domain or node.op_type in RANDOM or any(attribute.HasField("g") for attribute in node.attribute) or not computes_positions(node, inputs, known, derived):
        return None
    onnx, numpy, reference = package("onnx"), package("numpy"), package("onnx.reference")
    values_of = onnx.helper.make_tensor_value_info  # without shapes: the ops' own versions decide
    graph = onnx.helper.make_graph(
        [node], "node", [values_of(name, onnx.helper.np_dtype_to_tensor_dtype(known[name].dtype), None)
                         for name in dict.fromkeys(inputs)], [onnx.ValueInfoProto(name=name) for name in node.output])
    try:
        alone = onnx.helper.make_model(graph, opset_imports=opsets)
        values = reference.ReferenceEvaluator(alone).run(None, {name: known[name] for name in inputs})
    except Exception:  # any op may raise anything: the importer says what is wrong with it
        return None
    return values if all(numpy.size(value) <= MOST_ELEMENTS for value in values) else None
