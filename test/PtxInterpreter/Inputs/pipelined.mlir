// C[64x64] = A[64x64] * B[64x64] in blocks of 32x16 with two warps: cp.async into two stages, ldmatrix, mma.sync.
#shared = #gpu.address_space<workgroup>
gpu.module @kernels {
  memref.global "private" @As : memref<2x32x24xf16, #shared> {alignment = 16}
  memref.global "private" @Bs : memref<2x16x24xf16, #shared> {alignment = 16}
  gpu.func @pipelined(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c48 = arith.constant 48 : index
    %c64 = arith.constant 64 : index
    %As = memref.get_global @As : memref<2x32x24xf16, #shared>
    %Bs = memref.get_global @Bs : memref<2x16x24xf16, #shared>
    %zero = arith.constant dense<0.0> : vector<2x2xf32>
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %t = gpu.thread_id x
    %i0 = arith.muli %by, %c32 : index
    %j0 = arith.muli %bx, %c16 : index
    %row = arith.divui %t, %c2 : index
    %odd = arith.remui %t, %c2 : index
    %col = arith.muli %odd, %c8 : index
    %lane = arith.remui %t, %c32 : index
    %warp = arith.divui %t, %c32 : index
    %ai = arith.addi %i0, %row : index
    %bj = arith.addi %j0, %col : index
    %copiesB = arith.cmpi ult, %t, %c32 : index
    %first = nvgpu.device_async_copy %A[%ai, %col], %As[%c0, %row, %col], 8 : memref<64x64xf16> to memref<2x32x24xf16, #shared>
    scf.if %copiesB {
      nvgpu.device_async_copy %B[%row, %bj], %Bs[%c0, %row, %col], 8 : memref<64x64xf16> to memref<2x16x24xf16, #shared>
    }
    %g0 = nvgpu.device_async_create_group %first
    %r16 = arith.remui %lane, %c16 : index
    %h = arith.divui %lane, %c16 : index
    %h8 = arith.muli %h, %c8 : index
    %w16 = arith.muli %warp, %c16 : index
    %arow = arith.addi %w16, %r16 : index
    %acc:2 = scf.for %k = %c0 to %c64 step %c16 iter_args(%x = %zero, %y = %zero) -> (vector<2x2xf32>, vector<2x2xf32>) {
      %step = arith.divui %k, %c16 : index
      %stage = arith.remui %step, %c2 : index
      %next = arith.subi %c1, %stage : index
      %more = arith.cmpi ult, %k, %c48 : index
      scf.if %more {
        %kn = arith.addi %k, %c16 : index
        %ak = arith.addi %kn, %col : index
        %bk = arith.addi %kn, %row : index
        nvgpu.device_async_copy %A[%ai, %ak], %As[%next, %row, %col], 8 : memref<64x64xf16> to memref<2x32x24xf16, #shared>
        scf.if %copiesB {
          nvgpu.device_async_copy %B[%bk, %bj], %Bs[%next, %row, %col], 8 : memref<64x64xf16> to memref<2x16x24xf16, #shared>
        }
      }
      %g = nvgpu.device_async_create_group
      nvgpu.device_async_wait %g {numGroups = 1 : i32}
      gpu.barrier
      %a = nvgpu.ldmatrix %As[%stage, %arow, %h8] {numTiles = 4 : i32, transpose = false} : memref<2x32x24xf16, #shared> -> vector<4x2xf16>
      %b0 = nvgpu.ldmatrix %Bs[%stage, %r16, %c0] {numTiles = 2 : i32, transpose = true} : memref<2x16x24xf16, #shared> -> vector<2x2xf16>
      %b1 = nvgpu.ldmatrix %Bs[%stage, %r16, %c8] {numTiles = 2 : i32, transpose = true} : memref<2x16x24xf16, #shared> -> vector<2x2xf16>
      %d0 = nvgpu.mma.sync (%a, %b0, %x) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      %d1 = nvgpu.mma.sync (%a, %b1, %y) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      gpu.barrier
      scf.yield %d0, %d1 : vector<2x2xf32>, vector<2x2xf32>
    }
    %gid = arith.divui %lane, %c4 : index
    %tid = arith.remui %lane, %c4 : index
    %t2 = arith.muli %tid, %c2 : index
    %ci0 = arith.addi %i0, %w16 : index
    %ci = arith.addi %ci0, %gid : index
    %ci8 = arith.addi %ci, %c8 : index
    %cj = arith.addi %j0, %t2 : index
    %cj8 = arith.addi %cj, %c8 : index
    %v0 = vector.extract %acc#0[0] : vector<2xf32> from vector<2x2xf32>
    %v1 = vector.extract %acc#0[1] : vector<2xf32> from vector<2x2xf32>
    %v2 = vector.extract %acc#1[0] : vector<2xf32> from vector<2x2xf32>
    %v3 = vector.extract %acc#1[1] : vector<2xf32> from vector<2x2xf32>
    vector.store %v0, %C[%ci, %cj] {alignment = 8 : i64} : memref<64x64xf32>, vector<2xf32>
    vector.store %v1, %C[%ci8, %cj] {alignment = 8 : i64} : memref<64x64xf32>, vector<2xf32>
    vector.store %v2, %C[%ci, %cj8] {alignment = 8 : i64} : memref<64x64xf32>, vector<2xf32>
    vector.store %v3, %C[%ci8, %cj8] {alignment = 8 : i64} : memref<64x64xf32>, vector<2xf32>
    gpu.return
  }
}
