"""Tests what exporters put around layers in ONNX files, and torch-mlir does not lower or lowers wrongly."""
import unittest

import needs
import ucmoh

try:
    import numpy as np
    import onnx
    import torch_mlir  # noqa: F401
    from onnx import TensorProto, helper, numpy_helper, reference
except ImportError as error:
    raise unittest.SkipTest("this needs onnx and torch-mlir: scripts/setup.sh --python installs them") from error

needs.need_tool("ucmoh-compile")


class GraphsTest(needs.FolderCase):
    def check(self, nodes, constants, shape, result, opset=17):
        """Compiles a graph from x to y, of f32, and compares it with ONNX's own definition of the ops."""
        random = np.random.default_rng(0)
        graph = helper.make_graph(
            nodes, "network", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, result)],
            [numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()])
        # As quantizers leave it, with shapes that an inference of less knowledge has found.
        model = onnx.shape_inference.infer_shapes(
            helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8))
        onnx.save(model, self.folder / "graph.onnx")
        x = random.uniform(-1, 1, shape).astype(np.float32)
        (expected,) = reference.ReferenceEvaluator(model).run(None, {"x": x})
        (y,) = ucmoh.compile(self.folder / "graph.onnx").run(None, {"x": x})
        np.testing.assert_allclose(y, expected, rtol=1e-5, atol=1e-5)

    def test_a_pixel_shuffle_behind_a_convolution(self):
        random = np.random.default_rng(1)
        constants = {"w": random.uniform(-1, 1, (12, 4, 3, 3)).astype(np.float32),
                     "b": random.uniform(-1, 1, 12).astype(np.float32)}
        nodes = [helper.make_node("Conv", ["x", "w", "b"], ["c"], name="conv", pads=[1] * 4),
                 helper.make_node("Relu", ["c"], ["r"], name="relu"),
                 helper.make_node("DepthToSpace", ["r"], ["y"], name="shuffle", blocksize=2, mode="CRD")]
        self.check(nodes, constants, (1, 4, 6, 5), (1, 3, 12, 10))

    def test_a_pixel_shuffle_of_what_others_read(self):
        nodes = [helper.make_node("Relu", ["x"], ["r"], name="relu"),
                 helper.make_node("DepthToSpace", ["r"], ["s"], name="shuffle", blocksize=2, mode="CRD"),
                 helper.make_node("ReduceMax", ["r"], ["m"], name="most", keepdims=1),
                 helper.make_node("Add", ["s", "m"], ["y"], name="add")]
        self.check(nodes, {}, (1, 12, 6, 5), (1, 3, 12, 10))

    def test_a_resize_that_repeats_pixels(self):
        nodes = [helper.make_node("Resize", ["x", "", "scales"], ["r"], name="resize", mode="nearest",
                                  coordinate_transformation_mode="asymmetric", nearest_mode="floor"),
                 helper.make_node("Relu", ["r"], ["y"], name="relu")]
        constants = {"scales": np.array([1, 1, 2, 3], np.float32)}
        self.check(nodes, constants, (1, 3, 6, 5), (1, 3, 12, 15))
        constants = {"scales": np.array([1, 1, 1.5, 2.5], np.float32)}
        self.check(nodes, constants, (1, 3, 6, 4), (1, 3, 9, 10))

    def test_a_quantized_convolution_to_few_channels(self):
        random = np.random.default_rng(1)
        constants = {"xs": np.float32(1 / 128), "xz": np.uint8(127),
                     "w": random.integers(-127, 128, (3, 16, 5, 3)).astype(np.int8),
                     "ws": random.uniform(0.001, 0.01, 3).astype(np.float32), "wz": np.zeros(3, np.int8),
                     "b": random.integers(-500, 500, 3).astype(np.int32)}
        constants |= {"bs": constants["xs"] * constants["ws"], "bz": np.zeros(3, np.int32)}
        nodes = [helper.make_node("QuantizeLinear", ["x", "xs", "xz"], ["q"], name="quantize"),
                 helper.make_node("DequantizeLinear", ["q", "xs", "xz"], ["d"], name="dequantize"),
                 helper.make_node("DequantizeLinear", ["w", "ws", "wz"], ["wd"], name="weight", axis=0),
                 helper.make_node("DequantizeLinear", ["b", "bs", "bz"], ["bd"], name="bias", axis=0),
                 helper.make_node("Conv", ["d", "wd", "bd"], ["y"], name="conv", pads=[2, 1, 2, 1])]
        self.check(nodes, constants, (1, 16, 9, 8), (1, 3, 9, 8), opset=19)
        constants |= {"ws": np.float32(0.01), "wz": np.int8(0), "bs": np.float32(0.01 / 128), "bz": np.int32(0)}
        self.check(nodes, constants, (1, 16, 9, 8), (1, 3, 9, 8), opset=19)

    def test_what_would_be_wrong_is_refused(self):
        nodes = [helper.make_node("GridSample", ["x", "places"], ["y"], name="sample", mode="cubic")]
        with self.assertRaisesRegex(ucmoh.CompileError, "node 'sample', op GridSample: mode cubic is not supported"):
            self.check(nodes, {"places": np.zeros((1, 2, 2, 2), np.float32)}, (1, 3, 6, 5), (1, 3, 2, 2))

    def write(self, *nodes):
        """A graph from x to y of four floats, whose nodes may be in any order."""
        graph = helper.make_graph(nodes, "network", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [4])],
                                  [helper.make_tensor_value_info("y", TensorProto.FLOAT, [4])])
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8),
                  self.folder / "graph.onnx")
        return self.folder / "graph.onnx"

    def test_windows_larger_than_the_image(self):
        """ONNX's own evaluator takes means of what lies outside."""
        values = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 4, 6, 5]),
                  helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 4, 1, 3])]
        x = np.random.default_rng(0).uniform(-1, 1, (1, 4, 6, 5)).astype(np.float32)
        for operator, join in (("AveragePool", np.mean), ("MaxPool", np.max)):
            node = helper.make_node(operator, ["x"], ["y"], name="pool", kernel_shape=[2048, 2], strides=[2048, 2], ceil_mode=1)
            graph = helper.make_graph([node], "network", values[:1], values[1:])
            onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=8), self.folder / "pool.onnx")
            wanted = np.stack([join(x[..., at:at + 2], (2, 3), keepdims=True)[..., 0] for at in (0, 2, 4)], -1)
            np.testing.assert_allclose(ucmoh.compile(self.folder / "pool.onnx")(x), wanted, rtol=1e-5, atol=1e-5)

    def test_sums_of_narrow_floats(self):
        """They are those of 32 bits, rounded."""
        x = np.random.default_rng(0).uniform(0.1, 1, (2, 8, 30, 30)).astype(np.float16)
        for operator, fields in (("ReduceMean", {"axes": [2, 3]}), ("ReduceL2", {"axes": [2, 3]}), ("GlobalAveragePool", {}),
                                 ("AveragePool", {"kernel_shape": [30, 30]}), ("LpNormalization", {"axis": 2})):
            values = [helper.make_tensor_value_info(name, kind, shape) for name, kind, shape in (
                ("x", TensorProto.FLOAT16, x.shape), ("w", TensorProto.FLOAT, x.shape), ("y", TensorProto.FLOAT16, None), ("y", TensorProto.FLOAT, None))]
            node, opset = helper.make_node(operator, ["x"], ["y"], name="sum", **fields), [helper.make_opsetid("", 13)]
            narrow, wide = (helper.make_model(helper.make_graph([node], "network", [values[at]], [values[2 + at]]), opset_imports=opset, ir_version=8)
                            for at in (0, 1))
            wide.graph.input[0].name = "x"
            (wanted,) = reference.ReferenceEvaluator(wide).run(None, {"x": x.astype(np.float32)})
            onnx.save(onnx.shape_inference.infer_shapes(narrow), self.folder / "narrow.onnx")
            np.testing.assert_allclose(ucmoh.compile(self.folder / "narrow.onnx")(x), wanted, atol=2e-3 * abs(wanted).max())

    def test_constants_among_the_inputs(self):
        """As the third version of the format lists them; one of them is only read by what is folded."""
        values = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 6]),
                  helper.make_tensor_value_info("s", TensorProto.INT64, [2]), helper.make_tensor_value_info("y", TensorProto.FLOAT, [4, 3])]
        nodes = [helper.make_node("Identity", ["s"], ["t"]), helper.make_node("Reshape", ["x", "t"], ["y"])]
        graph = helper.make_graph(nodes, "network", values[:2], values[2:], [numpy_helper.from_array(np.array([4, 3]), "s")])
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 8)], ir_version=3), self.folder / "old.onnx")
        x = np.arange(12, dtype=np.float32).reshape(2, 6)
        np.testing.assert_array_equal(ucmoh.compile(self.folder / "old.onnx")(x), x.reshape(4, 3))

    def test_nodes_in_any_order(self):
        path = self.write(helper.make_node("Relu", ["n"], ["y"]), helper.make_node("Neg", ["x"], ["n"]))
        x = np.array([-1, 2, -3, 4], np.float32)
        (y,) = ucmoh.compile(path).run(None, {"x": x})
        np.testing.assert_array_equal(y, np.maximum(-x, 0))

    def test_a_result_that_is_given_twice(self):
        values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 3]) for name in ("x", "y", "y")]
        graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "network", values[:1], values[1:])
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), self.folder / "twice.onnx")
        x = np.array([[-1, 2, -3], [4, -5, 6]], np.float32)
        first, second = ucmoh.compile(self.folder / "twice.onnx")(x)
        np.testing.assert_array_equal(first, np.maximum(x, 0))
        np.testing.assert_array_equal(second, first)

    def test_a_result_whose_shape_is_taken(self):
        values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 3]) for name in ("x", "y", "z")]
        nodes = [helper.make_node("Relu", ["x"], ["y"]), helper.make_node("Shape", ["y"], ["s"]),
                 helper.make_node("Reshape", ["x", "flat"], ["f"]), helper.make_node("Reshape", ["f", "s"], ["z"])]
        graph = helper.make_graph(nodes, "network", values[:1], values[1:], [numpy_helper.from_array(np.array([-1]), "flat")])
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), self.folder / "shape.onnx")
        x = np.array([[-1, 2, -3], [4, -5, 6]], np.float32)
        np.testing.assert_array_equal(ucmoh.compile(self.folder / "shape.onnx")(x)[1], x)

    def test_nodes_in_a_circle_are_refused(self):
        path = self.write(helper.make_node("Add", ["x", "n"], ["y"]), helper.make_node("Neg", ["y"], ["n"]))
        with self.assertRaisesRegex(ucmoh.CompileError, "its operands depend on its results"):
            ucmoh.compile(path)

    def test_positions_that_are_counted(self):
        """As of sine embeddings: sums of ones, angles of them."""
        nodes = [helper.make_node("CumSum", ["ones", "axis"], ["n"], name="count"),
                 helper.make_node("Div", ["n", "most"], ["d"], name="div"), helper.make_node("Sin", ["d"], ["s"]),
                 helper.make_node("Add", ["x", "s"], ["y"], name="add")]
        constants = {"ones": np.ones((1, 6, 5), np.float32), "axis": np.int64(1), "most": np.float32(6)}
        self.check(nodes, constants, (1, 6, 5), (1, 6, 5))

    def test_a_mask_of_constant_positions(self):
        """As of a causal attention: its shape is computed as well, so that extents behind it were open."""
        constants = {"q": np.arange(20).reshape(20, 1), "k": np.arange(20).reshape(1, 20),
                     "shape": np.array([1, -1, 20, 20]), "one": np.array([1, 1, 1, 1]), "minus": np.int64(-1),
                     "zero": np.float32(0), "low": np.float32(-9), "target": np.array([2, -1])}
        nodes = [helper.make_node("LessOrEqual", ["k", "q"], ["m"], name="causal"),
                 helper.make_node("Equal", ["shape", "minus"], ["e"], name="open"),
                 helper.make_node("Where", ["e", "one", "shape"], ["s"], name="extents"),
                 helper.make_node("Expand", ["m", "s"], ["f"], name="expand"),
                 helper.make_node("Where", ["f", "zero", "low"], ["a"], name="mask"),
                 helper.make_node("Add", ["x", "a"], ["z"], name="add"),
                 helper.make_node("Softmax", ["z"], ["p"], axis=-1),
                 helper.make_node("Reshape", ["p", "target"], ["y"], name="reshape")]
        self.check(nodes, constants, (1, 2, 20, 20), (2, 400))

    def test_a_convolution_to_few_channels(self):
        random = np.random.default_rng(1)
        constants = {"w": random.uniform(-1, 1, (3, 16, 5, 3)).astype(np.float32),
                     "b": random.uniform(-1, 1, 3).astype(np.float32)}
        nodes = [helper.make_node("Conv", ["x", "w", "b"], ["y"], name="conv", pads=[2, 1, 1, 0])]
        self.check(nodes, constants, (2, 16, 9, 10), (2, 3, 8, 9))

    def test_borders_that_repeat(self):
        for mode in ("reflect", "edge", "wrap"):
            with self.subTest(mode):
                nodes = [helper.make_node("Pad", ["x", "p"], ["y"], name="pad", mode=mode)]
                self.check(nodes, {"p": np.array([0, 0, 3, 1, 0, 0, 2, 0])}, (1, 3, 6, 5), (1, 3, 11, 6))
        nodes = [helper.make_node("Pad", ["x", "p"], ["y"], name="pad", mode="wrap")]
        with self.assertRaisesRegex(ucmoh.CompileError, "node 'pad', op Pad: the mode wrap needs constant sizes"):
            self.check(nodes, {"p": np.array([0, 9, 0, 0])}, (2, 10), (2, 19))

    def test_borders_of_transposed_convolutions(self):
        constants = {"p": np.array([0, 0, 2, 0, 0, 1]), "w": np.linspace(-1, 1, 80, dtype=np.float32).reshape(4, 2, 10)[..., :5]}
        nodes = [helper.make_node("Pad", ["x", "p"], ["padded"], name="pad"),
                 helper.make_node("ConvTranspose", ["padded", "w"], ["y"], name="up", strides=[2], pads=[1, 1])]
        self.check(nodes, constants, (1, 4, 6), (1, 2, 19))

    def test_borders_that_are_computed(self):
        """As PyTorch exports a reflected border: an array of pads, turned around."""
        constants = {"pads": np.array([[1, 2], [2, 1], [0, 0], [0, 0]]), "from": np.array([-1]), "to": np.array([-9]),
                     "axis": np.array([0]), "step": np.array([-1]), "flat": np.array([-1])}
        nodes = [helper.make_node("Slice", ["pads", "from", "to", "axis", "step"], ["t"], name="turn"),
                 helper.make_node("Transpose", ["t"], ["u"], name="transpose"),
                 helper.make_node("Reshape", ["u", "flat"], ["p"], name="reshape"),
                 helper.make_node("Pad", ["x", "p"], ["y"], name="pad", mode="reflect")]
        self.check(nodes, constants, (1, 3, 6, 5), (1, 3, 9, 8))

    def test_borders_that_are_rounded(self):
        """As PyTorch exports a border that depends on how many steps a line takes."""
        constants = {"steps": np.float32(1.5), "others": np.array([0, 0, 1, 2, 0, 0, 2]), "axis": np.array([0])}
        nodes = [helper.make_node("Ceil", ["steps"], ["r"], name="round"),
                 helper.make_node("Cast", ["r"], ["i"], name="cast", to=TensorProto.INT64),
                 helper.make_node("Unsqueeze", ["i", "axis"], ["u"], name="unsqueeze"),
                 helper.make_node("Concat", ["others", "u"], ["p"], name="concat", axis=0),
                 helper.make_node("Pad", ["x", "p"], ["y"], name="pad", mode="reflect")]
        self.check(nodes, constants, (1, 3, 6, 5), (1, 3, 9, 9))


if __name__ == "__main__":
    unittest.main()
