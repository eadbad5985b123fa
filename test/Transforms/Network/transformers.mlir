// An RMS norm row by row, rotary embeddings, and an image that is enlarged: no loop stays scalar.
// RUN: ucmoh-opt %s --ucmoh-approximate-math --ucmoh-group-rest --ucmoh-fuse-rest | FileCheck %s
// RUN: %vectorized %s | FileCheck %s --check-prefix=VECTORS --implicit-check-not="not vectorized"
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 | FileCheck %s --check-prefix=EXECUTED

// CHECK-LABEL: func.func @rms_norm(
// CHECK: scf.for %{{.*}} step %c2
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: {ucmoh.rows}

// Both halves of a rotary embedding are one loop.
// VECTORS-COUNT-4: vectorized loop
// VECTORS-NOT: vectorized loop

// EXECUTED-COUNT-3: verified

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#token = affine_map<(h, t, d) -> (h, t, d)>
#angle = affine_map<(h, t, d) -> (t, d)>

func.func @rms_norm(%x: tensor<64x512xf32>, %weight: tensor<512xf32>) -> tensor<64x512xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 512.0 : f32
  %epsilon = arith.constant 1.0e-6 : f32
  %empty = tensor.empty() : tensor<64x512xf32>
  %row = tensor.empty() : tensor<64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<64xf32>) -> tensor<64xf32>
  %squares = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x512xf32>) outs(%zeros : tensor<64xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %0 = arith.mulf %in, %in : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  %scales = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%squares : tensor<64xf32>) outs(%row : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.divf %in, %count : f32
    %1 = arith.addf %0, %epsilon : f32
    %2 = math.rsqrt %1 : f32
    linalg.yield %2 : f32
  } -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#all, #row, #column, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %scales, %weight : tensor<64x512xf32>, tensor<64xf32>, tensor<512xf32>) outs(%empty : tensor<64x512xf32>) {
  ^bb0(%in: f32, %scale: f32, %w: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    %1 = arith.mulf %0, %w : f32
    linalg.yield %1 : f32
  } -> tensor<64x512xf32>
  return %y : tensor<64x512xf32>
}

func.func @rotary(%x: tensor<4x32x64xf32>, %cosines: tensor<32x64xf32>, %sines: tensor<32x64xf32>) -> tensor<4x32x64xf32> {
  %empty = tensor.empty() : tensor<4x32x64xf32>
  %half = tensor.empty() : tensor<4x32x32xf32>
  %first = tensor.extract_slice %x[0, 0, 0] [4, 32, 32] [1, 1, 1] : tensor<4x32x64xf32> to tensor<4x32x32xf32>
  %second = tensor.extract_slice %x[0, 0, 32] [4, 32, 32] [1, 1, 1] : tensor<4x32x64xf32> to tensor<4x32x32xf32>
  %negated = linalg.negf ins(%second : tensor<4x32x32xf32>) outs(%half : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
  %turned = tensor.concat dim(2) %negated, %first : (tensor<4x32x32xf32>, tensor<4x32x32xf32>) -> tensor<4x32x64xf32>
  %y = linalg.generic {indexing_maps = [#token, #token, #angle, #angle, #token], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %turned, %cosines, %sines : tensor<4x32x64xf32>, tensor<4x32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>) outs(%empty : tensor<4x32x64xf32>) {
  ^bb0(%in: f32, %t: f32, %c: f32, %s: f32, %out: f32):
    %0 = arith.mulf %in, %c : f32
    %1 = arith.mulf %t, %s : f32
    %2 = arith.addf %0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x32x64xf32>
  return %y : tensor<4x32x64xf32>
}

func.func @resize(%x: tensor<1x8x8x64xf32>) -> tensor<1x16x16x64xf32> {
  %empty = tensor.empty() : tensor<1x16x16x64xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h floordiv 2, w floordiv 2, c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x8x8x64xf32>) outs(%empty : tensor<1x16x16x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x16x16x64xf32>
  return %y : tensor<1x16x16x64xf32>
}
