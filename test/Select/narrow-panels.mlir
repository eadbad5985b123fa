// RUN: ucmoh-opt %s --ucmoh-select=target=x86_avx512_vnni@zen4 | FileCheck %s

// One row waits for the memory whatever its tile: of the panels that compute as fast as weights arrive, the narrowest.
// Those of 96 columns, whose instructions take least, take 1.7 times as long on a Zen 4.
// CHECK: linalg.contract
// CHECK-SAME: register_tile = [1, 32]
#all = affine_map<(n, g, j) -> (n, g, j)>
#group = affine_map<(n, g, j) -> (n, g)>

func.func @one_row(%x: tensor<1x2048xf32>, %largest: tensor<1x64xf32>, %w: tensor<192x64x32xi8> {ucmoh.weight, ucmoh.range = array<i64: -8, 7>},
    %s: tensor<192x64xf32> {ucmoh.weight}) -> tensor<1x192xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -127.0 : f32
  %high = arith.constant 127.0 : f32
  %groups = tensor.expand_shape %x [[0], [1, 2]] output_shape [1, 64, 32] : tensor<1x2048xf32> into tensor<1x64x32xf32>
  %qe = tensor.empty() : tensor<1x64x32xf32>
  %q = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%groups, %largest : tensor<1x64x32xf32>, tensor<1x64xf32>) outs(%qe : tensor<1x64x32xf32>) {
  ^bb0(%element: f32, %scale: f32, %o: f32):
    %0 = arith.divf %element, %scale : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %low : f32
    %3 = arith.minimumf %2, %high : f32
    %4 = arith.mulf %3, %scale : f32
    linalg.yield %4 : f32
  } -> tensor<1x64x32xf32>
  %r = tensor.collapse_shape %q [[0], [1, 2]] : tensor<1x64x32xf32> into tensor<1x2048xf32>
  %e = tensor.empty() : tensor<192x64x32xf32>
  %d = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<192x64x32xi8>, tensor<192x64xf32>) outs(%e : tensor<192x64x32xf32>) {
  ^bb0(%q4: i8, %scale: f32, %o: f32):
    %0 = arith.sitofp %q4 : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<192x64x32xf32>
  %c = tensor.collapse_shape %d [[0], [1, 2]] : tensor<192x64x32xf32> into tensor<192x2048xf32>
  %ye = tensor.empty() : tensor<1x192xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<1x192xf32>) -> tensor<1x192xf32>
  %y = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%r, %c : tensor<1x2048xf32>, tensor<192x2048xf32>) outs(%yf : tensor<1x192xf32>) -> tensor<1x192xf32>
  return %y : tensor<1x192xf32>
}
