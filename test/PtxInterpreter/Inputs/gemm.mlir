gpu.module @k {
  memref.global "private" @S : memref<8x16xf32, #gpu.address_space<workgroup>>
  gpu.func @gemm(%A: memref<61x129xf32>, %B: memref<129x83xf32>, %C: memref<61x83xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c129 = arith.constant 129 : index
    %c61 = arith.constant 61 : index
    %c83 = arith.constant 83 : index
    %c16 = arith.constant 16 : index
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %by = gpu.block_id y
    %i0 = arith.muli %by, %c16 : index
    %i = arith.addi %i0, %ty : index
    %j0 = arith.muli %bx, %c16 : index
    %j = arith.addi %j0, %tx : index
    %p = arith.cmpi ult, %i, %c61 : index
    %q = arith.cmpi ult, %j, %c83 : index
    %r = arith.andi %p, %q : i1
    scf.if %r {
      %z = arith.constant 0.0 : f32
      %s = scf.for %k = %c0 to %c129 step %c1 iter_args(%x = %z) -> (f32) {
        %a = memref.load %A[%i, %k] : memref<61x129xf32>
        %b = memref.load %B[%k, %j] : memref<129x83xf32>
        %m = arith.mulf %a, %b : f32
        %n = arith.addf %m, %x : f32
        scf.yield %n : f32
      }
      %h = arith.truncf %s : f32 to f16
      %h2 = arith.extf %h : f16 to f32
      memref.store %h2, %C[%i, %j] : memref<61x83xf32>
    }
    gpu.return
  }
  gpu.func @shuf(%A: memref<32xf32>, %I: memref<32xi8>, %O: memref<32xf32>, %n: i32) kernel {
    %tx = gpu.thread_id x
    %a = memref.load %A[%tx] : memref<32xf32>
    %c = arith.constant 4 : i32
    %w = arith.constant 32 : i32
    %s, %v = gpu.shuffle xor %a, %c, %w : f32
    %i = memref.load %I[%tx] : memref<32xi8>
    %ii = arith.extsi %i : i8 to i32
    %d = arith.remsi %ii, %n : i32
    %f = arith.sitofp %d : i32 to f32
    %g = arith.addf %s, %f : f32
    memref.store %g, %O[%tx] : memref<32xf32>
    gpu.return
  }
}
