"""The benchmarks of whole networks and of what is no contraction: what needs no engine."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "benchmarks"), str(ROOT / "scripts" / "models")]
import engines
import network_report
import rest
from needs import need_tool
from ucmoh import tools

FIELDS = {"compile_cpu_seconds": 2.0, "compile_peak_bytes": 1 << 27, "run_peak_bytes": 1 << 26, "saved_bytes": 1 << 20,
          "code_bytes": None}


def record(network, **milliseconds):
    return {"network": network, "engines": {name: {"milliseconds": value, **FIELDS} if value else {"error": "none"}
                                            for name, value in milliseconds.items()}}


class NetworkReportTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "results.jsonl"

    def read(self, *records):
        self.path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
        return network_report.read([self.path])

    def test_ratios(self):
        networks = self.read(record("a.f32", onnxruntime=3, openvino=1.9, ucmoh=2))
        self.assertIn("| a f32 | 3.0 | 1.9 | 2.0 | 1.50 | .95 | 2.0 / 2.0 / 2.0 | 64 / 64 / 64 | 1 / 1 / 1 |",
                      network_report.table(networks))

    def test_last_line_counts(self):
        networks = self.read(record("a.f32", onnxruntime=3, openvino=3, ucmoh=3), record("a.f32", ucmoh=2))
        self.assertEqual(network_report.ratio(networks["a.f32"], "openvino"), 1.5)

    def test_engine_that_fails(self):
        networks = self.read(record("a.f32", onnxruntime=None, openvino=4, ucmoh=2),
                             record("b.f32", onnxruntime=3, openvino=1, ucmoh=2))
        self.assertIn("| a f32 | – | 4.0 | 2.0 | – | 2.00 |", network_report.table(networks)[2])
        self.assertEqual(network_report.summary(networks),
                         ["x ONNX Runtime: 1 networks, geometric mean 1.50, worst 1.50 (b.f32)",
                          "x OpenVINO: 2 networks, geometric mean 1.00, worst 0.50 (b.f32)"])

    def test_plot(self):
        picture = self.path.with_suffix(".svg")
        network_report.plot(self.read(record("a.f32", onnxruntime=3, openvino=4, ucmoh=2)), picture)
        self.assertIn("<svg", picture.read_text(encoding="utf-8"))


class EnginesTest(unittest.TestCase):
    def test_what_fails_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            able, failing = (engines.Engine(name, f"{folder}/a.f32", folder, sys.executable)
                             for name in ("ucmoh", "openvino"))

            def step(engine):
                if engine is failing:
                    raise subprocess.CalledProcessError(1, "engine.py")
            self.assertEqual(engines.attempt([able, failing], step), [able])
            self.assertEqual(failing.result, {"error": "status 1"})

    def test_bf16_is_a_precision_of_engines(self):
        engine, ours = (engines.Engine(name, "a.bf16", "saved", sys.executable) for name in ("openvino", "ucmoh"))
        self.assertEqual(engine.arguments, ["a.f32.onnx", "bf16", "saved/a.bf16.openvino", "1"])
        self.assertEqual(ours.arguments, ["a.bf16.onnx", "bf16", "saved/a.bf16.ucmoh", "1"])


class RestTest(unittest.TestCase):
    def test_bytes(self):
        self.assertEqual(rest.signature_bytes("(%a: tensor<2x3xf32>, %b: tensor<6xi8>) -> tensor<2x3xbf16> {\n  "
                                              "%c = tensor.empty() : tensor<9xf32>"), 24 + 6 + 12)

    def test_pieces_are_programs(self):
        need_tool("ucmoh-opt")
        for name, body in rest.PIECES.items():
            with self.subTest(name):
                source = self.write(name, body)
                tools.run([tools.find("ucmoh-opt"), "--ucmoh-decompose", "--ucmoh-group-rest", source], name)

    def write(self, name, body):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / f"{name}.mlir"
        path.write_text(f"{rest.MAPS}func.func @{name}{body}\n", encoding="utf-8")
        return path


class NetworksTest(unittest.TestCase):
    def test_shapes(self):
        try:
            import onnx
            import onnx_images
            from onnx_graph import Graph
        except ImportError as error:
            self.skipTest(str(error))
        with tempfile.TemporaryDirectory() as folder:
            graph = Graph({"x": (1, 3, 224, 224)})
            graph.save(onnx_images.mobilenet_v3(graph), f"{folder}/a.onnx")
            made = onnx.load(f"{folder}/a.onnx").graph.output[0].type.tensor_type.shape.dim
            self.assertEqual([extent.dim_value for extent in made], [1, 1000])


if __name__ == "__main__":
    unittest.main()
