"""ONNX files: float, quantized in both forms, with weights of four bits."""
import json
import os
import re
import subprocess
import sys
import unittest
from unittest import mock

import needs
import pages
import ucmoh
from ucmoh import onnx_shapes, tools

try:
    import numpy as np
    import onnx
    import torch_mlir  # noqa: F401
    from onnx import TensorProto, helper, numpy_helper
except ImportError as error:
    raise unittest.SkipTest("this needs onnx and torch-mlir: scripts/setup.sh --python installs them") from error

needs.need_tool("ucmoh-compile")

OPSETS = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]


def write(path, nodes, constants, shape=(2, 64), result=(2, 8)):
    """A model from x to y, both f32."""
    graph = helper.make_graph(
        nodes, "network", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, result)],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()])
    onnx.save(helper.make_model(graph, opset_imports=OPSETS, ir_version=8), path)
    return path


def quantize(values, scale, zero=0, kind=np.int8):
    limits = np.iinfo(kind)
    return np.clip(np.round(values / scale) + zero, limits.min, limits.max).astype(kind)


class OnnxTest(needs.FolderCase):
    def setUp(self):
        super().setUp()
        self.random = np.random.default_rng(0)  # each test has the same numbers, whatever ran before it
        self.x = self.random.uniform(-1, 1, (2, 64)).astype(np.float32)
        self.weight = self.random.uniform(-1, 1, (64, 8)).astype(np.float32)
        self.bias = self.random.uniform(-1, 1, 8).astype(np.float32)

    def dense(self, **options):
        return write(self.folder / "dense.onnx", [helper.make_node("Gemm", ["x", "w", "b"], ["y"], name="dense")],
                     {"w": self.weight, "b": self.bias}, **options)

    def quantized(self):
        """Constants of a quantized product, its operands as numbers, and the step of its result."""
        constants = {"xs": np.float32(1 / 127), "xz": np.uint8(128), "w": quantize(self.weight, 1 / 127),
                     "ws": np.float32(1 / 127), "wz": np.int8(0), "ys": np.float32(0.1), "yz": np.uint8(128),
                     "ss": np.float32(0.2)}
        x = (quantize(self.x, 1 / 127, 128, np.uint8).astype(np.float32) - 128) / 127
        return constants, x @ (constants["w"].astype(np.float32) / 127)

    def test_float(self):
        session = ucmoh.compile(self.dense())
        expected = self.x @ self.weight + self.bias
        np.testing.assert_allclose(session.run(None, {"x": self.x})[0], expected, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(session.run(["y"], {"x": self.x})[0], expected, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(session(self.x), expected, rtol=1e-4, atol=1e-5)
        self.assertEqual(len(session.explain()), 1)

    def test_quantize_and_dequantize(self):
        constants, expected = self.quantized()
        nodes = [helper.make_node("QuantizeLinear", ["x", "xs", "xz"], ["xq"], name="q"),
                 helper.make_node("DequantizeLinear", ["xq", "xs", "xz"], ["xd"], name="dx"),
                 helper.make_node("DequantizeLinear", ["w", "ws", "wz"], ["wd"], name="dw"),
                 helper.make_node("MatMul", ["xd", "wd"], ["y"], name="product")]
        session = ucmoh.compile(write(self.folder / "qdq.onnx", nodes, constants))
        np.testing.assert_allclose(session(self.x), expected, rtol=1e-4, atol=1e-4)
        self.assertRegex(session.explain()[0]["workload"], "8s8s32")

    def test_quantized_operators(self):
        constants, expected = self.quantized()
        nodes = [helper.make_node("QuantizeLinear", ["x", "xs", "xz"], ["xq"], name="q"),
                 helper.make_node("QLinearMatMul", ["xq", "xs", "xz", "w", "ws", "wz", "ys", "yz"], ["p"],
                                  name="product"),
                 helper.make_node("QLinearAdd", ["p", "ys", "yz", "p", "ys", "yz", "ss", "yz"], ["s"],
                                  domain="com.microsoft", name="sum"),
                 helper.make_node("DequantizeLinear", ["s", "ss", "yz"], ["y"], name="d")]
        session = ucmoh.compile(write(self.folder / "operators.onnx", nodes, constants))
        np.testing.assert_allclose(session(self.x), 2 * expected, atol=0.21)

    def per_channel(self):
        """Constants of a convolution of bytes whose weights have a scale for each channel, and the result for `x`."""
        weight = self.random.uniform(-1, 1, (8, 3, 3, 3)) * self.random.uniform(0.1, 2, (8, 1, 1, 1))
        ws = (np.abs(weight).max((1, 2, 3)) / 127).astype(np.float32)
        xs, ys = np.float32(1 / 100), np.float32(0.05)
        constants = {"xs": xs, "xz": np.uint8(100), "w": quantize(weight, ws.reshape(-1, 1, 1, 1)), "ws": ws,
                     "wz": np.zeros(8, np.int8), "b": self.random.integers(-2000, 2000, 8).astype(np.int32),
                     "bs": xs * ws, "bz": np.zeros(8, np.int32), "ys": ys, "yz": np.uint8(128)}
        x = self.random.uniform(-1, 1, (1, 3, 6, 6)).astype(np.float32)
        numbers = quantize(x, xs, 100, np.uint8).astype(np.int64) - 100
        windows = np.lib.stride_tricks.sliding_window_view(numbers[0], (3, 3), (1, 2))
        sums = np.einsum("cyxij,ocij->oyx", windows, constants["w"].astype(np.int64)) + constants["b"].reshape(-1, 1, 1)
        exact = sums * np.float64(xs) * ws.reshape(-1, 1, 1)
        return constants, x, (np.clip(np.round(exact / ys) + 128, 0, 255) - 128)[None] * ys

    @staticmethod
    def around(operator, channel=0, **fields):
        """A convolution in the form QDQ; `channel` is the dim of the weights that has scales."""
        return [helper.make_node("QuantizeLinear", ["x", "xs", "xz"], ["xq"], name="q"),
                helper.make_node("DequantizeLinear", ["xq", "xs", "xz"], ["xd"], name="dx"),
                helper.make_node("DequantizeLinear", ["w", "ws", "wz"], ["wd"], name="dw", axis=channel),
                helper.make_node("DequantizeLinear", ["b", "bs", "bz"], ["bd"], name="db", axis=0),
                helper.make_node(operator, ["xd", "wd", "bd"], ["c"], name="conv", **fields),
                helper.make_node("QuantizeLinear", ["c", "ys", "yz"], ["cq"], name="qc"),
                helper.make_node("DequantizeLinear", ["cq", "ys", "yz"], ["y"], name="dy")]

    def check_channels(self, path, x, expected):
        """The integers are those that exact arithmetic gives, but for one step where it is next to a half."""
        session = ucmoh.compile(path)
        self.assertRegex(session.explain()[0]["workload"], "u8s8s32")
        steps = np.round((session(x) - expected) / 0.05)
        self.assertLessEqual(np.abs(steps).max(), 1)
        self.assertLess(np.count_nonzero(steps), steps.size / 20)

    def test_a_scale_for_each_channel(self):
        constants, x, expected = self.per_channel()
        nodes = self.around("Conv")
        path = write(self.folder / "channels.onnx", nodes, constants, x.shape, expected.shape)
        self.check_channels(path, x, expected)

    def test_an_operator_with_a_scale_for_each_channel(self):
        constants, x, expected = self.per_channel()
        nodes = [helper.make_node("QuantizeLinear", ["x", "xs", "xz"], ["xq"], name="q"),
                 helper.make_node("QLinearConv", ["xq", "xs", "xz", "w", "ws", "wz", "ys", "yz", "b"], ["cq"],
                                  name="conv"),
                 helper.make_node("DequantizeLinear", ["cq", "ys", "yz"], ["y"], name="dy")]
        del constants["bs"], constants["bz"]
        path = write(self.folder / "channels.onnx", nodes, constants, x.shape, expected.shape)
        self.check_channels(path, x, expected)

    def transposed(self, step, kernel=2, channels=6, image=(6, 5), **fields):
        """A file with a quantized transposed convolution, its argument, and the exact result."""
        dims = len(image)
        window = (kernel,) * dims
        weight = self.random.uniform(-1, 1, (3, channels, *window)).astype(np.float32)
        ws = (np.abs(weight).max((0, *range(2, 2 + dims))) / 127).astype(np.float32)
        xs, ys = np.float32(1 / 100), np.float32(0.05)
        bias = self.random.integers(-2000, 2000, channels).astype(np.int32)
        constants = {"xs": xs, "xz": np.uint8(100), "w": quantize(weight, ws.reshape(1, -1, *(1,) * dims)), "ws": ws,
                     "wz": np.zeros(channels, np.int8), "b": bias,
                     "bs": xs * ws, "bz": np.zeros(channels, np.int32), "ys": ys, "yz": np.uint8(128)}
        x = self.random.uniform(-1, 1, (1, 3, *image)).astype(np.float32)
        numbers = quantize(x, xs, 100, np.uint8).astype(np.int64)[0] - 100
        low, high, more = (fields.get(name, default) for name, default in
                           (("low", [0] * dims), ("high", [0] * dims), ("more", [0] * dims)))
        sums = np.zeros((channels, *((extent - 1) * step + kernel + extra for extent, extra in zip(image, more))))
        for place in np.ndindex(*image):
            at = tuple(slice(step * each, step * each + kernel) for each in place)
            sums[(slice(None), *at)] += np.tensordot(numbers[(slice(None), *place)], constants["w"].astype(np.int64), 1)
        sums = sums[(slice(None), *(slice(begin, extent - end) for begin, end, extent in
                                    zip(low, high, sums.shape[1:])))] + bias.reshape(-1, *(1,) * dims)
        scales = np.float64(xs) * ws.reshape(-1, *(1,) * dims) / ys
        expected = (np.clip(np.round(sums * scales) + 128, 0, 255) - 128)[None] * ys
        nodes = self.around("ConvTranspose", channel=1, strides=[step] * dims, pads=[*low, *high], output_padding=more)
        return write(self.folder / "transposed.onnx", nodes, constants, x.shape, expected.shape), x, expected

    def test_transposed_convolutions_are_products_of_integers(self):
        line = {"image": (9,)}
        cases = [(2, 2, {}), (1, 3, {}), (2, 4, {"low": [1, 1], "high": [1, 1]}),
                 (2, 3, {"low": [1, 1], "high": [1, 1], "more": [1, 1]}), (2, 4, line),
                 (4, 8, line | {"low": [2], "high": [2]})]
        for step, kernel, fields in cases:
            with self.subTest(step=step, kernel=kernel, **fields):
                self.check_channels(*self.transposed(step, kernel, **fields))

    def test_a_transposed_convolution_with_gaps_stays(self):
        path, x, expected = self.transposed(step=2, kernel=1)
        session = ucmoh.compile(path)
        self.assertRegex(session.explain()[0]["workload"], "f32f32f32")
        self.assertLessEqual(np.abs(np.round((session(x) - expected) / 0.05)).max(), 1)

    def lines(self, end=1):
        """Constants of a convolution of one dim of bytes with steps of two, a dilation, and a border of three places in
        front and `end` behind; and its result."""
        weight = self.random.uniform(-1, 1, (8, 12, 3)) * self.random.uniform(0.1, 2, (8, 1, 1))
        ws = (np.abs(weight).max((1, 2)) / 127).astype(np.float32)
        xs, ys = np.float32(1 / 100), np.float32(0.05)
        constants = {"xs": xs, "xz": np.uint8(100), "w": quantize(weight, ws.reshape(-1, 1, 1)), "ws": ws,
                     "wz": np.zeros(8, np.int8), "b": self.random.integers(-2000, 2000, 8).astype(np.int32),
                     "bs": xs * ws, "bz": np.zeros(8, np.int32), "ys": ys, "yz": np.uint8(128)}
        x = self.random.uniform(-1, 1, (2, 12, 40)).astype(np.float32)
        numbers = np.pad(quantize(x, xs, 100, np.uint8).astype(np.int64) - 100, [(0, 0), (0, 0), (3, end)])
        windows = np.lib.stride_tricks.sliding_window_view(numbers, 7, 2)[:, :, ::2, ::3]
        sums = np.einsum("bcxj,ocj->box", windows, constants["w"].astype(np.int64)) + constants["b"].reshape(-1, 1)
        exact = sums * np.float64(xs) * ws.reshape(-1, 1)
        return constants, x, (np.clip(np.round(exact / ys) + 128, 0, 255) - 128) * ys

    def test_a_convolution_of_one_dim_is_one_of_integers(self):
        constants, x, expected = self.lines()
        nodes = self.around("Conv", strides=[2], dilations=[3], pads=[3, 1])
        self.check_channels(write(self.folder / "line.onnx", nodes, constants, x.shape, expected.shape), x, expected)

    def test_an_operator_of_one_dim(self):
        constants, x, expected = self.lines()
        nodes = [helper.make_node("QuantizeLinear", ["x", "xs", "xz"], ["xq"], name="q"),
                 helper.make_node("QLinearConv", ["xq", "xs", "xz", "w", "ws", "wz", "ys", "yz", "b"], ["cq"],
                                  name="conv", strides=[2], dilations=[3], pads=[3, 1]),
                 helper.make_node("DequantizeLinear", ["cq", "ys", "yz"], ["y"], name="dy")]
        del constants["bs"], constants["bz"]
        self.check_channels(write(self.folder / "line.onnx", nodes, constants, x.shape, expected.shape), x, expected)

    def test_integers_of_one_dim(self):
        constants, x, expected = self.lines(end=3)
        nodes = [helper.make_node("QuantizeLinear", ["x", "xs", "xz"], ["xq"], name="q"),
                 helper.make_node("ConvInteger", ["xq", "w", "xz"], ["sums"], name="conv", strides=[2], dilations=[3],
                                  pads=[3, 3]),
                 helper.make_node("Cast", ["sums"], ["y"], name="floats", to=TensorProto.FLOAT)]
        session = ucmoh.compile(write(self.folder / "line.onnx", nodes, constants, x.shape, expected.shape))
        self.assertRegex(session.explain()[0]["workload"], "u8s8s32")
        sums = session(x) + constants["b"].reshape(-1, 1)
        steps = np.round(sums * (constants["xs"] * constants["ws"]).reshape(-1, 1) / 0.05 - expected / 0.05)
        self.assertLessEqual(np.abs(steps[np.abs(expected) < 6]).max(), 1)

    def test_products_with_a_scale_for_each_column(self):
        constants, _ = self.quantized()
        constants["ws"] = (np.abs(self.weight).max(0) / 127).astype(np.float32)
        constants["w"], constants["wz"] = quantize(self.weight, constants["ws"]), np.zeros(8, np.int8)
        x = (quantize(self.x, 1 / 127, 128, np.uint8).astype(np.float32) - 128) / 127
        expected = x @ (constants["w"] * constants["ws"])
        begin = [helper.make_node("QuantizeLinear", ["x", "xs", "xz"], ["xq"], name="q"),
                 helper.make_node("DequantizeLinear", ["xq", "xs", "xz"], ["xd"], name="dx")]
        for op, axis, options in (("MatMul", 1, {}), ("Gemm", 0, {"transB": 1}), ("MatMul", 0, {})):
            nodes = [*begin, helper.make_node("DequantizeLinear", ["w", "ws", "wz"], ["wd"], name="dw", axis=axis),
                     helper.make_node(op, ["xd", "wd"], ["y"], name="product", **options)]
            used = dict(constants)
            if op == "Gemm":
                used["w"] = np.ascontiguousarray(constants["w"].T)
            if op == "MatMul" and axis == 0:  # a scale for each row stays a product of floats
                used["ws"], used["wz"] = np.linspace(0.01, 0.02, 64, dtype=np.float32), np.zeros(64, np.int8)
                expected = x @ (constants["w"] * used["ws"][:, None])
            session = ucmoh.compile(write(self.folder / "columns.onnx", nodes, used))
            np.testing.assert_allclose(session(self.x), expected, rtol=1e-4, atol=1e-4)
            wanted = "f32f32f32" if op == "MatMul" and axis == 0 else "8s8s32"
            self.assertRegex(session.explain()[0]["workload"], wanted)

    def test_maxima_of_unsigned_numbers(self):
        nodes = [helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"], name="q"),
                 helper.make_node("MaxPool", ["q"], ["m"], name="pool", kernel_shape=[2, 2], strides=[2, 2]),
                 helper.make_node("DequantizeLinear", ["m", "s", "z"], ["y"], name="d")]
        path = write(self.folder / "pool.onnx", nodes, {"s": np.float32(0.01), "z": np.uint8(0)}, (1, 1, 4, 4),
                     (1, 1, 2, 2))
        x = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4) / 8
        expected = np.round(x[..., 1::2, 1::2] / np.float32(0.01)) * np.float32(0.01)
        np.testing.assert_allclose(ucmoh.compile(path)(x), expected, rtol=1e-5)

    def product_of_bits(self, bits, steps=64, block=32, columns=8, **fields):
        """A MatMulNBits's weights and scales, and its weight as numbers without zero points."""
        blocks = -(-steps // block)
        numbers = self.random.integers(0, 1 << bits, (columns, blocks, block))
        scales = self.random.uniform(0.1, 1, (columns, blocks)).astype(np.float32)
        packed = sum(numbers[..., at::8 // bits] << at * bits for at in range(8 // bits)).astype(np.uint8)
        node = helper.make_node("MatMulNBits", ["x", "w", "s"], ["y"], domain="com.microsoft", name="product", K=steps,
                                N=columns, bits=bits, block_size=block, **fields)
        return node, {"w": packed, "s": scales.flatten()}, numbers, scales[..., None]

    def expect(self, path, x, weight, tolerance=1e-4):
        """The model multiplies by the weight, and its kernel reads integers."""
        session = ucmoh.compile(path)
        np.testing.assert_allclose(session(x), x @ weight, rtol=tolerance, atol=tolerance * np.abs(x @ weight).max())
        return session

    def test_weights_of_few_bits(self):
        for bits in (2, 4, 8):
            node, constants, numbers, scales = self.product_of_bits(bits)
            weight = ((numbers - (1 << (bits - 1))) * scales).reshape(8, 64).T
            self.expect(write(self.folder / "bits.onnx", [node], constants), self.x, weight)

    def test_weights_of_few_bits_in_a_row(self):
        """The shape of the second's rows is known only when the first has a form."""
        second, constants, numbers, scales = self.product_of_bits(8, columns=64, accuracy_level=4)
        first = onnx.NodeProto.FromString(second.SerializeToString())
        first.name, first.output[0], second.input[0] = "first", "h", "r"
        nodes = [first, helper.make_node("Relu", ["h"], ["r"]), second]
        path = write(self.folder / "row.onnx", nodes, constants, result=(2, 64))
        weight = ((numbers - 128) * scales).reshape(64, 64).T
        expected = np.maximum(self.x @ weight, 0) @ weight
        np.testing.assert_allclose(ucmoh.compile(path)(self.x), expected, atol=0.02 * np.abs(expected).max())

    def test_zero_points_of_four_bits(self):
        node, constants, numbers, scales = self.product_of_bits(4)
        zeros = self.random.integers(0, 16, (8, 2))
        weight = ((numbers - zeros[..., None]) * scales).reshape(8, 64).T
        node.input.append("z")
        packed = (zeros[:, 0] | zeros[:, 1] << 4).astype(np.uint8)
        self.expect(write(self.folder / "zeros.onnx", [node], constants | {"z": packed}), self.x, weight)
        floats = zeros.astype(np.float32)
        self.expect(write(self.folder / "floats.onnx", [node], constants | {"z": floats}), self.x, weight)

    def test_blocks_that_do_not_divide(self):
        node, constants, numbers, scales = self.product_of_bits(4, steps=50)
        weight = ((numbers - 8) * scales).reshape(8, 64)[:, :50].T
        node.input.extend(["", "", "bias"])
        path = write(self.folder / "rest.onnx", [node], constants | {"bias": self.bias}, (2, 50))
        x = self.x[:, :50]
        np.testing.assert_allclose(ucmoh.compile(path)(x), x @ weight + self.bias, rtol=1e-4, atol=1e-4)

    def test_steps_in_any_order(self):
        node, constants, numbers, scales = self.product_of_bits(4)
        group = self.random.integers(0, 2, 64).astype(np.int32)
        weight = ((numbers.reshape(8, 64) - 8) * scales[:, group, 0]).T
        node.input.extend(["", "g"])
        self.expect(write(self.folder / "order.onnx", [node], constants | {"g": group}), self.x, weight)

    def test_quantized_rows(self):
        node, constants, numbers, scales = self.product_of_bits(4, accuracy_level=4)
        weight = ((numbers - 8) * scales).reshape(8, 64).T
        path = write(self.folder / "rows.onnx", [node], constants, (1, 5, 64), (1, 5, 8))
        x = self.random.uniform(-1, 1, (1, 5, 64)).astype(np.float32)
        x[0, 1] = 0  # no scale
        session = self.expect(path, x, weight, 0.02)
        np.testing.assert_array_equal(session(x)[0, 1], 0)
        self.assertRegex(session.explain()[0]["choice"], "vpdp|vpmadd|dot|mma")

    def test_rows_that_may_be_quantized(self):
        """Where the file gives a level, that stays."""
        rows = lambda session: re.search("vpdp|vpmadd|dot|mma", session.explain()[0]["choice"])
        x = self.random.uniform(-1, 1, (1, 5, 64)).astype(np.float32)
        for fields, expected in (({}, True), ({"accuracy_level": 0}, True), ({"accuracy_level": 1}, False)):
            with self.subTest(**fields):
                node, constants, numbers, scales = self.product_of_bits(4, **fields)
                weight = ((numbers - 8) * scales).reshape(8, 64).T
                path = write(self.folder / "level.onnx", [node], constants, (1, 5, 64), (1, 5, 8))
                self.assertFalse(rows(ucmoh.compile(path)))
                session = ucmoh.compile(path, quantize_rows=True)
                np.testing.assert_allclose(session(x), x @ weight, atol=0.02 * np.abs(x @ weight).max())
                self.assertEqual(bool(rows(session)), expected)
        with self.assertRaisesRegex(ucmoh.Error, "quantize_rows= is for MatMulNBits of ONNX files"):
            ucmoh.compile("model.mlir", quantize_rows=True)

    def test_dequantized_blocks(self):
        cases = [(TensorProto.INT4, 0, 0, 50), (TensorProto.UINT4, 8, 1, 64), (TensorProto.INT8, 0, 1, 50),
                 (TensorProto.UINT8, 8, 0, 64)]
        columns = 8
        for kind, shift, axis, steps in cases:
            with self.subTest(kind=kind):
                numbers = self.random.integers(-8, 8, (steps, columns)) + shift
                blocks = -(-steps // 32)
                scales = self.random.uniform(0.1, 1, (blocks, columns)).astype(np.float32)
                zeros = self.random.integers(-8, 8, (blocks, columns)) + shift
                repeat = lambda values: np.repeat(values, 32, axis=0)[:steps]
                weight = (numbers - repeat(zeros)) * repeat(scales)
                turned = (lambda values: values.T) if axis else (lambda values: values)
                tensors = [helper.make_tensor(name, kind, turned(values).shape, turned(values).flatten().tolist())
                           for name, values in (("w", numbers), ("z", zeros))]
                nodes = [helper.make_node("DequantizeLinear", ["w", "s", "z"], ["d"], name="d", axis=axis, block_size=32),
                         helper.make_node("Transpose", ["d"], ["t"], perm=[1, 0] if axis else [0, 1], name="t"),
                         helper.make_node("MatMul", ["x", "t"], ["y"], name="product")]
                path = write(self.folder / "blocks.onnx", nodes, {"s": turned(scales)}, (2, steps))
                model = onnx.load(path)
                model.graph.initializer.extend(tensors)
                model.opset_import[0].version, model.ir_version = 21, 10
                onnx.save(model, path)
                self.expect(path, self.x[:, :steps], weight)

    def test_bad_blocks(self):
        node, constants, *_ = self.product_of_bits(4)
        cases = [({"w": constants["w"][:7]}, "its weights have 224 elements, but 8 columns of 64 steps in blocks of 32"),
                 ({"s": constants["s"][:7]}, "its scales have 7 elements")]
        for change, message in cases:
            path = write(self.folder / "bad.onnx", [node], constants | change)
            with self.assertRaisesRegex(ucmoh.CompileError, f"node 'product', op MatMulNBits: {message}"):
                ucmoh.compile(path)
        node.attribute[2].i = 3
        with self.assertRaisesRegex(ucmoh.CompileError, "weights of [0-9]+ bits are not supported"):
            ucmoh.compile(write(self.folder / "three.onnx", [node], constants))

    def test_scales_that_are_no_numbers(self):
        node, constants, numbers, scales = self.product_of_bits(4)
        constants["s"][:6:2] = [0, np.inf, np.nan]
        with np.errstate(invalid="ignore"):
            weight = ((numbers - 8) * constants["s"].reshape(8, 2, 1)).reshape(8, 64).T
            expected = self.x @ weight
        result = ucmoh.compile(write(self.folder / "scales.onnx", [node], constants))(self.x)
        np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-4)

    def test_extents_that_are_computed(self):
        # As a traced window attention: a reshape to computed extents, and a mask that is filled row by row.
        nodes = [helper.make_node("Shape", ["x"], ["s"]), helper.make_node("Gather", ["s", "one"], ["n"]),
                 helper.make_node("Div", ["n", "two"], ["half"]), helper.make_node("Unsqueeze", ["half", "axis"], ["h"]),
                 helper.make_node("Concat", ["h", "rest"], ["target"], axis=0),
                 helper.make_node("ConstantOfShape", ["s"], ["zeros"]),
                 helper.make_node("Unsqueeze", ["n", "axis"], ["length"]),
                 helper.make_node("Concat", ["first", "length"], ["part"], axis=0),
                 helper.make_node("ConstantOfShape", ["part"], ["ones"],
                                  value=numpy_helper.from_array(np.ones(1, np.float32))),
                 helper.make_node("ScatterND", ["zeros", "row", "ones"], ["mask"]),
                 helper.make_node("Add", ["x", "mask"], ["masked"]),
                 helper.make_node("Reshape", ["masked", "target"], ["r"]), helper.make_node("MatMul", ["r", "w"], ["y"])]
        constants = {"one": np.int64(1), "two": np.int64(2), "axis": np.array([0]), "rest": np.array([4]),
                     "row": np.array([[1]]), "first": np.array([1]),
                     "w": self.random.uniform(-1, 1, (4, 8)).astype(np.float32)}
        session = ucmoh.compile(write(self.folder / "computed.onnx", nodes, constants, result=(32, 8)))
        expected = (self.x + [[0], [1]]).reshape(32, 4) @ constants["w"]
        np.testing.assert_allclose(session(self.x), expected, rtol=1e-4, atol=1e-5)

    def test_extents_that_an_old_model_computes(self):
        # Before version 13 axes are attributes: an op has the meaning of the model's version.
        nodes = [helper.make_node("Shape", ["x"], ["s"]), helper.make_node("Unsqueeze", ["s"], ["row"], axes=[0]),
                 helper.make_node("ReduceSum", ["row"], ["sums"], axes=[0], keepdims=0),
                 helper.make_node("Reshape", ["x", "sums"], ["y"])]
        path = write(self.folder / "old.onnx", nodes, {}, result=(2, 64))
        model = onnx.load(path)
        model.opset_import[0].version = 11
        folded = onnx_shapes.infer_shapes(model).graph
        self.assertEqual([node.op_type for node in folded.node], ["Reshape"])
        self.assertEqual(numpy_helper.to_array(folded.initializer[0]).tolist(), [2, 64])

    def test_open_extents(self):
        path = self.dense(shape=("batch", 64), result=("batch", 8))
        session = ucmoh.compile(path)
        self.assertIn("float32[batch, 64] -> float32[batch, 8]", repr(session))
        for rows in (1, 5, 40):
            x = self.random.uniform(-1, 1, (rows, 64)).astype(np.float32)
            np.testing.assert_allclose(session(x), x @ self.weight + self.bias, rtol=1e-4, atol=1e-5)
        with self.assertRaisesRegex(ucmoh.ArgumentError, "x"):
            session(np.zeros((2, 63), np.float32))
        self.assertEqual(ucmoh.compile(path, [self.x])(self.x).shape, (2, 8))

    def test_a_slice_with_a_computed_end(self):
        # As BERT reads the kinds of its words: all of a table's one row, up to their number, for each text.
        nodes = [helper.make_node("Shape", ["x"], ["extents"]), helper.make_node("Slice", ["extents", "one", "two"], ["words"]),
                 helper.make_node("Slice", ["table", "zero", "words", "one"], ["kinds"]),
                 helper.make_node("Expand", ["kinds", "extents"], ["all"]), helper.make_node("Add", ["x", "all"], ["y"])]
        table = self.random.uniform(-1, 1, (1, 16)).astype(np.float32)
        constants = {"zero": np.array([0]), "one": np.array([1]), "two": np.array([2]), "table": table}
        session = ucmoh.compile(write(self.folder / "kinds.onnx", nodes, constants, ("batch", "words"), ("batch", "words")))
        for batch, words in ((1, 5), (3, 16), (2, 1)):
            x = self.random.uniform(-1, 1, (batch, words)).astype(np.float32)
            np.testing.assert_allclose(session(x), x + table[:, :words], rtol=1e-6)

    def test_open_extents_without_names(self):
        # What is computed keeps the extents that are open, whatever the file calls them.
        nodes = [helper.make_node("MatMul", ["x", "w"], ["p"]), helper.make_node("Transpose", ["p"], ["y"])]
        session = ucmoh.compile(write(self.folder / "turned.onnx", nodes, {"w": self.weight}, (None, 64), (8, "of y")))
        self.assertIn("float32[x_0, 64] -> float32[8, x_0]", repr(session))
        np.testing.assert_allclose(session(self.x), (self.x @ self.weight).T, rtol=1e-4, atol=1e-5)

    def test_extents_of_values(self):
        nodes = [helper.make_node("Cast", ["x"], ["c"], to=TensorProto.INT64),
                 helper.make_node("ConstantOfShape", ["c"], ["y"])]
        path = write(self.folder / "asked.onnx", nodes, {}, (1,), ("asked",))
        with self.assertRaisesRegex(ucmoh.CompileError, "extent of result y does not follow"):
            ucmoh.compile(path)

    def test_the_tool(self):
        run = [tools.find("ucmoh-run"), self.dense(), "--json", "--repeat=1"]
        done = subprocess.run(run, capture_output=True, text=True, check=True,
                              env=os.environ | {"UCMOH_PYTHON": sys.executable})
        self.assertTrue(json.loads(done.stdout)["verified"])
        done = subprocess.run(run, capture_output=True, text=True, check=False,
                              env=os.environ | {"UCMOH_PYTHON": "none"})
        self.assertRegex(done.stderr, "error: an ONNX file is imported by Python, and 'none' was not found")
        (self.folder / "text.onnx").write_text("text", encoding="utf-8")
        done = subprocess.run([run[0], self.folder / "text.onnx"], capture_output=True, text=True, check=False,
                              env=os.environ | {"UCMOH_PYTHON": sys.executable})
        self.assertEqual((done.returncode, done.stderr.count("error:")), (1, 1))
        self.assertIn("text.onnx cannot be read as ONNX", done.stderr)

    def test_what_the_page_says(self):
        nodes = [helper.make_node("Conv", ["x", "w"], ["c"], name="conv"), helper.make_node("Relu", ["c"], ["y"])]
        weight = self.random.uniform(-1, 1, (4, 3, 1, 1)).astype(np.float32)
        write(self.folder / "model.onnx", nodes, {"w": weight}, (1, 3, 224, 224), (1, 4, 224, 224))
        self.assertEqual(pages.run_python("onnx.md", self.folder)["result"].shape, (1, 4, 224, 224))

    def test_errors(self):
        path = write(self.folder / "odd.onnx", [helper.make_node("Odd", ["x"], ["y"], name="odd",
                                                                  domain="com.microsoft")], {}, (2, 2), (2, 2))
        with self.assertRaisesRegex(ucmoh.CompileError, "node 'odd', op Odd"):
            ucmoh.compile(path)
        (self.folder / "text.onnx").write_text("text", encoding="utf-8")
        with self.assertRaisesRegex(ucmoh.CompileError, "text.onnx cannot be read as ONNX"):
            ucmoh.compile(self.folder / "text.onnx")
        (self.folder / "empty.onnx").write_bytes(b"")
        with self.assertRaisesRegex(ucmoh.CompileError, "empty.onnx has no results"):
            ucmoh.compile(self.folder / "empty.onnx")
        path = write(self.folder / "cut.onnx", [helper.make_node("Relu", ["q"], ["y"], name="relu")], {}, (2, 2), (2, 2))
        with self.assertRaisesRegex(ucmoh.CompileError, "cannot import the ONNX graph: .* 'q'.*$"):
            ucmoh.compile(path)

    def test_bad_examples(self):
        path = self.dense(shape=("rows", 64), result=("rows", 8))
        for example, said in (([self.x[:, :9]], r"must be float32\[rows, 64\], not \[2, 9\]"), ([[1]], "not list"),
                              (self.x[0], r"not \[64\]"), ([self.x, self.x], "are 2 arrays, and the inputs are x"),
                              ({"z": self.x}, "are 1 arrays, and the inputs are x"), ([], "are 0 arrays")):
            with self.assertRaisesRegex(ucmoh.ArgumentError, said):
                ucmoh.compile(path, example)
        np.testing.assert_allclose(ucmoh.compile(path, self.x)(self.x), self.x @ self.weight + self.bias, rtol=1e-4,
                                   atol=1e-5)

    def test_a_missing_package(self):
        with mock.patch.dict("sys.modules", {"onnx": None}):
            with self.assertRaisesRegex(ucmoh.MissingPackage, "pip install onnx"):
                ucmoh.compile(self.dense())


if __name__ == "__main__":
    unittest.main()
