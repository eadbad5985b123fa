"""Operators that torch-mlir lacks or lowers wrongly, against ONNX Runtime; each graph has several of them."""
import unittest

from onnx_case import MICROSOFT, GraphCase, helper, np, numpy_helper, onnx, onnxruntime, ucmoh
from ucmoh import onnx_import

TensorProto = onnx.TensorProto


class FunctionsTest(GraphCase):
    def test_activations(self):
        self.add("Softsign", "x")
        self.add("Gelu", "x", approximate="tanh")
        self.add("Swish", "x", alpha=1.5)
        self.add("BiasGelu", "x", self.numbers(8), domain=MICROSOFT)
        self.add("FastGelu", "x", self.numbers(8), domain=MICROSOFT)
        self.add("QuickGelu", "x", domain=MICROSOFT)
        self.check({"x": self.numbers(2, 4, 8)}, opset=24)

    def test_heads_that_turn(self):
        """Rotary embeddings of heads side by side, whose number follows from the tables, and of words with three places."""
        tables = self.numbers(20, 4), self.numbers(20, 4)
        for interleaved in (0, 1):
            self.add("RotaryEmbedding", "x", "places", *tables, domain=MICROSOFT, interleaved=interleaved)
            self.add("MRotaryEmbedding", "x", "three", *tables, domain=MICROSOFT, interleaved=interleaved, num_heads=3,
                     mrope_section=[2, 1, 1], mrope_layout=1 - interleaved)
        self.add("RotaryEmbedding", "x", "first", *tables, domain=MICROSOFT)
        inputs = {"x": self.numbers(2, 5, 24), "places": self.random.integers(0, 20, (2, 5)),
                  "three": self.random.integers(0, 20, (3, 2, 5)), "first": np.array([7])}
        self.check(inputs, shapes={"x": ["texts", "words", 24], "places": ["texts", "words"], "three": [3, "texts", "words"]})

    def test_a_past_in_one_tensor(self):
        """ONNX Runtime's Attention with the keys and values of words before, as GPT-2 has them, and with a mask of all words."""
        for mask in ("", "mask"):
            self.add("Attention", "x", self.numbers(24, 72), self.numbers(72), mask, "past", domain=MICROSOFT, results=2, num_heads=3,
                     unidirectional=1)
        self.add("Attention", "x", self.numbers(24, 72), self.numbers(72), domain=MICROSOFT, results=2, num_heads=3, unidirectional=1)
        inputs = {"x": self.numbers(2, 4, 24), "past": self.numbers(2, 2, 3, 5, 8), "mask": np.ones((2, 9), np.int32)}
        inputs["mask"][0, :3] = 0
        self.check(inputs, shapes={"x": ["texts", "words", 24], "past": [2, "texts", 3, "known", 8], "mask": ["texts", "all"]})

    def save_merged(self, inputs):
        """A decoder with a part for calls with words before and one for the first call, and a flag that chooses. Gives the
        path of the file."""
        def branch(name, *pasts):
            node = helper.make_node("MultiHeadAttention", ["x", "x", "x", "", "", "", *pasts], [f"{name}.{each}" for each in "ykv"],
                                    name=name, domain=MICROSOFT, num_heads=3, unidirectional=1)
            return helper.make_graph([node], name, [], [helper.make_tensor_value_info(each, TensorProto.FLOAT, None)
                                                        for each in node.output])

        choice = helper.make_node("If", ["flag"], ["y", "k", "v"], name="choice", then_branch=branch("later", "key", "value"),
                                  else_branch=branch("first"))
        shapes = {"x": ["texts", "words", 24], "key": ["texts", 3, "known", 8], "value": ["texts", 3, "known", 8], "flag": [1]}
        declared = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(each.dtype), shapes[name])
                    for name, each in inputs.items()]
        outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in (
            ("y", ["texts", "words", 24]), ("k", ["texts", 3, "all", 8]), ("v", ["texts", 3, "all", 8]))]
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(MICROSOFT, 1)]
        path = self.folder / "merged.onnx"
        onnx.save(helper.make_model(helper.make_graph([choice], "merged", declared, outputs), opset_imports=opsets, ir_version=10), path)
        return path

    def test_a_merged_decoder(self):
        """The flag is a constant for the compiler: one program for each of its values."""
        inputs = {"x": self.numbers(2, 4, 24), "key": self.numbers(2, 3, 5, 8), "value": self.numbers(2, 3, 5, 8)}
        path = self.save_merged(inputs | {"flag": np.array([True])})
        session = onnxruntime.InferenceSession(path)
        for flag in (True, False):
            expected = session.run(None, inputs | {"flag": np.array([flag])})
            for found, value in zip(ucmoh.compile(path, constants={"flag": flag}).run(None, inputs), expected):
                np.testing.assert_allclose(found, value, rtol=1e-4, atol=1e-5)
        for constants, why in (({"other": 1}, "names other, which is no input: inputs are x, key"),
                               ({"flag": [True, False]}, "flag must be")):
            with self.assertRaisesRegex(ucmoh.ArgumentError, why):
                ucmoh.compile(path, constants=constants)
        with self.assertRaisesRegex(ucmoh.CompileError, "constants="):
            ucmoh.compile(path)

    def test_norms_of_heads(self):
        """Heads that lie one behind the other while they are normalized: the number of words stays known."""
        heads = self.add("Reshape", "x", np.array([0, -1, 8]))
        normal = self.add("SimplifiedLayerNormalization", heads, self.numbers(8), epsilon=1e-5)
        whole = self.add("Reshape", normal, np.array([0, -1, 24]))
        self.check({"x": self.numbers(2, 5, 24)}, shapes={"x": ["texts", "words", 24]}, results=[whole])

    def test_tables_of_four_bits(self):
        """Rows that are looked up, of integers with and without a sign."""
        from ml_dtypes import int4, uint4
        scales = self.numbers(30, 2)
        for kind, least in ((int4, -8), (uint4, 0)):
            table = self.random.integers(least, least + 16, (30, 64)).astype(kind)
            fields = {"block_size": 32, "gather_axis": 0, "quantize_axis": 1}
            self.add("GatherBlockQuantized", table, "places", scales, domain=MICROSOFT, **fields)
            self.add("GatherBlockQuantized", table, "places", scales, self.random.integers(least, least + 16, (30, 2)).astype(kind),
                     domain=MICROSOFT, **fields)
        self.check({"places": self.random.integers(0, 30, (2, 5))}, opset=21, shapes={"places": ["texts", "words"]})

    def test_unsigned_bytes(self):
        number = self.add("Cast", "x", to=TensorProto.UINT8)
        self.add("Div", number, np.uint8(7))
        self.add("Clip", number, np.uint8(7), np.uint8(150))
        self.check({"x": np.arange(255, dtype=np.float32).reshape(5, 51)})

    def test_norms(self):
        self.add("GroupNormalization", "x", self.numbers(8), self.numbers(8), num_groups=4, epsilon=1e-3)
        groups = self.add("Reshape", "x", np.array([0, 4, -1]))  # as PyTorch exports a group norm
        normal = self.add("InstanceNormalization", groups, np.ones(4, np.float32), np.zeros(4, np.float32))
        self.add("Reshape", normal, np.array([2, 8, 6, 5]))
        rows = self.add("Reshape", "x", np.array([2, 8, -1]))
        self.add("RMSNormalization", rows, self.numbers(8, 30), axis=1)
        self.add("SkipLayerNormalization", rows, rows, self.numbers(30), self.numbers(30), domain=MICROSOFT)
        self.add("SkipSimplifiedLayerNormalization", rows, rows, self.numbers(30), domain=MICROSOFT, epsilon=1e-5)
        self.check({"x": self.numbers(2, 8, 6, 5)}, opset=23)

    def test_a_norm_of_an_open_image(self):
        """Elements of a channel are counted when the network is called, also behind places that an exporter computed."""
        ends = {"first": 0, "step": 1, "last": 6}
        nodes = [helper.make_node("Range", ["first", "last", "step"], ["rows"]),
                 helper.make_node("Gather", ["x", "rows"], ["some"], axis=2),
                 helper.make_node("InstanceNormalization", ["some", "scale", "bias"], ["y"], epsilon=1e-3)]
        some = helper.make_tensor_value_info("rows", TensorProto.INT64, ["as many"])
        for width, constants in ((5, ends), ("width", ends)):
            weights = {name: np.array(each) for name, each in constants.items()}
            weights |= {"scale": self.numbers(3), "bias": self.numbers(3)}
            graph = helper.make_graph(
                nodes, "network", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3, 8, width])],
                [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 3, 6, width])],
                [numpy_helper.from_array(value, name) for name, value in weights.items()], value_info=[some])
            model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
            onnx.save(model, self.folder / "open.onnx")
            x = self.numbers(2, 3, 8, 5)
            (expected,) = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": x})
            np.testing.assert_allclose(ucmoh.compile(self.folder / "open.onnx")(x), expected, rtol=1e-4, atol=1e-4)

    def test_a_quantized_norm_of_groups_stays_an_image(self):
        """Quantizers put a rounding behind each reshape, and quantize the ones and zeros."""
        step, zero = np.float32(1 / 64), np.uint8(128)

        def round_to_steps(value):
            return self.add("DequantizeLinear", self.add("QuantizeLinear", value, step, zero), step, zero)

        groups = round_to_steps(self.add("Reshape", round_to_steps("x"), np.array([0, 4, -1])))
        ones = self.add("DequantizeLinear", np.full(4, 127, np.int8), np.float32(1 / 127), np.int8(0))
        zeros = self.add("DequantizeLinear", np.zeros(4, np.int32), np.float32(1e-3), np.int32(0))
        normal = round_to_steps(self.add("InstanceNormalization", groups, ones, zeros))
        image = self.add("Reshape", normal, np.array([2, 8, 6, 5]))
        self.check({"x": self.numbers(2, 8, 6, 5)}, opset=17, results=[image])
        self.assertNotIn("tensor<2x4x60xf32>", onnx_import.import_file(self.folder / "graph.onnx").text)

    def test_norms_of_old_opsets(self):
        """Groups had one scale each, and ONNX Runtime writes layer norms that ONNX did not have."""
        self.add("GroupNormalization", "x", self.numbers(4), self.numbers(4), num_groups=4)
        self.check({"x": self.numbers(2, 8, 6, 5)}, opset=18)
        self.nodes, self.results = [], []
        self.add("LayerNormalization", "x", self.numbers(6, 5), self.numbers(6, 5), axis=2)
        self.check({"x": self.numbers(2, 8, 6, 5)}, opset=13)

    def test_words(self):
        words = self.random.integers(0, 20, (2, 6)).astype(np.int32)
        self.add("EmbedLayerNormalization", "words", "", self.numbers(20, 8), self.numbers(10, 8), "", self.numbers(8),
                 self.numbers(8), results=2, domain=MICROSOFT)
        self.check({"words": words}, results=self.results[:1])

    def test_weights_of_seven_bits(self):
        """Importers promise that they are: CPUs without VNNI multiply such bytes faster."""
        for most, has_promise in ((64, True), (65, False)):
            self.nodes, self.constants, self.results = [], {}, []
            weights = self.random.integers(-64, 65, (32, 16)).astype(np.int8)
            weights[0, 0] = most
            product = self.add("MatMulInteger", "x", weights, np.uint8(3))
            self.check({"x": self.random.integers(0, 256, (8, 32)).astype(np.uint8)}, results=[product])
            text = onnx_import.import_file(self.folder / "graph.onnx").text
            self.assertEqual("ucmoh.range = array<i64: -64, 64>" in text, has_promise)

    def test_fused_products(self):
        image, rows = self.numbers(1, 8, 6, 5), self.numbers(4, 8)
        self.add("FusedMatMul", "rows", self.numbers(5, 8), transB=1, alpha=0.5, domain=MICROSOFT)
        self.add("FusedGemm", "rows", self.numbers(5, 8), self.numbers(5), transB=1, activation="Relu", domain=MICROSOFT)
        for activation, parameters in (("Clip", [0.0, 0.5]), ("LeakyRelu", [0.1])):
            self.add("FusedConv", "x", self.numbers(4, 8, 3, 3), self.numbers(4), kernel_shape=[3, 3], pads=[1] * 4,
                     activation=activation, activation_params=parameters, domain=MICROSOFT)
        self.check({"x": image, "rows": rows})

    def test_products_of_several_operands(self):
        inputs = {"a": self.numbers(2, 5, 3), "b": self.numbers(2, 6, 3), "c": self.numbers(2, 5, 6, 4),
                  "d": self.numbers(2, 6, 4, 7)}
        self.add("Einsum", *inputs, equation="bin,bjn,bijh,bjhp->bihp")
        self.add("Einsum", "a", "b", equation="xyz,abz")
        self.check(inputs)

    def test_attention(self):
        inputs = {name: self.numbers(2, heads, 6, 8) for name, heads in (("q", 4), ("k", 2), ("v", 2))}
        mask = np.tril(np.ones((6, 6), bool))
        self.add("Attention", "q", "k", "v", is_causal=1, scale=0.3)
        self.add("Attention", "q", "k", "v", mask, softcap=2.0)
        flat = [self.add("Reshape", self.add("Transpose", name, perm=[0, 2, 1, 3]), np.array([0, 0, -1]))
                for name in inputs]
        self.add("Attention", *flat, self.numbers(6, 6), q_num_heads=4, kv_num_heads=2)
        past = self.numbers(2, 2, 3, 8)
        self.add("Attention", "q", "k", "v", "", past, past, results=3)
        self.check(inputs, opset=23)

    def test_attention_of_onnx_runtime(self):
        inputs = {name: self.numbers(2, 6, 32) for name in ("q", "k", "v")}
        self.add("MultiHeadAttention", "q", "k", "v", self.numbers(96), num_heads=4, domain=MICROSOFT)
        visible = np.array([[1] * 6, [1] * 4 + [0] * 2], np.int32)
        self.add("Attention", "q", self.numbers(32, 96), self.numbers(96), visible, num_heads=4, domain=MICROSOFT)
        self.check(inputs)

    def test_quantized_attention_of_onnx_runtime(self):
        x, visible = self.random.integers(0, 256, (2, 6, 32)).astype(np.uint8), np.array([6, 4], np.int32)
        weight = self.random.integers(-63, 64, (32, 96)).astype(np.int8)
        self.add("QAttention", "x", weight, self.numbers(96), np.float32(0.02), np.float32(0.005), visible, np.uint8(120),
                 np.int8(0), num_heads=4, domain=MICROSOFT)
        self.check({"x": x})

    def test_quantized_words(self):
        words = self.random.integers(0, 20, (2, 6)).astype(np.int32)
        tables = [self.random.integers(0, 256, shape).astype(np.uint8) for shape in ((20, 8), (10, 8), (2, 8), 8, 8)]
        visible = np.array([[1] * 6, [1] * 4 + [0] * 2], np.int32)
        self.add("QEmbedLayerNormalization", "words", np.zeros((2, 6), np.int32), *tables, "visible",
                 *[np.float32(0.01)] * 5, *[np.uint8(128)] * 5, results=2, domain=MICROSOFT)
        self.check({"words": words, "visible": visible})

    def test_rotary_embeddings(self):
        tables, places = (self.numbers(10, 4), self.numbers(10, 4)), np.arange(12).reshape(2, 6) % 10
        self.add("RotaryEmbedding", "x", *tables, places)
        self.add("RotaryEmbedding", "x", *tables, places, interleaved=1)
        self.add("RotaryEmbedding", "x", *(table[:, :2] for table in tables), places, rotary_embedding_dim=4)
        self.add("RotaryEmbedding", "x", places, *tables, domain=MICROSOFT)
        flat = self.add("Reshape", self.add("Transpose", "x", perm=[0, 2, 1, 3]), np.array([0, 0, -1]))
        self.add("RotaryEmbedding", flat, *(self.numbers(2, 6, 4) for _ in range(2)), num_heads=4)
        self.check({"x": self.numbers(2, 4, 6, 8)}, opset=23)

    def test_recurrent_layers_in_both_directions(self):
        for kind, gates, results in (("GRU", 3, 2), ("LSTM", 4, 3), ("RNN", 1, 2)):
            for direction, ways in (("reverse", 1), ("bidirectional", 2)):
                self.add(kind, "x", self.numbers(ways, gates * 6, 8), self.numbers(ways, gates * 6, 6),
                         self.numbers(ways, 2 * gates * 6), "", self.numbers(ways, 2, 6), hidden_size=6,
                         direction=direction, results=results)
        self.check({"x": self.numbers(5, 2, 8)}, opset=14)

    def test_recurrent_layers_with_quantized_weights(self):
        for direction, ways, zero in (("forward", 1, 0), ("reverse", 1, 128), ("bidirectional", 2, 0)):
            kind = np.uint8 if zero else np.int8
            weights = [(self.random.integers(-63, 64, (ways, rows, 24)) + zero).astype(kind) for rows in (8, 6)]
            scales = [np.full(shape, 0.01, np.float32) for shape in ((ways,), (ways, 24))]
            zeros = [np.full(scale.shape, zero, kind) for scale in scales]
            bias, *states = (self.numbers(ways, 48), *(self.numbers(ways, 2, 6) for _ in range(2))) if zero else [""] * 3
            self.add("DynamicQuantizeLSTM", "x", *weights, bias, "", *states, "", scales[0], zeros[0], scales[1], zeros[1],
                     domain=MICROSOFT, hidden_size=6, direction=direction, results=3)
        self.check({"x": self.numbers(5, 2, 8)}, opset=14)

    def test_scatters_of_one_row(self):
        for place in (0, 4, -1):
            self.add("ScatterND", "x", np.array([[place]]), self.numbers(1, 2, 8))
        self.add("ScatterND", "x", np.array([[1]]), self.numbers(1, 2, 8), reduction="add")
        self.check({"x": self.numbers(5, 2, 8)}, opset=18)

    def test_recurrent_layers_that_are_refused(self):
        operands = ["x", self.numbers(1, 24, 8), self.numbers(1, 24, 6), self.numbers(1, 48)]
        self.add("LSTM", *operands, np.array([5, 3], np.int32), hidden_size=6)
        self.refused("op LSTM: sequences of several lengths", {"x": self.numbers(5, 2, 8)}, opset=14)
        self.nodes, self.results = [], []
        self.add("LSTM", *operands, "", "", "", self.numbers(1, 18), hidden_size=6)
        self.refused("op LSTM: peepholes are not supported", {"x": self.numbers(5, 2, 8)}, opset=14)

    def test_resizes(self):
        scales = np.array([1, 1, 2, 1.6], np.float32)
        for mode, options in (("nearest", ("align_corners", "floor")), ("nearest", ("half_pixel_symmetric", "ceil")),
                              ("nearest", ("pytorch_half_pixel", "round_prefer_floor"))):
            self.add("Resize", "x", "", scales, mode=mode, coordinate_transformation_mode=options[0],
                     nearest_mode=options[1])
        self.add("Resize", "x", "", scales, mode="cubic", coordinate_transformation_mode="half_pixel_symmetric")
        self.add("Resize", "x", "", np.array([2, 2], np.float32), mode="linear", axes=[2, 3])
        self.add("Resize", "x", "", "", np.array([1, 3, 3, 2]), mode="linear", antialias=1)
        self.add("Resize", "x", np.array([0, 0, .2, .2, 1, 1, .8, .7], np.float32), "", np.array([1, 3, 3, 4]),
                 mode="linear", coordinate_transformation_mode="tf_crop_and_resize")
        self.add("Resize", "x", "", "", np.array([1, 3, 6, 5]), mode="linear")
        deep = self.add("Unsqueeze", "x", np.array([2]))
        self.add("Resize", deep, "", np.array([1, 1, 3, 2, 2], np.float32), mode="linear")
        self.check({"x": self.numbers(1, 3, 6, 5)}, opset=19)

    def test_resizes_of_few_elements_multiply_no_matrix(self):
        """Quantizers write out the fields that have their defaults; volumes and lines are no images."""
        self.add("Resize", "x", "", np.array([1, 1, 2, 2], np.float32), mode="linear", exclude_outside=0,
                 coordinate_transformation_mode="align_corners")
        deep = self.add("Unsqueeze", "x", np.array([2]))
        self.add("Resize", deep, "", np.array([1, 1, 1, 2, 2], np.float32), mode="linear")
        line = self.add("Reshape", "x", np.array([1, 3, 30]))
        self.add("Resize", line, "", np.array([1, 1, 2], np.float32), mode="linear")
        self.check({"x": self.numbers(1, 3, 6, 5)})
        text = onnx_import.import_file(self.folder / "graph.onnx").text
        self.assertNotIn("matmul", text)

    def test_spectra(self):
        real, pairs = self.add("Reshape", "x", np.array([2, 6, 5, 1])), self.add("Reshape", "x", np.array([2, 3, 5, 2]))
        self.add("DFT", real, "", np.array(-3))
        self.add("DFT", real, np.array(8), np.array(1), onesided=1)
        self.add("DFT", pairs, "", np.array(2), inverse=1)
        self.add("DFT", pairs, np.array(4), inverse=0)
        self.check({"x": self.numbers(2, 6, 5)}, opset=20)

    def test_grid_samples(self):
        for options in ({"mode": "linear"}, {"mode": "nearest"}, {"padding_mode": "border", "align_corners": 1},
                        {"padding_mode": "reflection"}, {"padding_mode": "reflection", "align_corners": 1}):
            self.add("GridSample", "x", "places", **options)
        self.add("GridSample", "volume", "deep", mode="linear")
        inputs = {"x": self.numbers(2, 3, 5, 4), "places": 1.5 * self.numbers(2, 6, 7, 2),
                  "volume": self.numbers(1, 2, 3, 4, 5), "deep": 1.5 * self.numbers(1, 2, 3, 4, 3)}
        self.check(inputs, opset=20)

    def test_rows_that_are_scattered(self):
        """Some of them to the same place, and places from the end."""
        places = np.array([[3], [0], [-1], [3], [1]])
        for reduction in ("add", "mul", "max", "min"):
            self.add("ScatterND", "x", places, "rows", reduction=reduction)
        self.add("ScatterND", "x", places[:3], "three")
        self.add("ScatterND", "images", "at", "more", reduction="add")
        inputs = {"x": self.numbers(6, 16), "rows": self.numbers(5, 16), "three": self.numbers(3, 16),
                  "images": self.numbers(4, 3, 4), "at": np.array([[2], [2]]), "more": self.numbers(2, 3, 4)}
        self.check(inputs, opset=18)

    def test_rows_that_are_scattered_outside(self):
        """They are left out, where ONNX says nothing of them."""
        rows = helper.make_node("ScatterND", ["x", "at", "rows"], ["y"], name="scatter", reduction="add")
        described = [helper.make_tensor_value_info(name, *each) for name, each in {
            "x": (onnx.TensorProto.FLOAT, [6, 16]), "at": (onnx.TensorProto.INT64, [3, 1]),
            "rows": (onnx.TensorProto.FLOAT, [3, 16]), "y": (onnx.TensorProto.FLOAT, [6, 16])}.items()]
        graph = helper.make_graph([rows], "network", described[:3], described[3:])
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10),
                  self.folder / "graph.onnx")
        session = ucmoh.compile(self.folder / "graph.onnx")
        ones = np.ones((6, 16), np.float32)
        for place in (6, -7, 10 ** 9, -10 ** 12):
            (y,) = session.run(None, {"x": ones, "at": np.array([[0], [place], [-1]]), "rows": ones[:3]})
            np.testing.assert_array_equal(y[:, 0], [2, 1, 1, 1, 1, 2])

    def test_pads_that_cut_and_places_of_maxima(self):
        self.add("Pad", "x", np.array([0, 0, -1, 2, 0, 1, 0, -2]))
        self.add("MaxPool", "x", kernel_shape=[2, 2], strides=[2, 2], results=2)
        self.check({"x": self.numbers(2, 3, 6, 6)})

    def test_what_takes_elements_in_turn(self):
        """These are loops, since linalg lacks them."""
        places = np.array([[1, 2], [0, 3], [5, 1], [1, 2]])
        self.add("ScatterND", "x", places, "u", reduction="add")
        self.add("ScatterND", "x", places[:, :1], self.numbers(4, 4), reduction="max")
        self.add("ScatterElements", "x", places.T, self.numbers(2, 4), axis=0, reduction="mul")
        self.add("TopK", "x", np.array([3]), results=2)
        self.add("TopK", "x", np.array([2]), axis=0, largest=0, results=2)
        largest = self.add("TopK", "x", np.array([3]), sorted=0, results=2)
        del self.results[-2:]  # which have any order
        self.add("ReduceSum", largest, np.array([-1]))
        ordered = self.add("Reshape", np.sort(self.numbers(3, 50)).round(1), np.array([-1]))  # equal ones among them
        self.add("TopK", ordered, np.array([20]), results=2)
        self.add("TopK", "rows", np.array([7]), axis=1, largest=0, results=2)
        self.add("CumSum", "x", np.array(0))
        self.add("CumSum", "x", np.array(1), exclusive=1, reverse=1)
        self.add("NonZero", "x")
        inputs = {"x": self.numbers(6, 4), "u": self.numbers(4), "rows": self.numbers(2, 40, 3).round(1)}
        inputs["x"][2, 1:3] = inputs["x"][4, 0] = 0
        self.check(inputs)

    def test_blocks_of_an_image(self):
        for image, block, fields in (((8, 8), (3, 3), {"pads": [1, 1, 1, 1]}), ((9, 10), (3, 2), {"strides": [2, 3], "pads": [1, 0, 1, 1]}),
                                     ((8, 9), (2, 2), {"strides": [2, 2], "dilations": [2, 1]})):
            steps, far, pads = (np.array(fields.get(name, [value] * count)) for name, value, count in (
                ("strides", 1, 2), ("dilations", 1, 2), ("pads", 0, 4)))
            count = np.prod((np.array(image) + pads[:2] + pads[2:] - far * (np.array(block) - 1) - 1) // steps + 1)
            x = self.add("Slice", "x", np.array([0, 0]), np.array([2 * np.prod(block), count]), np.array([1, 2]))
            self.add("Col2Im", x, np.array(image), np.array(block), **fields)
        self.check({"x": self.numbers(2, 18, 64)}, opset=18)

    def test_extremes_that_are_scattered(self):
        places = np.array([[1, -2], [0, 3], [-1, 1]])
        for axis in (0, -1):
            for kept in ("max", "min"):
                self.add("ScatterElements", "x", places, self.numbers(3, 2), axis=axis, reduction=kept)
        self.check({"x": self.numbers(6, 4)}, opset=18)

    def test_places_of_extremes(self):
        for operator in ("ArgMax", "ArgMin"):
            self.add(operator, "x", axis=1, keepdims=0)
            self.add(operator, "x", axis=-1, select_last_index=1)
        self.check({"x": self.numbers(3, 7, 20).round(1)})

    def test_one_element_of_a_dim(self):
        for axis, places in ((1, np.int64(-1)), (0, np.int64(2)), (-1, np.array([3]))):
            self.add("Gather", "x", places, axis=axis)
        self.check({"x": self.numbers(3, 7, 20)})

    def test_one_element_of_a_dim_in_an_old_opset(self):
        self.add("Gather", "x", np.int64(2), axis=1)
        self.check({"x": self.numbers(3, 7, 20)}, opset=9)

    def test_products_of_dynamic_quantization(self):
        # ONNX Runtime's sums saturate on CPUs without VNNI, unless weights have 7 bits.
        weight, step = self.random.integers(-63, 64, (8, 5)).astype(np.int8), self.numbers(5) ** 2
        self.add("DynamicQuantizeMatMul", "x", weight, step, np.zeros(5, np.int8), self.numbers(5), domain=MICROSOFT)
        unsigned = (weight.astype(np.int32) + 128).astype(np.uint8)
        self.add("DynamicQuantizeMatMul", "x", unsigned, np.float32(0.01), np.uint8(128), domain=MICROSOFT)
        self.add("MatMulIntegerToFloat", "q", weight, np.float32(0.01), step, np.uint8(120), np.zeros(5, np.int8),
                 self.numbers(5), domain=MICROSOFT)
        self.add("MatMulInteger", "q", weight)
        self.check({"x": self.numbers(2, 4, 8), "q": self.random.integers(0, 256, (2, 4, 8)).astype(np.uint8)})

    def test_quantization_to_sixteen_bits(self):
        steps = np.float32(1 / 30000), np.uint16(32768)
        for domain in ("", MICROSOFT):
            wide = self.add("QuantizeLinear", "x", *steps, domain=domain)
            self.add("DequantizeLinear", wide, *steps, domain=domain)
        narrow = self.add("QuantizeLinear", "x", np.float32(0.01), np.uint8(128), domain=MICROSOFT)
        self.add("DequantizeLinear", narrow, np.float32(0.01), np.uint8(128), domain=MICROSOFT)
        self.check({"x": self.numbers(2, 8)}, opset=21, results=[name for name in self.results if name[0] == "D"])

    def test_poolings_of_channels_that_are_innermost(self):
        step = np.float32(0.01), np.uint8(128)
        self.add("NhwcMaxPool", "x", kernel_shape=[2, 2], strides=[2, 2], domain=MICROSOFT)
        self.add("QLinearGlobalAveragePool", "x", *step, *step, channels_last=1, domain=MICROSOFT)
        self.check({"x": self.random.integers(0, 256, (1, 6, 6, 8)).astype(np.uint8)})

    def refuses(self, pattern, nodes, results, **inputs):
        """`results` are declarations, or names of results whose types the file does not say."""
        results = [onnx.ValueInfoProto(name=each) if isinstance(each, str) else each for each in results]
        values = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
                  for name, value in inputs.items()]
        graph = helper.make_graph(nodes, "network", values, results)
        domains = {"": 17} | {node.domain: 1 for node in nodes if node.domain}
        path = self.folder / "refused.onnx"
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid(*each) for each in domains.items()]), path)
        with self.assertRaisesRegex(ucmoh.CompileError, pattern):
            ucmoh.compile(path)

    def test_what_has_no_form(self):
        nodes = [helper.make_node("Magic", ["x"], ["z"], name="trick", domain="com.example"),
                 helper.make_node("Relu", ["z"], ["y"])]
        result = helper.make_tensor_value_info("y", TensorProto.FLOAT, (2, 3))
        self.refuses("node 'trick', op Magic of com.example: it has no form", nodes, [result], x=self.numbers(2, 3))
        result = helper.make_tensor_value_info("z", TensorProto.FLOAT, (2, 3))
        self.refuses("node 'trick', op Magic of com.example: ", nodes[:1], [result], x=self.numbers(2, 3))

    def test_results_without_a_type(self):
        nodes = [helper.make_node("QLinearReduceMean", ["x"], ["y"], name="mean")]
        self.refuses("node 'mean', op QLinearReduceMean: it has no form", nodes, ["y"], x=self.numbers(2, 3))
        nodes = [helper.make_node("SequenceConstruct", ["x"], ["y"])]
        self.refuses("node 'y', op SequenceConstruct: the type of its result y is not known", nodes, ["y"],
                     x=self.numbers(2, 3))

    def test_what_torch_mlir_leaves_has_a_node(self):
        node = helper.make_node("Inverse", ["x"], ["y"], domain=MICROSOFT)
        result = helper.make_tensor_value_info("y", TensorProto.FLOAT, (3, 3))
        self.refuses("node 'y', op Inverse of com.microsoft: torch-mlir cannot lower it", [node], [result],
                     x=self.numbers(3, 3))


if __name__ == "__main__":
    unittest.main()
