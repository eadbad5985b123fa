// Products and convolutions on tensor cores, by the interpreter: integers exactly, floats within the tolerance of their type.
// RUN: ucmoh-run %s --target=nvidia_sm80 --driver=%ptx_interpreter --json | FileCheck %s
// RUN: ucmoh-run %s --target=nvidia_sm80 --driver=%ptx_interpreter --json --model=random:1 | FileCheck %s --check-prefix=ALL
// RUN: ucmoh-run %s --target=nvidia_sm80_wmma+nvidia_sm80 --driver=%ptx_interpreter --json --model=random:2 | FileCheck %s --check-prefix=ALL

// ALL-COUNT-7: "emulated":true,"error":null{{.*}}"verified":true

// K = 129: no two rows are aligned alike, so lhs comes through registers.
// CHECK: "function":"f16"{{.*}}@mma_m16n8k16_f16_f32{{.*}}"verified":true
func.func @f16(%a: tensor<61x129xf16>, %b: tensor<129x83xf16> {ucmoh.weight}, %c: tensor<61x83xf32>) -> tensor<61x83xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<61x129xf16>, tensor<129x83xf16>) outs(%c : tensor<61x83xf32>) -> tensor<61x83xf32>
  return %0 : tensor<61x83xf32>
}

// CHECK: "function":"s8"{{.*}}@mma_m16n8k32_s8_s8{{.*}}"verified":true
func.func @s8(%a: tensor<61x129xi8>, %b: tensor<129x83xi8> {ucmoh.weight}, %c: tensor<61x83xi32>) -> tensor<61x83xi32> {
  %0 = linalg.matmul ins(%a, %b : tensor<61x129xi8>, tensor<129x83xi8>) outs(%c : tensor<61x83xi32>) -> tensor<61x83xi32>
  return %0 : tensor<61x83xi32>
}

// CHECK: "function":"s8_dynamic"{{.*}}@mma_m16n8k32_s8_s8{{.*}}"verified":true
func.func @s8_dynamic(%a: tensor<64x128xi8>, %b: tensor<128x96xi8>, %c: tensor<64x96xi32>) -> tensor<64x96xi32> {
  %0 = linalg.matmul ins(%a, %b : tensor<64x128xi8>, tensor<128x96xi8>) outs(%c : tensor<64x96xi32>) -> tensor<64x96xi32>
  return %0 : tensor<64x96xi32>
}

// CHECK: "function":"bf16"{{.*}}@mma_m16n8k16_bf16_f32{{.*}}"verified":true
func.func @bf16(%a: tensor<61x128xbf16>, %b: tensor<128x83xbf16>) -> tensor<61x83xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<61x83xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<61x83xf32>) -> tensor<61x83xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<61x128xbf16>, tensor<128x83xbf16>) outs(%c : tensor<61x83xf32>) -> tensor<61x83xf32>
  return %0 : tensor<61x83xf32>
}

// CHECK: "function":"batch"{{.*}}@mma_m16n8k16_f16_f32{{.*}}"verified":true
func.func @batch(%a: tensor<3x61x128xf16>, %b: tensor<3x128x88xf16>, %bias: tensor<88xf32>) -> tensor<3x61x88xf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x61x88xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<3x61x88xf32>) -> tensor<3x61x88xf32>
  %0 = linalg.batch_matmul ins(%a, %b : tensor<3x61x128xf16>, tensor<3x128x88xf16>) outs(%c : tensor<3x61x88xf32>) -> tensor<3x61x88xf32>
  %o = tensor.empty() : tensor<3x61x88xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(b,m,n)->(b,m,n)>, affine_map<(b,m,n)->(n)>, affine_map<(b,m,n)->(b,m,n)>], iterator_types = ["parallel","parallel","parallel"]} ins(%0, %bias : tensor<3x61x88xf32>, tensor<88xf32>) outs(%o : tensor<3x61x88xf16>) {
  ^bb0(%x: f32, %y: f32, %u: f16):
    %s = arith.addf %x, %y : f32
    %t = arith.truncf %s : f32 to f16
    linalg.yield %t : f16
  } -> tensor<3x61x88xf16>
  return %r : tensor<3x61x88xf16>
}

// CHECK: "function":"conv"{{.*}}@mma_m16n8k16_f16_f32{{.*}}"verified":true
func.func @conv(%a: tensor<1x11x11x16xf16>, %b: tensor<3x3x16x40xf16> {ucmoh.weight}) -> tensor<1x5x5x40xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x5x5x40xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<1x5x5x40xf32>) -> tensor<1x5x5x40xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<1x11x11x16xf16>, tensor<3x3x16x40xf16>) outs(%c : tensor<1x5x5x40xf32>) -> tensor<1x5x5x40xf32>
  return %0 : tensor<1x5x5x40xf32>
}

// CHECK: "function":"mixed"{{.*}}@mma_m16n8k32_u8_s8{{.*}}"verified":true
func.func @mixed(%a: tensor<64x128xi8>, %b: tensor<128x96xi8> {ucmoh.weight}) -> tensor<64x96xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<64x96xi32>
  %c = linalg.fill ins(%z : i32) outs(%e : tensor<64x96xi32>) -> tensor<64x96xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m,n,k)->(m,k)>, affine_map<(m,n,k)->(k,n)>, affine_map<(m,n,k)->(m,n)>], iterator_types = ["parallel","parallel","reduction"]} ins(%a, %b : tensor<64x128xi8>, tensor<128x96xi8>) outs(%c : tensor<64x96xi32>) {
  ^bb0(%x: i8, %y: i8, %u: i32):
    %xe = arith.extui %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %s = arith.addi %u, %p : i32
    linalg.yield %s : i32
  } -> tensor<64x96xi32>
  return %0 : tensor<64x96xi32>
}
