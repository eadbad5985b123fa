// What several ops read dequantized stays bytes in memory, and each reader dequantizes for itself.
// RUN: ucmoh-opt %s --ucmoh-prepare | FileCheck %s
// RUN: ucmoh-run %s --entry=skip --repeat=1 --budget=0.05 | FileCheck %s --check-prefix=EXECUTED
// RUN: ucmoh-run %s --entry=pooled_and_more --repeat=1 --budget=0.05 | FileCheck %s --check-prefix=EXECUTED
// RUN: ucmoh-run %s --entry=weights --repeat=1 --budget=0.05 | FileCheck %s --check-prefix=EXECUTED

// EXECUTED: verified

#id = affine_map<(i, j) -> (i, j)>
#all = affine_map<(a, b, c, d) -> (a, b, c, d)>

// Two readers: the bytes are written, and neither float is.
// CHECK-LABEL: func.func @skip
// CHECK: %[[BYTES:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<8x64xi8>)
// CHECK: %[[ROOT:.*]] = linalg.generic {{.*}} ins(%[[BYTES]] : tensor<8x64xi8>)
// CHECK: arith.uitofp
// CHECK: math.sqrt
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[BYTES]], %{{.*}} : tensor<8x64xi8>, tensor<8x64xf32>)
// CHECK: arith.uitofp
// CHECK: arith.addf
// CHECK: return %[[ROOT]], %[[SUM]]
func.func @skip(%x: tensor<8x64xf32>, %y: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  %scale = arith.constant 0.02 : f32
  %least = arith.constant 0.0 : f32
  %most = arith.constant 255.0 : f32
  %e8 = tensor.empty() : tensor<8x64xi8>
  %e = tensor.empty() : tensor<8x64xf32>
  %bytes = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%e8 : tensor<8x64xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %scale : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %least : f32
    %3 = arith.minimumf %2, %most : f32
    %4 = arith.fptoui %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<8x64xi8>
  %floats = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%bytes : tensor<8x64xi8>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<8x64xf32>
  %root = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%floats : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.sqrt %in : f32
    linalg.yield %0 : f32
  } -> tensor<8x64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%floats, %y : tensor<8x64xf32>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %0 = arith.addf %in, %other : f32
    linalg.yield %0 : f32
  } -> tensor<8x64xf32>
  return %root, %sum : tensor<8x64xf32>, tensor<8x64xf32>
}

// Max pooling takes the integers, whoever else reads what they stand for.
// CHECK-LABEL: func.func @pooled_and_more
// CHECK-SAME: %[[X:.*]]: tensor<1x8x8x4xi8>
// CHECK-DAG: linalg.generic {{.*}} ins(%[[X]], %{{.*}} : tensor<1x8x8x4xi8>, tensor<2x2xf32>) outs({{.*}} : tensor<1x4x4x4xi8>)
// CHECK-DAG: linalg.generic {{.*}} ins(%[[X]] : tensor<1x8x8x4xi8>) outs({{.*}} : tensor<1x8x8x4xf32>)
// CHECK: return
func.func @pooled_and_more(%x: tensor<1x8x8x4xi8>) -> (tensor<1x4x4x4xf32>, tensor<1x8x8x4xf32>) {
  %scale = arith.constant 0.5 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %ef = tensor.empty() : tensor<1x8x8x4xf32>
  %floats = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x8x8x4xi8>) outs(%ef : tensor<1x8x8x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<1x8x8x4xf32>
  %ep = tensor.empty() : tensor<1x4x4x4xf32>
  %init = linalg.fill ins(%lowest : f32) outs(%ep : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %pooled = linalg.generic {indexing_maps = [affine_map<(n, h, w, i, j, c) -> (n, h * 2 + i, w * 2 + j, c)>, affine_map<(n, h, w, i, j, c) -> (i, j)>,
                                             affine_map<(n, h, w, i, j, c) -> (n, h, w, c)>],
                            iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "parallel"]}
    ins(%floats, %window : tensor<1x8x8x4xf32>, tensor<2x2xf32>) outs(%init : tensor<1x4x4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %t = arith.maximumf %s, %a : f32
    linalg.yield %t : f32
  } -> tensor<1x4x4x4xf32>
  %negated = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%floats : tensor<1x8x8x4xf32>) outs(%ef : tensor<1x8x8x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  } -> tensor<1x8x8x4xf32>
  return %pooled, %negated : tensor<1x4x4x4xf32>, tensor<1x8x8x4xf32>
}

// Constants are dequantized once for all calls.
// CHECK-LABEL: func.func @weights
// CHECK-COUNT-1: arith.sitofp
// CHECK-NOT: arith.sitofp
// CHECK: return
func.func @weights(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %weights = arith.constant dense<[[1, 2, 3, 4], [-1, -2, -3, -4]]> : tensor<2x4xi8>
  %scale = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<2x4xf32>
  %floats = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%weights : tensor<2x4xi8>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<2x4xf32>
  %a = linalg.add ins(%x, %floats : tensor<2x4xf32>, tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %b = linalg.mul ins(%y, %floats : tensor<2x4xf32>, tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %a, %b : tensor<2x4xf32>, tensor<2x4xf32>
}
