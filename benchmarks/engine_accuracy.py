"""How near the engines' results are to what a quantized network means.

    build/peers/bin/python benchmarks/engine_accuracy.py SAVED FOLDER/resnet50.u8 FOLDER/vit_b16.u8

A network is the path of an ONNX file without its ending, and SAVED the folder where engines.py --saved has left what the
engines compiled. What the network means is what ONNX Runtime computes without graph optimizations: each
DequantizeLinear and each convolution by itself, in floats. Prints a line of JSON for each network:

    {"network", "decibels": {ENGINE: signal-to-noise ratio of its results, or null where it failed or all is 0},
     "floor": the ratio of what it means for inputs that differ by 1e-5 of themselves}

An engine near the floor, or above it, is as right as can be expected: a float that is rounded elsewhere flips a step of
a quantization here and there, and so do other inputs.
"""

import concurrent.futures
import json
import multiprocessing
import os
import sys

import numpy as np

from engine import ENGINES, inputs_of

INPUT_NOISE = 1e-5  # relative


def meaning(path, noise):
    """The results of ONNX Runtime without optimizations."""
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    random = np.random.default_rng(3)
    inputs = {name: (array * (1 + noise * random.standard_normal(array.shape))).astype(array.dtype)
              for name, array in inputs_of(path).items()}
    return onnxruntime.InferenceSession(path, options).run(None, inputs)


def computed(name, path, saved):
    """The results of what an engine has compiled."""
    found = ENGINES[name](threads=1).load(saved, "f32")(inputs_of(path))
    return list(found.values()) if hasattr(found, "values") else list(found)


def in_a_process(function, *arguments):
    """What the function returns; None if it raises an error, or ends the process, as engines do."""
    context = multiprocessing.get_context("spawn")
    try:
        with concurrent.futures.ProcessPoolExecutor(1, context) as pool:
            return pool.submit(function, *arguments).result()
    except Exception as error:  # whatever an engine raises
        print(f"{function.__name__} {arguments[0]}: {error}", file=sys.stderr)
        return None


def decibels(results, expected):
    """The signal-to-noise ratio of all results together; None if there are none, or if all that is expected is 0."""
    if not results or not expected:
        return None
    signal = sum(float(np.square(array, dtype=np.float64).sum()) for array in expected)
    noise = sum(float(np.square(np.subtract(array, other, dtype=np.float64)).sum())
                for array, other in zip(results, expected, strict=True))
    return round(10 * np.log10(signal / max(noise, 1e-30 * signal)), 1) if signal else None


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    saved, *networks = sys.argv[1:]
    for network in networks:
        name, path = os.path.basename(network), f"{network}.onnx"
        expected = in_a_process(meaning, path, 0)
        engines = {engine: f"{saved}/{name}.{engine}" for engine in ENGINES if os.path.exists(f"{saved}/{name}.{engine}")}
        print(json.dumps({
            "network": name,
            "decibels": {engine: decibels(in_a_process(computed, engine, path, file), expected)
                         for engine, file in engines.items()},
            "floor": decibels(in_a_process(meaning, path, INPUT_NOISE), expected)}), flush=True)


if __name__ == "__main__":
    main()
