"""Computes ahead what depends on weights and literals alone, in a graph of PyTorch."""
from . import torch_extents
from .arrays import package

ADDITIVE = ("aten.add.Tensor", "aten.sub.Tensor")
MULTIPLICATIVE = ("aten.mul.Tensor",)
SMALL = 16  # elements: such bytes may be anything


def fold(graph_module, weights):
    """Replaces nodes that do not depend on an input by new weights, and folds scales into convolutions."""
    graph_module.graph.eliminate_dead_code()
    torch = package("torch")
    values = evaluate(graph_module.graph, weights)
    for node, value in values.items():
        if all(user in values for user in node.users) or node.op == "placeholder":
            continue
        if isinstance(value, torch.Tensor):
            materialize(graph_module.graph, node, value, weights)
        elif isinstance(value, (int, float)):
            torch_extents.replace(node, value)
    for node in reversed(values):
        if node.target == torch.ops.aten._assert_scalar.default:
            graph_module.graph.erase_node(node)
    for node in list(graph_module.graph.nodes):
        if fold_identity(node, weights) or fold_into_convolution(node, weights):
            graph_module.graph.erase_node(node)
    graph_module.graph.eliminate_dead_code()


def evaluate(graph, weights):
    """The value of each node that depends on weights and literals alone."""
    torch = package("torch")
    aten, values = torch.ops.aten, {}
    for node in graph.nodes:
        if node.op == "placeholder" and node.name in weights:
            values[node] = weights[node.name]
        elif (node.op == "call_function" and is_foldable(node) and not is_dequantization(node, values)
              and all(each in values for each in node.all_input_nodes)):
            args, kwargs = torch.fx.map_arg((node.args, node.kwargs), values.__getitem__)
            # Kernels may give other strides than those of which the export knows that they allow a view.
            target = aten.reshape.default if node.target == aten.view.default else node.target
            with torch.no_grad():
                values[node] = target(*args, **kwargs)
    return values


def is_foldable(node):
    """Whether an op gives the same for the same, as random numbers do not, and PyTorch can compute it, as it cannot our own."""
    tags = getattr(node.target, "tags", ())
    return package("torch").Tag.nondeterministic_seeded not in tags and getattr(node.target, "namespace", "") != "ucmoh"


def is_dequantization(node, values):
    """Whether bytes of a weight become floats: kernels read the bytes."""
    source = values.get(next(iter(node.all_input_nodes), None))
    made = getattr(node.meta.get("val"), "dtype", None)
    return (isinstance(source, package("torch").Tensor) and source.dtype.itemsize == 1
            and not source.dtype.is_floating_point and source.numel() > SMALL
            and made is not None and made.is_floating_point)


def materialize(graph, node, value, weights):
    """A node becomes a constant: a number everywhere, or a weight, broadcast where it is one."""
    aten = package("torch").ops.aten
    base = value[tuple(slice(0, 1) if stride == 0 else slice(None) for stride in value.stride())].contiguous()
    if base.numel() == 1 and not node.all_input_nodes:
        return
    first = next(iter(graph.nodes))
    with graph.inserting_before(first):
        replacement = placeholder(graph, base, weights)
        replacement.meta["val"] = like(node, base)
    if base.shape != value.shape:
        with graph.inserting_before(node):
            expanded = graph.call_function(aten.expand.default, (replacement, list(value.shape)))
            expanded.meta.update(node.meta)
            replacement = expanded
    node.replace_all_uses_with(replacement)


def placeholder(graph, value, weights):
    """A new weight as the graph's first argument."""
    name = f"folded_{len(weights)}"
    weights[name] = value
    node = graph.placeholder(name)
    weights[node.name] = weights.pop(name)
    return node


def call(origin, target, *args, **kwargs):
    """A new node that computes a part of `origin`, with the type that PyTorch computes for it."""
    torch = package("torch")
    node = origin.graph.call_function(target, args, kwargs)
    fake_args = torch.fx.map_arg(args, lambda each: each.meta["val"])
    fake_kwargs = torch.fx.map_arg(kwargs, lambda each: each.meta["val"])
    made = origin.meta["val"]
    with (made[0] if isinstance(made, (tuple, list)) else made).fake_mode:
        value = target(*fake_args, **fake_kwargs)
    node.meta.update({"val": value, "nn_module_stack": origin.meta.get("nn_module_stack")})
    return node


def constant(origin, value, weights):
    """A new weight that `origin` needs."""
    graph = origin.graph
    with graph.inserting_before(next(iter(graph.nodes))):
        node = placeholder(graph, value, weights)
    node.meta["val"] = like(origin, value)
    return node


def like(node, value):
    """A fake tensor of the node's own mode with this shape and type."""
    fake = node.meta["val"]
    with fake.fake_mode:
        return package("torch").empty(value.shape, dtype=value.dtype)


def constant_of(argument, weights):
    """The weight or number that an argument is, before it is broadcast; or nothing."""
    if isinstance(argument, (int, float)):
        return argument
    if str(getattr(argument, "target", "")) == "aten.expand.default":
        argument = argument.args[0]
    return weights.get(getattr(argument, "name", None))


def fold_identity(node, weights):
    """x + 0, x * 1: the node's users read x."""
    target = str(node.target)
    if node.op != "call_function" or target not in (*ADDITIVE, *MULTIPLICATIVE) or node.kwargs:
        return False
    source, other = node.args[:2]
    value = constant_of(other, weights)
    neutral = 1 if target in MULTIPLICATIVE else 0
    if value is None or not (value == neutral if isinstance(value, (int, float)) else bool((value == neutral).all())):
        return False
    if not hasattr(source, "meta") or not same_type(source, node):
        return False
    node.replace_all_uses_with(source)
    return True


def same_type(left, right):
    """Whether two nodes have the same shape and element type."""
    first, second = left.meta["val"], right.meta["val"]
    return first.shape == second.shape and first.dtype == second.dtype


def fold_into_convolution(node, weights):
    """A scale or shift per channel behind a convolution, as of a batch norm, goes into its weight and bias."""
    target = str(node.target)
    if node.op != "call_function" or target not in (*ADDITIVE, *MULTIPLICATIVE) or node.kwargs:
        return False
    source, value = node.args[0], constant_of(node.args[1], weights)
    if not is_private_convolution(source, weights) or not is_per_channel(value, source) or not same_type(source, node):
        return False
    filters, bias = weights[source.args[1].name], source.args[2] and weights[source.args[2].name]
    per_channel = value.flatten().double()
    bias = filters.new_zeros(filters.shape[0]) if bias is None else bias
    if target in MULTIPLICATIVE:
        filters = (filters.double() * per_channel.reshape(-1, *[1] * (filters.dim() - 1))).to(filters.dtype)
        bias = bias.double() * per_channel
    else:
        bias = bias.double() + (per_channel if target == "aten.add.Tensor" else -per_channel)
    replace_weights(source, filters, bias.to(filters.dtype), weights)
    node.replace_all_uses_with(source)
    return True


def replace_weights(convolution, filters, bias, weights):
    """Gives a convolution new weights."""
    graph = convolution.graph
    with graph.inserting_before(next(iter(graph.nodes))):
        nodes = [placeholder(graph, value, weights) for value in (filters, bias)]
    for node, value in zip(nodes, (filters, bias)):
        node.meta["val"] = like(convolution, value)
    convolution.args = (convolution.args[0], *nodes, *convolution.args[3:])


def is_private_convolution(node, weights):
    """A convolution by constant weights, in float32 or wider, whose result nothing else reads."""
    if str(getattr(node, "target", "")) != "aten.convolution.default" or len(node.users) != 1 or node.args[6]:
        return False
    filters, bias = (constant_of(argument, weights) for argument in node.args[1:3])
    return filters is not None and filters.dtype.itemsize >= 4 and (node.args[2] is None or bias is not None)


def is_per_channel(value, convolution):
    """Whether a weight has one number for each channel of the result."""
    result = convolution.meta["val"]
    spatial = result.dim() - 2
    return getattr(value, "shape", None) in ((result.shape[1], *[1] * spatial), (1, result.shape[1], *[1] * spatial))
