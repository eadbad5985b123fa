// A register tile leaves out the rows of a window that read nothing but zeros around the image, and each row of results
// the columns that do.
// RUN: ucmoh-opt %s --ucmoh-tile=target=x86_avx512_vnni+x86_avx512f --canonicalize | FileCheck %s
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --json | FileCheck %s --check-prefix=EXECUTED --implicit-check-not='"verified":false'
// EXECUTED-COUNT-13: "verified":true

#choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [5, 32], cache_tile = [5, 32, 1024], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">
#narrow = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [2, 32], cache_tile = [6, 32, 1024], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">
#joined = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [5, 32], cache_tile = [15, 32, 1024], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">
#bytes = #ucmoh.choice<intrinsic = @x86_avx512_vnni::@vpdpbusd_512, register_tile = [5, 32], cache_tile = [5, 32, 1024], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">

// Row 0 begins with the second row of the window, row 4 ends with it.
// CHECK-DAG: #[[FIRST:.*]] = affine_map<(d0) -> (-d0 + 1, 0)>
// CHECK-DAG: #[[END:.*]] = affine_map<(d0) -> (-d0 + 6, 3)>
// CHECK-LABEL: func.func @rows(
// CHECK: ucmoh.kernel "contract"
// CHECK: scf.for %[[ROW:.*]] = %c0 to %c5
// CHECK: affine.max #[[FIRST]](%[[ROW]])
// CHECK: affine.min #[[END]](%[[ROW]])
// CHECK: ucmoh.tile
// CHECK-NEXT: lhs {{.*}} : memref<5x?x48xf32, strided<[16, 112, 1], offset: ?>>
// CHECK-NEXT: rhs {{.*}} : memref<?x48x32xf32, strided<[1536, 32, 1], offset: ?>>
// CHECK: {ucmoh.steps = array<i64: 16, 48, 0, 48, 0, 48, 0, 48, 0, 32>}
func.func @rows(%x: tensor<1x5x5x16xf32>, %w: tensor<3x3x16x32xf32> {ucmoh.weight}, %init: tensor<1x5x5x32xf32>) -> tensor<1x5x5x32xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x5x5x16xf32> to tensor<1x7x7x16xf32>
  %r = linalg.conv_2d_nhwc_hwcf {ucmoh.choice = #choice} ins(%padded, %w : tensor<1x7x7x16xf32>, tensor<3x3x16x32xf32>) outs(%init : tensor<1x5x5x32xf32>) -> tensor<1x5x5x32xf32>
  return %r : tensor<1x5x5x32xf32>
}

// A tile of two columns of results at each side, another one between them.
// CHECK-LABEL: func.func @columns(
// CHECK: scf.for %[[COLUMN:.*]] = %c0 to %c6 step %c2
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi sle, %[[COLUMN]], %c0
// CHECK: scf.if
// CHECK: {ucmoh.steps = array<i64: 16, 48, 0, 48>}
// CHECK: scf.if
// CHECK: ucmoh.tile
// CHECK-NOT: ucmoh.steps
// CHECK: scf.if
// CHECK: {ucmoh.steps = array<i64: 0, 48, 0, 32>}
func.func @columns(%x: tensor<1x4x6x16xf32>, %w: tensor<1x3x16x32xf32> {ucmoh.weight}, %init: tensor<1x4x6x32xf32>) -> tensor<1x4x6x32xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x4x6x16xf32> to tensor<1x4x8x16xf32>
  %r = linalg.conv_2d_nhwc_hwcf {ucmoh.choice = #narrow} ins(%padded, %w : tensor<1x4x8x16xf32>, tensor<1x3x16x32xf32>) outs(%init : tensor<1x4x6x32xf32>) -> tensor<1x4x6x32xf32>
  return %r : tensor<1x4x6x32xf32>
}

// Rows of results are one loop: what all results of a tile leave out, which begins in one row and may end in the next.
// CHECK-LABEL: func.func @joined(
// CHECK: scf.for %[[AT:.*]] = %c0 to %c15 step %c5
// CHECK: affine.max #{{.*}}(%[[AT]])
// CHECK: affine.min #{{.*}}(%[[AT]])
// CHECK: ucmoh.tile
// CHECK-NEXT: lhs {{.*}} : memref<5x?x16xf32, strided<[16, 48, 1], offset: ?>>
func.func @joined(%x: tensor<1x5x3x16xf32>, %w: tensor<5x1x16x32xf32> {ucmoh.weight}, %init: tensor<1x5x3x32xf32>) -> tensor<1x5x3x32xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 2, 0, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x5x3x16xf32> to tensor<1x9x3x16xf32>
  %r = linalg.conv_2d_nhwc_hwcf {ucmoh.choice = #joined} ins(%padded, %w : tensor<1x9x3x16xf32>, tensor<5x1x16x32xf32>) outs(%init : tensor<1x5x3x32xf32>) -> tensor<1x5x3x32xf32>
  return %r : tensor<1x5x3x32xf32>
}

// Steps of two rows, and zeros below the image only.
// CHECK-LABEL: func.func @strided(
// CHECK: ucmoh.tile
// CHECK-NEXT: lhs {{.*}} : memref<5x?x48xf32,
func.func @strided(%x: tensor<1x10x10x16xf32>, %w: tensor<3x3x16x32xf32> {ucmoh.weight}, %init: tensor<1x5x5x32xf32>) -> tensor<1x5x5x32xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 0, 0, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x10x10x16xf32> to tensor<1x11x11x16xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, ucmoh.choice = #choice} ins(%padded, %w : tensor<1x11x11x16xf32>, tensor<3x3x16x32xf32>) outs(%init : tensor<1x5x5x32xf32>) -> tensor<1x5x5x32xf32>
  return %r : tensor<1x5x5x32xf32>
}

// Both loops over rows of a window in a volume; the kernel reads every second row.
// CHECK-LABEL: func.func @volume(
// CHECK: ucmoh.tile
// CHECK-NEXT: lhs {{.*}} : memref<5x?x?x{{[0-9]+}}xf32,
func.func @volume(%x: tensor<1x4x5x5x16xf32>, %w: tensor<3x3x3x16x32xf32> {ucmoh.weight}, %init: tensor<1x4x5x5x32xf32>) -> tensor<1x4x5x5x32xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 2, 1, 0] high[0, 1, 2, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index):
    tensor.yield %zero : f32
  } : tensor<1x4x5x5x16xf32> to tensor<1x6x9x7x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, d, h, w, n, kd, kh, kw, c) -> (b, d + kd, h + kh * 2, w + kw, c)>, affine_map<(b, d, h, w, n, kd, kh, kw, c) -> (kd, kh, kw, c, n)>, affine_map<(b, d, h, w, n, kd, kh, kw, c) -> (b, d, h, w, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]} ins(%padded, %w : tensor<1x6x9x7x16xf32>, tensor<3x3x3x16x32xf32>) outs(%init : tensor<1x4x5x5x32xf32>) attrs = {ucmoh.choice = #choice} {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x4x5x5x32xf32>
  return %r : tensor<1x4x5x5x32xf32>
}

// The border of a buffer into which a kernel has written the image.
// CHECK-LABEL: func.func @placed(
// CHECK: ucmoh.tile
// CHECK-NEXT: lhs {{.*}} : memref<5x?x48xf32,
func.func @placed(%x: tensor<1x5x5x16xf32>, %w: tensor<3x3x16x32xf32> {ucmoh.weight}, %init: tensor<1x5x5x32xf32>) -> tensor<1x5x5x32xf32> {
  %zero = arith.constant 0.0 : f32
  %all = bufferization.alloc_tensor() : tensor<1x7x7x16xf32>
  %rows = tensor.empty() : tensor<1x1x7x16xf32>
  %row = linalg.fill ins(%zero : f32) outs(%rows : tensor<1x1x7x16xf32>) -> tensor<1x1x7x16xf32>
  %columns = tensor.empty() : tensor<1x5x1x16xf32>
  %column = linalg.fill ins(%zero : f32) outs(%columns : tensor<1x5x1x16xf32>) -> tensor<1x5x1x16xf32>
  %0 = tensor.insert_slice %row into %all[0, 0, 0, 0] [1, 1, 7, 16] [1, 1, 1, 1] : tensor<1x1x7x16xf32> into tensor<1x7x7x16xf32>
  %1 = tensor.insert_slice %row into %0[0, 6, 0, 0] [1, 1, 7, 16] [1, 1, 1, 1] : tensor<1x1x7x16xf32> into tensor<1x7x7x16xf32>
  %2 = tensor.insert_slice %column into %1[0, 1, 0, 0] [1, 5, 1, 16] [1, 1, 1, 1] : tensor<1x5x1x16xf32> into tensor<1x7x7x16xf32>
  %3 = tensor.insert_slice %column into %2[0, 1, 6, 0] [1, 5, 1, 16] [1, 1, 1, 1] : tensor<1x5x1x16xf32> into tensor<1x7x7x16xf32>
  %padded = tensor.insert_slice %x into %3[0, 1, 1, 0] [1, 5, 5, 16] [1, 1, 1, 1] : tensor<1x5x5x16xf32> into tensor<1x7x7x16xf32>
  %r = linalg.conv_2d_nhwc_hwcf {ucmoh.choice = #choice} ins(%padded, %w : tensor<1x7x7x16xf32>, tensor<3x3x16x32xf32>) outs(%init : tensor<1x5x5x32xf32>) -> tensor<1x5x5x32xf32>
  return %r : tensor<1x5x5x32xf32>
}

// Rows above and below that are not of zeros stay.
// CHECK-LABEL: func.func @ones(
// CHECK: ucmoh.tile
// CHECK-NEXT: lhs {{.*}} : memref<5x3x48xf32,
func.func @ones(%x: tensor<1x5x5x16xf32>, %w: tensor<3x3x16x32xf32> {ucmoh.weight}, %init: tensor<1x5x5x32xf32>) -> tensor<1x5x5x32xf32> {
  %one = arith.constant 1.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %one : f32
  } : tensor<1x5x5x16xf32> to tensor<1x7x7x16xf32>
  %r = linalg.conv_2d_nhwc_hwcf {ucmoh.choice = #choice} ins(%padded, %w : tensor<1x7x7x16xf32>, tensor<3x3x16x32xf32>) outs(%init : tensor<1x5x5x32xf32>) -> tensor<1x5x5x32xf32>
  return %r : tensor<1x5x5x32xf32>
}

// So do those of unknown numbers: a part of the border was never written.
// CHECK-LABEL: func.func @gap(
// CHECK: ucmoh.tile
// CHECK-NEXT: lhs {{.*}} : memref<5x3x48xf32,
func.func @gap(%x: tensor<1x5x5x16xf32>, %around: tensor<1x7x7x16xf32>, %w: tensor<3x3x16x32xf32> {ucmoh.weight}, %init: tensor<1x5x5x32xf32>) -> tensor<1x5x5x32xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<1x1x7x16xf32>
  %row = linalg.fill ins(%zero : f32) outs(%rows : tensor<1x1x7x16xf32>) -> tensor<1x1x7x16xf32>
  %0 = tensor.insert_slice %row into %around[0, 0, 0, 0] [1, 1, 7, 16] [1, 1, 1, 1] : tensor<1x1x7x16xf32> into tensor<1x7x7x16xf32>
  %padded = tensor.insert_slice %x into %0[0, 1, 1, 0] [1, 5, 5, 16] [1, 1, 1, 1] : tensor<1x5x5x16xf32> into tensor<1x7x7x16xf32>
  %r = linalg.conv_2d_nhwc_hwcf {ucmoh.choice = #choice} ins(%padded, %w : tensor<1x7x7x16xf32>, tensor<3x3x16x32xf32>) outs(%init : tensor<1x5x5x32xf32>) -> tensor<1x5x5x32xf32>
  return %r : tensor<1x5x5x32xf32>
}

// The intrinsic reads bytes without a sign: 128 stands for the zeros of an image of bytes with one. What rows of them
// would add is left out of the correction of the first and of the last row of results.
// CHECK-LABEL: func.func @shifted(
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} iterator_types = ["reduction", "reduction", "parallel", "parallel"]}
// CHECK: %[[ROWS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "parallel"]} ins(%{{.*}}, %{{.*}} : tensor<3x32xi32>, tensor<7xi32>) outs(%{{.*}} : tensor<5x32xi32>)
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[ROWS]]
// CHECK: ucmoh.kernel "contract" ins(%{{[^:]*}}, %[[FLAT]] :
// CHECK: ucmoh.tile
// CHECK-NEXT: lhs {{.*}} : memref<5x?x48xi8,
func.func @shifted(%x: tensor<1x5x5x16xi8>, %w: tensor<3x3x16x32xi8> {ucmoh.weight}, %init: tensor<1x5x5x32xi32>) -> tensor<1x5x5x32xi32> {
  %zero = arith.constant 0 : i8
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : i8
  } : tensor<1x5x5x16xi8> to tensor<1x7x7x16xi8>
  %r = linalg.conv_2d_nhwc_hwcf {ucmoh.choice = #bytes} ins(%padded, %w : tensor<1x7x7x16xi8>, tensor<3x3x16x32xi8>) outs(%init : tensor<1x5x5x32xi32>) -> tensor<1x5x5x32xi32>
  return %r : tensor<1x5x5x32xi32>
}

// Both loops over rows of a window, in a buffer into which the image was written.
// CHECK-LABEL: func.func @shifted_volume(
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "reduction", "parallel"]} ins(%{{.*}} : tensor<3x3x32xi32>, tensor<6xi32>, tensor<9xi32>) outs(%{{.*}} : tensor<4x5x32xi32>)
// CHECK: ucmoh.tile
// CHECK-NEXT: lhs {{.*}} : memref<5x?x?x48xi8,
func.func @shifted_volume(%x: tensor<1x4x5x5x16xi8>, %w: tensor<3x3x3x16x32xi8> {ucmoh.weight}, %init: tensor<1x4x5x5x32xi32>) -> tensor<1x4x5x5x32xi32> {
  %zero = arith.constant 0 : i8
  %empty = tensor.empty() : tensor<1x6x9x7x16xi8>
  %zeros = linalg.fill ins(%zero : i8) outs(%empty : tensor<1x6x9x7x16xi8>) -> tensor<1x6x9x7x16xi8>
  %padded = tensor.insert_slice %x into %zeros[0, 1, 2, 1, 0] [1, 4, 5, 5, 16] [1, 1, 1, 1, 1] : tensor<1x4x5x5x16xi8> into tensor<1x6x9x7x16xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(b, d, h, w, n, kd, kh, kw, c) -> (b, d + kd, h + kh * 2, w + kw, c)>, affine_map<(b, d, h, w, n, kd, kh, kw, c) -> (kd, kh, kw, c, n)>, affine_map<(b, d, h, w, n, kd, kh, kw, c) -> (b, d, h, w, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]} ins(%padded, %w : tensor<1x6x9x7x16xi8>, tensor<3x3x3x16x32xi8>) outs(%init : tensor<1x4x5x5x32xi32>) attrs = {ucmoh.choice = #bytes} {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %x32 = arith.extsi %a : i8 to i32
    %w32 = arith.extsi %b : i8 to i32
    %p = arith.muli %x32, %w32 : i32
    %s = arith.addi %acc, %p : i32
    linalg.yield %s : i32
  } -> tensor<1x4x5x5x32xi32>
  return %r : tensor<1x4x5x5x32xi32>
}

// What stands for zero in an image of bytes without a sign.
// CHECK-LABEL: func.func @zero_point(
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<5x32xi32>)
// CHECK: ucmoh.tile
// CHECK-NEXT: lhs {{.*}} : memref<5x?x48xi8,
func.func @zero_point(%x: tensor<1x10x10x16xi8>, %w: tensor<3x3x16x32xi8> {ucmoh.weight}, %init: tensor<1x5x5x32xi32>) -> tensor<1x5x5x32xi32> {
  %zero = arith.constant 7 : i8
  %wide = arith.constant 7 : i32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 0, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : i8
  } : tensor<1x10x10x16xi8> to tensor<1x11x11x16xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, w, n, kh, kw, c) -> (b, h * 2 + kh, w * 2 + kw, c)>, affine_map<(b, h, w, n, kh, kw, c) -> (kh, kw, c, n)>, affine_map<(b, h, w, n, kh, kw, c) -> (b, h, w, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%padded, %w : tensor<1x11x11x16xi8>, tensor<3x3x16x32xi8>) outs(%init : tensor<1x5x5x32xi32>) attrs = {ucmoh.choice = #bytes} {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %x32 = arith.extui %a : i8 to i32
    %shifted = arith.subi %x32, %wide : i32
    %w32 = arith.extsi %b : i8 to i32
    %p = arith.muli %shifted, %w32 : i32
    %s = arith.addi %acc, %p : i32
    linalg.yield %s : i32
  } -> tensor<1x5x5x32xi32>
  return %r : tensor<1x5x5x32xi32>
}

// The least of bytes with a sign is zero as the intrinsic reads it: the correction is that of a column.
// CHECK-LABEL: func.func @least(
// CHECK-NOT: tensor<5x32xi32>
// CHECK: ucmoh.tile
// CHECK-NEXT: lhs {{.*}} : memref<5x?x48xi8,
func.func @least(%x: tensor<1x5x5x16xi8>, %w: tensor<3x3x16x32xi8> {ucmoh.weight}, %init: tensor<1x5x5x32xi32>) -> tensor<1x5x5x32xi32> {
  %least = arith.constant -128 : i8
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %least : i8
  } : tensor<1x5x5x16xi8> to tensor<1x7x7x16xi8>
  %r = linalg.conv_2d_nhwc_hwcf {ucmoh.choice = #bytes} ins(%padded, %w : tensor<1x7x7x16xi8>, tensor<3x3x16x32xi8>) outs(%init : tensor<1x5x5x32xi32>) -> tensor<1x5x5x32xi32>
  return %r : tensor<1x5x5x32xi32>
}

// No correction per column makes up for the ones around bytes without a sign.
// CHECK-LABEL: func.func @bytes_of_one(
// CHECK: ucmoh.tile
// CHECK-NEXT: lhs {{.*}} : memref<5x3x48xi8,
func.func @bytes_of_one(%x: tensor<1x5x5x16xi8>, %w: tensor<3x3x16x32xi8> {ucmoh.weight}, %init: tensor<1x5x5x32xi32>) -> tensor<1x5x5x32xi32> {
  %one = arith.constant 1 : i8
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %one : i8
  } : tensor<1x5x5x16xi8> to tensor<1x7x7x16xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, w, n, kh, kw, c) -> (b, h + kh, w + kw, c)>, affine_map<(b, h, w, n, kh, kw, c) -> (kh, kw, c, n)>, affine_map<(b, h, w, n, kh, kw, c) -> (b, h, w, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%padded, %w : tensor<1x7x7x16xi8>, tensor<3x3x16x32xi8>) outs(%init : tensor<1x5x5x32xi32>) attrs = {ucmoh.choice = #bytes} {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %x32 = arith.extui %a : i8 to i32
    %w32 = arith.extsi %b : i8 to i32
    %p = arith.muli %x32, %w32 : i32
    %s = arith.addi %acc, %p : i32
    linalg.yield %s : i32
  } -> tensor<1x5x5x32xi32>
  return %r : tensor<1x5x5x32xi32>
}
