#!/usr/bin/env python3
"""Fits the estimate of a device thread's registers (lib/Analysis/ThreadRegisters.cpp) to what the
device's assembler says, and prints how far it is off and which spills it foresees.

  python3 benchmarks/registers.py --ucmoh build/bin --output registers.jsonl

Draws candidates of three products for each target, and as many with larger register tiles than are
enumerated; compiles each and reads the remarks of --ucmoh-to-llvm. No GPU is needed, but ptxas.
Lines of the output: {"choice", "registers", "spill_bytes", "fragments", "chunks",
"asynchronous_chunks", "available"}; chunks are copies of one thread, up to 8 of each operand.
"""
import argparse
import json
import random
import re
import subprocess

import numpy

#: target -> element types of the operands and of the result
TARGETS = {
    "nvidia_sm80": [("f16", "f32"), ("i8", "i32")],
    "nvidia_sm80_tf32": [("f32", "f32")],
    "nvidia_sm80_wmma": [("f16", "f32")],
    "nvidia_sm89_fp8": [("f8E4M3FN", "f32")],
    "nvidia_sm90a": [("f16", "f32")],
}
#: m, n, k, whether rhs is a weight
PRODUCTS = [(256, 256, 512, True), (251, 253, 509, True), (250, 250, 500, False)]
WIDER_TILES = [(64, 72), (64, 80), (64, 88), (64, 96), (48, 96), (32, 128), (96, 48), (128, 32),
               (80, 64), (96, 64)]
MOST_CHUNKS = 8
FUNCTION = """func.func @f{number}(%a: {lhs}, %b: {rhs}{weight}, %c: {acc}) -> {acc} {{
  %0 = linalg.matmul{choice} ins(%a, %b : {lhs}, {rhs}) outs(%c : {acc}) -> {acc}
  return %0 : {acc}
}}
"""
FUNCTION_LINES = FUNCTION.count("\n")


def function(product, types, choice=None, number=0):
    m, n, k, is_weight = product
    operand, result = types
    return FUNCTION.format(
        number=number, lhs=f"tensor<{m}x{k}x{operand}>", rhs=f"tensor<{k}x{n}x{operand}>",
        acc=f"tensor<{m}x{n}x{result}>", weight=" {ucmoh.weight}" if is_weight else "",
        choice=f" {{ucmoh.choice = {choice}}}" if choice else "")


def candidates(tools, target, text):
    run = subprocess.run([f"{tools}/ucmoh-candidates", "-", f"--target={target}", "--features",
                          "--model=analytic"], input=text, capture_output=True, text=True,
                         check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def widened(entry, rng):
    """The same candidate with another register tile, or nothing where its fragments do not divide
    it."""
    grid = entry["features"][-1]
    rows, columns = rng.choice(WIDER_TILES)
    if rows % grid["intrinsicM"] or columns % grid["intrinsicN"]:
        return None
    warps = rng.choice([(1, 1), (1, 2), (2, 1), (2, 2), (2, 4)])
    k = int(max(grid["intrinsicK"], 512 // grid["lhsBits"]))
    tiles = (f"register_tile = [{rows}, {columns}], "
             f"cache_tile = [{rows * warps[0]}, {columns * warps[1]}, {k}]")
    choice = re.sub(r"register_tile = \[.*?\], cache_tile = \[.*?\]", tiles, entry["choice"])
    depth = f"pipeline_depth = {rng.choice([1, 2])}"
    return entry | {"choice": re.sub(r"pipeline_depth = \d", depth, choice)}


def assembled(tools, target, functions):
    """Registers and spilled bytes by the number of a function; illegal ones are rejected."""
    run = subprocess.run(
        [f"{tools}/ucmoh-opt", "-", f"--tensorize-with-cost-model=target={target}",
         f"--ucmoh-to-llvm=target={target}", "--remarks-filter=ucmoh",
         "--remark-format=emitRemark", "--mlir-disable-threading", "-o", "/dev/null"],
        input="".join(functions), capture_output=True, text=True, check=False)
    illegal = {(int(line) - 1) // FUNCTION_LINES
               for line in re.findall(r"<stdin>:(\d+):\d+: error", run.stderr)}
    if illegal:
        left = [f for i, f in enumerate(functions) if i not in illegal]
        return assembled(tools, target, left) if left else {}
    found = re.findall(r"f(\d+)_kernel: (\d+) registers a thread, (\d+) bytes spilled", run.stderr)
    return {int(number): (int(registers), int(spilled)) for number, registers, spilled in found}


def needs(entry):
    """Returns the numbers that the estimate is made of."""
    def numbers(name):
        found = re.search(name + r" = \[([\d, ]+)\]", entry["choice"])
        return [int(x) for x in found[1].split(",")]
    (rows, columns), (m, n, k) = numbers("register_tile"), numbers("cache_tile")
    grid = entry["features"][-1]
    subgroup, fragment = grid["subgroupSize"], [grid["intrinsic" + axis] for axis in "MNK"]
    threads = m // rows * (n // columns) * subgroup

    def registers(elements, bits):
        return max(1, -(-elements * bits // (32 * subgroup)))
    down, right = rows // fragment[0], columns // fragment[1]
    result = {"fragments": down * right * registers(fragment[0] * fragment[1], grid["accBits"]) +
                           right * registers(fragment[1] * fragment[2], grid["rhsBits"]) +
                           registers(fragment[0] * fragment[2], grid["lhsBits"]),
              "chunks": 0, "asynchronous_chunks": 0,
              "available": min(255, grid["coreRegisters"] / threads)}
    for row in entry["features"]:
        if row.get("isPackLhs") or row.get("isPackRhs"):
            elements = (m if row.get("isPackLhs") else n) * k
            kind = "asynchronous_chunks" if row.get("isAsynchronous") else "chunks"
            result[kind] += min(elements / row["runElements"] / threads, MOST_CHUNKS)
    return result


def measure(arguments, rng):
    for target, all_types in TARGETS.items():
        for types in all_types:
            for product in PRODUCTS:
                legal = candidates(arguments.ucmoh, target, function(product, types))
                if not legal:
                    continue
                drawn = rng.sample(legal, min(arguments.samples, len(legal)))
                wide = [widened(rng.choice(legal), rng) for _ in range(arguments.samples)]
                drawn += [entry for entry in wide if entry]
                texts = [function(product, types, entry["choice"], number)
                         for number, entry in enumerate(drawn)]
                for number, (registers, spilled) in assembled(arguments.ucmoh, target,
                                                              texts).items():
                    yield {"choice": drawn[number]["choice"], "registers": registers,
                           "spill_bytes": spilled} | needs(drawn[number])


def fit(rows):
    """By least squares; a kernel that spills needs at least what there is."""
    terms = numpy.array([[r["fragments"], r["chunks"], r["asynchronous_chunks"], 1] for r in rows])
    used = numpy.array([float(r["registers"]) for r in rows])
    spills = numpy.array([r["spill_bytes"] > 0 for r in rows])
    available = numpy.array([r["available"] for r in rows])
    weights = numpy.linalg.lstsq(terms[~spills], used[~spills], rcond=None)[0]
    for _ in range(30):
        needed = terms @ weights
        weights = numpy.linalg.lstsq(
            terms, numpy.where(spills, numpy.maximum(needed, available), used), rcond=None)[0]
    needed = terms @ weights
    print("registers = {:.2f} x fragments + {:.2f} x chunks + {:.2f} x asynchronous chunks + {:.1f}"
          .format(*weights))
    error = numpy.abs(numpy.minimum(needed, available) - used)
    print(f"{len(rows)} kernels; off by {numpy.median(error):.0f} in the median, "
          f"{numpy.quantile(error, .9):.0f} at most in 90 of 100")
    foreseen = needed > available
    print(f"{spills.sum()} spill, of which {(spills & foreseen).sum()} are foreseen; "
          f"{(foreseen & ~spills).sum()} others are, too")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ucmoh", default="build/bin", help="folder of the tools")
    parser.add_argument("--samples", type=int, default=10,
                        help="per product, types and target, of enumerated and of wider tiles each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", required=True, help="JSON lines, one per kernel")
    arguments = parser.parse_args()
    rows = []
    with open(arguments.output, "w", encoding="utf-8") as output:
        for row in measure(arguments, random.Random(arguments.seed)):
            rows.append(row)
            print(json.dumps(row), file=output, flush=True)
    fit(rows)


if __name__ == "__main__":
    main()
