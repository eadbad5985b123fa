"""Nodes of ONNX that stand for one other node: made one by one, named after it, and put in its place."""
from . import onnx_shapes
from .arrays import package
from .errors import CompileError

END = 2 ** 63 - 1  # a slice up to here leaves out nothing behind
AXES_AS_INPUT = {"ReduceSum": 13}  # the opset since which a reduction has its axes as an input: 18 for all others


class Unknown(Exception):
    """The shape of a value is wanted, and not known yet. Without it the node can also stay as it is if `may_stay`."""

    def __init__(self, message, may_stay):
        super().__init__(message)
        self.may_stay = may_stay


class Facts:
    """Holds what is known of a model: its opset, constants, and shapes and types as far as they were inferred."""

    def __init__(self, model):
        self.graph = model.graph
        self.opset = max((each.version for each in model.opset_import if each.domain in ("", "ai.onnx")), default=1)
        tensors = {tensor.name: tensor for tensor in model.graph.initializer}
        tensors |= {node.output[0]: node.attribute[0].t for node in model.graph.node
                    if node.op_type == "Constant" and node.attribute[0].name == "value"}
        self.constants = onnx_shapes.Constants(tensors)
        self.makers = {name: node for node in model.graph.node for name in node.output}
        values = [*model.graph.value_info, *model.graph.input, *model.graph.output]
        self.shapes = {value.name: onnx_shapes.shape_of(value) for value in values}
        self.types = {value.name: value.type.tensor_type.elem_type for value in values}
        self.types |= {name: tensor.data_type for name, tensor in tensors.items()}
        self.shapes |= {name: list(tensor.dims) for name, tensor in tensors.items()}


class Nodes:
    """Makes the nodes that stand for one node. `nodes.Add(x, y)` makes a node of that operator and gives the name of
    its result."""

    def __init__(self, node, facts):
        self.node, self.facts = node, facts
        self.helper, self.numpy, self.made = package("onnx").helper, package("numpy"), []
        self.fields = {each.name: self.helper.get_attribute_value(each) for each in node.attribute}
        self.inputs = [*node.input, *[""] * 16]
        self.label = node.name or next(filter(None, node.output), node.op_type)

    def __getattr__(self, operator):
        if not operator[0].isupper():
            raise AttributeError(operator)
        return lambda *inputs, **attributes: self.add(operator, inputs, **attributes)

    def add(self, operator, inputs, outputs=1, **attributes):
        """A new node of ONNX; gives the name of its result, or a list of names if it has several."""
        name = f"{self.label}.{len(self.made)}"
        names = [f"{name}.{at}" for at in range(outputs)] if outputs > 1 else [name]
        inputs = [each if isinstance(each, str) else self.constant(each) for each in inputs]
        self.made.append(self.helper.make_node(operator, inputs, names, name=name, **attributes))
        return names if outputs > 1 else name

    def constant(self, value):
        """The name of a new constant; numbers are of the type of the node's first operand, lists are positions."""
        if isinstance(value, (int, float)):
            value = self.numpy.array(value, self.dtype())
        elif isinstance(value, (list, tuple)):
            value = self.numpy.array(value, "int64")
        name = f"{self.label}.constant{len(self.facts.graph.initializer)}"
        value = self.numpy.asarray(value, order="C")
        self.facts.graph.initializer.append(package("onnx").numpy_helper.from_array(value, name))
        self.facts.constants.update({name: value})
        return self.declare(name, list(value.shape))

    def become(self, value):
        """Puts a constant in the place of the node, under the name of its result; what the node's meaning returns then."""
        name = self.node.output[0]
        self.facts.graph.initializer.append(package("onnx").numpy_helper.from_array(value, name))
        self.facts.constants.update({name: value})
        self.facts.types[name] = self.facts.graph.initializer[-1].data_type
        return []

    def dtype(self):
        """The type of the floats that the node computes with."""
        kind = self.facts.types.get(self.node.input[0])
        dtype = self.helper.tensor_dtype_to_np_dtype(kind) if kind else self.numpy.dtype("float32")
        return dtype if dtype.kind == "f" or dtype.name == "bfloat16" else self.numpy.dtype("float32")

    def field(self, name, value=None):
        """An attribute, or `value` where the node has none; strings are text."""
        found = self.fields.get(name, value)
        return found.decode() if isinstance(found, bytes) else found

    def value(self, name):
        """A constant as an array; None of other values."""
        return self.facts.constants.get(name)

    def shape(self, name, may_stay=False):
        """A list of extents, None where one is open."""
        found = self.facts.shapes.get(name)
        if found is None:
            raise Unknown(f"the shape of {name} is not known", may_stay)
        return found

    def declare(self, name, shape):
        """Notes the shape of a value that was made; gives its name."""
        self.facts.shapes[name] = shape
        return name

    def note(self, name, shape, like):
        """Declares the shape of a result that no inference knows, whose elements are those of another value."""
        kind = self.facts.types.get(like) or self.helper.np_dtype_to_tensor_dtype(self.dtype())
        self.facts.graph.value_info.append(self.helper.make_tensor_value_info(name, kind, shape))
        return self.declare(name, shape)

    def static_shape(self, name):
        """A list of numbers."""
        found = self.shape(name)
        if None in found:
            self.refuse(f"extents of {name} are open; export the model with numbers, or compile it with examples")
        return found

    def refuse(self, why):
        """An error at the node."""
        raise CompileError(f"node '{self.label}', op {self.node.op_type}: {why}")

    def reduce(self, operator, value, axes):
        """A reduction that keeps dims, in the form of the model's opset."""
        if self.facts.opset >= AXES_AS_INPUT.get(operator, 18):
            return self.add(operator, [value, list(axes)], keepdims=1)
        return self.add(operator, [value], axes=list(axes), keepdims=1)

    def slice(self, value, begin, end, axis, step=1):
        """From `begin` to before `end` along an axis."""
        return self.Slice(value, [begin], [end], [axis], [step])

    def row(self, value, place, axis):
        """One element of a dim, which stays; negative places count from the end."""
        return self.slice(value, place, place + 1 or END, axis)

    def unsqueeze(self, value, axis):
        """With a new dim of extent one."""
        if self.facts.opset >= 13:
            return self.Unsqueeze(value, [axis])
        return self.Unsqueeze(value, axes=[axis])

    def squeeze(self, value, axis):
        """Without a dim of extent one."""
        if self.facts.opset >= 13:
            return self.Squeeze(value, [axis])
        return self.Squeeze(value, axes=[axis])

    def part(self, value, begin, end, axis):
        """As `slice`, of a constant as another constant."""
        known = self.value(value)
        if known is None:
            return self.slice(value, begin, end, axis)
        return self.constant(known.take(range(begin, end), axis))

    def reverse(self, value, axis):
        """The last first, along an axis."""
        return self.slice(value, -1, -2 ** 63, axis, -1)

    def finish(self, results):
        """Returns what was made, with `results`, one name or several, called as the node's results are."""
        results = [results] if isinstance(results, str) else results
        makers, wanted = {name for made in self.made for name in made.output}, {}
        for result, output in zip(results, self.node.output):
            if output and result in makers and result not in wanted:
                wanted[result] = output
                self.declare_result(output, self.facts.shapes.get(result))
            elif output:
                self.made.append(self.helper.make_node("Identity", [wanted.get(result, result)], [output],
                                                       name=f"{self.label}.{output}"))
        for made in self.made:
            for field in (made.input, made.output):
                names = [wanted.get(name, name) for name in field]
                del field[:]
                field.extend(names)
        return self.made


    def declare_result(self, name, shape):
        """Gives a result of the graph the numbers that are known of its extents: a file may leave them open."""
        for value in self.facts.graph.output:
            extents = value.type.tensor_type.shape.dim
            if value.name == name and shape and len(extents) == len(shape):
                for extent, number in zip(extents, shape):
                    if number is not None:
                        extent.dim_value = number


def rewrite(model, meanings):
    """Replaces nodes by what `meanings`, functions by operators, make of them: they get Nodes and its inputs, and give
    names of results, or None to leave the node as it is. Where a shape is wanted, other nodes go first."""
    left = None
    while True:
        facts, waiting = Facts(model), []
        new = [replaced(node, facts, meanings, waiting) for node in model.graph.node]
        if any(nodes != [node] for node, nodes in zip(model.graph.node, new)):
            new = [type(node).FromString(node.SerializeToString()) for nodes in new for node in nodes]
            del model.graph.node[:]
            model.graph.node.extend(new)
        if not waiting:
            return model
        if len(waiting) == left:
            for node, error in waiting:
                if not error.may_stay:
                    Nodes(node, facts).refuse(f"{error}; export the model with shapes")
            return model
        left = len(waiting)
        model = onnx_shapes.infer(model)


def replaced(node, facts, meanings, waiting):
    """Returns what stands for the node; itself where it has no meaning here, or waits for a shape."""
    meaning = meanings.get(node.op_type)
    if meaning is None:
        return [node]
    nodes, count = Nodes(node, facts), len(facts.graph.initializer)
    try:
        results = meaning(nodes, *node.input)
    except Unknown as error:
        del facts.graph.initializer[count:]
        waiting.append((node, error))
        return [node]
    return [node] if results is None else nodes.finish(results)
