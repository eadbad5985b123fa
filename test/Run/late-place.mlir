// Rows of a product belong into a tensor that is made later: until then they are a tensor of their own, whose rows follow each other.
// RUN: ucmoh-run %s --repeat=1 --json | FileCheck %s
// CHECK: "function":"late"{{.*}}matmul_f32f32f32_6x8x24x16{{.*}}"verified":true

func.func @late(%x: tensor<6x8x16xf32>, %weights: tensor<16x24xf32> {ucmoh.weight}, %y: tensor<8x10x24xf32>) -> tensor<8x10x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x8x24xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<6x8x24xf32>) -> tensor<6x8x24xf32>
  %product = linalg.generic {indexing_maps = [affine_map<(y, x, f, c) -> (y, x, c)>, affine_map<(y, x, f, c) -> (c, f)>, affine_map<(y, x, f, c) -> (y, x, f)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %weights : tensor<6x8x16xf32>, tensor<16x24xf32>) outs(%init : tensor<6x8x24xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<6x8x24xf32>
  %d = tensor.empty() : tensor<8x10x24xf32>
  %around = linalg.generic {indexing_maps = [affine_map<(y, x, f) -> (y, x, f)>, affine_map<(y, x, f) -> (y, x, f)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y : tensor<8x10x24xf32>) outs(%d : tensor<8x10x24xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<8x10x24xf32>
  %whole = tensor.insert_slice %product into %around[1, 1, 0] [6, 8, 24] [1, 1, 1] : tensor<6x8x24xf32> into tensor<8x10x24xf32>
  return %whole : tensor<8x10x24xf32>
}
