"""Makes networks as ONNX, in float and quantized, and as linalg IR.

Usage: onnx_networks.py OUTPUT_FOLDER [--forms=f32,u8,...] [NAME...]

Networks are those of onnx_images.py and onnx_transformers.py, all by default. Writes NAME.FORM.onnx and what torch-mlir
imports of it, NAME.FORM.mlir. Forms: f32; u8 (QDQ per tensor, by ONNX Runtime); u8pc (weights per channel); u8w7
(weights of 7 bits, as ONNX Runtime advises for CPUs without VNNI); s8 (as TensorRT takes it: symmetric, weights per
channel that the graph quantizes, biases in float); u16 (activations of 16 bits); op (ONNX Runtime's quantized operators
instead of QDQ); dq (activations are quantized when the network runs, by ONNX Runtime's quantize_dynamic); bf16 (all
floats are bf16). Made by default are f32, u8, u8pc and bf16. torch-mlir alone takes neither s8 nor u16 nor op, and of
dq not the convolutions of Whisper: of these four there is no MLIR. Weights are random and seeded. Of transformers the
products and convolutions are quantized, as ONNX Runtime does for them. It needs onnx, onnxruntime, ml_dtypes, numpy and
torch-mlir, but not torch.
"""

import argparse
import pathlib

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_dynamic, quantize_static

import onnx_images as images
import onnx_transformers as transformers
from linalg_import import import_onnx
from onnx_graph import Graph


def save_as_bf16(source, path):
    """The model in bf16: weights, inputs, results and all in between."""
    model = onnx.load(source)
    for weight in model.graph.initializer:
        if weight.data_type == TensorProto.FLOAT:
            values = numpy_helper.to_array(weight).astype(ml_dtypes.bfloat16)
            weight.CopyFrom(numpy_helper.from_array(values, weight.name))
    for value in [*model.graph.input, *model.graph.output, *model.graph.value_info]:
        if value.type.tensor_type.elem_type == TensorProto.FLOAT:
            value.type.tensor_type.elem_type = TensorProto.BFLOAT16
    onnx.save(model, path)


class Calibration(CalibrationDataReader):
    """Three random inputs, seeded."""

    def __init__(self, shapes):
        random = np.random.default_rng(1)
        self.inputs = iter([{name: random.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
                            for _ in range(3)])

    def get_next(self):
        return next(self.inputs, None)


#: Shapes of inputs, and what of the network is quantized (None: all that ONNX Runtime quantizes by itself).
IMAGE = {"x": (1, 3, 224, 224)}, None
PRODUCTS = ["Conv", "MatMul", "Gemm"]
CACHE = (1, transformers.Llama.key_heads, 511, transformers.Llama.size)
NETWORKS = {
    images.resnet50: IMAGE, images.mobilenet_v2: IMAGE, images.mobilenet_v3: IMAGE, images.efficientnet_b0: IMAGE,
    transformers.vit_b16: (IMAGE[0], PRODUCTS),
    transformers.bert_base: ({"x": (1, 128, 768)}, PRODUCTS),
    transformers.t5_encoder: ({"x": (1, 128, 512)}, PRODUCTS),
    transformers.whisper_encoder: ({"x": (1, 80, 3000)}, PRODUCTS),
    transformers.llama_prefill: ({"x": (1, 128, transformers.Llama.width)}, PRODUCTS),
    transformers.llama_decode: ({"x": (1, 1, transformers.Llama.width), "past_key": CACHE, "past_value": CACHE},
                                PRODUCTS),
}


#: What ONNX Runtime's static quantization does otherwise than for u8, by form.
STATIC = {
    "u8": {}, "u8pc": {"per_channel": True}, "u8w7": {"reduce_range": True},
    "s8": {"activation_type": QuantType.QInt8, "per_channel": True,
           "extra_options": {"ActivationSymmetric": True, "WeightSymmetric": True, "AddQDQPairToWeight": True,
                             "QuantizeBias": False, "DedicatedQDQPair": True}},
    "u16": {"activation_type": QuantType.QUInt16}, "op": {"quant_format": QuantFormat.QOperator},
}
ONNX_ALONE = ("s8", "u16", "op", "dq")


def quantize(source, path, shapes, ops, form):
    usual = {"quant_format": QuantFormat.QDQ, "weight_type": QuantType.QInt8, "activation_type": QuantType.QUInt8}
    quantize_static(source, path, Calibration(shapes), op_types_to_quantize=ops, **(usual | STATIC[form]))


def make(network, folder, forms):
    shapes, ops = NETWORKS[network]
    paths = {form: folder / f"{network.__name__}.{form}.onnx" for form in ("f32", *forms)}
    graph = Graph(shapes)
    graph.save(network(graph), paths["f32"])
    for form in forms:
        if form in STATIC:
            quantize(paths["f32"], paths[form], shapes, ops, form)
        elif form == "dq":
            quantize_dynamic(paths["f32"], paths[form], weight_type=QuantType.QInt8)
        elif form == "bf16":
            save_as_bf16(paths["f32"], paths[form])
        if form not in ONNX_ALONE:
            paths[form].with_suffix(".mlir").write_text(import_onnx(paths[form]))


def main():
    names = {network.__name__: network for network in NETWORKS}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help=" ".join(names))
    parser.add_argument("--forms", type=lambda text: text.split(","), default=["f32", "u8", "u8pc", "bf16"])
    options = parser.parse_intermixed_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in options.names or names:
        make(names[name], options.folder, options.forms)


if __name__ == "__main__":
    main()
