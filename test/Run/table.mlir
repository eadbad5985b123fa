// RUN: ucmoh-run %s --repeat=2 | FileCheck %s
// RUN: ucmoh-run --help | FileCheck %s --check-prefix=HELP
// HELP: Samples per function; the table has the least of them
// RUN: ucmoh-run %s --repeat=2 --json --entry=product | FileCheck %s --check-prefix=JSON
// RUN: ucmoh-run %s --repeat=2 --top=2 --entry=product | FileCheck %s --check-prefix=TOP

// CHECK: @product on
// CHECK: matmul_s8s8s32_32x64x48
// CHECK: verified (max abs error 0)
// JSON: "error":null
// JSON-SAME: "function":"product"
// JSON-SAME: "workload":"matmul_s8s8s32_32x64x48
// JSON-SAME: "verified":true
// TOP: candidates of op 0
// TOP: {{^}}1 {{.*}} us
// TOP: {{^}}2 {{.*}} us
func.func @product(%a: tensor<32x48xi8>, %b: tensor<48x64xi8> {ucmoh.weight}) -> tensor<32x64xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<32x64xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<32x64xi32>) -> tensor<32x64xi32>
  %r = linalg.matmul ins(%a, %b : tensor<32x48xi8>, tensor<48x64xi8>)
    outs(%f : tensor<32x64xi32>) -> tensor<32x64xi32>
  return %r : tensor<32x64xi32>
}

// The destination is an argument that is added to: calling twice must not change it.
// CHECK: @accumulate on
// CHECK: verified (max abs error 0)
func.func @accumulate(%a: tensor<7x5xi8>, %b: tensor<5x9xi8>, %c: tensor<7x9xi32>) -> tensor<7x9xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<7x5xi8>, tensor<5x9xi8>)
    outs(%c : tensor<7x9xi32>) -> tensor<7x9xi32>
  return %r : tensor<7x9xi32>
}

// Several results of several types, a scalar among them, open dimensions.
// CHECK: @types on
// CHECK: verified (max abs error 0)
func.func @types(%a: tensor<?x4xf32>, %b: i64, %c: tensor<3xbf16>) -> (tensor<?x4xf32>, i64, tensor<3xbf16>) {
  return %a, %b, %c : tensor<?x4xf32>, i64, tensor<3xbf16>
}
