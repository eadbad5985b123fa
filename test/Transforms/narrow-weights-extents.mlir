// Pieces of all sizes read weights of few bits in one packing: that of the largest piece.
// RUN: ucmoh-opt %s --tensorize-with-cost-model=target=x86_avx512_vnni+x86_avx512bw+x86_avx512f --ucmoh-hoist-weights | FileCheck %s
// RUN: ucmoh-opt %s --tensorize-with-cost-model=target=x86_avx2_fma --ucmoh-hoist-weights | FileCheck %s
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --json --dim=1 | FileCheck %s --check-prefix=EXECUTED
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --json --dim=45 | FileCheck %s --check-prefix=EXECUTED
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --json --dim=300 --target=x86_avx2_fma | FileCheck %s --check-prefix=EXECUTED

// CHECK-LABEL: func.func @open_rows(
// CHECK-SAME: %arg1: tensor<{{[0-9]+}}xi8> {ucmoh.packed = 0 : i64}, %arg2: tensor<{{[0-9]+}}xf32> {ucmoh.packed = 1 : i64}) ->
// CHECK-COUNT-2: ucmoh.kernel "narrow"
// EXECUTED: "function":"open_rows"{{.*}}"verified":true
func.func @open_rows(%x: tensor<?x96xf32> {ucmoh.assume = array<i64: 1, 300>},
                     %w: tensor<80x3x32xi8> {ucmoh.weight, ucmoh.range = array<i64: -8, 7>},
                     %s: tensor<80x3xf32> {ucmoh.weight}) -> tensor<?x80xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : index
  %rows = tensor.dim %x, %none : tensor<?x96xf32>
  %e = tensor.empty() : tensor<80x3x32xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(n, g, j) -> (n, g, j)>, affine_map<(n, g, j) -> (n, g)>, affine_map<(n, g, j) -> (n, g, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<80x3x32xi8>, tensor<80x3xf32>) outs(%e : tensor<80x3x32xf32>) {
  ^bb0(%q: i8, %scale: f32, %o: f32):
    %0 = arith.sitofp %q : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<80x3x32xf32>
  %c = tensor.collapse_shape %d [[0], [1, 2]] : tensor<80x3x32xf32> into tensor<80x96xf32>
  %ye = tensor.empty(%rows) : tensor<?x80xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<?x80xf32>) -> tensor<?x80xf32>
  %y = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %c : tensor<?x96xf32>, tensor<80x96xf32>) outs(%yf : tensor<?x80xf32>) -> tensor<?x80xf32>
  return %y : tensor<?x80xf32>
}

// Rows that are quantized on each call are integers in each piece, not floats in three pieces.
// CHECK-LABEL: func.func @open_quantized_rows(
// CHECK: ucmoh.kernel "narrow" ins({{[^:]*}}: tensor<12288xi8>, tensor<384xf32>
// EXECUTED: "function":"open_quantized_rows"{{.*}}"verified":true
func.func @open_quantized_rows(%x: tensor<?x96xf32> {ucmoh.assume = array<i64: 1, 300>},
                               %largest: tensor<?x3xf32> {ucmoh.assume = array<i64: 1, 300>},
                               %w: tensor<80x3x32xi8> {ucmoh.weight, ucmoh.range = array<i64: -8, 7>},
                               %s: tensor<80x3xf32> {ucmoh.weight}) -> tensor<?x80xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : index
  %low = arith.constant -127.0 : f32
  %high = arith.constant 127.0 : f32
  %rows = tensor.dim %x, %none : tensor<?x96xf32>
  %groups = tensor.expand_shape %x [[0], [1, 2]] output_shape [%rows, 3, 32] : tensor<?x96xf32> into tensor<?x3x32xf32>
  %qe = tensor.empty(%rows) : tensor<?x3x32xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(m, g, j) -> (m, g, j)>, affine_map<(m, g, j) -> (m, g)>, affine_map<(m, g, j) -> (m, g, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%groups, %largest : tensor<?x3x32xf32>, tensor<?x3xf32>) outs(%qe : tensor<?x3x32xf32>) {
  ^bb0(%element: f32, %scale: f32, %o: f32):
    %0 = arith.divf %element, %scale : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %low : f32
    %3 = arith.minimumf %2, %high : f32
    %4 = arith.mulf %3, %scale : f32
    linalg.yield %4 : f32
  } -> tensor<?x3x32xf32>
  %r = tensor.collapse_shape %q [[0], [1, 2]] : tensor<?x3x32xf32> into tensor<?x96xf32>
  %e = tensor.empty() : tensor<80x3x32xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(n, g, j) -> (n, g, j)>, affine_map<(n, g, j) -> (n, g)>, affine_map<(n, g, j) -> (n, g, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<80x3x32xi8>, tensor<80x3xf32>) outs(%e : tensor<80x3x32xf32>) {
  ^bb0(%integer: i8, %scale: f32, %o: f32):
    %0 = arith.sitofp %integer : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<80x3x32xf32>
  %c = tensor.collapse_shape %d [[0], [1, 2]] : tensor<80x3x32xf32> into tensor<80x96xf32>
  %ye = tensor.empty(%rows) : tensor<?x80xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<?x80xf32>) -> tensor<?x80xf32>
  %y = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%r, %c : tensor<?x96xf32>, tensor<80x96xf32>) outs(%yf : tensor<?x80xf32>) -> tensor<?x80xf32>
  return %y : tensor<?x80xf32>
}
