// Weights of few bits with a scale for each group of steps: they are packed as integers, and kernels read these.
// RUN: ucmoh-opt %s --tensorize-with-cost-model=target=x86_avx2_fma@zen5 --ucmoh-hoist-weights | FileCheck %s --check-prefixes=CHECK,BLOCK
// RUN: ucmoh-opt %s --tensorize-with-cost-model=target=x86_avx512_vnni+x86_avx512bw+x86_avx512f@zen5 --ucmoh-hoist-weights | FileCheck %s
// RUN: ucmoh-opt %s --tensorize-with-cost-model=target=x86_amx_int8+x86_avx512f | FileCheck %s --check-prefix=FLOATS
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --json | FileCheck %s --check-prefix=EXECUTED
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --json --threads=2 | FileCheck %s --check-prefix=EXECUTED
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --json --target=x86_avx2_fma | FileCheck %s --check-prefix=EXECUTED

#all = affine_map<(n, g, j) -> (n, g, j)>
#group = affine_map<(n, g, j) -> (n, g, 0)>
#column = affine_map<(n, k) -> (n)>
#square = affine_map<(n, k) -> (n, k)>

// As torch-mlir has it: columns x groups x steps of a group, a zero point for each group, transposed. Two integers of
// 4 bits share a byte.
// CHECK-LABEL: func.func @four_bits(
// CHECK-SAME: tensor<1x96xf32>
// CHECK-NOT: xi8> {ucmoh.weight
// Rows are split into pieces of 8 bits, which instructions for integers multiply.
// CHECK: math.roundeven
// CHECK: ucmoh.kernel "narrow" ins({{.*}}tensor<96xf32>, tensor<96xi8>, tensor<3xi32>, tensor<96xi8>, tensor<3xi32>, tensor<96xi8>, tensor<3xi32>, tensor<3xf32>, tensor<1xi32>
// CHECK: scf.if
// CHECK: arith.shrui {{.*}}xi8>
// CHECK: return
// CHECK-LABEL: func.func @four_bits.pack(
// CHECK: arith.shli {{.*}} : i8
// EXECUTED: "function":"four_bits"{{.*}}"verified":true
func.func @four_bits(%x: tensor<1x96xf32>, %w: tensor<80x3x32xi8> {ucmoh.weight, ucmoh.range = array<i64: -8, 7>},
                     %s: tensor<80x3x1xf32> {ucmoh.weight}, %z: tensor<80x3x1xf32> {ucmoh.weight}) -> tensor<1x80xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<80x3x32xf32>
  %d = linalg.generic {indexing_maps = [#all, #group, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s, %z : tensor<80x3x32xi8>, tensor<80x3x1xf32>, tensor<80x3x1xf32>) outs(%e : tensor<80x3x32xf32>) {
  ^bb0(%q: i8, %scale: f32, %point: f32, %o: f32):
    %0 = arith.sitofp %q : i8 to f32
    %1 = arith.subf %0, %point : f32
    %2 = arith.mulf %1, %scale : f32
    linalg.yield %2 : f32
  } -> tensor<80x3x32xf32>
  %c = tensor.collapse_shape %d [[0], [1, 2]] : tensor<80x3x32xf32> into tensor<80x96xf32>
  %te = tensor.empty() : tensor<96x80xf32>
  %t = linalg.transpose ins(%c : tensor<80x96xf32>) outs(%te : tensor<96x80xf32>) permutation = [1, 0]
  %ye = tensor.empty() : tensor<1x80xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<1x80xf32>) -> tensor<1x80xf32>
  %y = linalg.matmul ins(%x, %t : tensor<1x96xf32>, tensor<96x80xf32>) outs(%yf : tensor<1x80xf32>) -> tensor<1x80xf32>
  return %y : tensor<1x80xf32>
}

// 8 bits, one scale for each column, an integer zero point, a bias to begin with, and more rows than are streamed as
// floats: a buffer of unpacked weights, from which register tiles read, where integers do not take less.
// CHECK-LABEL: func.func @eight_bits(
// CHECK: ucmoh.kernel "narrow"
// BLOCK: memref.alloc() {{.*}}xf32>
// CHECK: return
// EXECUTED: "function":"eight_bits"{{.*}}"verified":true
func.func @eight_bits(%x: tensor<9x72xf32>, %w: tensor<50x72xi8> {ucmoh.weight}, %s: tensor<50xf32> {ucmoh.weight},
                      %z: tensor<50xi8> {ucmoh.weight}, %bias: tensor<50xf32> {ucmoh.weight}) -> tensor<9x50xf32> {
  %e = tensor.empty() : tensor<50x72xf32>
  %d = linalg.generic {indexing_maps = [#square, #column, #column, #square], iterator_types = ["parallel", "parallel"]}
      ins(%w, %s, %z : tensor<50x72xi8>, tensor<50xf32>, tensor<50xi8>) outs(%e : tensor<50x72xf32>) {
  ^bb0(%q: i8, %scale: f32, %point: i8, %o: f32):
    %0 = arith.extsi %q : i8 to i32
    %1 = arith.extsi %point : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %scale : f32
    linalg.yield %4 : f32
  } -> tensor<50x72xf32>
  %ye = tensor.empty() : tensor<9x50xf32>
  %yf = linalg.broadcast ins(%bias : tensor<50xf32>) outs(%ye : tensor<9x50xf32>) dimensions = [0]
  %y = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %d : tensor<9x72xf32>, tensor<50x72xf32>) outs(%yf : tensor<9x50xf32>) -> tensor<9x50xf32>
  return %y : tensor<9x50xf32>
}

// Two integers in each byte of the weight, unpacked by arithmetic: packed anew, also in 4 bits.
// CHECK-LABEL: func.func @nibbles(
// CHECK: ucmoh.kernel "narrow" ins({{.*}}tensor<192xf32>, {{.*}}tensor<{{1536|2048}}xi8>
// EXECUTED: "function":"nibbles"{{.*}}"verified":true
func.func @nibbles(%x: tensor<3x64xf32>, %w: tensor<48x32xi8> {ucmoh.weight}, %s: tensor<48x2xf32> {ucmoh.weight}) -> tensor<3x48xf32> {
  %zero = arith.constant 0.0 : f32
  %four = arith.constant 4 : i8
  %mask = arith.constant 15 : i8
  %eight = arith.constant 8.0 : f32
  %e = tensor.empty() : tensor<48x2x32xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(n, g, j) -> (n, j)>, affine_map<(n, g, j) -> (n, g)>, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<48x32xi8>, tensor<48x2xf32>) outs(%e : tensor<48x2x32xf32>) {
  ^bb0(%byte: i8, %scale: f32, %o: f32):
    %0 = arith.andi %byte, %mask : i8
    %1 = arith.uitofp %0 : i8 to f32
    %2 = arith.subf %1, %eight : f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<48x2x32xf32>
  %c = tensor.collapse_shape %d [[0], [1, 2]] : tensor<48x2x32xf32> into tensor<48x64xf32>
  %ye = tensor.empty() : tensor<3x48xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<3x48xf32>) -> tensor<3x48xf32>
  %y = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %c : tensor<3x64xf32>, tensor<48x64xf32>) outs(%yf : tensor<3x48xf32>) -> tensor<3x48xf32>
  return %y : tensor<3x48xf32>
}

// Rows that are quantized on each call multiply integers.
// CHECK-LABEL: func.func @quantized_rows(
// CHECK: ucmoh.kernel "narrow" ins({{.*}}tensor<448x{{i8|i16}}>, {{.*}}tensor<{{1280|1536}}xi8>
// Tiles of AMX sum 64 steps, more than a group has: the numbers are multiplied as floats.
// FLOATS-LABEL: func.func @quantized_rows(
// FLOATS: ucmoh.kernel "narrow" ins({{.*}}tensor<448xf32>, tensor<{{[0-9]+}}xi8>
// EXECUTED: "function":"quantized_rows"{{.*}}"verified":true
func.func @quantized_rows(%x: tensor<7x64xf32>, %scales: tensor<7xf32> {ucmoh.weight}, %w: tensor<40x2x32xi8> {ucmoh.weight, ucmoh.range = array<i64: -8, 7>},
                          %s: tensor<40x2xf32> {ucmoh.weight}) -> tensor<7x40xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -127.0 : f32
  %high = arith.constant 127.0 : f32
  %hundred = arith.constant 100.0 : f32
  %xe = tensor.empty() : tensor<7x64xf32>
  %xq = linalg.generic {indexing_maps = [#square, #column, #square], iterator_types = ["parallel", "parallel"]}
      ins(%x, %scales : tensor<7x64xf32>, tensor<7xf32>) outs(%xe : tensor<7x64xf32>) {
  ^bb0(%in: f32, %scale: f32, %o: f32):
    %0 = arith.mulf %in, %hundred : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %low : f32
    %3 = arith.minimumf %2, %high : f32
    %4 = arith.mulf %3, %scale : f32
    linalg.yield %4 : f32
  } -> tensor<7x64xf32>
  %e = tensor.empty() : tensor<40x2x32xf32>
  %d = linalg.generic {indexing_maps = [#all, affine_map<(n, g, j) -> (n, g)>, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<40x2x32xi8>, tensor<40x2xf32>) outs(%e : tensor<40x2x32xf32>) {
  ^bb0(%q: i8, %scale: f32, %o: f32):
    %0 = arith.sitofp %q : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<40x2x32xf32>
  %c = tensor.collapse_shape %d [[0], [1, 2]] : tensor<40x2x32xf32> into tensor<40x64xf32>
  %ye = tensor.empty() : tensor<7x40xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<7x40xf32>) -> tensor<7x40xf32>
  %y = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%xq, %c : tensor<7x64xf32>, tensor<40x64xf32>) outs(%yf : tensor<7x40xf32>) -> tensor<7x40xf32>
  return %y : tensor<7x40xf32>
}

// Groups of 6 steps do not fill a register: the weights are dequantized ahead, as before.
// CHECK-LABEL: func.func @odd_groups(
// CHECK: ucmoh.kernel "contract"
// EXECUTED: "function":"odd_groups"{{.*}}"verified":true
func.func @odd_groups(%x: tensor<1x24xf32>, %w: tensor<32x4x6xi8> {ucmoh.weight}, %s: tensor<32x4xf32> {ucmoh.weight}) -> tensor<1x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x4x6xf32>
  %d = linalg.generic {indexing_maps = [#all, affine_map<(n, g, j) -> (n, g)>, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<32x4x6xi8>, tensor<32x4xf32>) outs(%e : tensor<32x4x6xf32>) {
  ^bb0(%q: i8, %scale: f32, %o: f32):
    %0 = arith.sitofp %q : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<32x4x6xf32>
  %c = tensor.collapse_shape %d [[0], [1, 2]] : tensor<32x4x6xf32> into tensor<32x24xf32>
  %ye = tensor.empty() : tensor<1x32xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<1x32xf32>) -> tensor<1x32xf32>
  %y = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %c : tensor<1x24xf32>, tensor<32x24xf32>) outs(%yf : tensor<1x32xf32>) -> tensor<1x32xf32>
  return %y : tensor<1x32xf32>
}

// Zero, infinity and NaN as scales: column by column what the plain loops give, NaN where a group has both signs.
// EXECUTED: "function":"odd_scales"{{.*}}"verified":true
func.func @odd_scales(%x: tensor<1x32xf32>, %w: tensor<4x32xi8> {ucmoh.weight}) -> tensor<1x4xf32> {
  %zero = arith.constant 0.0 : f32
  %s = arith.constant dense<[0.0, 0x7F800000, 0x7FC00000, 0.5]> : tensor<4xf32>
  %e = tensor.empty() : tensor<4x32xf32>
  %d = linalg.generic {indexing_maps = [#square, #column, #square], iterator_types = ["parallel", "parallel"]}
      ins(%w, %s : tensor<4x32xi8>, tensor<4xf32>) outs(%e : tensor<4x32xf32>) {
  ^bb0(%q: i8, %scale: f32, %o: f32):
    %0 = arith.sitofp %q : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<4x32xf32>
  %ye = tensor.empty() : tensor<1x4xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<1x4xf32>) -> tensor<1x4xf32>
  %y = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %d : tensor<1x32xf32>, tensor<4x32xf32>) outs(%yf : tensor<1x4xf32>) -> tensor<1x4xf32>
  return %y : tensor<1x4xf32>
}

// Rows with infinity, NaN and numbers near the least ones: what the plain loops give, zero points or not.
// EXECUTED: "function":"extreme_rows"{{.*}}"verified":true
// EXECUTED: "function":"tiny_rows"{{.*}}"verified":true
func.func @extreme_rows(%x: tensor<3x64xf32>, %w: tensor<80x2x32xi8> {ucmoh.weight, ucmoh.range = array<i64: -8, 7>},
                        %s: tensor<80x2xf32> {ucmoh.weight}, %z: tensor<80x2xf32> {ucmoh.weight}) -> tensor<3x80xf32> {
  %zero = arith.constant 0.0 : f32
  %infinity = arith.constant 0x7F800000 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %tiny = arith.constant 1.0e-38 : f32
  %xe = tensor.empty() : tensor<3x64xf32>
  %row = linalg.generic {indexing_maps = [#square, #square], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3x64xf32>) outs(%xe : tensor<3x64xf32>) {
  ^bb0(%in: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %five = arith.constant 5 : index
    %none = arith.constant 0 : index
    %at = arith.cmpi eq, %j, %five : index
    %first = arith.cmpi eq, %i, %none : index
    %odd = arith.select %first, %infinity, %nan : f32
    %0 = arith.select %at, %odd, %in : f32
    linalg.yield %0 : f32
  } -> tensor<3x64xf32>
  %e = tensor.empty() : tensor<80x2x32xf32>
  %d = linalg.generic {indexing_maps = [#all, affine_map<(n, g, j) -> (n, g)>, affine_map<(n, g, j) -> (n, g)>, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s, %z : tensor<80x2x32xi8>, tensor<80x2xf32>, tensor<80x2xf32>) outs(%e : tensor<80x2x32xf32>) {
  ^bb0(%q: i8, %scale: f32, %point: f32, %o: f32):
    %0 = arith.sitofp %q : i8 to f32
    %1 = arith.subf %0, %point : f32
    %2 = arith.mulf %1, %scale : f32
    linalg.yield %2 : f32
  } -> tensor<80x2x32xf32>
  %c = tensor.collapse_shape %d [[0], [1, 2]] : tensor<80x2x32xf32> into tensor<80x64xf32>
  %ye = tensor.empty() : tensor<3x80xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<3x80xf32>) -> tensor<3x80xf32>
  %y = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%row, %c : tensor<3x64xf32>, tensor<80x64xf32>) outs(%yf : tensor<3x80xf32>) -> tensor<3x80xf32>
  return %y : tensor<3x80xf32>
}

func.func @tiny_rows(%x: tensor<3x64xf32>, %w: tensor<80x2x32xi8> {ucmoh.weight, ucmoh.range = array<i64: -8, 7>},
                        %s: tensor<80x2xf32> {ucmoh.weight}, %z: tensor<80x2xf32> {ucmoh.weight}) -> tensor<3x80xf32> {
  %zero = arith.constant 0.0 : f32
  %infinity = arith.constant 0x7F800000 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %tiny = arith.constant 1.0e-38 : f32
  %xe = tensor.empty() : tensor<3x64xf32>
  %row = linalg.generic {indexing_maps = [#square, #square], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3x64xf32>) outs(%xe : tensor<3x64xf32>) {
  ^bb0(%in: f32, %o: f32):
    %0 = arith.mulf %in, %tiny : f32
    linalg.yield %0 : f32
  } -> tensor<3x64xf32>
  %e = tensor.empty() : tensor<80x2x32xf32>
  %d = linalg.generic {indexing_maps = [#all, affine_map<(n, g, j) -> (n, g)>, affine_map<(n, g, j) -> (n, g)>, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s, %z : tensor<80x2x32xi8>, tensor<80x2xf32>, tensor<80x2xf32>) outs(%e : tensor<80x2x32xf32>) {
  ^bb0(%q: i8, %scale: f32, %point: f32, %o: f32):
    %0 = arith.sitofp %q : i8 to f32
    %1 = arith.subf %0, %point : f32
    %2 = arith.mulf %1, %scale : f32
    linalg.yield %2 : f32
  } -> tensor<80x2x32xf32>
  %c = tensor.collapse_shape %d [[0], [1, 2]] : tensor<80x2x32xf32> into tensor<80x64xf32>
  %ye = tensor.empty() : tensor<3x80xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<3x80xf32>) -> tensor<3x80xf32>
  %y = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%row, %c : tensor<3x64xf32>, tensor<80x64xf32>) outs(%yf : tensor<3x80xf32>) -> tensor<3x80xf32>
  return %y : tensor<3x80xf32>
}
