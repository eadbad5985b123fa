// Weights of bf16 that f32 multiplies stay bf16 in memory, where kernels of few rows read them, too.
// RUN: ucmoh-opt %s --tensorize-with-cost-model=target=x86_avx2_fma@zen3 --ucmoh-hoist-weights | FileCheck %s
// RUN: ucmoh-opt %s --tensorize-with-cost-model=target=x86_avx512f+x86_avx2_fma --ucmoh-hoist-weights | FileCheck %s --check-prefix=OPEN
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --json --dim=1 --target=x86_avx2_fma | FileCheck %s --check-prefix=EXECUTED
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --json --dim=45 --target=x86_avx2_fma | FileCheck %s --check-prefix=EXECUTED
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --json --dim=300 --target=x86_avx2_fma | FileCheck %s --check-prefix=EXECUTED
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --json --dim=129 --threads=2 | FileCheck %s --check-prefix=EXECUTED

// Two blocks of the reduction, of panels whose last one has 8 of 16 columns: each becomes f32 in a buffer.
// CHECK-LABEL: func.func @pinned(
// CHECK-SAME:    tensor<20480xbf16> {ucmoh.packed = 0 : i64}
// CHECK:         ucmoh.kernel "contract"
// CHECK:           %[[BUFFER:.*]] = memref.alloc() {alignment = 64 : i64} : memref<2048xf32>
// CHECK:           %[[NARROW:.*]] = vector.load {{.*}} : memref<20480xbf16, {{.*}}>, vector<16xbf16>
// CHECK-NEXT:      %[[WIDE:.*]] = arith.extf %[[NARROW]] : vector<16xbf16> to vector<16xf32>
// CHECK-NEXT:      vector.store %[[WIDE]], %[[BUFFER]]
// EXECUTED: "function":"pinned"{{.*}}"verified":true
func.func @pinned(%x: tensor<13x256xbf16>, %w: tensor<256x72xbf16> {ucmoh.weight}) -> tensor<13x72xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<13x72xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<13x72xf32>) -> tensor<13x72xf32>
  %y = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx2_fma::@vfmadd_256, register_tile = [4, 16], cache_tile = [13, 16, 128], order = "nmk.nm", pack_lhs = "none", pack_rhs = "widened", predicted_seconds = 1.0e-6, model = "pinned">}
      ins(%x, %w : tensor<13x256xbf16>, tensor<256x72xbf16>) outs(%f : tensor<13x72xf32>) -> tensor<13x72xf32>
  return %y : tensor<13x72xf32>
}

// Pieces of many rows widen what pieces of few rows widen in registers: the weights are packed once.
// CHECK-LABEL: func.func @open_rows(
// CHECK-SAME:    %arg1: tensor<{{[0-9]+}}xbf16> {ucmoh.packed = 0 : i64}) ->
// CHECK-DAG:     intrinsic = @x86_avx2_fma::@vfmadd_256, {{.*}} pack_rhs = "widened"
// CHECK-DAG:     intrinsic = @x86_avx2_fma::@vfmadd_256_bf16, register_tile = [1, {{.*}} pack_rhs = "prepacked"
// OPEN-LABEL: func.func @open_rows(
// OPEN-SAME:    %arg1: tensor<{{[0-9]+}}xbf16> {ucmoh.packed = 0 : i64}) ->
// EXECUTED: "function":"open_rows"{{.*}}"verified":true
func.func @open_rows(%x: tensor<?x1024xbf16> {ucmoh.assume = array<i64: 1, 300>},
                     %w: tensor<1024x1024xbf16> {ucmoh.weight}) -> tensor<?x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : index
  %rows = tensor.dim %x, %none : tensor<?x1024xbf16>
  %e = tensor.empty(%rows) : tensor<?x1024xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x1024xbf16>, tensor<1024x1024xbf16>) outs(%f : tensor<?x1024xf32>) -> tensor<?x1024xf32>
  return %y : tensor<?x1024xf32>
}
