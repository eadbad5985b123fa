// What reads a concatenation is computed on its parts, which are written to where they belong. Loops over parts that
// read the same become one.
// RUN: ucmoh-opt %s --ucmoh-group-rest | FileCheck %s
// RUN: ucmoh-opt %s --mlir-disable-threading --ucmoh-to-llvm=target=x86_avx2_fma --mlir-print-ir-after=ucmoh-join-rest -o /dev/null 2>&1 | FileCheck %s --check-prefix=JOINED
// RUN: ucmoh-run %s --repeat=1 --budget=0.05 | FileCheck %s --check-prefix=EXECUTED

// EXECUTED-COUNT-8: verified

#token = affine_map<(b, h, t, d) -> (b, h, t, d)>
#angle = affine_map<(b, h, t, d) -> (t, d)>
#pair = affine_map<(h, t, d) -> (h, t, d)>
#half = affine_map<(h, t, d) -> (t, d)>
#all = affine_map<(d0, d1) -> (d0, d1)>

// A rotary embedding as it is exported: heads are moved, and halves of their rows are read by both parts.
// CHECK-LABEL: func.func @rotary(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x32x4x64xf32>
// CHECK-NOT: tensor.concat
// CHECK-NOT: linalg.transpose
// CHECK-DAG: tensor.extract_slice %[[X]][0, 0, 0, 32] [1, 32, 4, 32]
// CHECK-DAG: %[[WHOLE:.+]] = bufferization.alloc_tensor() : tensor<1x4x32x64xf32>
// CHECK: %[[FIRST:.+]] = linalg.generic
// CHECK: arith.negf
// CHECK: } -> tensor<4x32x32xf32>
// CHECK: %[[SECOND:.+]] = linalg.generic
// CHECK-NOT: arith.negf
// CHECK: } -> tensor<4x32x32xf32>
// CHECK-NOT: linalg.generic
// CHECK: %[[PART:.+]] = tensor.insert_slice %[[FIRST]] into %[[WHOLE]][0, 0, 0, 0] [1, 4, 32, 32]
// CHECK: tensor.insert_slice %[[SECOND]] into %[[PART]][0, 0, 0, 32] [1, 4, 32, 32]

// JOINED-LABEL: func.func @rotary(
// JOINED-COUNT-1: memref.alloc
// JOINED: linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : memref
// JOINED-NOT: linalg.generic
// JOINED-NOT: memref.copy
// JOINED-NOT: memref.alloc
// JOINED: return
func.func @rotary(%x: tensor<1x32x4x64xf32>, %cosines: tensor<32x64xf32>, %sines: tensor<32x64xf32>) -> tensor<1x4x32x64xf32> {
  %empty = tensor.empty() : tensor<1x4x32x64xf32>
  %half = tensor.empty() : tensor<1x4x32x32xf32>
  %heads = linalg.transpose ins(%x : tensor<1x32x4x64xf32>) outs(%empty : tensor<1x4x32x64xf32>) permutation = [0, 2, 1, 3]
  %second = tensor.extract_slice %heads[0, 0, 0, 32] [1, 4, 32, 32] [1, 1, 1, 1] : tensor<1x4x32x64xf32> to tensor<1x4x32x32xf32>
  %negated = linalg.negf ins(%second : tensor<1x4x32x32xf32>) outs(%half : tensor<1x4x32x32xf32>) -> tensor<1x4x32x32xf32>
  %first = tensor.extract_slice %heads[0, 0, 0, 0] [1, 4, 32, 32] [1, 1, 1, 1] : tensor<1x4x32x64xf32> to tensor<1x4x32x32xf32>
  %turned = tensor.concat dim(3) %negated, %first : (tensor<1x4x32x32xf32>, tensor<1x4x32x32xf32>) -> tensor<1x4x32x64xf32>
  %cosine = linalg.generic {indexing_maps = [#token, #angle, #token], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%heads, %cosines : tensor<1x4x32x64xf32>, tensor<32x64xf32>) outs(%empty : tensor<1x4x32x64xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %0 = arith.mulf %a, %c : f32
    linalg.yield %0 : f32
  } -> tensor<1x4x32x64xf32>
  %sine = linalg.generic {indexing_maps = [#token, #angle, #token], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%turned, %sines : tensor<1x4x32x64xf32>, tensor<32x64xf32>) outs(%empty : tensor<1x4x32x64xf32>) {
  ^bb0(%a: f32, %s: f32, %out: f32):
    %0 = arith.mulf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<1x4x32x64xf32>
  %y = linalg.add ins(%cosine, %sine : tensor<1x4x32x64xf32>, tensor<1x4x32x64xf32>) outs(%empty : tensor<1x4x32x64xf32>) -> tensor<1x4x32x64xf32>
  return %y : tensor<1x4x32x64xf32>
}

// Pairs of neighbours are turned: parts of one element alternate in memory.
// JOINED-LABEL: func.func @interleaved(
// JOINED: linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : memref
// JOINED-NOT: linalg.generic
// JOINED-NOT: memref.copy
// JOINED: return
func.func @interleaved(%x: tensor<4x32x64xf32>, %cosines: tensor<32x32xf32>, %sines: tensor<32x32xf32>) -> tensor<4x32x64xf32> {
  %empty = tensor.empty() : tensor<4x32x32xf32>
  %first = tensor.extract_slice %x[0, 0, 0] [4, 32, 32] [1, 1, 2] : tensor<4x32x64xf32> to tensor<4x32x32xf32>
  %second = tensor.extract_slice %x[0, 0, 1] [4, 32, 32] [1, 1, 2] : tensor<4x32x64xf32> to tensor<4x32x32xf32>
  %a = linalg.generic {indexing_maps = [#pair, #pair, #half, #half, #pair], iterator_types = ["parallel", "parallel", "parallel"]} ins(%first, %second, %cosines, %sines : tensor<4x32x32xf32>, tensor<4x32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%empty : tensor<4x32x32xf32>) {
  ^bb0(%p: f32, %q: f32, %c: f32, %s: f32, %out: f32):
    %0 = arith.mulf %p, %c : f32
    %1 = arith.mulf %q, %s : f32
    %2 = arith.subf %0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x32x32xf32>
  %b = linalg.generic {indexing_maps = [#pair, #pair, #half, #half, #pair], iterator_types = ["parallel", "parallel", "parallel"]} ins(%first, %second, %cosines, %sines : tensor<4x32x32xf32>, tensor<4x32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) outs(%empty : tensor<4x32x32xf32>) {
  ^bb0(%p: f32, %q: f32, %c: f32, %s: f32, %out: f32):
    %0 = arith.mulf %p, %s : f32
    %1 = arith.mulf %q, %c : f32
    %2 = arith.addf %0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x32x32xf32>
  %evens = tensor.expand_shape %a [[0], [1], [2, 3]] output_shape [4, 32, 32, 1] : tensor<4x32x32xf32> into tensor<4x32x32x1xf32>
  %odds = tensor.expand_shape %b [[0], [1], [2, 3]] output_shape [4, 32, 32, 1] : tensor<4x32x32xf32> into tensor<4x32x32x1xf32>
  %pairs = tensor.concat dim(3) %evens, %odds : (tensor<4x32x32x1xf32>, tensor<4x32x32x1xf32>) -> tensor<4x32x32x2xf32>
  %y = tensor.collapse_shape %pairs [[0], [1], [2, 3]] : tensor<4x32x32x2xf32> into tensor<4x32x64xf32>
  return %y : tensor<4x32x64xf32>
}

// Parts that begin and end alike in both operands are not cut out of the other one.
// CHECK-LABEL: func.func @both(
// CHECK-NOT: tensor.extract_slice
// CHECK-COUNT-2: tensor.insert_slice
func.func @both(%a: tensor<8x16xf32>, %b: tensor<8x48xf32>, %c: tensor<8x16xf32>, %d: tensor<8x48xf32>) -> tensor<8x64xf32> {
  %empty = tensor.empty() : tensor<8x64xf32>
  %x = tensor.concat dim(1) %a, %b : (tensor<8x16xf32>, tensor<8x48xf32>) -> tensor<8x64xf32>
  %y = tensor.concat dim(1) %c, %d : (tensor<8x16xf32>, tensor<8x48xf32>) -> tensor<8x64xf32>
  %z = linalg.add ins(%x, %y : tensor<8x64xf32>, tensor<8x64xf32>) outs(%empty : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %z : tensor<8x64xf32>
}

// Outside of the innermost dim, parts may be short.
// CHECK-LABEL: func.func @first_row(
// CHECK-NOT: tensor.concat
// CHECK: linalg.generic
// CHECK: linalg.generic
func.func @first_row(%a: tensor<1x64xf32>, %b: tensor<7x64xf32>, %p: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %empty = tensor.empty() : tensor<8x64xf32>
  %x = tensor.concat dim(0) %a, %b : (tensor<1x64xf32>, tensor<7x64xf32>) -> tensor<8x64xf32>
  %y = linalg.add ins(%x, %p : tensor<8x64xf32>, tensor<8x64xf32>) outs(%empty : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// Vectors would not fit into such parts.
// CHECK-LABEL: func.func @narrow(
// CHECK: tensor.concat
// CHECK: linalg.generic
func.func @narrow(%a: tensor<8x2xf32>, %b: tensor<8x2xf32>) -> tensor<8x4xf32> {
  %empty = tensor.empty() : tensor<8x4xf32>
  %x = tensor.concat dim(1) %a, %b : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x4xf32>
  %y = linalg.exp ins(%x : tensor<8x4xf32>) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// Another op needs the whole.
// CHECK-LABEL: func.func @needed(
// CHECK: tensor.concat
func.func @needed(%a: tensor<8x32xf32>, %b: tensor<8x32xf32>) -> (tensor<8x64xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x64xf32>
  %row = tensor.empty() : tensor<8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %x = tensor.concat dim(1) %a, %b : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x64xf32>
  %y = linalg.negf ins(%x : tensor<8x64xf32>) outs(%empty : tensor<8x64xf32>) -> tensor<8x64xf32>
  %s = linalg.reduce {arith.addf} ins(%x : tensor<8x64xf32>) outs(%zeros : tensor<8xf32>) dimensions = [1]
  return %y, %s : tensor<8x64xf32>, tensor<8xf32>
}

// Two results of one operand are one loop.
// JOINED-LABEL: func.func @two_results(
// JOINED: linalg.generic
// JOINED-NOT: linalg.generic
// JOINED: return
func.func @two_results(%x: tensor<8x64xf32>, %y: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  %empty = tensor.empty() : tensor<8x64xf32>
  %a = linalg.add ins(%x, %y : tensor<8x64xf32>, tensor<8x64xf32>) outs(%empty : tensor<8x64xf32>) -> tensor<8x64xf32>
  %b = linalg.mul ins(%x, %y : tensor<8x64xf32>, tensor<8x64xf32>) outs(%empty : tensor<8x64xf32>) -> tensor<8x64xf32>
  return %a, %b : tensor<8x64xf32>, tensor<8x64xf32>
}

// The second one reads what the first one has computed, in another order.
// JOINED-LABEL: func.func @dependent(
// JOINED: linalg.generic
// JOINED: linalg.generic
func.func @dependent(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %empty = tensor.empty() : tensor<64x64xf32>
  %a = linalg.negf ins(%x : tensor<64x64xf32>) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %b = linalg.generic {indexing_maps = [#all, affine_map<(d0, d1) -> (d1, d0)>, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%empty : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %0 = arith.addf %p, %q : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32>
  return %a, %b : tensor<64x64xf32>, tensor<64x64xf32>
}
