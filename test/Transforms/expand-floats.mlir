// Conversions of f8 become integer arithmetic, of scalars and of vectors; through f32 where the other type is narrower. Other
// conversions stay. What they compute: ExpandFloatsTest.
// RUN: ucmoh-opt %s --ucmoh-expand-floats | FileCheck %s

// CHECK-LABEL: @extend
// CHECK-SAME: %[[A:.*]]: f8E4M3FN
// CHECK: %[[BITS:.*]] = arith.bitcast %[[A]] : f8E4M3FN to i8
// CHECK: arith.extui %[[BITS]] : i8 to i32
// CHECK: arith.mulf {{.*}} : f32
// CHECK-NOT: arith.extf
// CHECK: return {{.*}} : f32
func.func @extend(%a: f8E4M3FN) -> f32 {
  %0 = arith.extf %a : f8E4M3FN to f32
  return %0 : f32
}

// CHECK-LABEL: @vectors
// CHECK: arith.bitcast {{.*}} : vector<4xf8E5M2> to vector<4xi8>
// CHECK: %[[WIDE:.*]] = arith.bitcast {{.*}} : vector<4xi32> to vector<4xf32>
// CHECK: arith.truncf {{.*}} : vector<4xf32> to vector<4xf16>
func.func @vectors(%a: vector<4xf8E5M2>) -> vector<4xf16> {
  %0 = arith.extf %a : vector<4xf8E5M2> to vector<4xf16>
  return %0 : vector<4xf16>
}

// CHECK-LABEL: @narrow
// CHECK-NOT: arith.truncf
// CHECK: arith.trunci {{.*}} : i64 to i8
// CHECK: arith.bitcast {{.*}} : i8 to f8E5M2
func.func @narrow(%a: f64) -> f8E5M2 {
  %0 = arith.truncf %a : f64 to f8E5M2
  return %0 : f8E5M2
}

// CHECK-LABEL: @others
// CHECK: arith.extf {{.*}} : f8E4M3FNUZ to f32
func.func @others(%a: f8E4M3FNUZ) -> f32 {
  %0 = arith.extf %a : f8E4M3FNUZ to f32
  return %0 : f32
}

// Integers that the float may exceed are the last bits of wider ones.
// CHECK-LABEL: @unsigned
// CHECK: %[[WIDE:.*]] = arith.fptosi {{.*}} : vector<8xf32> to vector<8xi32>
// CHECK: arith.trunci %[[WIDE]] : vector<8xi32> to vector<8xi8>
func.func @unsigned(%a: vector<8xf32>) -> vector<8xi8> {
  %low = arith.constant dense<0.0> : vector<8xf32>
  %high = arith.constant dense<255.0> : vector<8xf32>
  %0 = arith.maximumf %a, %low : vector<8xf32>
  %1 = arith.minimumf %0, %high : vector<8xf32>
  %2 = arith.fptosi %1 : vector<8xf32> to vector<8xi8>
  return %2 : vector<8xi8>
}

// CHECK-LABEL: @limited
// CHECK: arith.fptosi {{.*}} : vector<8xf32> to vector<8xi8>
// CHECK-NOT: trunci
func.func @limited(%a: vector<8xf32>) -> vector<8xi8> {
  %low = arith.constant dense<-128.0> : vector<8xf32>
  %high = arith.constant dense<127.0> : vector<8xf32>
  %0 = math.roundeven %a : vector<8xf32>
  %1 = arith.maximumf %0, %low : vector<8xf32>
  %2 = arith.minimumf %1, %high : vector<8xf32>
  %3 = arith.fptosi %2 : vector<8xf32> to vector<8xi8>
  return %3 : vector<8xi8>
}
