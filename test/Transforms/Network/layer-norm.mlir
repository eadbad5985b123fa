// A layer norm whose variance is computed in f64, with a result that is quantized and used as it is.
// RUN: ucmoh-opt %s --ucmoh-group-rest --ucmoh-fuse-rest | FileCheck %s
// RUN: %vectorized %s | FileCheck %s --check-prefix=VECTORS --implicit-check-not="not vectorized"
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --tolerance=1e-5 | FileCheck %s --check-prefix=EXECUTED

// The normalized rows are a second result of the loops. What is above the mean is squared where it is computed.
// CHECK-LABEL: func.func @main(
// CHECK: %[[ROWS:.*]]:2 = scf.for
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK: arith.subf
// CHECK: arith.mulf %{{.*}} : f64
// CHECK-NOT: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: } {ucmoh.rows}
// CHECK: linalg.generic
// CHECK: return

// VECTORS-COUNT-5: vectorized loop
// VECTORS-NOT: vectorized loop

// EXECUTED: verified

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#only = affine_map<(d0) -> (d0)>

func.func @main(%x: tensor<64x768xf32>, %weight: tensor<768xf32>) -> (tensor<64x768xf32>, tensor<64x768xi8>) {
  %zero = arith.constant 0.0 : f32
  %zero64 = arith.constant 0.0 : f64
  %count = arith.constant 768.0 : f32
  %count64 = arith.constant 768.0 : f64
  %tiny = arith.constant 1.0e-5 : f32
  %step = arith.constant 0.25 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %one = arith.constant 1.0 : f32
  %whole = tensor.empty() : tensor<64x768xf32>
  %bytes = tensor.empty() : tensor<64x768xi8>
  %rows = tensor.empty() : tensor<64xf32>
  %rows64 = tensor.empty() : tensor<64xf64>
  %zeros = linalg.fill ins(%zero : f32) outs(%rows : tensor<64xf32>) -> tensor<64xf32>
  %zeros64 = linalg.fill ins(%zero64 : f64) outs(%rows64 : tensor<64xf64>) -> tensor<64xf64>
  %sums = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x768xf32>) outs(%zeros : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %means = linalg.generic {indexing_maps = [#only, #only], iterator_types = ["parallel"]} ins(%sums : tensor<64xf32>) outs(%rows : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.divf %in, %count : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %centered = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %means : tensor<64x768xf32>, tensor<64xf32>) outs(%whole : tensor<64x768xf32>) {
  ^bb0(%in: f32, %mean: f32, %out: f32):
    %0 = arith.subf %in, %mean : f32
    linalg.yield %0 : f32
  } -> tensor<64x768xf32>
  %squares = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%centered : tensor<64x768xf32>) outs(%zeros64 : tensor<64xf64>) {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.mulf %0, %0 : f64
    %2 = arith.addf %1, %out : f64
    linalg.yield %2 : f64
  } -> tensor<64xf64>
  %factors = linalg.generic {indexing_maps = [#only, #only], iterator_types = ["parallel"]} ins(%squares : tensor<64xf64>) outs(%rows : tensor<64xf32>) {
  ^bb0(%in: f64, %out: f32):
    %0 = arith.divf %in, %count64 : f64
    %1 = arith.truncf %0 : f64 to f32
    %2 = arith.addf %1, %tiny : f32
    %3 = math.rsqrt %2 : f32
    linalg.yield %3 : f32
  } -> tensor<64xf32>
  %normal = linalg.generic {indexing_maps = [#all, #row, #column, #all], iterator_types = ["parallel", "parallel"]} ins(%centered, %factors, %weight : tensor<64x768xf32>, tensor<64xf32>, tensor<768xf32>) outs(%whole : tensor<64x768xf32>) {
  ^bb0(%in: f32, %factor: f32, %w: f32, %out: f32):
    %0 = arith.mulf %in, %factor : f32
    %1 = arith.mulf %0, %w : f32
    linalg.yield %1 : f32
  } -> tensor<64x768xf32>
  %quantized = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%normal : tensor<64x768xf32>) outs(%bytes : tensor<64x768xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %step : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %low : f32
    %3 = arith.minimumf %2, %high : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<64x768xi8>
  %shifted = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%normal : tensor<64x768xf32>) outs(%whole : tensor<64x768xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %one : f32
    linalg.yield %0 : f32
  } -> tensor<64x768xf32>
  return %shifted, %quantized : tensor<64x768xf32>, tensor<64x768xi8>
}
