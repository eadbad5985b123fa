// A matrix unit multiplies quantized rows by narrow weights: a group's integers are unpacked to its layout, and its sums
// are scaled as they are stored.
// RUN: env LD_PRELOAD=%trap_emulator ucmoh-run %s --target=x86_amx_int8 --repeat=1 --budget=0.1 --json | FileCheck %s
// RUN: ucmoh-opt %s --tensorize-with-cost-model=target=x86_amx_int8 | FileCheck %s --check-prefix=PROGRAM
// REQUIRES: emulated-amx-int8

#all = affine_map<(n, g, j) -> (n, g, j)>
#group = affine_map<(n, g, j) -> (n, g)>
#column = affine_map<(n, k) -> (n)>
#square = affine_map<(n, k) -> (n, k)>

// Tiles of ten rows, the last panel with fewer columns than a tile.
// PROGRAM-LABEL: func.func @four_bits(
// PROGRAM: ucmoh.kernel "narrow" {{.*}}@tdpb
// CHECK-DAG: "error":null,"function":"four_bits"{{.*}}"verified":true
func.func @four_bits(%x: tensor<20x192xf32>, %scales: tensor<20xf32> {ucmoh.weight}, %w: tensor<40x3x64xi8> {ucmoh.weight, ucmoh.range = array<i64: -8, 7>},
    %s: tensor<40x3xf32> {ucmoh.weight}) -> tensor<20x40xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -127.0 : f32
  %high = arith.constant 127.0 : f32
  %hundred = arith.constant 100.0 : f32
  %xe = tensor.empty() : tensor<20x192xf32>
  %xq = linalg.generic {indexing_maps = [#square, #column, #square], iterator_types = ["parallel", "parallel"]}
      ins(%x, %scales : tensor<20x192xf32>, tensor<20xf32>) outs(%xe : tensor<20x192xf32>) {
  ^bb0(%in: f32, %scale: f32, %o: f32):
    %0 = arith.mulf %in, %hundred : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %low : f32
    %3 = arith.minimumf %2, %high : f32
    %4 = arith.mulf %3, %scale : f32
    linalg.yield %4 : f32
  } -> tensor<20x192xf32>
  %e = tensor.empty() : tensor<40x3x64xf32>
  %d = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<40x3x64xi8>, tensor<40x3xf32>) outs(%e : tensor<40x3x64xf32>) {
  ^bb0(%q: i8, %scale: f32, %o: f32):
    %0 = arith.sitofp %q : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<40x3x64xf32>
  %c = tensor.collapse_shape %d [[0], [1, 2]] : tensor<40x3x64xf32> into tensor<40x192xf32>
  %ye = tensor.empty() : tensor<20x40xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<20x40xf32>) -> tensor<20x40xf32>
  %y = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%xq, %c : tensor<20x192xf32>, tensor<40x192xf32>) outs(%yf : tensor<20x40xf32>) -> tensor<20x40xf32>
  return %y : tensor<20x40xf32>
}

// Offsets of groups take sums of the rows.
// PROGRAM-LABEL: func.func @zero_points(
// PROGRAM: ucmoh.kernel "narrow" {{.*}}@tdpb
// CHECK-DAG: "error":null,"function":"zero_points"{{.*}}"verified":true
func.func @zero_points(%x: tensor<33x256xf32>, %scales: tensor<33xf32> {ucmoh.weight}, %w: tensor<16x2x128xi8> {ucmoh.weight, ucmoh.range = array<i64: -8, 7>},
    %s: tensor<16x2xf32> {ucmoh.weight}, %z: tensor<16x2xf32> {ucmoh.weight}) -> tensor<33x16xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -127.0 : f32
  %high = arith.constant 127.0 : f32
  %hundred = arith.constant 100.0 : f32
  %xe = tensor.empty() : tensor<33x256xf32>
  %xq = linalg.generic {indexing_maps = [#square, #column, #square], iterator_types = ["parallel", "parallel"]}
      ins(%x, %scales : tensor<33x256xf32>, tensor<33xf32>) outs(%xe : tensor<33x256xf32>) {
  ^bb0(%in: f32, %scale: f32, %o: f32):
    %0 = arith.mulf %in, %hundred : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %low : f32
    %3 = arith.minimumf %2, %high : f32
    %4 = arith.mulf %3, %scale : f32
    linalg.yield %4 : f32
  } -> tensor<33x256xf32>
  %e = tensor.empty() : tensor<16x2x128xf32>
  %d = linalg.generic {indexing_maps = [#all, #group, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s, %z : tensor<16x2x128xi8>, tensor<16x2xf32>, tensor<16x2xf32>) outs(%e : tensor<16x2x128xf32>) {
  ^bb0(%q: i8, %scale: f32, %point: f32, %o: f32):
    %0 = arith.sitofp %q : i8 to f32
    %1 = arith.subf %0, %point : f32
    %2 = arith.mulf %1, %scale : f32
    linalg.yield %2 : f32
  } -> tensor<16x2x128xf32>
  %c = tensor.collapse_shape %d [[0], [1, 2]] : tensor<16x2x128xf32> into tensor<16x256xf32>
  %ye = tensor.empty() : tensor<33x16xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<33x16xf32>) -> tensor<33x16xf32>
  %y = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%xq, %c : tensor<33x256xf32>, tensor<16x256xf32>) outs(%yf : tensor<33x16xf32>) -> tensor<33x16xf32>
  return %y : tensor<33x16xf32>
}

// Fewer rows than a tile has.
// PROGRAM-LABEL: func.func @eight_bits(
// PROGRAM: ucmoh.kernel "narrow" {{.*}}@tdpb
// CHECK-DAG: "error":null,"function":"eight_bits"{{.*}}"verified":true
func.func @eight_bits(%x: tensor<7x128xf32>, %scales: tensor<7xf32> {ucmoh.weight}, %w: tensor<48x2x64xi8> {ucmoh.weight},
    %s: tensor<48x2xf32> {ucmoh.weight}) -> tensor<7x48xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -127.0 : f32
  %high = arith.constant 127.0 : f32
  %hundred = arith.constant 100.0 : f32
  %xe = tensor.empty() : tensor<7x128xf32>
  %xq = linalg.generic {indexing_maps = [#square, #column, #square], iterator_types = ["parallel", "parallel"]}
      ins(%x, %scales : tensor<7x128xf32>, tensor<7xf32>) outs(%xe : tensor<7x128xf32>) {
  ^bb0(%in: f32, %scale: f32, %o: f32):
    %0 = arith.mulf %in, %hundred : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %low : f32
    %3 = arith.minimumf %2, %high : f32
    %4 = arith.mulf %3, %scale : f32
    linalg.yield %4 : f32
  } -> tensor<7x128xf32>
  %e = tensor.empty() : tensor<48x2x64xf32>
  %d = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<48x2x64xi8>, tensor<48x2xf32>) outs(%e : tensor<48x2x64xf32>) {
  ^bb0(%q: i8, %scale: f32, %o: f32):
    %0 = arith.sitofp %q : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<48x2x64xf32>
  %c = tensor.collapse_shape %d [[0], [1, 2]] : tensor<48x2x64xf32> into tensor<48x128xf32>
  %ye = tensor.empty() : tensor<7x48xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<7x48xf32>) -> tensor<7x48xf32>
  %y = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%xq, %c : tensor<7x128xf32>, tensor<48x128xf32>) outs(%yf : tensor<7x48xf32>) -> tensor<7x48xf32>
  return %y : tensor<7x48xf32>
}
