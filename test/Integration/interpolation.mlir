// RUN: ucmoh-run %s --repeat=1 | FileCheck %s

#map = affine_map<(c, h, w) -> (c, h, w)>

// By the same arithmetic, row by row of the image.
// CHECK-LABEL: @bilinear on
// CHECK: verified (max abs error 0)
func.func @bilinear(%image: tensor<3x4x40xf32>) -> tensor<3x8x80xf32> {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %bottom = arith.constant 3 : index
  %right = arith.constant 39 : index
  %half = arith.constant 0.25 : f32
  %rest = arith.constant 0.75 : f32
  %e = tensor.empty() : tensor<3x8x80xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<3x8x80xf32>) {
  ^bb0(%out: f32):
    %c = linalg.index 0 : index
    %h = linalg.index 1 : index
    %w = linalg.index 2 : index
    %top = arith.divui %h, %two : index
    %below = arith.addi %top, %one : index
    %low = arith.minui %below, %bottom : index
    %left = arith.divui %w, %two : index
    %beside = arith.addi %left, %one : index
    %far = arith.minui %beside, %right : index
    %a = tensor.extract %image[%c, %top, %left] : tensor<3x4x40xf32>
    %b = tensor.extract %image[%c, %top, %far] : tensor<3x4x40xf32>
    %x = tensor.extract %image[%c, %low, %left] : tensor<3x4x40xf32>
    %y = tensor.extract %image[%c, %low, %far] : tensor<3x4x40xf32>
    %ar = arith.mulf %a, %rest : f32
    %bh = arith.mulf %b, %half : f32
    %first = arith.addf %ar, %bh : f32
    %xr = arith.mulf %x, %rest : f32
    %yh = arith.mulf %y, %half : f32
    %second = arith.addf %xr, %yh : f32
    %number = arith.index_cast %h : index to i32
    %weight = arith.sitofp %number : i32 to f32
    %f = arith.mulf %first, %weight : f32
    %s = arith.mulf %second, %weight : f32
    %sum = arith.addf %f, %s : f32
    linalg.yield %sum : f32
  } -> tensor<3x8x80xf32>
  return %r : tensor<3x8x80xf32>
}
