// Zero points: of one operand, of both, and the one that hides unsigned numbers. Each is tensorized ("choice") and right ("verified").
// RUN: ucmoh-run %s --verify --repeat=1 --json | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --json --model=random:7 | FileCheck %s

// CHECK-DAG: "function":"lhs"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @lhs(%a: tensor<31x66xi8>, %b: tensor<66x97xi8> {ucmoh.weight}) -> tensor<31x97xi32> {
  %zero = arith.constant 0 : i32
  %za = arith.constant -7 : i32
  %zb = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<31x97xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<31x97xi32>) -> tensor<31x97xi32>
  %r = linalg.quantized_matmul ins(%a, %b, %za, %zb : tensor<31x66xi8>, tensor<66x97xi8>, i32, i32)
    outs(%init : tensor<31x97xi32>) -> tensor<31x97xi32>
  return %r : tensor<31x97xi32>
}

// CHECK-DAG: "function":"rhs"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @rhs(%a: tensor<31x66xi8>, %b: tensor<66x97xi8> {ucmoh.weight}) -> tensor<31x97xi32> {
  %zero = arith.constant 0 : i32
  %za = arith.constant 0 : i32
  %zb = arith.constant 5 : i32
  %empty = tensor.empty() : tensor<31x97xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<31x97xi32>) -> tensor<31x97xi32>
  %r = linalg.quantized_matmul ins(%a, %b, %za, %zb : tensor<31x66xi8>, tensor<66x97xi8>, i32, i32)
    outs(%init : tensor<31x97xi32>) -> tensor<31x97xi32>
  return %r : tensor<31x97xi32>
}

// CHECK-DAG: "function":"both"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @both(%a: tensor<31x66xi8>, %b: tensor<66x97xi8> {ucmoh.weight}) -> tensor<31x97xi32> {
  %zero = arith.constant 0 : i32
  %za = arith.constant -128 : i32
  %zb = arith.constant 127 : i32
  %empty = tensor.empty() : tensor<31x97xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<31x97xi32>) -> tensor<31x97xi32>
  %r = linalg.quantized_matmul ins(%a, %b, %za, %zb : tensor<31x66xi8>, tensor<66x97xi8>, i32, i32)
    outs(%init : tensor<31x97xi32>) -> tensor<31x97xi32>
  return %r : tensor<31x97xi32>
}

// CHECK-DAG: "function":"batch"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @batch(%a: tensor<3x17x65xi8>, %b: tensor<3x65x31xi8> {ucmoh.weight}) -> tensor<3x17x31xi32> {
  %zero = arith.constant 0 : i32
  %za = arith.constant -1 : i32
  %zb = arith.constant -2 : i32
  %empty = tensor.empty() : tensor<3x17x31xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<3x17x31xi32>) -> tensor<3x17x31xi32>
  %r = linalg.quantized_batch_matmul ins(%a, %b, %za, %zb : tensor<3x17x65xi8>, tensor<3x65x31xi8>, i32, i32)
    outs(%init : tensor<3x17x31xi32>) -> tensor<3x17x31xi32>
  return %r : tensor<3x17x31xi32>
}

// CHECK-DAG: "function":"convolution"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @convolution(%a: tensor<1x9x11x5xi8>, %b: tensor<3x3x5x20xi8> {ucmoh.weight}) -> tensor<1x7x9x20xi32> {
  %zero = arith.constant 0 : i32
  %za = arith.constant -6 : i32
  %zb = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x7x9x20xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x7x9x20xi32>) -> tensor<1x7x9x20xi32>
  %r = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b, %za, %zb : tensor<1x9x11x5xi8>, tensor<3x3x5x20xi8>, i32, i32)
    outs(%init : tensor<1x7x9x20xi32>) -> tensor<1x7x9x20xi32>
  return %r : tensor<1x7x9x20xi32>
}

// CHECK-DAG: "function":"convolution_nchw"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @convolution_nchw(%a: tensor<1x5x9x11xi8>, %b: tensor<20x5x3x3xi8> {ucmoh.weight}) -> tensor<1x20x7x9xi32> {
  %zero = arith.constant 0 : i32
  %za = arith.constant -6 : i32
  %zb = arith.constant 3 : i32
  %empty = tensor.empty() : tensor<1x20x7x9xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x20x7x9xi32>) -> tensor<1x20x7x9xi32>
  %r = linalg.conv_2d_nchw_fchw_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b, %za, %zb : tensor<1x5x9x11xi8>, tensor<20x5x3x3xi8>, i32, i32)
    outs(%init : tensor<1x20x7x9xi32>) -> tensor<1x20x7x9xi32>
  return %r : tensor<1x20x7x9xi32>
}

// An unsigned number u arrives as s = u - 128, and its zero point z as z - 128.
// CHECK-DAG: "function":"hidden_unsigned"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @hidden_unsigned(%a: tensor<31x66xi8>, %b: tensor<66x97xi8> {ucmoh.weight}) -> tensor<31x97xi32> {
  %shift = arith.constant -128 : i8
  %za = arith.constant -128 : i32
  %zb = arith.constant 0 : i32
  %to = tensor.empty() : tensor<31x66xi8>
  %s = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<31x66xi8>) outs(%to : tensor<31x66xi8>) {
  ^bb0(%x: i8, %o: i8):
    %y = arith.addi %x, %shift : i8
    linalg.yield %y : i8
  } -> tensor<31x66xi8>
  %empty = tensor.empty() : tensor<31x97xi32>
  %init = linalg.fill ins(%zb : i32) outs(%empty : tensor<31x97xi32>) -> tensor<31x97xi32>
  %r = linalg.quantized_matmul ins(%s, %b, %za, %zb : tensor<31x66xi8>, tensor<66x97xi8>, i32, i32)
    outs(%init : tensor<31x97xi32>) -> tensor<31x97xi32>
  return %r : tensor<31x97xi32>
}
