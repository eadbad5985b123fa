// RUN: ucmoh-opt %s --tensorize-with-cost-model=target=x86_avx512f@zen4 | FileCheck %s

// Functions of an epilogue are expanded before its vectors: six of them divide one after the other.
// CHECK-LABEL: func @gelu
// CHECK: arith.divf {{.*}} : vector<16xf32>
// CHECK-NEXT: arith.divf
// CHECK-NEXT: arith.divf
// CHECK-NEXT: arith.divf
// CHECK-NEXT: arith.divf
// CHECK-NEXT: arith.divf
#map = affine_map<(i, j) -> (i, j)>
func.func @gelu(%a: tensor<12x64xf32>, %b: tensor<64x32xf32> {ucmoh.weight}) -> tensor<12x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<12x32xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x32xf32>) -> tensor<12x32xf32>
  %product = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [12, 32], cache_tile = [12, 32, 64], order = "nmk.mn", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.1, model = "x">}
    ins(%a, %b : tensor<12x64xf32>, tensor<64x32xf32>) outs(%zeros : tensor<12x32xf32>) -> tensor<12x32xf32>
  %result = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
    ins(%product : tensor<12x32xf32>) outs(%empty : tensor<12x32xf32>) {
  ^bb0(%x: f32, %out: f32):
    %erf = math.erf %x : f32
    linalg.yield %erf : f32
  } -> tensor<12x32xf32>
  return %result : tensor<12x32xf32>
}
