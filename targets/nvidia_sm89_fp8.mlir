// NVIDIA tensor cores on f8 (e4m3, e5m2, both mixed), from compute capability 8.9 on.
// Semantics and layouts: PTX ISA, "Matrix Fragments for mma.m16n8k32". LLVM 22 has no intrinsic for it, so the instruction is
// written as assembly. Shared memory and padding: see nvidia_sm80.mlir.

!e4m3_view = memref<?x?xf8E4M3FN, strided<[?, 1], offset: ?>, #gpu.address_space<workgroup>>
!e5m2_view = memref<?x?xf8E5M2, strided<[?, 1], offset: ?>, #gpu.address_space<workgroup>>

// Results as the instructions have them.
!f32_4 = !llvm.struct<(f32, f32, f32, f32)>
!i32_4 = !llvm.struct<(i32, i32, i32, i32)>
!i32_2 = !llvm.struct<(i32, i32)>

ucmoh.target @nvidia_sm89_fp8 extends([@nvidia_sm80::@cp_async_16, @nvidia_sm80::@cp_async_8, @nvidia_sm80::@cp_async_4])
    triple("nvptx64-nvidia-cuda") features("sm_89") registers(255 x 32)
    device(#nvvm.target<O = 3, chip = "sm_89", features = "+ptx84">) driver("libcuda.so.1") shared_memory(101376) row_padding(16) threads(1024) {
  ucmoh.fragment @matrix_16x32_e4m3 : vector<4xi32>
  load (%v: !e4m3_view, %i: index, %k: index) {
    %c16 = arith.constant 16 : index
    %half = arith.constant 16 : index
    %lane = gpu.lane_id upper_bound 32
    %down = arith.remui %lane, %c16 : index
    %right = arith.divui %lane, %c16 : index
    %across = arith.muli %right, %half : index
    %row = arith.addi %i, %down : index
    %column = arith.addi %k, %across : index
    %p, %distance = ucmoh.address %v[%row, %column] : !e4m3_view -> !llvm.ptr<3>
    %r = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3"(%p) : (!llvm.ptr<3>) -> !i32_4
    %ws:4 = ucmoh.registers %r : !i32_4
    %fragment = vector.from_elements %ws#0, %ws#1, %ws#2, %ws#3 : vector<4xi32>
    ucmoh.yield %fragment : vector<4xi32>
  }

  ucmoh.fragment @matrix_32x8_e4m3 : vector<2xi32>
  load (%v: !e4m3_view, %k: index, %j: index) {
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %pack = arith.constant 16 : index
    %lane = gpu.lane_id upper_bound 32
    %group = arith.divui %lane, %c8 : index
    %step = arith.remui %group, %c2 : index
    %n = arith.remui %lane, %c8 : index
    %across = arith.muli %n, %pack : index
    %row = arith.addi %k, %step : index
    %column = arith.addi %j, %across : index
    %p, %distance = ucmoh.address %v[%row, %column] : !e4m3_view -> !llvm.ptr<3>
    %r = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3"(%p) : (!llvm.ptr<3>) -> !i32_2
    %ws:2 = ucmoh.registers %r : !i32_2
    %fragment = vector.from_elements %ws#0, %ws#1 : vector<2xi32>
    ucmoh.yield %fragment : vector<2xi32>
  }

  ucmoh.fragment @matrix_16x32_e5m2 : vector<4xi32>
  load (%v: !e5m2_view, %i: index, %k: index) {
    %c16 = arith.constant 16 : index
    %half = arith.constant 16 : index
    %lane = gpu.lane_id upper_bound 32
    %down = arith.remui %lane, %c16 : index
    %right = arith.divui %lane, %c16 : index
    %across = arith.muli %right, %half : index
    %row = arith.addi %i, %down : index
    %column = arith.addi %k, %across : index
    %p, %distance = ucmoh.address %v[%row, %column] : !e5m2_view -> !llvm.ptr<3>
    %r = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3"(%p) : (!llvm.ptr<3>) -> !i32_4
    %ws:4 = ucmoh.registers %r : !i32_4
    %fragment = vector.from_elements %ws#0, %ws#1, %ws#2, %ws#3 : vector<4xi32>
    ucmoh.yield %fragment : vector<4xi32>
  }

  ucmoh.fragment @matrix_32x8_e5m2 : vector<2xi32>
  load (%v: !e5m2_view, %k: index, %j: index) {
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %pack = arith.constant 16 : index
    %lane = gpu.lane_id upper_bound 32
    %group = arith.divui %lane, %c8 : index
    %step = arith.remui %group, %c2 : index
    %n = arith.remui %lane, %c8 : index
    %across = arith.muli %n, %pack : index
    %row = arith.addi %k, %step : index
    %column = arith.addi %j, %across : index
    %p, %distance = ucmoh.address %v[%row, %column] : !e5m2_view -> !llvm.ptr<3>
    %r = llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3"(%p) : (!llvm.ptr<3>) -> !i32_2
    %ws:2 = ucmoh.registers %r : !i32_2
    %fragment = vector.from_elements %ws#0, %ws#1 : vector<2xi32>
    ucmoh.yield %fragment : vector<2xi32>
  }

  ucmoh.intrinsic @mma_m16n8k32_e4m3 shape [16, 8, 32] types(f8E4M3FN, f8E4M3FN, f32) mnemonic("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32") k_interleave(16) subgroup_size(32)
  lhs @matrix_16x32_e4m3 rhs @matrix_32x8_e4m3 acc @nvidia_sm80::@sums_16x8_f32
  compute (%a: vector<4xi32>, %b: vector<2xi32>, %c: vector<2x2xf32>) {
    %as:4 = ucmoh.registers %a : vector<4xi32>
    %bs:2 = ucmoh.registers %b : vector<2xi32>
    %cs:4 = ucmoh.registers %c : vector<2x2xf32>
    %r = llvm.inline_asm "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f" %as#0, %as#1, %as#2, %as#3, %bs#0, %bs#1, %cs#0, %cs#1, %cs#2, %cs#3 : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> !f32_4
    %ds:4 = ucmoh.registers %r : !f32_4
    %d = vector.from_elements %ds#0, %ds#1, %ds#2, %ds#3 : vector<2x2xf32>
    ucmoh.yield %d : vector<2x2xf32>
  }

  ucmoh.intrinsic @mma_m16n8k32_e4m3_e5m2 shape [16, 8, 32] types(f8E4M3FN, f8E5M2, f32) mnemonic("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32") k_interleave(16) subgroup_size(32)
  lhs @matrix_16x32_e4m3 rhs @matrix_32x8_e5m2 acc @nvidia_sm80::@sums_16x8_f32
  compute (%a: vector<4xi32>, %b: vector<2xi32>, %c: vector<2x2xf32>) {
    %as:4 = ucmoh.registers %a : vector<4xi32>
    %bs:2 = ucmoh.registers %b : vector<2xi32>
    %cs:4 = ucmoh.registers %c : vector<2x2xf32>
    %r = llvm.inline_asm "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f" %as#0, %as#1, %as#2, %as#3, %bs#0, %bs#1, %cs#0, %cs#1, %cs#2, %cs#3 : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> !f32_4
    %ds:4 = ucmoh.registers %r : !f32_4
    %d = vector.from_elements %ds#0, %ds#1, %ds#2, %ds#3 : vector<2x2xf32>
    ucmoh.yield %d : vector<2x2xf32>
  }

  ucmoh.intrinsic @mma_m16n8k32_e5m2_e4m3 shape [16, 8, 32] types(f8E5M2, f8E4M3FN, f32) mnemonic("mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32") k_interleave(16) subgroup_size(32)
  lhs @matrix_16x32_e5m2 rhs @matrix_32x8_e4m3 acc @nvidia_sm80::@sums_16x8_f32
  compute (%a: vector<4xi32>, %b: vector<2xi32>, %c: vector<2x2xf32>) {
    %as:4 = ucmoh.registers %a : vector<4xi32>
    %bs:2 = ucmoh.registers %b : vector<2xi32>
    %cs:4 = ucmoh.registers %c : vector<2x2xf32>
    %r = llvm.inline_asm "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f" %as#0, %as#1, %as#2, %as#3, %bs#0, %bs#1, %cs#0, %cs#1, %cs#2, %cs#3 : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> !f32_4
    %ds:4 = ucmoh.registers %r : !f32_4
    %d = vector.from_elements %ds#0, %ds#1, %ds#2, %ds#3 : vector<2x2xf32>
    ucmoh.yield %d : vector<2x2xf32>
  }

  ucmoh.intrinsic @mma_m16n8k32_e5m2 shape [16, 8, 32] types(f8E5M2, f8E5M2, f32) mnemonic("mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32") k_interleave(16) subgroup_size(32)
  lhs @matrix_16x32_e5m2 rhs @matrix_32x8_e5m2 acc @nvidia_sm80::@sums_16x8_f32
  compute (%a: vector<4xi32>, %b: vector<2xi32>, %c: vector<2x2xf32>) {
    %as:4 = ucmoh.registers %a : vector<4xi32>
    %bs:2 = ucmoh.registers %b : vector<2xi32>
    %cs:4 = ucmoh.registers %c : vector<2x2xf32>
    %r = llvm.inline_asm "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f" %as#0, %as#1, %as#2, %as#3, %bs#0, %bs#1, %cs#0, %cs#1, %cs#2, %cs#3 : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> !f32_4
    %ds:4 = ucmoh.registers %r : !f32_4
    %d = vector.from_elements %ds#0, %ds#1, %ds#2, %ds#3 : vector<2x2xf32>
    ucmoh.yield %d : vector<2x2xf32>
  }
}
