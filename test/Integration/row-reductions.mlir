// Reductions of a product's rows are computed while the kernel stores it. Each is tensorized and right.
// RUN: ucmoh-run %s --verify --repeat=1 --json | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --json --model=random:7 | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --json --model=random:9 | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --json --threads=2 | FileCheck %s
// RUN: ucmoh-opt %s --tensorize-with-cost-model="target=x86_avx2_fma" | FileCheck %s --check-prefix=KERNELS

#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#column = affine_map<(m, n) -> (n)>

// Several reductions of one result, with remainders of rows and columns, each from an initial value of its own.
// KERNELS-LABEL: func.func @several
// KERNELS: ucmoh.kernel "contract" {{.*}} outs({{.*}} : tensor<4033xf32>, tensor<296xf32>, tensor<296xf32>, tensor<296xf32>, tensor<296xf32>)
// CHECK-DAG: "function":"several"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @several(%a: tensor<37x70xf32>, %b: tensor<70x109xf32>, %bias: tensor<109xf32>) -> (tensor<37x109xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<37x109xf32>
  %er = tensor.empty() : tensor<37xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<37x109xf32>) -> tensor<37x109xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%er : tensor<37xf32>) -> tensor<37xf32>
  %ones = linalg.fill ins(%one : f32) outs(%er : tensor<37xf32>) -> tensor<37xf32>
  %lows = linalg.fill ins(%low : f32) outs(%er : tensor<37xf32>) -> tensor<37xf32>
  %p = linalg.matmul ins(%a, %b : tensor<37x70xf32>, tensor<70x109xf32>) outs(%init : tensor<37x109xf32>) -> tensor<37x109xf32>
  %r = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %bias : tensor<37x109xf32>, tensor<109xf32>) outs(%e : tensor<37x109xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<37x109xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"], ucmoh.in_store = true} ins(%r : tensor<37x109xf32>) outs(%lows : tensor<37xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<37xf32>
  %largest = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"], ucmoh.in_store = true} ins(%r : tensor<37x109xf32>) outs(%zeros : tensor<37xf32>) {
  ^bb0(%x: f32, %o: f32):
    %m = math.absf %x : f32
    %s = arith.maximumf %m, %o : f32
    linalg.yield %s : f32
  } -> tensor<37xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"], ucmoh.in_store = true} ins(%r : tensor<37x109xf32>) outs(%ones : tensor<37xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<37xf32>
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"], ucmoh.in_store = true} ins(%r : tensor<37x109xf32>) outs(%zeros : tensor<37xf32>) {
  ^bb0(%x: f32, %o: f32):
    %m = arith.mulf %x, %x : f32
    %s = arith.addf %m, %o : f32
    linalg.yield %s : f32
  } -> tensor<37xf32>
  return %r, %max, %largest, %sum, %squares : tensor<37x109xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>
}

// Bytes that the sums are quantized to are summed as integers, for an asymmetric quantization of what they are multiplied with.
// KERNELS-LABEL: func.func @bytes
// KERNELS: ucmoh.kernel "contract" {{.*}} outs({{.*}} : tensor<1665xi8>, tensor<296xi32>)
// CHECK-DAG: "function":"bytes"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @bytes(%a: tensor<37x70xi8>, %b: tensor<70x45xi8>) -> (tensor<37x45xi8>, tensor<37xi32>) {
  %zero = arith.constant 0 : i32
  %low = arith.constant -128 : i32
  %high = arith.constant 127 : i32
  %shift = arith.constant 9 : i32
  %e = tensor.empty() : tensor<37x45xi32>
  %e8 = tensor.empty() : tensor<37x45xi8>
  %er = tensor.empty() : tensor<37xi32>
  %init = linalg.fill ins(%zero : i32) outs(%e : tensor<37x45xi32>) -> tensor<37x45xi32>
  %zeros = linalg.fill ins(%zero : i32) outs(%er : tensor<37xi32>) -> tensor<37xi32>
  %p = linalg.matmul ins(%a, %b : tensor<37x70xi8>, tensor<70x45xi8>) outs(%init : tensor<37x45xi32>) -> tensor<37x45xi32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<37x45xi32>) outs(%e8 : tensor<37x45xi8>) {
  ^bb0(%x: i32, %o: i8):
    %d = arith.shrsi %x, %shift : i32
    %l = arith.maxsi %d, %low : i32
    %u = arith.minsi %l, %high : i32
    %y = arith.trunci %u : i32 to i8
    linalg.yield %y : i8
  } -> tensor<37x45xi8>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"], ucmoh.in_store = true} ins(%q : tensor<37x45xi8>) outs(%zeros : tensor<37xi32>) {
  ^bb0(%x: i8, %o: i32):
    %w = arith.extsi %x : i8 to i32
    %s = arith.addi %w, %o : i32
    linalg.yield %s : i32
  } -> tensor<37xi32>
  return %q, %sum : tensor<37x45xi8>, tensor<37xi32>
}

// The reduction is split: partial values are combined with what the last block of it has computed. Squares are in f64.
// KERNELS-LABEL: func.func @split
// KERNELS: ucmoh.kernel "contract" {{.*}} outs({{.*}} : tensor<855xf32>, tensor<152xf64>)
// CHECK-DAG: "function":"split"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @split(%a: tensor<19x2500xf32>, %b: tensor<2500x45xf32>) -> (tensor<19x45xf32>, tensor<19xf64>) {
  %zero = arith.constant 0.0 : f32
  %zero64 = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<19x45xf32>
  %e64 = tensor.empty() : tensor<19x45xf64>
  %er = tensor.empty() : tensor<19xf64>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<19x45xf32>) -> tensor<19x45xf32>
  %zeros = linalg.fill ins(%zero64 : f64) outs(%er : tensor<19xf64>) -> tensor<19xf64>
  %p = linalg.matmul ins(%a, %b : tensor<19x2500xf32>, tensor<2500x45xf32>) outs(%init : tensor<19x45xf32>) -> tensor<19x45xf32>
  %squares = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<19x45xf32>) outs(%e64 : tensor<19x45xf64>) {
  ^bb0(%x: f32, %o: f64):
    %w = arith.extf %x : f32 to f64
    %s = arith.mulf %w, %w : f64
    linalg.yield %s : f64
  } -> tensor<19x45xf64>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"], ucmoh.in_store = true} ins(%squares : tensor<19x45xf64>) outs(%zeros : tensor<19xf64>) {
  ^bb0(%x: f64, %o: f64):
    %s = arith.addf %x, %o : f64
    linalg.yield %s : f64
  } -> tensor<19xf64>
  return %p, %sum : tensor<19x45xf32>, tensor<19xf64>
}

// Rows of a batch, read in another shape.
// KERNELS-LABEL: func.func @batch
// KERNELS: ucmoh.kernel "contract" {{.*}} outs({{.*}} : tensor<5550xf32>, tensor<888xf32>)
// CHECK-DAG: "function":"batch"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @batch(%a: tensor<3x37x24xf32>, %b: tensor<3x24x50xf32>) -> (tensor<3x37x50xf32>, tensor<1x3x37x1xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<3x37x50xf32>
  %er = tensor.empty() : tensor<1x3x37x1xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<3x37x50xf32>) -> tensor<3x37x50xf32>
  %lows = linalg.fill ins(%low : f32) outs(%er : tensor<1x3x37x1xf32>) -> tensor<1x3x37x1xf32>
  %p = linalg.batch_matmul ins(%a, %b : tensor<3x37x24xf32>, tensor<3x24x50xf32>) outs(%init : tensor<3x37x50xf32>) -> tensor<3x37x50xf32>
  %heads = tensor.expand_shape %p [[0, 1], [2], [3]] output_shape [1, 3, 37, 50] : tensor<3x37x50xf32> into tensor<1x3x37x50xf32>
  %max = linalg.generic {indexing_maps = [affine_map<(a, h, m, n) -> (a, h, m, n)>, affine_map<(a, h, m, n) -> (a, h, m, 0)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"], ucmoh.in_store = true}
    ins(%heads : tensor<1x3x37x50xf32>) outs(%lows : tensor<1x3x37x1xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<1x3x37x1xf32>
  return %p, %max : tensor<3x37x50xf32>, tensor<1x3x37x1xf32>
}

// How many rows there are is not known: what a kernel computes is a piece of what is reduced, which stays apart.
// KERNELS-LABEL: func.func @open
// KERNELS: ucmoh.kernel "contract" {{.*}} outs({{[^,]*}}) 
// CHECK-DAG: "function":"open"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @open(%a: tensor<?x64xf32>, %b: tensor<64x48xf32>) -> (tensor<?x48xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %a, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%rows) : tensor<?x48xf32>
  %er = tensor.empty(%rows) : tensor<?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<?x48xf32>) -> tensor<?x48xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%er : tensor<?xf32>) -> tensor<?xf32>
  %p = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x48xf32>) outs(%init : tensor<?x48xf32>) -> tensor<?x48xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"], ucmoh.in_store = true} ins(%p : tensor<?x48xf32>) outs(%zeros : tensor<?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %p, %sum : tensor<?x48xf32>, tensor<?xf32>
}
