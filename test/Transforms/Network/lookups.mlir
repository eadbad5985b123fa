// Rows of a table are vectors, whichever rows they are; single elements of it are looked up one by one.
// RUN: %vectorized %s | FileCheck %s
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 | FileCheck %s --check-prefix=EXECUTED

// CHECK-COUNT-4: vectorized loop
// CHECK-NOT: vectorized loop

// EXECUTED-COUNT-4: verified

// Two elements are looked up in an iteration.
// RUN: ucmoh-opt %s --ucmoh-to-llvm=target=x86_avx2_fma | FileCheck %s --check-prefix=UNROLLED
// UNROLLED: #[[UNROLL:.*]] = #llvm.loop_unroll<count = 2 : i32>
// UNROLLED: #[[LOOP:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>
// UNROLLED: llvm.func @elements(
// UNROLLED: loop_annotation = #[[LOOP]]

#map = affine_map<(h, w) -> (h, w)>
#row = affine_map<(h, w) -> (h)>

// Places that are given lie in memory, and are read once for each row.
func.func @words(%words: tensor<64xi64>, %table: tensor<16x64xf32>, %others: tensor<16x64xf32>) -> tensor<64x64xi8> {
  %fifteen = arith.constant 15 : i64
  %empty = tensor.empty() : tensor<64x64xi8>
  %r = linalg.generic {indexing_maps = [#row, #map], iterator_types = ["parallel", "parallel"]} ins(%words : tensor<64xi64>) outs(%empty : tensor<64x64xi8>) {
  ^bb0(%in: i64, %out: i8):
    %small = arith.andi %in, %fifteen : i64
    %row = arith.index_cast %small : i64 to index
    %w = linalg.index 1 : index
    %a = tensor.extract %table[%row, %w] : tensor<16x64xf32>
    %b = tensor.extract %others[%row, %w] : tensor<16x64xf32>
    %c = arith.mulf %a, %b : f32
    %d = arith.fptosi %c : f32 to i8
    linalg.yield %d : i8
  } -> tensor<64x64xi8>
  return %r : tensor<64x64xi8>
}

func.func @rows(%table: tensor<16x64xf32>) -> tensor<64x64xf32> {
  %four = arith.constant 4 : index
  %empty = tensor.empty() : tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%empty : tensor<64x64xf32>) {
  ^bb0(%out: f32):
    %h = linalg.index 0 : index
    %w = linalg.index 1 : index
    %row = arith.divui %h, %four : index
    %a = tensor.extract %table[%row, %w] : tensor<16x64xf32>
    %b = arith.addf %a, %a : f32
    linalg.yield %b : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

func.func @elements(%table: tensor<16x64xi8>, %which: tensor<64x64xi8>) -> tensor<64x64xi8> {
  %fifteen = arith.constant 15 : i8
  %empty = tensor.empty() : tensor<64x64xi8>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%which : tensor<64x64xi8>) outs(%empty : tensor<64x64xi8>) {
  ^bb0(%in: i8, %out: i8):
    %small = arith.andi %in, %fifteen : i8
    %row = arith.index_castui %small : i8 to index
    %a = tensor.extract %table[%row, %row] : tensor<16x64xi8>
    linalg.yield %a : i8
  } -> tensor<64x64xi8>
  return %r : tensor<64x64xi8>
}

// What is computed of single elements is computed by vectors, once they have been looked up.
func.func @quantized(%table: tensor<256xf32>, %which: tensor<64x64xi8>) -> tensor<64x64xi8> {
  %scale = arith.constant 20.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%which : tensor<64x64xi8>) outs(%empty : tensor<64x64xf32>) {
  ^bb0(%in: i8, %out: f32):
    %at = arith.index_castui %in : i8 to index
    %a = tensor.extract %table[%at] : tensor<256xf32>
    linalg.yield %a : f32
  } -> tensor<64x64xf32>
  %e8 = tensor.empty() : tensor<64x64xi8>
  %q = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<64x64xf32>) outs(%e8 : tensor<64x64xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %scale : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %least : f32
    %3 = arith.minimumf %2, %most : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<64x64xi8>
  return %q : tensor<64x64xi8>
}
