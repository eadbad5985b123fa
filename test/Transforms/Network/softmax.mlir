// A softmax as torch-mlir exports it, and upstream's: eight rows in one buffer, and no loop without vectors.
// RUN: ucmoh-opt %s --ucmoh-decompose --ucmoh-approximate-math --ucmoh-group-rest --ucmoh-fuse-rest | FileCheck %s
// RUN: %vectorized %s | FileCheck %s --check-prefix=VECTORS --implicit-check-not="not vectorized"
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 | FileCheck %s --check-prefix=EXECUTED

// CHECK-LABEL: func.func @torch(
// CHECK: scf.for
// CHECK: scf.for %{{.*}} step %c8
// The unused position of the maximum is gone.
// CHECK-NOT: i64
// Elements are scaled, and exponentials computed, where they are reduced. NaN shows in the sum.
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: arith.mulf
// CHECK: arith.maximumf %{{.*}}, %{{.*}} fastmath<nnan,nsz>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// Nothing is above the maximum, and so above no limit.
// CHECK: arith.subf
// CHECK-NOT: arith.cmpf ogt
// CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<reassoc>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// The sum's last bits are free, and so are those of the quotients.
// CHECK: arith.divf %{{.*}}, %{{.*}} fastmath<arcp>
// CHECK: } {ucmoh.rows}
// CHECK-NOT: linalg.generic

// CHECK-LABEL: func.func @upstream(
// CHECK-DAG: arith.constant 0xFF800000 : f32
// CHECK: scf.for
// CHECK: arith.maximumf %{{.*}}, %{{.*}} fastmath<nnan,nsz>
// CHECK: } {ucmoh.rows}

// Rows of the second one are not whole vectors side by side: what is left has loops of its own.
// VECTORS-COUNT-20: vectorized loop
// VECTORS-NOT: vectorized loop

// EXECUTED: torch
// EXECUTED: verified

#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d1)>
#kept = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

func.func @torch(%x: tensor<12x96x128xf32>) -> tensor<12x96x128xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %scale = arith.constant 1.250000e-01 : f32
  %first = arith.constant 0 : i64
  %whole = tensor.empty() : tensor<12x96x128xf32>
  %rows = tensor.empty() : tensor<12x96xf32>
  %columns = tensor.empty() : tensor<12x96x1xf32>
  %positions = tensor.empty() : tensor<12x96xi64>
  %leasts = linalg.fill ins(%least : f32) outs(%rows : tensor<12x96xf32>) -> tensor<12x96xf32>
  %firsts = linalg.fill ins(%first : i64) outs(%positions : tensor<12x96xi64>) -> tensor<12x96xi64>
  %zeros = linalg.fill ins(%zero : f32) outs(%columns : tensor<12x96x1xf32>) -> tensor<12x96x1xf32>
  %scaled = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<12x96x128xf32>) outs(%whole : tensor<12x96x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    linalg.yield %0 : f32
  } -> tensor<12x96x128xf32>
  %max:2 = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%scaled : tensor<12x96x128xf32>) outs(%leasts, %firsts : tensor<12x96xf32>, tensor<12x96xi64>) {
  ^bb0(%in: f32, %out: f32, %at: i64):
    %0 = linalg.index 2 : index
    %1 = arith.index_cast %0 : index to i64
    %2 = arith.maximumf %in, %out : f32
    %3 = arith.cmpf ogt, %in, %out : f32
    %4 = arith.select %3, %1, %at : i64
    linalg.yield %2, %4 : f32, i64
  } -> (tensor<12x96xf32>, tensor<12x96xi64>)
  %maxima = tensor.expand_shape %max#0 [[0], [1, 2]] output_shape [12, 96, 1] : tensor<12x96xf32> into tensor<12x96x1xf32>
  %powers = linalg.generic {indexing_maps = [#all, #kept, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scaled, %maxima : tensor<12x96x128xf32>, tensor<12x96x1xf32>) outs(%whole : tensor<12x96x128xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %0 = arith.subf %in, %m : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<12x96x128xf32>
  %sums = linalg.generic {indexing_maps = [#all, #kept], iterator_types = ["parallel", "parallel", "reduction"]} ins(%powers : tensor<12x96x128xf32>) outs(%zeros : tensor<12x96x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<12x96x1xf32>
  %shares = linalg.generic {indexing_maps = [#all, #kept, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%powers, %sums : tensor<12x96x128xf32>, tensor<12x96x1xf32>) outs(%whole : tensor<12x96x128xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %0 = arith.divf %in, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<12x96x128xf32>
  return %shares : tensor<12x96x128xf32>
}

func.func @upstream(%x: tensor<30x80xf32>) -> tensor<30x80xf32> {
  %empty = tensor.empty() : tensor<30x80xf32>
  %shares = linalg.softmax dimension(1) ins(%x : tensor<30x80xf32>) outs(%empty : tensor<30x80xf32>) -> tensor<30x80xf32>
  return %shares : tensor<30x80xf32>
}

// A row's scale is no sum: what is rounded behind the quotient stays exact.
// CHECK-LABEL: func.func @scaled(
// CHECK: arith.divf
// CHECK-NOT: arcp
// CHECK: return
func.func @scaled(%x: tensor<96x128xf32>, %s: tensor<96xf32>) -> tensor<96x128xf32> {
  %empty = tensor.empty() : tensor<96x128xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<96x128xf32>, tensor<96xf32>) outs(%empty : tensor<96x128xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<96x128xf32>
  return %y : tensor<96x128xf32>
}

// What else reads the maximum, or the exponentials, gets NaN.
// CHECK-LABEL: func.func @more_results(
// CHECK-NOT: nnan
// CHECK: return
func.func @more_results(%x: tensor<96x128xf32>) -> (tensor<96x128xf32>, tensor<96xf32>) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<96x128xf32>
  %rows = tensor.empty() : tensor<96xf32>
  %leasts = linalg.fill ins(%least : f32) outs(%rows : tensor<96xf32>) -> tensor<96xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%rows : tensor<96xf32>) -> tensor<96xf32>
  %maxima = linalg.reduce {arith.maximumf} ins(%x : tensor<96x128xf32>) outs(%leasts : tensor<96xf32>) dimensions = [1]
  %powers = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %maxima : tensor<96x128xf32>, tensor<96xf32>) outs(%empty : tensor<96x128xf32>) {
  ^bb0(%a: f32, %m: f32, %out: f32):
    %0 = arith.subf %a, %m : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<96x128xf32>
  %sums = linalg.reduce {arith.addf} ins(%powers : tensor<96x128xf32>) outs(%zeros : tensor<96xf32>) dimensions = [1]
  %shares = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%powers, %sums : tensor<96x128xf32>, tensor<96xf32>) outs(%empty : tensor<96x128xf32>) {
  ^bb0(%a: f32, %s: f32, %out: f32):
    %0 = arith.divf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<96x128xf32>
  return %shares, %maxima : tensor<96x128xf32>, tensor<96xf32>
}

// Zeros in place of NaN keep it out of the sum.
// CHECK-LABEL: func.func @zeros(
// CHECK-NOT: nnan
// CHECK: return
func.func @zeros(%x: tensor<96x128xf32>) -> tensor<96x128xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<96x128xf32>
  %rows = tensor.empty() : tensor<96xf32>
  %leasts = linalg.fill ins(%least : f32) outs(%rows : tensor<96xf32>) -> tensor<96xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%rows : tensor<96xf32>) -> tensor<96xf32>
  %maxima = linalg.reduce {arith.maximumf} ins(%x : tensor<96x128xf32>) outs(%leasts : tensor<96xf32>) dimensions = [1]
  %powers = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %maxima : tensor<96x128xf32>, tensor<96xf32>) outs(%empty : tensor<96x128xf32>) {
  ^bb0(%a: f32, %m: f32, %out: f32):
    %0 = arith.subf %a, %m : f32
    %1 = math.exp %0 : f32
    %2 = arith.cmpf uno, %a, %a : f32
    %3 = arith.select %2, %zero, %1 : f32
    linalg.yield %3 : f32
  } -> tensor<96x128xf32>
  %sums = linalg.reduce {arith.addf} ins(%powers : tensor<96x128xf32>) outs(%zeros : tensor<96xf32>) dimensions = [1]
  %shares = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%powers, %sums : tensor<96x128xf32>, tensor<96xf32>) outs(%empty : tensor<96x128xf32>) {
  ^bb0(%a: f32, %s: f32, %out: f32):
    %0 = arith.divf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<96x128xf32>
  return %shares : tensor<96x128xf32>
}
