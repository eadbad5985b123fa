"""QuantizeLinear and DequantizeLinear in the forms that torch-mlir lacks or applies wrongly, against ONNX Runtime.

Numbers of the networks are such that no sum is near to the middle between two integers.
"""
import re
import unittest

from onnx_case import MICROSOFT, GraphCase, helper, np, numpy_helper, onnx, ucmoh
from ucmoh import onnx_import

STEP = np.float32(1 / 64)  # between activations: sums of products by powers of two are exact


class QuantizedTest(GraphCase):
    def image(self, *shape):
        """Numbers of 8 bits, dequantized."""
        return {"x": self.random.integers(-64, 64, shape).astype(np.float32) * STEP}

    def activation(self, x):
        """What is quantized when the network runs."""
        return self.add("DequantizeLinear", self.add("QuantizeLinear", x, STEP, np.int8(3)), STEP, np.int8(3))

    def integers(self, *shape):
        return self.random.integers(-63, 64, shape).astype(np.int8)

    def channels(self, count):
        """A scale for each channel."""
        return (2.0 ** -self.random.integers(5, 8, count)).astype(np.float32)

    def assert_integers(self, path):
        """No product or convolution adds floats."""
        products = re.findall(r"linalg\.\w*(?:matmul|conv)\w* .*outs\(.*?: (tensor<[^>]*>)", onnx_import.import_file(path).text)
        self.assertTrue(products)
        self.assertEqual([each for each in products if not each.endswith("i32>")], [])

    def test_weights_that_the_graph_quantizes(self):
        # As trainers with quantization leave them: floats that are rounded, bounds of symmetric integers, shared scales.
        scales, zeros = self.channels(8), np.zeros(8, np.int8)
        shared = self.add("Identity", scales)
        floats = self.add("Identity", self.integers(8, 4, 3, 3) * scales.reshape(-1, 1, 1, 1))
        wide = self.add("QuantizeLinear", floats, shared, zeros, axis=0)
        weight = self.add("DequantizeLinear", self.add("Clip", wide, np.int8(-20), np.int8(20)), shared, zeros, axis=0)
        y = self.add("Conv", self.activation("x"), weight, pads=[1] * 4)
        self.assert_integers(self.check(self.image(1, 4, 6, 6), results=[y]))

    def test_a_weight_that_is_a_result_stays(self):
        floats = self.numbers(4, 4)
        integers = self.add("QuantizeLinear", floats, STEP, np.int8(0))
        self.add("Add", "x", self.add("DequantizeLinear", integers, STEP, np.int8(0)))
        self.check({"x": self.numbers(4, 4)})

    def test_bounds_of_activations(self):
        integers = self.add("Clip", self.add("QuantizeLinear", "x", STEP, np.int8(3)), np.int8(-50), np.int8(40))
        x = self.add("DequantizeLinear", integers, STEP, np.int8(3))
        weight = self.add("DequantizeLinear", self.integers(8, 6), np.float32(1 / 128), np.int8(0))
        y = self.add("MatMul", x, weight)
        self.assert_integers(self.check(self.image(5, 8), results=[y]))

    def test_a_bias_of_floats(self):
        # The product is one of integers all the same: the bias is added behind its scales.
        x = self.activation("x")
        for name, shape, fields in (("Conv", (8, 4, 3, 3), {}), ("Conv", (8, 1, 3, 3), {"group": 4}),
                                    ("ConvTranspose", (4, 8, 2, 2), {"strides": [2, 2]})):
            scales = self.channels(8)
            axis = 1 if name == "ConvTranspose" else 0
            weight = self.add("DequantizeLinear", self.integers(*shape), scales, np.zeros(8, np.int8), axis=axis)
            self.add(name, x, weight, self.numbers(8), **fields)
        self.assert_integers(self.check(self.image(1, 4, 6, 6), results=[each for each in self.results if "Conv" in each]))

    def test_a_bias_with_a_scale_of_its_own(self):
        results = []
        for integers, *zeros in ((np.arange(8, dtype=np.int32),), (np.arange(100, 108, dtype=np.int8), np.int8(-100))):
            weight = self.add("DequantizeLinear", self.integers(8, 4, 3, 3), self.channels(8), np.zeros(8, np.int8), axis=0)
            bias = self.add("DequantizeLinear", integers, np.float32(0.25), *zeros)
            results.append(self.add("Conv", self.activation("x"), weight, bias))
        self.assert_integers(self.check(self.image(1, 4, 6, 6), results=results))

    def test_no_zero_points(self):
        weight = self.add("DequantizeLinear", self.integers(8, 4, 3, 3), self.channels(8), axis=0)
        bias = self.add("DequantizeLinear", np.arange(8, dtype=np.int32), np.float32(1 / 4096))
        x = self.add("DequantizeLinear", self.add("QuantizeLinear", "x", STEP), STEP)
        y = self.add("Conv", x, weight, bias)
        self.check(self.image(1, 4, 6, 6), results=[y])

    def test_a_type_without_a_zero_point(self):
        kind = helper.np_dtype_to_tensor_dtype(np.dtype("int8"))
        integers = self.add("QuantizeLinear", "x", STEP, output_dtype=kind)
        self.add("DequantizeLinear", integers, STEP)
        self.check(self.image(3, 5), opset=21)

    def test_zero_points_of_channels_without_a_sign(self):
        integers = self.random.integers(0, 256, (8, 4, 3, 3)).astype(np.uint8)
        zeros = self.random.integers(100, 150, 8).astype(np.uint8)
        weight = self.add("DequantizeLinear", integers, self.channels(8), zeros, axis=0)
        y = self.add("Conv", self.activation("x"), weight)
        self.check(self.image(1, 4, 6, 6), results=[y])

    def test_weights_of_four_bits(self):
        for name, zero in (("INT4", 0), ("UINT4", 8)):
            kind = helper.tensor_dtype_to_np_dtype(getattr(onnx.TensorProto, name))
            integers = (self.random.integers(-7, 8, (8, 6)) + zero).astype(kind)
            zeros = np.full(6, zero).astype(kind)
            weight = self.add("DequantizeLinear", integers, self.channels(6), zeros, axis=1)
            self.add("MatMul", self.activation("x"), weight)
        path = self.check(self.image(5, 8), opset=21, results=[each for each in self.results if each[0] == "M"])
        self.assertIn("8x6xi8", onnx_import.import_file(path).text)

    def test_codes_of_four_bits(self):
        for kind in (0, 1):
            codes = self.random.integers(0, 256, 48 * 7 // 2).astype(np.uint8)
            self.add("MatMulBnb4", "x", codes, np.abs(self.numbers(48 * 7 // 16)), domain=MICROSOFT, K=48, N=7, block_size=16,
                     quant_type=kind)
        self.check({"x": self.numbers(2, 3, 48)}, tolerance=1e-4)

    def test_too_few_codes(self):
        node = helper.make_node("MatMulBnb4", ["x", "w", "s"], ["y"], name="product", domain=MICROSOFT, K=48, N=7, block_size=16,
                                quant_type=1)
        x, y = (helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape) for name, shape in
                (("x", (2, 48)), ("y", (2, 7))))
        constants = [numpy_helper.from_array(np.zeros(9, np.uint8), "w"), numpy_helper.from_array(np.ones(21, np.float32), "s")]
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(MICROSOFT, 1)]
        path = self.folder / "few.onnx"
        onnx.save(helper.make_model(helper.make_graph([node], "network", [x], [y], constants), opset_imports=opsets), path)
        with self.assertRaisesRegex(ucmoh.CompileError, "node 'product', op MatMulBnb4: 9 bytes and 21 scales are too few"):
            ucmoh.compile(path)

    def test_sixteen_bits(self):
        # Also where the file declares the types, and for a number without dims.
        for domain in ("", MICROSOFT):
            steps = np.float32(1 / 30000), np.uint16(32768)
            for x in ("x", self.add("ReduceMax", "x", keepdims=0)):
                wide = self.add("QuantizeLinear", x, *steps, domain=domain)
                self.add("DequantizeLinear", wide, *steps, domain=domain)
            turned = self.add("Transpose", self.add("QuantizeLinear", "x", *steps, domain=domain))
            self.add("Relu", self.add("DequantizeLinear", turned, *steps, domain=domain))
        results = [each for each in self.results if each[0] in "DR"]
        self.check({"x": self.numbers(2, 8)}, opset=21, results=results, typed=True)

    def test_inputs_of_sixteen_bits(self):
        self.add("DequantizeLinear", "x", np.float32(1 / 30000), np.int16(5))
        self.check({"x": self.random.integers(-30000, 30000, (3, 5)).astype(np.int16)}, opset=21)

    def test_results_of_sixteen_bits_are_refused(self):
        self.add("QuantizeLinear", "x", np.float32(1 / 30000), np.int16(5))
        self.refused("results of 16 bits are not supported; dequantize them", {"x": self.numbers(3, 5)}, opset=21)


if __name__ == "__main__":
    unittest.main()
