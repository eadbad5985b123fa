// GELU, SiLU and tanh by polynomials; quantization; a mask of i1; a residual; whether any flag of a row is
// set: one vectorized loop each.
// RUN: ucmoh-opt %s --ucmoh-approximate-math --ucmoh-group-rest --ucmoh-fuse-rest | FileCheck %s
// RUN: %vectorized %s | FileCheck %s --check-prefix=VECTORS --implicit-check-not="not vectorized"
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 | FileCheck %s --check-prefix=EXECUTED

// CHECK-LABEL: func.func @gelu(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: math.erf
// CHECK-LABEL: func.func @silu(
// CHECK-LABEL: func.func @requantize(
// Dequantization, tanh and quantization are one op.
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK-LABEL: func.func @mask(
// CHECK-LABEL: func.func @residual(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK-LABEL: func.func @any(

// VECTORS-COUNT-6: vectorized loop
// VECTORS-NOT: vectorized loop

// EXECUTED-COUNT-6: verified

#all = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>

func.func @gelu(%x: tensor<32x3072xf32>) -> tensor<32x3072xf32> {
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %root = arith.constant 1.41421354 : f32
  %empty = tensor.empty() : tensor<32x3072xf32>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<32x3072xf32>) outs(%empty : tensor<32x3072xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.divf %in, %root : f32
    %1 = math.erf %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.mulf %2, %half : f32
    %4 = arith.mulf %in, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<32x3072xf32>
  return %y : tensor<32x3072xf32>
}

func.func @silu(%x: tensor<32x256xf32>) -> tensor<32x256xf32> {
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<32x256xf32>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<32x256xf32>) outs(%empty : tensor<32x256xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %in, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<32x256xf32>
  return %y : tensor<32x256xf32>
}

func.func @requantize(%x: tensor<32x256xi8>) -> tensor<32x256xf32> {
  %scale = arith.constant 0.03 : f32
  %zero = arith.constant 3 : i32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %wide = tensor.empty() : tensor<32x256xf32>
  %narrow = tensor.empty() : tensor<32x256xi8>
  %real = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<32x256xi8>) outs(%wide : tensor<32x256xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zero : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<32x256xf32>
  %tanh = linalg.tanh ins(%real : tensor<32x256xf32>) outs(%wide : tensor<32x256xf32>) -> tensor<32x256xf32>
  %byte = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%tanh : tensor<32x256xf32>) outs(%narrow : tensor<32x256xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %scale : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %low : f32
    %3 = arith.minimumf %2, %high : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<32x256xi8>
  %again = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%byte : tensor<32x256xi8>) outs(%wide : tensor<32x256xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<32x256xf32>
  return %again : tensor<32x256xf32>
}

func.func @mask(%x: tensor<32x256xf32>, %keep: tensor<256xi1>) -> tensor<32x256xf32> {
  %least = arith.constant -1.0e9 : f32
  %empty = tensor.empty() : tensor<32x256xf32>
  %y = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %keep : tensor<32x256xf32>, tensor<256xi1>) outs(%empty : tensor<32x256xf32>) {
  ^bb0(%in: f32, %kept: i1, %out: f32):
    %0 = arith.select %kept, %in, %least : f32
    linalg.yield %0 : f32
  } -> tensor<32x256xf32>
  return %y : tensor<32x256xf32>
}

func.func @residual(%x: tensor<32x256xf32>, %y: tensor<32x256xf32>) -> tensor<32x256xf32> {
  %empty = tensor.empty() : tensor<32x256xf32>
  %sum = linalg.add ins(%x, %y : tensor<32x256xf32>, tensor<32x256xf32>) outs(%empty : tensor<32x256xf32>) -> tensor<32x256xf32>
  return %sum : tensor<32x256xf32>
}

#row = affine_map<(d0, d1) -> (d0)>
func.func @any(%flags: tensor<32x256xi1>) -> tensor<32xi1> {
  %false = arith.constant false
  %empty = tensor.empty() : tensor<32xi1>
  %none = linalg.fill ins(%false : i1) outs(%empty : tensor<32xi1>) -> tensor<32xi1>
  %any = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%flags : tensor<32x256xi1>) outs(%none : tensor<32xi1>) {
  ^bb0(%flag: i1, %out: i1):
    %0 = arith.ori %flag, %out : i1
    linalg.yield %0 : i1
  } -> tensor<32xi1>
  return %any : tensor<32xi1>
}
