// Pooling and global averages in both layouts: vectors along what is contiguous in the result.
// RUN: %vectorized %s | FileCheck %s --check-prefix=VECTORS --implicit-check-not="not vectorized"
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 | FileCheck %s --check-prefix=EXECUTED
// RUN: ucmoh-opt %s --ucmoh-windows | FileCheck %s --check-prefix=READS

// Fills by zero are calls of memset. Windows over channels are kernels of vectors before LLVM sees them (windows.mlir).
// VECTORS-COUNT-5: vectorized loop
// VECTORS-NOT: vectorized loop

// EXECUTED-COUNT-6: verified

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#last = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
#second = affine_map<(d0, d1, d2, d3) -> (d0, d1)>

func.func @nhwc(%x: tensor<1x30x30x64xf32>) -> tensor<1x28x28x64xf32> {
  %least = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<3x3xf32>
  %empty = tensor.empty() : tensor<1x28x28x64xf32>
  %leasts = linalg.fill ins(%least : f32) outs(%empty : tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32>
  %y = linalg.pooling_nhwc_max ins(%x, %window : tensor<1x30x30x64xf32>, tensor<3x3xf32>) outs(%leasts : tensor<1x28x28x64xf32>) -> tensor<1x28x28x64xf32>
  return %y : tensor<1x28x28x64xf32>
}

func.func @nchw(%x: tensor<1x8x33x33xf32>) -> tensor<1x8x16x16xf32> {
  %least = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<3x3xf32>
  %empty = tensor.empty() : tensor<1x8x16x16xf32>
  %leasts = linalg.fill ins(%least : f32) outs(%empty : tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
  %y = linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>} ins(%x, %window : tensor<1x8x33x33xf32>, tensor<3x3xf32>) outs(%leasts : tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
  return %y : tensor<1x8x16x16xf32>
}

func.func @bytes(%x: tensor<1x30x30x64xi8>) -> tensor<1x28x28x64xi8> {
  %least = arith.constant -128 : i8
  %window = tensor.empty() : tensor<3x3xi8>
  %empty = tensor.empty() : tensor<1x28x28x64xi8>
  %leasts = linalg.fill ins(%least : i8) outs(%empty : tensor<1x28x28x64xi8>) -> tensor<1x28x28x64xi8>
  %y = linalg.pooling_nhwc_max ins(%x, %window : tensor<1x30x30x64xi8>, tensor<3x3xi8>) outs(%leasts : tensor<1x28x28x64xi8>) -> tensor<1x28x28x64xi8>
  return %y : tensor<1x28x28x64xi8>
}

func.func @average_nhwc(%x: tensor<1x7x7x256xf32>) -> tensor<1x256xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x256xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x256xf32>) -> tensor<1x256xf32>
  %y = linalg.generic {indexing_maps = [#all, #last], iterator_types = ["parallel", "reduction", "reduction", "parallel"]} ins(%x : tensor<1x7x7x256xf32>) outs(%zeros : tensor<1x256xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<1x256xf32>
  return %y : tensor<1x256xf32>
}

func.func @average_nchw(%x: tensor<1x32x16x16xf32>) -> tensor<1x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x32xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x32xf32>) -> tensor<1x32xf32>
  %y = linalg.generic {indexing_maps = [#all, #second], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%x : tensor<1x32x16x16xf32>) outs(%zeros : tensor<1x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<1x32xf32>
  return %y : tensor<1x32xf32>
}

// A mean of what is dequantized reads bytes, and dequantizes each of them once, although others want the result too.
// READS-LABEL: func.func @dequantized(
// READS-SAME: %[[X:[a-z0-9]+]]: tensor<1x40x32x64xi8>
// READS: %[[WIDE:.*]] = linalg.generic
// READS: ucmoh.kernel "windows" ins(%[[X]] : tensor<1x40x32x64xi8>)
// READS: return %{{.*}}, %[[WIDE]]
func.func @dequantized(%x: tensor<1x40x32x64xi8>) -> (tensor<1x1x1x64xf32>, tensor<1x40x32x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %point = arith.constant 3 : i32
  %wide = tensor.empty() : tensor<1x40x32x64xf32>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x40x32x64xi8>) outs(%wide : tensor<1x40x32x64xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %point : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<1x40x32x64xf32>
  %window = tensor.empty() : tensor<40x32xf32>
  %empty = tensor.empty() : tensor<1x1x1x64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x1x1x64xf32>) -> tensor<1x1x1x64xf32>
  %sum = linalg.pooling_nhwc_sum ins(%y, %window : tensor<1x40x32x64xf32>, tensor<40x32xf32>) outs(%zeros : tensor<1x1x1x64xf32>) -> tensor<1x1x1x64xf32>
  return %sum, %y : tensor<1x1x1x64xf32>, tensor<1x40x32x64xf32>
}
