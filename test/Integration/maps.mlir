// Operands and results in other orders, and several dims of one role, by indexing maps.
// RUN: ucmoh-run %s --verify --repeat=1 --budget=0.1 --json | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --budget=0.1 --json --model=random:7 | FileCheck %s

// CHECK-DAG: "function":"both_transposed"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_s8s8s32_13x97x67_{{.*}}"verified":true
func.func @both_transposed(%a: tensor<67x13xi8>, %b: tensor<97x67xi8> {ucmoh.weight}) -> tensor<13x97xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<13x97xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<13x97xi32>) -> tensor<13x97xi32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<67x13xi8>, tensor<97x67xi8>)
    outs(%init : tensor<13x97xi32>) -> tensor<13x97xi32>
  return %r : tensor<13x97xi32>
}

// CHECK-DAG: "function":"batch_transposed_a"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_f32f32f32_b3_17x31x65_{{.*}}"verified":true
func.func @batch_transposed_a(%a: tensor<3x65x17xf32>, %b: tensor<3x65x31xf32>) -> tensor<3x17x31xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x17x31xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x17x31xf32>) -> tensor<3x17x31xf32>
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, k, m)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%a, %b : tensor<3x65x17xf32>, tensor<3x65x31xf32>)
    outs(%init : tensor<3x17x31xf32>) -> tensor<3x17x31xf32>
  return %r : tensor<3x17x31xf32>
}

// CHECK-DAG: "function":"batch_transposed_b"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_s8s8s32_b3_17x31x65_{{.*}}"verified":true
func.func @batch_transposed_b(%a: tensor<3x17x65xi8>, %b: tensor<3x31x65xi8>) -> tensor<3x17x31xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<3x17x31xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<3x17x31xi32>) -> tensor<3x17x31xi32>
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%a, %b : tensor<3x17x65xi8>, tensor<3x31x65xi8>)
    outs(%init : tensor<3x17x31xi32>) -> tensor<3x17x31xi32>
  return %r : tensor<3x17x31xi32>
}

// The right operand has no batch: the batches are rows.
// CHECK-DAG: "function":"broadcast_b"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_s8s8s32_3x17x31x65_{{.*}}"verified":true
func.func @broadcast_b(%a: tensor<3x17x65xi8>, %b: tensor<65x31xi8> {ucmoh.weight}) -> tensor<3x17x31xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<3x17x31xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<3x17x31xi32>) -> tensor<3x17x31xi32>
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%a, %b : tensor<3x17x65xi8>, tensor<65x31xi8>)
    outs(%init : tensor<3x17x31xi32>) -> tensor<3x17x31xi32>
  return %r : tensor<3x17x31xi32>
}

// The batch is summed up: a second reduction dim.
// CHECK-DAG: "function":"reduced_batch"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_f32f32f32_17x31x3x65_{{.*}}"verified":true
func.func @reduced_batch(%a: tensor<3x17x65xf32>, %b: tensor<3x65x31xf32> {ucmoh.weight}) -> tensor<17x31xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<17x31xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<17x31xf32>) -> tensor<17x31xf32>
  %r = linalg.batch_reduce_matmul ins(%a, %b : tensor<3x17x65xf32>, tensor<3x65x31xf32>)
    outs(%init : tensor<17x31xf32>) -> tensor<17x31xf32>
  return %r : tensor<17x31xf32>
}

// CHECK-DAG: "function":"three_batches"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_s8s8s32_b2x3x2_9x21x20_{{.*}}"verified":true
func.func @three_batches(%a: tensor<2x3x2x9x20xi8>, %b: tensor<2x3x2x20x21xi8>) -> tensor<2x3x2x9x21xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<2x3x2x9x21xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<2x3x2x9x21xi32>) -> tensor<2x3x2x9x21xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c, m, n, k) -> (a, b, c, m, k)>, affine_map<(a, b, c, m, n, k) -> (a, b, c, k, n)>, affine_map<(a, b, c, m, n, k) -> (a, b, c, m, n)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<2x3x2x9x20xi8>, tensor<2x3x2x20x21xi8>)
    outs(%init : tensor<2x3x2x9x21xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extsi %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<2x3x2x9x21xi32>
  return %r : tensor<2x3x2x9x21xi32>
}

// The batch lies between rows and columns in all operands.
// CHECK-DAG: "function":"batch_not_first"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_f32f32f32_b5_7x19x11_{{.*}}"verified":true
func.func @batch_not_first(%a: tensor<7x5x11xf32>, %b: tensor<11x5x19xf32>) -> tensor<7x5x19xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<7x5x19xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<7x5x19xf32>) -> tensor<7x5x19xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (m, b, k)>, affine_map<(b, m, n, k) -> (k, b, n)>, affine_map<(b, m, n, k) -> (m, b, n)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<7x5x11xf32>, tensor<11x5x19xf32>)
    outs(%init : tensor<7x5x19xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<7x5x19xf32>
  return %r : tensor<7x5x19xf32>
}

// Three reduction dims, in another order on the right.
// CHECK-DAG: "function":"three_reductions"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_s8s8s32_9x33x2x3x5_{{.*}}"verified":true
func.func @three_reductions(%a: tensor<9x2x3x5xi8>, %b: tensor<5x33x3x2xi8> {ucmoh.weight}) -> tensor<9x33xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<9x33xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<9x33xi32>) -> tensor<9x33xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, i, j, k) -> (m, i, j, k)>, affine_map<(m, n, i, j, k) -> (k, n, j, i)>, affine_map<(m, n, i, j, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]}
    ins(%a, %b : tensor<9x2x3x5xi8>, tensor<5x33x3x2xi8>)
    outs(%init : tensor<9x33xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extsi %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<9x33xi32>
  return %r : tensor<9x33xi32>
}

// CHECK-DAG: "function":"several_rows_and_columns"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_f32f32f32_3x7x5x4x11_{{.*}}"verified":true
func.func @several_rows_and_columns(%a: tensor<3x11x7xf32>, %b: tensor<5x11x4xf32> {ucmoh.weight}) -> tensor<3x7x5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x7x5x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x7x5x4xf32>) -> tensor<3x7x5x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(p, q, s, t, k) -> (p, k, q)>, affine_map<(p, q, s, t, k) -> (s, k, t)>, affine_map<(p, q, s, t, k) -> (p, q, s, t)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<3x11x7xf32>, tensor<5x11x4xf32>)
    outs(%init : tensor<3x7x5x4xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<3x7x5x4xf32>
  return %r : tensor<3x7x5x4xf32>
}

// A column of a matrix is an operand: its elements are no neighbours in memory.
// CHECK-DAG: "function":"i8_column"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @i8_column(%x: tensor<64x65xi8>, %b: tensor<1x24xi8>) -> tensor<64x24xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<64x24xi32>
  %i = linalg.fill ins(%zero : i32) outs(%e : tensor<64x24xi32>) -> tensor<64x24xi32>
  %a = tensor.extract_slice %x[0, 3] [64, 1] [1, 1] : tensor<64x65xi8> to tensor<64x1xi8>
  %r = linalg.matmul ins(%a, %b : tensor<64x1xi8>, tensor<1x24xi8>) outs(%i : tensor<64x24xi32>) -> tensor<64x24xi32>
  return %r : tensor<64x24xi32>
}
