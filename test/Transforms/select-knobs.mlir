// RUN: split-file %s %t
// RUN: ucmoh-opt %t/own.mlir --ucmoh-select-knobs="target=x86_avx2_fma@zen4 model=analytic" -o %t/turned.mlir
// RUN: FileCheck %s --input-file=%t/turned.mlir
// RUN: ucmoh-opt %t/turned.mlir --transform-interpreter | FileCheck %s --check-prefix=TILED

// The knobs get values of one candidate, the best one of those that their options allow.
// CHECK: transform.tune.knob<"register_tile_m"> = [[M:[248]]] : i64 from options = [2, 4, 8]
// CHECK: transform.tune.knob<"register_tile_n"> = [[N:8|16]] : i64 from options = [8, 16]
// CHECK: transform.tune.knob<"unknown"> options = [1, 2]
// CHECK: transform.tune.knob<"cache_tile_k"> = 7 : i64 from options = [7, 64]

// The stock mlir-opt does the same with the plugin.
// RUN: mlir-opt %t/own.mlir --load-dialect-plugin=%ucmoh_plugin \
// RUN:   --pass-pipeline="builtin.module(ucmoh-select-knobs{target=x86_avx2_fma@zen4 model=analytic})" | diff - %t/turned.mlir

// Their values are the sizes of the schedule's loops.
// TILED: scf.for
// TILED: scf.for
// TILED: linalg.matmul

// RUN: not ucmoh-opt %t/none.mlir --ucmoh-select-knobs="target=x86_avx2_fma@zen4 model=analytic" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE
// NONE: none.mlir:3:{{.*}} error: 'transform.tune.knob' op none of the {{[0-9]+}} candidates of matmul_f32f32f32_64x128x256{{.*}} has values that are all among the options of the knobs
// RUN: not ucmoh-opt %t/empty.mlir --ucmoh-select-knobs="target=x86_avx2_fma@zen4 model=analytic" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: 'transform.tune.knob' op stands for a field of a choice, but the module has no contraction that can have one

//--- own.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %m = transform.tune.knob<"register_tile_m"> options = [2, 4, 8] -> !transform.param<i64>
    %n = transform.tune.knob<"register_tile_n"> options = [8, 16] -> !transform.param<i64>
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %module : (!transform.any_op) -> !transform.any_op
    %tiled, %i, %j = transform.structured.tile_using_for %matmul tile_sizes [%m, %n]
      : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
      -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @another(%module: !transform.any_op {transform.readonly}) {
    %other = transform.tune.knob<"unknown"> options = [1, 2] -> !transform.param<i64>
    %k = transform.tune.knob<"cache_tile_k"> = 7 from options = [7, 64] -> !transform.param<i64>
    transform.yield
  }
  func.func @main(%a: tensor<64x256xf32>, %b: tensor<256x128xf32>, %c: tensor<64x128xf32>) -> tensor<64x128xf32> {
    %r = linalg.matmul ins(%a, %b : tensor<64x256xf32>, tensor<256x128xf32>) outs(%c : tensor<64x128xf32>)
      -> tensor<64x128xf32>
    return %r : tensor<64x128xf32>
  }
}
//--- none.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %m = transform.tune.knob<"register_tile_m"> options = [5] -> !transform.param<i64>
    transform.yield
  }
  func.func @main(%a: tensor<64x256xf32>, %b: tensor<256x128xf32>, %c: tensor<64x128xf32>) -> tensor<64x128xf32> {
    %r = linalg.matmul ins(%a, %b : tensor<64x256xf32>, tensor<256x128xf32>) outs(%c : tensor<64x128xf32>)
      -> tensor<64x128xf32>
    return %r : tensor<64x128xf32>
  }
}
//--- empty.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %m = transform.tune.knob<"register_tile_m"> options = [4] -> !transform.param<i64>
    transform.yield
  }
}
