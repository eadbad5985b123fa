// C[16x16] += A * B inside 64x64 matrices, f16 to f32, through gpu.subgroup_mma.
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>
gpu.module @k {
gpu.func @mm(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>) kernel {
  %z = arith.constant 0.0 : f16
  %z32 = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %a = vector.transfer_read %A[%c0,%c0], %z {in_bounds=[true,true]} : memref<64x64xf16>, vector<16x16xf16>
  %b = vector.transfer_read %B[%c0,%c0], %z {in_bounds=[true,true]} : memref<64x64xf16>, vector<16x16xf16>
  %c = vector.transfer_read %C[%c0,%c0], %z32 {in_bounds=[true,true]} : memref<64x64xf32>, vector<16x16xf32>
  %d = vector.contract {indexing_maps=[#lhs,#rhs,#acc], iterator_types=["parallel","parallel","reduction"], kind=#vector.kind<add>} %a, %b, %c : vector<16x16xf16>, vector<16x16xf16> into vector<16x16xf32>
  vector.transfer_write %d, %C[%c0,%c0] {in_bounds=[true,true]} : vector<16x16xf32>, memref<64x64xf32>
  gpu.return
}
}
