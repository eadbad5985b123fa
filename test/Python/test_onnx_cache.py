"""Attention with a cache, as ONNX Runtime generates text, against ONNX Runtime."""
import unittest

import needs
import ucmoh

try:
    import numpy as np
    import onnx
    import onnxruntime
    import torch_mlir  # noqa: F401
    from onnx import TensorProto, helper, numpy_helper
except ImportError as error:
    raise unittest.SkipTest("this needs onnx, onnxruntime and torch-mlir: scripts/setup.sh --python installs them") from error

needs.need_tool("ucmoh-compile")
MICROSOFT = "com.microsoft"
HEADS, KEPT, WIDTH, VOCABULARY, LONGEST = 4, 2, 16, 40, 64
COLUMNS = (HEADS + 2 * KEPT) * WIDTH
TABLES = ("cosines", "sines")
PASTS = ("past_key", "past_value")


class CacheTest(needs.FolderCase):
    def setUp(self):
        super().setUp()
        self.random = np.random.default_rng(0)

    def numbers(self, *shape):
        return self.random.uniform(-1, 1, shape).astype(np.float32)

    def save(self, rest=(), is_packed=True, batch="batch", rows="rows", past="past", bias=None, **attributes):
        """A layer of a network that reads words: a table, queries, keys and values, and attention with a cache. `rest` are
        names of inputs of the attention, from the tables of its angles on."""
        constants = {"table": self.numbers(VOCABULARY, 32), "weight": self.numbers(32, COLUMNS),
                     "cosines": self.numbers(LONGEST, WIDTH // 2), "sines": self.numbers(LONGEST, WIDTH // 2),
                     "one": np.array([1]), "second": np.array(1), "parts": np.array([HEADS, KEPT, KEPT]) * WIDTH, "sinks": self.numbers(HEADS), "bias": bias}
        node, names = helper.make_node, ["made", "", ""] if is_packed else ["query", "key", "value"]
        nodes = [
            node("ReduceSum", ["mask", "one"], ["count"], keepdims=0), node("Sub", ["count", "one"], ["last"]),
            node("Cast", ["last"], ["lengths"], to=TensorProto.INT32), node("Shape", ["mask"], ["extents"]),
            node("Gather", ["extents", "second"], ["extent"]), node("Cast", ["extent"], ["total"], to=TensorProto.INT32),
            node("Gather", ["table", "words"], ["rows_of_words"]), node("MatMul", ["rows_of_words", "weight"], ["made"])]
        if not is_packed:
            nodes.append(node("Split", ["made", "parts"], names, axis=2))
        nodes.append(node("GroupQueryAttention", [*names, *PASTS, "lengths", "total", *rest], ["y", "key_of_all", "value_of_all"],
                          name="attention", domain=MICROSOFT, num_heads=HEADS, kv_num_heads=KEPT, **attributes))
        value, total = helper.make_tensor_value_info, past + rows if isinstance(past, int) else "total"
        cache = [batch, KEPT, past, "width"]
        inputs = [value("words", TensorProto.INT64, [batch, rows]), value("mask", TensorProto.INT64, [batch, total])]
        inputs += [value(name, TensorProto.FLOAT, cache) for name in PASTS]
        outputs = [value("y", TensorProto.FLOAT, [batch, rows, HEADS * WIDTH])]
        outputs += [value(f"{name}_of_all", TensorProto.FLOAT, [batch, KEPT, total, "width"]) for name in ("key", "value")]
        read = {name for each in nodes for name in each.input}
        tensors = [numpy_helper.from_array(each, name) for name, each in constants.items() if name in read]
        graph = helper.make_graph(nodes, "network", inputs, outputs, tensors)
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(MICROSOFT, 1)]
        path = self.folder / "cache.onnx"
        onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=10), path)
        return path

    def feeds(self, batch, rows, past, known=None):
        """Arguments. `known` are lengths of the texts, with these rows."""
        mask = np.ones((batch, past + rows), np.int64)
        for text, length in zip(mask, known or []):
            text[length:] = 0
        return {"words": self.random.integers(0, VOCABULARY, (batch, rows)), "mask": mask,
                **{name: self.numbers(batch, KEPT, past, WIDTH) for name in PASTS}}

    def same(self, found, wanted):
        """Whether results are ONNX Runtime's: what lies behind a text's words is nothing."""
        for result, value in zip(found, wanted):
            self.assertEqual(result.shape, value.shape)
            np.testing.assert_allclose(result, value, rtol=1e-4, atol=1e-5)

    def check(self, path, *calls, **options):
        program, session = ucmoh.compile(path, **options), onnxruntime.InferenceSession(path)
        for feeds in calls:
            self.same(program.run(None, feeds), session.run(None, feeds))
        return program, session

    def test_any_number_of_words(self):
        path = self.save(TABLES, do_rotary=1)
        calls = [(1, 7, 0), (1, 1, 9), (3, 1, 20), (1, 5, 30), (2, 33, 0)]
        self.check(path, *(self.feeds(*extents) for extents in calls))

    def test_two_threads(self):
        path = self.save(TABLES, do_rotary=1)
        with ucmoh.threads(2):
            self.check(path, *(self.feeds(*extents) for extents in ((1, 40, 0), (4, 1, 9), (1, 5, 30))))

    def test_texts_of_several_lengths(self):
        path = self.save(TABLES, do_rotary=1)
        program, session = self.check(path)
        feeds = self.feeds(2, 1, 20, known=[21, 10])
        found, wanted = (each.run(None, feeds) for each in (program, session))
        self.same(found[:1], wanted[:1])
        for result, value in zip(found[1:], wanted[1:]):
            self.same([result[0], result[1, :, :10]], [value[0], value[1, :, :10]])
        feeds = self.feeds(2, 6, 0, known=[6, 4])
        found, wanted = (each.run(None, feeds)[0] for each in (program, session))
        self.same([found[0], found[1, :4]], [wanted[0], wanted[1, :4]])

    def test_numbers_for_all_extents(self):
        path = self.save(TABLES, do_rotary=1, rotary_interleaved=1)
        feeds = self.feeds(1, 3, 12)
        self.check(path, feeds, example_inputs=feeds)
        self.check(self.save(batch=1, rows=2, past=8), self.feeds(1, 2, 8))

    def test_cache_of_a_window(self):
        """Caches have the words of a window, or some more, whatever calls they came with: a prompt, and words behind it."""
        path = self.save(TABLES, past="room", do_rotary=1, local_window_size=6, sliding_window_cache=1)
        program, session = ucmoh.compile(path), onnxruntime.InferenceSession(path)
        for room, calls in ((6, (9, 1, 1, 4)), (10, (3, 1, 5, 1, 1, 1, 7)), (8, (20, 1, 1, 1))):
            caches, known = [self.numbers(1, KEPT, room, WIDTH) for _ in PASTS], 0
            for rows in calls:
                known += rows
                feeds = {"words": self.random.integers(0, VOCABULARY, (1, rows)), "mask": np.ones((1, known), np.int64),
                         **dict(zip(PASTS, caches))}
                (y, *caches), (wanted, *others) = (each.run(None, feeds) for each in (program, session))
                times = max(-(-(known - room) // (room - 5)), 0)
                self.same([y, *(each[:, :, :known - times * (room - 5)] for each in caches)],
                          [wanted, *(each[:, :, :known - times * (room - 5)] for each in others)])
        with self.assertRaisesRegex(ucmoh.Error, "assertion"):
            program.run(None, self.feeds(1, 1, 5))

    def test_operands_apart(self):
        self.check(self.save(is_packed=False), self.feeds(1, 4, 5), self.feeds(2, 1, 5))

    def test_windows_and_limits(self):
        calls = [self.feeds(1, 12, 0), self.feeds(1, 1, 12)]
        self.check(self.save(local_window_size=4, softcap=2.0, scale=0.3), *calls)
        self.check(self.save(smooth_softmax=1), *calls)

    def test_sinks(self):
        path = self.save(("", "", "", "", "sinks"))
        self.check(path, self.feeds(1, 6, 0), self.feeds(2, 1, 6))

    def test_a_bias(self):
        for heads in (1, HEADS):
            path = self.save(("", "", "", "bias"), batch=1, rows=3, past=5, bias=self.numbers(1, heads, 3, 8))
            self.check(path, self.feeds(1, 3, 5))

    def test_in_place(self):
        path = self.save(TABLES, do_rotary=1)
        session, program = onnxruntime.InferenceSession(path), ucmoh.compile(path, in_place=True)
        program.save(self.folder / "model")
        program = ucmoh.load(self.folder / "model")
        room = {name: np.full((1, KEPT, 24, WIDTH), np.nan, np.float32) for name in PASTS}
        past = {name: self.numbers(1, KEPT, 0, WIDTH) for name in PASTS}
        for rows in (7, 1, 1, 5):
            before = past["past_key"].shape[2]
            feeds = self.feeds(1, rows, before)
            wanted = session.run(None, feeds | past)
            found = program.run(None, {"words": feeds["words"], "mask": feeds["mask"], **room})
            self.assertIs(found[1], room["past_key"])
            self.same([found[0], *(each[:, :, :before + rows] for each in found[1:])], wanted)
            past = dict(zip(PASTS, wanted[1:]))

    def test_arguments_that_cannot_be_changed(self):
        program = ucmoh.compile(self.save(), in_place=True)
        feeds = self.feeds(1, 1, 3)
        feeds["mask"] = feeds["mask"][:, :3]
        with self.assertRaisesRegex(ucmoh.Error, "share memory that the call changes: pass copies"):
            program.run(None, feeds | {"past_key": feeds["past_value"]})
        feeds["past_key"].flags.writeable = False
        with self.assertRaisesRegex(ucmoh.Error, "past_key.* contiguous and writable"):
            program.run(None, feeds)

    def test_a_cache_without_room(self):
        feeds = self.feeds(1, 2, 6)
        for in_place, words in ((True, 7), (False, 9)):
            program = ucmoh.compile(self.save(), in_place=in_place)
            feeds["mask"] = np.ones((1, words), np.int64)
            with self.subTest(in_place=in_place), self.assertRaisesRegex(ucmoh.Error, "an assertion of @main"):
                program.run(None, feeds)

    def test_what_has_no_form(self):
        window = {"sliding_window_cache": 1, "local_window_size": 4, "bias": self.numbers(1, HEADS, 2, 9)}
        for attributes, why in ((window | {"rest": ("", "", "", "bias")}, "a bias for a cache of a window's words"),
                                ({"sliding_window_cache": 1}, "a cache of a window's words needs a local_window_size"),
                                ({"causal": 0}, "queries that see words behind them"),
                                ({"k_quant_type": "PER_TENSOR"}, "a quantized cache")):
            with self.assertRaisesRegex(ucmoh.CompileError, f"node 'attention', op GroupQueryAttention: {why}"):
                ucmoh.compile(self.save(**attributes))

    def test_scatter(self):
        """Any extents, and in place."""
        value = helper.make_tensor_value_info
        inputs = [value(name, TensorProto.FLOAT, ["batch", 3, count, 16]) for name, count in (("past", "room"), ("new", "new"))]
        for begins in (["begins"], []):
            node = helper.make_node("TensorScatter", ["past", "new", *begins], ["present"])
            graph = helper.make_graph([node], "network", inputs + [value(name, TensorProto.INT64, ["batch"]) for name in begins],
                                      [value("present", TensorProto.FLOAT, ["batch", 3, "room", 16])])
            path = self.folder / "scatter.onnx"
            onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 24)], ir_version=10), path)
            program = ucmoh.compile(path, in_place=True)
            for places, rows in (([4, 0], 1), ([0, 3, 5], 2)):
                past, new = (self.numbers(len(places), 3, count, 16) for count in (7, rows))
                wanted = past.copy()
                for cache, rows_of_batch, place in zip(wanted, new, places if begins else [0] * len(places)):
                    cache[:, place:place + rows] = rows_of_batch
                feeds = {"past": past, "new": new} | ({"begins": np.array(places)} if begins else {})
                (found,) = program.run(None, feeds)
                np.testing.assert_array_equal(found, wanted)
                self.assertIs(found, past)

    def test_rows_of_few_bits(self):
        for bits, has_zeros in ((2, False), (4, False), (4, True), (8, True)):
            with self.subTest(bits=bits, zeros=has_zeros):
                table, zeros = (self.random.integers(0, 256, (6, columns * bits // 8), dtype=np.uint8) for columns in (64, 4))
                constants = {"t": table, "s": self.random.uniform(0.1, 1, (6, 4)).astype(np.float32), "z": zeros}
                inputs = ["t", "words", "s", "z"][:4 if has_zeros else 3]
                node = helper.make_node("GatherBlockQuantized", inputs, ["y"], domain="com.microsoft", bits=bits,
                                        block_size=16, gather_axis=0, quantize_axis=1)
                value = helper.make_tensor_value_info
                graph = helper.make_graph([node], "network", [value("words", TensorProto.INT64, [2, "rows"])],
                                          [value("y", TensorProto.FLOAT, [2, "rows", 64])],
                                          [numpy_helper.from_array(each, name) for name, each in constants.items()])
                opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
                path = self.folder / "rows.onnx"
                onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=10), path)
                words = {"words": np.array([[5, 0, 2], [1, 1, 4]])}
                (wanted,) = onnxruntime.InferenceSession(path).run(None, words)
                np.testing.assert_allclose(ucmoh.compile(path).run(None, words)[0], wanted, rtol=1e-6)


if __name__ == "__main__":
    unittest.main()
