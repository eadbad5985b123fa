"""image_model.py FILE.onnx: a network with an image as input x."""
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

weight = np.random.default_rng(0).uniform(-1, 1, (8, 3, 3, 3)).astype(np.float32)
graph = helper.make_graph(
    [helper.make_node("Conv", ["x", "w"], ["c"], name="conv"), helper.make_node("Relu", ["c"], ["y"], name="relu")],
    "network", [helper.make_tensor_value_info("x", TensorProto.FLOAT, (1, 3, 224, 224))],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, 8, 222, 222))], [numpy_helper.from_array(weight, "w")])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), sys.argv[1])
