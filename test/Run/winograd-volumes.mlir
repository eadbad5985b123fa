// Convolutions with fewer products whose channels have groups, and those of volumes: odd extents, blocks of rows of which
// the last begins earlier, windows of one slice, several images, and the op behind groups that are joined.
// RUN: ucmoh-run %s --repeat=1 --tolerance=1e-5 --json | FileCheck %s
// RUN: ucmoh-run %s --repeat=1 --tolerance=1e-5 --json --threads=2 | FileCheck %s
// CHECK: "function":"groups"{{.*}}/prepacked{{.*}}b16x3_24x20x12{{.*}}"verified":true
// CHECK: "function":"volume"{{.*}}/prepacked{{.*}}b16_2x5x12x16x3x12{{.*}}"verified":true
// CHECK: "function":"blocks"{{.*}}/prepacked{{.*}}b16_1x5x6x16x2x8{{.*}}"verified":true
// CHECK: "function":"one_slice"{{.*}}/prepacked{{.*}}b16_72x16x1x8{{.*}}"verified":true
// CHECK: "function":"bytes"{{.*}}s16s16s32_b16x2_12x16x8{{.*}}"verified":true

func.func @groups(%image: tensor<2x9x8x3x12xf32>, %weights: tensor<3x20x3x3x12xf32> {ucmoh.weight}, %init: tensor<2x7x6x3x20xf32>) -> tensor<2x7x6x3x20xf32> {
  %conv = linalg.conv_2d_nhwgc_gfhwc {strides = dense<1> : tensor<2xi64>, ucmoh.winograd = 4 : i64} ins(%image, %weights : tensor<2x9x8x3x12xf32>, tensor<3x20x3x3x12xf32>) outs(%init : tensor<2x7x6x3x20xf32>) -> tensor<2x7x6x3x20xf32>
  return %conv : tensor<2x7x6x3x20xf32>
}

func.func @volume(%image: tensor<2x7x9x8x12xf32>, %weights: tensor<3x3x3x12x16xf32> {ucmoh.weight}, %init: tensor<2x5x7x6x16xf32>) -> tensor<2x5x7x6x16xf32> {
  %conv = linalg.conv_3d_ndhwc_dhwcf {strides = dense<1> : tensor<3xi64>, ucmoh.winograd = 4 : i64} ins(%image, %weights : tensor<2x7x9x8x12xf32>, tensor<3x3x3x12x16xf32>) outs(%init : tensor<2x5x7x6x16xf32>) -> tensor<2x5x7x6x16xf32>
  return %conv : tensor<2x5x7x6x16xf32>
}

func.func @blocks(%image: tensor<1x6x12x8x8xf32>, %weights: tensor<2x3x3x8x16xf32> {ucmoh.weight}, %bias: tensor<16xf32> {ucmoh.weight}, %init: tensor<1x5x10x6x16xf32>) -> tensor<1x5x10x6x16xf32> {
  %conv = linalg.conv_3d_ndhwc_dhwcf {strides = dense<1> : tensor<3xi64>, ucmoh.winograd = 2 : i64} ins(%image, %weights : tensor<1x6x12x8x8xf32>, tensor<2x3x3x8x16xf32>) outs(%init : tensor<1x5x10x6x16xf32>) -> tensor<1x5x10x6x16xf32>
  %e = tensor.empty() : tensor<1x5x10x6x16xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n, z, y, x, f) -> (n, z, y, x, f)>, affine_map<(n, z, y, x, f) -> (f)>, affine_map<(n, z, y, x, f) -> (n, z, y, x, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%conv, %bias : tensor<1x5x10x6x16xf32>, tensor<16xf32>) outs(%e : tensor<1x5x10x6x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x5x10x6x16xf32>
  return %sum : tensor<1x5x10x6x16xf32>
}

func.func @one_slice(%image: tensor<1x6x10x8x8xf32>, %weights: tensor<1x3x3x8x16xf32> {ucmoh.weight}, %init: tensor<1x6x8x6x16xf32>) -> tensor<1x6x8x6x16xf32> {
  %conv = linalg.conv_3d_ndhwc_dhwcf {strides = dense<1> : tensor<3xi64>, ucmoh.winograd = 4 : i64} ins(%image, %weights : tensor<1x6x10x8x8xf32>, tensor<1x3x3x8x16xf32>) outs(%init : tensor<1x6x8x6x16xf32>) -> tensor<1x6x8x6x16xf32>
  return %conv : tensor<1x6x8x6x16xf32>
}

func.func @bytes(%pixels: tensor<1x9x8x16xi8>, %weights: tensor<2x16x3x3x8xi8> {ucmoh.weight}, %scale: tensor<32xf32> {ucmoh.weight}) -> tensor<1x7x6x32xf32> {
  %zero = arith.constant 0 : i32
  %image = tensor.expand_shape %pixels [[0], [1], [2], [3, 4]] output_shape [1, 9, 8, 2, 8] : tensor<1x9x8x16xi8> into tensor<1x9x8x2x8xi8>
  %e = tensor.empty() : tensor<1x7x6x2x16xi32>
  %init = linalg.fill ins(%zero : i32) outs(%e : tensor<1x7x6x2x16xi32>) -> tensor<1x7x6x2x16xi32>
  %conv = linalg.conv_2d_nhwgc_gfhwc {strides = dense<1> : tensor<2xi64>, ucmoh.winograd = 4 : i64} ins(%image, %weights : tensor<1x9x8x2x8xi8>, tensor<2x16x3x3x8xi8>) outs(%init : tensor<1x7x6x2x16xi32>) -> tensor<1x7x6x2x16xi32>
  %joined = tensor.collapse_shape %conv [[0], [1], [2], [3, 4]] : tensor<1x7x6x2x16xi32> into tensor<1x7x6x32xi32>
  %d = tensor.empty() : tensor<1x7x6x32xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(n, y, x, f) -> (n, y, x, f)>, affine_map<(n, y, x, f) -> (f)>, affine_map<(n, y, x, f) -> (n, y, x, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%joined, %scale : tensor<1x7x6x32xi32>, tensor<32xf32>) outs(%d : tensor<1x7x6x32xf32>) {
  ^bb0(%a: i32, %s: f32, %o: f32):
    %x = arith.sitofp %a : i32 to f32
    %m = arith.mulf %x, %s : f32
    linalg.yield %m : f32
  } -> tensor<1x7x6x32xf32>
  return %scaled : tensor<1x7x6x32xf32>
}
