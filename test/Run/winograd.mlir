// Convolutions with fewer products: even and odd extents, a bias, a residual, blocks of rows of which the last begins earlier.
// RUN: ucmoh-run %s --repeat=1 --tolerance=1e-5 --json | FileCheck %s
// RUN: ucmoh-run %s --repeat=1 --tolerance=1e-5 --json --threads=2 | FileCheck %s
// CHECK: "function":"odd"{{.*}}/prepacked{{.*}}b16_24x24x20{{.*}}"verified":true
// CHECK: "function":"blocks"{{.*}}/prepacked{{.*}}b16_10x8x12{{.*}}"verified":true
// CHECK: "function":"nothing_behind"{{.*}}/prepacked{{.*}}b16_4x8x16{{.*}}"verified":true
// CHECK: "function":"bytes"{{.*}}s16s16s32_b16_12x24x20{{.*}}"verified":true

func.func @odd(%image: tensor<2x9x7x20xf32>, %weights: tensor<24x20x3x3xf32> {ucmoh.weight}, %bias: tensor<24xf32> {ucmoh.weight}, %residual: tensor<2x7x5x24xf32>) -> tensor<2x7x5x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x7x5x24xf32>
  %init = linalg.generic {indexing_maps = [affine_map<(n, y, x, f) -> (f)>, affine_map<(n, y, x, f) -> (n, y, x, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%bias : tensor<24xf32>) outs(%e : tensor<2x7x5x24xf32>) {
  ^bb0(%b: f32, %o: f32):
    linalg.yield %b : f32
  } -> tensor<2x7x5x24xf32>
  %conv = linalg.generic {indexing_maps = [affine_map<(n, y, x, f, c, i, j) -> (n, y + i, x + j, c)>, affine_map<(n, y, x, f, c, i, j) -> (f, c, i, j)>, affine_map<(n, y, x, f, c, i, j) -> (n, y, x, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%image, %weights : tensor<2x9x7x20xf32>, tensor<24x20x3x3xf32>) outs(%init : tensor<2x7x5x24xf32>) attrs = {ucmoh.winograd = 4 : i64} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x7x5x24xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n, y, x, f) -> (n, y, x, f)>, affine_map<(n, y, x, f) -> (n, y, x, f)>, affine_map<(n, y, x, f) -> (n, y, x, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%conv, %residual : tensor<2x7x5x24xf32>, tensor<2x7x5x24xf32>) outs(%e : tensor<2x7x5x24xf32>) {
  ^bb0(%a: f32, %r: f32, %o: f32):
    %s = arith.addf %a, %r : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<2x7x5x24xf32>
  return %sum : tensor<2x7x5x24xf32>
}

func.func @blocks(%image: tensor<1x12x12x12xf32>, %weights: tensor<8x12x3x3xf32> {ucmoh.weight}, %start: tensor<1x10x10x8xf32>, %scales: tensor<10x8xf32>) -> tensor<1x10x10x8xf32> {
  %e = tensor.empty() : tensor<1x10x10x8xf32>
  %conv = linalg.generic {indexing_maps = [affine_map<(n, y, x, f, c, i, j) -> (n, y + i, x + j, c)>, affine_map<(n, y, x, f, c, i, j) -> (f, c, i, j)>, affine_map<(n, y, x, f, c, i, j) -> (n, y, x, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%image, %weights : tensor<1x12x12x12xf32>, tensor<8x12x3x3xf32>) outs(%start : tensor<1x10x10x8xf32>) attrs = {ucmoh.winograd = 2 : i64} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x10x10x8xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(n, y, x, f) -> (n, y, x, f)>, affine_map<(n, y, x, f) -> (y, f)>, affine_map<(n, y, x, f) -> (n, y, x, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%conv, %scales : tensor<1x10x10x8xf32>, tensor<10x8xf32>) outs(%e : tensor<1x10x10x8xf32>) {
  ^bb0(%a: f32, %r: f32, %o: f32):
    %s = arith.mulf %a, %r : f32
    linalg.yield %s : f32
  } -> tensor<1x10x10x8xf32>
  return %scaled : tensor<1x10x10x8xf32>
}

func.func @nothing_behind(%image: tensor<1x6x6x16xf32>, %weights: tensor<8x16x3x3xf32> {ucmoh.weight}) -> tensor<1x4x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %conv = linalg.generic {indexing_maps = [affine_map<(n, y, x, f, c, i, j) -> (n, y + i, x + j, c)>, affine_map<(n, y, x, f, c, i, j) -> (f, c, i, j)>, affine_map<(n, y, x, f, c, i, j) -> (n, y, x, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%image, %weights : tensor<1x6x6x16xf32>, tensor<8x16x3x3xf32>) outs(%init : tensor<1x4x4x8xf32>) attrs = {ucmoh.winograd = 2 : i64} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x4x4x8xf32>
  return %conv : tensor<1x4x4x8xf32>
}

// Exact: the plain loops that judge compute the convolution as it is written, and integers have no tolerance.
func.func @bytes(%image: tensor<2x9x7x20xi8>, %weights: tensor<24x20x3x3xi8> {ucmoh.weight}, %bias: tensor<24xi32> {ucmoh.weight}) -> tensor<2x7x5x24xi32> {
  %zero = arith.constant 3 : i32
  %e = tensor.empty() : tensor<2x7x5x24xi32>
  %init = linalg.generic {indexing_maps = [affine_map<(n, y, x, f) -> (f)>, affine_map<(n, y, x, f) -> (n, y, x, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%bias : tensor<24xi32>) outs(%e : tensor<2x7x5x24xi32>) {
  ^bb0(%b: i32, %o: i32):
    linalg.yield %b : i32
  } -> tensor<2x7x5x24xi32>
  %conv = linalg.generic {indexing_maps = [affine_map<(n, y, x, f, c, i, j) -> (n, y + i, x + j, c)>, affine_map<(n, y, x, f, c, i, j) -> (f, c, i, j)>, affine_map<(n, y, x, f, c, i, j) -> (n, y, x, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%image, %weights : tensor<2x9x7x20xi8>, tensor<24x20x3x3xi8>) outs(%init : tensor<2x7x5x24xi32>) attrs = {ucmoh.winograd = 2 : i64} {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %x = arith.extui %a : i8 to i32
    %z = arith.subi %x, %zero : i32
    %y = arith.extsi %b : i8 to i32
    %m = arith.muli %z, %y : i32
    %s = arith.addi %o, %m : i32
    linalg.yield %s : i32
  } -> tensor<2x7x5x24xi32>
  return %conv : tensor<2x7x5x24xi32>
}
