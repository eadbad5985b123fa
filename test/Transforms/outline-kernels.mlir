// RUN: ucmoh-opt %s --ucmoh-outline-kernels | FileCheck %s
// RUN: ucmoh-opt %s --ucmoh-outline-kernels --ucmoh-outline-kernels | FileCheck %s
// RUN: ucmoh-opt %s --ucmoh-outline-kernels=outline-networks=true | FileCheck %s --check-prefix=ALL
// RUN: ucmoh-opt %s --ucmoh-outline-kernels --one-shot-bufferize=bufferize-function-boundaries=true \
// RUN:   --ucmoh-inline-kernels | FileCheck %s --check-prefix=BUFFERS

// Two kernels that differ in a number call one function, and one that differs in an op stays. So do
// kernels that were outlined before.
// CHECK: func.func private @f.scale(
// CHECK-SAME: %[[SCALE:[a-z0-9]+]]: f32) attributes {passthrough = ["noinline"]}
// CHECK: arith.mulf %{{.+}}, %[[SCALE]]
// CHECK: return
// CHECK: func.func @f
// CHECK: ucmoh.kernel "scale"
// CHECK: arith.constant 2.0
// CHECK: call @f.scale
// CHECK: ucmoh.kernel "scale"
// CHECK: arith.constant 3.0
// CHECK: call @f.scale
// CHECK: ucmoh.kernel "shift"
// CHECK-NOT: call
// CHECK: arith.addf

// ALL-COUNT-2: func.func private
// ALL: func.func @f
// ALL: call @f.scale
// ALL: call @f.scale
// ALL: call @f.shift

// The function takes buffers that begin anywhere.
// BUFFERS: func.func @f
// BUFFERS: %[[VIEW:.+]] = memref.cast %{{.+}} : memref<8xf32{{.*}}> to memref<8xf32, strided<[1], offset: ?>>
// BUFFERS: call @f.scale(%{{.+}}, %{{.+}}, %{{.+}}) : (memref<8xf32, strided<[1], offset: ?>>, memref<8xf32, strided<[1], offset: ?>>, f32)
// BUFFERS-NOT: ucmoh.kernel

func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<8xf32>
  %a = ucmoh.kernel "scale" ins(%x : tensor<8xf32>) outs(%empty : tensor<8xf32>)
      (%in: memref<8xf32, strided<[1], offset: ?>>, %out: memref<8xf32, strided<[1], offset: ?>>) {
    %zero = arith.constant 0 : index
    %number = arith.constant 2.0 : f32
    %value = memref.load %in[%zero] : memref<8xf32, strided<[1], offset: ?>>
    %result = arith.mulf %value, %number : f32
    memref.store %result, %out[%zero] : memref<8xf32, strided<[1], offset: ?>>
    ucmoh.yield
  } -> tensor<8xf32>
  %b = ucmoh.kernel "scale" ins(%a : tensor<8xf32>) outs(%empty : tensor<8xf32>)
      (%in: memref<8xf32, strided<[1], offset: ?>>, %out: memref<8xf32, strided<[1], offset: ?>>) {
    %zero = arith.constant 0 : index
    %number = arith.constant 3.0 : f32
    %value = memref.load %in[%zero] : memref<8xf32, strided<[1], offset: ?>>
    %result = arith.mulf %value, %number : f32
    memref.store %result, %out[%zero] : memref<8xf32, strided<[1], offset: ?>>
    ucmoh.yield
  } -> tensor<8xf32>
  %c = ucmoh.kernel "shift" ins(%b : tensor<8xf32>) outs(%empty : tensor<8xf32>)
      (%in: memref<8xf32, strided<[1], offset: ?>>, %out: memref<8xf32, strided<[1], offset: ?>>) {
    %zero = arith.constant 0 : index
    %number = arith.constant 3.0 : f32
    %value = memref.load %in[%zero] : memref<8xf32, strided<[1], offset: ?>>
    %result = arith.addf %value, %number : f32
    memref.store %result, %out[%zero] : memref<8xf32, strided<[1], offset: ?>>
    ucmoh.yield
  } -> tensor<8xf32>
  return %c : tensor<8xf32>
}
