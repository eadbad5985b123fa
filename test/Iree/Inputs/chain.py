"""chain.py COUNT constants|arguments: prints a program of so many products in a row, each with a weight of its own."""
import sys

count, kind = int(sys.argv[1]), sys.argv[2]
TYPE = "tensor<16x16xf32>"


def constant(i):
    """A weight whose elements differ, and not much from those of the unit matrix."""
    rows = [[f"{(r == c) + ((r * 7 + c * 3 + i) % 5 - 2) * 0.01:.2f}" for c in range(16)] for r in range(16)]
    return f"dense<[{', '.join('[' + ', '.join(row) + ']' for row in rows)}]> : {TYPE}"


names = [f"%w{i}" for i in range(count)]
arguments = [f"{name}: {TYPE}" for name in names] if kind == "arguments" else []
print(f"func.func @main({', '.join(['%x: ' + TYPE] + arguments)}) -> {TYPE} {{")
print("  %zero = arith.constant 0.0 : f32")
print(f"  %empty = tensor.empty() : {TYPE}")
print(f"  %init = linalg.fill ins(%zero : f32) outs(%empty : {TYPE}) -> {TYPE}")
last = "%x"
for i, name in enumerate(names):
    if kind == "constants":
        print(f"  {name} = arith.constant {constant(i)}")
    print(f"  %y{i} = linalg.matmul ins({last}, {name} : {TYPE}, {TYPE}) outs(%init : {TYPE}) -> {TYPE}")
    last = f"%y{i}"
print(f"  return {last} : {TYPE}\n}}")
