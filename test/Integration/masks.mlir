// Masks of i1 beside and behind products: read, computed and written by the stores of their kernels. No op is left between ("ops" and
// their results are right), with tiles that end inside a vector.
// RUN: ucmoh-run %s --verify --repeat=1 --json | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --json --model=random:7 | FileCheck %s
// RUN: ucmoh-opt %s --tensorize-with-cost-model | FileCheck %s --check-prefix=FUSED

#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
#row = affine_map<(m, n) -> (m)>
#all = affine_map<(b, h, m, n) -> (b, h, m, n)>
#flags = affine_map<(b, h, m, n) -> (b, 0, m, n)>
#ofrow = affine_map<(b, h, m, n) -> (b, h, m, 0)>

// What is masked gets minus infinity, as PyTorch's masked_fill does.
// CHECK-DAG: "function":"filled"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
// FUSED-LABEL: func.func @filled
// FUSED: ucmoh.kernel "contract" ins({{.*}}xi1>
// FUSED-NOT: linalg.generic
// FUSED: return
func.func @filled(%a: tensor<37x66xf32>, %b: tensor<66x77xf32> {ucmoh.weight}, %mask: tensor<37x77xi1>) -> tensor<37x77xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<37x77xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<37x77xf32>) -> tensor<37x77xf32>
  %r = linalg.matmul ins(%a, %b : tensor<37x66xf32>, tensor<66x77xf32>) outs(%init : tensor<37x77xf32>) -> tensor<37x77xf32>
  %masked = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%r, %mask : tensor<37x77xf32>, tensor<37x77xi1>) outs(%empty : tensor<37x77xf32>) {
  ^bb0(%x: f32, %m: i1, %o: f32):
    %y = arith.select %m, %least, %x : f32
    linalg.yield %y : f32
  } -> tensor<37x77xf32>
  // Infinities would not compare.
  %kept = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%masked : tensor<37x77xf32>) outs(%empty : tensor<37x77xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %zero : f32
    linalg.yield %y : f32
  } -> tensor<37x77xf32>
  return %kept : tensor<37x77xf32>
}

// One flag for each column, one for each row, and both by logic.
// CHECK-DAG: "function":"padding"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
// FUSED-LABEL: func.func @padding
// FUSED: ucmoh.kernel "contract" ins({{.*}}tensor<77xi1>, tensor<37xi1>
// FUSED-NOT: linalg.generic
// FUSED: return
func.func @padding(%a: tensor<37x66xi8>, %b: tensor<66x77xi8> {ucmoh.weight}, %columns: tensor<77xi1>, %rows: tensor<37xi1>) -> tensor<37x77xi32> {
  %zero = arith.constant 0 : i32
  %low = arith.constant -77 : i32
  %true = arith.constant true
  %empty = tensor.empty() : tensor<37x77xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<37x77xi32>) -> tensor<37x77xi32>
  %r = linalg.matmul ins(%a, %b : tensor<37x66xi8>, tensor<66x77xi8>) outs(%init : tensor<37x77xi32>) -> tensor<37x77xi32>
  %masked = linalg.generic {indexing_maps = [#id, #column, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%r, %columns, %rows : tensor<37x77xi32>, tensor<77xi1>, tensor<37xi1>) outs(%empty : tensor<37x77xi32>) {
  ^bb0(%x: i32, %c: i1, %s: i1, %o: i32):
    %n = arith.xori %s, %true : i1
    %both = arith.andi %c, %n : i1
    %y = arith.select %both, %x, %low : i32
    linalg.yield %y : i32
  } -> tensor<37x77xi32>
  return %masked : tensor<37x77xi32>
}

// Flags are results of the kernel.
// CHECK-DAG: "function":"compared"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
// FUSED-LABEL: func.func @compared
// FUSED: ucmoh.kernel "contract" ins({{.*}}) outs({{.*}}xi1>
// FUSED-NOT: linalg.generic
// FUSED: return
func.func @compared(%a: tensor<37x66xi8>, %b: tensor<66x77xi8> {ucmoh.weight}) -> (tensor<37x77xi32>, tensor<37x77xi1>) {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<37x77xi32>
  %flags = tensor.empty() : tensor<37x77xi1>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<37x77xi32>) -> tensor<37x77xi32>
  %r = linalg.matmul ins(%a, %b : tensor<37x66xi8>, tensor<66x77xi8>) outs(%init : tensor<37x77xi32>) -> tensor<37x77xi32>
  %both:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%r : tensor<37x77xi32>) outs(%empty, %flags : tensor<37x77xi32>, tensor<37x77xi1>) {
  ^bb0(%x: i32, %o: i32, %p: i1):
    %c = arith.cmpi sgt, %x, %zero : i32
    %y = arith.select %c, %x, %zero : i32
    linalg.yield %y, %c : i32, i1
  } -> (tensor<37x77xi32>, tensor<37x77xi1>)
  return %both#0, %both#1 : tensor<37x77xi32>, tensor<37x77xi1>
}

// A causal mask compares positions, which the kernel reads as vectors.
// CHECK-DAG: "function":"causal"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
// FUSED-LABEL: func.func @causal
// FUSED: ucmoh.kernel "contract" ins({{.*}}tensor<37xi32>, tensor<77xi32>
// FUSED: arith.cmpi sge, %{{.*}} : vector<{{.*}}xi32>
// FUSED-NOT: linalg.generic
// FUSED: return
func.func @causal(%a: tensor<37x66xf32>, %b: tensor<66x77xf32> {ucmoh.weight}) -> tensor<37x77xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -1.0e4 : f32
  %empty = tensor.empty() : tensor<37x77xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<37x77xf32>) -> tensor<37x77xf32>
  %r = linalg.matmul ins(%a, %b : tensor<37x66xf32>, tensor<66x77xf32>) outs(%init : tensor<37x77xf32>) -> tensor<37x77xf32>
  %masked = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%r : tensor<37x77xf32>) outs(%empty : tensor<37x77xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi sge, %i, %j : index
    %y = arith.select %c, %x, %least : f32
    linalg.yield %y : f32
  } -> tensor<37x77xf32>
  return %masked : tensor<37x77xf32>
}

// As PyTorch exports an attention: what follows the scores has a batch of 1, and so has the mask. The scores are computed once for each
// block of rows, masked.
// CHECK-DAG: "function":"attention"{{.*}}"verified":true
// FUSED-LABEL: func.func @attention
// FUSED: ucmoh.kernel "contract" ins({{.*}}xi1>
// FUSED: linalg.generic
// FUSED: ucmoh.kernel "contract" ins
// FUSED-NOT: ucmoh.kernel
// FUSED: return
func.func @attention(%q: tensor<3x35x24xf32>, %k: tensor<3x24x40xf32>, %v: tensor<3x40x24xf32>, %mask: tensor<1x1x35x40xi1>) -> tensor<3x35x24xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e4 : f32
  %e3 = tensor.empty() : tensor<3x35x40xf32>
  %e = tensor.empty() : tensor<1x3x35x40xf32>
  %rows = tensor.empty() : tensor<1x3x35x1xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e3 : tensor<3x35x40xf32>) -> tensor<3x35x40xf32>
  %r = linalg.batch_matmul ins(%q, %k : tensor<3x35x24xf32>, tensor<3x24x40xf32>) outs(%init : tensor<3x35x40xf32>) -> tensor<3x35x40xf32>
  %scores = tensor.expand_shape %r [[0, 1], [2], [3]] output_shape [1, 3, 35, 40] : tensor<3x35x40xf32> into tensor<1x3x35x40xf32>
  %masked = linalg.generic {indexing_maps = [#all, #flags, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%scores, %mask : tensor<1x3x35x40xf32>, tensor<1x1x35x40xi1>) outs(%e : tensor<1x3x35x40xf32>) {
  ^bb0(%x: f32, %m: i1, %o: f32):
    %y = arith.select %m, %low, %x : f32
    linalg.yield %y : f32
  } -> tensor<1x3x35x40xf32>
  %lows = linalg.fill ins(%low : f32) outs(%rows : tensor<1x3x35x1xf32>) -> tensor<1x3x35x1xf32>
  %max = linalg.generic {indexing_maps = [#all, #ofrow], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%masked : tensor<1x3x35x40xf32>) outs(%lows : tensor<1x3x35x1xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<1x3x35x1xf32>
  %exp = linalg.generic {indexing_maps = [#all, #ofrow, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%masked, %max : tensor<1x3x35x40xf32>, tensor<1x3x35x1xf32>) outs(%e : tensor<1x3x35x40xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %d = arith.subf %x, %m : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<1x3x35x40xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%rows : tensor<1x3x35x1xf32>) -> tensor<1x3x35x1xf32>
  %sum = linalg.generic {indexing_maps = [#all, #ofrow], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%exp : tensor<1x3x35x40xf32>) outs(%zeros : tensor<1x3x35x1xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<1x3x35x1xf32>
  %p = linalg.generic {indexing_maps = [#all, #ofrow, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%exp, %sum : tensor<1x3x35x40xf32>, tensor<1x3x35x1xf32>) outs(%e : tensor<1x3x35x40xf32>) {
  ^bb0(%x: f32, %s: f32, %o: f32):
    %y = arith.divf %x, %s : f32
    linalg.yield %y : f32
  } -> tensor<1x3x35x40xf32>
  %flat = tensor.collapse_shape %p [[0, 1], [2], [3]] : tensor<1x3x35x40xf32> into tensor<3x35x40xf32>
  %ev = tensor.empty() : tensor<3x35x24xf32>
  %fv = linalg.fill ins(%zero : f32) outs(%ev : tensor<3x35x24xf32>) -> tensor<3x35x24xf32>
  %values = linalg.batch_matmul {ucmoh.rows = 16 : i64} ins(%flat, %v : tensor<3x35x40xf32>, tensor<3x40x24xf32>) outs(%fv : tensor<3x35x24xf32>) -> tensor<3x35x24xf32>
  return %values : tensor<3x35x24xf32>
}
