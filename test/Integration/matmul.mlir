// Matrix products in their named forms; shapes that divide nothing. Each is tensorized ("choice") and right ("verified").
// RUN: ucmoh-run %s --verify --repeat=1 --json | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --json --model=random:7 | FileCheck %s

// CHECK-DAG: "function":"s8"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @s8(%a: tensor<7x49xi8>, %b: tensor<49x197xi8> {ucmoh.weight}) -> tensor<7x197xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<7x197xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<7x197xi32>) -> tensor<7x197xi32>
  %r = linalg.matmul ins(%a, %b : tensor<7x49xi8>, tensor<49x197xi8>)
    outs(%init : tensor<7x197xi32>) -> tensor<7x197xi32>
  return %r : tensor<7x197xi32>
}

// CHECK-DAG: "function":"u8_both"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @u8_both(%a: tensor<33x63xi8>, %b: tensor<63x65xi8> {ucmoh.weight}) -> tensor<33x65xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<33x65xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<33x65xi32>) -> tensor<33x65xi32>
  %r = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<33x63xi8>, tensor<63x65xi8>)
    outs(%init : tensor<33x65xi32>) -> tensor<33x65xi32>
  return %r : tensor<33x65xi32>
}

// CHECK-DAG: "function":"s16"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @s16(%a: tensor<19x31xi16>, %b: tensor<31x33xi16> {ucmoh.weight}) -> tensor<19x33xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<19x33xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<19x33xi32>) -> tensor<19x33xi32>
  %r = linalg.matmul ins(%a, %b : tensor<19x31xi16>, tensor<31x33xi16>)
    outs(%init : tensor<19x33xi32>) -> tensor<19x33xi32>
  return %r : tensor<19x33xi32>
}

// CHECK-DAG: "function":"one_row"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @one_row(%a: tensor<1x147xf32>, %b: tensor<147x1000xf32> {ucmoh.weight}) -> tensor<1x1000xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x1000xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x1000xf32>) -> tensor<1x1000xf32>
  %r = linalg.matmul ins(%a, %b : tensor<1x147xf32>, tensor<147x1000xf32>)
    outs(%init : tensor<1x1000xf32>) -> tensor<1x1000xf32>
  return %r : tensor<1x1000xf32>
}

// No kernel: sums over rows as they lie.
// CHECK-DAG: "function":"one_column"{{.*}}"choice":null{{.*}}"verified":true
func.func @one_column(%a: tensor<65x27xf32>, %b: tensor<27x1xf32> {ucmoh.weight}) -> tensor<65x1xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<65x1xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<65x1xf32>) -> tensor<65x1xf32>
  %r = linalg.matmul ins(%a, %b : tensor<65x27xf32>, tensor<27x1xf32>)
    outs(%init : tensor<65x1xf32>) -> tensor<65x1xf32>
  return %r : tensor<65x1xf32>
}

// CHECK-DAG: "function":"one_step"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @one_step(%a: tensor<17x1xi8>, %b: tensor<1x33xi8> {ucmoh.weight}) -> tensor<17x33xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<17x33xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<17x33xi32>) -> tensor<17x33xi32>
  %r = linalg.matmul ins(%a, %b : tensor<17x1xi8>, tensor<1x33xi8>)
    outs(%init : tensor<17x33xi32>) -> tensor<17x33xi32>
  return %r : tensor<17x33xi32>
}

// CHECK-DAG: "function":"bf16"{{.*}}"verified":true
func.func @bf16(%a: tensor<49x77xbf16>, %b: tensor<77x50xbf16> {ucmoh.weight}) -> tensor<49x50xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<49x50xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<49x50xf32>) -> tensor<49x50xf32>
  %r = linalg.matmul ins(%a, %b : tensor<49x77xbf16>, tensor<77x50xbf16>)
    outs(%init : tensor<49x50xf32>) -> tensor<49x50xf32>
  return %r : tensor<49x50xf32>
}

// CHECK-DAG: "function":"transposed_b"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @transposed_b(%a: tensor<13x67xi8>, %b: tensor<97x67xi8> {ucmoh.weight}) -> tensor<13x97xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<13x97xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<13x97xi32>) -> tensor<13x97xi32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<13x67xi8>, tensor<97x67xi8>)
    outs(%init : tensor<13x97xi32>) -> tensor<13x97xi32>
  return %r : tensor<13x97xi32>
}

// CHECK-DAG: "function":"transposed_a"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @transposed_a(%a: tensor<67x13xf32>, %b: tensor<67x97xf32> {ucmoh.weight}) -> tensor<13x97xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<13x97xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<13x97xf32>) -> tensor<13x97xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<67x13xf32>, tensor<67x97xf32>)
    outs(%init : tensor<13x97xf32>) -> tensor<13x97xf32>
  return %r : tensor<13x97xf32>
}

// CHECK-DAG: "function":"batch"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @batch(%a: tensor<3x17x65xi8>, %b: tensor<3x65x31xi8> {ucmoh.weight}) -> tensor<3x17x31xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<3x17x31xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<3x17x31xi32>) -> tensor<3x17x31xi32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<3x17x65xi8>, tensor<3x65x31xi8>)
    outs(%init : tensor<3x17x31xi32>) -> tensor<3x17x31xi32>
  return %r : tensor<3x17x31xi32>
}

// CHECK-DAG: "function":"batch_f32"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @batch_f32(%a: tensor<3x17x65xf32>, %b: tensor<3x65x31xf32> {ucmoh.weight}) -> tensor<3x17x31xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x17x31xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x17x31xf32>) -> tensor<3x17x31xf32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<3x17x65xf32>, tensor<3x65x31xf32>)
    outs(%init : tensor<3x17x31xf32>) -> tensor<3x17x31xf32>
  return %r : tensor<3x17x31xf32>
}

// CHECK-DAG: "function":"matrix_vector"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @matrix_vector(%a: tensor<129x77xi8>, %b: tensor<77xi8> {ucmoh.weight}) -> tensor<129xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<129xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<129xi32>) -> tensor<129xi32>
  %r = linalg.matvec ins(%a, %b : tensor<129x77xi8>, tensor<77xi8>)
    outs(%init : tensor<129xi32>) -> tensor<129xi32>
  return %r : tensor<129xi32>
}

// CHECK-DAG: "function":"vector_matrix"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @vector_matrix(%a: tensor<77xf32>, %b: tensor<77x129xf32> {ucmoh.weight}) -> tensor<129xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<129xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<129xf32>) -> tensor<129xf32>
  %r = linalg.vecmat ins(%a, %b : tensor<77xf32>, tensor<77x129xf32>)
    outs(%init : tensor<129xf32>) -> tensor<129xf32>
  return %r : tensor<129xf32>
}
