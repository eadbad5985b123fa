// Elementwise ops on bf16 compute in f32 and round once: the sum of a contraction is not rounded before its bias is added.
// RUN: ucmoh-opt %s --ucmoh-prepare | FileCheck %s
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 | FileCheck %s --check-prefix=EXECUTED

// EXECUTED-COUNT-2: verified

#all = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func.func @silu
// CHECK: linalg.generic
// CHECK-COUNT-1: arith.extf
// CHECK: %[[SCALED:.*]] = arith.mulf %{{.*}} : f32
// CHECK: %[[ROUNDED:.*]] = arith.truncf %[[SCALED]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[ROUNDED]]
func.func @silu(%x: tensor<8x64xbf16>) -> tensor<8x64xbf16> {
  %one = arith.constant 1.0 : bf16
  %empty = tensor.empty() : tensor<8x64xbf16>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xbf16>) outs(%empty : tensor<8x64xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %0 = arith.negf %in : bf16
    %1 = math.exp %0 : bf16
    %2 = arith.addf %1, %one : bf16
    %3 = arith.divf %one, %2 : bf16
    %4 = arith.mulf %in, %3 : bf16
    linalg.yield %4 : bf16
  } -> tensor<8x64xbf16>
  return %y : tensor<8x64xbf16>
}

// CHECK-LABEL: func.func @limited
// CHECK: ^bb0(%[[SUM:.*]]: f32, %[[BIAS:.*]]: bf16, %{{.*}}: bf16):
// CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[BIAS]]
// CHECK-NEXT: %[[BIASED:.*]] = arith.addf %[[SUM]], %[[WIDE]] : f32
// CHECK: arith.cmpf ogt, %[[BIASED]], %{{.*}} : f32
// CHECK: arith.select %{{.*}}, %[[BIASED]], %{{.*}} : f32
// CHECK-NEXT: arith.truncf
func.func @limited(%x: tensor<8x64xf32>, %bias: tensor<64xbf16>) -> tensor<8x64xbf16> {
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<8x64xbf16>
  %y = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %bias : tensor<8x64xf32>, tensor<64xbf16>) outs(%empty : tensor<8x64xbf16>) {
  ^bb0(%in: f32, %b: bf16, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    %1 = arith.addf %0, %b : bf16
    %2 = arith.cmpf ogt, %1, %zero : bf16
    %3 = arith.select %2, %1, %zero : bf16
    linalg.yield %3 : bf16
  } -> tensor<8x64xbf16>
  return %y : tensor<8x64xbf16>
}
