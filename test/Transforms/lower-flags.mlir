// A mask of i1 has a byte for each element, which vectors can load.
// RUN: ucmoh-opt %s --ucmoh-lower-flags | FileCheck %s

// CHECK-LABEL: llvm.func @flags
// CHECK: %[[BYTE:.*]] = llvm.load %arg0 {alignment = 1 : i64} : !llvm.ptr -> i8
// CHECK: %[[FLAG:.*]] = llvm.icmp "ne" %[[BYTE]], %{{.*}} : i8
// CHECK: %[[STORED:.*]] = llvm.zext %[[FLAG]] : i1 to i8
// CHECK: llvm.store %[[STORED]], %arg1 {alignment = 1 : i64} : i8, !llvm.ptr
// CHECK: llvm.load %arg0 : !llvm.ptr -> i32
llvm.func @flags(%from: !llvm.ptr, %to: !llvm.ptr) -> i32 {
  %flag = llvm.load %from : !llvm.ptr -> i1
  llvm.store %flag, %to : i1, !llvm.ptr
  %word = llvm.load %from : !llvm.ptr -> i32
  llvm.return %word : i32
}

// A vector of them lies byte by byte, too.
// CHECK-LABEL: llvm.func @vectors
// CHECK: %[[BYTES:.*]] = llvm.load %arg0 {alignment = 1 : i64} : !llvm.ptr -> vector<8xi8>
// CHECK: %[[FLAGS:.*]] = llvm.icmp "ne" %[[BYTES]], %{{.*}} : vector<8xi8>
// CHECK: %[[PASSED:.*]] = llvm.zext %[[FLAGS]] : vector<8xi1> to vector<8xi8>
// CHECK: %[[PART:.*]] = llvm.intr.masked.load %arg0, %arg2, %[[PASSED]] {alignment = 1 : i32} : {{.*}} -> vector<8xi8>
// CHECK: %[[OTHERS:.*]] = llvm.icmp "ne" %[[PART]], %{{.*}} : vector<8xi8>
// CHECK: %[[FIRST:.*]] = llvm.zext %[[OTHERS]] : vector<8xi1> to vector<8xi8>
// CHECK: llvm.store %[[FIRST]], %arg1 {alignment = 1 : i64} : vector<8xi8>, !llvm.ptr
// CHECK: %[[SECOND:.*]] = llvm.zext %[[OTHERS]] : vector<8xi1> to vector<8xi8>
// CHECK: llvm.intr.masked.store %[[SECOND]], %arg1, %arg2 {alignment = 1 : i32} : vector<8xi8>, vector<8xi1> into !llvm.ptr
llvm.func @vectors(%from: !llvm.ptr, %to: !llvm.ptr, %mask: vector<8xi1>) {
  %flags = llvm.load %from {alignment = 1 : i64} : !llvm.ptr -> vector<8xi1>
  %part = llvm.intr.masked.load %from, %mask, %flags {alignment = 1 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xi1>) -> vector<8xi1>
  llvm.store %part, %to {alignment = 1 : i64} : vector<8xi1>, !llvm.ptr
  llvm.intr.masked.store %part, %to, %mask {alignment = 1 : i32} : vector<8xi1>, vector<8xi1> into !llvm.ptr
  llvm.return
}
