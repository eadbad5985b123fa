"""ONNX's own tests of operators, and of networks of a few, some of them old, give what they want: those that were wrong or
refused once, or those that match the regular expression UCMOH_ONNX_NODES, where what is refused is skipped. All of them (.)
take half an hour."""
import os
import pathlib
import re
import unittest
import warnings

import needs
import ucmoh

try:
    import numpy
    import onnx
    import torch_mlir  # noqa: F401
    from onnx.backend.test.case.node import collect_testcases
    from onnx.backend.test.loader import load_model_tests
except ImportError as error:
    raise unittest.SkipTest("this needs onnx and torch-mlir: scripts/setup.sh --python installs them") from error

warnings.simplefilter("ignore", RuntimeWarning)  # from what makes the cases
needs.need_tool("ucmoh-compile")

#: Names without "test_".
CASES = {
    "affine_grid_2d", "affine_grid_3d_align_corners_expanded", "attention_3d_gqa_with_past_and_present",
    "attention_4d_attn_mask_bool", "attention_4d_causal_padded_kv_bf16", "attention_4d_diff_heads_mask4d_padded_kv",
    "attention_4d_with_past_and_present_qk_matmul_bias_3d_mask_causal", "attention_4d_with_qk_matmul_softmax",
    "basic_deform_conv_with_padding", "bitshift_left_int32_negative_shift", "bitshift_right_int8_shift_ge_width",
    "convtranspose_autopad_same", "convtranspose_group_2", "convtranspose_group_2_image_3", "cumprod_1d_reverse_exclusive",
    "cumprod_2d_int32", "deform_conv_with_multiple_offset_groups", "dequantizelinear_axis", "div_uint8", "mod_uint8",
    "dynamicquantizelinear_min_adjusted_expanded", "l2normalization_axis_0", "matmul_1d_3d", "matmul_4d_1d",
    "nllloss_NCd1d2_with_weight", "roialign_aligned_true", "sce_mean_weight_ii", "slice_neg_steps", "spacetodepth_crd_mode_example", "swiglu",
    "tensorscatter_3d", "tensorscatter_circular",
    "BatchNorm2d_eval", "PReLU_2d_multiparam", "operator_add_broadcast", "operator_convtranspose", "sequence_model1",
    "sequence_model4", "sequence_model6", "sequence_model7",
}
KINDS = ("pytorch-converted", "pytorch-operator", "simple")  # files, besides single operators
TOLERANCE = {"bfloat16": 2e-2}  # relative to the largest magnitude


class NodesTest(needs.FolderCase):
    def check(self, case):
        if case.model is None:
            read_files(case)
        inputs, wanted = ([numpy.asarray(value) for value in values] for values in case.data_sets[0])
        if any(value.dtype.kind in "OSU" for value in (*inputs, *wanted)):
            self.skipTest("has no tensors of numbers")
        path, arrays = self.folder / f"{case.name}.onnx", constant_sizes(case.model, inputs)
        onnx.save(case.model, path)
        found = ucmoh.compile(path).run(None, arrays)
        for value, other in zip(found, wanted):
            self.assertEqual((value.shape, value.dtype), (other.shape, other.dtype))
            value, other = value.astype("float64"), other.astype("float64")
            finite = abs(other[numpy.isfinite(other)])
            allowed = TOLERANCE.get(wanted[0].dtype.name, 1e-3) * max(finite.max() if finite.size else 0, 1e-30)
            numpy.testing.assert_allclose(value, other, rtol=0, atol=allowed)

    def test_nodes(self):
        pattern = os.environ.get("UCMOH_ONNX_NODES")
        files = [case for kind in KINDS for case in load_model_tests(kind=kind)]
        operators = [case for case in collect_testcases(None) if case.model is not None]
        cases = {case.name.removeprefix("test_"): case for case in files + operators}
        chosen = CASES if pattern is None else {name for name in cases if re.search(pattern, name)}
        self.assertLessEqual(chosen, cases.keys())
        for name in sorted(chosen):
            with self.subTest(case=name):
                try:
                    self.check(cases[name])
                except ucmoh.Error as error:
                    if pattern is None:
                        raise
                    self.skipTest(str(error))


def read_files(case):
    """The network and the tensors of a case that lie in a folder."""
    case.model, tensors = onnx.load(pathlib.Path(case.model_dir, "model.onnx")), pathlib.Path(case.model_dir, "test_data_set_0")
    case.data_sets = [[[onnx.numpy_helper.to_array(onnx.load_tensor(tensors / f"{kind}_{number}.pb"))
                        for number in range(len(list(tensors.glob(f"{kind}_*.pb"))))] for kind in ("input", "output")]]


def constant_sizes(model, inputs):
    """Makes small operands of integers constants, as exporters write axes and sizes; what is left, by names."""
    constants = {tensor.name for tensor in model.graph.initializer}
    arrays = dict(zip([value.name for value in model.graph.input if value.name not in constants], inputs))
    sizes = {name: value for name, value in list(arrays.items())[1:] if value.dtype.name in ("int32", "int64") and value.ndim < 2}
    model.graph.initializer.extend(onnx.numpy_helper.from_array(value, name) for name, value in sizes.items())
    kept = [value for value in model.graph.input if value.name not in sizes]
    del model.graph.input[:]
    model.graph.input.extend(kept)
    return {name: value for name, value in arrays.items() if name not in sizes}


if __name__ == "__main__":
    unittest.main()
