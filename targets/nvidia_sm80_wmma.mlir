// NVIDIA tensor cores by the portable warp-level operations wmma, on compute capability 8.0 and up (the operations are
// older, the asynchronous copies are not). Their three shapes are those of the data set published with UniCoMo.
// Semantics: PTX ISA, "Warp-level Matrix Instructions: wmma"; layouts of fragments are opaque. Rows of matrices must be aligned
// to the 32 bytes of 16 elements f16, so the padding is 32 and columns of rhs lie one after the other.
// Shared memory: see nvidia_sm80.mlir.

!f16_view = memref<?x?xf16, strided<[?, 1], offset: ?>, #gpu.address_space<workgroup>>
!f32_view = memref<?x?xf32, strided<[?, 1], offset: ?>, #gpu.address_space<workgroup>>
!i8_view = memref<?x?xi8, strided<[?, 1], offset: ?>, #gpu.address_space<workgroup>>
!i32_view = memref<?x?xi32, strided<[?, 1], offset: ?>, #gpu.address_space<workgroup>>

// Fragments as the instructions have them.
!f16_8x2 = !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
!f16_4x2 = !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
!f32_8 = !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
!i32_2 = !llvm.struct<(i32, i32)>
!i32_4 = !llvm.struct<(i32, i32, i32, i32)>
!i32_8 = !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>

ucmoh.target @nvidia_sm80_wmma extends([@nvidia_sm80::@cp_async_16, @nvidia_sm80::@cp_async_8, @nvidia_sm80::@cp_async_4])
    triple("nvptx64-nvidia-cuda") features("sm_80") registers(255 x 32)
    device(#nvvm.target<O = 3, chip = "sm_80", features = "+ptx70">) driver("libcuda.so.1") shared_memory(101376) row_padding(32) threads(1024) {
  ucmoh.fragment @lhs_16x16_f16 : !f16_8x2
  load (%v: !f16_view, %i: index, %k: index) {
    %p, %ldm = ucmoh.address %v[%i, %k] : !f16_view -> !llvm.ptr<3>
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !f16_8x2
    ucmoh.yield %fragment : !f16_8x2
  }

  ucmoh.fragment @rhs_16x16_f16 : !f16_8x2
  load (%v: !f16_view, %k: index, %j: index) {
    %p, %distance = ucmoh.address %v[%k, %j] : !f16_view -> !llvm.ptr<3>
    %ldm = arith.constant 16 : i32
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.load.b.col.stride.f16.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !f16_8x2
    ucmoh.yield %fragment : !f16_8x2
  }

  ucmoh.fragment @lhs_32x16_f16 : !f16_8x2
  load (%v: !f16_view, %i: index, %k: index) {
    %p, %ldm = ucmoh.address %v[%i, %k] : !f16_view -> !llvm.ptr<3>
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.load.a.row.stride.f16.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !f16_8x2
    ucmoh.yield %fragment : !f16_8x2
  }

  ucmoh.fragment @rhs_16x8_f16 : !f16_8x2
  load (%v: !f16_view, %k: index, %j: index) {
    %p, %distance = ucmoh.address %v[%k, %j] : !f16_view -> !llvm.ptr<3>
    %ldm = arith.constant 16 : i32
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.load.b.col.stride.f16.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !f16_8x2
    ucmoh.yield %fragment : !f16_8x2
  }

  ucmoh.fragment @lhs_8x16_f16 : !f16_8x2
  load (%v: !f16_view, %i: index, %k: index) {
    %p, %ldm = ucmoh.address %v[%i, %k] : !f16_view -> !llvm.ptr<3>
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.load.a.row.stride.f16.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !f16_8x2
    ucmoh.yield %fragment : !f16_8x2
  }

  ucmoh.fragment @rhs_16x32_f16 : !f16_8x2
  load (%v: !f16_view, %k: index, %j: index) {
    %p, %distance = ucmoh.address %v[%k, %j] : !f16_view -> !llvm.ptr<3>
    %ldm = arith.constant 16 : i32
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.load.b.col.stride.f16.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !f16_8x2
    ucmoh.yield %fragment : !f16_8x2
  }

  ucmoh.intrinsic @wmma_16x16x16_f16_f32 shape [16, 16, 16] types(f16, f16, f32) mnemonic("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32") k_interleave(16) subgroup_size(32)
  lhs @lhs_16x16_f16 rhs @rhs_16x16_f16
  load_acc (%v: !f32_view, %i: index, %j: index) {
    %p, %ldm = ucmoh.address %v[%i, %j] : !f32_view -> !llvm.ptr<3>
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.load.c.row.stride.f32.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !f32_8
    ucmoh.yield %fragment : !f32_8
  }
  zero () {
    %fragment = llvm.mlir.zero : !f32_8
    ucmoh.yield %fragment : !f32_8
  }
  compute (%a: !f16_8x2, %b: !f16_8x2, %c: !f32_8) {
    %as:8 = ucmoh.registers %a : !f16_8x2
    %bs:8 = ucmoh.registers %b : !f16_8x2
    %cs:8 = ucmoh.registers %c : !f32_8
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.mma.row.col.f32.f32"(%as#0, %as#1, %as#2, %as#3, %as#4, %as#5, %as#6, %as#7, %bs#0, %bs#1, %bs#2, %bs#3, %bs#4, %bs#5, %bs#6, %bs#7, %cs#0, %cs#1, %cs#2, %cs#3, %cs#4, %cs#5, %cs#6, %cs#7) : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, f32, f32, f32, f32, f32, f32, f32, f32) -> !f32_8
    ucmoh.yield %fragment : !f32_8
  }
  store (%d: !f32_8, %v: !f32_view, %i: index, %j: index) {
    %p, %ldm = ucmoh.address %v[%i, %j] : !f32_view -> !llvm.ptr<3>
    %ds:8 = ucmoh.registers %d : !f32_8
    llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f32.p3"(%p, %ds#0, %ds#1, %ds#2, %ds#3, %ds#4, %ds#5, %ds#6, %ds#7, %ldm) : (!llvm.ptr<3>, f32, f32, f32, f32, f32, f32, f32, f32, i32) -> ()
    ucmoh.yield
  }

  ucmoh.intrinsic @wmma_16x16x16_f16_f16 shape [16, 16, 16] types(f16, f16, f16) mnemonic("wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16") k_interleave(16) subgroup_size(32)
  lhs @lhs_16x16_f16 rhs @rhs_16x16_f16
  load_acc (%v: !f16_view, %i: index, %j: index) {
    %p, %ldm = ucmoh.address %v[%i, %j] : !f16_view -> !llvm.ptr<3>
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.load.c.row.stride.f16.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !f16_4x2
    ucmoh.yield %fragment : !f16_4x2
  }
  zero () {
    %fragment = llvm.mlir.zero : !f16_4x2
    ucmoh.yield %fragment : !f16_4x2
  }
  compute (%a: !f16_8x2, %b: !f16_8x2, %c: !f16_4x2) {
    %as:8 = ucmoh.registers %a : !f16_8x2
    %bs:8 = ucmoh.registers %b : !f16_8x2
    %cs:4 = ucmoh.registers %c : !f16_4x2
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.mma.row.col.f16.f16"(%as#0, %as#1, %as#2, %as#3, %as#4, %as#5, %as#6, %as#7, %bs#0, %bs#1, %bs#2, %bs#3, %bs#4, %bs#5, %bs#6, %bs#7, %cs#0, %cs#1, %cs#2, %cs#3) : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !f16_4x2
    ucmoh.yield %fragment : !f16_4x2
  }
  store (%d: !f16_4x2, %v: !f16_view, %i: index, %j: index) {
    %p, %ldm = ucmoh.address %v[%i, %j] : !f16_view -> !llvm.ptr<3>
    %ds:4 = ucmoh.registers %d : !f16_4x2
    llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f16.p3"(%p, %ds#0, %ds#1, %ds#2, %ds#3, %ldm) : (!llvm.ptr<3>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, i32) -> ()
    ucmoh.yield
  }

  ucmoh.intrinsic @wmma_16x16x16_s8_s32 shape [16, 16, 16] types(si8, si8, si32) mnemonic("wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32") k_interleave(16) subgroup_size(32)
  load_lhs (%v: !i8_view, %i: index, %k: index) {
    %p, %ldm = ucmoh.address %v[%i, %k] : !i8_view -> !llvm.ptr<3>
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.load.a.row.stride.s8.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !i32_2
    ucmoh.yield %fragment : !i32_2
  }
  load_rhs (%v: !i8_view, %k: index, %j: index) {
    %p, %distance = ucmoh.address %v[%k, %j] : !i8_view -> !llvm.ptr<3>
    %ldm = arith.constant 16 : i32
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.load.b.col.stride.s8.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !i32_2
    ucmoh.yield %fragment : !i32_2
  }
  load_acc (%v: !i32_view, %i: index, %j: index) {
    %p, %ldm = ucmoh.address %v[%i, %j] : !i32_view -> !llvm.ptr<3>
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.load.c.row.stride.s32.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !i32_8
    ucmoh.yield %fragment : !i32_8
  }
  zero () {
    %fragment = llvm.mlir.zero : !i32_8
    ucmoh.yield %fragment : !i32_8
  }
  compute (%a: !i32_2, %b: !i32_2, %c: !i32_8) {
    %as:2 = ucmoh.registers %a : !i32_2
    %bs:2 = ucmoh.registers %b : !i32_2
    %cs:8 = ucmoh.registers %c : !i32_8
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.mma.row.col.s8"(%as#0, %as#1, %bs#0, %bs#1, %cs#0, %cs#1, %cs#2, %cs#3, %cs#4, %cs#5, %cs#6, %cs#7) : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> !i32_8
    ucmoh.yield %fragment : !i32_8
  }
  store (%d: !i32_8, %v: !i32_view, %i: index, %j: index) {
    %p, %ldm = ucmoh.address %v[%i, %j] : !i32_view -> !llvm.ptr<3>
    %ds:8 = ucmoh.registers %d : !i32_8
    llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.store.d.row.stride.s32.p3"(%p, %ds#0, %ds#1, %ds#2, %ds#3, %ds#4, %ds#5, %ds#6, %ds#7, %ldm) : (!llvm.ptr<3>, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> ()
    ucmoh.yield
  }

  ucmoh.intrinsic @wmma_32x8x16_f16_f32 shape [32, 8, 16] types(f16, f16, f32) mnemonic("wmma.mma.sync.aligned.row.col.m32n8k16.f32.f32") k_interleave(16) subgroup_size(32)
  lhs @lhs_32x16_f16 rhs @rhs_16x8_f16
  load_acc (%v: !f32_view, %i: index, %j: index) {
    %p, %ldm = ucmoh.address %v[%i, %j] : !f32_view -> !llvm.ptr<3>
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.load.c.row.stride.f32.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !f32_8
    ucmoh.yield %fragment : !f32_8
  }
  zero () {
    %fragment = llvm.mlir.zero : !f32_8
    ucmoh.yield %fragment : !f32_8
  }
  compute (%a: !f16_8x2, %b: !f16_8x2, %c: !f32_8) {
    %as:8 = ucmoh.registers %a : !f16_8x2
    %bs:8 = ucmoh.registers %b : !f16_8x2
    %cs:8 = ucmoh.registers %c : !f32_8
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.mma.row.col.f32.f32"(%as#0, %as#1, %as#2, %as#3, %as#4, %as#5, %as#6, %as#7, %bs#0, %bs#1, %bs#2, %bs#3, %bs#4, %bs#5, %bs#6, %bs#7, %cs#0, %cs#1, %cs#2, %cs#3, %cs#4, %cs#5, %cs#6, %cs#7) : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, f32, f32, f32, f32, f32, f32, f32, f32) -> !f32_8
    ucmoh.yield %fragment : !f32_8
  }
  store (%d: !f32_8, %v: !f32_view, %i: index, %j: index) {
    %p, %ldm = ucmoh.address %v[%i, %j] : !f32_view -> !llvm.ptr<3>
    %ds:8 = ucmoh.registers %d : !f32_8
    llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.store.d.row.stride.f32.p3"(%p, %ds#0, %ds#1, %ds#2, %ds#3, %ds#4, %ds#5, %ds#6, %ds#7, %ldm) : (!llvm.ptr<3>, f32, f32, f32, f32, f32, f32, f32, f32, i32) -> ()
    ucmoh.yield
  }

  ucmoh.intrinsic @wmma_32x8x16_f16_f16 shape [32, 8, 16] types(f16, f16, f16) mnemonic("wmma.mma.sync.aligned.row.col.m32n8k16.f16.f16") k_interleave(16) subgroup_size(32)
  lhs @lhs_32x16_f16 rhs @rhs_16x8_f16
  load_acc (%v: !f16_view, %i: index, %j: index) {
    %p, %ldm = ucmoh.address %v[%i, %j] : !f16_view -> !llvm.ptr<3>
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.load.c.row.stride.f16.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !f16_4x2
    ucmoh.yield %fragment : !f16_4x2
  }
  zero () {
    %fragment = llvm.mlir.zero : !f16_4x2
    ucmoh.yield %fragment : !f16_4x2
  }
  compute (%a: !f16_8x2, %b: !f16_8x2, %c: !f16_4x2) {
    %as:8 = ucmoh.registers %a : !f16_8x2
    %bs:8 = ucmoh.registers %b : !f16_8x2
    %cs:4 = ucmoh.registers %c : !f16_4x2
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.mma.row.col.f16.f16"(%as#0, %as#1, %as#2, %as#3, %as#4, %as#5, %as#6, %as#7, %bs#0, %bs#1, %bs#2, %bs#3, %bs#4, %bs#5, %bs#6, %bs#7, %cs#0, %cs#1, %cs#2, %cs#3) : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !f16_4x2
    ucmoh.yield %fragment : !f16_4x2
  }
  store (%d: !f16_4x2, %v: !f16_view, %i: index, %j: index) {
    %p, %ldm = ucmoh.address %v[%i, %j] : !f16_view -> !llvm.ptr<3>
    %ds:4 = ucmoh.registers %d : !f16_4x2
    llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.store.d.row.stride.f16.p3"(%p, %ds#0, %ds#1, %ds#2, %ds#3, %ldm) : (!llvm.ptr<3>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, i32) -> ()
    ucmoh.yield
  }

  ucmoh.intrinsic @wmma_32x8x16_s8_s32 shape [32, 8, 16] types(si8, si8, si32) mnemonic("wmma.mma.sync.aligned.row.col.m32n8k16.s32.s8.s8.s32") k_interleave(16) subgroup_size(32)
  load_lhs (%v: !i8_view, %i: index, %k: index) {
    %p, %ldm = ucmoh.address %v[%i, %k] : !i8_view -> !llvm.ptr<3>
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.load.a.row.stride.s8.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !i32_4
    ucmoh.yield %fragment : !i32_4
  }
  load_rhs (%v: !i8_view, %k: index, %j: index) {
    %p, %distance = ucmoh.address %v[%k, %j] : !i8_view -> !llvm.ptr<3>
    %ldm = arith.constant 16 : i32
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.load.b.col.stride.s8.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> i32
    %fragment = vector.from_elements %r : vector<1xi32>
    ucmoh.yield %fragment : vector<1xi32>
  }
  load_acc (%v: !i32_view, %i: index, %j: index) {
    %p, %ldm = ucmoh.address %v[%i, %j] : !i32_view -> !llvm.ptr<3>
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.load.c.row.stride.s32.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !i32_8
    ucmoh.yield %fragment : !i32_8
  }
  zero () {
    %fragment = llvm.mlir.zero : !i32_8
    ucmoh.yield %fragment : !i32_8
  }
  compute (%a: !i32_4, %b: vector<1xi32>, %c: !i32_8) {
    %as:4 = ucmoh.registers %a : !i32_4
    %b0 = vector.extract %b[0] : i32 from vector<1xi32>
    %cs:8 = ucmoh.registers %c : !i32_8
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.mma.row.col.s8"(%as#0, %as#1, %as#2, %as#3, %b0, %cs#0, %cs#1, %cs#2, %cs#3, %cs#4, %cs#5, %cs#6, %cs#7) : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> !i32_8
    ucmoh.yield %fragment : !i32_8
  }
  store (%d: !i32_8, %v: !i32_view, %i: index, %j: index) {
    %p, %ldm = ucmoh.address %v[%i, %j] : !i32_view -> !llvm.ptr<3>
    %ds:8 = ucmoh.registers %d : !i32_8
    llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.store.d.row.stride.s32.p3"(%p, %ds#0, %ds#1, %ds#2, %ds#3, %ds#4, %ds#5, %ds#6, %ds#7, %ldm) : (!llvm.ptr<3>, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> ()
    ucmoh.yield
  }

  ucmoh.intrinsic @wmma_8x32x16_f16_f32 shape [8, 32, 16] types(f16, f16, f32) mnemonic("wmma.mma.sync.aligned.row.col.m8n32k16.f32.f32") k_interleave(16) subgroup_size(32)
  lhs @lhs_8x16_f16 rhs @rhs_16x32_f16
  load_acc (%v: !f32_view, %i: index, %j: index) {
    %p, %ldm = ucmoh.address %v[%i, %j] : !f32_view -> !llvm.ptr<3>
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.load.c.row.stride.f32.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !f32_8
    ucmoh.yield %fragment : !f32_8
  }
  zero () {
    %fragment = llvm.mlir.zero : !f32_8
    ucmoh.yield %fragment : !f32_8
  }
  compute (%a: !f16_8x2, %b: !f16_8x2, %c: !f32_8) {
    %as:8 = ucmoh.registers %a : !f16_8x2
    %bs:8 = ucmoh.registers %b : !f16_8x2
    %cs:8 = ucmoh.registers %c : !f32_8
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.mma.row.col.f32.f32"(%as#0, %as#1, %as#2, %as#3, %as#4, %as#5, %as#6, %as#7, %bs#0, %bs#1, %bs#2, %bs#3, %bs#4, %bs#5, %bs#6, %bs#7, %cs#0, %cs#1, %cs#2, %cs#3, %cs#4, %cs#5, %cs#6, %cs#7) : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, f32, f32, f32, f32, f32, f32, f32, f32) -> !f32_8
    ucmoh.yield %fragment : !f32_8
  }
  store (%d: !f32_8, %v: !f32_view, %i: index, %j: index) {
    %p, %ldm = ucmoh.address %v[%i, %j] : !f32_view -> !llvm.ptr<3>
    %ds:8 = ucmoh.registers %d : !f32_8
    llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.store.d.row.stride.f32.p3"(%p, %ds#0, %ds#1, %ds#2, %ds#3, %ds#4, %ds#5, %ds#6, %ds#7, %ldm) : (!llvm.ptr<3>, f32, f32, f32, f32, f32, f32, f32, f32, i32) -> ()
    ucmoh.yield
  }

  ucmoh.intrinsic @wmma_8x32x16_f16_f16 shape [8, 32, 16] types(f16, f16, f16) mnemonic("wmma.mma.sync.aligned.row.col.m8n32k16.f16.f16") k_interleave(16) subgroup_size(32)
  lhs @lhs_8x16_f16 rhs @rhs_16x32_f16
  load_acc (%v: !f16_view, %i: index, %j: index) {
    %p, %ldm = ucmoh.address %v[%i, %j] : !f16_view -> !llvm.ptr<3>
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.load.c.row.stride.f16.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !f16_4x2
    ucmoh.yield %fragment : !f16_4x2
  }
  zero () {
    %fragment = llvm.mlir.zero : !f16_4x2
    ucmoh.yield %fragment : !f16_4x2
  }
  compute (%a: !f16_8x2, %b: !f16_8x2, %c: !f16_4x2) {
    %as:8 = ucmoh.registers %a : !f16_8x2
    %bs:8 = ucmoh.registers %b : !f16_8x2
    %cs:4 = ucmoh.registers %c : !f16_4x2
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.mma.row.col.f16.f16"(%as#0, %as#1, %as#2, %as#3, %as#4, %as#5, %as#6, %as#7, %bs#0, %bs#1, %bs#2, %bs#3, %bs#4, %bs#5, %bs#6, %bs#7, %cs#0, %cs#1, %cs#2, %cs#3) : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !f16_4x2
    ucmoh.yield %fragment : !f16_4x2
  }
  store (%d: !f16_4x2, %v: !f16_view, %i: index, %j: index) {
    %p, %ldm = ucmoh.address %v[%i, %j] : !f16_view -> !llvm.ptr<3>
    %ds:4 = ucmoh.registers %d : !f16_4x2
    llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.store.d.row.stride.f16.p3"(%p, %ds#0, %ds#1, %ds#2, %ds#3, %ldm) : (!llvm.ptr<3>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, i32) -> ()
    ucmoh.yield
  }

  ucmoh.intrinsic @wmma_8x32x16_s8_s32 shape [8, 32, 16] types(si8, si8, si32) mnemonic("wmma.mma.sync.aligned.row.col.m8n32k16.s32.s8.s8.s32") k_interleave(16) subgroup_size(32)
  load_lhs (%v: !i8_view, %i: index, %k: index) {
    %p, %ldm = ucmoh.address %v[%i, %k] : !i8_view -> !llvm.ptr<3>
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.load.a.row.stride.s8.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> i32
    %fragment = vector.from_elements %r : vector<1xi32>
    ucmoh.yield %fragment : vector<1xi32>
  }
  load_rhs (%v: !i8_view, %k: index, %j: index) {
    %p, %distance = ucmoh.address %v[%k, %j] : !i8_view -> !llvm.ptr<3>
    %ldm = arith.constant 16 : i32
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.load.b.col.stride.s8.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !i32_4
    ucmoh.yield %fragment : !i32_4
  }
  load_acc (%v: !i32_view, %i: index, %j: index) {
    %p, %ldm = ucmoh.address %v[%i, %j] : !i32_view -> !llvm.ptr<3>
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.load.c.row.stride.s32.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !i32_8
    ucmoh.yield %fragment : !i32_8
  }
  zero () {
    %fragment = llvm.mlir.zero : !i32_8
    ucmoh.yield %fragment : !i32_8
  }
  compute (%a: vector<1xi32>, %b: !i32_4, %c: !i32_8) {
    %a0 = vector.extract %a[0] : i32 from vector<1xi32>
    %bs:4 = ucmoh.registers %b : !i32_4
    %cs:8 = ucmoh.registers %c : !i32_8
    %fragment = llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.mma.row.col.s8"(%a0, %bs#0, %bs#1, %bs#2, %bs#3, %cs#0, %cs#1, %cs#2, %cs#3, %cs#4, %cs#5, %cs#6, %cs#7) : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> !i32_8
    ucmoh.yield %fragment : !i32_8
  }
  store (%d: !i32_8, %v: !i32_view, %i: index, %j: index) {
    %p, %ldm = ucmoh.address %v[%i, %j] : !i32_view -> !llvm.ptr<3>
    %ds:8 = ucmoh.registers %d : !i32_8
    llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.store.d.row.stride.s32.p3"(%p, %ds#0, %ds#1, %ds#2, %ds#3, %ds#4, %ds#5, %ds#6, %ds#7, %ldm) : (!llvm.ptr<3>, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> ()
    ucmoh.yield
  }
}
