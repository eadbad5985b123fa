// What DLTI says of the machine replaces the numbers of the machine's file, so that choices differ.

// RUN: ucmoh-opt %s --ucmoh-resolve-target="target=x86_avx512f@zen4" --ucmoh-select="model=analytic" > %t.small.mlir
// RUN: sed 's/"L2_cache_size_in_bytes" = 4096/"L2_cache_size_in_bytes" = 1048576/' %s | ucmoh-opt --ucmoh-resolve-target="target=x86_avx512f@zen4" --ucmoh-select="model=analytic" > %t.large.mlir
// RUN: cat %t.small.mlir %t.large.mlir | FileCheck %s
// CHECK: machine = "zen4@[[SMALL:[0-9a-f]+]]"
// CHECK: cache_tile = [[TILE:\[.*\]]], order
// CHECK-NOT: machine = "zen4@[[SMALL]]"
// CHECK-NOT: cache_tile = [[TILE]], order
// CHECK: machine = "zen4@
// CHECK-NOT: cache_tile = [[TILE]], order
// CHECK: cache_tile

// The passes of functions read it, too.
// RUN: ucmoh-opt %s --tensorize-with-cost-model="target=x86_avx512f@zen4 model=analytic" | ucmoh-opt --ucmoh-to-llvm | FileCheck %s --check-prefix=LOWERED
// LOWERED: llvm.intr.fmuladd

// RUN: sed 's/"num_cores" = 4/"num_cores" = "four"/' %s | not ucmoh-opt --ucmoh-resolve-target 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: 'dlti.target_system_spec' has no positive integer as 'num_cores' of 'CPU', but "four"

module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" =
    #dlti.target_device_spec<"L1_cache_size_in_bytes" = 1024 : ui32, "L2_cache_size_in_bytes" = 4096 : ui32, "num_cores" = 4 : i32, "other" = "kept">>} {
  func.func @f(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>, %c: tensor<512x512xf32>) -> tensor<512x512xf32> {
    %d = linalg.matmul ins(%a, %b : tensor<512x512xf32>, tensor<512x512xf32>) outs(%c : tensor<512x512xf32>) -> tensor<512x512xf32>
    return %d : tensor<512x512xf32>
  }
}
