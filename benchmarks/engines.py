"""Times whole networks with ONNX Runtime, OpenVINO and ucmoh-run, in turns, on one core.

    build/peers/bin/python benchmarks/engines.py --ucmoh build/bin FOLDER/resnet50.f32 FOLDER/resnet50.u8

A network is a path without its ending: .onnx is what the engines run, .mlir what ucmoh-run does, as
scripts/models/onnx_networks.py writes both. Beside NAME.bf16.mlir, OpenVINO computes NAME.f32.onnx in bf16, and ONNX
Runtime, which has no bf16 on CPUs, computes it in f32. Prints a line of JSON for each with the least milliseconds of all calls.
Engines have one thread and all graph optimizations; OpenVINO has the latency hint, and computes networks in f32 as
such: where a CPU has bf16, it would take that for them.
"""

import argparse
import json
import os
import subprocess
import time

import numpy as np
import onnxruntime
import openvino


def least_ms(call, calls):
    """Of as many calls, after two that do not count."""
    times = []
    for _ in range(calls + 2):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times[2:]) * 1e3


def onnx_runtime(path, inputs, precision):
    """`precision` is for engines that can choose one."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return lambda: session.run(None, inputs)


def open_vino(path, inputs, precision):
    """`precision` of floats: f32 or bf16."""
    config = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": precision}
    request = openvino.Core().compile_model(path, "CPU", config).create_infer_request()
    return lambda: request.infer(inputs)


def random_inputs(path):
    random = np.random.default_rng(2)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    return {node.name: random.standard_normal(node.shape).astype(np.float32) for node in session.get_inputs()}


def ours(path, options):
    """Least milliseconds of the whole network and of its contractions."""
    command = [f"{options.ucmoh}/ucmoh-run", path, f"--target={options.target}", "--verify=false", "--json",
               f"--repeat={options.calls}"]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    kernels = sum(op["seconds"]["min"] for op in report["ops"] if op["seconds"])
    return report["seconds"]["min"] * 1e3, kernels * 1e3


def measure(network, options):
    is_bf16 = network.endswith(".bf16")
    path = f"{network.removesuffix('.bf16')}.f32.onnx" if is_bf16 else f"{network}.onnx"
    inputs = random_inputs(path)
    engines = {"onnxruntime": onnx_runtime, "openvino": open_vino}
    calls = {name: make(path, inputs, "bf16" if is_bf16 else "f32") for name, make in engines.items()}
    least = {}
    for _ in range(options.rounds):
        times = {name: least_ms(call, options.calls) for name, call in calls.items()}
        times["ucmoh"], times["ucmoh_kernels"] = ours(f"{network}.mlir", options)
        least = {name: round(min(value, least.get(name, value)), 2) for name, value in times.items()}
    return {"network": os.path.basename(network), "milliseconds": least}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="+", metavar="NETWORK")
    parser.add_argument("--ucmoh", default="build/bin", help="the folder of ucmoh-run")
    parser.add_argument("--target", default="host")
    parser.add_argument("--rounds", type=int, default=3, help="turns of all engines (3)")
    parser.add_argument("--calls", type=int, default=15, help="calls in each turn (15)")
    options = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    for network in options.networks:
        print(json.dumps(measure(network, options)), flush=True)


if __name__ == "__main__":
    main()
