// Planes of colors become pixels: one iteration computes all colors of a pixel, whose stores are neighbours.
// RUN: ucmoh-opt %s --pass-pipeline="builtin.module(one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map},ucmoh-vectorize-rest{target=x86_avx2_fma},canonicalize,cse)" \
// RUN:   | FileCheck %s
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 | FileCheck %s --check-prefix=EXECUTED

// EXECUTED-COUNT-5: verified

#planes = affine_map<(n, h, w, c) -> (n, c, h, w)>
#pixels = affine_map<(n, h, w, c) -> (n, h, w, c)>

// CHECK-LABEL: func.func @quantize
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
// CHECK-COUNT-3: math.roundeven
// CHECK-NOT: math.roundeven
// CHECK: loop_annotation
func.func @quantize(%x: tensor<1x3x16x20xf32>) -> tensor<1x16x20x3xi8> {
  %scale = arith.constant 20.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<1x16x20x3xi8>
  %y = linalg.generic {indexing_maps = [#planes, #pixels], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x3x16x20xf32>) outs(%e : tensor<1x16x20x3xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %scale : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %least : f32
    %3 = arith.minimumf %2, %most : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<1x16x20x3xi8>
  return %y : tensor<1x16x20x3xi8>
}

// A constant of each color, such as a mean, is read as well.
// CHECK-LABEL: func.func @normalize
// CHECK-COUNT-4: arith.subf
// CHECK-NOT: arith.subf
func.func @normalize(%x: tensor<1x4x16x20xf32>, %mean: tensor<4xf32>) -> tensor<1x16x20x4xf32> {
  %e = tensor.empty() : tensor<1x16x20x4xf32>
  %y = linalg.generic {indexing_maps = [#planes, affine_map<(n, h, w, c) -> (c)>, #pixels], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %mean : tensor<1x4x16x20xf32>, tensor<4xf32>) outs(%e : tensor<1x16x20x4xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %0 = arith.subf %in, %m : f32
    linalg.yield %0 : f32
  } -> tensor<1x16x20x4xf32>
  return %y : tensor<1x16x20x4xf32>
}

// What only moves does so, too.
// CHECK-LABEL: func.func @move
// CHECK-COUNT-3: scf.for
// CHECK-NOT: scf.for
// CHECK-COUNT-2: memref.store
// CHECK-NOT: memref.store
func.func @move(%x: tensor<2x2x16x20xf32>) -> tensor<2x16x20x2xf32> {
  %e = tensor.empty() : tensor<2x16x20x2xf32>
  %y = linalg.transpose ins(%x : tensor<2x2x16x20xf32>) outs(%e : tensor<2x16x20x2xf32>) permutation = [0, 2, 3, 1]
  return %y : tensor<2x16x20x2xf32>
}

// Rows shorter than a vector stay loops over planes.
// CHECK-LABEL: func.func @short
// CHECK-COUNT-3: scf.for
// CHECK: return
func.func @short(%x: tensor<1x3x16x5xf32>) -> tensor<1x16x5x3xf32> {
  %e = tensor.empty() : tensor<1x16x5x3xf32>
  %y = linalg.transpose ins(%x : tensor<1x3x16x5xf32>) outs(%e : tensor<1x16x5x3xf32>) permutation = [0, 2, 3, 1]
  return %y : tensor<1x16x5x3xf32>
}

// Pixels of many planes are no rows of a few neighbours.
// CHECK-LABEL: func.func @many
// CHECK-COUNT-3: scf.for
// CHECK: return
func.func @many(%x: tensor<1x9x16x20xf32>) -> tensor<1x16x20x9xf32> {
  %e = tensor.empty() : tensor<1x16x20x9xf32>
  %y = linalg.transpose ins(%x : tensor<1x9x16x20xf32>) outs(%e : tensor<1x16x20x9xf32>) permutation = [0, 2, 3, 1]
  return %y : tensor<1x16x20x9xf32>
}
