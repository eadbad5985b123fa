"""Times compiled networks beside PyTorch, inductor, ONNX Runtime and OpenVINO. Prints a line of JSON for each network:

    {"network", "threads", "milliseconds": {ENGINE: ...}, "errors": {ENGINE: ...}}

Usage: timing.py [--seconds=S] [--engines=NAME,...] [--threads=N] [--wait=FILE] NAME...

All run in one process, on as many cores as each may use threads (one), in turns, so that a slow moment of the machine
meets all of them; the least of the times of an engine counts. ONNX files come from torch.onnx.export. With --wait
everything is compiled first, and calls begin when the file exists: in a quiet moment. timing_report.py makes tables.
"""
import argparse
import io
import json
import os
import pathlib
import sys
import time
import warnings

import torch

import models
import ucmoh


def eager(module, inputs):
    return lambda: module(*inputs)


def ours(module, inputs):
    with ucmoh.threads(torch.get_num_threads()):
        fast = ucmoh.compile(module, inputs)
    return lambda: fast(*inputs)


def inductor(module, inputs):
    torch._inductor.config.freezing = True
    torch._dynamo.config.recompile_limit = len(models.MODELS)  # the networks that share a forward function
    fast = torch.compile(module)
    return lambda: fast(*inputs)


def onnx_of(module, inputs):
    """The bytes of an ONNX file."""
    file = io.BytesIO()
    torch.backends.mha.set_fastpath_enabled(False)  # it is PyTorch's alone, and ONNX has no op for it
    torch.onnx.export(module, inputs, file, dynamo=False, opset_version=17,
                      input_names=[f"x{index}" for index in range(len(inputs))])
    torch.backends.mha.set_fastpath_enabled(True)
    return file.getvalue()


def onnxruntime(module, inputs):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = torch.get_num_threads(), 1
    session = onnxruntime.InferenceSession(onnx_of(module, inputs), options, providers=["CPUExecutionProvider"])
    feeds = {f"x{index}": value.numpy() for index, value in enumerate(inputs)}
    return lambda: session.run(None, feeds)


def openvino(module, inputs):
    import openvino
    core = openvino.Core()
    model = core.compile_model(core.read_model(io.BytesIO(onnx_of(module, inputs))), "CPU", {
        "INFERENCE_NUM_THREADS": torch.get_num_threads(), "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"})
    request = model.create_infer_request()
    feeds = {index: value.numpy() for index, value in enumerate(inputs)}
    return lambda: request.infer(feeds, share_inputs=True, share_outputs=True)


ENGINES = {"ucmoh": ours, "eager": eager, "inductor": inductor, "onnxruntime": onnxruntime, "openvino": openvino}


def prepare(engine, module, inputs):
    """The engine's call, or what it says where it cannot take the network."""
    try:
        call = ENGINES[engine](module, inputs)
        call()
        return call
    except Exception as error:  # PyTorch and the engines raise many kinds
        return f"{type(error).__name__}: {str(error).splitlines()[0][:80]}"


def least(calls, seconds, turn=0.3):
    """The least time of each call, in seconds. Turns take `turn` seconds: threads of the engine before wait for more
    work at first, and take a core from the next one."""
    best = {engine: float("inf") for engine in calls}
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for engine, call in calls.items():
            last = time.perf_counter() + turn
            while (start := time.perf_counter()) < last or best[engine] == float("inf"):
                call()
                best[engine] = min(best[engine], time.perf_counter() - start)
    return best


def stay_on_cores(count):
    """All threads of this process on the last cores. What was compiled before knows all cores of the machine."""
    cores = sorted(os.sched_getaffinity(0))[-count:]
    for thread in os.listdir("/proc/self/task"):
        os.sched_setaffinity(int(thread), cores)


def prepare_all(name, engines):
    """The calls of all engines, and what those said that cannot take the network."""
    module, inputs = models.MODELS[name]()
    calls = {engine: prepare(engine, module, inputs) for engine in engines}
    errors = {engine: call for engine, call in calls.items() if isinstance(call, str)}
    return {engine: call for engine, call in calls.items() if engine not in errors}, errors


def wait_for(path):
    print("ready", file=sys.stderr, flush=True)
    while not pathlib.Path(path).exists():
        time.sleep(0.05)


def report(name, threads, best, errors):
    times = {engine: round(seconds * 1e3, 3) for engine, seconds in best.items()}
    print(json.dumps({"network": name, "threads": threads, "milliseconds": times}
                     | ({"errors": errors} if errors else {})), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--wait", metavar="FILE")
    parser.add_argument("names", nargs="+", choices=list(models.MODELS), metavar="NAME")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(given.threads)
    with torch.no_grad():
        prepared = {name: prepare_all(name, given.engines.split(",")) for name in given.names}
        if given.wait:
            wait_for(given.wait)
        stay_on_cores(given.threads)
        for name, (calls, errors) in prepared.items():
            report(name, given.threads, least(calls, given.seconds), errors)


if __name__ == "__main__":
    main()
