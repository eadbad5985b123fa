"""`torch.compile(model, backend="ucmoh")`: what cannot be compiled stays in PyTorch, graph by graph, with a warning."""
import warnings

from . import compiler
from .arrays import package
from .door import THREADS
from .errors import ArgumentError, Error, Fallback

SHAPES_AT_MOST = 16  # a graph is compiled for so many, each by itself


def backend(graph_module, example_inputs, *, options=None, **_unused):
    """Compiles a graph for torch.compile, which calls it. `options` are target, choices and keep, as of
    ucmoh.compile."""
    torch = package("torch")
    if torch.is_grad_enabled() and any(getattr(each, "requires_grad", False) for each in example_inputs):
        warn(graph_module, "gradients are wanted, and compiled models compute none (call in torch.no_grad())")
        return graph_module.forward
    return torch.compiler.disable(Graph(graph_module, compiler.Options(threads=THREADS.get(), **(options or {}))))


def warn(graph_module, reason):
    """Says that a graph stays in PyTorch."""
    count = sum(node.op.startswith("call") for node in graph_module.graph.nodes)
    warnings.warn(f"a graph of {count} ops stays in PyTorch: {reason}", Fallback, stacklevel=3)


def is_weight(node):
    """Whether an argument of a graph is a parameter or a buffer of a module."""
    return "_dynamo_static_input_type" in node.meta.get("tensor_dict", {})


class Graph:
    """One graph, compiled when it is called for the first time with some shapes."""

    def __init__(self, graph_module, options):
        self.graph_module, self.options = graph_module, options
        nodes = [node for node in graph_module.graph.nodes if node.op == "placeholder"]
        self.weights = [index for index, node in enumerate(nodes) if is_weight(node)]
        self.inputs = [index for index, node in enumerate(nodes) if not is_weight(node)]
        self.programs = {}

    def __call__(self, *args):
        inputs = [args[index] for index in self.inputs]
        key = tuple(each.shape if hasattr(each, "shape") else each for each in inputs)
        versions = [(id(args[index]), args[index]._version) for index in self.weights]
        program, packed = self.programs.get(key, (None, None))
        if packed != versions:
            program = self.compile(key, args)
            self.programs[key] = program, versions
        return program(*inputs) if program else self.graph_module(*args)

    def compile(self, key, args):
        """The program for these shapes and weights, or nothing where there is none."""
        from .torch_import import import_module
        if key not in self.programs and len(self.programs) >= SHAPES_AT_MOST:
            warn(self.graph_module, f"it was called with more than {SHAPES_AT_MOST} different shapes")
            return None
        bound = bind(self.graph_module, {index: args[index] for index in self.weights})
        try:
            imported = import_module(bound, [args[index] for index in self.inputs])
            return compiler.compile_imported(imported, self.options)
        except Error as error:
            if isinstance(error, ArgumentError):
                raise
            warn(self.graph_module, str(error))
            return None


def bind(graph_module, weights):
    """A module of the graph's other arguments, with these weights as its buffers."""
    torch = package("torch")

    class Bound(torch.nn.Module):
        """The graph with its weights inside."""

        def __init__(self):
            super().__init__()
            for index, weight in weights.items():
                self.register_buffer(f"weight{index}", weight.detach())

        def forward(self, *inputs):
            others = iter(inputs)
            count = len(weights) + len(inputs)
            values = [getattr(self, f"weight{index}") if index in weights else next(others) for index in range(count)]
            # The interpreter hands the modules that nodes come from on to what is traced.
            with torch.fx.traceback.preserve_node_meta():
                return torch.fx.Interpreter(graph_module).run(*values)

    return Bound().eval()
