// RUN: ucmoh-opt %s --tensorize-with-cost-model=target=x86_amx_int8@sapphirerapids --ucmoh-to-llvm=target=x86_amx_int8@sapphirerapids \
// RUN:   | mlir-translate --mlir-to-llvmir | opt -O3 -inline-threshold=0 -mcpu=sapphirerapids -S | llc -O3 -mcpu=sapphirerapids \
// RUN:   | FileCheck %s --implicit-check-not=ldtilecfg --implicit-check-not=tileload --implicit-check-not=tilestored \
// RUN:       --implicit-check-not=tilezero --implicit-check-not=tdpb
// REQUIRES: x86-registered-target

// These are all instructions on tiles of the product: configured once, four tiles of the result cleared before the
// reduction, kept in registers in its loop, and stored behind it. Nothing is spilled, in the loop or outside of it.

// CHECK-LABEL: product:
// CHECK: ldtilecfg
// CHECK-COUNT-4: tilezero
// CHECK: [[LOOP:[.]LBB[0-9_]+]]: {{.*}}Parent Loop
// CHECK: tileloadd
// CHECK: tileloadd
// CHECK: tileloadd
// CHECK-NEXT: tdpbssd
// CHECK-NEXT: tdpbssd
// CHECK: tileloadd
// CHECK-NEXT: tdpbssd
// CHECK-NEXT: tdpbssd
// CHECK: [[LOOP]]
// CHECK-COUNT-4: tilestored
// CHECK: tilerelease
func.func @product(%a: tensor<64x4096xi8>, %b: tensor<4096x128xi8> {ucmoh.weight}) -> tensor<64x128xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x128xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x128xi32>) -> tensor<64x128xi32>
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_amx_int8::@tdpbssd, register_tile = [32, 32], cache_tile = [64, 128, 4096],
      order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<64x4096xi8>, tensor<4096x128xi8>)
    outs(%init : tensor<64x128xi32>) -> tensor<64x128xi32>
  return %r : tensor<64x128xi32>
}
