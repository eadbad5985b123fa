// RUN: ucmoh-opt --ucmoh-extents %s | FileCheck %s --check-prefix=PIECES
// RUN: ucmoh-opt --tensorize-with-cost-model=target=x86_avx512f %s | FileCheck %s --check-prefix=KERNEL

// A full piece of 16 has a loop of its own. Another one has nine rows at least, others would leave them to smaller
// pieces. Its padding is no more than what the analysis of static products sees: the kernel reads, computes and writes as
// many rows as there are.

// PIECES-LABEL: func.func @rows(
// PIECES-NOT:     tensor.pad
// PIECES:         linalg.matmul ins({{.*}} : tensor<16x16xf32>, tensor<16x8192xf32>)
// PIECES:         tensor.pad
// PIECES:         linalg.matmul {ucmoh.least_rows = 9 : i64} ins({{.*}} : tensor<16x16xf32>, tensor<16x8192xf32>)
// PIECES:         tensor.extract_slice {{.*}} : tensor<16x8192xf32> to tensor<?x8192xf32>
// PIECES:         tensor.insert_slice {{.*}} : tensor<?x8192xf32> into tensor<?x8192xf32>
// PIECES-NOT:     tensor.pad
// PIECES:         linalg.matmul ins({{.*}} : tensor<8x16xf32>

// KERNEL-LABEL: func.func @rows(
// KERNEL-NOT:     tensor.pad
// KERNEL:         ucmoh.kernel "contract" ins({{.*}} : tensor<?xf32>, tensor<{{[0-9]+}}xf32>, tensor<?xf32>) outs({{.*}} : tensor<?xf32>)
// KERNEL:           %[[ELEMENTS:.*]] = memref.dim
// KERNEL:           affine.apply #{{.*}}(%[[ELEMENTS]])
// KERNEL:         tensor.insert_slice {{.*}} : tensor<?x8192xf32> into tensor<?x8192xf32>
// KERNEL-NOT:     tensor.pad
func.func @rows(%x: tensor<?x16xf32> {ucmoh.assume = array<i64: 1, 20>}, %w: tensor<16x8192xf32> {ucmoh.weight}, %beside: tensor<?x8192xf32>) -> tensor<?x8192xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%m) : tensor<?x8192xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8192xf32>) -> tensor<?x8192xf32>
  %r = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x8192xf32>) outs(%f : tensor<?x8192xf32>) -> tensor<?x8192xf32>
  %y = linalg.add ins(%r, %beside : tensor<?x8192xf32>, tensor<?x8192xf32>) outs(%e : tensor<?x8192xf32>) -> tensor<?x8192xf32>
  return %y : tensor<?x8192xf32>
}
