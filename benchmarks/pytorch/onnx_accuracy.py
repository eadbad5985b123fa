"""Compares compiled ONNX files with ONNX Runtime, and prints a table in Markdown.

Usage: onnx_accuracy.py FILE.onnx... | --make FOLDER

--make writes the files that docs/results/python.md lists: ResNet-50, MobileNet-V2 and a BERT of two layers, with random
weights, in float and in the forms of FORMS. MatMulNBits needs the package onnx_ir. An error is relative to the largest
magnitude of a result.
"""
import pathlib
import sys
import warnings

import numpy as np
import onnxruntime

import ucmoh

#: How networks are quantized, per tensor or per channel; those of images as operators, too.
FORMS = {"image": ("qdq", "channel", "operators", "opchannel"), "words": ("qdq", "channel", "dyn", "nb0", "nb1")}
SCRIPTS = pathlib.Path(__file__).parents[2] / "scripts" / "models"


def quantize_weights(source, target, has_zero_points):
    """Weights of four bits, in blocks of 32."""
    import onnx
    from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer
    quantizer = MatMulNBitsQuantizer(onnx.load(source), block_size=32, is_symmetric=not has_zero_points)
    quantizer.process()
    quantizer.model.save_model_to_file(str(target))


def quantize(source, target, form, data):
    from onnxruntime.quantization import QuantFormat, QuantType, quantize_dynamic, quantize_static
    if form == "dyn":
        quantize_dynamic(source, target, weight_type=QuantType.QInt8)
    elif form.startswith("nb"):
        quantize_weights(source, target, form == "nb1")
    else:
        quantize_static(source, target, data,
                        quant_format=QuantFormat.QOperator if form.startswith("op") else QuantFormat.QDQ,
                        weight_type=QuantType.QInt8, activation_type=QuantType.QUInt8,
                        per_channel=form.endswith("channel"))


def make(folder):
    sys.path.insert(0, str(SCRIPTS))
    import onnx_networks
    from onnx_networks import images, transformers
    networks = {"resnet50": (images.resnet50, "image", {"x": (1, 3, 224, 224)}),
                "mobilenet_v2": (images.mobilenet_v2, "image", {"x": (1, 3, 224, 224)}),
                "bert": (lambda graph: transformers.bert_base(graph, width=128, heads=4, layers=2), "words",
                         {"x": (1, 128, 128)})}
    folder.mkdir(parents=True, exist_ok=True)
    for name, (network, kind, shapes) in networks.items():
        source = folder / f"{name}.f32.onnx"
        graph = onnx_networks.Graph(shapes)
        graph.save(network(graph), source)
        for form in FORMS[kind]:
            quantize(source, folder / f"{name}.{form}.onnx", form, onnx_networks.Calibration(shapes))


def arguments(specs):
    """Random arrays, the same for each call; indices of words stay small."""
    random = np.random.default_rng(0)
    return [(random.integers(0, 1000, spec.shape) if spec.type == "int64" else random.standard_normal(spec.shape))
            .astype(spec.type) for spec in specs]


def decibel(found, wanted):
    """Signal to noise."""
    noise = np.square(found.astype(np.float64) - wanted).sum()
    return np.inf if noise == 0 else 10 * np.log10(np.square(wanted.astype(np.float64)).sum() / noise)


def run_peer(path, feeds, optimized):
    """ONNX Runtime's results, with or without what its optimizations change in the graph."""
    options = onnxruntime.SessionOptions()
    if not optimized:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"]).run(None, feeds)


def error(found, wanted):
    """The largest one of all results, relative to the largest magnitude."""
    return max(np.abs(one - other).max() / max(np.abs(other).max(), 1e-30)
               for one, other in zip(found, wanted, strict=True))


def compare(path):
    """Contractions, those of them in 8 bits, largest errors and the least ratio of signal to noise: against ONNX Runtime,
    and the error against it, and of it, without its optimizations."""
    program = ucmoh.compile(path)
    feeds = dict(zip((spec.name for spec in program.inputs), arguments(program.inputs)))
    ours, peer, plain = program.run(None, feeds), run_peer(path, feeds, True), run_peer(path, feeds, False)
    workloads = [row["workload"] for row in program.explain()]
    return (len(workloads), sum("8s32_" in workload for workload in workloads), error(ours, peer),
            min(map(decibel, ours, peer)), error(ours, plain), error(peer, plain))


def main():
    if sys.argv[1:2] == ["--make"]:
        make(pathlib.Path(sys.argv[2]))
        return
    warnings.simplefilter("ignore")
    print("| file | contractions | of them in 8 bits | max error | signal to noise, dB | max error without optimizations | "
          "of ONNX Runtime itself |\n|---|---|---|---|---|---|---|")
    for path in map(pathlib.Path, sys.argv[1:]):
        ops, narrow, optimized, ratio, plain, itself = compare(path)
        print(f"| {path.stem} | {ops} | {narrow} | {optimized:.1e} | {ratio:.0f} | {plain:.1e} | {itself:.1e} |", flush=True)


if __name__ == "__main__":
    main()
