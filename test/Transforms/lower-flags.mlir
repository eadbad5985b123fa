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
