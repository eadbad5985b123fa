// RUN: ucmoh-opt %s --ucmoh-prepare --split-input-file | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#id4 = affine_map<(i, j, k, l) -> (i, j, k, l)>

// The quantization of a head joins the product that computes it; a transpose of bytes is left.
// CHECK-LABEL: func @head
// CHECK: linalg.matmul
// CHECK: linalg.generic
// CHECK: arith.fptosi
// CHECK: tensor.expand_shape %{{.*}} : tensor<8x32xi8> into tensor<8x2x16xi8>
// CHECK: linalg.transpose ins(%{{.*}} : tensor<8x2x16xi8>)
// CHECK-NOT: linalg.generic
func.func @head(%a: tensor<8x64xf32>, %b: tensor<64x32xf32>, %zeros: tensor<8x32xf32>, %e: tensor<2x8x16xf32>, %e8: tensor<2x8x16xi8>) -> tensor<2x8x16xi8> {
  %scale = arith.constant 16.0 : f32
  %p = linalg.matmul ins(%a, %b : tensor<8x64xf32>, tensor<64x32xf32>) outs(%zeros : tensor<8x32xf32>) -> tensor<8x32xf32>
  %x = tensor.expand_shape %p [[0], [1, 2]] output_shape [8, 2, 16] : tensor<8x32xf32> into tensor<8x2x16xf32>
  %t = linalg.transpose ins(%x : tensor<8x2x16xf32>) outs(%e : tensor<2x8x16xf32>) permutation = [1, 0, 2]
  %q = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%t : tensor<2x8x16xf32>) outs(%e8 : tensor<2x8x16xi8>) {
  ^bb0(%v: f32, %o: i8):
    %s = arith.mulf %v, %scale : f32
    %i = arith.fptosi %s : f32 to i8
    linalg.yield %i : i8
  } -> tensor<2x8x16xi8>
  return %q : tensor<2x8x16xi8>
}

// -----

// What another op uses stays a float.
// CHECK-LABEL: func @shared
// CHECK: linalg.transpose ins(%{{.*}} : tensor<8x32xf32>)
func.func @shared(%a: tensor<8x64xf32>, %b: tensor<64x32xf32>, %zeros: tensor<8x32xf32>, %e: tensor<32x8xf32>, %e8: tensor<32x8xi8>) -> (tensor<32x8xi8>, tensor<32x8xf32>) {
  %p = linalg.matmul ins(%a, %b : tensor<8x64xf32>, tensor<64x32xf32>) outs(%zeros : tensor<8x32xf32>) -> tensor<8x32xf32>
  %t = linalg.transpose ins(%p : tensor<8x32xf32>) outs(%e : tensor<32x8xf32>) permutation = [1, 0]
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<32x8xf32>) outs(%e8 : tensor<32x8xi8>) {
  ^bb0(%v: f32, %o: i8):
    %i = arith.fptosi %v : f32 to i8
    linalg.yield %i : i8
  } -> tensor<32x8xi8>
  return %q, %t : tensor<32x8xi8>, tensor<32x8xf32>
}

// -----

// A product writes the rows of a head where the transpose would move them, behind dims of extent 1 as well; it keeps its number.
// CHECK-DAG: #[[WRITTEN:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d0, d2)>
// CHECK-LABEL: func @values
// CHECK: linalg.generic {indexing_maps = [{{.*}}, {{.*}}, #[[WRITTEN]]]
// CHECK-SAME: ucmoh.op = 7
// CHECK: arith.addf
// CHECK: linalg.generic
// CHECK: arith.mulf
// CHECK-NOT: linalg.transpose
func.func @values(%p: tensor<2x8x16xf32>, %v: tensor<2x16x32xf32>) -> tensor<1x8x2x32xf32> {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<2x8x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
  %r = linalg.batch_matmul {ucmoh.op = 7 : i64} ins(%p, %v : tensor<2x8x16xf32>, tensor<2x16x32xf32>) outs(%f : tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r : tensor<2x8x32xf32>) outs(%e : tensor<2x8x32xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.mulf %x, %two : f32
    linalg.yield %y : f32
  } -> tensor<2x8x32xf32>
  %x = tensor.expand_shape %d [[0, 1], [2], [3]] output_shape [1, 2, 8, 32] : tensor<2x8x32xf32> into tensor<1x2x8x32xf32>
  %et = tensor.empty() : tensor<1x8x2x32xf32>
  %t = linalg.transpose ins(%x : tensor<1x2x8x32xf32>) outs(%et : tensor<1x8x2x32xf32>) permutation = [0, 2, 1, 3]
  return %t : tensor<1x8x2x32xf32>
}

// -----

// Where columns become rows, stores would be of single elements.
// CHECK-LABEL: func @columns
// CHECK: linalg.transpose
func.func @columns(%a: tensor<8x64xf32>, %b: tensor<64x32xf32>) -> tensor<32x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %p = linalg.matmul ins(%a, %b : tensor<8x64xf32>, tensor<64x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  %et = tensor.empty() : tensor<32x8xf32>
  %t = linalg.transpose ins(%p : tensor<8x32xf32>) outs(%et : tensor<32x8xf32>) permutation = [1, 0]
  return %t : tensor<32x8xf32>
}

// -----

// Branches are quantized in front of their concatenation: by the product, and for themselves.
// CHECK-LABEL: func @branches
// CHECK: linalg.matmul
// CHECK: arith.fptosi
// CHECK: arith.fptosi
// CHECK: %[[ALL:.*]] = tensor.concat dim(1) {{.*}} : (tensor<8x32xi8>, tensor<8x4xi8>) -> tensor<8x36xi8>
// CHECK-NEXT: return %[[ALL]]
func.func @branches(%a: tensor<8x64xf32>, %b: tensor<64x32xf32>, %zeros: tensor<8x32xf32>, %other: tensor<8x4xf32>, %e8: tensor<8x36xi8>) -> tensor<8x36xi8> {
  %p = linalg.matmul ins(%a, %b : tensor<8x64xf32>, tensor<64x32xf32>) outs(%zeros : tensor<8x32xf32>) -> tensor<8x32xf32>
  %c = tensor.concat dim(1) %p, %other : (tensor<8x32xf32>, tensor<8x4xf32>) -> tensor<8x36xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<8x36xf32>) outs(%e8 : tensor<8x36xi8>) {
  ^bb0(%v: f32, %o: i8):
    %i = arith.fptosi %v : f32 to i8
    linalg.yield %i : i8
  } -> tensor<8x36xi8>
  return %q : tensor<8x36xi8>
}

// -----

// Phases are quantized before they are inserted, each by what computes it.
// CHECK-LABEL: func @quantized_phases
// CHECK: linalg.matmul
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<4x16xi8>)
// CHECK: tensor.insert_slice {{.*}} tensor<4x16xi8> into tensor<8x16xi8>
// CHECK: tensor.insert_slice {{.*}} tensor<4x16xi8> into tensor<8x16xi8>
// CHECK-NOT: linalg.generic
// CHECK: return
#phase = affine_map<(i, j) -> (i, j)>
func.func @quantized_phases(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<8x16xf32>) -> tensor<8x16xi8> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %first = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%init : tensor<4x16xf32>) -> tensor<4x16xf32>
  %second = linalg.matmul ins(%a, %c : tensor<4x8xf32>, tensor<8x16xf32>) outs(%init : tensor<4x16xf32>) -> tensor<4x16xf32>
  %whole = tensor.empty() : tensor<8x16xf32>
  %one = tensor.insert_slice %first into %whole[0, 0] [4, 16] [2, 1] : tensor<4x16xf32> into tensor<8x16xf32>
  %two = tensor.insert_slice %second into %one[1, 0] [4, 16] [2, 1] : tensor<4x16xf32> into tensor<8x16xf32>
  %n = tensor.empty() : tensor<8x16xi8>
  %q = linalg.generic {indexing_maps = [#phase, #phase], iterator_types = ["parallel", "parallel"]} ins(%two : tensor<8x16xf32>) outs(%n : tensor<8x16xi8>) {
  ^bb0(%in: f32, %out: i8):
    %y = arith.fptosi %in : f32 to i8
    linalg.yield %y : i8
  } -> tensor<8x16xi8>
  return %q : tensor<8x16xi8>
}

// -----

// Rows that are found several times are quantized in their table, by the product that computes it.
// CHECK-LABEL: func @neighbours
// CHECK: linalg.matmul
// CHECK: %[[TABLE:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<8x64xi8>)
// CHECK: arith.fptosi
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<32x64xi8>)
// CHECK: tensor.extract %[[TABLE]]
// CHECK-NOT: linalg.generic
// CHECK: return
#row = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
func.func @neighbours(%a: tensor<8x64xf32>, %b: tensor<64x64xf32>, %zeros: tensor<8x64xf32>, %places: tensor<32xi32>) -> tensor<32x64xi8> {
  %p = linalg.matmul ins(%a, %b : tensor<8x64xf32>, tensor<64x64xf32>) outs(%zeros : tensor<8x64xf32>) -> tensor<8x64xf32>
  %e = tensor.empty() : tensor<32x64xf32>
  %rows = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%places : tensor<32xi32>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%place: i32, %o: f32):
    %i = arith.index_cast %place : i32 to index
    %j = linalg.index 1 : index
    %x = tensor.extract %p[%i, %j] : tensor<8x64xf32>
    linalg.yield %x : f32
  } -> tensor<32x64xf32>
  %e8 = tensor.empty() : tensor<32x64xi8>
  %q = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%rows : tensor<32x64xf32>) outs(%e8 : tensor<32x64xi8>) {
  ^bb0(%v: f32, %o: i8):
    %i = arith.fptosi %v : f32 to i8
    linalg.yield %i : i8
  } -> tensor<32x64xi8>
  return %q : tensor<32x64xi8>
}

// -----

// A table of weights is quantized once. What makes its rows no narrower would have to keep a second one.
// CHECK-LABEL: func @words
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<1000x64xi8>)
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<4x64xi8>)
// CHECK: tensor.extract
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<4x64xf32>)
// CHECK: tensor.extract %{{.*}} : tensor<1000x64xf32>
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<4x64xf32>)
// CHECK: arith.mulf
#row = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
func.func @words(%table: tensor<1000x64xf32> {ucmoh.weight}, %places: tensor<4xi32>, %e8: tensor<4x64xi8>) -> (tensor<4x64xi8>, tensor<4x64xf32>) {
  %scale = arith.constant 8.0 : f32
  %e = tensor.empty() : tensor<4x64xf32>
  %rows = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%places : tensor<4xi32>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%place: i32, %o: f32):
    %i = arith.index_cast %place : i32 to index
    %j = linalg.index 1 : index
    %x = tensor.extract %table[%i, %j] : tensor<1000x64xf32>
    linalg.yield %x : f32
  } -> tensor<4x64xf32>
  %q = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%rows : tensor<4x64xf32>) outs(%e8 : tensor<4x64xi8>) {
  ^bb0(%v: f32, %o: i8):
    %i = arith.fptosi %v : f32 to i8
    linalg.yield %i : i8
  } -> tensor<4x64xi8>
  %others = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%places : tensor<4xi32>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%place: i32, %o: f32):
    %i = arith.index_cast %place : i32 to index
    %j = linalg.index 1 : index
    %x = tensor.extract %table[%i, %j] : tensor<1000x64xf32>
    linalg.yield %x : f32
  } -> tensor<4x64xf32>
  %s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%others : tensor<4x64xf32>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%v: f32, %o: f32):
    %m = arith.mulf %v, %scale : f32
    linalg.yield %m : f32
  } -> tensor<4x64xf32>
  return %q, %s : tensor<4x64xi8>, tensor<4x64xf32>
}

// Weights that are repeated for each row of rows, whose dims then become one, are repeated along that one: the product that
// reads them is one of many rows. An op that tells the dims apart stays.
// CHECK-LABEL: func @repeated
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<3x5x6xf32>) outs({{.*}} : tensor<3x4x5x6xf32>)
// CHECK-NOT: tensor<3x4x5x6xf32>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<5x6xf32>) outs({{.*}} : tensor<12x5x6xf32>)
// CHECK: tensor.collapse_shape {{.*}} : tensor<3x4x5x6xf32> into tensor<12x5x6xf32>
#w = affine_map<(i, j, k, l) -> (k, l)>
#n = affine_map<(i, j, k, l) -> (i, k, l)>
#four = affine_map<(i, j, k, l) -> (i, j, k, l)>
func.func @repeated(%w: tensor<5x6xf32>, %n: tensor<3x5x6xf32>) -> (tensor<12x5x6xf32>, tensor<12x5x6xf32>) {
  %e = tensor.empty() : tensor<3x4x5x6xf32>
  %0 = linalg.generic {indexing_maps = [#w, #four], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<5x6xf32>) outs(%e : tensor<3x4x5x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<3x4x5x6xf32>
  %1 = linalg.generic {indexing_maps = [#n, #four], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%n : tensor<3x5x6xf32>) outs(%e : tensor<3x4x5x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<3x4x5x6xf32>
  %2 = tensor.collapse_shape %0 [[0, 1], [2], [3]] : tensor<3x4x5x6xf32> into tensor<12x5x6xf32>
  %3 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<3x4x5x6xf32> into tensor<12x5x6xf32>
  return %2, %3 : tensor<12x5x6xf32>, tensor<12x5x6xf32>
}

// A scalar has no dims to repeat along.
// CHECK-LABEL: func @scalar
// CHECK: tensor.collapse_shape {{.*}} : tensor<1x1xf32> into tensor<f32>
#none = affine_map<(i, j) -> ()>
#two = affine_map<(i, j) -> (i, j)>
func.func @scalar(%x: tensor<f32>, %y: tensor<1x1xf32>) -> tensor<f32> {
  %e = tensor.empty() : tensor<1x1xf32>
  %0 = linalg.generic {indexing_maps = [#none, #two, #two], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<f32>, tensor<1x1xf32>) outs(%e : tensor<1x1xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x1xf32>
  %1 = tensor.collapse_shape %0 [] : tensor<1x1xf32> into tensor<f32>
  return %1 : tensor<f32>
}
