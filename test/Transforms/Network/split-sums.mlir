// Means over images are sums of the sums of rows, of which each needs its terms only: two batches of channels last.
// RUN: ucmoh-opt %s --ucmoh-group-rest --split-input-file | FileCheck %s
// RUN: ucmoh-opt %s --ucmoh-group-rest --ucmoh-fuse-rest --split-input-file | FileCheck %s --check-prefix=FUSED
// RUN: sed -e "/^\/\/ -----/,$ d" %s > %t.first.mlir
// RUN: ucmoh-run %t.first.mlir --repeat=1 --budget=0.1 --tolerance=1e-5 | FileCheck %s --check-prefix=EXECUTED

// EXECUTED: verified

#image = affine_map<(n, h, w, c) -> (n, h, w, c)>
#channel = affine_map<(n, h, w, c) -> (n, c)>

// The sums of rows lie behind their image.
// CHECK: #[[$ROWS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK: #[[$ALL:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK: #[[$SUM:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-LABEL: func.func @images(
// CHECK: %[[SUMS:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #[[$ROWS]]]
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction", "parallel"]
// CHECK-SAME: outs(%{{.*}} : tensor<3x40x24xf32>)
// CHECK: mulf
// CHECK: addf {{.*}} fastmath<reassoc>
// CHECK: linalg.generic {indexing_maps = [#[[$ALL]], #[[$SUM]]]
// CHECK-SAME: iterator_types = ["parallel", "reduction", "parallel"]
// CHECK-SAME: ins(%[[SUMS]] : tensor<3x40x24xf32>) outs(%{{.*}} : tensor<3x24xf32>)

// Both are in the loop over images, with what is added up.
// FUSED-LABEL: func.func @images(
// FUSED: scf.for
// FUSED: linalg.generic
// FUSED: linalg.generic
// FUSED: scf.yield
// FUSED-NOT: linalg.generic
// FUSED: return
func.func @images(%x: tensor<3x40x50x24xf32>) -> tensor<3x24xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x24xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x24xf32>) -> tensor<3x24xf32>
  %sum = linalg.generic {indexing_maps = [#image, #channel], iterator_types = ["parallel", "reduction", "reduction", "parallel"]}
      ins(%x : tensor<3x40x50x24xf32>) outs(%zeros : tensor<3x24xf32>) {
  ^bb0(%v: f32, %s: f32):
    %square = arith.mulf %v, %v : f32
    %next = arith.addf %s, %square : f32
    linalg.yield %next : f32
  } -> tensor<3x24xf32>
  return %sum : tensor<3x24xf32>
}

// -----

// Open rows, and what they are added to.
// CHECK-LABEL: func.func @open(
// CHECK: %[[ROWS:.*]] = tensor.dim %{{.*}}, %c0
// CHECK: tensor.empty(%[[ROWS]]) : tensor<?x24xf64>
// CHECK: outs(%{{.*}} : tensor<?x24xf64>)
// CHECK: iterator_types = ["reduction", "parallel"]
// CHECK-SAME: outs(%arg1 : tensor<24xf64>)
func.func @open(%x: tensor<?x50x24xf32>, %start: tensor<24xf64>) -> tensor<24xf64> {
  %sum = linalg.generic {
      indexing_maps = [affine_map<(h, w, c) -> (h, w, c)>, affine_map<(h, w, c) -> (c)>],
      iterator_types = ["reduction", "reduction", "parallel"]}
      ins(%x : tensor<?x50x24xf32>) outs(%start : tensor<24xf64>) {
  ^bb0(%v: f32, %s: f64):
    %wide = arith.extf %v : f32 to f64
    %next = arith.addf %s, %wide : f64
    linalg.yield %next : f64
  } -> tensor<24xf64>
  return %sum : tensor<24xf64>
}

// -----

// Not split: few terms, neighbours that are added up, and maxima.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-3: iterator_types = ["reduction", "reduction", "parallel"]
// CHECK-NOT: linalg.generic
func.func @others(%few: tensor<8x8x24xf32>, %last: tensor<24x40x50xf32>, %many: tensor<40x50x24xf32>, %a: tensor<24xf32>)
    -> (tensor<24xf32>, tensor<24xf32>, tensor<24xf32>) {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(h, w, c) -> (h, w, c)>, affine_map<(h, w, c) -> (c)>],
      iterator_types = ["reduction", "reduction", "parallel"]}
      ins(%few : tensor<8x8x24xf32>) outs(%a : tensor<24xf32>) {
  ^bb0(%v: f32, %s: f32):
    %next = arith.addf %s, %v : f32
    linalg.yield %next : f32
  } -> tensor<24xf32>
  %1 = linalg.generic {
      indexing_maps = [affine_map<(h, w, c) -> (c, h, w)>, affine_map<(h, w, c) -> (c)>],
      iterator_types = ["reduction", "reduction", "parallel"]}
      ins(%last : tensor<24x40x50xf32>) outs(%a : tensor<24xf32>) {
  ^bb0(%v: f32, %s: f32):
    %next = arith.addf %s, %v : f32
    linalg.yield %next : f32
  } -> tensor<24xf32>
  %2 = linalg.generic {
      indexing_maps = [affine_map<(h, w, c) -> (h, w, c)>, affine_map<(h, w, c) -> (c)>],
      iterator_types = ["reduction", "reduction", "parallel"]}
      ins(%many : tensor<40x50x24xf32>) outs(%a : tensor<24xf32>) {
  ^bb0(%v: f32, %s: f32):
    %next = arith.maximumf %s, %v : f32
    linalg.yield %next : f32
  } -> tensor<24xf32>
  return %0, %1, %2 : tensor<24xf32>, tensor<24xf32>, tensor<24xf32>
}
