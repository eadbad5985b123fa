// Ops that stand for several loops: as upstream decomposes them, and whole beside a contraction.
// RUN: ucmoh-opt %s --ucmoh-decompose | FileCheck %s --implicit-check-not=linalg.softmax --implicit-check-not=linalg.pack --implicit-check-not=linalg.unpack
// RUN: ucmoh-run %s | FileCheck %s --check-prefix=WHOLE

// CHECK: linalg.mmt4d
// WHOLE: {{, verified}}

func.func @main(%a: tensor<30x32xf32>, %b: tensor<8x32x4x1xf32>) -> tensor<30x32xf32> {
  %zero = arith.constant 0.0 : f32
  %panels = tensor.empty() : tensor<4x32x8x1xf32>
  %tiles = tensor.empty() : tensor<4x8x8x4xf32>
  %rows = tensor.empty() : tensor<30x32xf32>
  %packed = linalg.pack %a padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 1] into %panels : tensor<30x32xf32> -> tensor<4x32x8x1xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%tiles : tensor<4x8x8x4xf32>) -> tensor<4x8x8x4xf32>
  %product = linalg.mmt4d ins(%packed, %b : tensor<4x32x8x1xf32>, tensor<8x32x4x1xf32>) outs(%zeros : tensor<4x8x8x4xf32>) -> tensor<4x8x8x4xf32>
  %plain = linalg.unpack %product inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %rows : tensor<4x8x8x4xf32> -> tensor<30x32xf32>
  %shares = linalg.softmax dimension(1) ins(%plain : tensor<30x32xf32>) outs(%rows : tensor<30x32xf32>) -> tensor<30x32xf32>
  return %shares : tensor<30x32xf32>
}
