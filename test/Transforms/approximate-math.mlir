// exp, expm1, erf, tanh, log, log1p, sin and cos of f32 become polynomials, of scalars and of vectors, also
// inside of other ops; what has an instruction (sqrt), what is rare (tan) and other types (f64) stay.
// RUN: ucmoh-opt %s --ucmoh-approximate-math | FileCheck %s
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --json --entry=numbers | FileCheck %s --check-prefix=VALUES
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --json --entry=small | FileCheck %s --check-prefix=SMALL
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --json --entry=turns | FileCheck %s --check-prefix=TURNS

// CHECK-LABEL: func.func @scalars(
// CHECK-NOT: math.{{exp|erf|tanh|log|sin|cos}}
// CHECK: math.fma
// CHECK: return
func.func @scalars(%x: f32) -> (f32, f32, f32, f32, f32, f32, f32, f32) {
  %0 = math.exp %x : f32
  %1 = math.erf %x : f32
  %2 = math.tanh %x : f32
  %3 = math.log %x : f32
  %4 = math.sin %x : f32
  %5 = math.cos %x : f32
  %6 = math.log1p %x : f32
  %7 = math.expm1 %x : f32
  return %0, %1, %2, %3, %4, %5, %6, %7 : f32, f32, f32, f32, f32, f32, f32, f32
}

// CHECK-LABEL: func.func @vectors(
// CHECK-NOT: math.erf
// CHECK: math.fma {{.*}} : vector<16xf32>
// CHECK: return
func.func @vectors(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.erf %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// CHECK-LABEL: func.func @inside(
// CHECK: linalg.generic
// CHECK-NOT: math.tanh
// CHECK: linalg.yield
func.func @inside(%x: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = math.tanh %in : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @others(
// CHECK-DAG: math.sqrt
// CHECK-DAG: math.tan 
// CHECK-DAG: math.exp %{{.*}} : f64
// CHECK: return
func.func @others(%x: f32, %y: f64) -> (f32, f32, f64) {
  %0 = math.sqrt %x : f32
  %1 = math.tan %x : f32
  %2 = math.exp %y : f64
  return %0, %1, %2 : f32, f32, f64
}

// The values agree with those of the math library, which the reference calls.
// VALUES: "error":null,"function":"numbers"
// VALUES-SAME: "verified":true
func.func @numbers(%x: tensor<257xf32>) -> (tensor<257xf32>, tensor<257xf32>, tensor<257xf32>) {
  %e = tensor.empty() : tensor<257xf32>
  %r:3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%x : tensor<257xf32>) outs(%e, %e, %e : tensor<257xf32>, tensor<257xf32>, tensor<257xf32>) {
  ^bb0(%in: f32, %o0: f32, %o1: f32, %o2: f32):
    %0 = math.exp %in : f32
    %1 = math.erf %in : f32
    %2 = math.tanh %in : f32
    linalg.yield %0, %1, %2 : f32, f32, f32
  } -> (tensor<257xf32>, tensor<257xf32>, tensor<257xf32>)
  return %r#0, %r#1, %r#2 : tensor<257xf32>, tensor<257xf32>, tensor<257xf32>
}

// So do those of numbers next to 0, where 1 + x is 1.
// SMALL: "error":null,"function":"small"
// SMALL-SAME: "verified":true
func.func @small(%x: tensor<257xf32>) -> tensor<257xf32> {
  %little = arith.constant 1.0e-09 : f32
  %e = tensor.empty() : tensor<257xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%x : tensor<257xf32>) outs(%e : tensor<257xf32>) {
  ^bb0(%in: f32, %out: f32):
    %near = arith.mulf %in, %little : f32
    %0 = math.log1p %near : f32
    linalg.yield %0 : f32
  } -> tensor<257xf32>
  return %r : tensor<257xf32>
}

// So do sines and cosines of many turns.
// TURNS: "error":null,"function":"turns"
// TURNS-SAME: "verified":true
func.func @turns(%x: tensor<2571xf32>) -> (tensor<2571xf32>, tensor<2571xf32>) {
  %many = arith.constant 1.0e+05 : f32
  %e = tensor.empty() : tensor<2571xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%x : tensor<2571xf32>) outs(%e, %e : tensor<2571xf32>, tensor<2571xf32>) {
  ^bb0(%in: f32, %o0: f32, %o1: f32):
    %angle = arith.mulf %in, %many : f32
    %0 = math.sin %angle : f32
    %1 = math.cos %in : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<2571xf32>, tensor<2571xf32>)
  return %r#0, %r#1 : tensor<2571xf32>, tensor<2571xf32>
}
