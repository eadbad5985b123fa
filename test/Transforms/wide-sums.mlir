// Sums and products of 16 bits get 32 and are rounded once; contractions, maxima and other types stay.
// RUN: ucmoh-opt %s --ucmoh-wide-sums | FileCheck %s
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --json --entry=pool | FileCheck %s --check-prefix=VALUES

#in = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @sum(
// CHECK: %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[FILL:.+]] = linalg.fill ins(%[[ZERO]] : f32) outs({{.+}} : tensor<?xf32>) -> tensor<?xf32>
// CHECK: %[[SUM:.+]] = linalg.generic {{.*}} outs(%[[FILL]] : tensor<?xf32>)
// CHECK-NEXT: ^bb0(%[[IN:.+]]: bf16, %[[OUT:.+]]: f32):
// CHECK-NEXT: %[[SQUARE:.+]] = arith.mulf %[[IN]], %[[IN]] : bf16
// CHECK-NEXT: %[[WIDE:.+]] = arith.extf %[[SQUARE]] : bf16 to f32
// CHECK-NEXT: arith.addf %[[WIDE]], %[[OUT]] : f32
// CHECK: arith.truncf %[[SUM]] : tensor<?xf32> to tensor<?xbf16>
func.func @sum(%x: tensor<?x64xbf16>) -> tensor<?xbf16> {
  %zero = arith.constant 0.0 : bf16
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x64xbf16>
  %e = tensor.empty(%rows) : tensor<?xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<?xbf16>) -> tensor<?xbf16>
  %0 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<?x64xbf16>) outs(%f : tensor<?xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %s = arith.mulf %in, %in : bf16
    %a = arith.addf %s, %out : bf16
    linalg.yield %a : bf16
  } -> tensor<?xbf16>
  return %0 : tensor<?xbf16>
}

// What a product starts from is widened where it is no constant.
// CHECK-LABEL: func.func @product(
// CHECK: %[[INIT:.+]] = arith.extf %{{.+}} : tensor<4xf16> to tensor<4xf32>
// CHECK: outs(%[[INIT]] : tensor<4xf32>)
// CHECK: arith.mulf {{.*}} : f32
func.func @product(%x: tensor<4x64xf16>, %init: tensor<4xf16>) -> tensor<4xf16> {
  %0 = linalg.reduce ins(%x : tensor<4x64xf16>) outs(%init : tensor<4xf16>) dimensions = [1]
    (%in: f16, %out: f16) {
      %p = arith.mulf %in, %out : f16
      linalg.yield %p : f16
    }
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: func.func @pool(
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<1x7x7x8xf32>)
// CHECK: arith.truncf {{.*}} : tensor<1x7x7x8xf32> to tensor<1x7x7x8xbf16>
// VALUES: "error":null,"function":"pool"
// VALUES-SAME: "verified":true
func.func @pool(%x: tensor<1x28x28x8xbf16>) -> tensor<1x7x7x8xbf16> {
  %zero = arith.constant 0.0 : bf16
  %window = tensor.empty() : tensor<4x4xbf16>
  %e = tensor.empty() : tensor<1x7x7x8xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<1x7x7x8xbf16>) -> tensor<1x7x7x8xbf16>
  %0 = linalg.pooling_nhwc_sum {strides = dense<4> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
    ins(%x, %window : tensor<1x28x28x8xbf16>, tensor<4x4xbf16>) outs(%f : tensor<1x7x7x8xbf16>) -> tensor<1x7x7x8xbf16>
  return %0 : tensor<1x7x7x8xbf16>
}

// CHECK-LABEL: func.func @others(
// CHECK: linalg.matmul {{.*}} -> tensor<4x8xbf16>
// CHECK: linalg.reduce { arith.maximumf } {{.*}} outs({{.*}} : tensor<4xbf16>)
// CHECK: linalg.reduce { arith.addf } {{.*}} outs({{.*}} : tensor<4xf32>)
func.func @others(%x: tensor<4x64xbf16>, %w: tensor<64x8xbf16>, %c: tensor<4x8xbf16>, %m: tensor<4xbf16>,
                  %y: tensor<4x64xf32>, %s: tensor<4xf32>) -> (tensor<4x8xbf16>, tensor<4xbf16>, tensor<4xf32>) {
  %0 = linalg.matmul ins(%x, %w : tensor<4x64xbf16>, tensor<64x8xbf16>) outs(%c : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  %1 = linalg.reduce {arith.maximumf} ins(%x : tensor<4x64xbf16>) outs(%m : tensor<4xbf16>) dimensions = [1]
  %2 = linalg.reduce {arith.addf} ins(%y : tensor<4x64xf32>) outs(%s : tensor<4xf32>) dimensions = [1]
  return %0, %1, %2 : tensor<4x8xbf16>, tensor<4xbf16>, tensor<4xf32>
}
