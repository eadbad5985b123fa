"""Exports the networks to linalg IR: as float, and quantized by ONNX Runtime.

Usage: export.py OUTPUT_FOLDER [NAME...]
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import torch
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from torch_mlir import fx

import networks

TO_LINALG = ("builtin.module(torch-onnx-to-torch-backend-pipeline{backend-legal-ops="
             "aten.flatten.using_ints,aten.unflatten.int},"
             "torch-backend-to-linalg-on-tensors-backend-pipeline)")
ELIDE = 16  # constants with more elements become arguments


def weights_to_arguments(text):
    """Constants that were elided, or named only, become arguments marked {ucmoh.weight}."""
    text = text.partition("\n{-#")[0].rstrip() + "\n"
    constant = re.compile(r"^ +(%\S+) = arith\.constant dense_resource<[^>]*> : (\S+)\n", re.M)
    arguments = "".join(f", {name}: {type} {{ucmoh.weight}}"
                        for name, type in constant.findall(text))
    text = re.sub(r"^ml_program\.global.*\n|^ +ml_program\.global.*\n", "", constant.sub("", text),
                  flags=re.M)
    text, count = re.subn(r"(func\.func @)\w+(\([^)]*)\)( ->[^{]*?)( attributes \{.*?\})? \{\n",
                          rf"\1main\2{arguments})\3 {{\n", text, count=1)
    assert count == 1, "no function found"
    return text


def export_float(network, inputs):
    module = fx.export_and_import(network, inputs, output_type=fx.OutputType.LINALG_ON_TENSORS)
    return module.operation.get_asm(large_elements_limit=ELIDE, large_resource_limit=ELIDE)


class Calibration(CalibrationDataReader):
    """A few random inputs of the network's shape, seeded."""

    def __init__(self, inputs):
        generator = torch.Generator().manual_seed(1)
        self.batches = iter([{"x": torch.randn(inputs.shape, generator=generator).numpy()}
                             for _ in range(4)])

    def get_next(self):
        return next(self.batches, None)


def export_quantized(network, inputs, activations):
    with tempfile.TemporaryDirectory() as folder:
        stages = [f"{folder}/{name}" for name in ("f.onnx", "p.onnx", "q.onnx", "q.mlir")]
        torch.onnx.export(network, (inputs,), stages[0], input_names=["x"], dynamo=False,
                          opset_version=17)
        quant_pre_process(stages[0], stages[1])
        quantize_static(stages[1], stages[2], Calibration(inputs), quant_format=QuantFormat.QDQ,
                        weight_type=QuantType.QInt8, activation_type=activations)
        tools = pathlib.Path(sys.executable).parent
        subprocess.run([tools / "torch-mlir-import-onnx", stages[2], "-o", stages[3]], check=True)
        return subprocess.run(
            [tools / "torch-mlir-opt", stages[3], f"--pass-pipeline={TO_LINALG}",
             f"--mlir-elide-elementsattrs-if-larger={ELIDE}",
             f"--mlir-elide-resource-strings-if-larger={ELIDE}"],
            check=True, capture_output=True, text=True).stdout


FORMS = {
    "f32": export_float,
    "u8": lambda network, inputs: export_quantized(network, inputs, QuantType.QUInt8),
    "s8": lambda network, inputs: export_quantized(network, inputs, QuantType.QInt8),
}


def main():
    output, names = pathlib.Path(sys.argv[1]), sys.argv[2:] or list(networks.NETWORKS)
    for name in names:
        for form, export in FORMS.items():
            file = output / f"{name}.{form}.mlir"
            file.write_text(weights_to_arguments(export(*networks.make(name))))
            print(file)


if __name__ == "__main__":
    main()
