"""Makes networks as ONNX, in float and quantized, and as linalg IR.

Usage: onnx_networks.py OUTPUT_FOLDER [NAME...]        names: resnet50 mobilenet_v2 vit_b16 bert_base; all by default

Writes NAME.f32.onnx, NAME.u8.onnx (QDQ per tensor, by ONNX Runtime), NAME.bf16.onnx (all floats are bf16) and what
torch-mlir imports of each, NAME.f32.mlir and so on. Weights are random and seeded, batch norms are folded, images are 1x3x224x224; BERT
gets 128 embedded tokens. Of transformers the products and convolutions are quantized, as ONNX Runtime does for them.
It needs onnx, onnxruntime, ml_dtypes, numpy and torch-mlir, but not torch.
"""

import pathlib
import sys

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

from linalg_import import import_onnx

IMAGE = (1, 3, 224, 224)
TOKENS = (1, 128, 768)


class Graph:
    """An ONNX graph that grows node by node; each method returns the name of its result."""

    def __init__(self, input_shape):
        self.input_shape = input_shape
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

    def conv(self, x, inputs, outputs, size, stride=1, groups=1, padding=None):
        pads = [size // 2 if padding is None else padding] * 4
        return self.add("Conv", [x, self.normal(outputs, inputs // groups, size, size), self.bias(outputs)],
                        kernel_shape=[size] * 2, strides=[stride] * 2, pads=pads, group=groups)

    def reshape(self, x, *shape):
        return self.add("Reshape", [x, self.constant(shape, np.int64)])

    def dense(self, x, inputs, outputs):
        weights = self.constant(self.random.standard_normal((inputs, outputs)) / np.sqrt(inputs))
        return self.add("Add", [self.add("MatMul", [x, weights]), self.bias(outputs)])

    def layer_norm(self, x, width):
        scale = self.constant(self.random.uniform(0.9, 1.1, width))
        return self.add("LayerNormalization", [x, scale, self.bias(width)], axis=-1, epsilon=1e-6)

    def gelu(self, x):
        """The exact one, as PyTorch exports it."""
        erf = self.add("Erf", [self.add("Div", [x, self.constant(np.sqrt(2))])])
        return self.add("Mul", [self.add("Mul", [x, self.add("Add", [erf, self.constant(1)])]), self.constant(0.5)])

    def relu(self, x):
        return self.add("Relu", [x])

    def relu6(self, x):
        return self.add("Clip", [x, self.constant(0), self.constant(6)])

    def classify(self, x, inputs):
        x = self.add("Flatten", [self.add("GlobalAveragePool", [x])], axis=1)
        return self.add("Gemm", [x, self.normal(1000, inputs), self.bias(1000)], transB=1)

    def save(self, result, path):
        given = helper.make_tensor_value_info("x", TensorProto.FLOAT, self.input_shape)
        output = helper.make_tensor_value_info(result, TensorProto.FLOAT, None)
        graph = helper.make_graph(self.nodes, "network", [given], [output], self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.save(onnx.shape_inference.infer_shapes(model), path)


def bottleneck(g, x, inputs, width, stride):
    y = g.relu(g.conv(x, inputs, width, 1))
    y = g.conv(g.relu(g.conv(y, width, width, 3, stride)), width, 4 * width, 1)
    shortcut = x if inputs == 4 * width else g.conv(x, inputs, 4 * width, 1, stride)
    return g.relu(g.add("Add", [y, shortcut]))


def resnet50(g):
    x = g.relu(g.conv("x", 3, 64, 7, 2))
    x, channels = g.add("MaxPool", [x], kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4), 64
    for width, blocks, stride in [(64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)]:
        for block in range(blocks):
            x, channels = bottleneck(g, x, channels, width, stride if block == 0 else 1), 4 * width
    return g.classify(x, channels)


def inverted_residual(g, x, inputs, outputs, expansion, stride):
    hidden = inputs * expansion
    y = x if expansion == 1 else g.relu6(g.conv(x, inputs, hidden, 1))
    y = g.relu6(g.conv(y, hidden, hidden, 3, stride, groups=hidden))
    y = g.conv(y, hidden, outputs, 1)
    return g.add("Add", [x, y]) if stride == 1 and inputs == outputs else y


def mobilenet_v2(g):
    x, channels = g.relu6(g.conv("x", 3, 32, 3, 2)), 32
    for expansion, outputs, blocks, stride in [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2),
                                               (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]:
        for block in range(blocks):
            x = inverted_residual(g, x, channels, outputs, expansion, stride if block == 0 else 1)
            channels = outputs
    return g.classify(g.relu6(g.conv(x, channels, 1280, 1)), 1280)


def attention(g, x, tokens, width, heads):
    def split(perm):
        return g.add("Transpose", [g.reshape(g.dense(x, width, width), 1, tokens, heads, width // heads)], perm=perm)

    query, key, value = split([0, 2, 1, 3]), split([0, 2, 3, 1]), split([0, 2, 1, 3])
    scores = g.add("Div", [g.add("MatMul", [query, key]), g.constant(np.sqrt(width // heads))])
    mixed = g.add("MatMul", [g.add("Softmax", [scores], axis=-1), value])
    mixed = g.reshape(g.add("Transpose", [mixed], perm=[0, 2, 1, 3]), 1, tokens, width)
    return g.dense(mixed, width, width)


def feed_forward(g, x, width):
    return g.dense(g.gelu(g.dense(x, width, 4 * width)), 4 * width, width)


def bert_base(g, tokens=128, width=768, heads=12, layers=12):
    """Norms follow the residuals."""
    x = g.layer_norm("x", width)
    for _ in range(layers):
        x = g.layer_norm(g.add("Add", [attention(g, x, tokens, width, heads), x]), width)
        x = g.layer_norm(g.add("Add", [feed_forward(g, x, width), x]), width)
    return x


def vit_b16(g, width=768, heads=12, layers=12):
    """Patches of 16x16, a token of the class, norms before attention and feed-forward layers."""
    patches = g.reshape(g.conv("x", 3, width, 16, 16, padding=0), 1, width, 196)
    class_token = g.constant(g.random.standard_normal((1, 1, width)))
    x = g.add("Concat", [class_token, g.add("Transpose", [patches], perm=[0, 2, 1])], axis=1)
    x = g.add("Add", [x, g.constant(g.random.standard_normal((1, 197, width)))])
    for _ in range(layers):
        x = g.add("Add", [attention(g, g.layer_norm(x, width), 197, width, heads), x])
        x = g.add("Add", [feed_forward(g, g.layer_norm(x, width), width), x])
    first = g.add("Gather", [g.layer_norm(x, width), g.constant(0, np.int64)], axis=1)
    return g.add("Gemm", [first, g.normal(1000, width), g.bias(1000)], transB=1)


def save_as_bf16(source, path):
    """The model in bf16: weights, inputs, results and all in between."""
    model = onnx.load(source)
    for weight in model.graph.initializer:
        if weight.data_type == TensorProto.FLOAT:
            values = numpy_helper.to_array(weight).astype(ml_dtypes.bfloat16)
            weight.CopyFrom(numpy_helper.from_array(values, weight.name))
    for value in [*model.graph.input, *model.graph.output, *model.graph.value_info]:
        if value.type.tensor_type.elem_type == TensorProto.FLOAT:
            value.type.tensor_type.elem_type = TensorProto.BFLOAT16
    onnx.save(model, path)


class Calibration(CalibrationDataReader):
    """Three random inputs, seeded."""

    def __init__(self, shape):
        random = np.random.default_rng(1)
        self.inputs = iter([random.standard_normal(shape).astype(np.float32) for _ in range(3)])

    def get_next(self):
        values = next(self.inputs, None)
        return None if values is None else {"x": values}


#: Shape of the input, and what of it is quantized (None: all that ONNX Runtime quantizes by itself).
NETWORKS = {resnet50: (IMAGE, None), mobilenet_v2: (IMAGE, None),
            vit_b16: (IMAGE, ["Conv", "MatMul", "Gemm"]), bert_base: (TOKENS, ["MatMul"])}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for network, (shape, quantized) in NETWORKS.items():
        if network.__name__ not in (sys.argv[2:] or [network.__name__]):
            continue
        paths = {form: folder / f"{network.__name__}.{form}.onnx" for form in ("f32", "u8", "bf16")}
        graph = Graph(shape)
        graph.save(network(graph), paths["f32"])
        quantize_static(paths["f32"], paths["u8"], Calibration(shape), quant_format=QuantFormat.QDQ,
                        op_types_to_quantize=quantized, weight_type=QuantType.QInt8,
                        activation_type=QuantType.QUInt8)
        save_as_bf16(paths["f32"], paths["bf16"])
        for path in paths.values():
            path.with_suffix(".mlir").write_text(import_onnx(path))


if __name__ == "__main__":
    main()
