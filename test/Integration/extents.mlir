// Contractions of dynamic extent: tensorized ("choice"), and right at extents that fill no piece, some pieces, many.
// RUN: ucmoh-run %s --verify --repeat=1 --json --dim=1 | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --json --dim=3 | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --json --dim=29 | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --json --dim=77 | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --json --dim=128 | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --json --dim=301 | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --json --dim=33 --threads=2 | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --json --dim=45 --model=random:7 | FileCheck %s

#rows = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>

// CHECK-DAG: "function":"rows"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @rows(%x: tensor<?x96xf32>, %w: tensor<96x72xf32> {ucmoh.weight}, %bias: tensor<72xf32> {ucmoh.weight})
    -> tensor<?x72xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %extent = tensor.dim %x, %c0 : tensor<?x96xf32>
  %empty = tensor.empty(%extent) : tensor<?x72xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x72xf32>) -> tensor<?x72xf32>
  %product = linalg.matmul ins(%x, %w : tensor<?x96xf32>, tensor<96x72xf32>)
    outs(%init : tensor<?x72xf32>) -> tensor<?x72xf32>
  %r = linalg.generic {indexing_maps = [#rows, #columns, #rows], iterator_types = ["parallel", "parallel"]}
    ins(%product, %bias : tensor<?x72xf32>, tensor<72xf32>) outs(%empty : tensor<?x72xf32>) {
  ^bb0(%p: f32, %b: f32, %out: f32):
    %sum = arith.addf %p, %b : f32
    %positive = arith.maximumf %sum, %zero : f32
    linalg.yield %positive : f32
  } -> tensor<?x72xf32>
  return %r : tensor<?x72xf32>
}

// A transposed weight, a residual as the init, another size of rows.
// CHECK-DAG: "function":"residual"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @residual(%x: tensor<?x40xf32>, %w: tensor<56x40xf32> {ucmoh.weight}, %y: tensor<?x56xf32>)
    -> tensor<?x56xf32> {
  %empty = tensor.empty() : tensor<40x56xf32>
  %t = linalg.transpose ins(%w : tensor<56x40xf32>) outs(%empty : tensor<40x56xf32>) permutation = [1, 0]
  %r = linalg.matmul ins(%x, %t : tensor<?x40xf32>, tensor<40x56xf32>)
    outs(%y : tensor<?x56xf32>) -> tensor<?x56xf32>
  return %r : tensor<?x56xf32>
}

// Quantized, with a zero point on either side.
// CHECK-DAG: "function":"quantized"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @quantized(%x: tensor<?x96xi8>, %w: tensor<96x72xi8> {ucmoh.weight}) -> tensor<?x72xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %zx = arith.constant -3 : i32
  %zw = arith.constant 5 : i32
  %extent = tensor.dim %x, %c0 : tensor<?x96xi8>
  %empty = tensor.empty(%extent) : tensor<?x72xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<?x72xi32>) -> tensor<?x72xi32>
  %r = linalg.quantized_matmul ins(%x, %w, %zx, %zw : tensor<?x96xi8>, tensor<96x72xi8>, i32, i32)
    outs(%init : tensor<?x72xi32>) -> tensor<?x72xi32>
  return %r : tensor<?x72xi32>
}

// Batches of products; their number is dynamic.
// CHECK-DAG: "function":"batches"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @batches(%x: tensor<?x19x33xf32>, %y: tensor<?x33x48xf32>) -> tensor<?x19x48xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %extent = tensor.dim %x, %c0 : tensor<?x19x33xf32>
  %empty = tensor.empty(%extent) : tensor<?x19x48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x19x48xf32>) -> tensor<?x19x48xf32>
  %r = linalg.batch_matmul ins(%x, %y : tensor<?x19x33xf32>, tensor<?x33x48xf32>)
    outs(%init : tensor<?x19x48xf32>) -> tensor<?x19x48xf32>
  return %r : tensor<?x19x48xf32>
}

// Images of a convolution.
// CHECK-DAG: "function":"images"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @images(%x: tensor<?x9x9x16xf32>, %w: tensor<3x3x16x24xf32> {ucmoh.weight}) -> tensor<?x7x7x24xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %extent = tensor.dim %x, %c0 : tensor<?x9x9x16xf32>
  %empty = tensor.empty(%extent) : tensor<?x7x7x24xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x7x7x24xf32>) -> tensor<?x7x7x24xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<?x9x9x16xf32>, tensor<3x3x16x24xf32>)
    outs(%init : tensor<?x7x7x24xf32>) -> tensor<?x7x7x24xf32>
  return %r : tensor<?x7x7x24xf32>
}

// Attention: rows, columns and the reduction are dynamic. In between, a softmax over dynamic rows.
// CHECK-DAG: "function":"attention"{{.*}}"choice":"#ucmoh.choice<{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @attention(%q: tensor<3x?x32xf32>, %k: tensor<3x32x?xf32>, %v: tensor<3x?x32xf32>) -> tensor<3x?x32xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %extent = tensor.dim %q, %c1 : tensor<3x?x32xf32>
  %e0 = tensor.empty(%extent, %extent) : tensor<3x?x?xf32>
  %i0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %scores = linalg.batch_matmul ins(%q, %k : tensor<3x?x32xf32>, tensor<3x32x?xf32>)
    outs(%i0 : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %weights = linalg.softmax dimension(2) ins(%scores : tensor<3x?x?xf32>) outs(%e0 : tensor<3x?x?xf32>)
    -> tensor<3x?x?xf32>
  %e1 = tensor.empty(%extent) : tensor<3x?x32xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<3x?x32xf32>) -> tensor<3x?x32xf32>
  %r = linalg.batch_matmul ins(%weights, %v : tensor<3x?x?xf32>, tensor<3x?x32xf32>)
    outs(%i1 : tensor<3x?x32xf32>) -> tensor<3x?x32xf32>
  return %r : tensor<3x?x32xf32>
}

// The same sums of integers with zero points, which padding must not enter.
// CHECK-DAG: "function":"quantized_sums"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @quantized_sums(%x: tensor<2x?x?xi8>, %y: tensor<2x?x24xi8>) -> tensor<2x?x24xi32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %zx = arith.constant -3 : i32
  %zy = arith.constant 5 : i32
  %extent = tensor.dim %x, %c1 : tensor<2x?x?xi8>
  %empty = tensor.empty(%extent) : tensor<2x?x24xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<2x?x24xi32>) -> tensor<2x?x24xi32>
  %r = linalg.quantized_batch_matmul ins(%x, %y, %zx, %zy : tensor<2x?x?xi8>, tensor<2x?x24xi8>, i32, i32)
    outs(%init : tensor<2x?x24xi32>) -> tensor<2x?x24xi32>
  return %r : tensor<2x?x24xi32>
}

// CHECK-DAG: "function":"channels"{{.*}}"verified":true
func.func @channels(%x: tensor<?x7x7x16xf32>, %w: tensor<3x3x16xf32> {ucmoh.weight}) -> tensor<?x7x7x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x7x7x16xf32>
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<?x7x7x16xf32> to tensor<?x9x9x16xf32>
  %e = tensor.empty(%n) : tensor<?x7x7x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x7x7x16xf32>) -> tensor<?x7x7x16xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%padded, %w : tensor<?x9x9x16xf32>, tensor<3x3x16xf32>) outs(%f : tensor<?x7x7x16xf32>) -> tensor<?x7x7x16xf32>
  return %r : tensor<?x7x7x16xf32>
}
