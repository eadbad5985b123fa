"""A graph of ONNX whose results are compared with ONNX Runtime's."""
import unittest

import needs
import ucmoh

try:
    import numpy as np
    import onnx
    import onnxruntime
    import torch_mlir  # noqa: F401
    from onnx import helper, numpy_helper
except ImportError as error:
    raise unittest.SkipTest("this needs onnx, onnxruntime and torch-mlir: scripts/setup.sh --python installs them") from error

needs.need_tool("ucmoh-compile")
MICROSOFT = "com.microsoft"


class GraphCase(needs.FolderCase):
    def setUp(self):
        super().setUp()
        self.random = np.random.default_rng(0)
        self.nodes, self.constants, self.results = [], {}, []

    def numbers(self, *shape):
        return self.random.uniform(-1, 1, shape).astype(np.float32)

    def add(self, operator, *inputs, results=1, **attributes):
        """A node whose results are compared; arrays among the inputs are constants. An unwanted result is None."""
        names = []
        for each in inputs:
            if not isinstance(each, str):
                self.constants[f"c{len(self.constants)}"] = np.asarray(each)
                each = f"c{len(self.constants) - 1}"
            names.append(each)
        outputs = [f"{operator}{len(self.nodes)}.{at}" for at in range(results)]
        self.nodes.append(helper.make_node(operator, names, outputs, name=outputs[0], **attributes))
        self.results += outputs
        return outputs[0]

    def model(self, inputs, outputs, opset, shapes):
        """The graph with these declared results. `shapes` has lists of extents of inputs where some are names, which are
        open."""
        kind_of = helper.np_dtype_to_tensor_dtype
        declared = [helper.make_tensor_value_info(name, kind_of(value.dtype), shapes.get(name, value.shape))
                    for name, value in inputs.items()]
        graph = helper.make_graph(self.nodes, "network", declared, outputs,
                                  [numpy_helper.from_array(value, name) for name, value in self.constants.items()])
        opsets = [helper.make_opsetid("", opset), helper.make_opsetid(MICROSOFT, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10)

    def check(self, inputs, opset=17, tolerance=1e-5, results=None, typed=False, shapes=None):
        """Compares all results, or those named, with ONNX Runtime's. `typed` graphs declare the types of all values, and
        `shapes` are those of open inputs. Gives the path of the file."""
        path, shapes = self.folder / "graph.onnx", shapes or {}
        results = results or self.results
        model = self.model(inputs, [onnx.ValueInfoProto(name=name) for name in results], opset, shapes)
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.intra_op_num_threads = 1  # several of them quantize the state of an LSTM in parts of the batch
        expected = onnxruntime.InferenceSession(model.SerializeToString(), options).run(None, inputs)
        outputs = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype),
                                                 [None] * value.ndim if shapes else value.shape)
                   for name, value in zip(results, expected)]
        model = self.model(inputs, outputs, opset, shapes)
        onnx.save(onnx.shape_inference.infer_shapes(model) if typed else model, path)
        for name, found, value in zip(results, ucmoh.compile(path).run(None, inputs), expected):
            with self.subTest(name):
                self.assertEqual((found.shape, found.dtype), (value.shape, value.dtype))
                np.testing.assert_allclose(found, value, rtol=tolerance, atol=tolerance)
        return path

    def refused(self, pattern, inputs, **options):
        with self.assertRaisesRegex(ucmoh.CompileError, pattern):
            self.check(inputs, **options)

    def refused_alone(self, pattern, inputs, opset=17):
        """The same for a graph that ONNX Runtime refuses, too."""
        outputs = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in self.results]
        path = self.folder / "graph.onnx"
        onnx.save(self.model(inputs, outputs, opset, {}), path)
        with self.assertRaisesRegex(ucmoh.CompileError, pattern):
            ucmoh.compile(path)
