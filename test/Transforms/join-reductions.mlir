// Which reductions of a product's rows its kernel takes in, on a machine with an L1 of 32 KiB.
// RUN: ucmoh-opt %s --ucmoh-join-reductions="target=x86_avx512f+x86_amx_bf16@zen4" --split-input-file | FileCheck %s

// A row of 32 KiB has left L1 before a loop over it reads it once more.
// CHECK-LABEL: func @long_rows
// CHECK: linalg.generic {{.*}}attrs = {ucmoh.in_store = true}
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
func.func @long_rows(%a: tensor<8x16xf32>, %b: tensor<16x8192xf32> {ucmoh.weight}, %init: tensor<8xf32>) -> (tensor<8x8192xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8192xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8192xf32>) -> tensor<8x8192xf32>
  %p = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [4, 32], cache_tile = [8, 8192, 16], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<8x16xf32>, tensor<16x8192xf32>) outs(%f : tensor<8x8192xf32>) -> tensor<8x8192xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<8x8192xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %p, %r : tensor<8x8192xf32>, tensor<8xf32>
}

// -----

// In short rows sums are as fast.
// CHECK-LABEL: func @short_rows
// CHECK-NOT: ucmoh.in_store
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
func.func @short_rows(%a: tensor<64x16xf32>, %b: tensor<16x4096xf32> {ucmoh.weight}, %init: tensor<64xf32>) -> (tensor<64x4096xf32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x4096xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x4096xf32>) -> tensor<64x4096xf32>
  %p = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [4, 32], cache_tile = [64, 4096, 16], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<64x16xf32>, tensor<16x4096xf32>) outs(%f : tensor<64x4096xf32>) -> tensor<64x4096xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<64x4096xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %p, %r : tensor<64x4096xf32>, tensor<64xf32>
}

// -----

// A maximum waits for its latency, which the store hides.
// CHECK-LABEL: func @maximum
// CHECK: linalg.generic {{.*}}attrs = {ucmoh.in_store = true}
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
func.func @maximum(%a: tensor<128x16xf32>, %b: tensor<16x512xf32> {ucmoh.weight}, %init: tensor<128xf32>) -> (tensor<128x512xf32>, tensor<128xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x512xf32>) -> tensor<128x512xf32>
  %p = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [4, 32], cache_tile = [128, 512, 16], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<128x16xf32>, tensor<16x512xf32>) outs(%f : tensor<128x512xf32>) -> tensor<128x512xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<128x512xf32>) outs(%init : tensor<128xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<128xf32>
  return %p, %r : tensor<128x512xf32>, tensor<128xf32>
}

// -----

// Several threads would begin with partial values that one of them has filled.
// CHECK-LABEL: func @maximum_of_threads
// CHECK-NOT: ucmoh.in_store
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
func.func @maximum_of_threads(%a: tensor<128x16xf32>, %b: tensor<16x512xf32> {ucmoh.weight}, %init: tensor<128xf32>) -> (tensor<128x512xf32>, tensor<128xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x512xf32>) -> tensor<128x512xf32>
  %p = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [4, 32], cache_tile = [128, 512, 16], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", threads = 2, predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<128x16xf32>, tensor<16x512xf32>) outs(%f : tensor<128x512xf32>) -> tensor<128x512xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<128x512xf32>) outs(%init : tensor<128xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<128xf32>
  return %p, %r : tensor<128x512xf32>, tensor<128xf32>
}

// -----

// Not where the result is little larger than L1,
// CHECK-LABEL: func @few
// CHECK-NOT: ucmoh.in_store
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
func.func @few(%a: tensor<64x16xf32>, %b: tensor<16x128xf32> {ucmoh.weight}, %init: tensor<64xf32>) -> (tensor<64x128xf32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  %p = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [4, 32], cache_tile = [64, 128, 16], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<64x16xf32>, tensor<16x128xf32>) outs(%f : tensor<64x128xf32>) -> tensor<64x128xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<64x128xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %p, %r : tensor<64x128xf32>, tensor<64xf32>
}

// -----

// nor where the partial values of all rows, 16 for each, are not.
// CHECK-LABEL: func @many_rows
// CHECK-NOT: ucmoh.in_store
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
func.func @many_rows(%a: tensor<1024x16xf32>, %b: tensor<16x64xf32> {ucmoh.weight}, %init: tensor<1024xf32>) -> (tensor<1024x64xf32>, tensor<1024xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x64xf32>) -> tensor<1024x64xf32>
  %p = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [4, 32], cache_tile = [1024, 64, 16], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<1024x16xf32>, tensor<16x64xf32>) outs(%f : tensor<1024x64xf32>) -> tensor<1024x64xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<1024x64xf32>) outs(%init : tensor<1024xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<1024xf32>
  return %p, %r : tensor<1024x64xf32>, tensor<1024xf32>
}

// -----

// What is reduced may be computed from the result, in another shape.
// CHECK-LABEL: func @through_ops
// CHECK: linalg.generic {{.*}}attrs = {ucmoh.in_store = true}
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
func.func @through_ops(%a: tensor<8x16xf32>, %b: tensor<16x8192xf32> {ucmoh.weight}, %init: tensor<8xf32>) -> (tensor<8x8192xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8192xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8192xf32>) -> tensor<8x8192xf32>
  %p = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [4, 32], cache_tile = [8, 8192, 16], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<8x16xf32>, tensor<16x8192xf32>) outs(%f : tensor<8x8192xf32>) -> tensor<8x8192xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<8x8192xf32>) outs(%e : tensor<8x8192xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.mulf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<8x8192xf32>
  %g = tensor.expand_shape %w [[0, 1], [2]] output_shape [1, 8, 8192] : tensor<8x8192xf32> into tensor<1x8x8192xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (m)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%g : tensor<1x8x8192xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %p, %r : tensor<8x8192xf32>, tensor<8xf32>
}

// -----

// What the user says stays.
// CHECK-LABEL: func @pinned
// CHECK: linalg.generic {{.*}}attrs = {ucmoh.in_store = false}
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
func.func @pinned(%a: tensor<8x16xf32>, %b: tensor<16x8192xf32> {ucmoh.weight}, %init: tensor<8xf32>) -> (tensor<8x8192xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8192xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8192xf32>) -> tensor<8x8192xf32>
  %p = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [4, 32], cache_tile = [8, 8192, 16], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<8x16xf32>, tensor<16x8192xf32>) outs(%f : tensor<8x8192xf32>) -> tensor<8x8192xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"], ucmoh.in_store = false} ins(%p : tensor<8x8192xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %p, %r : tensor<8x8192xf32>, tensor<8xf32>
}

// -----

// Not where something besides the result is read that the kernel does not store: the product itself is returned, too.
// CHECK-LABEL: func @besides
// CHECK-NOT: ucmoh.in_store
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
func.func @besides(%a: tensor<8x16xf32>, %b: tensor<16x8192xf32> {ucmoh.weight}, %init: tensor<8xf32>, %residual: tensor<8x8192xf32>) -> (tensor<8x8192xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8192xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8192xf32>) -> tensor<8x8192xf32>
  %p = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [4, 32], cache_tile = [8, 8192, 16], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<8x16xf32>, tensor<16x8192xf32>) outs(%f : tensor<8x8192xf32>) -> tensor<8x8192xf32>
  %w = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %residual : tensor<8x8192xf32>, tensor<8x8192xf32>) outs(%e : tensor<8x8192xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<8x8192xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%w : tensor<8x8192xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %p, %r : tensor<8x8192xf32>, tensor<8xf32>
}

// -----

// Not columns.
// CHECK-LABEL: func @columns
// CHECK-NOT: ucmoh.in_store
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
func.func @columns(%a: tensor<8192x16xf32>, %b: tensor<16x64xf32> {ucmoh.weight}, %init: tensor<64xf32>) -> (tensor<8192x64xf32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8192x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8192x64xf32>) -> tensor<8192x64xf32>
  %p = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [4, 32], cache_tile = [8192, 64, 16], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<8192x16xf32>, tensor<16x64xf32>) outs(%f : tensor<8192x64xf32>) -> tensor<8192x64xf32>
  %r = linalg.generic {indexing_maps = [#id, affine_map<(m, n) -> (n)>], iterator_types = ["reduction", "parallel"]} ins(%p : tensor<8192x64xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %p, %r : tensor<8192x64xf32>, tensor<64xf32>
}

// -----

// Not where two threads share the columns of a row.
// CHECK-LABEL: func @shared_rows
// CHECK-NOT: ucmoh.in_store
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
func.func @shared_rows(%a: tensor<8x16xf32>, %b: tensor<16x8192xf32> {ucmoh.weight}, %init: tensor<8xf32>) -> (tensor<8x8192xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8192xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8192xf32>) -> tensor<8x8192xf32>
  %p = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [4, 32], cache_tile = [8, 8192, 16], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", threads = 2, predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<8x16xf32>, tensor<16x8192xf32>) outs(%f : tensor<8x8192xf32>) -> tensor<8x8192xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<8x8192xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %p, %r : tensor<8x8192xf32>, tensor<8xf32>
}

// -----

// Threads that share rows have those of their own.
// CHECK-LABEL: func @threads
// CHECK: linalg.generic {{.*}}attrs = {ucmoh.in_store = true}
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
func.func @threads(%a: tensor<64x16xf32>, %b: tensor<16x8192xf32> {ucmoh.weight}, %init: tensor<64xf32>) -> (tensor<64x8192xf32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x8192xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x8192xf32>) -> tensor<64x8192xf32>
  %p = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [4, 32], cache_tile = [64, 8192, 16], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", threads = 2, predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<64x16xf32>, tensor<16x8192xf32>) outs(%f : tensor<64x8192xf32>) -> tensor<64x8192xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<64x8192xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %p, %r : tensor<64x8192xf32>, tensor<64xf32>
}

// -----

// Not where the last tile of rows begins earlier, and computes some of them a second time: 35 rows in tiles of 32.
// CHECK-LABEL: func @rows_twice
// CHECK-NOT: ucmoh.in_store
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
func.func @rows_twice(%a: tensor<35x32xbf16>, %b: tensor<32x8192xbf16> {ucmoh.weight}, %init: tensor<35xf32>) -> (tensor<35x8192xf32>, tensor<35xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<35x8192xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<35x8192xf32>) -> tensor<35x8192xf32>
  %p = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_amx_bf16::@tdpbf16ps, register_tile = [32, 32], cache_tile = [35, 8192, 32], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<35x32xbf16>, tensor<32x8192xbf16>) outs(%f : tensor<35x8192xf32>) -> tensor<35x8192xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<35x8192xf32>) outs(%init : tensor<35xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<35xf32>
  return %p, %r : tensor<35x8192xf32>, tensor<35xf32>
}
