"""Prints a function of so many ops, one behind the other: `chain` of elementwise ops, or `products`."""

import sys

ELEMENTWISE = """\
  %v{next} = linalg.generic {{indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}}
    ins(%v{i} : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {{
  ^bb0(%x: f32, %o: f32):
    %k = arith.constant {i}.0 : f32
    %c = arith.{kind} %x, %k : f32
    linalg.yield %c : f32
  }} -> tensor<8x64xf32>"""
PRODUCT = """\
  %v{next} = linalg.matmul ins(%v{i}, %w : tensor<8x64xf32>, tensor<64x64xf32>) outs(%f : tensor<8x64xf32>)
    -> tensor<8x64xf32>"""

kind, count = sys.argv[1], int(sys.argv[2])
op = ELEMENTWISE if kind == "chain" else PRODUCT
print("#map = affine_map<(d0, d1) -> (d0, d1)>")
print("func.func @main(%v0: tensor<8x64xf32>, %w: tensor<64x64xf32> {ucmoh.weight}) -> tensor<8x64xf32> {")
print("  %z = arith.constant 0.0 : f32")
print("  %e = tensor.empty() : tensor<8x64xf32>")
print("  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>")
for i in range(count):
    print(op.format(i=i, next=i + 1, kind="addf" if i % 2 else "subf"))
print(f"  return %v{count} : tensor<8x64xf32>")
print("}")
