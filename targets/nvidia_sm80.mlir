// NVIDIA tensor cores from compute capability 8.0 on: mma.sync on one warp, operands staged through
// shared memory by cp.async and read by ldmatrix.
// Semantics and layouts of fragments: PTX ISA, "Matrix Fragments for mma.m16n8k16" and its
// neighbours. Lane l holds rows l / 4 and l / 4 + 8 of the accumulator, columns 2 (l % 4) and the next.
// Shared memory: that of one block on compute capability 8.6 and 8.9, the smallest of 8.x and 9.x
// (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"). Padding: ldmatrix
// reads rows of 16 bytes from 32 banks of 4.

!f16_view = memref<?x?xf16, strided<[?, 1], offset: ?>, #gpu.address_space<workgroup>>
!bf16_view = memref<?x?xbf16, strided<[?, 1], offset: ?>, #gpu.address_space<workgroup>>
!i8_view = memref<?x?xi8, strided<[?, 1], offset: ?>, #gpu.address_space<workgroup>>
!f32_view = memref<?x?xf32, strided<[?, 1], offset: ?>, #gpu.address_space<workgroup>>
!i32_view = memref<?x?xi32, strided<[?, 1], offset: ?>, #gpu.address_space<workgroup>>

// Results as the instructions have them.
!f32_4 = !llvm.struct<(f32, f32, f32, f32)>
!i32_4 = !llvm.struct<(i32, i32, i32, i32)>

ucmoh.target @nvidia_sm80 triple("nvptx64-nvidia-cuda") features("sm_80") registers(255 x 32)
    device(#nvvm.target<O = 3, chip = "sm_80", features = "+ptx70">) driver("libcuda.so.1") shared_memory(101376) row_padding(16) threads(1024) {
  ucmoh.async_copy @cp_async_16 bytes(16)
  copy (%to: !llvm.ptr<3>, %from: !llvm.ptr<1>, %valid: i32) {
    llvm.call_intrinsic "llvm.nvvm.cp.async.cg.shared.global.16.s"(%to, %from, %valid) : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
    ucmoh.yield
  }
  commit () {
    llvm.call_intrinsic "llvm.nvvm.cp.async.commit.group"() : () -> ()
    ucmoh.yield
  }
  wait (%pending: i32) {
    llvm.call_intrinsic "llvm.nvvm.cp.async.wait.group"(%pending) : (i32) -> ()
    ucmoh.yield
  }
  ucmoh.async_copy @cp_async_8 bytes(8) like(@cp_async_16)
  copy (%to: !llvm.ptr<3>, %from: !llvm.ptr<1>, %valid: i32) {
    llvm.call_intrinsic "llvm.nvvm.cp.async.ca.shared.global.8.s"(%to, %from, %valid) : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
    ucmoh.yield
  }
  ucmoh.async_copy @cp_async_4 bytes(4) like(@cp_async_16)
  copy (%to: !llvm.ptr<3>, %from: !llvm.ptr<1>, %valid: i32) {
    llvm.call_intrinsic "llvm.nvvm.cp.async.ca.shared.global.4.s"(%to, %from, %valid) : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
    ucmoh.yield
  }

  ucmoh.fragment @matrix_16x16_f16 : vector<4x2xf16>
  load (%v: !f16_view, %i: index, %k: index) {
    %c16 = arith.constant 16 : index
    %half = arith.constant 8 : index
    %lane = gpu.lane_id upper_bound 32
    %down = arith.remui %lane, %c16 : index
    %right = arith.divui %lane, %c16 : index
    %across = arith.muli %right, %half : index
    %row = arith.addi %i, %down : index
    %column = arith.addi %k, %across : index
    %fragment = nvgpu.ldmatrix %v[%row, %column] {numTiles = 4 : i32, transpose = false} : !f16_view -> vector<4x2xf16>
    ucmoh.yield %fragment : vector<4x2xf16>
  }

  ucmoh.fragment @matrix_16x8_f16 : vector<2x2xf16>
  load (%v: !f16_view, %k: index, %column: index) {
    %c16 = arith.constant 16 : index
    %lane = gpu.lane_id upper_bound 32
    %down = arith.remui %lane, %c16 : index
    %row = arith.addi %k, %down : index
    %fragment = nvgpu.ldmatrix %v[%row, %column] {numTiles = 2 : i32, transpose = true} : !f16_view -> vector<2x2xf16>
    ucmoh.yield %fragment : vector<2x2xf16>
  }

  ucmoh.fragment @sums_16x8_f32 : vector<2x2xf32>
  load (%v: !f32_view, %i: index, %j: index) {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %lane = gpu.lane_id upper_bound 32
    %group = arith.divui %lane, %c4 : index
    %inGroup = arith.remui %lane, %c4 : index
    %across = arith.muli %inGroup, %c2 : index
    %upper = arith.addi %i, %group : index
    %lower = arith.addi %upper, %c8 : index
    %column = arith.addi %j, %across : index
    %first = vector.load %v[%upper, %column] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %second = vector.load %v[%lower, %column] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %none = arith.constant dense<0.0> : vector<2x2xf32>
    %half = vector.insert %first, %none[0] : vector<2xf32> into vector<2x2xf32>
    %fragment = vector.insert %second, %half[1] : vector<2xf32> into vector<2x2xf32>
    ucmoh.yield %fragment : vector<2x2xf32>
  }
  zero () {
    %fragment = arith.constant dense<0.0> : vector<2x2xf32>
    ucmoh.yield %fragment : vector<2x2xf32>
  }
  store (%d: vector<2x2xf32>, %v: !f32_view, %i: index, %j: index) {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %lane = gpu.lane_id upper_bound 32
    %group = arith.divui %lane, %c4 : index
    %inGroup = arith.remui %lane, %c4 : index
    %across = arith.muli %inGroup, %c2 : index
    %upper = arith.addi %i, %group : index
    %lower = arith.addi %upper, %c8 : index
    %column = arith.addi %j, %across : index
    %first = vector.extract %d[0] : vector<2xf32> from vector<2x2xf32>
    %second = vector.extract %d[1] : vector<2xf32> from vector<2x2xf32>
    vector.store %first, %v[%upper, %column] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    vector.store %second, %v[%lower, %column] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    ucmoh.yield
  }

  ucmoh.fragment @matrix_16x32_i8 : vector<4x4xi8>
  load (%v: !i8_view, %i: index, %k: index) {
    %c16 = arith.constant 16 : index
    %half = arith.constant 16 : index
    %lane = gpu.lane_id upper_bound 32
    %down = arith.remui %lane, %c16 : index
    %right = arith.divui %lane, %c16 : index
    %across = arith.muli %right, %half : index
    %row = arith.addi %i, %down : index
    %column = arith.addi %k, %across : index
    %fragment = nvgpu.ldmatrix %v[%row, %column] {numTiles = 4 : i32, transpose = false} : !i8_view -> vector<4x4xi8>
    ucmoh.yield %fragment : vector<4x4xi8>
  }

  ucmoh.fragment @matrix_32x8_i8 : vector<2x4xi8>
  load (%v: !i8_view, %k: index, %j: index) {
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
    %fragment = nvgpu.ldmatrix %v[%row, %column] {numTiles = 2 : i32, transpose = false} : !i8_view -> vector<2x4xi8>
    ucmoh.yield %fragment : vector<2x4xi8>
  }

  ucmoh.fragment @sums_16x8_i32 : vector<2x2xi32>
  load (%v: !i32_view, %i: index, %j: index) {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %lane = gpu.lane_id upper_bound 32
    %group = arith.divui %lane, %c4 : index
    %inGroup = arith.remui %lane, %c4 : index
    %across = arith.muli %inGroup, %c2 : index
    %upper = arith.addi %i, %group : index
    %lower = arith.addi %upper, %c8 : index
    %column = arith.addi %j, %across : index
    %first = vector.load %v[%upper, %column] {alignment = 8 : i64} : !i32_view, vector<2xi32>
    %second = vector.load %v[%lower, %column] {alignment = 8 : i64} : !i32_view, vector<2xi32>
    %none = arith.constant dense<0> : vector<2x2xi32>
    %half = vector.insert %first, %none[0] : vector<2xi32> into vector<2x2xi32>
    %fragment = vector.insert %second, %half[1] : vector<2xi32> into vector<2x2xi32>
    ucmoh.yield %fragment : vector<2x2xi32>
  }
  zero () {
    %fragment = arith.constant dense<0> : vector<2x2xi32>
    ucmoh.yield %fragment : vector<2x2xi32>
  }
  store (%d: vector<2x2xi32>, %v: !i32_view, %i: index, %j: index) {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %lane = gpu.lane_id upper_bound 32
    %group = arith.divui %lane, %c4 : index
    %inGroup = arith.remui %lane, %c4 : index
    %across = arith.muli %inGroup, %c2 : index
    %upper = arith.addi %i, %group : index
    %lower = arith.addi %upper, %c8 : index
    %column = arith.addi %j, %across : index
    %first = vector.extract %d[0] : vector<2xi32> from vector<2x2xi32>
    %second = vector.extract %d[1] : vector<2xi32> from vector<2x2xi32>
    vector.store %first, %v[%upper, %column] {alignment = 8 : i64} : !i32_view, vector<2xi32>
    vector.store %second, %v[%lower, %column] {alignment = 8 : i64} : !i32_view, vector<2xi32>
    ucmoh.yield
  }

  ucmoh.intrinsic @mma_m16n8k16_f16_f32 shape [16, 8, 16] types(f16, f16, f32) mnemonic("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32") subgroup_size(32)
  lhs @matrix_16x16_f16 rhs @matrix_16x8_f16 acc @sums_16x8_f32
  compute (%a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf32>) {
    %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    ucmoh.yield %d : vector<2x2xf32>
  }

  ucmoh.intrinsic @mma_m16n8k16_f16_f16 shape [16, 8, 16] types(f16, f16, f16) mnemonic("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16") subgroup_size(32)
  lhs @matrix_16x16_f16 rhs @matrix_16x8_f16
  load_acc (%v: !f16_view, %i: index, %j: index) {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %lane = gpu.lane_id upper_bound 32
    %group = arith.divui %lane, %c4 : index
    %inGroup = arith.remui %lane, %c4 : index
    %across = arith.muli %inGroup, %c2 : index
    %upper = arith.addi %i, %group : index
    %lower = arith.addi %upper, %c8 : index
    %column = arith.addi %j, %across : index
    %first = vector.load %v[%upper, %column] {alignment = 4 : i64} : !f16_view, vector<2xf16>
    %second = vector.load %v[%lower, %column] {alignment = 4 : i64} : !f16_view, vector<2xf16>
    %none = arith.constant dense<0.0> : vector<2x2xf16>
    %half = vector.insert %first, %none[0] : vector<2xf16> into vector<2x2xf16>
    %fragment = vector.insert %second, %half[1] : vector<2xf16> into vector<2x2xf16>
    ucmoh.yield %fragment : vector<2x2xf16>
  }
  zero () {
    %fragment = arith.constant dense<0.0> : vector<2x2xf16>
    ucmoh.yield %fragment : vector<2x2xf16>
  }
  compute (%a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>) {
    %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
    ucmoh.yield %d : vector<2x2xf16>
  }
  store (%d: vector<2x2xf16>, %v: !f16_view, %i: index, %j: index) {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %lane = gpu.lane_id upper_bound 32
    %group = arith.divui %lane, %c4 : index
    %inGroup = arith.remui %lane, %c4 : index
    %across = arith.muli %inGroup, %c2 : index
    %upper = arith.addi %i, %group : index
    %lower = arith.addi %upper, %c8 : index
    %column = arith.addi %j, %across : index
    %first = vector.extract %d[0] : vector<2xf16> from vector<2x2xf16>
    %second = vector.extract %d[1] : vector<2xf16> from vector<2x2xf16>
    vector.store %first, %v[%upper, %column] {alignment = 4 : i64} : !f16_view, vector<2xf16>
    vector.store %second, %v[%lower, %column] {alignment = 4 : i64} : !f16_view, vector<2xf16>
    ucmoh.yield
  }

  ucmoh.intrinsic @mma_m16n8k16_bf16_f32 shape [16, 8, 16] types(bf16, bf16, f32) mnemonic("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32") subgroup_size(32)
  acc @sums_16x8_f32
  load_lhs (%v: !bf16_view, %i: index, %k: index) {
    %c16 = arith.constant 16 : index
    %half = arith.constant 8 : index
    %lane = gpu.lane_id upper_bound 32
    %down = arith.remui %lane, %c16 : index
    %right = arith.divui %lane, %c16 : index
    %across = arith.muli %right, %half : index
    %row = arith.addi %i, %down : index
    %column = arith.addi %k, %across : index
    %fragment = nvgpu.ldmatrix %v[%row, %column] {numTiles = 4 : i32, transpose = false} : !bf16_view -> vector<4x2xbf16>
    ucmoh.yield %fragment : vector<4x2xbf16>
  }
  load_rhs (%v: !bf16_view, %k: index, %column: index) {
    %c16 = arith.constant 16 : index
    %lane = gpu.lane_id upper_bound 32
    %down = arith.remui %lane, %c16 : index
    %row = arith.addi %k, %down : index
    %fragment = nvgpu.ldmatrix %v[%row, %column] {numTiles = 2 : i32, transpose = true} : !bf16_view -> vector<2x2xbf16>
    ucmoh.yield %fragment : vector<2x2xbf16>
  }
  compute (%a: vector<4x2xbf16>, %b: vector<2x2xbf16>, %c: vector<2x2xf32>) {
    %words = vector.bitcast %a : vector<4x2xbf16> to vector<4x1xi32>
    %as:4 = ucmoh.registers %words : vector<4x1xi32>
    %wordsOfB = vector.bitcast %b : vector<2x2xbf16> to vector<2x1xi32>
    %bs:2 = ucmoh.registers %wordsOfB : vector<2x1xi32>
    %cs:4 = ucmoh.registers %c : vector<2x2xf32>
    %r = llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.bf16"(%as#0, %as#1, %as#2, %as#3, %bs#0, %bs#1, %cs#0, %cs#1, %cs#2, %cs#3) : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> !f32_4
    %ds:4 = ucmoh.registers %r : !f32_4
    %d = vector.from_elements %ds#0, %ds#1, %ds#2, %ds#3 : vector<2x2xf32>
    ucmoh.yield %d : vector<2x2xf32>
  }

  ucmoh.intrinsic @mma_m16n8k32_s8_s8 shape [16, 8, 32] types(si8, si8, si32) mnemonic("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32") k_interleave(16) subgroup_size(32)
  lhs @matrix_16x32_i8 rhs @matrix_32x8_i8 acc @sums_16x8_i32
  compute (%a: vector<4x4xi8>, %b: vector<2x4xi8>, %c: vector<2x2xi32>) {
    %words = vector.bitcast %a : vector<4x4xi8> to vector<4x1xi32>
    %as:4 = ucmoh.registers %words : vector<4x1xi32>
    %wordsOfB = vector.bitcast %b : vector<2x4xi8> to vector<2x1xi32>
    %bs:2 = ucmoh.registers %wordsOfB : vector<2x1xi32>
    %cs:4 = ucmoh.registers %c : vector<2x2xi32>
    %r = llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.s8"(%as#0, %as#1, %as#2, %as#3, %bs#0, %bs#1, %cs#0, %cs#1, %cs#2, %cs#3) : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> !i32_4
    %ds:4 = ucmoh.registers %r : !i32_4
    %d = vector.from_elements %ds#0, %ds#1, %ds#2, %ds#3 : vector<2x2xi32>
    ucmoh.yield %d : vector<2x2xi32>
  }

  ucmoh.intrinsic @mma_m16n8k32_u8_s8 shape [16, 8, 32] types(ui8, si8, si32) mnemonic("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32") k_interleave(16) subgroup_size(32)
  lhs @matrix_16x32_i8 rhs @matrix_32x8_i8 acc @sums_16x8_i32
  compute (%a: vector<4x4xi8>, %b: vector<2x4xi8>, %c: vector<2x2xi32>) {
    %words = vector.bitcast %a : vector<4x4xi8> to vector<4x1xi32>
    %as:4 = ucmoh.registers %words : vector<4x1xi32>
    %wordsOfB = vector.bitcast %b : vector<2x4xi8> to vector<2x1xi32>
    %bs:2 = ucmoh.registers %wordsOfB : vector<2x1xi32>
    %cs:4 = ucmoh.registers %c : vector<2x2xi32>
    %r = llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.u8.s8"(%as#0, %as#1, %as#2, %as#3, %bs#0, %bs#1, %cs#0, %cs#1, %cs#2, %cs#3) : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> !i32_4
    %ds:4 = ucmoh.registers %r : !i32_4
    %d = vector.from_elements %ds#0, %ds#1, %ds#2, %ds#3 : vector<2x2xi32>
    ucmoh.yield %d : vector<2x2xi32>
  }

  ucmoh.intrinsic @mma_m16n8k32_s8_u8 shape [16, 8, 32] types(si8, ui8, si32) mnemonic("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32") k_interleave(16) subgroup_size(32)
  lhs @matrix_16x32_i8 rhs @matrix_32x8_i8 acc @sums_16x8_i32
  compute (%a: vector<4x4xi8>, %b: vector<2x4xi8>, %c: vector<2x2xi32>) {
    %words = vector.bitcast %a : vector<4x4xi8> to vector<4x1xi32>
    %as:4 = ucmoh.registers %words : vector<4x1xi32>
    %wordsOfB = vector.bitcast %b : vector<2x4xi8> to vector<2x1xi32>
    %bs:2 = ucmoh.registers %wordsOfB : vector<2x1xi32>
    %cs:4 = ucmoh.registers %c : vector<2x2xi32>
    %r = llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.s8.u8"(%as#0, %as#1, %as#2, %as#3, %bs#0, %bs#1, %cs#0, %cs#1, %cs#2, %cs#3) : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> !i32_4
    %ds:4 = ucmoh.registers %r : !i32_4
    %d = vector.from_elements %ds#0, %ds#1, %ds#2, %ds#3 : vector<2x2xi32>
    ucmoh.yield %d : vector<2x2xi32>
  }

  ucmoh.intrinsic @mma_m16n8k32_u8_u8 shape [16, 8, 32] types(ui8, ui8, si32) mnemonic("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32") k_interleave(16) subgroup_size(32)
  lhs @matrix_16x32_i8 rhs @matrix_32x8_i8 acc @sums_16x8_i32
  compute (%a: vector<4x4xi8>, %b: vector<2x4xi8>, %c: vector<2x2xi32>) {
    %words = vector.bitcast %a : vector<4x4xi8> to vector<4x1xi32>
    %as:4 = ucmoh.registers %words : vector<4x1xi32>
    %wordsOfB = vector.bitcast %b : vector<2x4xi8> to vector<2x1xi32>
    %bs:2 = ucmoh.registers %wordsOfB : vector<2x1xi32>
    %cs:4 = ucmoh.registers %c : vector<2x2xi32>
    %r = llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.u8"(%as#0, %as#1, %as#2, %as#3, %bs#0, %bs#1, %cs#0, %cs#1, %cs#2, %cs#3) : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> !i32_4
    %ds:4 = ucmoh.registers %r : !i32_4
    %d = vector.from_elements %ds#0, %ds#1, %ds#2, %ds#3 : vector<2x2xi32>
    ucmoh.yield %d : vector<2x2xi32>
  }
}
