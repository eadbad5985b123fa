// Maxima and minima of vectors of bf16 are such of integers of 16 bits. Each number becomes an integer once, scalars
// stay what they are.
// RUN: ucmoh-opt %s --ucmoh-vectorize-rest=target=x86_avx512f@default | FileCheck %s

// CHECK-LABEL: func.func @maxima
// CHECK-SAME: (%[[A:.*]]: vector<32xbf16>, %[[B:.*]]: vector<32xbf16>, %[[C:.*]]: vector<32xbf16>)
// CHECK-DAG: %[[NANS:.*]] = arith.constant dense<127> : vector<32xi16>
// CHECK-DAG: %[[OPPOSITE:.*]] = arith.constant dense<-127> : vector<32xi16>
// CHECK-DAG: %[[OTHERS:.*]] = arith.constant dense<32767> : vector<32xi16>
// CHECK-DAG: %[[SIGN:.*]] = arith.constant dense<15> : vector<32xi16>
// CHECK: %[[BITS:.*]] = arith.bitcast %[[A]]
// CHECK: %[[NEGATIVE:.*]] = arith.shrsi %[[BITS]], %[[SIGN]]
// CHECK: %[[FLIPPED:.*]] = arith.andi %[[NEGATIVE]], %[[OTHERS]]
// CHECK: %[[ORDERED:.*]] = arith.xori %[[BITS]], %[[FLIPPED]]
// CHECK: %[[KEY:.*]] = arith.addi %[[ORDERED]], %[[OPPOSITE]]
// CHECK: arith.bitcast %[[B]]
// CHECK: %[[OTHER:.*]] = arith.addi %{{.*}}, %[[OPPOSITE]]
// CHECK: %[[MOST:.*]] = arith.maxsi %[[KEY]], %[[OTHER]]
// CHECK: arith.bitcast %[[C]]
// CHECK: %[[THIRD:.*]] = arith.addi %{{.*}}, %[[OPPOSITE]]
// CHECK: %[[ALL:.*]] = arith.maxsi %[[MOST]], %[[THIRD]]
// CHECK: arith.addi %[[ALL]], %[[NANS]]
// CHECK: %[[RESULT:.*]] = arith.bitcast %{{.*}} : vector<32xi16> to vector<32xbf16>
// CHECK: return %[[RESULT]]
func.func @maxima(%a: vector<32xbf16>, %b: vector<32xbf16>, %c: vector<32xbf16>) -> vector<32xbf16> {
  %0 = arith.maximumf %a, %b : vector<32xbf16>
  %1 = arith.maximumf %0, %c : vector<32xbf16>
  return %1 : vector<32xbf16>
}

// CHECK-LABEL: func.func @scalars
// CHECK-NOT: arith.minsi
// CHECK: return
func.func @scalars(%a: bf16, %b: bf16) -> bf16 {
  %0 = arith.minimumf %a, %b : bf16
  return %0 : bf16
}
