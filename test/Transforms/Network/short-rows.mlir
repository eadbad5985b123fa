// Rows shorter than a vector of the register's lanes take a vector that fits, and stay the innermost loop: 32 bytes
// are half of a register of 512 bits; 144 are nine quarters, and not two registers with 16 bytes one by one.
// RUN: ucmoh-opt %s \
// RUN:   --pass-pipeline="builtin.module(one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map},ucmoh-vectorize-rest{target=x86_avx512_vnni})" \
// RUN:   | FileCheck %s

// CHECK-DAG: #[[WIDTH32:.*]] = #llvm.loop_vectorize<disable = false, width = 32 : i32>
// CHECK-DAG: #[[WIDTH16:.*]] = #llvm.loop_vectorize<disable = false, width = 16 : i32>
// CHECK-DAG: #[[WIDTH64:.*]] = #llvm.loop_vectorize<disable = false, width = 64 : i32>
// CHECK-DAG: #[[LOOP32:.*]] = #llvm.loop_annotation<vectorize = #[[WIDTH32]]
// CHECK-DAG: #[[LOOP16:.*]] = #llvm.loop_annotation<vectorize = #[[WIDTH16]]
// CHECK-DAG: #[[LOOP64:.*]] = #llvm.loop_annotation<vectorize = #[[WIDTH64]]
#all = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @half
// CHECK: scf.for {{.*}} %c100
// CHECK: scf.for {{.*}} %c32
// CHECK: loop_annotation = #[[LOOP32]]
func.func @half(%x: tensor<100x32xi8>, %out: tensor<100x32xi8>) -> tensor<100x32xi8> {
  %c = arith.constant -128 : i8
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<100x32xi8>) outs(%out : tensor<100x32xi8>) {
  ^bb0(%in: i8, %o: i8):
    %0 = arith.addi %in, %c : i8
    linalg.yield %0 : i8
  } -> tensor<100x32xi8>
  return %y : tensor<100x32xi8>
}

// CHECK-LABEL: func.func @quarters
// CHECK: loop_annotation = #[[LOOP16]]
func.func @quarters(%x: tensor<100x144xi8>, %out: tensor<100x144xi8>) -> tensor<100x144xi8> {
  %c = arith.constant -128 : i8
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<100x144xi8>) outs(%out : tensor<100x144xi8>) {
  ^bb0(%in: i8, %o: i8):
    %0 = arith.addi %in, %c : i8
    linalg.yield %0 : i8
  } -> tensor<100x144xi8>
  return %y : tensor<100x144xi8>
}

// CHECK-LABEL: func.func @whole
// CHECK: loop_annotation = #[[LOOP64]]
func.func @whole(%x: tensor<100x256xi8>, %out: tensor<100x256xi8>) -> tensor<100x256xi8> {
  %c = arith.constant -128 : i8
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<100x256xi8>) outs(%out : tensor<100x256xi8>) {
  ^bb0(%in: i8, %o: i8):
    %0 = arith.addi %in, %c : i8
    linalg.yield %0 : i8
  } -> tensor<100x256xi8>
  return %y : tensor<100x256xi8>
}
