// Blocks of weights stay in the first cache for many rows: the first tile unpacks them, the sums of a panel wait for the next block, and the last block
// has fewer groups than the others. Scales of zero, infinity and NaN, too, with rows that are quantized.
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --json --dim=1 | FileCheck %s --implicit-check-not='"verified":false'
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --json --dim=7 | FileCheck %s --implicit-check-not='"verified":false'
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --json --dim=33 | FileCheck %s --implicit-check-not='"verified":false'

// CHECK-DAG: "function":"four_bits"{{.*}}"verified":true
// CHECK-DAG: "function":"eight_bits"{{.*}}"verified":true
// CHECK-DAG: "function":"odd_scales"{{.*}}"verified":true

#all = affine_map<(n, g, j) -> (n, g, j)>
#group = affine_map<(n, g, j) -> (n, g)>

func.func @four_bits(%x: tensor<?x2400xf32> {ucmoh.assume = array<i64: 1, 40>}, %largest: tensor<?x75xf32> {ucmoh.assume = array<i64: 1, 100>},
    %w: tensor<40x75x32xi8> {ucmoh.weight, ucmoh.range = array<i64: -8, 7>},
    %s: tensor<40x75xf32> {ucmoh.weight}) -> tensor<?x40xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : index
  %low = arith.constant -127.0 : f32
  %high = arith.constant 127.0 : f32
  %rows = tensor.dim %x, %none : tensor<?x2400xf32>
  %groups = tensor.expand_shape %x [[0], [1, 2]] output_shape [%rows, 75, 32] : tensor<?x2400xf32> into tensor<?x75x32xf32>
  %qe = tensor.empty(%rows) : tensor<?x75x32xf32>
  %q = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%groups, %largest : tensor<?x75x32xf32>, tensor<?x75xf32>) outs(%qe : tensor<?x75x32xf32>) {
  ^bb0(%element: f32, %scale: f32, %o: f32):
    %0 = arith.divf %element, %scale : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %low : f32
    %3 = arith.minimumf %2, %high : f32
    %4 = arith.mulf %3, %scale : f32
    linalg.yield %4 : f32
  } -> tensor<?x75x32xf32>
  %r = tensor.collapse_shape %q [[0], [1, 2]] : tensor<?x75x32xf32> into tensor<?x2400xf32>
  %e = tensor.empty() : tensor<40x75x32xf32>
  %d = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<40x75x32xi8>, tensor<40x75xf32>) outs(%e : tensor<40x75x32xf32>) {
  ^bb0(%q4: i8, %scale: f32, %o: f32):
    %0 = arith.sitofp %q4 : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<40x75x32xf32>
  %c = tensor.collapse_shape %d [[0], [1, 2]] : tensor<40x75x32xf32> into tensor<40x2400xf32>
  %ye = tensor.empty(%rows) : tensor<?x40xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<?x40xf32>) -> tensor<?x40xf32>
  %y = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%r, %c : tensor<?x2400xf32>, tensor<40x2400xf32>) outs(%yf : tensor<?x40xf32>) -> tensor<?x40xf32>
  return %y : tensor<?x40xf32>
}

func.func @eight_bits(%x: tensor<?x2400xf32> {ucmoh.assume = array<i64: 1, 40>}, %largest: tensor<?x75xf32> {ucmoh.assume = array<i64: 1, 100>},
    %w: tensor<40x75x32xi8> {ucmoh.weight},
    %s: tensor<40x75xf32> {ucmoh.weight}) -> tensor<?x40xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : index
  %low = arith.constant -127.0 : f32
  %high = arith.constant 127.0 : f32
  %rows = tensor.dim %x, %none : tensor<?x2400xf32>
  %groups = tensor.expand_shape %x [[0], [1, 2]] output_shape [%rows, 75, 32] : tensor<?x2400xf32> into tensor<?x75x32xf32>
  %qe = tensor.empty(%rows) : tensor<?x75x32xf32>
  %q = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%groups, %largest : tensor<?x75x32xf32>, tensor<?x75xf32>) outs(%qe : tensor<?x75x32xf32>) {
  ^bb0(%element: f32, %scale: f32, %o: f32):
    %0 = arith.divf %element, %scale : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %low : f32
    %3 = arith.minimumf %2, %high : f32
    %4 = arith.mulf %3, %scale : f32
    linalg.yield %4 : f32
  } -> tensor<?x75x32xf32>
  %r = tensor.collapse_shape %q [[0], [1, 2]] : tensor<?x75x32xf32> into tensor<?x2400xf32>
  %e = tensor.empty() : tensor<40x75x32xf32>
  %d = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<40x75x32xi8>, tensor<40x75xf32>) outs(%e : tensor<40x75x32xf32>) {
  ^bb0(%q4: i8, %scale: f32, %o: f32):
    %0 = arith.sitofp %q4 : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<40x75x32xf32>
  %c = tensor.collapse_shape %d [[0], [1, 2]] : tensor<40x75x32xf32> into tensor<40x2400xf32>
  %ye = tensor.empty(%rows) : tensor<?x40xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<?x40xf32>) -> tensor<?x40xf32>
  %y = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%r, %c : tensor<?x2400xf32>, tensor<40x2400xf32>) outs(%yf : tensor<?x40xf32>) -> tensor<?x40xf32>
  return %y : tensor<?x40xf32>
}

func.func @odd_scales(%x: tensor<?x64xf32> {ucmoh.assume = array<i64: 1, 40>}, %largest: tensor<?x2xf32> {ucmoh.assume = array<i64: 1, 100>},
    %w: tensor<4x2x32xi8> {ucmoh.weight, ucmoh.range = array<i64: -8, 7>}) -> tensor<?x4xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : index
  %low = arith.constant -127.0 : f32
  %high = arith.constant 127.0 : f32
  %rows = tensor.dim %x, %none : tensor<?x64xf32>
  %groups = tensor.expand_shape %x [[0], [1, 2]] output_shape [%rows, 2, 32] : tensor<?x64xf32> into tensor<?x2x32xf32>
  %qe = tensor.empty(%rows) : tensor<?x2x32xf32>
  %q = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%groups, %largest : tensor<?x2x32xf32>, tensor<?x2xf32>) outs(%qe : tensor<?x2x32xf32>) {
  ^bb0(%element: f32, %scale: f32, %o: f32):
    %0 = arith.divf %element, %scale : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %low : f32
    %3 = arith.minimumf %2, %high : f32
    %4 = arith.mulf %3, %scale : f32
    linalg.yield %4 : f32
  } -> tensor<?x2x32xf32>
  %r = tensor.collapse_shape %q [[0], [1, 2]] : tensor<?x2x32xf32> into tensor<?x64xf32>
  %s = arith.constant dense<[[0.0, 0.5], [0x7F800000, 0.5], [0.5, 0x7FC00000], [0.5, 0.25]]> : tensor<4x2xf32>
  %e = tensor.empty() : tensor<4x2x32xf32>
  %d = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<4x2x32xi8>, tensor<4x2xf32>) outs(%e : tensor<4x2x32xf32>) {
  ^bb0(%q4: i8, %scale: f32, %o: f32):
    %0 = arith.sitofp %q4 : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<4x2x32xf32>
  %c = tensor.collapse_shape %d [[0], [1, 2]] : tensor<4x2x32xf32> into tensor<4x64xf32>
  %ye = tensor.empty(%rows) : tensor<?x4xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<?x4xf32>) -> tensor<?x4xf32>
  %y = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%r, %c : tensor<?x64xf32>, tensor<4x64xf32>) outs(%yf : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
