// RUN: ucmoh-opt %s --ucmoh-expand-powers | FileCheck %s

// A constant exponent: products, in f32. The last one is x^4 * x.
// CHECK-LABEL: func.func @constant(
// CHECK-SAME: %[[X:.*]]: vector<16xbf16>
// CHECK: %[[W:.*]] = arith.extf %[[X]] : vector<16xbf16> to vector<16xf32>
// CHECK: %[[P2:.*]] = arith.mulf %[[W]], %[[W]]
// CHECK: %[[P4:.*]] = arith.mulf %[[P2]], %[[P2]]
// CHECK: %[[P5:.*]] = arith.mulf %[[P4]], %[[W]]
// CHECK: arith.truncf %[[P5]] : vector<16xf32> to vector<16xbf16>
func.func @constant(%x: vector<16xbf16>) -> vector<16xbf16> {
  %n = arith.constant dense<5> : vector<16xi64>
  %p = math.fpowi %x, %n : vector<16xbf16>, vector<16xi64>
  return %p : vector<16xbf16>
}

// Nothing is rounded that is wide enough.
// CHECK-LABEL: func.func @any(
// CHECK-NOT: extf
// CHECK: math.powf
// CHECK-NOT: fpowi
func.func @any(%x: f64, %n: i64) -> f64 {
  %p = math.fpowi %x, %n : f64, i64
  return %p : f64
}
