"""An ONNX graph that grows node by node, with random weights."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class Graph:
    """Each method adds nodes and returns the name of their result.

    `inputs` has the shapes of what the network gets, by name; all of it is f32. Weights are seeded: two graphs that
    are built alike are equal.
    """

    def __init__(self, inputs):
        self.inputs = inputs
        self.nodes, self.weights = [], []
        self.random = np.random.default_rng(0)

    def add(self, op, inputs, **attributes):
        name = f"{op.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name], name=name, **attributes))
        return name

    def constant(self, values, type=np.float32):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(values, type), name))
        return name

    def normal(self, *shape):
        """Weights that keep the variance of what they are applied to."""
        return self.constant(self.random.standard_normal(shape) / np.sqrt(np.prod(shape[1:])))

    def bias(self, outputs):
        return self.constant(self.random.uniform(-0.05, 0.05, outputs))

    def conv(self, x, inputs, outputs, size, stride=1, groups=1, padding=None, dims=2):
        pads = [size // 2 if padding is None else padding] * 2 * dims
        weights = self.normal(outputs, inputs // groups, *[size] * dims)
        return self.add("Conv", [x, weights, self.bias(outputs)], kernel_shape=[size] * dims, strides=[stride] * dims,
                        pads=pads, group=groups)

    def reshape(self, x, *shape):
        return self.add("Reshape", [x, self.constant(shape, np.int64)])

    def transpose(self, x, *order):
        return self.add("Transpose", [x], perm=order)

    def slice(self, x, begin, end, axis):
        return self.add("Slice", [x, *(self.constant([value], np.int64) for value in (begin, end, axis))])

    def product(self, x, inputs, outputs, scale=1):
        weights = self.random.standard_normal((inputs, outputs)) * (scale / np.sqrt(inputs))
        return self.add("MatMul", [x, self.constant(weights)])

    def dense(self, x, inputs, outputs):
        return self.add("Add", [self.product(x, inputs, outputs), self.bias(outputs)])

    def layer_norm(self, x, width):
        scale = self.constant(self.random.uniform(0.9, 1.1, width))
        return self.add("LayerNormalization", [x, scale, self.bias(width)], axis=-1, epsilon=1e-6)

    def rms_norm(self, x, width):
        """In the small ops that PyTorch exports."""
        squares = self.add("Pow", [x, self.constant(2)])
        mean = self.add("Add", [self.add("ReduceMean", [squares], axes=[-1]), self.constant(1e-6)])
        normal = self.add("Mul", [x, self.add("Reciprocal", [self.add("Sqrt", [mean])])])
        return self.add("Mul", [normal, self.constant(self.random.uniform(0.9, 1.1, width))])

    def gelu(self, x):
        """The exact one, as PyTorch exports it."""
        erf = self.add("Erf", [self.add("Div", [x, self.constant(np.sqrt(2))])])
        return self.add("Mul", [self.add("Mul", [x, self.add("Add", [erf, self.constant(1)])]), self.constant(0.5)])

    def silu(self, x):
        return self.add("Mul", [x, self.add("Sigmoid", [x])])

    def hard_swish(self, x):
        return self.add("HardSwish", [x])

    def hard_sigmoid(self, x):
        return self.add("HardSigmoid", [x], alpha=1 / 6)

    def sigmoid(self, x):
        return self.add("Sigmoid", [x])

    def relu(self, x):
        return self.add("Relu", [x])

    def relu6(self, x):
        return self.add("Clip", [x, self.constant(0), self.constant(6)])

    def average(self, x):
        return self.add("GlobalAveragePool", [x])

    def linear(self, x, inputs, outputs):
        return self.add("Gemm", [x, self.normal(outputs, inputs), self.bias(outputs)], transB=1)

    def classify(self, x, inputs):
        return self.linear(self.add("Flatten", [self.average(x)], axis=1), inputs, 1000)

    def save(self, results, path):
        """Writes the model whose results are those of that name, or names."""
        given = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in self.inputs.items()]
        made = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None)
                for name in ([results] if isinstance(results, str) else results)]
        graph = helper.make_graph(self.nodes, "network", given, made, self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.save(onnx.shape_inference.infer_shapes(model), path)
