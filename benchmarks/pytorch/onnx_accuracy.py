"""Compares compiled ONNX files with ONNX Runtime, and prints a table in Markdown.

Usage: onnx_accuracy.py FILE.onnx... | --make FOLDER

--make writes the files that docs/results/python.md lists: ResNet-50 and MobileNet-V2, with random weights, in float,
as QDQ per tensor and per channel, and in operators with both kinds of scales. An error is relative to the largest magnitude of a
result.
"""
import pathlib
import sys
import warnings

import numpy as np
import onnxruntime

import ucmoh

#: How both networks are quantized.
FORMS = ("qdq", "channel", "operators", "opchannel")
SCRIPTS = pathlib.Path(__file__).parents[2] / "scripts" / "models"


def make(folder):
    from onnxruntime.quantization import QuantFormat, QuantType, quantize_static
    sys.path.insert(0, str(SCRIPTS))
    import onnx_networks
    folder.mkdir(parents=True, exist_ok=True)
    for network in (onnx_networks.images.resnet50, onnx_networks.images.mobilenet_v2):
        shapes, _ = onnx_networks.NETWORKS[network]
        paths = {form: folder / f"{network.__name__}.{form}.onnx" for form in ("f32", *FORMS)}
        graph = onnx_networks.Graph(shapes)
        graph.save(network(graph), paths["f32"])
        for form in FORMS:
            quantize_static(paths["f32"], paths[form], onnx_networks.Calibration(shapes),
                            quant_format=QuantFormat.QOperator if form.startswith("op") else QuantFormat.QDQ,
                            weight_type=QuantType.QInt8, activation_type=QuantType.QUInt8,
                            per_channel=form.endswith("channel"))


def arguments(specs):
    """Random arrays, the same for each call; indices of words stay small."""
    random = np.random.default_rng(0)
    return [(random.integers(0, 1000, spec.shape) if spec.type == "int64" else random.standard_normal(spec.shape))
            .astype(spec.type) for spec in specs]


def decibel(found, wanted):
    """Signal to noise."""
    noise = np.square(found.astype(np.float64) - wanted).sum()
    return np.inf if noise == 0 else 10 * np.log10(np.square(wanted.astype(np.float64)).sum() / noise)


def compare(path):
    """Contractions, those of them in 8 bits, the largest error, and the least ratio of signal to noise."""
    program = ucmoh.compile(path)
    feeds = dict(zip((spec.name for spec in program.inputs), arguments(program.inputs)))
    wanted = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"]).run(None, feeds)
    pairs = list(zip(program.run(None, feeds), wanted, strict=True))
    errors = [np.abs(found - each).max() / max(np.abs(each).max(), 1e-30) for found, each in pairs]
    workloads = [row["workload"] for row in program.explain()]
    return (len(workloads), sum("8s32_" in workload for workload in workloads), max(errors),
            min(decibel(*pair) for pair in pairs))


def main():
    if sys.argv[1:2] == ["--make"]:
        make(pathlib.Path(sys.argv[2]))
        return
    warnings.simplefilter("ignore")
    print("| file | contractions | of them in 8 bits | max error | signal to noise, dB |\n|---|---|---|---|---|")
    for path in map(pathlib.Path, sys.argv[1:]):
        ops, narrow, error, ratio = compare(path)
        print(f"| {path.stem} | {ops} | {narrow} | {error:.1e} | {ratio:.0f} |", flush=True)


if __name__ == "__main__":
    main()
