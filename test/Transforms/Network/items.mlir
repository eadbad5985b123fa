// Threads share heads or rows, and each has buffers of its own: one that is empty in front of the loop is made in each
// step.
// RUN: ucmoh-opt %s --ucmoh-place-pieces | FileCheck %s --check-prefix=BUFFERS
// RUN: ucmoh-opt %s --tensorize-with-cost-model="target=x86_avx512f@zen4 threads=2" --ucmoh-to-llvm="target=x86_avx512f@zen4 threads=2 rest" --mlir-print-ir-after=ucmoh-share-rest -o /dev/null 2>&1 | FileCheck %s

// CHECK-LABEL: func.func @heads(
// CHECK: scf.parallel
// CHECK:   scf.for
// CHECK-NOT: scf.parallel
// CHECK: } {ucmoh.items, ucmoh.pieces}
func.func @heads(%q: tensor<12x?x64xf32>, %k: tensor<12x64x?xf32>) -> tensor<12x?x?xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %extent = tensor.dim %q, %c1 : tensor<12x?x64xf32>
  %e = tensor.empty(%extent, %extent) : tensor<12x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x?x?xf32>) -> tensor<12x?x?xf32>
  %r = linalg.batch_matmul ins(%q, %k : tensor<12x?x64xf32>, tensor<12x64x?xf32>) outs(%f : tensor<12x?x?xf32>) -> tensor<12x?x?xf32>
  return %r : tensor<12x?x?xf32>
}

// BUFFERS-LABEL: func.func @empty(
// BUFFERS: scf.for
// BUFFERS-NEXT: tensor.empty() : tensor<64xf32>
func.func @empty(%a: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %buffer = tensor.empty() : tensor<64xf32>
  %e = tensor.empty() : tensor<8x64xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%to = %e) -> tensor<8x64xf32> {
    %x = tensor.extract_slice %a[%i, 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<64xf32>
    %y = linalg.exp ins(%x : tensor<64xf32>) outs(%buffer : tensor<64xf32>) -> tensor<64xf32>
    %s = tensor.insert_slice %y into %to[%i, 0] [1, 64] [1, 1] : tensor<64xf32> into tensor<8x64xf32>
    scf.yield %s : tensor<8x64xf32>
  } {ucmoh.items, ucmoh.pieces}
  return %r : tensor<8x64xf32>
}

// BUFFERS-LABEL: func.func @empty_of_rows(
// BUFFERS: scf.for
// BUFFERS-NEXT: tensor.empty() : tensor<64xf32>
func.func @empty_of_rows(%a: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %buffer = tensor.empty() : tensor<64xf32>
  %e = tensor.empty() : tensor<8x64xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%to = %e) -> tensor<8x64xf32> {
    %x = tensor.extract_slice %a[%i, 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<64xf32>
    %y = linalg.exp ins(%x : tensor<64xf32>) outs(%buffer : tensor<64xf32>) -> tensor<64xf32>
    %s = tensor.insert_slice %y into %to[%i, 0] [1, 64] [1, 1] : tensor<64xf32> into tensor<8x64xf32>
    scf.yield %s : tensor<8x64xf32>
  } {ucmoh.rows}
  return %r : tensor<8x64xf32>
}
