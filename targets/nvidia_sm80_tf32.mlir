// NVIDIA tensor cores on f32 rounded to tf32 (10 bits of mantissa): not exact, so a target of its own.
// Semantics and layouts: PTX ISA, "Matrix Fragments for mma.m16n8k8". Shared memory and padding: see
// nvidia_sm80.mlir.

!f32_view = memref<?x?xf32, strided<[?, 1], offset: ?>, #gpu.address_space<workgroup>>

ucmoh.target @nvidia_sm80_tf32 extends([@nvidia_sm80::@cp_async_16, @nvidia_sm80::@cp_async_8, @nvidia_sm80::@cp_async_4])
    triple("nvptx64-nvidia-cuda") features("sm_80") registers(255 x 32)
    device(#nvvm.target<O = 3, chip = "sm_80", features = "+ptx70">) driver("libcuda.so.1") shared_memory(101376) row_padding(16) threads(1024) {
  ucmoh.intrinsic @mma_m16n8k8_tf32 shape [16, 8, 8] types(f32, f32, f32) mnemonic("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32") k_interleave(4) subgroup_size(32)
  acc @nvidia_sm80::@sums_16x8_f32
  load_lhs (%v: !f32_view, %i: index, %k: index) {
    %c16 = arith.constant 16 : index
    %half = arith.constant 4 : index
    %lane = gpu.lane_id upper_bound 32
    %down = arith.remui %lane, %c16 : index
    %right = arith.divui %lane, %c16 : index
    %across = arith.muli %right, %half : index
    %row = arith.addi %i, %down : index
    %column = arith.addi %k, %across : index
    %fragment = nvgpu.ldmatrix %v[%row, %column] {numTiles = 4 : i32, transpose = false} : !f32_view -> vector<4x1xf32>
    ucmoh.yield %fragment : vector<4x1xf32>
  }
  load_rhs (%v: !f32_view, %k: index, %j: index) {
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %pack = arith.constant 4 : index
    %lane = gpu.lane_id upper_bound 32
    %group = arith.divui %lane, %c8 : index
    %step = arith.remui %group, %c2 : index
    %n = arith.remui %lane, %c8 : index
    %across = arith.muli %n, %pack : index
    %row = arith.addi %k, %step : index
    %column = arith.addi %j, %across : index
    %fragment = nvgpu.ldmatrix %v[%row, %column] {numTiles = 2 : i32, transpose = false} : !f32_view -> vector<2x1xf32>
    ucmoh.yield %fragment : vector<2x1xf32>
  }
  compute (%a: vector<4x1xf32>, %b: vector<2x1xf32>, %c: vector<2x2xf32>) {
    %d = nvgpu.mma.sync (%a, %b, %c) {tf32Enabled, mmaShape = [16, 8, 8]} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
    ucmoh.yield %d : vector<2x2xf32>
  }
}
