// An allocator that gives large buffers back makes the times of large results wrong, and that is said.
// REQUIRES: jemalloc
// RUN: env LD_PRELOAD=%jemalloc ucmoh-run %s --repeat=1 2>&1 | FileCheck %s
// RUN: ucmoh-run %s --repeat=1 2>&1 | FileCheck %s --check-prefix=OWN

// CHECK: warning: the allocator gives large buffers back to the system
// CHECK-NOT: warning:
// OWN-NOT: warning:
func.func @product(%a: tensor<32x48xi8>, %b: tensor<48x64xi8> {ucmoh.weight}) -> tensor<32x64xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<32x64xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<32x64xi32>) -> tensor<32x64xi32>
  %r = linalg.matmul ins(%a, %b : tensor<32x48xi8>, tensor<48x64xi8>)
    outs(%f : tensor<32x64xi32>) -> tensor<32x64xi32>
  return %r : tensor<32x64xi32>
}
