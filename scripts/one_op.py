#!/usr/bin/env python3
"""Prints docs/generated/one-op.md: one small product, followed through all its forms by the tools as they are built.

one_op.py BUILD LLVM: the build folder and the prefix of LLVM. The target, the machine and the choice are given, so that
the page does not depend on the computer that makes it.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

INPUT = """\
func.func @product(%a: tensor<4x64xf32>, %b: tensor<64x32xf32> {ucmoh.weight},
                   %c: tensor<4x32xf32>) -> tensor<4x32xf32> {
  %d = linalg.matmul ins(%a, %b : tensor<4x64xf32>, tensor<64x32xf32>)
    outs(%c : tensor<4x32xf32>) -> tensor<4x32xf32>
  return %d : tensor<4x32xf32>
}
"""
TARGET = "x86_avx512f@zen4"
TILE = "register_tile = [2, 32]"
BUFFERIZE = ("--one-shot-bufferize=bufferize-function-boundaries "
             "function-boundary-type-conversion=identity-layout-map")
TIDY = ["--canonicalize", "--cse"]


class Tools:
    """The tools, each as a function from text to text."""

    def __init__(self, build, llvm):
        self.build, self.llvm = pathlib.Path(build), pathlib.Path(llvm)

    def run(self, program, text, *arguments):
        done = subprocess.run([program, *arguments], input=text, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"one_op.py: {' '.join(map(str, [program, *arguments]))}:\n{done.stderr}")
        return done.stdout

    def opt(self, text, *arguments):
        return self.run(self.build / "bin/ucmoh-opt", text, *arguments)

    def candidates(self, text):
        lines = self.run(self.build / "bin/ucmoh-candidates", text, "-", f"--target={TARGET}", "--model=analytic",
                         "--features")
        return next(candidate for candidate in map(json.loads, lines.splitlines()) if TILE in candidate["choice"])

    def assembly(self, text):
        dialect = self.opt(text, f"--tensorize-with-cost-model=target={TARGET}", f"--ucmoh-to-llvm=target={TARGET}")
        module = self.run(self.llvm / "bin/mlir-translate", dialect, "--mlir-to-llvmir")
        return self.run(self.llvm / "bin/llc", module, "-O3", "-mcpu=znver4", "--fp-contract=fast", "-o", "-")


def region(text, begin):
    """The lines from the first one that has `begin` on to the one that closes its brace, without indentation."""
    lines = text.splitlines()
    first = next((i for i, line in enumerate(lines) if begin in line), None)
    if first is None:
        sys.exit(f"one_op.py: no '{begin}' in\n{text}")
    depth = 0
    for last in range(first, len(lines)):
        depth += lines[last].count("{") - lines[last].count("}")
        if depth <= 0:
            break
    return textwrap.dedent("\n".join(lines[first:last + 1]))


def tidy(ir):
    """IR for a narrow page: without attributes that only repeat what was shown, long lines broken."""
    ir = re.sub(r" \{(ucmoh\.loop|loop_annotation) = [^}]*\}", "", ir)
    ir = re.sub(r"#ucmoh\.choice<[^>]*>", "#ucmoh.choice<...>", ir)
    lines = []
    for line in ir.splitlines():
        indent = re.match(" *", line).group()
        lines += textwrap.wrap(line, 108, subsequent_indent=indent + "    ", break_long_words=False,
                               break_on_hyphens=False)
    return "\n".join(lines)


def hot_loop(assembly):
    """The basic block that multiplies and branches to itself."""
    for block in re.split(r"\n(?=\.\w+:)", assembly):
        label = block.split(":", 1)[0]
        body = [re.sub(r"\s*#.*", "", line) for line in block.splitlines()]
        if any("vfmadd" in line for line in body) and any(line.split()[-1:] == [label] for line in body if line):
            end = next(i for i, line in enumerate(body) if line.split()[-1:] == [label])
            return "\n".join(line.expandtabs(8) for line in body[:end + 1] if line.strip())
    sys.exit("one_op.py: no loop in the assembly")


def features(rows):
    """The non-zero features of the statement that computes."""
    row = next(row for row in rows if row.get("isCompute"))
    listed = ", ".join(f"{name} {value:g}" for name, value in row.items() if value)
    return "\n".join(textwrap.wrap(listed, 108, break_long_words=False))


def block(language, text):
    return f"```{language}\n{text.rstrip()}\n```\n"


def main():
    tools = Tools(*sys.argv[1:3])
    candidate = tools.candidates(INPUT)
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as choices:
        print(json.dumps({key: candidate[key] for key in ("workload", "workload_hash", "choice")}), file=choices,
              flush=True)
        selected = tools.opt(INPUT, f"--ucmoh-select=target={TARGET} choices={choices.name}")
    tiled = tools.opt(selected, f"--ucmoh-tile=target={TARGET}", *TIDY)
    tensorized = tools.opt(tiled, f"--ucmoh-tensorize=target={TARGET}", *TIDY)
    lowered = tools.opt(tensorized, BUFFERIZE, "--ucmoh-inline-kernels", f"--ucmoh-lower=target={TARGET}", *TIDY)
    choice = re.search(r"#ucmoh\.choice<[^>]*>", selected).group()
    print("<!-- Generated by scripts/one_op.py; don't edit. -->\n")
    print("# One op, followed through all its forms\n")
    print(f"The tools wrote this page. The target is `{TARGET}`, and the choice is pinned: tiles of two rows.\n")
    print("## 1. The op\n\nThe input is upstream MLIR.\n")
    print(block("mlir", INPUT))
    print("## 2. The features\n\n`ucmoh-candidates --features` prints what a model sees. These are the features of the "
          "statement that computes,\nwithout those that are zero.\n")
    print(block("text", features(candidate["features"])))
    print("## 3. The choice\n\n`--ucmoh-select` attaches it to the op.\n")
    print(block("mlir", "linalg.matmul {ucmoh.choice =\n" +
                textwrap.fill(choice, 104, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False) +
                "\n} ins(...) outs(...)"))
    print("## 4. The tile\n\n`--ucmoh-tile` makes the loops outside of the register tile. The rhs is packed by a kernel "
          "of its own, which is not\nshown.\n")
    print(block("mlir", tidy(region(tiled, 'ucmoh.kernel "contract"'))))
    print("## 5. Loads, computes and stores\n\n`--ucmoh-tensorize` expands the tile: the loop over the reduction, two "
          "fragments of the rhs, one fragment of the\nlhs for each row, and four executions of the intrinsic.\n")
    print(block("mlir", tidy(region(region(tensorized, 'ucmoh.kernel "contract"'), ":4 = scf.for"))))
    print("## 6. The target's bodies\n\n`--ucmoh-lower` puts the bodies of the target's file in place of these ops.\n")
    print(block("mlir", tidy(region(lowered, ":4 = scf.for"))))
    print("## 7. The instructions\n\n`--ucmoh-to-llvm` and LLVM finish the work. This is the loop over the reduction.\n")
    print(block("asm", hot_loop(tools.assembly(selected))), end="")


if __name__ == "__main__":
    main()
