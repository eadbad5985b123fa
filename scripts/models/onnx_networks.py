"""Makes ResNet-50 and MobileNet-V2 as ONNX, in float and quantized, and as linalg IR.

Usage: onnx_networks.py OUTPUT_FOLDER

Writes NAME.f32.onnx, NAME.u8.onnx (QDQ per tensor, by ONNX Runtime) and what torch-mlir imports of them,
NAME.f32.mlir and NAME.u8.mlir. Weights are random and seeded, batch norms are folded, images are 1x3x224x224. It
needs onnx, onnxruntime, numpy and torch-mlir, but not torch.
"""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

from linalg_import import import_onnx

IMAGE = (1, 3, 224, 224)


class Graph:
    """An ONNX graph that grows node by node; each method returns the name of its result."""

    def __init__(self):
        self.nodes, self.weights = [], []
        self.random = np.random.default_rng(0)

    def add(self, op, inputs, **attributes):
        name = f"{op.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name], name=name, **attributes))
        return name

    def constant(self, values):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(values, np.float32), name))
        return name

    def normal(self, *shape):
        """Weights that keep the variance of what they are applied to."""
        return self.constant(self.random.standard_normal(shape) / np.sqrt(np.prod(shape[1:])))

    def conv(self, x, inputs, outputs, size, stride=1, groups=1):
        bias = self.constant(self.random.uniform(-0.05, 0.05, outputs))
        return self.add("Conv", [x, self.normal(outputs, inputs // groups, size, size), bias],
                        kernel_shape=[size] * 2, strides=[stride] * 2, pads=[size // 2] * 4, group=groups)

    def relu(self, x):
        return self.add("Relu", [x])

    def relu6(self, x):
        return self.add("Clip", [x, self.constant(0), self.constant(6)])

    def classify(self, x, inputs):
        x = self.add("Flatten", [self.add("GlobalAveragePool", [x])], axis=1)
        bias = self.constant(self.random.uniform(-0.05, 0.05, 1000))
        return self.add("Gemm", [x, self.normal(1000, inputs), bias], transB=1)

    def save(self, result, path):
        image = helper.make_tensor_value_info("x", TensorProto.FLOAT, IMAGE)
        output = helper.make_tensor_value_info(result, TensorProto.FLOAT, [1, 1000])
        graph = helper.make_graph(self.nodes, "network", [image], [output], self.weights)
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


class Calibration(CalibrationDataReader):
    """Three random images, seeded."""

    def __init__(self):
        random = np.random.default_rng(1)
        self.images = iter([random.standard_normal(IMAGE).astype(np.float32) for _ in range(3)])

    def get_next(self):
        image = next(self.images, None)
        return None if image is None else {"x": image}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for network in (resnet50, mobilenet_v2):
        paths = {form: folder / f"{network.__name__}.{form}.onnx" for form in ("f32", "u8")}
        graph = Graph()
        graph.save(network(graph), paths["f32"])
        quantize_static(paths["f32"], paths["u8"], Calibration(), quant_format=QuantFormat.QDQ,
                        weight_type=QuantType.QInt8, activation_type=QuantType.QUInt8)
        for path in paths.values():
            path.with_suffix(".mlir").write_text(import_onnx(path))


if __name__ == "__main__":
    main()
