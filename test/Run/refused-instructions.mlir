// On a processor that executes AVX2 and FMA and refuses all beyond, neither a kernel nor a plain loop holds another
// instruction.
// REQUIRES: qemu-haswell
// RUN: %qemu_haswell %ucmoh_run %s --repeat=1 --budget=0.01 2>/dev/null | FileCheck %s

// CHECK: @f32 on
// CHECK: vfmadd_256
// CHECK: verified
func.func @f32(%a: tensor<7x33xf32>, %b: tensor<33x40xf32>) -> tensor<7x40xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<7x40xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<7x40xf32>) -> tensor<7x40xf32>
  %r = linalg.matmul ins(%a, %b : tensor<7x33xf32>, tensor<33x40xf32>)
    outs(%init : tensor<7x40xf32>) -> tensor<7x40xf32>
  return %r : tensor<7x40xf32>
}

// CHECK: @u8s8 on
// CHECK: verified
func.func @u8s8(%a: tensor<7x33xi8>, %b: tensor<33x40xi8>) -> tensor<7x40xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<7x40xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<7x40xi32>) -> tensor<7x40xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<7x33xi8>, tensor<33x40xi8>) outs(%init : tensor<7x40xi32>) {
  ^bb0(%x: i8, %y: i8, %acc: i32):
    %u = arith.extui %x : i8 to i32
    %s = arith.extsi %y : i8 to i32
    %p = arith.muli %u, %s : i32
    %sum = arith.addi %acc, %p : i32
    linalg.yield %sum : i32
  } -> tensor<7x40xi32>
  return %r : tensor<7x40xi32>
}
