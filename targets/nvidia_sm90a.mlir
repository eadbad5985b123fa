// NVIDIA Hopper: wgmma on a warpgroup of four warps, lhs from registers, rhs from shared memory by descriptor.
// Semantics, layouts of fragments and descriptors: PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions". Panels of rhs are
// core matrices of 8 columns x 16 bytes one after the other, without swizzle: 128 bytes between neighbours along n, a row of
// the panel between neighbours along k. LLVM 22 has no intrinsic for it, so the instruction is written as assembly; each
// execution waits for its result. Writes to shared memory become visible to it by fence.proxy.async.
// Shared memory: that of one block on compute capability 9.0; padding: see nvidia_sm80.mlir.

!f16_view = memref<?x?xf16, strided<[?, 1], offset: ?>, #gpu.address_space<workgroup>>
!bf16_view = memref<?x?xbf16, strided<[?, 1], offset: ?>, #gpu.address_space<workgroup>>
!f32_view = memref<?x?xf32, strided<[?, 1], offset: ?>, #gpu.address_space<workgroup>>

// The sums of one thread, as the instruction has them.
!f32_32 = !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>

ucmoh.target @nvidia_sm90a triple("nvptx64-nvidia-cuda") features("sm_90a") registers(255 x 32)
    device(#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx80">) driver("libcuda.so.1") shared_memory(232448) row_padding(16) threads(1024) {
  // Rows of a block by bulk copies (the copy engine of TMA): of whole multiples of 16 bytes, counted in bytes by an mbarrier in
  // shared memory. What threads wrote themselves is in order with them by fence.proxy.async, before they arrive and after the wait.
  // One thread begins them one after the other: with the rows of 128 bytes to 1 KiB that blocks have, products take twice as
  // long on an H200 as with copies by all threads (docs/results/devices.md, measured 2026-11-27). Longer rows were not measured.
  ucmoh.async_copy @cp_async_bulk bytes(16) barrier(8) shortest(2048)
  init (%barrier: !llvm.ptr<3>, %threads: i32) {
    nvvm.mbarrier.init %barrier, %threads : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    ucmoh.yield
  }
  copy (%to: !llvm.ptr<3>, %from: !llvm.ptr<1>, %bytes: i32, %barrier: !llvm.ptr<3>) {
    nvvm.mbarrier.expect_tx %barrier, %bytes : !llvm.ptr<3>, i32
    %inCluster = llvm.addrspacecast %to : !llvm.ptr<3> to !llvm.ptr<7>
    nvvm.cp.async.bulk.shared.cluster.global %inCluster, %from, %barrier, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
    ucmoh.yield
  }
  commit (%barrier: !llvm.ptr<3>) {
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    %state = nvvm.mbarrier.arrive %barrier : !llvm.ptr<3> -> i64
    ucmoh.yield
  }
  wait (%barrier: !llvm.ptr<3>, %parity: i32) {
    %nanoseconds = llvm.mlir.constant(10000000 : i32) : i32
    nvvm.mbarrier.try_wait.parity %barrier, %parity, %nanoseconds : !llvm.ptr<3>, i32, i32
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    ucmoh.yield
  }
  ucmoh.async_copy @cp_async_16 bytes(16) like(@nvidia_sm80::@cp_async_16)
  wait (%pending: i32) {
    llvm.call_intrinsic "llvm.nvvm.cp.async.wait.group"(%pending) : (i32) -> ()
    llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;", "" : () -> ()
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

  ucmoh.fragment @sums_64x64_f32 : vector<16x2xf32>
  load (%v: !f32_view, %i: index, %j: index) {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %thread = gpu.thread_id x
    %inGroup = arith.remui %thread, %c128 : index
    %warp = arith.divui %inGroup, %c32 : index
    %lane = arith.remui %inGroup, %c32 : index
    %warpRow = arith.muli %warp, %c16 : index
    %first = arith.addi %i, %warpRow : index
    %quad = arith.divui %lane, %c4 : index
    %inQuad = arith.remui %lane, %c4 : index
    %across = arith.muli %inQuad, %c2 : index
    %upper = arith.addi %first, %quad : index
    %lower = arith.addi %upper, %c8 : index
    %column = arith.addi %j, %across : index
    %f0 = arith.constant dense<0.0> : vector<16x2xf32>
    %v0 = vector.load %v[%upper, %column] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %f1 = vector.insert %v0, %f0[0] : vector<2xf32> into vector<16x2xf32>
    %v1 = vector.load %v[%lower, %column] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %f2 = vector.insert %v1, %f1[1] : vector<2xf32> into vector<16x2xf32>
    %o8 = arith.constant 8 : index
    %at8 = arith.addi %column, %o8 : index
    %v2 = vector.load %v[%upper, %at8] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %f3 = vector.insert %v2, %f2[2] : vector<2xf32> into vector<16x2xf32>
    %v3 = vector.load %v[%lower, %at8] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %f4 = vector.insert %v3, %f3[3] : vector<2xf32> into vector<16x2xf32>
    %o16 = arith.constant 16 : index
    %at16 = arith.addi %column, %o16 : index
    %v4 = vector.load %v[%upper, %at16] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %f5 = vector.insert %v4, %f4[4] : vector<2xf32> into vector<16x2xf32>
    %v5 = vector.load %v[%lower, %at16] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %f6 = vector.insert %v5, %f5[5] : vector<2xf32> into vector<16x2xf32>
    %o24 = arith.constant 24 : index
    %at24 = arith.addi %column, %o24 : index
    %v6 = vector.load %v[%upper, %at24] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %f7 = vector.insert %v6, %f6[6] : vector<2xf32> into vector<16x2xf32>
    %v7 = vector.load %v[%lower, %at24] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %f8 = vector.insert %v7, %f7[7] : vector<2xf32> into vector<16x2xf32>
    %o32 = arith.constant 32 : index
    %at32 = arith.addi %column, %o32 : index
    %v8 = vector.load %v[%upper, %at32] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %f9 = vector.insert %v8, %f8[8] : vector<2xf32> into vector<16x2xf32>
    %v9 = vector.load %v[%lower, %at32] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %f10 = vector.insert %v9, %f9[9] : vector<2xf32> into vector<16x2xf32>
    %o40 = arith.constant 40 : index
    %at40 = arith.addi %column, %o40 : index
    %v10 = vector.load %v[%upper, %at40] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %f11 = vector.insert %v10, %f10[10] : vector<2xf32> into vector<16x2xf32>
    %v11 = vector.load %v[%lower, %at40] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %f12 = vector.insert %v11, %f11[11] : vector<2xf32> into vector<16x2xf32>
    %o48 = arith.constant 48 : index
    %at48 = arith.addi %column, %o48 : index
    %v12 = vector.load %v[%upper, %at48] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %f13 = vector.insert %v12, %f12[12] : vector<2xf32> into vector<16x2xf32>
    %v13 = vector.load %v[%lower, %at48] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %f14 = vector.insert %v13, %f13[13] : vector<2xf32> into vector<16x2xf32>
    %o56 = arith.constant 56 : index
    %at56 = arith.addi %column, %o56 : index
    %v14 = vector.load %v[%upper, %at56] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %f15 = vector.insert %v14, %f14[14] : vector<2xf32> into vector<16x2xf32>
    %v15 = vector.load %v[%lower, %at56] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %f16 = vector.insert %v15, %f15[15] : vector<2xf32> into vector<16x2xf32>
    ucmoh.yield %f16 : vector<16x2xf32>
  }
  zero () {
    %fragment = arith.constant dense<0.0> : vector<16x2xf32>
    ucmoh.yield %fragment : vector<16x2xf32>
  }
  store (%d: vector<16x2xf32>, %v: !f32_view, %i: index, %j: index) {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %thread = gpu.thread_id x
    %inGroup = arith.remui %thread, %c128 : index
    %warp = arith.divui %inGroup, %c32 : index
    %lane = arith.remui %inGroup, %c32 : index
    %warpRow = arith.muli %warp, %c16 : index
    %first = arith.addi %i, %warpRow : index
    %quad = arith.divui %lane, %c4 : index
    %inQuad = arith.remui %lane, %c4 : index
    %across = arith.muli %inQuad, %c2 : index
    %upper = arith.addi %first, %quad : index
    %lower = arith.addi %upper, %c8 : index
    %column = arith.addi %j, %across : index
    %v0 = vector.extract %d[0] : vector<2xf32> from vector<16x2xf32>
    vector.store %v0, %v[%upper, %column] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %v1 = vector.extract %d[1] : vector<2xf32> from vector<16x2xf32>
    vector.store %v1, %v[%lower, %column] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %o8 = arith.constant 8 : index
    %at8 = arith.addi %column, %o8 : index
    %v2 = vector.extract %d[2] : vector<2xf32> from vector<16x2xf32>
    vector.store %v2, %v[%upper, %at8] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %v3 = vector.extract %d[3] : vector<2xf32> from vector<16x2xf32>
    vector.store %v3, %v[%lower, %at8] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %o16 = arith.constant 16 : index
    %at16 = arith.addi %column, %o16 : index
    %v4 = vector.extract %d[4] : vector<2xf32> from vector<16x2xf32>
    vector.store %v4, %v[%upper, %at16] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %v5 = vector.extract %d[5] : vector<2xf32> from vector<16x2xf32>
    vector.store %v5, %v[%lower, %at16] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %o24 = arith.constant 24 : index
    %at24 = arith.addi %column, %o24 : index
    %v6 = vector.extract %d[6] : vector<2xf32> from vector<16x2xf32>
    vector.store %v6, %v[%upper, %at24] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %v7 = vector.extract %d[7] : vector<2xf32> from vector<16x2xf32>
    vector.store %v7, %v[%lower, %at24] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %o32 = arith.constant 32 : index
    %at32 = arith.addi %column, %o32 : index
    %v8 = vector.extract %d[8] : vector<2xf32> from vector<16x2xf32>
    vector.store %v8, %v[%upper, %at32] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %v9 = vector.extract %d[9] : vector<2xf32> from vector<16x2xf32>
    vector.store %v9, %v[%lower, %at32] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %o40 = arith.constant 40 : index
    %at40 = arith.addi %column, %o40 : index
    %v10 = vector.extract %d[10] : vector<2xf32> from vector<16x2xf32>
    vector.store %v10, %v[%upper, %at40] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %v11 = vector.extract %d[11] : vector<2xf32> from vector<16x2xf32>
    vector.store %v11, %v[%lower, %at40] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %o48 = arith.constant 48 : index
    %at48 = arith.addi %column, %o48 : index
    %v12 = vector.extract %d[12] : vector<2xf32> from vector<16x2xf32>
    vector.store %v12, %v[%upper, %at48] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %v13 = vector.extract %d[13] : vector<2xf32> from vector<16x2xf32>
    vector.store %v13, %v[%lower, %at48] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %o56 = arith.constant 56 : index
    %at56 = arith.addi %column, %o56 : index
    %v14 = vector.extract %d[14] : vector<2xf32> from vector<16x2xf32>
    vector.store %v14, %v[%upper, %at56] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    %v15 = vector.extract %d[15] : vector<2xf32> from vector<16x2xf32>
    vector.store %v15, %v[%lower, %at56] {alignment = 8 : i64} : !f32_view, vector<2xf32>
    ucmoh.yield
  }

  ucmoh.intrinsic @wgmma_m64n64k16_f16_f32 shape [64, 64, 16] types(f16, f16, f32) mnemonic("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16") k_interleave(8) subgroup_size(128)
  acc @sums_64x64_f32
  load_lhs (%v: !f16_view, %i: index, %k: index) {
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %thread = gpu.thread_id x
    %inGroup = arith.remui %thread, %c128 : index
    %warp = arith.divui %inGroup, %c32 : index
    %lane = arith.remui %inGroup, %c32 : index
    %warpRow = arith.muli %warp, %c16 : index
    %first = arith.addi %i, %warpRow : index
    %down = arith.remui %lane, %c16 : index
    %right = arith.divui %lane, %c16 : index
    %across = arith.muli %right, %c8 : index
    %row = arith.addi %first, %down : index
    %column = arith.addi %k, %across : index
    %fragment = nvgpu.ldmatrix %v[%row, %column] {numTiles = 4 : i32, transpose = false} : !f16_view -> vector<4x2xf16>
    ucmoh.yield %fragment : vector<4x2xf16>
  }
  load_rhs (%v: !f16_view, %k: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !f16_view -> memref<f16, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 2 : index
    %start = memref.extract_aligned_pointer_as_index %v : !f16_view -> index
    %rows = arith.muli %k, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %address = arith.index_cast %where : index to i64
    %rowBytes = arith.muli %strides#0, %size : index
    %row = arith.index_cast %rowBytes : index to i64
    // In units of 16 bytes: the address in bits 0 to 13, the distance along k from bit 16 on, along n from bit 32 on.
    %c4 = arith.constant 4 : i64
    %c12 = arith.constant 12 : i64
    %bits = arith.constant 262143 : i64
    %alongN = arith.constant 34359738368 : i64
    %low = arith.andi %address, %bits : i64
    %from = arith.shrui %low, %c4 : i64
    %alongK = arith.shli %row, %c12 : i64
    %both = arith.ori %from, %alongK : i64
    %descriptor = arith.ori %both, %alongN : i64
    %none = llvm.mlir.undef : !llvm.struct<(i64)>
    %fragment = llvm.insertvalue %descriptor, %none[0] : !llvm.struct<(i64)>
    ucmoh.yield %fragment : !llvm.struct<(i64)>
  }
  compute (%a: vector<4x2xf16>, %b: !llvm.struct<(i64)>, %c: vector<16x2xf32>) {
    %words = vector.bitcast %a : vector<4x2xf16> to vector<4x1xi32>
    %as:4 = ucmoh.registers %words : vector<4x1xi32>
    %descriptor = llvm.extractvalue %b[0] : !llvm.struct<(i64)>
    %cs:32 = ucmoh.registers %c : vector<16x2xf32>
    %r = llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;\0A\09wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, {$32, $33, $34, $35}, $36, 1, 1, 1, 0;\0A\09wgmma.commit_group.sync.aligned;\0A\09wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,r,r,r,r,l,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31" %as#0, %as#1, %as#2, %as#3, %descriptor, %cs#0, %cs#1, %cs#2, %cs#3, %cs#4, %cs#5, %cs#6, %cs#7, %cs#8, %cs#9, %cs#10, %cs#11, %cs#12, %cs#13, %cs#14, %cs#15, %cs#16, %cs#17, %cs#18, %cs#19, %cs#20, %cs#21, %cs#22, %cs#23, %cs#24, %cs#25, %cs#26, %cs#27, %cs#28, %cs#29, %cs#30, %cs#31 : (i32, i32, i32, i32, i64, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) -> !f32_32
    %ds:32 = ucmoh.registers %r : !f32_32
    %d = vector.from_elements %ds#0, %ds#1, %ds#2, %ds#3, %ds#4, %ds#5, %ds#6, %ds#7, %ds#8, %ds#9, %ds#10, %ds#11, %ds#12, %ds#13, %ds#14, %ds#15, %ds#16, %ds#17, %ds#18, %ds#19, %ds#20, %ds#21, %ds#22, %ds#23, %ds#24, %ds#25, %ds#26, %ds#27, %ds#28, %ds#29, %ds#30, %ds#31 : vector<16x2xf32>
    ucmoh.yield %d : vector<16x2xf32>
  }

  ucmoh.intrinsic @wgmma_m64n64k16_bf16_f32 shape [64, 64, 16] types(bf16, bf16, f32) mnemonic("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16") k_interleave(8) subgroup_size(128)
  acc @sums_64x64_f32
  load_lhs (%v: !bf16_view, %i: index, %k: index) {
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %thread = gpu.thread_id x
    %inGroup = arith.remui %thread, %c128 : index
    %warp = arith.divui %inGroup, %c32 : index
    %lane = arith.remui %inGroup, %c32 : index
    %warpRow = arith.muli %warp, %c16 : index
    %first = arith.addi %i, %warpRow : index
    %down = arith.remui %lane, %c16 : index
    %right = arith.divui %lane, %c16 : index
    %across = arith.muli %right, %c8 : index
    %row = arith.addi %first, %down : index
    %column = arith.addi %k, %across : index
    %fragment = nvgpu.ldmatrix %v[%row, %column] {numTiles = 4 : i32, transpose = false} : !bf16_view -> vector<4x2xbf16>
    ucmoh.yield %fragment : vector<4x2xbf16>
  }
  load_rhs (%v: !bf16_view, %k: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !bf16_view -> memref<bf16, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 2 : index
    %start = memref.extract_aligned_pointer_as_index %v : !bf16_view -> index
    %rows = arith.muli %k, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %address = arith.index_cast %where : index to i64
    %rowBytes = arith.muli %strides#0, %size : index
    %row = arith.index_cast %rowBytes : index to i64
    // In units of 16 bytes: the address in bits 0 to 13, the distance along k from bit 16 on, along n from bit 32 on.
    %c4 = arith.constant 4 : i64
    %c12 = arith.constant 12 : i64
    %bits = arith.constant 262143 : i64
    %alongN = arith.constant 34359738368 : i64
    %low = arith.andi %address, %bits : i64
    %from = arith.shrui %low, %c4 : i64
    %alongK = arith.shli %row, %c12 : i64
    %both = arith.ori %from, %alongK : i64
    %descriptor = arith.ori %both, %alongN : i64
    %none = llvm.mlir.undef : !llvm.struct<(i64)>
    %fragment = llvm.insertvalue %descriptor, %none[0] : !llvm.struct<(i64)>
    ucmoh.yield %fragment : !llvm.struct<(i64)>
  }
  compute (%a: vector<4x2xbf16>, %b: !llvm.struct<(i64)>, %c: vector<16x2xf32>) {
    %words = vector.bitcast %a : vector<4x2xbf16> to vector<4x1xi32>
    %as:4 = ucmoh.registers %words : vector<4x1xi32>
    %descriptor = llvm.extractvalue %b[0] : !llvm.struct<(i64)>
    %cs:32 = ucmoh.registers %c : vector<16x2xf32>
    %r = llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;\0A\09wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, {$32, $33, $34, $35}, $36, 1, 1, 1, 0;\0A\09wgmma.commit_group.sync.aligned;\0A\09wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,r,r,r,r,l,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31" %as#0, %as#1, %as#2, %as#3, %descriptor, %cs#0, %cs#1, %cs#2, %cs#3, %cs#4, %cs#5, %cs#6, %cs#7, %cs#8, %cs#9, %cs#10, %cs#11, %cs#12, %cs#13, %cs#14, %cs#15, %cs#16, %cs#17, %cs#18, %cs#19, %cs#20, %cs#21, %cs#22, %cs#23, %cs#24, %cs#25, %cs#26, %cs#27, %cs#28, %cs#29, %cs#30, %cs#31 : (i32, i32, i32, i32, i64, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) -> !f32_32
    %ds:32 = ucmoh.registers %r : !f32_32
    %d = vector.from_elements %ds#0, %ds#1, %ds#2, %ds#3, %ds#4, %ds#5, %ds#6, %ds#7, %ds#8, %ds#9, %ds#10, %ds#11, %ds#12, %ds#13, %ds#14, %ds#15, %ds#16, %ds#17, %ds#18, %ds#19, %ds#20, %ds#21, %ds#22, %ds#23, %ds#24, %ds#25, %ds#26, %ds#27, %ds#28, %ds#29, %ds#30, %ds#31 : vector<16x2xf32>
    ucmoh.yield %d : vector<16x2xf32>
  }
}
