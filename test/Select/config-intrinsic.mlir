// The selection alone attaches an attribute and changes nothing else; the intrinsic follows from
// the types, on a target and machine that are named, so that any CPU gives the same.
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512_vnni+x86_avx512f+x86_avx512_bf16@zen4" | FileCheck %s --implicit-check-not=ucmoh.kernel
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512_vnni+x86_avx512f+x86_avx512_bf16@zen4" --strip-debuginfo >%t.first
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512_vnni+x86_avx512f+x86_avx512_bf16@zen4" --strip-debuginfo >%t.second
// RUN: diff %t.first %t.second

// CHECK-LABEL: func.func @u8_s8(
// CHECK: linalg.generic
// CHECK-SAME: ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512_vnni::@vpdpbusd_512,
// CHECK-SAME: model = "embedded@{{[0-9a-f]+}}"
func.func @u8_s8(%a: tensor<64x128xi8>, %b: tensor<128x256xi8>, %f: tensor<64x256xi32>) -> tensor<64x256xi32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<64x128xi8>, tensor<128x256xi8>) outs(%f : tensor<64x256xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extui %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<64x256xi32>
  return %r : tensor<64x256xi32>
}

// The sign of one operand is compensated: either operand may be the unsigned one of vpdpbusd.
// CHECK-LABEL: func.func @s8_s8(
// CHECK: linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512_vnni::@vpdpbusd_512{{(_su)?}},
func.func @s8_s8(%a: tensor<64x128xi8>, %b: tensor<128x256xi8> {ucmoh.weight}, %f: tensor<64x256xi32>) -> tensor<64x256xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x128xi8>, tensor<128x256xi8>) outs(%f : tensor<64x256xi32>) -> tensor<64x256xi32>
  return %r : tensor<64x256xi32>
}

// CHECK-LABEL: func.func @s16(
// CHECK: linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512_vnni::@vpdpwssd_512,
func.func @s16(%a: tensor<64x128xi16>, %b: tensor<128x256xi16>, %f: tensor<64x256xi32>) -> tensor<64x256xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x128xi16>, tensor<128x256xi16>) outs(%f : tensor<64x256xi32>) -> tensor<64x256xi32>
  return %r : tensor<64x256xi32>
}

// CHECK-LABEL: func.func @f32(
// CHECK: linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512,
func.func @f32(%a: tensor<64x128xf32>, %b: tensor<128x256xf32>, %f: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x128xf32>, tensor<128x256xf32>) outs(%f : tensor<64x256xf32>) -> tensor<64x256xf32>
  return %r : tensor<64x256xf32>
}

// CHECK-LABEL: func.func @bf16(
// CHECK: linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512_bf16::@vdpbf16ps_512,
func.func @bf16(%a: tensor<64x128xbf16>, %b: tensor<128x256xbf16>, %f: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x128xbf16>, tensor<128x256xbf16>) outs(%f : tensor<64x256xf32>) -> tensor<64x256xf32>
  return %r : tensor<64x256xf32>
}

// No contraction: no attribute.
// CHECK-LABEL: func.func @sum(
// CHECK-NOT: ucmoh.choice
// CHECK: return
func.func @sum(%a: tensor<64x128xf32>, %f: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.reduce {arith.addf} ins(%a : tensor<64x128xf32>) outs(%f : tensor<64xf32>) dimensions = [1]
  return %r : tensor<64xf32>
}
