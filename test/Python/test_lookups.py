"""Places in tables: inside, counted from the end, and outside."""
import unittest

import needs
import ucmoh

try:
    import numpy as np
    import onnx
    import torch
    import torch_mlir  # noqa: F401
    from onnx import TensorProto, helper
except ImportError as error:
    raise unittest.SkipTest("this needs onnx and torch-mlir: scripts/setup.sh --python installs them") from error

needs.need_tool("ucmoh-compile")

FAR = 10**9  # reads foreign memory if nothing stops it


class LookupTest(needs.FolderCase):
    table = np.arange(30, dtype=np.float32).reshape(6, 5)

    def operator(self, name, shape, kind=TensorProto.INT64, nodes=(), **attributes):
        """The program of one operator on the table x and places i."""
        graph = helper.make_graph(
            [*nodes, helper.make_node(name, ["x", "places" if nodes else "i"], ["y"], **attributes)], "network",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, (6, 5)),
             helper.make_tensor_value_info("i", kind, shape)],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)])
        path = self.folder / "lookup.onnx"
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
        return ucmoh.compile(path)

    def test_rows(self):
        for kind, dtype in ((TensorProto.INT64, np.int64), (TensorProto.INT32, np.int32)):
            for shape in ((), (4,), (2, 3)):
                program = self.operator("Gather", shape, kind)
                places = np.resize(np.array([5, -6, 0, -1, 3], dtype), shape)
                np.testing.assert_array_equal(program(self.table, places), self.table[places])
                for outside in (6, -7, FAR, -FAR):
                    with self.assertRaisesRegex(ucmoh.ArgumentError,
                                                rf"argument 1 \(i\) has {outside} among places .* from -6 to 5"):
                        program(self.table, np.full(shape, outside, dtype))

    def test_elements(self):
        program = self.operator("GatherElements", (2, 5), axis=0)
        np.testing.assert_array_equal(program(self.table, np.full((2, 5), -1)), self.table[[5, 5]])
        with self.assertRaisesRegex(ucmoh.ArgumentError, "from -6 to 5"):
            program(self.table, np.full((2, 5), FAR))

    def test_places_that_are_computed(self):
        # What nobody can check before stays inside of the table all the same.
        program = self.operator("GatherND", (2, 2))
        np.testing.assert_array_equal(program(self.table, np.array([[5, 4], [-6, -5]])), [29, 0])
        self.assertTrue(np.isin(program(self.table, np.array([[FAR, FAR], [-FAR, 0]])), self.table).all())
        program = self.operator("Gather", (3,), nodes=[helper.make_node("Mul", ["i", "i"], ["places"])])
        np.testing.assert_array_equal(program(self.table, np.array([0, 2, FAR])), self.table[[0, 4, 5]])

    def scatter(self, name, shapes, **attributes):
        """The program of an operator that puts updates u at places i of the table x."""
        kinds = {"x": TensorProto.FLOAT, "i": TensorProto.INT64, "u": TensorProto.FLOAT}
        graph = helper.make_graph(
            [helper.make_node(name, list(kinds), ["y"], **attributes)], "network",
            [helper.make_tensor_value_info(each, kinds[each], shape) for each, shape in zip(kinds, ((6, 5), *shapes))],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)])
        path = self.folder / "scatter.onnx"
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
        return ucmoh.compile(path)

    def test_places_to_write_to(self):
        # What has a place outside of the table is left out.
        rows, elements = np.full((3, 5), -1, np.float32), np.full(3, -1, np.float32)
        program = self.scatter("ScatterElements", ((3, 5), (3, 5)), axis=0)
        np.testing.assert_array_equal(program(self.table, np.full((3, 5), -6), rows)[0], rows[0])
        for outside in (6, -7, FAR, -FAR):
            np.testing.assert_array_equal(program(self.table, np.full((3, 5), outside), rows), self.table)
        program = self.scatter("ScatterND", ((3, 2), (3,)))
        changed = program(self.table, np.array([[5, 4], [-6, -5], [FAR, 0]]), elements)
        np.testing.assert_array_equal(changed.reshape(-1), [-1, *range(1, 29), -1])
        program = self.scatter("ScatterND", ((3, 1), (3, 5)))
        changed = program(self.table, np.array([[FAR], [6], [-1]]), rows)
        np.testing.assert_array_equal(changed, [*self.table[:5], rows[0]])

    def test_one_row(self):
        # A place outside is some row of the table, and no memory beside it is touched.
        program, row = self.scatter("ScatterND", ((1, 1), (1, 5))), np.full((1, 5), -1, np.float32)
        for place in (0, 5, -1, FAR, -FAR):
            changed = program(self.table, np.array([[place]]), row)
            self.assertEqual((changed != self.table).any(axis=1).sum(), 1)

    def test_words(self):
        words = torch.nn.Embedding(6, 5).eval()
        program = ucmoh.compile(words, (torch.tensor([1, 2]),))
        with torch.no_grad():
            torch.testing.assert_close(program(torch.tensor([5, 0])), words(torch.tensor([5, 0])))
            for outside in (6, -1, FAR):
                with self.assertRaisesRegex(ucmoh.ArgumentError, rf"has {outside} among places .* from 0 to 5"):
                    program(torch.tensor([0, outside]))


if __name__ == "__main__":
    unittest.main()
