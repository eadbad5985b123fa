// RUN: ucmoh-opt %s --ucmoh-prepare --split-input-file | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i, j) -> ()>

// Dynamic quantization: the extension and the zero point of one element stay together in one op in
// front of the contraction, the sum fits 32 bits and the truncation goes.
// CHECK-LABEL: func @dynamic_quantization
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<8x32xi8>, %[[ZA:[a-z0-9]+]]: tensor<i8>
// CHECK: %[[Z:.*]] = tensor.extract %[[ZA]][] : tensor<i8>
// CHECK: %[[Z32:.*]] = arith.extui %[[Z]] : i8 to i32
// CHECK: %[[L:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<8x32xi8>)
// CHECK: arith.extui
// CHECK-NEXT: arith.subi %{{.*}}, %[[Z32]]
// CHECK: linalg.generic {{.*}} ins(%[[L]], {{.*}}) outs(%{{.*}} : tensor<8x16xi32>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.muli {{.*}} : i32
// CHECK-NEXT: arith.addi {{.*}} : i32
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.sitofp {{.*}} : i32 to f32
func.func @dynamic_quantization(%a: tensor<8x32xi8>, %za: tensor<i8>, %b: tensor<32x16xi8>) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : i64
  %ea = tensor.empty() : tensor<8x32xi32>
  %a32 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x32xi8>) outs(%ea : tensor<8x32xi32>) {
  ^bb0(%x: i8, %o: i32):
    %0 = arith.extui %x : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<8x32xi32>
  %az = linalg.generic {indexing_maps = [#id, #one, #id], iterator_types = ["parallel", "parallel"]} ins(%a32, %za : tensor<8x32xi32>, tensor<i8>) outs(%ea : tensor<8x32xi32>) {
  ^bb0(%x: i32, %z: i8, %o: i32):
    %0 = arith.extui %z : i8 to i32
    %1 = arith.subi %x, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<8x32xi32>
  %eb = tensor.empty() : tensor<32x16xi32>
  %b32 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<32x16xi8>) outs(%eb : tensor<32x16xi32>) {
  ^bb0(%x: i8, %o: i32):
    %0 = arith.extsi %x : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<32x16xi32>
  %er = tensor.empty() : tensor<8x16xi64>
  %init = linalg.fill ins(%c0 : i64) outs(%er : tensor<8x16xi64>) -> tensor<8x16xi64>
  %r = linalg.matmul ins(%az, %b32 : tensor<8x32xi32>, tensor<32x16xi32>) outs(%init : tensor<8x16xi64>) -> tensor<8x16xi64>
  %ef = tensor.empty() : tensor<8x16xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<8x16xi64>) outs(%ef : tensor<8x16xf32>) {
  ^bb0(%x: i64, %o: f32):
    %0 = arith.trunci %x : i64 to i32
    %1 = arith.sitofp %0 : i32 to f32
    linalg.yield %1 : f32
  } -> tensor<8x16xf32>
  return %f : tensor<8x16xf32>
}

// -----

// 33025 products of at most 255 * 255 fit 31 bits, 33026 do not: without a truncation behind it,
// that sum keeps its 64 bits.
// CHECK-LABEL: func @fits
// CHECK: linalg.generic
// CHECK: -> tensor<8x16xi32>
// CHECK: linalg.generic
// CHECK: arith.extsi {{.*}} : i32 to i64
func.func @fits(%a: tensor<8x33025xi8>, %b: tensor<33025x16xi8>) -> tensor<8x16xi64> {
  %c0 = arith.constant 0 : i64
  %e = tensor.empty() : tensor<8x16xi64>
  %init = linalg.fill ins(%c0 : i64) outs(%e : tensor<8x16xi64>) -> tensor<8x16xi64>
  %r = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<8x33025xi8>, tensor<33025x16xi8>) outs(%init : tensor<8x16xi64>) -> tensor<8x16xi64>
  return %r : tensor<8x16xi64>
}

// CHECK-LABEL: func @overflows
// CHECK: linalg.matmul {{.*}} outs(%{{.*}} : tensor<8x16xi64>)
func.func @overflows(%a: tensor<8x33026xi8>, %b: tensor<33026x16xi8>) -> tensor<8x16xi64> {
  %c0 = arith.constant 0 : i64
  %e = tensor.empty() : tensor<8x16xi64>
  %init = linalg.fill ins(%c0 : i64) outs(%e : tensor<8x16xi64>) -> tensor<8x16xi64>
  %r = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<8x33026xi8>, tensor<33026x16xi8>) outs(%init : tensor<8x16xi64>) -> tensor<8x16xi64>
  return %r : tensor<8x16xi64>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Nothing is known of the zero point: the sum may need 64 bits.
// CHECK-LABEL: func @unknown_zero_point
// CHECK: linalg.matmul {{.*}} outs(%{{.*}} : tensor<8x16xi64>)
func.func @unknown_zero_point(%a: tensor<8x32xi8>, %z: i32, %b: tensor<32x16xi8>) -> tensor<8x16xi64> {
  %c0 = arith.constant 0 : i64
  %ea = tensor.empty() : tensor<8x32xi32>
  %a32 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x32xi8>) outs(%ea : tensor<8x32xi32>) {
  ^bb0(%x: i8, %o: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.subi %0, %z : i32
    linalg.yield %1 : i32
  } -> tensor<8x32xi32>
  %e = tensor.empty() : tensor<8x16xi64>
  %init = linalg.fill ins(%c0 : i64) outs(%e : tensor<8x16xi64>) -> tensor<8x16xi64>
  %r = linalg.matmul ins(%a32, %b : tensor<8x32xi32>, tensor<32x16xi8>) outs(%init : tensor<8x16xi64>) -> tensor<8x16xi64>
  return %r : tensor<8x16xi64>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// What computes 8-bit values and extends them at once is taken apart: the values, the shift from
// u8, the extension.
// CHECK-LABEL: func @extended_at_once
// CHECK: %[[Q:.*]] = linalg.generic
// CHECK: arith.fptoui
// CHECK-NEXT: linalg.yield {{.*}} : i8
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%[[Q]] : tensor<8x32xi8>)
// CHECK: arith.addi
// CHECK-NEXT: linalg.yield {{.*}} : i8
// CHECK: %[[E:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<8x32xi8>)
// CHECK: arith.extsi
// CHECK-NEXT: arith.subi
// CHECK-NEXT: linalg.yield {{.*}} : i32
// CHECK: linalg.matmul ins(%[[E]]
func.func @extended_at_once(%acc: tensor<8x16xi32>, %a: tensor<8x32xf32>, %b: tensor<32x16xi8>) -> tensor<8x16xi32> {
  %zero = arith.constant -7 : i32
  %shift = arith.constant -128 : i8
  %ea = tensor.empty() : tensor<8x32xi32>
  %a32 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x32xf32>) outs(%ea : tensor<8x32xi32>) {
  ^bb0(%x: f32, %o: i32):
    %0 = arith.fptoui %x : f32 to i8
    %1 = arith.addi %0, %shift : i8
    %2 = arith.extsi %1 : i8 to i32
    %3 = arith.subi %2, %zero : i32
    linalg.yield %3 : i32
  } -> tensor<8x32xi32>
  %r = linalg.matmul ins(%a32, %b : tensor<8x32xi32>, tensor<32x16xi8>) outs(%acc : tensor<8x16xi32>) -> tensor<8x16xi32>
  return %r : tensor<8x16xi32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// What quantization leaves in 64 bits fits 32, but for what is read from memory in 64.
// CHECK-LABEL: func @requantize
// CHECK: arith.fptoui {{.*}} : f32 to i8
// CHECK: arith.extui {{.*}} : i8 to i32
// CHECK: arith.subi {{.*}} : i32
// CHECK-LABEL: func @wide
// CHECK: arith.subi {{.*}} : i64
func.func @requantize(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 131 : i64
  %e = tensor.empty() : tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %0 = arith.fptoui %x : f32 to i8
    %1 = arith.extui %0 : i8 to i64
    %2 = arith.subi %1, %zero : i64
    %3 = arith.sitofp %2 : i64 to f32
    linalg.yield %3 : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

func.func @wide(%a: tensor<8x16xi64>) -> tensor<8x16xf32> {
  %zero = arith.constant 131 : i64
  %e = tensor.empty() : tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x16xi64>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%x: i64, %o: f32):
    %0 = arith.subi %x, %zero : i64
    %1 = arith.sitofp %0 : i64 to f32
    linalg.yield %1 : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// -----

// An open number of rows changes nothing. An open number of steps could overflow.
// CHECK-LABEL: func @open_rows
// CHECK: outs({{.*}} : tensor<?x16xi32>)
// CHECK: arith.extsi {{.*}} : i32 to i64
// CHECK: return {{.*}} : tensor<?x16xi64>
func.func @open_rows(%a: tensor<?x32xi8>, %b: tensor<32x16xi8>, %init: tensor<?x16xi64>) -> tensor<?x16xi64> {
  %c0 = arith.constant 0 : i64
  %f = linalg.fill ins(%c0 : i64) outs(%init : tensor<?x16xi64>) -> tensor<?x16xi64>
  %r = linalg.matmul ins(%a, %b : tensor<?x32xi8>, tensor<32x16xi8>) outs(%f : tensor<?x16xi64>) -> tensor<?x16xi64>
  return %r : tensor<?x16xi64>
}
// CHECK-LABEL: func @open_steps
// CHECK: linalg.matmul {{.*}} outs({{.*}} : tensor<8x16xi64>)
func.func @open_steps(%a: tensor<8x?xi8>, %b: tensor<?x16xi8>, %init: tensor<8x16xi64>) -> tensor<8x16xi64> {
  %c0 = arith.constant 0 : i64
  %f = linalg.fill ins(%c0 : i64) outs(%init : tensor<8x16xi64>) -> tensor<8x16xi64>
  %r = linalg.matmul ins(%a, %b : tensor<8x?xi8>, tensor<?x16xi8>) outs(%f : tensor<8x16xi64>) -> tensor<8x16xi64>
  return %r : tensor<8x16xi64>
}
