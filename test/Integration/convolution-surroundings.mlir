// Convolutions with what surrounds them in networks: padding, groups, stride and dilation at once.
// RUN: ucmoh-run %s --verify --repeat=1 --budget=0.1 --json | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --budget=0.1 --json --model=random:7 | FileCheck %s

// CHECK-DAG: "function":"grouped_nhwgc"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"conv_f32f32f32_b2_{{[0-9x]+}}_{{.*}}"verified":true
func.func @grouped_nhwgc(%a: tensor<1x9x9x2x3xf32>, %b: tensor<2x5x3x3x3xf32> {ucmoh.weight}) -> tensor<1x7x7x2x5xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x7x7x2x5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x7x7x2x5xf32>) -> tensor<1x7x7x2x5xf32>
  %r = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<1x9x9x2x3xf32>, tensor<2x5x3x3x3xf32>)
    outs(%init : tensor<1x7x7x2x5xf32>) -> tensor<1x7x7x2x5xf32>
  return %r : tensor<1x7x7x2x5xf32>
}

// CHECK-DAG: "function":"grouped_ngchw_s8"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"conv_s8s8s32_b4_{{[0-9x]+}}_{{.*}}"verified":true
func.func @grouped_ngchw_s8(%a: tensor<1x4x6x11x11xi8>, %b: tensor<4x8x6x3x3xi8> {ucmoh.weight}) -> tensor<1x4x8x5x5xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x4x8x5x5xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x4x8x5x5xi32>) -> tensor<1x4x8x5x5xi32>
  %r = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<1x4x6x11x11xi8>, tensor<4x8x6x3x3xi8>)
    outs(%init : tensor<1x4x8x5x5xi32>) -> tensor<1x4x8x5x5xi32>
  return %r : tensor<1x4x8x5x5xi32>
}

// CHECK-DAG: "function":"padded_nhwc"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"conv_s8s8s32_{{[0-9x]+}}_{{.*}}"verified":true
func.func @padded_nhwc(%a: tensor<1x7x9x6xi8>, %b: tensor<3x3x6x20xi8> {ucmoh.weight}) -> tensor<1x7x9x20xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x7x9x20xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x7x9x20xi32>) -> tensor<1x7x9x20xi32>
  %pad = arith.constant 0 : i8
  %p = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %pad : i8
  } : tensor<1x7x9x6xi8> to tensor<1x9x11x6xi8>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p, %b : tensor<1x9x11x6xi8>, tensor<3x3x6x20xi8>)
    outs(%init : tensor<1x7x9x20xi32>) -> tensor<1x7x9x20xi32>
  return %r : tensor<1x7x9x20xi32>
}

// The first layer of ResNet.
// CHECK-DAG: "function":"padded_nchw"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"conv_f32f32f32_{{[0-9x]+}}_{{.*}}"verified":true
func.func @padded_nchw(%a: tensor<1x3x23x23xf32>, %b: tensor<16x3x7x7xf32> {ucmoh.weight}) -> tensor<1x16x12x12xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x16x12x12xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x16x12x12xf32>) -> tensor<1x16x12x12xf32>
  %pad = arith.constant 0.0 : f32
  %p = tensor.pad %a low[0, 0, 3, 3] high[0, 0, 3, 3] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %pad : f32
  } : tensor<1x3x23x23xf32> to tensor<1x3x29x29xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%p, %b : tensor<1x3x29x29xf32>, tensor<16x3x7x7xf32>)
    outs(%init : tensor<1x16x12x12xf32>) -> tensor<1x16x12x12xf32>
  return %r : tensor<1x16x12x12xf32>
}

// "same" of an even size: padded at the end alone.
// CHECK-DAG: "function":"padded_one_side"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"conv_s8s8s32_{{[0-9x]+}}_{{.*}}"verified":true
func.func @padded_one_side(%a: tensor<1x8x8x5xi8>, %b: tensor<3x3x5x17xi8> {ucmoh.weight}) -> tensor<1x4x4x17xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x4x4x17xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x4x4x17xi32>) -> tensor<1x4x4x17xi32>
  %pad = arith.constant 0 : i8
  %p = tensor.pad %a low[0, 0, 0, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %pad : i8
  } : tensor<1x8x8x5xi8> to tensor<1x9x9x5xi8>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%p, %b : tensor<1x9x9x5xi8>, tensor<3x3x5x17xi8>)
    outs(%init : tensor<1x4x4x17xi32>) -> tensor<1x4x4x17xi32>
  return %r : tensor<1x4x4x17xi32>
}

// The padding is the zero point.
// CHECK-DAG: "function":"padded_with_zero_point"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"conv_s8s8s32_{{[0-9x]+}}_{{.*}}"verified":true
func.func @padded_with_zero_point(%a: tensor<1x7x9x6xi8>, %b: tensor<3x3x6x20xi8> {ucmoh.weight}) -> tensor<1x7x9x20xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x7x9x20xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x7x9x20xi32>) -> tensor<1x7x9x20xi32>
  %pad = arith.constant -6 : i8
  %p = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %pad : i8
  } : tensor<1x7x9x6xi8> to tensor<1x9x11x6xi8>
  %za = arith.constant -6 : i32
  %zb = arith.constant 3 : i32
  %r = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p, %b, %za, %zb : tensor<1x9x11x6xi8>, tensor<3x3x6x20xi8>, i32, i32)
    outs(%init : tensor<1x7x9x20xi32>) -> tensor<1x7x9x20xi32>
  return %r : tensor<1x7x9x20xi32>
}

// CHECK-DAG: "function":"stride_and_dilation"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"conv_s8s8s32_{{[0-9x]+}}_{{.*}}"verified":true
func.func @stride_and_dilation(%a: tensor<2x17x19x4xi8>, %b: tensor<3x3x4x18xi8> {ucmoh.weight}) -> tensor<2x5x7x18xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<2x5x7x18xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<2x5x7x18xi32>) -> tensor<2x5x7x18xi32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<[2, 3]> : tensor<2xi64>, strides = dense<[3, 2]> : tensor<2xi64>} ins(%a, %b : tensor<2x17x19x4xi8>, tensor<3x3x4x18xi8>)
    outs(%init : tensor<2x5x7x18xi32>) -> tensor<2x5x7x18xi32>
  return %r : tensor<2x5x7x18xi32>
}

// CHECK-DAG: "function":"dilation_nchw"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"conv_f32f32f32_{{[0-9x]+}}_{{.*}}"verified":true
func.func @dilation_nchw(%a: tensor<1x5x13x13xf32>, %b: tensor<19x5x3x3xf32> {ucmoh.weight}) -> tensor<1x19x9x9xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x19x9x9xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x19x9x9xf32>) -> tensor<1x19x9x9xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<1x5x13x13xf32>, tensor<19x5x3x3xf32>)
    outs(%init : tensor<1x19x9x9xf32>) -> tensor<1x19x9x9xf32>
  return %r : tensor<1x19x9x9xf32>
}

// A projection between stages.
// CHECK-DAG: "function":"stride_1x1"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"{{conv|matmul}}_s8s8s32_{{[0-9x]+}}_{{.*}}"verified":true
func.func @stride_1x1(%a: tensor<1x13x13x24xi8>, %b: tensor<1x1x24x40xi8> {ucmoh.weight}) -> tensor<1x7x7x40xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x7x7x40xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x7x7x40xi32>) -> tensor<1x7x7x40xi32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<1x13x13x24xi8>, tensor<1x1x24x40xi8>)
    outs(%init : tensor<1x7x7x40xi32>) -> tensor<1x7x7x40xi32>
  return %r : tensor<1x7x7x40xi32>
}

// CHECK-DAG: "function":"stride_ncw"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"conv_s8s8s32_{{[0-9x]+}}_{{.*}}"verified":true
func.func @stride_ncw(%a: tensor<2x5x41xi8>, %b: tensor<17x5x4xi8> {ucmoh.weight}) -> tensor<2x17x16xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<2x17x16xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<2x17x16xi32>) -> tensor<2x17x16xi32>
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<3> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x5x41xi8>, tensor<17x5x4xi8>)
    outs(%init : tensor<2x17x16xi32>) -> tensor<2x17x16xi32>
  return %r : tensor<2x17x16xi32>
}

// CHECK-DAG: "function":"stride_nwc"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"conv_f32f32f32_{{[0-9x]+}}_{{.*}}"verified":true
func.func @stride_nwc(%a: tensor<2x41x5xf32>, %b: tensor<4x5x17xf32> {ucmoh.weight}) -> tensor<2x12x17xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x12x17xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x12x17xf32>) -> tensor<2x12x17xf32>
  %r = linalg.conv_1d_nwc_wcf {dilations = dense<2> : tensor<1xi64>, strides = dense<3> : tensor<1xi64>} ins(%a, %b : tensor<2x41x5xf32>, tensor<4x5x17xf32>)
    outs(%init : tensor<2x12x17xf32>) -> tensor<2x12x17xf32>
  return %r : tensor<2x12x17xf32>
}

// CHECK-DAG: "function":"stride_ndhwc"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"conv_s8s8s32_{{[0-9x]+}}_{{.*}}"verified":true
func.func @stride_ndhwc(%a: tensor<1x7x9x11x3xi8>, %b: tensor<3x3x3x3x17xi8> {ucmoh.weight}) -> tensor<1x3x4x5x17xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x3x4x5x17xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x3x4x5x17xi32>) -> tensor<1x3x4x5x17xi32>
  %r = linalg.conv_3d_ndhwc_dhwcf {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : tensor<1x7x9x11x3xi8>, tensor<3x3x3x3x17xi8>)
    outs(%init : tensor<1x3x4x5x17xi32>) -> tensor<1x3x4x5x17xi32>
  return %r : tensor<1x3x4x5x17xi32>
}

// The window is the image.
// CHECK-DAG: "function":"whole_window"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"{{conv|matmul}}_f32f32f32_{{[0-9x]+}}_{{.*}}"verified":true
func.func @whole_window(%a: tensor<3x7x7x8xf32>, %b: tensor<7x7x8x21xf32> {ucmoh.weight}) -> tensor<3x1x1x21xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x1x1x21xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x1x1x21xf32>) -> tensor<3x1x1x21xf32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : tensor<3x7x7x8xf32>, tensor<7x7x8x21xf32>)
    outs(%init : tensor<3x1x1x21xf32>) -> tensor<3x1x1x21xf32>
  return %r : tensor<3x1x1x21xf32>
}

// Windows that do not overlap: the patches of a vision transformer.
// CHECK-DAG: "function":"patches"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"{{conv|matmul}}_f32f32f32_{{[0-9x]+}}_{{.*}}"verified":true
func.func @patches(%a: tensor<1x3x32x32xf32>, %b: tensor<24x3x16x16xf32> {ucmoh.weight}) -> tensor<1x24x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x24x2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x24x2x2xf32>) -> tensor<1x24x2x2xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<16> : tensor<2xi64>} ins(%a, %b : tensor<1x3x32x32xf32>, tensor<24x3x16x16xf32>)
    outs(%init : tensor<1x24x2x2xf32>) -> tensor<1x24x2x2xf32>
  return %r : tensor<1x24x2x2xf32>
}
