// Products and convolutions on AMX's tiles, of shapes that divide nothing, exact where they are of integers.
// RUN: env LD_PRELOAD=%trap_emulator ucmoh-run %s --target=x86_amx_int8+x86_amx_bf16+x86_amx_fp16 --repeat=1 --budget=0.1 --json | FileCheck %s
// RUN: env LD_PRELOAD=%trap_emulator ucmoh-run %s --target=x86_amx_int8+x86_amx_bf16+x86_amx_fp16 --repeat=1 --budget=0.1 --json --model=random:7 | FileCheck %s --check-prefix=RANDOM
// REQUIRES: emulated-amx-int8, emulated-amx-bf16, emulated-amx-fp16
// RANDOM-COUNT-8: "verified":true

// CHECK-DAG: "error":null,"function":"s8"{{.*}}"choice":"#ucmoh.choice<intrinsic = @x86_amx_int8::@tdpbssd{{.*}}"verified":true
func.func @s8(%a: tensor<61x129xi8>, %b: tensor<129x83xi8> {ucmoh.weight}) -> tensor<61x83xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<61x83xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<61x83xi32>) -> tensor<61x83xi32>
  %r = linalg.matmul ins(%a, %b : tensor<61x129xi8>, tensor<129x83xi8>)
    outs(%init : tensor<61x83xi32>) -> tensor<61x83xi32>
  return %r : tensor<61x83xi32>
}

// CHECK-DAG: "error":null,"function":"u8_s8"{{.*}}"choice":"#ucmoh.choice<intrinsic = @x86_amx_int8::@tdpbusd{{.*}}"verified":true
func.func @u8_s8(%a: tensor<61x129xi8>, %b: tensor<129x83xi8> {ucmoh.weight}) -> tensor<61x83xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<61x83xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<61x83xi32>) -> tensor<61x83xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<61x129xi8>, tensor<129x83xi8>) outs(%init : tensor<61x83xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extui %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<61x83xi32>
  return %r : tensor<61x83xi32>
}

// CHECK-DAG: "error":null,"function":"s8_u8"{{.*}}"choice":"#ucmoh.choice<intrinsic = @x86_amx_int8::@tdpbsud{{.*}}"verified":true
func.func @s8_u8(%a: tensor<61x129xi8>, %b: tensor<129x83xi8> {ucmoh.weight}) -> tensor<61x83xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<61x83xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<61x83xi32>) -> tensor<61x83xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<61x129xi8>, tensor<129x83xi8>) outs(%init : tensor<61x83xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extsi %x : i8 to i32
    %ye = arith.extui %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<61x83xi32>
  return %r : tensor<61x83xi32>
}

// CHECK-DAG: "error":null,"function":"u8"{{.*}}"choice":"#ucmoh.choice<intrinsic = @x86_amx_int8::@tdpbuud{{.*}}"verified":true
func.func @u8(%a: tensor<61x129xi8>, %b: tensor<129x83xi8> {ucmoh.weight}) -> tensor<61x83xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<61x83xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<61x83xi32>) -> tensor<61x83xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<61x129xi8>, tensor<129x83xi8>) outs(%init : tensor<61x83xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extui %x : i8 to i32
    %ye = arith.extui %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<61x83xi32>
  return %r : tensor<61x83xi32>
}

// CHECK-DAG: "error":null,"function":"bf16"{{.*}}"choice":"#ucmoh.choice<intrinsic = @x86_amx_bf16::@tdpbf16ps{{.*}}"verified":true
func.func @bf16(%a: tensor<61x129xbf16>, %b: tensor<129x83xbf16> {ucmoh.weight}) -> tensor<61x83xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<61x83xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<61x83xf32>) -> tensor<61x83xf32>
  %r = linalg.matmul ins(%a, %b : tensor<61x129xbf16>, tensor<129x83xbf16>)
    outs(%init : tensor<61x83xf32>) -> tensor<61x83xf32>
  return %r : tensor<61x83xf32>
}

// CHECK-DAG: "error":null,"function":"f16"{{.*}}"choice":"#ucmoh.choice<intrinsic = @x86_amx_fp16::@tdpfp16ps{{.*}}"verified":true
func.func @f16(%a: tensor<61x129xf16>, %b: tensor<129x83xf16> {ucmoh.weight}) -> tensor<61x83xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<61x83xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<61x83xf32>) -> tensor<61x83xf32>
  %r = linalg.matmul ins(%a, %b : tensor<61x129xf16>, tensor<129x83xf16>)
    outs(%init : tensor<61x83xf32>) -> tensor<61x83xf32>
  return %r : tensor<61x83xf32>
}

// CHECK-DAG: "error":null,"function":"image_s8"{{.*}}"choice":"#ucmoh.choice<intrinsic = @x86_amx_int8::@tdp{{.*}}"verified":true
func.func @image_s8(%a: tensor<1x9x9x19xi8>, %b: tensor<3x3x19x35xi8> {ucmoh.weight}) -> tensor<1x7x7x35xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x7x7x35xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x7x7x35xi32>) -> tensor<1x7x7x35xi32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<1x9x9x19xi8>, tensor<3x3x19x35xi8>)
    outs(%init : tensor<1x7x7x35xi32>) -> tensor<1x7x7x35xi32>
  return %r : tensor<1x7x7x35xi32>
}

// CHECK-DAG: "error":null,"function":"image_bf16"{{.*}}"choice":"#ucmoh.choice<intrinsic = @x86_amx_bf16::@tdpbf16ps{{.*}}"verified":true
func.func @image_bf16(%a: tensor<1x9x9x19xbf16>, %b: tensor<3x3x19x35xbf16> {ucmoh.weight}) -> tensor<1x7x7x35xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x7x7x35xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x7x7x35xf32>) -> tensor<1x7x7x35xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<1x9x9x19xbf16>, tensor<3x3x19x35xbf16>)
    outs(%init : tensor<1x7x7x35xf32>) -> tensor<1x7x7x35xf32>
  return %r : tensor<1x7x7x35xf32>
}
