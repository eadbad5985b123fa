// Extents of real networks that no tile divides: one image row of classes, 7x7 and 14x14 + 1 positions,
// 3x3x3 and 7x7x3 windows.
// RUN: ucmoh-run %s --verify --repeat=1 --budget=0.1 --json | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --budget=0.1 --json --model=random:7 | FileCheck %s

// CHECK-DAG: "function":"i8_1x1000x147"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_s8s8s32_1x1000x147_{{.*}}"verified":true
func.func @i8_1x1000x147(%a: tensor<1x147xi8>, %b: tensor<147x1000xi8> {ucmoh.weight}) -> tensor<1x1000xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x1000xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x1000xi32>) -> tensor<1x1000xi32>
  %r = linalg.matmul ins(%a, %b : tensor<1x147xi8>, tensor<147x1000xi8>)
    outs(%init : tensor<1x1000xi32>) -> tensor<1x1000xi32>
  return %r : tensor<1x1000xi32>
}

// CHECK-DAG: "function":"i8_7x1000x27"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_s8s8s32_7x1000x27_{{.*}}"verified":true
func.func @i8_7x1000x27(%a: tensor<7x27xi8>, %b: tensor<27x1000xi8> {ucmoh.weight}) -> tensor<7x1000xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<7x1000xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<7x1000xi32>) -> tensor<7x1000xi32>
  %r = linalg.matmul ins(%a, %b : tensor<7x27xi8>, tensor<27x1000xi8>)
    outs(%init : tensor<7x1000xi32>) -> tensor<7x1000xi32>
  return %r : tensor<7x1000xi32>
}

// CHECK-DAG: "function":"i8_49x33x147"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_s8s8s32_49x33x147_{{.*}}"verified":true
func.func @i8_49x33x147(%a: tensor<49x147xi8>, %b: tensor<147x33xi8> {ucmoh.weight}) -> tensor<49x33xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<49x33xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<49x33xi32>) -> tensor<49x33xi32>
  %r = linalg.matmul ins(%a, %b : tensor<49x147xi8>, tensor<147x33xi8>)
    outs(%init : tensor<49x33xi32>) -> tensor<49x33xi32>
  return %r : tensor<49x33xi32>
}

// CHECK-DAG: "function":"i8_197x65x27"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_s8s8s32_197x65x27_{{.*}}"verified":true
func.func @i8_197x65x27(%a: tensor<197x27xi8>, %b: tensor<27x65xi8> {ucmoh.weight}) -> tensor<197x65xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<197x65xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<197x65xi32>) -> tensor<197x65xi32>
  %r = linalg.matmul ins(%a, %b : tensor<197x27xi8>, tensor<27x65xi8>)
    outs(%init : tensor<197x65xi32>) -> tensor<197x65xi32>
  return %r : tensor<197x65xi32>
}

// CHECK-DAG: "function":"i8_197x197x64"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_s8s8s32_197x197x64_{{.*}}"verified":true
func.func @i8_197x197x64(%a: tensor<197x64xi8>, %b: tensor<64x197xi8>) -> tensor<197x197xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<197x197xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<197x197xi32>) -> tensor<197x197xi32>
  %r = linalg.matmul ins(%a, %b : tensor<197x64xi8>, tensor<64x197xi8>)
    outs(%init : tensor<197x197xi32>) -> tensor<197x197xi32>
  return %r : tensor<197x197xi32>
}

// CHECK-DAG: "function":"i8_2x1000x3"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_s8s8s32_2x1000x3_{{.*}}"verified":true
func.func @i8_2x1000x3(%a: tensor<2x3xi8>, %b: tensor<3x1000xi8> {ucmoh.weight}) -> tensor<2x1000xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<2x1000xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<2x1000xi32>) -> tensor<2x1000xi32>
  %r = linalg.matmul ins(%a, %b : tensor<2x3xi8>, tensor<3x1000xi8>)
    outs(%init : tensor<2x1000xi32>) -> tensor<2x1000xi32>
  return %r : tensor<2x1000xi32>
}

// CHECK-DAG: "function":"f32_1x1000x147"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_f32f32f32_1x1000x147_{{.*}}"verified":true
func.func @f32_1x1000x147(%a: tensor<1x147xf32>, %b: tensor<147x1000xf32> {ucmoh.weight}) -> tensor<1x1000xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x1000xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x1000xf32>) -> tensor<1x1000xf32>
  %r = linalg.matmul ins(%a, %b : tensor<1x147xf32>, tensor<147x1000xf32>)
    outs(%init : tensor<1x1000xf32>) -> tensor<1x1000xf32>
  return %r : tensor<1x1000xf32>
}

// CHECK-DAG: "function":"f32_7x1000x27"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_f32f32f32_7x1000x27_{{.*}}"verified":true
func.func @f32_7x1000x27(%a: tensor<7x27xf32>, %b: tensor<27x1000xf32> {ucmoh.weight}) -> tensor<7x1000xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<7x1000xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<7x1000xf32>) -> tensor<7x1000xf32>
  %r = linalg.matmul ins(%a, %b : tensor<7x27xf32>, tensor<27x1000xf32>)
    outs(%init : tensor<7x1000xf32>) -> tensor<7x1000xf32>
  return %r : tensor<7x1000xf32>
}

// CHECK-DAG: "function":"f32_49x33x147"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_f32f32f32_49x33x147_{{.*}}"verified":true
func.func @f32_49x33x147(%a: tensor<49x147xf32>, %b: tensor<147x33xf32> {ucmoh.weight}) -> tensor<49x33xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<49x33xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<49x33xf32>) -> tensor<49x33xf32>
  %r = linalg.matmul ins(%a, %b : tensor<49x147xf32>, tensor<147x33xf32>)
    outs(%init : tensor<49x33xf32>) -> tensor<49x33xf32>
  return %r : tensor<49x33xf32>
}

// CHECK-DAG: "function":"f32_197x65x27"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_f32f32f32_197x65x27_{{.*}}"verified":true
func.func @f32_197x65x27(%a: tensor<197x27xf32>, %b: tensor<27x65xf32> {ucmoh.weight}) -> tensor<197x65xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<197x65xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<197x65xf32>) -> tensor<197x65xf32>
  %r = linalg.matmul ins(%a, %b : tensor<197x27xf32>, tensor<27x65xf32>)
    outs(%init : tensor<197x65xf32>) -> tensor<197x65xf32>
  return %r : tensor<197x65xf32>
}

// CHECK-DAG: "function":"f32_197x197x64"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_f32f32f32_197x197x64_{{.*}}"verified":true
func.func @f32_197x197x64(%a: tensor<197x64xf32>, %b: tensor<64x197xf32>) -> tensor<197x197xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<197x197xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<197x197xf32>) -> tensor<197x197xf32>
  %r = linalg.matmul ins(%a, %b : tensor<197x64xf32>, tensor<64x197xf32>)
    outs(%init : tensor<197x197xf32>) -> tensor<197x197xf32>
  return %r : tensor<197x197xf32>
}

// CHECK-DAG: "function":"f32_2x1000x3"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_f32f32f32_2x1000x3_{{.*}}"verified":true
func.func @f32_2x1000x3(%a: tensor<2x3xf32>, %b: tensor<3x1000xf32> {ucmoh.weight}) -> tensor<2x1000xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x1000xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x1000xf32>) -> tensor<2x1000xf32>
  %r = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x1000xf32>)
    outs(%init : tensor<2x1000xf32>) -> tensor<2x1000xf32>
  return %r : tensor<2x1000xf32>
}

// CHECK-DAG: "function":"rows_vector_i8"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_s8s8s32_{{[0-9x]*}}_{{.*}}"verified":true
func.func @rows_vector_i8(%a: tensor<147xi8>, %b: tensor<147x1000xi8> {ucmoh.weight}) -> tensor<1000xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1000xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1000xi32>) -> tensor<1000xi32>
  %r = linalg.vecmat ins(%a, %b : tensor<147xi8>, tensor<147x1000xi8>)
    outs(%init : tensor<1000xi32>) -> tensor<1000xi32>
  return %r : tensor<1000xi32>
}

// No kernel: sums over rows as they lie.
// CHECK-DAG: "function":"vector_rows_f32"{{.*}}"choice":null{{.*}}"workload":"matmul_f32f32f32_{{[0-9x]*}}_{{.*}}"verified":true
func.func @vector_rows_f32(%a: tensor<197x147xf32>, %b: tensor<147xf32> {ucmoh.weight}) -> tensor<197xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<197xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<197xf32>) -> tensor<197xf32>
  %r = linalg.matvec ins(%a, %b : tensor<197x147xf32>, tensor<147xf32>)
    outs(%init : tensor<197xf32>) -> tensor<197xf32>
  return %r : tensor<197xf32>
}
