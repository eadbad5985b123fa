// Numbers of rows that are no multiple of a tile's 16: fragments of fewer rows, and last tiles that begin earlier.
// RUN: env LD_PRELOAD=%trap_emulator ucmoh-run %s --target=x86_amx_int8 --repeat=1 --budget=0.1 --json | FileCheck %s
// RUN: ucmoh-opt %s --tensorize-with-cost-model=target=x86_amx_int8 | FileCheck %s --check-prefix=PROGRAM
// REQUIRES: emulated-amx-int8

// The last tile of @thirty_five begins at element 19 * 192 of lhs.
// PROGRAM: affine_map<(d0) -> (d0 + 3648)>
// PROGRAM-LABEL: func.func @eight
// PROGRAM: ucmoh.load lhs {{.*}} : memref<8x64xi8, {{.*}} -> !amx.tile<8x64xi8>
// Fewer than a tile has: fragments of eight rows.
// CHECK-DAG: "error":null,"function":"eight"{{.*}}"verified":true
func.func @eight(%a: tensor<8x192xi8>, %b: tensor<192x48xi8> {ucmoh.weight}) -> tensor<8x48xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<8x48xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<8x48xi32>) -> tensor<8x48xi32>
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_amx_int8::@tdpbssd, register_tile = [16, 48], cache_tile = [8, 48, 192],
      order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<8x192xi8>, tensor<192x48xi8>) outs(%init : tensor<8x48xi32>) -> tensor<8x48xi32>
  return %r : tensor<8x48xi32>
}

// PROGRAM-LABEL: func.func @twenty_eight
// PROGRAM: ucmoh.load lhs {{.*}} : memref<14x64xi8, {{.*}} -> !amx.tile<14x64xi8>
// Two fragments of 14 rows.
// CHECK-DAG: "error":null,"function":"twenty_eight"{{.*}}"verified":true
func.func @twenty_eight(%a: tensor<28x192xi8>, %b: tensor<192x48xi8> {ucmoh.weight}) -> tensor<28x48xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<28x48xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<28x48xi32>) -> tensor<28x48xi32>
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_amx_int8::@tdpbssd, register_tile = [32, 32], cache_tile = [28, 48, 192],
      order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<28x192xi8>, tensor<192x48xi8>) outs(%init : tensor<28x48xi32>) -> tensor<28x48xi32>
  return %r : tensor<28x48xi32>
}

// PROGRAM-LABEL: func.func @thirty_five
// PROGRAM-NOT: : memref<3x64xi8
// PROGRAM: return
// Rows 0 to 15, 16 to 31, and 19 to 34.
// CHECK-DAG: "error":null,"function":"thirty_five"{{.*}}"verified":true
func.func @thirty_five(%a: tensor<35x192xi8>, %b: tensor<192x48xi8> {ucmoh.weight}) -> tensor<35x48xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<35x48xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<35x48xi32>) -> tensor<35x48xi32>
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_amx_int8::@tdpbssd, register_tile = [16, 32], cache_tile = [35, 48, 192],
      order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<35x192xi8>, tensor<192x48xi8>) outs(%init : tensor<35x48xi32>) -> tensor<35x48xi32>
  return %r : tensor<35x48xi32>
}

// PROGRAM-LABEL: func.func @packed
// PROGRAM-NOT: : memref<3x64xi8
// PROGRAM: return
// Packed rows are filled up.
// CHECK-DAG: "error":null,"function":"packed"{{.*}}"verified":true
func.func @packed(%a: tensor<35x192xi8>, %b: tensor<192x48xi8> {ucmoh.weight}) -> tensor<35x48xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<35x48xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<35x48xi32>) -> tensor<35x48xi32>
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_amx_int8::@tdpbssd, register_tile = [16, 32], cache_tile = [35, 48, 192],
      order = "nmk.nm", pack_lhs = "block", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<35x192xi8>, tensor<192x48xi8>) outs(%init : tensor<35x48xi32>) -> tensor<35x48xi32>
  return %r : tensor<35x48xi32>
}

// Partial sums must not be added to twice: the last three rows are copied.
// CHECK-DAG: "error":null,"function":"split"{{.*}}"verified":true
func.func @split(%a: tensor<35x192xi8>, %b: tensor<192x48xi8> {ucmoh.weight}) -> tensor<35x48xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<35x48xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<35x48xi32>) -> tensor<35x48xi32>
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_amx_int8::@tdpbssd, register_tile = [16, 32], cache_tile = [35, 48, 64],
      order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<35x192xi8>, tensor<192x48xi8>) outs(%init : tensor<35x48xi32>) -> tensor<35x48xi32>
  return %r : tensor<35x48xi32>
}

// What the last tile adds may lie where the results do: rows are computed once.
// PROGRAM-LABEL: func.func @residual
// PROGRAM: ucmoh.load lhs {{.*}} : memref<3x64xi8, {{.*}} -> !amx.tile<16x64xi8>
// CHECK-DAG: "error":null,"function":"residual"{{.*}}"verified":true
func.func @residual(%a: tensor<35x192xi8>, %b: tensor<192x48xi8> {ucmoh.weight}, %c: tensor<35x48xi32>) -> tensor<35x48xi32> {
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_amx_int8::@tdpbssd, register_tile = [16, 32], cache_tile = [35, 48, 192],
      order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<35x192xi8>, tensor<192x48xi8>) outs(%c : tensor<35x48xi32>) -> tensor<35x48xi32>
  return %r : tensor<35x48xi32>
}

// Two kernels of one function, with tiles of different shapes.
// CHECK-DAG: "error":null,"function":"two"{{.*}}"verified":true
func.func @two(%a: tensor<8x192xi8>, %b: tensor<192x48xi8> {ucmoh.weight}, %c: tensor<28x192xi8>) -> (tensor<8x48xi32>, tensor<28x48xi32>) {
  %zero = arith.constant 0 : i32
  %empty8 = tensor.empty() : tensor<8x48xi32>
  %init8 = linalg.fill ins(%zero : i32) outs(%empty8 : tensor<8x48xi32>) -> tensor<8x48xi32>
  %r8 = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_amx_int8::@tdpbssd, register_tile = [16, 32], cache_tile = [8, 48, 192],
      order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<8x192xi8>, tensor<192x48xi8>) outs(%init8 : tensor<8x48xi32>) -> tensor<8x48xi32>
  %empty28 = tensor.empty() : tensor<28x48xi32>
  %init28 = linalg.fill ins(%zero : i32) outs(%empty28 : tensor<28x48xi32>) -> tensor<28x48xi32>
  %r28 = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_amx_int8::@tdpbssd, register_tile = [32, 32], cache_tile = [28, 48, 192],
      order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%c, %b : tensor<28x192xi8>, tensor<192x48xi8>) outs(%init28 : tensor<28x48xi32>) -> tensor<28x48xi32>
  return %r8, %r28 : tensor<8x48xi32>, tensor<28x48xi32>
}

// No rows at all: nothing lies between them in the result.
// CHECK-DAG: "error":null,"function":"vector"{{.*}}"verified":true
func.func @vector(%a: tensor<147xi8>, %b: tensor<147x96xi8> {ucmoh.weight}) -> tensor<96xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<96xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<96xi32>) -> tensor<96xi32>
  %r = linalg.vecmat ins(%a, %b : tensor<147xi8>, tensor<147x96xi8>) outs(%init : tensor<96xi32>) -> tensor<96xi32>
  return %r : tensor<96xi32>
}
