"""columns.py ROWS: prints a product with 17 constant columns, of which packed panels are half as large again at least."""
import struct
import sys

rows = int(sys.argv[1])
columns = b"".join(struct.pack("<f", (i * 7 % 5 - 2) / 8) for i in range(rows * 17)).hex().upper()
a, b, c = f"tensor<40x{rows}xf32>", f"tensor<{rows}x17xf32>", "tensor<40x17xf32>"
print(f"""func.func @main(%x: {a}) -> {c} {{
  %w = arith.constant dense<"0x{columns}"> : {b}
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : {c}
  %init = linalg.fill ins(%zero : f32) outs(%empty : {c}) -> {c}
  %y = linalg.matmul ins(%x, %w : {a}, {b}) outs(%init : {c}) -> {c}
  return %y : {c}
}}""")
