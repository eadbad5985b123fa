// An elementwise op that makes an operand is computed while the kernel packs that, as vectors: its result is not in memory.
// RUN: ucmoh-opt %s --ucmoh-tile="target=x86_avx512_vnni+x86_avx512f" --canonicalize | FileCheck %s

#id = affine_map<(m, k) -> (m, k)>
#row = affine_map<(m, k) -> (m)>

// Rows are quantized by scales of their own: the kernel reads floats, and packs bytes.
// CHECK-LABEL: func @quantized_rows
// CHECK-NOT: linalg.generic
// CHECK: ucmoh.kernel "contract" ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<768xf32>, tensor<12xf32>, tensor<1024xi8>)
// CHECK: %[[PACKED:.*]] = memref.alloc() {{.*}} : memref<768xi8>
// CHECK: %[[X:.*]] = vector.load %{{.*}} : memref<768xf32, {{.*}}>, vector<64xf32>
// CHECK: %[[SCALE:.*]] = memref.load %{{.*}} : memref<12xf32
// CHECK: %[[SCALES:.*]] = vector.broadcast %[[SCALE]] : f32 to vector<64xf32>
// CHECK: %[[SCALED:.*]] = arith.mulf %[[X]], %[[SCALES]] : vector<64xf32>
// CHECK: %[[BYTES:.*]] = arith.fptoui %[[SCALED]] : vector<64xf32> to vector<64xi8>
// CHECK: vector.store %[[BYTES]], %[[PACKED]]
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @quantized_rows(%a: tensor<12x64xf32>, %scales: tensor<12xf32>, %b: tensor<64x16xi8> {ucmoh.weight}) -> tensor<12x16xi32> {
  %zero = arith.constant 0 : i32
  %e8 = tensor.empty() : tensor<12x64xi8>
  %e = tensor.empty() : tensor<12x16xi32>
  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %scales : tensor<12x64xf32>, tensor<12xf32>) outs(%e8 : tensor<12x64xi8>) {
  ^bb0(%x: f32, %s: f32, %o: i8):
    %m = arith.mulf %x, %s : f32
    %y = arith.fptoui %m : f32 to i8
    linalg.yield %y : i8
  } -> tensor<12x64xi8>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<12x16xi32>) -> tensor<12x16xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%q, %b : tensor<12x64xi8>, tensor<64x16xi8>) outs(%f : tensor<12x16xi32>) attrs = {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512_vnni::@vpdpbusd_512, register_tile = [12, 16], cache_tile = [12, 16, 64], order = "nmk.nm", pack_lhs = "block", pack_rhs = "block", predicted_seconds = 0.0, model = "hand">} {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %wx = arith.extui %x : i8 to i32
    %wy = arith.extsi %y : i8 to i32
    %p = arith.muli %wx, %wy : i32
    %t = arith.addi %o, %p : i32
    linalg.yield %t : i32
  } -> tensor<12x16xi32>
  return %r : tensor<12x16xi32>
}

// Each block of columns packs the rows again: they are quantized once, ahead.
// CHECK-LABEL: func @packed_again
// CHECK: linalg.generic
// CHECK: ucmoh.kernel "contract" ins(%{{.*}} : tensor<768xi8>, tensor<2048xi8>)
func.func @packed_again(%a: tensor<12x64xf32>, %b: tensor<64x32xi8> {ucmoh.weight}) -> tensor<12x32xi32> {
  %zero = arith.constant 0 : i32
  %e8 = tensor.empty() : tensor<12x64xi8>
  %e = tensor.empty() : tensor<12x32xi32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<12x64xf32>) outs(%e8 : tensor<12x64xi8>) {
  ^bb0(%x: f32, %o: i8):
    %y = arith.fptoui %x : f32 to i8
    linalg.yield %y : i8
  } -> tensor<12x64xi8>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<12x32xi32>) -> tensor<12x32xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%q, %b : tensor<12x64xi8>, tensor<64x32xi8>) outs(%f : tensor<12x32xi32>) attrs = {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512_vnni::@vpdpbusd_512, register_tile = [12, 16], cache_tile = [12, 16, 64], order = "nmk.nm", pack_lhs = "block", pack_rhs = "block", predicted_seconds = 0.0, model = "hand">} {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %wx = arith.extui %x : i8 to i32
    %wy = arith.extsi %y : i8 to i32
    %p = arith.muli %wx, %wy : i32
    %t = arith.addi %o, %p : i32
    linalg.yield %t : i32
  } -> tensor<12x32xi32>
  return %r : tensor<12x32xi32>
}

// What the rest of the network computes, it computes row by row with what makes the operand of it.
// CHECK-LABEL: func @computed_in_rows
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK: ucmoh.kernel "contract" ins(%{{.*}} : tensor<768xi8>, tensor<1024xi8>)
func.func @computed_in_rows(%a: tensor<12x64xf32>, %b: tensor<64x16xi8> {ucmoh.weight}) -> tensor<12x16xi32> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 0.0 : f32
  %e8 = tensor.empty() : tensor<12x64xi8>
  %er = tensor.empty() : tensor<12xf32>
  %e = tensor.empty() : tensor<12x16xi32>
  %sums = linalg.fill ins(%none : f32) outs(%er : tensor<12xf32>) -> tensor<12xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<12x64xf32>) outs(%sums : tensor<12xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<12xf32>
  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %s : tensor<12x64xf32>, tensor<12xf32>) outs(%e8 : tensor<12x64xi8>) {
  ^bb0(%x: f32, %m: f32, %o: i8):
    %d = arith.divf %x, %m : f32
    %y = arith.fptoui %d : f32 to i8
    linalg.yield %y : i8
  } -> tensor<12x64xi8>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<12x16xi32>) -> tensor<12x16xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%q, %b : tensor<12x64xi8>, tensor<64x16xi8>) outs(%f : tensor<12x16xi32>) attrs = {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512_vnni::@vpdpbusd_512, register_tile = [12, 16], cache_tile = [12, 16, 64], order = "nmk.nm", pack_lhs = "block", pack_rhs = "block", predicted_seconds = 0.0, model = "hand">} {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %wx = arith.extui %x : i8 to i32
    %wy = arith.extsi %y : i8 to i32
    %p = arith.muli %wx, %wy : i32
    %t = arith.addi %o, %p : i32
    linalg.yield %t : i32
  } -> tensor<12x16xi32>
  return %r : tensor<12x16xi32>
}
