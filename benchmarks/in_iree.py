"""Times models with IREE as it is and with our code inside, in turns, on one core.

    PYTHONPATH=python build/peers/bin/python benchmarks/in_iree.py test/Models/bert-base-layer.u8.mlir

Arguments marked {ucmoh.weight} become constants with random values. Prints a line of JSON for each model: of each way
to compile it the least milliseconds of all calls and the seconds of CPU that compilation took. IREE has all of its
fastest flags, one set at a time; a set with which it does not compile the model is null. Ours is a dispatch for each
contraction, or for all, or one for each contraction that threads share (--driver=local-task). With `--saved=FOLDER
--rounds=0` at first, and then without the zero, nothing is compiled between calls.
"""
import argparse
import json
import os
import pathlib
import re
import resource
import sys
import tempfile
import time

import iree.runtime
import ml_dtypes
import numpy as np

from ucmoh import iree as ucmoh_iree
from ucmoh.errors import CompileError

TILING = ["--iree-opt-data-tiling"]
FLAGS = {"default": [], "opt-level": ["--iree-opt-level=O3"],
         "ukernels": [*TILING, "--iree-llvmcpu-enable-ukernels=all"],
         "inner-tiled": [*TILING, "--iree-llvmcpu-enable-inner-tiled"],
         "inner-tiled-o3": [*TILING, "--iree-llvmcpu-enable-inner-tiled", "--iree-opt-level=O3"]}
OURS = {"ucmoh-contraction": {"group": "contraction"}, "ucmoh-network": {"group": "network"},
        "ucmoh-shared": {"group": "contraction", "workgroups": 8}}
TYPES = {"i8": np.int8, "i32": np.int32, "f32": np.float32, "bf16": ml_dtypes.bfloat16}


def random_array(text, generator):
    """Values of a type of MLIR without "tensor": integers small enough that no sum overflows."""
    *shape, element = text.split("x")
    shape = tuple(map(int, shape))
    if element in ("f32", "bf16"):
        return (generator.standard_normal(shape) * 0.05).astype(TYPES[element])
    return generator.integers(-100, 100, shape).astype(TYPES[element])


def with_constants(text, generator):
    """The program with its weights as constants."""
    constants = []

    def make_constant(found):
        name, shape = found[1], found[2]
        data = random_array(shape, generator).tobytes().hex().upper()
        constants.append(f'    {name} = arith.constant dense<"0x{data}"> : tensor<{shape}>\n')
        return ""

    text = re.sub(r"(%\w+): tensor<([^>]+)> \{ucmoh\.weight\}(?:, )?", make_constant, text)
    text = text.replace(", )", ")")
    start = text.index("{\n", text.index("func.func")) + 2
    return text[:start] + "".join(constants) + text[start:]


def load(path, driver):
    config = iree.runtime.Config(driver)
    context = iree.runtime.SystemContext(config=config)
    context.add_vm_module(iree.runtime.VmModule.mmap(context.instance, str(path)))
    return context.modules.module.main, config.device


def go_first(driver):
    """One core for a driver with one thread. Nothing else runs on it while a call is timed, where this user may say so.

    What is compiled by a process that has fewer cores is not the same.
    """
    if driver == "local-sync":
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
    except PermissionError:
        print("other processes may run beside the calls", file=sys.stderr)


def cpu_seconds():
    """Returns the CPU seconds of this process and of all that it started and that have ended."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def compile_all(model, folder, ways):
    """The modules of all ways, and the seconds of CPU that each took. What the folder has is not compiled again."""
    times = folder / "seconds.json"
    seconds = json.loads(times.read_text()) if times.exists() else {}
    stock = ucmoh_iree.Installation()
    for name in ways:
        if name in seconds:
            continue
        module = folder / f"{name}.vmfb"
        start = cpu_seconds()
        try:
            if name in FLAGS:
                stock.run(model, module, ucmoh_iree.with_device(FLAGS[name]), model)
            else:
                ucmoh_iree.compile_model(model, module, **OURS[name])
        except CompileError as error:
            print(f"{name}: {error}", file=sys.stderr)
            module.unlink(missing_ok=True)
        seconds[name] = round(cpu_seconds() - start, 2)
        times.write_text(json.dumps(seconds))
    modules = {name: folder / f"{name}.vmfb" for name in ways}
    return {name: module for name, module in modules.items() if module.exists()}, seconds


def measure(path, options):
    generator = np.random.default_rng(1)
    text = with_constants(pathlib.Path(path).read_text(), generator)
    types = re.findall(r"%\w+: tensor<([^>]+)>", re.search(r"func\.func @main\((.*?)\) ->", text)[1])
    arguments = [random_array(shape, generator) for shape in types]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.saved or temporary, pathlib.Path(path).stem)
        folder.mkdir(parents=True, exist_ok=True)
        model = folder / "model.mlir"
        model.write_text(text)
        modules, seconds = compile_all(model, folder, options.ways)
        if not options.rounds:
            return {"model": os.path.basename(path), "compile_cpu_seconds": seconds}
        go_first(options.driver)
        least = dict.fromkeys(options.ways)
        calls = {}
        for name, module in modules.items():
            function, device = load(module, options.driver)
            inputs = [iree.runtime.asdevicearray(device, argument) for argument in arguments]
            calls[name] = lambda function=function, inputs=inputs: function(*inputs)
        results = {name: np.asarray(call()) for name, call in calls.items()}
        for _ in range(options.rounds):
            for name, call in calls.items():
                for _ in range(options.calls):
                    start = time.perf_counter()
                    call()
                    took = (time.perf_counter() - start) * 1e3
                    least[name] = min(took, least[name] or took)
    stock = results[options.ways[0]].astype(np.float64)
    differ = {name: float(abs(result.astype(np.float64) - stock).max() / abs(stock).max())
              for name, result in results.items() if name.startswith("ucmoh")}
    return {"model": os.path.basename(path), "driver": options.driver,
            "milliseconds": {name: value and round(value, 3) for name, value in least.items()},
            "compile_cpu_seconds": seconds, "largest_difference": differ}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", metavar="MODEL.mlir")
    parser.add_argument("--driver", default="local-sync", help="IREE's driver: local-sync for one thread (default)")
    parser.add_argument("--ways", nargs="+", default=[*FLAGS, *OURS], choices=[*FLAGS, *OURS],
                        help="all by default; results are compared with those of the first")
    parser.add_argument("--saved", metavar="FOLDER", help="keeps what was compiled; a second run begins with the calls")
    parser.add_argument("--rounds", type=int, default=4, help="turns of all ways (4); 0 only compiles")
    parser.add_argument("--calls", type=int, default=10, help="calls in each turn (10)")
    options = parser.parse_args()
    everywhere = os.sched_getaffinity(0)
    for path in options.models:
        print(json.dumps(measure(path, options)), flush=True)
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
        os.sched_setaffinity(0, everywhere)


if __name__ == "__main__":
    main()
