"""Times whole networks with ONNX Runtime, OpenVINO and ours, in turns, on one core or several.

    build/peers/bin/python benchmarks/engines.py FOLDER/resnet50.f32 FOLDER/resnet50.u8

A network is the path of an ONNX file without its ending, as scripts/models/onnx_networks.py writes it. For NAME.bf16
OpenVINO computes NAME.f32.onnx in bf16, and ONNX Runtime, which has no bf16 on CPUs, computes it in f32. Prints a line
of JSON for each network:

    {"network", "threads", "engines": {NAME: {"milliseconds", "compile_cpu_seconds", "compile_peak_bytes",
                                              "run_peak_bytes", "saved_bytes", "code_bytes"} or {"error"}}}

`milliseconds` is the least of all calls. Each engine compiles in one process, without what earlier runs have left in
caches, and writes its own form of the network (`saved_bytes`, of which `code_bytes` is code). It runs what it reads
from there in another process. Where --saved names a folder, what was compiled stays there, and is not compiled again.
Engines have --threads and all graph optimizations; OpenVINO has the latency hint, and computes networks in f32 as
such: where a CPU has bf16, it would take that for them.

A network whose inputs have open dims is compiled once and measured at each of --extents: a line for each, which has the
"extent".
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

CHILD = pathlib.Path(__file__).with_name("engine.py")


class Child:
    """A process that loads what an engine has compiled, and runs it when it is told to."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.read()

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            raise subprocess.CalledProcessError(self.process.wait(), "engine.py")
        return json.loads(line)

    def measure(self, calls, extent):
        print(calls, extent, file=self.process.stdin, flush=True)
        return self.read()

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class Engine:
    """One engine with one network."""

    def __init__(self, name, network, folder, python, threads=1):
        is_bf16 = network.endswith(".bf16")
        source = f"{network.removesuffix('.bf16')}.f32" if is_bf16 and name != "ucmoh" else network
        self.saved = f"{folder}/{os.path.basename(network)}.{name}" + (f".{threads}" if threads > 1 else "")
        self.arguments = [f"{source}.onnx", "bf16" if is_bf16 else "f32", self.saved, str(threads)]
        self.command = [python, str(CHILD), name]
        self.result, self.child = {}, None

    def compile(self):
        described = pathlib.Path(f"{self.saved}.json")
        if not described.exists():
            done = subprocess.run([*self.command, "compile", *self.arguments], check=True, stdout=subprocess.PIPE,
                                  text=True)
            described.write_text(done.stdout.splitlines()[-1])
        compiled = json.loads(described.read_text())
        self.result = {"compile_cpu_seconds": round(compiled["cpu_seconds"], 2),
                       "compile_peak_bytes": compiled["peak_bytes"], "saved_bytes": compiled["saved_bytes"],
                       "code_bytes": compiled["code_bytes"]}

    def load(self):
        self.child = Child([*self.command, "run", *self.arguments])

    def measure(self, calls, extent):
        measured = self.child.measure(calls, extent)
        self.result["milliseconds"] = min(self.result.get("milliseconds", float("inf")), round(measured["milliseconds"], 3))
        self.result["run_peak_bytes"] = measured["peak_bytes"]


def attempt(engines, step):
    """Those of the engines that take the step; the others say that they failed."""
    able = []
    for engine in engines:
        try:
            step(engine)
            able.append(engine)
        except subprocess.CalledProcessError as error:
            engine.result = {"error": f"status {error.returncode}"}  # that of a signal is negative
    return able


def measure(network, options, extents=(None,)):
    """Gives a record for each extent, of which None stands for no open one."""
    if options.saved:
        os.makedirs(options.saved, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        engines = {name: Engine(name, network, options.saved or scratch, options.python, options.threads)
                   for name in options.engines}
        able = attempt(engines.values(), Engine.compile)
        able = attempt(able, Engine.load) if options.rounds else []
        for extent in extents:
            for engine in able:
                engine.result.pop("milliseconds", None)
            for _ in range(options.rounds):
                able = attempt(able, lambda engine: engine.measure(options.calls, extent or 1))
            yield {"network": os.path.basename(network), "threads": options.threads,
                   **({"extent": extent} if extent else {}),
                   "engines": {name: dict(engine.result) for name, engine in engines.items()}}
        for engine in able:
            engine.child.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="+", metavar="NETWORK")
    parser.add_argument("--engines", type=lambda text: text.split(","), default=["onnxruntime", "openvino", "ucmoh"],
                        help="names among onnxruntime, openvino, ucmoh, iree (all but the last)")
    parser.add_argument("--python", default=sys.executable, help="has the engines' packages, and onnx and torch-mlir")
    parser.add_argument("--saved", help="folder for what engines compile")
    parser.add_argument("--threads", type=int, default=1, help="threads of each engine, one core for each (1)")
    parser.add_argument("--extents", type=int, nargs="+", default=[None],
                        help="extents of open dims, one after the other")
    parser.add_argument("--rounds", type=int, default=3, help="turns of all engines (3); 0 compiles only")
    parser.add_argument("--calls", type=int, default=15, help="calls in each turn (15)")
    options = parser.parse_args()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-options.threads:])
    for network in options.networks:
        for record in measure(network, options, options.extents):
            print(json.dumps(record), flush=True)


if __name__ == "__main__":
    main()
