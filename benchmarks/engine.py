"""One engine with one network, in a process of its own, for engines.py.

    engine.py ENGINE compile NETWORK.onnx PRECISION SAVED N    prints {"cpu_seconds", "peak_bytes", "saved_bytes",
                                                               "code_bytes"}
    engine.py ENGINE run NETWORK.onnx PRECISION SAVED N        prints {"ready": true}, then for each line "CALLS EXTENT"
                                                               of its input {"milliseconds": least of the calls,
                                                               "peak_bytes"}

N is how many threads the engine has. SAVED is the file that `compile` writes and `run` reads, in the engine's own form.
PRECISION is that of floats, f32 or bf16, for engines that can choose one. EXTENT is that of all dims of inputs that are
open. `peak_bytes` is the most memory that the process held so far. `code_bytes` is null where code and weights are one
file. A network that an engine cannot take ends the process with an error.
"""

import json
import os
import resource
import sys
import time

import numpy as np


def inputs_of(path, extent=1):
    """Random arrays for the inputs of an ONNX file, by name, in its own type where NumPy has it, with this extent where
    a dim is open."""
    import onnx
    from onnx import helper
    random, graph = np.random.default_rng(2), onnx.load(path, load_external_data=False).graph
    constants = {tensor.name for tensor in graph.initializer}
    types = {value.name: value.type.tensor_type for value in graph.input if value.name not in constants}
    return {name: random.standard_normal([dim.dim_value or extent for dim in type.shape.dim])
            .astype(helper.tensor_dtype_to_np_dtype(type.elem_type)) for name, type in types.items()}


class Engine:
    def __init__(self, threads):
        self.threads = threads


class OnnxRuntime(Engine):
    """All graph optimizations. It has no bf16 on CPUs."""

    def session(self, path, saved=None):
        import onnxruntime
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = self.threads, 1
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.log_severity_level = 3
        if saved:
            options.optimized_model_filepath = saved
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])

    def compile(self, path, precision, saved):
        self.session(path, saved)

    def load(self, saved, precision):
        session = self.session(saved)
        return lambda inputs: session.run(None, inputs)


class OpenVino(Engine):
    """The latency hint."""

    def config(self, precision):
        return {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": self.threads, "INFERENCE_PRECISION_HINT": precision}

    def compile(self, path, precision, saved):
        import openvino
        compiled = openvino.Core().compile_model(path, "CPU", self.config(precision))
        with open(saved, "wb") as file:
            file.write(compiled.export_model().getvalue())

    def load(self, saved, precision):
        import openvino
        with open(saved, "rb") as file:
            compiled = openvino.Core().import_model(file.read(), "CPU", self.config(precision))
        request = compiled.create_infer_request()
        return lambda inputs: request.infer(inputs, share_inputs=True, share_outputs=True)


class Ours(Engine):
    """`ucmoh.compile`, without what earlier runs have left in caches."""

    def compile(self, path, precision, saved):
        import ucmoh
        os.environ["UCMOH_CACHE"] = ""
        with ucmoh.threads(self.threads):
            ucmoh.compile(path, keep=False).save(saved)

    def load(self, saved, precision):
        import ucmoh
        program = ucmoh.load(saved)
        return lambda inputs: program.run(inputs)

    @staticmethod
    def code_bytes(saved):
        import zipfile
        with zipfile.ZipFile(saved) as archive:
            return archive.getinfo("program.so").file_size


class Iree(Engine):
    """IREE's ONNX importer, and the flags that were the fastest of iree_peer.py. Always one thread."""

    FLAGS = ["--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu",
             "--iree-llvmcpu-target-cpu=host", "--iree-opt-data-tiling", "--iree-llvmcpu-enable-ukernels=all",
             "--iree-opt-level=O3"]

    def compile(self, path, precision, saved):
        import subprocess
        from iree import compiler
        tools = os.path.dirname(sys.executable)
        subprocess.run([f"{tools}/iree-import-onnx", path, "-o", f"{saved}.mlir"], check=True)
        compiler.compile_file(f"{saved}.mlir", output_file=saved, extra_args=self.FLAGS)
        os.remove(f"{saved}.mlir")

    def load(self, saved, precision):
        from iree import runtime
        config = runtime.Config("local-sync")
        module = runtime.load_vm_module(runtime.VmModule.mmap(config.vm_instance, saved), config)
        (function,) = (getattr(module, name) for name in module.vm_module.function_names
                       if not name.startswith("__") and not name.endswith("$async"))
        return lambda inputs: [np.asarray(result) for result in [function(*inputs.values())]]


ENGINES = {"onnxruntime": OnnxRuntime, "openvino": OpenVino, "ucmoh": Ours, "iree": Iree}


def used(*fields):
    """Those resources of this process, and of the children that have ended."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return [sum(getattr(usage, field) for field in fields) for usage in usages]


def peak_bytes():
    """The largest resident memory of this process, or of a child if one held more."""
    return 1024 * max(used("ru_maxrss"))


def cpu_seconds():
    return sum(used("ru_utime", "ru_stime"))


def report(**fields):
    print(json.dumps(fields), flush=True)


def compile_to(engine, path, precision, saved):
    start = cpu_seconds()
    engine.compile(path, precision, saved)
    seconds = cpu_seconds() - start
    code = engine.code_bytes(saved) if hasattr(engine, "code_bytes") else None
    report(cpu_seconds=seconds, peak_bytes=peak_bytes(), saved_bytes=os.path.getsize(saved), code_bytes=code)


def least_ms(call, calls):
    """The least time of `calls` calls, after two that do not count."""
    times = []
    for _ in range(calls + 2):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times[2:]) * 1e3


def run(engine, path, precision, saved):
    call = engine.load(saved, precision)
    call(inputs_of(path))
    report(ready=True)
    for line in sys.stdin:
        calls, extent = (int(word) for word in line.split())
        inputs = inputs_of(path, extent)
        report(milliseconds=least_ms(lambda: call(inputs), calls), peak_bytes=peak_bytes())


def main():
    if len(sys.argv) != 7 or sys.argv[1] not in ENGINES or sys.argv[2] not in ("compile", "run"):
        sys.exit(__doc__)
    name, step, *rest, threads = sys.argv[1:]
    {"compile": compile_to, "run": run}[step](ENGINES[name](int(threads)), *rest)


if __name__ == "__main__":
    main()
