// NVIDIA tensor cores by the portable warp-level operations wmma, on compute capability 8.0 and up (the operations are
// older, the asynchronous copies are not). Their three shapes are those of the data set published with UniCoMo.
// Semantics: PTX ISA, "Warp-level Matrix Instructions: wmma"; layouts of fragments are opaque. Rows of matrices must be aligned
// to the 32 bytes of 16 elements f16, so the padding is 32 and columns of rhs lie one after the other.
// Shared memory: see nvidia_sm80.mlir.

!f16_view = memref<?x?xf16, strided<[?, 1], offset: ?>, #gpu.address_space<workgroup>>
!f32_view = memref<?x?xf32, strided<[?, 1], offset: ?>, #gpu.address_space<workgroup>>
!i8_view = memref<?x?xi8, strided<[?, 1], offset: ?>, #gpu.address_space<workgroup>>
!i32_view = memref<?x?xi32, strided<[?, 1], offset: ?>, #gpu.address_space<workgroup>>

ucmoh.target @nvidia_sm80_wmma extends([@nvidia_sm80::@cp_async_16, @nvidia_sm80::@cp_async_8, @nvidia_sm80::@cp_async_4])
    triple("nvptx64-nvidia-cuda") features("sm_80") registers(255 x 32)
    device(#nvvm.target<O = 3, chip = "sm_80", features = "+ptx70">) driver("libcuda.so.1") shared_memory(101376) row_padding(32) threads(1024) {
  ucmoh.fragment @lhs_16x16_f16 : vector<8x2xf16>
  load (%v: !f16_view, %i: index, %k: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !f16_view -> memref<f16, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 2 : index
    %start = memref.extract_aligned_pointer_as_index %v : !f16_view -> index
    %rows = arith.muli %i, %strides#0 : index
    %inRow = arith.addi %rows, %k : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.index_cast %strides#0 : index to i32
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w4 = llvm.extractvalue %r[4] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w5 = llvm.extractvalue %r[5] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w6 = llvm.extractvalue %r[6] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w7 = llvm.extractvalue %r[7] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %f0 = arith.constant dense<0.0> : vector<8x2xf16>
    %f1 = vector.insert %w0, %f0[0] : vector<2xf16> into vector<8x2xf16>
    %f2 = vector.insert %w1, %f1[1] : vector<2xf16> into vector<8x2xf16>
    %f3 = vector.insert %w2, %f2[2] : vector<2xf16> into vector<8x2xf16>
    %f4 = vector.insert %w3, %f3[3] : vector<2xf16> into vector<8x2xf16>
    %f5 = vector.insert %w4, %f4[4] : vector<2xf16> into vector<8x2xf16>
    %f6 = vector.insert %w5, %f5[5] : vector<2xf16> into vector<8x2xf16>
    %f7 = vector.insert %w6, %f6[6] : vector<2xf16> into vector<8x2xf16>
    %fragment = vector.insert %w7, %f7[7] : vector<2xf16> into vector<8x2xf16>
    ucmoh.yield %fragment : vector<8x2xf16>
  }

  ucmoh.fragment @rhs_16x16_f16 : vector<8x2xf16>
  load (%v: !f16_view, %k: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !f16_view -> memref<f16, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 2 : index
    %start = memref.extract_aligned_pointer_as_index %v : !f16_view -> index
    %rows = arith.muli %k, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.constant 16 : i32
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.load.b.col.stride.f16.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w4 = llvm.extractvalue %r[4] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w5 = llvm.extractvalue %r[5] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w6 = llvm.extractvalue %r[6] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w7 = llvm.extractvalue %r[7] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %f0 = arith.constant dense<0.0> : vector<8x2xf16>
    %f1 = vector.insert %w0, %f0[0] : vector<2xf16> into vector<8x2xf16>
    %f2 = vector.insert %w1, %f1[1] : vector<2xf16> into vector<8x2xf16>
    %f3 = vector.insert %w2, %f2[2] : vector<2xf16> into vector<8x2xf16>
    %f4 = vector.insert %w3, %f3[3] : vector<2xf16> into vector<8x2xf16>
    %f5 = vector.insert %w4, %f4[4] : vector<2xf16> into vector<8x2xf16>
    %f6 = vector.insert %w5, %f5[5] : vector<2xf16> into vector<8x2xf16>
    %f7 = vector.insert %w6, %f6[6] : vector<2xf16> into vector<8x2xf16>
    %fragment = vector.insert %w7, %f7[7] : vector<2xf16> into vector<8x2xf16>
    ucmoh.yield %fragment : vector<8x2xf16>
  }

  ucmoh.fragment @lhs_32x16_f16 : vector<8x2xf16>
  load (%v: !f16_view, %i: index, %k: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !f16_view -> memref<f16, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 2 : index
    %start = memref.extract_aligned_pointer_as_index %v : !f16_view -> index
    %rows = arith.muli %i, %strides#0 : index
    %inRow = arith.addi %rows, %k : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.index_cast %strides#0 : index to i32
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.load.a.row.stride.f16.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w4 = llvm.extractvalue %r[4] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w5 = llvm.extractvalue %r[5] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w6 = llvm.extractvalue %r[6] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w7 = llvm.extractvalue %r[7] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %f0 = arith.constant dense<0.0> : vector<8x2xf16>
    %f1 = vector.insert %w0, %f0[0] : vector<2xf16> into vector<8x2xf16>
    %f2 = vector.insert %w1, %f1[1] : vector<2xf16> into vector<8x2xf16>
    %f3 = vector.insert %w2, %f2[2] : vector<2xf16> into vector<8x2xf16>
    %f4 = vector.insert %w3, %f3[3] : vector<2xf16> into vector<8x2xf16>
    %f5 = vector.insert %w4, %f4[4] : vector<2xf16> into vector<8x2xf16>
    %f6 = vector.insert %w5, %f5[5] : vector<2xf16> into vector<8x2xf16>
    %f7 = vector.insert %w6, %f6[6] : vector<2xf16> into vector<8x2xf16>
    %fragment = vector.insert %w7, %f7[7] : vector<2xf16> into vector<8x2xf16>
    ucmoh.yield %fragment : vector<8x2xf16>
  }

  ucmoh.fragment @rhs_16x8_f16 : vector<8x2xf16>
  load (%v: !f16_view, %k: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !f16_view -> memref<f16, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 2 : index
    %start = memref.extract_aligned_pointer_as_index %v : !f16_view -> index
    %rows = arith.muli %k, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.constant 16 : i32
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.load.b.col.stride.f16.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w4 = llvm.extractvalue %r[4] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w5 = llvm.extractvalue %r[5] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w6 = llvm.extractvalue %r[6] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w7 = llvm.extractvalue %r[7] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %f0 = arith.constant dense<0.0> : vector<8x2xf16>
    %f1 = vector.insert %w0, %f0[0] : vector<2xf16> into vector<8x2xf16>
    %f2 = vector.insert %w1, %f1[1] : vector<2xf16> into vector<8x2xf16>
    %f3 = vector.insert %w2, %f2[2] : vector<2xf16> into vector<8x2xf16>
    %f4 = vector.insert %w3, %f3[3] : vector<2xf16> into vector<8x2xf16>
    %f5 = vector.insert %w4, %f4[4] : vector<2xf16> into vector<8x2xf16>
    %f6 = vector.insert %w5, %f5[5] : vector<2xf16> into vector<8x2xf16>
    %f7 = vector.insert %w6, %f6[6] : vector<2xf16> into vector<8x2xf16>
    %fragment = vector.insert %w7, %f7[7] : vector<2xf16> into vector<8x2xf16>
    ucmoh.yield %fragment : vector<8x2xf16>
  }

  ucmoh.fragment @lhs_8x16_f16 : vector<8x2xf16>
  load (%v: !f16_view, %i: index, %k: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !f16_view -> memref<f16, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 2 : index
    %start = memref.extract_aligned_pointer_as_index %v : !f16_view -> index
    %rows = arith.muli %i, %strides#0 : index
    %inRow = arith.addi %rows, %k : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.index_cast %strides#0 : index to i32
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.load.a.row.stride.f16.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w4 = llvm.extractvalue %r[4] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w5 = llvm.extractvalue %r[5] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w6 = llvm.extractvalue %r[6] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w7 = llvm.extractvalue %r[7] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %f0 = arith.constant dense<0.0> : vector<8x2xf16>
    %f1 = vector.insert %w0, %f0[0] : vector<2xf16> into vector<8x2xf16>
    %f2 = vector.insert %w1, %f1[1] : vector<2xf16> into vector<8x2xf16>
    %f3 = vector.insert %w2, %f2[2] : vector<2xf16> into vector<8x2xf16>
    %f4 = vector.insert %w3, %f3[3] : vector<2xf16> into vector<8x2xf16>
    %f5 = vector.insert %w4, %f4[4] : vector<2xf16> into vector<8x2xf16>
    %f6 = vector.insert %w5, %f5[5] : vector<2xf16> into vector<8x2xf16>
    %f7 = vector.insert %w6, %f6[6] : vector<2xf16> into vector<8x2xf16>
    %fragment = vector.insert %w7, %f7[7] : vector<2xf16> into vector<8x2xf16>
    ucmoh.yield %fragment : vector<8x2xf16>
  }

  ucmoh.fragment @rhs_16x32_f16 : vector<8x2xf16>
  load (%v: !f16_view, %k: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !f16_view -> memref<f16, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 2 : index
    %start = memref.extract_aligned_pointer_as_index %v : !f16_view -> index
    %rows = arith.muli %k, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.constant 16 : i32
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.load.b.col.stride.f16.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w4 = llvm.extractvalue %r[4] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w5 = llvm.extractvalue %r[5] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w6 = llvm.extractvalue %r[6] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w7 = llvm.extractvalue %r[7] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %f0 = arith.constant dense<0.0> : vector<8x2xf16>
    %f1 = vector.insert %w0, %f0[0] : vector<2xf16> into vector<8x2xf16>
    %f2 = vector.insert %w1, %f1[1] : vector<2xf16> into vector<8x2xf16>
    %f3 = vector.insert %w2, %f2[2] : vector<2xf16> into vector<8x2xf16>
    %f4 = vector.insert %w3, %f3[3] : vector<2xf16> into vector<8x2xf16>
    %f5 = vector.insert %w4, %f4[4] : vector<2xf16> into vector<8x2xf16>
    %f6 = vector.insert %w5, %f5[5] : vector<2xf16> into vector<8x2xf16>
    %f7 = vector.insert %w6, %f6[6] : vector<2xf16> into vector<8x2xf16>
    %fragment = vector.insert %w7, %f7[7] : vector<2xf16> into vector<8x2xf16>
    ucmoh.yield %fragment : vector<8x2xf16>
  }

  ucmoh.intrinsic @wmma_16x16x16_f16_f32 shape [16, 16, 16] types(f16, f16, f32) mnemonic("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32") k_interleave(16) subgroup_size(32)
  lhs @lhs_16x16_f16 rhs @rhs_16x16_f16
  load_acc (%v: !f32_view, %i: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !f32_view -> memref<f32, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 4 : index
    %start = memref.extract_aligned_pointer_as_index %v : !f32_view -> index
    %rows = arith.muli %i, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.index_cast %strides#0 : index to i32
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.load.c.row.stride.f32.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w4 = llvm.extractvalue %r[4] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w5 = llvm.extractvalue %r[5] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w6 = llvm.extractvalue %r[6] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w7 = llvm.extractvalue %r[7] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %fragment = vector.from_elements %w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7 : vector<8xf32>
    ucmoh.yield %fragment : vector<8xf32>
  }
  zero () {
    %fragment = arith.constant dense<0.0> : vector<8xf32>
    ucmoh.yield %fragment : vector<8xf32>
  }
  compute (%a: vector<8x2xf16>, %b: vector<8x2xf16>, %c: vector<8xf32>) {
    %a0 = vector.extract %a[0] : vector<2xf16> from vector<8x2xf16>
    %a1 = vector.extract %a[1] : vector<2xf16> from vector<8x2xf16>
    %a2 = vector.extract %a[2] : vector<2xf16> from vector<8x2xf16>
    %a3 = vector.extract %a[3] : vector<2xf16> from vector<8x2xf16>
    %a4 = vector.extract %a[4] : vector<2xf16> from vector<8x2xf16>
    %a5 = vector.extract %a[5] : vector<2xf16> from vector<8x2xf16>
    %a6 = vector.extract %a[6] : vector<2xf16> from vector<8x2xf16>
    %a7 = vector.extract %a[7] : vector<2xf16> from vector<8x2xf16>
    %b0 = vector.extract %b[0] : vector<2xf16> from vector<8x2xf16>
    %b1 = vector.extract %b[1] : vector<2xf16> from vector<8x2xf16>
    %b2 = vector.extract %b[2] : vector<2xf16> from vector<8x2xf16>
    %b3 = vector.extract %b[3] : vector<2xf16> from vector<8x2xf16>
    %b4 = vector.extract %b[4] : vector<2xf16> from vector<8x2xf16>
    %b5 = vector.extract %b[5] : vector<2xf16> from vector<8x2xf16>
    %b6 = vector.extract %b[6] : vector<2xf16> from vector<8x2xf16>
    %b7 = vector.extract %b[7] : vector<2xf16> from vector<8x2xf16>
    %c0 = vector.extract %c[0] : f32 from vector<8xf32>
    %c1 = vector.extract %c[1] : f32 from vector<8xf32>
    %c2 = vector.extract %c[2] : f32 from vector<8xf32>
    %c3 = vector.extract %c[3] : f32 from vector<8xf32>
    %c4 = vector.extract %c[4] : f32 from vector<8xf32>
    %c5 = vector.extract %c[5] : f32 from vector<8xf32>
    %c6 = vector.extract %c[6] : f32 from vector<8xf32>
    %c7 = vector.extract %c[7] : f32 from vector<8xf32>
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.mma.row.col.f32.f32"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %b0, %b1, %b2, %b3, %b4, %b5, %b6, %b7, %c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7) : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, f32, f32, f32, f32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w4 = llvm.extractvalue %r[4] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w5 = llvm.extractvalue %r[5] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w6 = llvm.extractvalue %r[6] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w7 = llvm.extractvalue %r[7] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %fragment = vector.from_elements %w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7 : vector<8xf32>
    ucmoh.yield %fragment : vector<8xf32>
  }
  store (%d: vector<8xf32>, %v: !f32_view, %i: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !f32_view -> memref<f32, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 4 : index
    %start = memref.extract_aligned_pointer_as_index %v : !f32_view -> index
    %rows = arith.muli %i, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.index_cast %strides#0 : index to i32
    %d0 = vector.extract %d[0] : f32 from vector<8xf32>
    %d1 = vector.extract %d[1] : f32 from vector<8xf32>
    %d2 = vector.extract %d[2] : f32 from vector<8xf32>
    %d3 = vector.extract %d[3] : f32 from vector<8xf32>
    %d4 = vector.extract %d[4] : f32 from vector<8xf32>
    %d5 = vector.extract %d[5] : f32 from vector<8xf32>
    %d6 = vector.extract %d[6] : f32 from vector<8xf32>
    %d7 = vector.extract %d[7] : f32 from vector<8xf32>
    llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f32.p3"(%p, %d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7, %ldm) : (!llvm.ptr<3>, f32, f32, f32, f32, f32, f32, f32, f32, i32) -> ()
    ucmoh.yield
  }

  ucmoh.intrinsic @wmma_16x16x16_f16_f16 shape [16, 16, 16] types(f16, f16, f16) mnemonic("wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16") k_interleave(16) subgroup_size(32)
  lhs @lhs_16x16_f16 rhs @rhs_16x16_f16
  load_acc (%v: !f16_view, %i: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !f16_view -> memref<f16, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 2 : index
    %start = memref.extract_aligned_pointer_as_index %v : !f16_view -> index
    %rows = arith.muli %i, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.index_cast %strides#0 : index to i32
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.load.c.row.stride.f16.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %f0 = arith.constant dense<0.0> : vector<4x2xf16>
    %f1 = vector.insert %w0, %f0[0] : vector<2xf16> into vector<4x2xf16>
    %f2 = vector.insert %w1, %f1[1] : vector<2xf16> into vector<4x2xf16>
    %f3 = vector.insert %w2, %f2[2] : vector<2xf16> into vector<4x2xf16>
    %fragment = vector.insert %w3, %f3[3] : vector<2xf16> into vector<4x2xf16>
    ucmoh.yield %fragment : vector<4x2xf16>
  }
  zero () {
    %fragment = arith.constant dense<0.0> : vector<4x2xf16>
    ucmoh.yield %fragment : vector<4x2xf16>
  }
  compute (%a: vector<8x2xf16>, %b: vector<8x2xf16>, %c: vector<4x2xf16>) {
    %a0 = vector.extract %a[0] : vector<2xf16> from vector<8x2xf16>
    %a1 = vector.extract %a[1] : vector<2xf16> from vector<8x2xf16>
    %a2 = vector.extract %a[2] : vector<2xf16> from vector<8x2xf16>
    %a3 = vector.extract %a[3] : vector<2xf16> from vector<8x2xf16>
    %a4 = vector.extract %a[4] : vector<2xf16> from vector<8x2xf16>
    %a5 = vector.extract %a[5] : vector<2xf16> from vector<8x2xf16>
    %a6 = vector.extract %a[6] : vector<2xf16> from vector<8x2xf16>
    %a7 = vector.extract %a[7] : vector<2xf16> from vector<8x2xf16>
    %b0 = vector.extract %b[0] : vector<2xf16> from vector<8x2xf16>
    %b1 = vector.extract %b[1] : vector<2xf16> from vector<8x2xf16>
    %b2 = vector.extract %b[2] : vector<2xf16> from vector<8x2xf16>
    %b3 = vector.extract %b[3] : vector<2xf16> from vector<8x2xf16>
    %b4 = vector.extract %b[4] : vector<2xf16> from vector<8x2xf16>
    %b5 = vector.extract %b[5] : vector<2xf16> from vector<8x2xf16>
    %b6 = vector.extract %b[6] : vector<2xf16> from vector<8x2xf16>
    %b7 = vector.extract %b[7] : vector<2xf16> from vector<8x2xf16>
    %c0 = vector.extract %c[0] : vector<2xf16> from vector<4x2xf16>
    %c1 = vector.extract %c[1] : vector<2xf16> from vector<4x2xf16>
    %c2 = vector.extract %c[2] : vector<2xf16> from vector<4x2xf16>
    %c3 = vector.extract %c[3] : vector<2xf16> from vector<4x2xf16>
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.mma.row.col.f16.f16"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %b0, %b1, %b2, %b3, %b4, %b5, %b6, %b7, %c0, %c1, %c2, %c3) : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %f0 = arith.constant dense<0.0> : vector<4x2xf16>
    %f1 = vector.insert %w0, %f0[0] : vector<2xf16> into vector<4x2xf16>
    %f2 = vector.insert %w1, %f1[1] : vector<2xf16> into vector<4x2xf16>
    %f3 = vector.insert %w2, %f2[2] : vector<2xf16> into vector<4x2xf16>
    %fragment = vector.insert %w3, %f3[3] : vector<2xf16> into vector<4x2xf16>
    ucmoh.yield %fragment : vector<4x2xf16>
  }
  store (%d: vector<4x2xf16>, %v: !f16_view, %i: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !f16_view -> memref<f16, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 2 : index
    %start = memref.extract_aligned_pointer_as_index %v : !f16_view -> index
    %rows = arith.muli %i, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.index_cast %strides#0 : index to i32
    %d0 = vector.extract %d[0] : vector<2xf16> from vector<4x2xf16>
    %d1 = vector.extract %d[1] : vector<2xf16> from vector<4x2xf16>
    %d2 = vector.extract %d[2] : vector<2xf16> from vector<4x2xf16>
    %d3 = vector.extract %d[3] : vector<2xf16> from vector<4x2xf16>
    llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f16.p3"(%p, %d0, %d1, %d2, %d3, %ldm) : (!llvm.ptr<3>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, i32) -> ()
    ucmoh.yield
  }

  ucmoh.intrinsic @wmma_16x16x16_s8_s32 shape [16, 16, 16] types(si8, si8, si32) mnemonic("wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32") k_interleave(16) subgroup_size(32)
  load_lhs (%v: !i8_view, %i: index, %k: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !i8_view -> memref<i8, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 1 : index
    %start = memref.extract_aligned_pointer_as_index %v : !i8_view -> index
    %rows = arith.muli %i, %strides#0 : index
    %inRow = arith.addi %rows, %k : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.index_cast %strides#0 : index to i32
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.load.a.row.stride.s8.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !llvm.struct<(i32, i32)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(i32, i32)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(i32, i32)>
    %fragment = vector.from_elements %w0, %w1 : vector<2xi32>
    ucmoh.yield %fragment : vector<2xi32>
  }
  load_rhs (%v: !i8_view, %k: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !i8_view -> memref<i8, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 1 : index
    %start = memref.extract_aligned_pointer_as_index %v : !i8_view -> index
    %rows = arith.muli %k, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.constant 16 : i32
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.load.b.col.stride.s8.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !llvm.struct<(i32, i32)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(i32, i32)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(i32, i32)>
    %fragment = vector.from_elements %w0, %w1 : vector<2xi32>
    ucmoh.yield %fragment : vector<2xi32>
  }
  load_acc (%v: !i32_view, %i: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !i32_view -> memref<i32, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 4 : index
    %start = memref.extract_aligned_pointer_as_index %v : !i32_view -> index
    %rows = arith.muli %i, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.index_cast %strides#0 : index to i32
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.load.c.row.stride.s32.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w4 = llvm.extractvalue %r[4] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w5 = llvm.extractvalue %r[5] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w6 = llvm.extractvalue %r[6] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w7 = llvm.extractvalue %r[7] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %fragment = vector.from_elements %w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7 : vector<8xi32>
    ucmoh.yield %fragment : vector<8xi32>
  }
  zero () {
    %fragment = arith.constant dense<0> : vector<8xi32>
    ucmoh.yield %fragment : vector<8xi32>
  }
  compute (%a: vector<2xi32>, %b: vector<2xi32>, %c: vector<8xi32>) {
    %a0 = vector.extract %a[0] : i32 from vector<2xi32>
    %a1 = vector.extract %a[1] : i32 from vector<2xi32>
    %b0 = vector.extract %b[0] : i32 from vector<2xi32>
    %b1 = vector.extract %b[1] : i32 from vector<2xi32>
    %c0 = vector.extract %c[0] : i32 from vector<8xi32>
    %c1 = vector.extract %c[1] : i32 from vector<8xi32>
    %c2 = vector.extract %c[2] : i32 from vector<8xi32>
    %c3 = vector.extract %c[3] : i32 from vector<8xi32>
    %c4 = vector.extract %c[4] : i32 from vector<8xi32>
    %c5 = vector.extract %c[5] : i32 from vector<8xi32>
    %c6 = vector.extract %c[6] : i32 from vector<8xi32>
    %c7 = vector.extract %c[7] : i32 from vector<8xi32>
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.mma.row.col.s8"(%a0, %a1, %b0, %b1, %c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7) : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w4 = llvm.extractvalue %r[4] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w5 = llvm.extractvalue %r[5] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w6 = llvm.extractvalue %r[6] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w7 = llvm.extractvalue %r[7] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %fragment = vector.from_elements %w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7 : vector<8xi32>
    ucmoh.yield %fragment : vector<8xi32>
  }
  store (%d: vector<8xi32>, %v: !i32_view, %i: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !i32_view -> memref<i32, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 4 : index
    %start = memref.extract_aligned_pointer_as_index %v : !i32_view -> index
    %rows = arith.muli %i, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.index_cast %strides#0 : index to i32
    %d0 = vector.extract %d[0] : i32 from vector<8xi32>
    %d1 = vector.extract %d[1] : i32 from vector<8xi32>
    %d2 = vector.extract %d[2] : i32 from vector<8xi32>
    %d3 = vector.extract %d[3] : i32 from vector<8xi32>
    %d4 = vector.extract %d[4] : i32 from vector<8xi32>
    %d5 = vector.extract %d[5] : i32 from vector<8xi32>
    %d6 = vector.extract %d[6] : i32 from vector<8xi32>
    %d7 = vector.extract %d[7] : i32 from vector<8xi32>
    llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.store.d.row.stride.s32.p3"(%p, %d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7, %ldm) : (!llvm.ptr<3>, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> ()
    ucmoh.yield
  }

  ucmoh.intrinsic @wmma_32x8x16_f16_f32 shape [32, 8, 16] types(f16, f16, f32) mnemonic("wmma.mma.sync.aligned.row.col.m32n8k16.f32.f32") k_interleave(16) subgroup_size(32)
  lhs @lhs_32x16_f16 rhs @rhs_16x8_f16
  load_acc (%v: !f32_view, %i: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !f32_view -> memref<f32, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 4 : index
    %start = memref.extract_aligned_pointer_as_index %v : !f32_view -> index
    %rows = arith.muli %i, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.index_cast %strides#0 : index to i32
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.load.c.row.stride.f32.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w4 = llvm.extractvalue %r[4] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w5 = llvm.extractvalue %r[5] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w6 = llvm.extractvalue %r[6] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w7 = llvm.extractvalue %r[7] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %fragment = vector.from_elements %w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7 : vector<8xf32>
    ucmoh.yield %fragment : vector<8xf32>
  }
  zero () {
    %fragment = arith.constant dense<0.0> : vector<8xf32>
    ucmoh.yield %fragment : vector<8xf32>
  }
  compute (%a: vector<8x2xf16>, %b: vector<8x2xf16>, %c: vector<8xf32>) {
    %a0 = vector.extract %a[0] : vector<2xf16> from vector<8x2xf16>
    %a1 = vector.extract %a[1] : vector<2xf16> from vector<8x2xf16>
    %a2 = vector.extract %a[2] : vector<2xf16> from vector<8x2xf16>
    %a3 = vector.extract %a[3] : vector<2xf16> from vector<8x2xf16>
    %a4 = vector.extract %a[4] : vector<2xf16> from vector<8x2xf16>
    %a5 = vector.extract %a[5] : vector<2xf16> from vector<8x2xf16>
    %a6 = vector.extract %a[6] : vector<2xf16> from vector<8x2xf16>
    %a7 = vector.extract %a[7] : vector<2xf16> from vector<8x2xf16>
    %b0 = vector.extract %b[0] : vector<2xf16> from vector<8x2xf16>
    %b1 = vector.extract %b[1] : vector<2xf16> from vector<8x2xf16>
    %b2 = vector.extract %b[2] : vector<2xf16> from vector<8x2xf16>
    %b3 = vector.extract %b[3] : vector<2xf16> from vector<8x2xf16>
    %b4 = vector.extract %b[4] : vector<2xf16> from vector<8x2xf16>
    %b5 = vector.extract %b[5] : vector<2xf16> from vector<8x2xf16>
    %b6 = vector.extract %b[6] : vector<2xf16> from vector<8x2xf16>
    %b7 = vector.extract %b[7] : vector<2xf16> from vector<8x2xf16>
    %c0 = vector.extract %c[0] : f32 from vector<8xf32>
    %c1 = vector.extract %c[1] : f32 from vector<8xf32>
    %c2 = vector.extract %c[2] : f32 from vector<8xf32>
    %c3 = vector.extract %c[3] : f32 from vector<8xf32>
    %c4 = vector.extract %c[4] : f32 from vector<8xf32>
    %c5 = vector.extract %c[5] : f32 from vector<8xf32>
    %c6 = vector.extract %c[6] : f32 from vector<8xf32>
    %c7 = vector.extract %c[7] : f32 from vector<8xf32>
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.mma.row.col.f32.f32"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %b0, %b1, %b2, %b3, %b4, %b5, %b6, %b7, %c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7) : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, f32, f32, f32, f32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w4 = llvm.extractvalue %r[4] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w5 = llvm.extractvalue %r[5] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w6 = llvm.extractvalue %r[6] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w7 = llvm.extractvalue %r[7] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %fragment = vector.from_elements %w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7 : vector<8xf32>
    ucmoh.yield %fragment : vector<8xf32>
  }
  store (%d: vector<8xf32>, %v: !f32_view, %i: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !f32_view -> memref<f32, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 4 : index
    %start = memref.extract_aligned_pointer_as_index %v : !f32_view -> index
    %rows = arith.muli %i, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.index_cast %strides#0 : index to i32
    %d0 = vector.extract %d[0] : f32 from vector<8xf32>
    %d1 = vector.extract %d[1] : f32 from vector<8xf32>
    %d2 = vector.extract %d[2] : f32 from vector<8xf32>
    %d3 = vector.extract %d[3] : f32 from vector<8xf32>
    %d4 = vector.extract %d[4] : f32 from vector<8xf32>
    %d5 = vector.extract %d[5] : f32 from vector<8xf32>
    %d6 = vector.extract %d[6] : f32 from vector<8xf32>
    %d7 = vector.extract %d[7] : f32 from vector<8xf32>
    llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.store.d.row.stride.f32.p3"(%p, %d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7, %ldm) : (!llvm.ptr<3>, f32, f32, f32, f32, f32, f32, f32, f32, i32) -> ()
    ucmoh.yield
  }

  ucmoh.intrinsic @wmma_32x8x16_f16_f16 shape [32, 8, 16] types(f16, f16, f16) mnemonic("wmma.mma.sync.aligned.row.col.m32n8k16.f16.f16") k_interleave(16) subgroup_size(32)
  lhs @lhs_32x16_f16 rhs @rhs_16x8_f16
  load_acc (%v: !f16_view, %i: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !f16_view -> memref<f16, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 2 : index
    %start = memref.extract_aligned_pointer_as_index %v : !f16_view -> index
    %rows = arith.muli %i, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.index_cast %strides#0 : index to i32
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.load.c.row.stride.f16.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %f0 = arith.constant dense<0.0> : vector<4x2xf16>
    %f1 = vector.insert %w0, %f0[0] : vector<2xf16> into vector<4x2xf16>
    %f2 = vector.insert %w1, %f1[1] : vector<2xf16> into vector<4x2xf16>
    %f3 = vector.insert %w2, %f2[2] : vector<2xf16> into vector<4x2xf16>
    %fragment = vector.insert %w3, %f3[3] : vector<2xf16> into vector<4x2xf16>
    ucmoh.yield %fragment : vector<4x2xf16>
  }
  zero () {
    %fragment = arith.constant dense<0.0> : vector<4x2xf16>
    ucmoh.yield %fragment : vector<4x2xf16>
  }
  compute (%a: vector<8x2xf16>, %b: vector<8x2xf16>, %c: vector<4x2xf16>) {
    %a0 = vector.extract %a[0] : vector<2xf16> from vector<8x2xf16>
    %a1 = vector.extract %a[1] : vector<2xf16> from vector<8x2xf16>
    %a2 = vector.extract %a[2] : vector<2xf16> from vector<8x2xf16>
    %a3 = vector.extract %a[3] : vector<2xf16> from vector<8x2xf16>
    %a4 = vector.extract %a[4] : vector<2xf16> from vector<8x2xf16>
    %a5 = vector.extract %a[5] : vector<2xf16> from vector<8x2xf16>
    %a6 = vector.extract %a[6] : vector<2xf16> from vector<8x2xf16>
    %a7 = vector.extract %a[7] : vector<2xf16> from vector<8x2xf16>
    %b0 = vector.extract %b[0] : vector<2xf16> from vector<8x2xf16>
    %b1 = vector.extract %b[1] : vector<2xf16> from vector<8x2xf16>
    %b2 = vector.extract %b[2] : vector<2xf16> from vector<8x2xf16>
    %b3 = vector.extract %b[3] : vector<2xf16> from vector<8x2xf16>
    %b4 = vector.extract %b[4] : vector<2xf16> from vector<8x2xf16>
    %b5 = vector.extract %b[5] : vector<2xf16> from vector<8x2xf16>
    %b6 = vector.extract %b[6] : vector<2xf16> from vector<8x2xf16>
    %b7 = vector.extract %b[7] : vector<2xf16> from vector<8x2xf16>
    %c0 = vector.extract %c[0] : vector<2xf16> from vector<4x2xf16>
    %c1 = vector.extract %c[1] : vector<2xf16> from vector<4x2xf16>
    %c2 = vector.extract %c[2] : vector<2xf16> from vector<4x2xf16>
    %c3 = vector.extract %c[3] : vector<2xf16> from vector<4x2xf16>
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.mma.row.col.f16.f16"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %b0, %b1, %b2, %b3, %b4, %b5, %b6, %b7, %c0, %c1, %c2, %c3) : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %f0 = arith.constant dense<0.0> : vector<4x2xf16>
    %f1 = vector.insert %w0, %f0[0] : vector<2xf16> into vector<4x2xf16>
    %f2 = vector.insert %w1, %f1[1] : vector<2xf16> into vector<4x2xf16>
    %f3 = vector.insert %w2, %f2[2] : vector<2xf16> into vector<4x2xf16>
    %fragment = vector.insert %w3, %f3[3] : vector<2xf16> into vector<4x2xf16>
    ucmoh.yield %fragment : vector<4x2xf16>
  }
  store (%d: vector<4x2xf16>, %v: !f16_view, %i: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !f16_view -> memref<f16, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 2 : index
    %start = memref.extract_aligned_pointer_as_index %v : !f16_view -> index
    %rows = arith.muli %i, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.index_cast %strides#0 : index to i32
    %d0 = vector.extract %d[0] : vector<2xf16> from vector<4x2xf16>
    %d1 = vector.extract %d[1] : vector<2xf16> from vector<4x2xf16>
    %d2 = vector.extract %d[2] : vector<2xf16> from vector<4x2xf16>
    %d3 = vector.extract %d[3] : vector<2xf16> from vector<4x2xf16>
    llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.store.d.row.stride.f16.p3"(%p, %d0, %d1, %d2, %d3, %ldm) : (!llvm.ptr<3>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, i32) -> ()
    ucmoh.yield
  }

  ucmoh.intrinsic @wmma_32x8x16_s8_s32 shape [32, 8, 16] types(si8, si8, si32) mnemonic("wmma.mma.sync.aligned.row.col.m32n8k16.s32.s8.s8.s32") k_interleave(16) subgroup_size(32)
  load_lhs (%v: !i8_view, %i: index, %k: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !i8_view -> memref<i8, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 1 : index
    %start = memref.extract_aligned_pointer_as_index %v : !i8_view -> index
    %rows = arith.muli %i, %strides#0 : index
    %inRow = arith.addi %rows, %k : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.index_cast %strides#0 : index to i32
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.load.a.row.stride.s8.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !llvm.struct<(i32, i32, i32, i32)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(i32, i32, i32, i32)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(i32, i32, i32, i32)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(i32, i32, i32, i32)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(i32, i32, i32, i32)>
    %fragment = vector.from_elements %w0, %w1, %w2, %w3 : vector<4xi32>
    ucmoh.yield %fragment : vector<4xi32>
  }
  load_rhs (%v: !i8_view, %k: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !i8_view -> memref<i8, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 1 : index
    %start = memref.extract_aligned_pointer_as_index %v : !i8_view -> index
    %rows = arith.muli %k, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.constant 16 : i32
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.load.b.col.stride.s8.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> i32
    %fragment = vector.from_elements %r : vector<1xi32>
    ucmoh.yield %fragment : vector<1xi32>
  }
  load_acc (%v: !i32_view, %i: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !i32_view -> memref<i32, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 4 : index
    %start = memref.extract_aligned_pointer_as_index %v : !i32_view -> index
    %rows = arith.muli %i, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.index_cast %strides#0 : index to i32
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.load.c.row.stride.s32.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w4 = llvm.extractvalue %r[4] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w5 = llvm.extractvalue %r[5] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w6 = llvm.extractvalue %r[6] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w7 = llvm.extractvalue %r[7] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %fragment = vector.from_elements %w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7 : vector<8xi32>
    ucmoh.yield %fragment : vector<8xi32>
  }
  zero () {
    %fragment = arith.constant dense<0> : vector<8xi32>
    ucmoh.yield %fragment : vector<8xi32>
  }
  compute (%a: vector<4xi32>, %b: vector<1xi32>, %c: vector<8xi32>) {
    %a0 = vector.extract %a[0] : i32 from vector<4xi32>
    %a1 = vector.extract %a[1] : i32 from vector<4xi32>
    %a2 = vector.extract %a[2] : i32 from vector<4xi32>
    %a3 = vector.extract %a[3] : i32 from vector<4xi32>
    %b0 = vector.extract %b[0] : i32 from vector<1xi32>
    %c0 = vector.extract %c[0] : i32 from vector<8xi32>
    %c1 = vector.extract %c[1] : i32 from vector<8xi32>
    %c2 = vector.extract %c[2] : i32 from vector<8xi32>
    %c3 = vector.extract %c[3] : i32 from vector<8xi32>
    %c4 = vector.extract %c[4] : i32 from vector<8xi32>
    %c5 = vector.extract %c[5] : i32 from vector<8xi32>
    %c6 = vector.extract %c[6] : i32 from vector<8xi32>
    %c7 = vector.extract %c[7] : i32 from vector<8xi32>
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.mma.row.col.s8"(%a0, %a1, %a2, %a3, %b0, %c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7) : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w4 = llvm.extractvalue %r[4] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w5 = llvm.extractvalue %r[5] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w6 = llvm.extractvalue %r[6] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w7 = llvm.extractvalue %r[7] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %fragment = vector.from_elements %w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7 : vector<8xi32>
    ucmoh.yield %fragment : vector<8xi32>
  }
  store (%d: vector<8xi32>, %v: !i32_view, %i: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !i32_view -> memref<i32, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 4 : index
    %start = memref.extract_aligned_pointer_as_index %v : !i32_view -> index
    %rows = arith.muli %i, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.index_cast %strides#0 : index to i32
    %d0 = vector.extract %d[0] : i32 from vector<8xi32>
    %d1 = vector.extract %d[1] : i32 from vector<8xi32>
    %d2 = vector.extract %d[2] : i32 from vector<8xi32>
    %d3 = vector.extract %d[3] : i32 from vector<8xi32>
    %d4 = vector.extract %d[4] : i32 from vector<8xi32>
    %d5 = vector.extract %d[5] : i32 from vector<8xi32>
    %d6 = vector.extract %d[6] : i32 from vector<8xi32>
    %d7 = vector.extract %d[7] : i32 from vector<8xi32>
    llvm.call_intrinsic "llvm.nvvm.wmma.m32n8k16.store.d.row.stride.s32.p3"(%p, %d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7, %ldm) : (!llvm.ptr<3>, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> ()
    ucmoh.yield
  }

  ucmoh.intrinsic @wmma_8x32x16_f16_f32 shape [8, 32, 16] types(f16, f16, f32) mnemonic("wmma.mma.sync.aligned.row.col.m8n32k16.f32.f32") k_interleave(16) subgroup_size(32)
  lhs @lhs_8x16_f16 rhs @rhs_16x32_f16
  load_acc (%v: !f32_view, %i: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !f32_view -> memref<f32, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 4 : index
    %start = memref.extract_aligned_pointer_as_index %v : !f32_view -> index
    %rows = arith.muli %i, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.index_cast %strides#0 : index to i32
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.load.c.row.stride.f32.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w4 = llvm.extractvalue %r[4] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w5 = llvm.extractvalue %r[5] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w6 = llvm.extractvalue %r[6] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w7 = llvm.extractvalue %r[7] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %fragment = vector.from_elements %w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7 : vector<8xf32>
    ucmoh.yield %fragment : vector<8xf32>
  }
  zero () {
    %fragment = arith.constant dense<0.0> : vector<8xf32>
    ucmoh.yield %fragment : vector<8xf32>
  }
  compute (%a: vector<8x2xf16>, %b: vector<8x2xf16>, %c: vector<8xf32>) {
    %a0 = vector.extract %a[0] : vector<2xf16> from vector<8x2xf16>
    %a1 = vector.extract %a[1] : vector<2xf16> from vector<8x2xf16>
    %a2 = vector.extract %a[2] : vector<2xf16> from vector<8x2xf16>
    %a3 = vector.extract %a[3] : vector<2xf16> from vector<8x2xf16>
    %a4 = vector.extract %a[4] : vector<2xf16> from vector<8x2xf16>
    %a5 = vector.extract %a[5] : vector<2xf16> from vector<8x2xf16>
    %a6 = vector.extract %a[6] : vector<2xf16> from vector<8x2xf16>
    %a7 = vector.extract %a[7] : vector<2xf16> from vector<8x2xf16>
    %b0 = vector.extract %b[0] : vector<2xf16> from vector<8x2xf16>
    %b1 = vector.extract %b[1] : vector<2xf16> from vector<8x2xf16>
    %b2 = vector.extract %b[2] : vector<2xf16> from vector<8x2xf16>
    %b3 = vector.extract %b[3] : vector<2xf16> from vector<8x2xf16>
    %b4 = vector.extract %b[4] : vector<2xf16> from vector<8x2xf16>
    %b5 = vector.extract %b[5] : vector<2xf16> from vector<8x2xf16>
    %b6 = vector.extract %b[6] : vector<2xf16> from vector<8x2xf16>
    %b7 = vector.extract %b[7] : vector<2xf16> from vector<8x2xf16>
    %c0 = vector.extract %c[0] : f32 from vector<8xf32>
    %c1 = vector.extract %c[1] : f32 from vector<8xf32>
    %c2 = vector.extract %c[2] : f32 from vector<8xf32>
    %c3 = vector.extract %c[3] : f32 from vector<8xf32>
    %c4 = vector.extract %c[4] : f32 from vector<8xf32>
    %c5 = vector.extract %c[5] : f32 from vector<8xf32>
    %c6 = vector.extract %c[6] : f32 from vector<8xf32>
    %c7 = vector.extract %c[7] : f32 from vector<8xf32>
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.mma.row.col.f32.f32"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %b0, %b1, %b2, %b3, %b4, %b5, %b6, %b7, %c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7) : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, f32, f32, f32, f32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w4 = llvm.extractvalue %r[4] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w5 = llvm.extractvalue %r[5] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w6 = llvm.extractvalue %r[6] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %w7 = llvm.extractvalue %r[7] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
    %fragment = vector.from_elements %w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7 : vector<8xf32>
    ucmoh.yield %fragment : vector<8xf32>
  }
  store (%d: vector<8xf32>, %v: !f32_view, %i: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !f32_view -> memref<f32, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 4 : index
    %start = memref.extract_aligned_pointer_as_index %v : !f32_view -> index
    %rows = arith.muli %i, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.index_cast %strides#0 : index to i32
    %d0 = vector.extract %d[0] : f32 from vector<8xf32>
    %d1 = vector.extract %d[1] : f32 from vector<8xf32>
    %d2 = vector.extract %d[2] : f32 from vector<8xf32>
    %d3 = vector.extract %d[3] : f32 from vector<8xf32>
    %d4 = vector.extract %d[4] : f32 from vector<8xf32>
    %d5 = vector.extract %d[5] : f32 from vector<8xf32>
    %d6 = vector.extract %d[6] : f32 from vector<8xf32>
    %d7 = vector.extract %d[7] : f32 from vector<8xf32>
    llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.store.d.row.stride.f32.p3"(%p, %d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7, %ldm) : (!llvm.ptr<3>, f32, f32, f32, f32, f32, f32, f32, f32, i32) -> ()
    ucmoh.yield
  }

  ucmoh.intrinsic @wmma_8x32x16_f16_f16 shape [8, 32, 16] types(f16, f16, f16) mnemonic("wmma.mma.sync.aligned.row.col.m8n32k16.f16.f16") k_interleave(16) subgroup_size(32)
  lhs @lhs_8x16_f16 rhs @rhs_16x32_f16
  load_acc (%v: !f16_view, %i: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !f16_view -> memref<f16, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 2 : index
    %start = memref.extract_aligned_pointer_as_index %v : !f16_view -> index
    %rows = arith.muli %i, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.index_cast %strides#0 : index to i32
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.load.c.row.stride.f16.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %f0 = arith.constant dense<0.0> : vector<4x2xf16>
    %f1 = vector.insert %w0, %f0[0] : vector<2xf16> into vector<4x2xf16>
    %f2 = vector.insert %w1, %f1[1] : vector<2xf16> into vector<4x2xf16>
    %f3 = vector.insert %w2, %f2[2] : vector<2xf16> into vector<4x2xf16>
    %fragment = vector.insert %w3, %f3[3] : vector<2xf16> into vector<4x2xf16>
    ucmoh.yield %fragment : vector<4x2xf16>
  }
  zero () {
    %fragment = arith.constant dense<0.0> : vector<4x2xf16>
    ucmoh.yield %fragment : vector<4x2xf16>
  }
  compute (%a: vector<8x2xf16>, %b: vector<8x2xf16>, %c: vector<4x2xf16>) {
    %a0 = vector.extract %a[0] : vector<2xf16> from vector<8x2xf16>
    %a1 = vector.extract %a[1] : vector<2xf16> from vector<8x2xf16>
    %a2 = vector.extract %a[2] : vector<2xf16> from vector<8x2xf16>
    %a3 = vector.extract %a[3] : vector<2xf16> from vector<8x2xf16>
    %a4 = vector.extract %a[4] : vector<2xf16> from vector<8x2xf16>
    %a5 = vector.extract %a[5] : vector<2xf16> from vector<8x2xf16>
    %a6 = vector.extract %a[6] : vector<2xf16> from vector<8x2xf16>
    %a7 = vector.extract %a[7] : vector<2xf16> from vector<8x2xf16>
    %b0 = vector.extract %b[0] : vector<2xf16> from vector<8x2xf16>
    %b1 = vector.extract %b[1] : vector<2xf16> from vector<8x2xf16>
    %b2 = vector.extract %b[2] : vector<2xf16> from vector<8x2xf16>
    %b3 = vector.extract %b[3] : vector<2xf16> from vector<8x2xf16>
    %b4 = vector.extract %b[4] : vector<2xf16> from vector<8x2xf16>
    %b5 = vector.extract %b[5] : vector<2xf16> from vector<8x2xf16>
    %b6 = vector.extract %b[6] : vector<2xf16> from vector<8x2xf16>
    %b7 = vector.extract %b[7] : vector<2xf16> from vector<8x2xf16>
    %c0 = vector.extract %c[0] : vector<2xf16> from vector<4x2xf16>
    %c1 = vector.extract %c[1] : vector<2xf16> from vector<4x2xf16>
    %c2 = vector.extract %c[2] : vector<2xf16> from vector<4x2xf16>
    %c3 = vector.extract %c[3] : vector<2xf16> from vector<4x2xf16>
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.mma.row.col.f16.f16"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %b0, %b1, %b2, %b3, %b4, %b5, %b6, %b7, %c0, %c1, %c2, %c3) : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    %f0 = arith.constant dense<0.0> : vector<4x2xf16>
    %f1 = vector.insert %w0, %f0[0] : vector<2xf16> into vector<4x2xf16>
    %f2 = vector.insert %w1, %f1[1] : vector<2xf16> into vector<4x2xf16>
    %f3 = vector.insert %w2, %f2[2] : vector<2xf16> into vector<4x2xf16>
    %fragment = vector.insert %w3, %f3[3] : vector<2xf16> into vector<4x2xf16>
    ucmoh.yield %fragment : vector<4x2xf16>
  }
  store (%d: vector<4x2xf16>, %v: !f16_view, %i: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !f16_view -> memref<f16, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 2 : index
    %start = memref.extract_aligned_pointer_as_index %v : !f16_view -> index
    %rows = arith.muli %i, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.index_cast %strides#0 : index to i32
    %d0 = vector.extract %d[0] : vector<2xf16> from vector<4x2xf16>
    %d1 = vector.extract %d[1] : vector<2xf16> from vector<4x2xf16>
    %d2 = vector.extract %d[2] : vector<2xf16> from vector<4x2xf16>
    %d3 = vector.extract %d[3] : vector<2xf16> from vector<4x2xf16>
    llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.store.d.row.stride.f16.p3"(%p, %d0, %d1, %d2, %d3, %ldm) : (!llvm.ptr<3>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, i32) -> ()
    ucmoh.yield
  }

  ucmoh.intrinsic @wmma_8x32x16_s8_s32 shape [8, 32, 16] types(si8, si8, si32) mnemonic("wmma.mma.sync.aligned.row.col.m8n32k16.s32.s8.s8.s32") k_interleave(16) subgroup_size(32)
  load_lhs (%v: !i8_view, %i: index, %k: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !i8_view -> memref<i8, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 1 : index
    %start = memref.extract_aligned_pointer_as_index %v : !i8_view -> index
    %rows = arith.muli %i, %strides#0 : index
    %inRow = arith.addi %rows, %k : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.index_cast %strides#0 : index to i32
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.load.a.row.stride.s8.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> i32
    %fragment = vector.from_elements %r : vector<1xi32>
    ucmoh.yield %fragment : vector<1xi32>
  }
  load_rhs (%v: !i8_view, %k: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !i8_view -> memref<i8, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 1 : index
    %start = memref.extract_aligned_pointer_as_index %v : !i8_view -> index
    %rows = arith.muli %k, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.constant 16 : i32
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.load.b.col.stride.s8.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !llvm.struct<(i32, i32, i32, i32)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(i32, i32, i32, i32)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(i32, i32, i32, i32)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(i32, i32, i32, i32)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(i32, i32, i32, i32)>
    %fragment = vector.from_elements %w0, %w1, %w2, %w3 : vector<4xi32>
    ucmoh.yield %fragment : vector<4xi32>
  }
  load_acc (%v: !i32_view, %i: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !i32_view -> memref<i32, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 4 : index
    %start = memref.extract_aligned_pointer_as_index %v : !i32_view -> index
    %rows = arith.muli %i, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.index_cast %strides#0 : index to i32
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.load.c.row.stride.s32.p3"(%p, %ldm) : (!llvm.ptr<3>, i32) -> !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w4 = llvm.extractvalue %r[4] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w5 = llvm.extractvalue %r[5] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w6 = llvm.extractvalue %r[6] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w7 = llvm.extractvalue %r[7] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %fragment = vector.from_elements %w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7 : vector<8xi32>
    ucmoh.yield %fragment : vector<8xi32>
  }
  zero () {
    %fragment = arith.constant dense<0> : vector<8xi32>
    ucmoh.yield %fragment : vector<8xi32>
  }
  compute (%a: vector<1xi32>, %b: vector<4xi32>, %c: vector<8xi32>) {
    %a0 = vector.extract %a[0] : i32 from vector<1xi32>
    %b0 = vector.extract %b[0] : i32 from vector<4xi32>
    %b1 = vector.extract %b[1] : i32 from vector<4xi32>
    %b2 = vector.extract %b[2] : i32 from vector<4xi32>
    %b3 = vector.extract %b[3] : i32 from vector<4xi32>
    %c0 = vector.extract %c[0] : i32 from vector<8xi32>
    %c1 = vector.extract %c[1] : i32 from vector<8xi32>
    %c2 = vector.extract %c[2] : i32 from vector<8xi32>
    %c3 = vector.extract %c[3] : i32 from vector<8xi32>
    %c4 = vector.extract %c[4] : i32 from vector<8xi32>
    %c5 = vector.extract %c[5] : i32 from vector<8xi32>
    %c6 = vector.extract %c[6] : i32 from vector<8xi32>
    %c7 = vector.extract %c[7] : i32 from vector<8xi32>
    %r = llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.mma.row.col.s8"(%a0, %b0, %b1, %b2, %b3, %c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7) : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w0 = llvm.extractvalue %r[0] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w1 = llvm.extractvalue %r[1] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w2 = llvm.extractvalue %r[2] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w3 = llvm.extractvalue %r[3] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w4 = llvm.extractvalue %r[4] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w5 = llvm.extractvalue %r[5] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w6 = llvm.extractvalue %r[6] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %w7 = llvm.extractvalue %r[7] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
    %fragment = vector.from_elements %w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7 : vector<8xi32>
    ucmoh.yield %fragment : vector<8xi32>
  }
  store (%d: vector<8xi32>, %v: !i32_view, %i: index, %j: index) {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : !i32_view -> memref<i32, #gpu.address_space<workgroup>>, index, index, index, index, index
    %size = arith.constant 4 : index
    %start = memref.extract_aligned_pointer_as_index %v : !i32_view -> index
    %rows = arith.muli %i, %strides#0 : index
    %inRow = arith.addi %rows, %j : index
    %element = arith.addi %inRow, %offset : index
    %bytes = arith.muli %element, %size : index
    %where = arith.addi %start, %bytes : index
    %integer = arith.index_cast %where : index to i64
    %p = llvm.inttoptr %integer : i64 to !llvm.ptr<3>
    %ldm = arith.index_cast %strides#0 : index to i32
    %d0 = vector.extract %d[0] : i32 from vector<8xi32>
    %d1 = vector.extract %d[1] : i32 from vector<8xi32>
    %d2 = vector.extract %d[2] : i32 from vector<8xi32>
    %d3 = vector.extract %d[3] : i32 from vector<8xi32>
    %d4 = vector.extract %d[4] : i32 from vector<8xi32>
    %d5 = vector.extract %d[5] : i32 from vector<8xi32>
    %d6 = vector.extract %d[6] : i32 from vector<8xi32>
    %d7 = vector.extract %d[7] : i32 from vector<8xi32>
    llvm.call_intrinsic "llvm.nvvm.wmma.m8n32k16.store.d.row.stride.s32.p3"(%p, %d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7, %ldm) : (!llvm.ptr<3>, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> ()
    ucmoh.yield
  }
}
