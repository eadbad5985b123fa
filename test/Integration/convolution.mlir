// Convolutions of one to three dimensions in both layouts, with stride, dilation and groups. Each is tensorized ("choice") and right ("verified").
// RUN: ucmoh-run %s --verify --repeat=1 --json | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --json --model=random:7 | FileCheck %s

// CHECK-DAG: "function":"nwc"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @nwc(%a: tensor<2x21x5xi8>, %b: tensor<3x5x17xi8> {ucmoh.weight}) -> tensor<2x19x17xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<2x19x17xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<2x19x17xi32>) -> tensor<2x19x17xi32>
  %r = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : tensor<2x21x5xi8>, tensor<3x5x17xi8>)
    outs(%init : tensor<2x19x17xi32>) -> tensor<2x19x17xi32>
  return %r : tensor<2x19x17xi32>
}

// CHECK-DAG: "function":"ncw"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @ncw(%a: tensor<2x5x21xf32>, %b: tensor<17x5x3xf32> {ucmoh.weight}) -> tensor<2x17x19xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x17x19xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x17x19xf32>) -> tensor<2x17x19xf32>
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : tensor<2x5x21xf32>, tensor<17x5x3xf32>)
    outs(%init : tensor<2x17x19xf32>) -> tensor<2x17x19xf32>
  return %r : tensor<2x17x19xf32>
}

// CHECK-DAG: "function":"nhwc"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @nhwc(%a: tensor<1x15x13x3xi8>, %b: tensor<3x3x3x35xi8> {ucmoh.weight}) -> tensor<1x13x11x35xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x13x11x35xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x13x11x35xi32>) -> tensor<1x13x11x35xi32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<1x15x13x3xi8>, tensor<3x3x3x35xi8>)
    outs(%init : tensor<1x13x11x35xi32>) -> tensor<1x13x11x35xi32>
  return %r : tensor<1x13x11x35xi32>
}

// CHECK-DAG: "function":"nhwc_stride"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @nhwc_stride(%a: tensor<2x15x17x6xf32>, %b: tensor<3x3x6x20xf32> {ucmoh.weight}) -> tensor<2x7x8x20xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x7x8x20xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x7x8x20xf32>) -> tensor<2x7x8x20xf32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x15x17x6xf32>, tensor<3x3x6x20xf32>)
    outs(%init : tensor<2x7x8x20xf32>) -> tensor<2x7x8x20xf32>
  return %r : tensor<2x7x8x20xf32>
}

// CHECK-DAG: "function":"nhwc_dilation"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @nhwc_dilation(%a: tensor<1x15x13x4xi8>, %b: tensor<3x3x4x16xi8> {ucmoh.weight}) -> tensor<1x11x9x16xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x11x9x16xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x11x9x16xi32>) -> tensor<1x11x9x16xi32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<1x15x13x4xi8>, tensor<3x3x4x16xi8>)
    outs(%init : tensor<1x11x9x16xi32>) -> tensor<1x11x9x16xi32>
  return %r : tensor<1x11x9x16xi32>
}

// CHECK-DAG: "function":"nhwc_fhwc"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @nhwc_fhwc(%a: tensor<1x9x9x7xi8>, %b: tensor<19x3x3x7xi8> {ucmoh.weight}) -> tensor<1x7x7x19xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x7x7x19xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x7x7x19xi32>) -> tensor<1x7x7x19xi32>
  %r = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<1x9x9x7xi8>, tensor<19x3x3x7xi8>)
    outs(%init : tensor<1x7x7x19xi32>) -> tensor<1x7x7x19xi32>
  return %r : tensor<1x7x7x19xi32>
}

// CHECK-DAG: "function":"nchw"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @nchw(%a: tensor<1x3x15x13xi8>, %b: tensor<35x3x3x3xi8> {ucmoh.weight}) -> tensor<1x35x13x11xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x35x13x11xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x35x13x11xi32>) -> tensor<1x35x13x11xi32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<1x3x15x13xi8>, tensor<35x3x3x3xi8>)
    outs(%init : tensor<1x35x13x11xi32>) -> tensor<1x35x13x11xi32>
  return %r : tensor<1x35x13x11xi32>
}

// CHECK-DAG: "function":"nchw_stride"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @nchw_stride(%a: tensor<1x3x23x23xf32>, %b: tensor<10x3x7x7xf32> {ucmoh.weight}) -> tensor<1x10x9x9xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x10x9x9xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x10x9x9xf32>) -> tensor<1x10x9x9xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<1x3x23x23xf32>, tensor<10x3x7x7xf32>)
    outs(%init : tensor<1x10x9x9xf32>) -> tensor<1x10x9x9xf32>
  return %r : tensor<1x10x9x9xf32>
}

// CHECK-DAG: "function":"nchw_1x1"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @nchw_1x1(%a: tensor<1x17x7x7xi8>, %b: tensor<33x17x1x1xi8> {ucmoh.weight}) -> tensor<1x33x7x7xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x33x7x7xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x33x7x7xi32>) -> tensor<1x33x7x7xi32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<1x17x7x7xi8>, tensor<33x17x1x1xi8>)
    outs(%init : tensor<1x33x7x7xi32>) -> tensor<1x33x7x7xi32>
  return %r : tensor<1x33x7x7xi32>
}

// CHECK-DAG: "function":"grouped"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @grouped(%a: tensor<1x2x3x9x9xf32>, %b: tensor<2x5x3x3x3xf32> {ucmoh.weight}) -> tensor<1x2x5x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x2x5x7x7xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x2x5x7x7xf32>) -> tensor<1x2x5x7x7xf32>
  %r = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<1x2x3x9x9xf32>, tensor<2x5x3x3x3xf32>)
    outs(%init : tensor<1x2x5x7x7xf32>) -> tensor<1x2x5x7x7xf32>
  return %r : tensor<1x2x5x7x7xf32>
}

// CHECK-DAG: "function":"ndhwc"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @ndhwc(%a: tensor<1x5x7x9x3xf32>, %b: tensor<3x3x3x3x17xf32> {ucmoh.weight}) -> tensor<1x3x5x7x17xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x3x5x7x17xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x3x5x7x17xf32>) -> tensor<1x3x5x7x17xf32>
  %r = linalg.conv_3d_ndhwc_dhwcf {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b : tensor<1x5x7x9x3xf32>, tensor<3x3x3x3x17xf32>)
    outs(%init : tensor<1x3x5x7x17xf32>) -> tensor<1x3x5x7x17xf32>
  return %r : tensor<1x3x5x7x17xf32>
}

// CHECK-DAG: "function":"ncdhw"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @ncdhw(%a: tensor<1x3x5x7x9xi8>, %b: tensor<17x3x3x3x3xi8> {ucmoh.weight}) -> tensor<1x17x3x5x7xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x17x3x5x7xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x17x3x5x7xi32>) -> tensor<1x17x3x5x7xi32>
  %r = linalg.conv_3d_ncdhw_fcdhw {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b : tensor<1x3x5x7x9xi8>, tensor<17x3x3x3x3xi8>)
    outs(%init : tensor<1x17x3x5x7xi32>) -> tensor<1x17x3x5x7xi32>
  return %r : tensor<1x17x3x5x7xi32>
}
