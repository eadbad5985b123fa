"""Exports the networks to linalg IR: as float, and quantized by ONNX Runtime.

Usage: export.py OUTPUT_FOLDER [NAME...]
"""

import pathlib
import sys
import tempfile

import torch
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from torch_mlir import fx

import networks
from linalg_import import ELIDE, import_onnx, weights_to_arguments


def export_float(network, inputs):
    module = fx.export_and_import(network, inputs, output_type=fx.OutputType.LINALG_ON_TENSORS)
    text = module.operation.get_asm(large_elements_limit=ELIDE, large_resource_limit=ELIDE)
    return weights_to_arguments(text)


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
        stages = [f"{folder}/{name}" for name in ("f.onnx", "p.onnx", "q.onnx")]
        torch.onnx.export(network, (inputs,), stages[0], input_names=["x"], dynamo=False,
                          opset_version=17)
        quant_pre_process(stages[0], stages[1])
        quantize_static(stages[1], stages[2], Calibration(inputs), quant_format=QuantFormat.QDQ,
                        weight_type=QuantType.QInt8, activation_type=activations)
        return import_onnx(stages[2])


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
            file.write_text(export(*networks.make(name)))
            print(file)


if __name__ == "__main__":
    main()
