#!/usr/bin/env python3
"""Makes shared libraries of what metaschedule.py found, as ucmoh-bench loads them; see ../Compiled.h.

    PYTHONPATH=python build/tvm/bin/python benchmarks/race/compile_peer.py --work=DIR --output=DIR2

Of each task and each number of trials (--trials=64 256) the schedules that were the fastest ones when TVM measured them
(--best=3), so that the luckiest of many noisy times does not stand for the peer. A task that had fewer trials has its
last number besides. Writes DIR2/TASK.TYPES.TRIALS.NUMBER.json and .so.
"""
import argparse
import json
import pathlib
import re
import subprocess

import tvm
from tvm.s_tir import Schedule, meta_schedule
from tvm.s_tir.transform import RemoveWeightLayoutRewriteBlock

import metaschedule
import names
import workloads

# DLTensor, TVMFFIAny and memrefs, as dlpack.h, tvm/ffi/c_api.h and MLIR's C interface lay them out.
WRAPPER = r"""
#include <stdint.h>
#include <stdlib.h>
typedef struct { char *allocated, *aligned; int64_t offset, sizes[16]; } Memref;
typedef struct { void *data; int32_t device[2], ndim; uint8_t code, bits; uint16_t lanes;
                 int64_t *shape, *strides; uint64_t byte_offset; } Tensor;
typedef struct { int32_t type, zero; void *pointer; } Any;
extern int __tvm_ffi_main(void *self, const Any *arguments, int32_t count, Any *result);
extern void *TVMBackendAllocWorkspace(int, int, uint64_t, int, int);
extern int TVMBackendFreeWorkspace(int, int, void *);
extern void *__TVMBackendAllocWorkspace __attribute__((weak)), *__TVMBackendFreeWorkspace __attribute__((weak));
__attribute__((constructor)) static void connect(void) {
  if (&__TVMBackendAllocWorkspace) __TVMBackendAllocWorkspace = (void *)TVMBackendAllocWorkspace;
  if (&__TVMBackendFreeWorkspace) __TVMBackendFreeWorkspace = (void *)TVMBackendFreeWorkspace;
}
static Tensor tensor(Memref *from, int rank, int code, int bits) {
  return (Tensor){from->aligned, {1, 0}, rank, code, bits, 1, from->sizes, 0, 0};
}
void call(Memref *lhs, Memref *packed, Memref *result) __asm__("_mlir_ciface_f");
void call(Memref *lhs, Memref *packed, Memref *result) {
  Tensor tensors[] = {tensor(lhs, @LHS@), tensor(packed, @PACKED@), tensor(result, @RESULT@)};
  Any arguments[] = {{7, 0, &tensors[0]}, {7, 0, &tensors[1]}, {7, 0, &tensors[2]}}, none = {0, 0, 0};
  if (__tvm_ffi_main(0, arguments, 3, &none)) abort();
}
void pack(Memref *packed, Memref *rhs) __asm__("_mlir_ciface_f.pack");
void pack(Memref *packed, Memref *rhs) {
  static const int64_t shape[] = {@SHAPE@};
  enum { rank = sizeof(shape) / sizeof(*shape) };
  int64_t stride = 1;
  for (int dim = rank - 1; dim >= 0; stride *= shape[dim--]) {
    packed->sizes[dim] = shape[dim];
    packed->sizes[rank + dim] = stride;
  }
  packed->allocated = packed->aligned = aligned_alloc(4096, (stride * sizeof(@ELEMENT@) + 4095) / 4096 * 4096);
  packed->offset = 0;
  @ELEMENT@ *to = (@ELEMENT@ *)packed->aligned, *from = (@ELEMENT@ *)rhs->aligned;
  @LOOPS@
    to[@TO@] = *from++;
}
"""
CODES = {"int": 0, "uint": 1, "float": 2, "bfloat": 4}
STORAGE = {"int8": "int8_t", "float32": "float", "bfloat16": "uint16_t"}
PACKING = re.compile(r"\"meta_schedule\.layout_rewrite_preproc\".*?\n\s*\w+\[(.*?)\] = rhs\[(.*?)\]\n", re.DOTALL)


def described(buffer):
    """Rank, type code and bits, as arguments in C."""
    kind, bits = re.fullmatch(r"([a-z]+)(\d+)", str(buffer.dtype)).groups()
    return f"{len(buffer.shape)}, {CODES[kind]}, {bits}"


def linear(indices, shape):
    """The position of an element."""
    text = "0"
    for index, extent in zip(indices, shape, strict=True):
        text = f"({text}) * {extent} + ({index})"
    return text.replace("//", "/")


def packing(task, types, scheduled):
    """Where the element of the plain weights goes whose indices are v0, v1, ..."""
    plain = [*task["kernel"], task["channels"], task["filters"]]
    indices = [f"v{dim}" for dim in range(len(plain))]
    if types == "u8s8s32":
        *window, c, f = indices
        return [f"{f} / 16", *window, f"{c} / 4", f"{f} % 16", f"{c} % 4"]
    found = PACKING.search(scheduled.script())
    if not found:
        return indices
    to, read = (re.split(r", ", text) for text in found.groups())
    to = [re.sub(r"\bv(\d+)\b", r"u\1", text) for text in to]
    for name, source in zip(indices, read, strict=True):
        if source.startswith("v"):
            to = [re.sub(rf"\bu{source[1:]}\b", name, text) for text in to]
    return to


def wrapper(task, types, scheduled, function):
    lhs, packed, result = (function.buffer_map[parameter] for parameter in function.params)
    shape = [int(size) for size in packed.shape]
    plain = [*task["kernel"], task["channels"], task["filters"]]
    loops = "".join(f"for (int64_t v{dim} = 0; v{dim} < {size}; ++v{dim}) " for dim, size in enumerate(plain))
    fields = {"LHS": described(lhs), "PACKED": described(packed), "RESULT": described(result),
              "SHAPE": ", ".join(map(str, shape)), "ELEMENT": STORAGE[str(packed.dtype)], "LOOPS": loops,
              "TO": linear(packing(task, types, scheduled), shape)}
    text = WRAPPER
    for name, value in fields.items():
        text = text.replace(f"@{name}@", value)
    return text, len(shape)


def by_trials(folder, trials, count):
    """For each number of trials, that many of the fastest schedules so far, as (seconds that TVM saw, record)."""
    lines = (folder / "database_tuning_record.json").read_text().splitlines()
    order = {min(json.loads(line)[1][1]): number for number, line in enumerate(lines)}  # the database is sorted by time
    records = meta_schedule.database.JSONDatabase(work_dir=str(folder)).get_all_tuning_records()
    timed = sorted(((min(map(float, record.run_secs)), record) for record in records), key=lambda pair: order[pair[0]])
    for last in sorted({min(number, len(timed)) for number in trials}):
        worked = [(seconds, record) for seconds, record in timed[:last] if seconds < 1e6]
        yield last, sorted(worked, key=lambda pair: pair[0])[:count]


def compile_schedule(task, types, record, stem, options):
    schedule = Schedule(record.workload.mod)
    record.trace.apply_to_schedule(schedule, remove_postproc=False)
    module = RemoveWeightLayoutRewriteBlock(skip_tensor_rewrite=True)(schedule.mod)
    text, rank = wrapper(task, types, schedule.mod, module["main"])
    source, compiled, library = (stem.with_name(f"{stem.name}.{ending}") for ending in ("c", "o", "so"))
    source.write_text(text)
    tvm.driver.build(module, target=metaschedule.make_target(options.cpu)).write_to_file(str(compiled))
    packages = pathlib.Path(tvm.__file__).parent
    folders = [packages / "lib", packages.parent / "tvm_ffi" / "lib"]
    subprocess.run([options.compiler, "-O2", "-fPIC", "-shared", str(source), str(compiled), "-o", str(library),
                    *(option for folder in folders for option in (f"-L{folder}", f"-Wl,-rpath,{folder}")),
                    "-ltvm_runtime", "-ltvm_ffi"], check=True)
    compiled.unlink()
    return library, rank


def compile_one(task, types, found, stem, options):
    trials, seconds, record = found
    library, rank = compile_schedule(task, types, record, stem, options)
    stem.with_name(f"{stem.name}.json").write_text(json.dumps(
        {"name": f"metaschedule-{trials}", "detail": f"measured {seconds:.9f}", "library": str(library.resolve()),
         "function": "f", "arguments": ["lhs", "packed", "result"], "pack": [rank], "returns": []}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", required=True, type=pathlib.Path, help="TVM's databases")
    parser.add_argument("--output", required=True, type=pathlib.Path, help="folder")
    parser.add_argument("--best", type=int, default=3, help="schedules of each task (3)")
    parser.add_argument("--trials", type=int, nargs="+", default=[64, 256], help="trials of the searches (64 256)")
    parser.add_argument("--compiler", default="clang-22", help="compiler of the wrapper; the kernel is TVM's")
    parser.add_argument("--cpu", default=tvm.target.codegen.llvm_get_system_cpu(), help="CPU, by LLVM's name")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    workloads.register_intrinsic()
    for name, task in names.tasks().items():
        for folder in options.work.glob(f"{name}.*"):
            types = folder.name.rpartition(".")[2]
            for trials, found in by_trials(folder, options.trials, options.best):
                for number, (seconds, record) in enumerate(found):
                    stem = options.output / f"{folder.name}.{trials}.{number}"
                    if not stem.with_name(f"{stem.name}.json").exists():
                        compile_one(task, types, (trials, seconds, record), stem, options)
            print(folder.name, flush=True)


if __name__ == "__main__":
    main()
