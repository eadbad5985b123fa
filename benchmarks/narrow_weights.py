#!/usr/bin/env python3
"""Times products with weights of 4 and 8 bits by ONNX Runtime, OpenVINO and ours, in turns.

    build/peers/bin/python benchmarks/narrow_weights.py --rows 1 --bits 4 8 --groups 32 128 --inputs s8 f32

Each product is an ONNX file with one MatMulNBits, whose weights have one scale in f32 for each group of steps. Inputs:
s8 (level 4: rows are quantized on each call), f32 (level 0) and bf16, which the other engines may not have. Beside them
stand, if --references is given, the products of the same shape without groups: s8 (MatMulInteger) and f32 (MatMul).
Prints a line of JSON with what ucmoh-probe measures of the memory now, and one for each product:

    {"memory_bytes_per_second", "total_memory_bytes_per_second"}
    {"product", "rows", "bits", "group", "input", "threads", "bytes", "milliseconds": {ENGINE: least of all calls}}

`bytes` is what integers and scales take in memory: divided by the time, the bandwidth that a product reaches. Weights
lie in large pages for all engines. An engine that refuses a product is left out.
"""

import argparse
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np

import engines


def model(path, node, rows, steps, columns, input_type, output_type, constants):
    """Writes an ONNX file with one product, if there is none."""
    import onnx
    from onnx import helper, numpy_helper
    graph = helper.make_graph(
        [node], "product", [helper.make_tensor_value_info("x", input_type, [rows, steps])],
        [helper.make_tensor_value_info("y", output_type, [rows, columns])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()])
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    onnx.save(helper.make_model(graph, opset_imports=imports, ir_version=10), path)


def narrow(path, rows, bits, group, kind, steps, columns):
    """Integers in the lower half of their range are negative. Scales have the type of the rows."""
    import ml_dtypes
    from onnx import TensorProto, helper
    random, blocks = np.random.default_rng(1), steps // group
    packed = random.integers(0, 256, (columns, blocks, group * bits // 8), dtype=np.uint8)
    scales = random.uniform(.01, .02, columns * blocks).astype(ml_dtypes.bfloat16 if kind == "bf16" else np.float32)
    element = TensorProto.BFLOAT16 if kind == "bf16" else TensorProto.FLOAT
    node = helper.make_node("MatMulNBits", ["x", "w", "scales"], ["y"], domain="com.microsoft", K=steps, N=columns,
                            bits=bits, block_size=group, accuracy_level=4 if kind == "s8" else 0)
    model(path, node, rows, steps, columns, element, element, {"w": packed, "scales": scales})
    return packed.nbytes + 4 * scales.size


def reference(path, rows, kind, steps, columns):
    from onnx import TensorProto, helper
    random = np.random.default_rng(1)
    if kind == "s8":
        weights = random.integers(-128, 128, (steps, columns), dtype=np.int8)
        node, types = helper.make_node("MatMulInteger", ["x", "w"], ["y"]), (TensorProto.INT8, TensorProto.INT32)
    else:
        weights = random.standard_normal((steps, columns)).astype(np.float32)
        node, types = helper.make_node("MatMul", ["x", "w"], ["y"]), (TensorProto.FLOAT, TensorProto.FLOAT)
    model(path, node, rows, steps, columns, *types, {"w": weights})
    return weights.nbytes


def products(options, folder):
    """Yields each product to measure: a description, and the path of the ONNX file without its ending."""
    def described(name, write, bits, group, kind):
        path = folder / f"{name}-{options.rows}x{options.columns}x{options.steps}"
        read = write(path.with_name(f"{path.name}.onnx"))
        return {"product": path.name, "rows": options.rows, "bits": bits, "group": group, "input": kind,
                "threads": options.threads, "bytes": read}, str(path)

    shape = options.steps, options.columns
    for bits, group, kind in itertools.product(options.bits, options.groups, options.inputs):
        yield described(f"w{bits}g{group}-{kind}",
                        lambda path: narrow(path, options.rows, bits, group, kind, *shape), bits, group, kind)
    for kind in ("s8", "f32") if options.references else ():
        yield described(f"plain-{kind}", lambda path: reference(path, options.rows, kind, *shape),
                        8 if kind == "s8" else 32, None, kind)


def memory(options):
    """Returns the bandwidth that the probe measures now."""
    done = subprocess.run([f"{options.ucmoh}/ucmoh-probe", "--output=-", f"--budget-seconds={options.probe}"], check=True,
                          capture_output=True, text=True)
    found = dict(re.findall(r"(\w*memory_bytes_per_second) = ([0-9.e+]+)", done.stdout))
    return {name: float(value) for name, value in found.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1)
    parser.add_argument("--steps", type=int, default=4096)
    parser.add_argument("--columns", type=int, default=14336)
    parser.add_argument("--bits", type=int, nargs="+", default=[4, 8])
    parser.add_argument("--groups", type=int, nargs="+", default=[32, 128])
    parser.add_argument("--inputs", nargs="+", default=["s8", "f32"], choices=("s8", "f32", "bf16"))
    parser.add_argument("--references", action="store_true", help="the products without groups, too")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--engines", type=lambda text: text.split(","), default=["onnxruntime", "openvino", "ucmoh"])
    parser.add_argument("--python", default=sys.executable, help="has the engines' packages, and onnx and torch-mlir")
    parser.add_argument("--ucmoh", default="build/bin", help="folder of ucmoh-probe (build/bin)")
    parser.add_argument("--probe", type=float, default=8, help="seconds for ucmoh-probe (8); 0: it is left out")
    parser.add_argument("--folder", type=pathlib.Path, default="build/narrow-weights",
                        help="folder for what is compiled")
    parser.add_argument("--rounds", type=int, default=3, help="turns of all engines (3); 0 compiles only")
    parser.add_argument("--calls", type=int, default=15, help="calls in each turn (15)")
    options = parser.parse_args()
    options.saved = str(options.folder)
    options.folder.mkdir(parents=True, exist_ok=True)
    os.environ["GLIBC_TUNABLES"] = "glibc.malloc.hugetlb=1"
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-options.threads:])
    if options.probe and options.rounds:
        print(json.dumps(memory(options)), flush=True)
    for description, path in products(options, options.folder):
        (record,) = engines.measure(path, options)
        measured = record["engines"]
        times = {name: result["milliseconds"] for name, result in measured.items() if "milliseconds" in result}
        print(json.dumps(description | {"milliseconds": times}), flush=True)


if __name__ == "__main__":
    main()
