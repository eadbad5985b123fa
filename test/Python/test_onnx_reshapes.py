"""Tests reshapes whose shapes exporters compute from open extents."""
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

from ucmoh import onnx_reshapes

needs.need_tool("ucmoh-compile")


def view(value, result, *shape):
    """x.view(x.shape[0], *shape), as PyTorch exports it."""
    constants = {f"{result}{at}": np.array([extent]) for at, extent in enumerate(shape)} | {"first": np.array(0)}
    nodes = [helper.make_node("Shape", [value], [f"{result}.extents"]),
             helper.make_node("Gather", [f"{result}.extents", "first"], [f"{result}.batch"], axis=0),
             helper.make_node("Unsqueeze", [f"{result}.batch", "axis"], [f"{result}.list"]),
             helper.make_node("Concat", [f"{result}.list", *(f"{result}{at}" for at in range(len(shape)))],
                              [f"{result}.shape"], axis=0),
             helper.make_node("Reshape", [value, f"{result}.shape"], [result])]
    return nodes, constants | {"axis": np.array([0])}


class ReshapesTest(needs.FolderCase):
    def test_shapes(self):
        def check(operand, wanted, expected):
            self.assertEqual(onnx_reshapes.constant_shape(operand, wanted), expected)

        check(["b", 4, 6], ["b", -1, 3], [0, 8, 3])
        check(["b", 4, 6], [None, 24], [-1, 24])  # whatever it is
        check(["b", 4, "n"], ["b", -1, "n"], [0, 4, 0])
        check(["b", 4, "n"], ["n", 4, "b"], None)
        check(["b", 4, 6], [0, -1], [0, 24])
        check(["b", "n", 6], ["b", -1, 6], [0, 0, 6])
        check(["b", "n", 6], ["b", -1, 3], [0, -1, 3])
        check(["b", "n", 6], [None, -1, 3], None)
        check([0, 4, "n"], [0, -1], [0, -1])
        check(None, [2, 3], None)

    def test_parts_of_an_open_batch(self):
        """The result's batch is known to be the argument's, though each part had a shape of its own."""
        (left, some), (right, others) = view("r", "u", -1, 4), view("x", "v", -1, 4)
        nodes = [helper.make_node("Relu", ["x"], ["r"]), *left, *right,
                 helper.make_node("Concat", ["u", "v"], ["c"], axis=1),
                 helper.make_node("ReduceMax", ["c"], ["y"], axes=[2], keepdims=0)]
        graph = helper.make_graph(
            nodes, "network", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["b", 3, 8])],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["made up", "as well"])],
            [numpy_helper.from_array(value, name) for name, value in (some | others).items()])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.save(model, self.folder / "graph.onnx")
        session = ucmoh.compile(self.folder / "graph.onnx")
        for batch in (1, 2, 5):
            x = np.random.default_rng(batch).uniform(-1, 1, (batch, 3, 8)).astype(np.float32)
            (expected,) = reference.ReferenceEvaluator(model).run(None, {"x": x})
            np.testing.assert_array_equal(session.run(None, {"x": x})[0], expected)


if __name__ == "__main__":
    unittest.main()
