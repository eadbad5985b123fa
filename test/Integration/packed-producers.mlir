// What makes an operand is computed while a kernel packs it: nothing of it is in memory in between. Each is tensorized and right.
// RUN: ucmoh-run %s --verify --repeat=1 --json | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --json --model=random:7 | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --json --model=random:8 | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --json --model=random:9 | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --json --threads=2 | FileCheck %s

#id = affine_map<(m, k) -> (m, k)>
#row = affine_map<(m, k) -> (m)>
#column = affine_map<(m, k) -> (k)>
#one = affine_map<(m, k) -> ()>

// Keys are quantized by a scale for each of them, values by one for each channel, both with flags that clear some.
// CHECK-DAG: "function":"keys"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @keys(%q: tensor<37x70xi8>, %k: tensor<45x70xf32>, %scales: tensor<45xf32>) -> tensor<37x45xi32> {
  %zero = arith.constant 0 : i32
  %low = arith.constant -127.0 : f32
  %high = arith.constant 127.0 : f32
  %e8 = tensor.empty() : tensor<45x70xi8>
  %e = tensor.empty() : tensor<37x45xi32>
  %quantized = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%k, %scales : tensor<45x70xf32>, tensor<45xf32>) outs(%e8 : tensor<45x70xi8>) {
  ^bb0(%x: f32, %s: f32, %o: i8):
    %m = arith.mulf %x, %s : f32
    %n = math.roundeven %m : f32
    %l = arith.maximumf %n, %low : f32
    %u = arith.minimumf %l, %high : f32
    %y = arith.fptosi %u : f32 to i8
    linalg.yield %y : i8
  } -> tensor<45x70xi8>
  %init = linalg.fill ins(%zero : i32) outs(%e : tensor<37x45xi32>) -> tensor<37x45xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%q, %quantized : tensor<37x70xi8>, tensor<45x70xi8>) outs(%init : tensor<37x45xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %a = arith.extsi %x : i8 to i32
    %b = arith.extsi %y : i8 to i32
    %p = arith.muli %a, %b : i32
    %s = arith.addi %o, %p : i32
    linalg.yield %s : i32
  } -> tensor<37x45xi32>
  return %r : tensor<37x45xi32>
}

// CHECK-DAG: "function":"values"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @values(%p: tensor<37x70xi8>, %v: tensor<70x45xf32>, %scales: tensor<45xf32>, %keep: tensor<70xi1>) -> tensor<37x45xi32> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 0.0 : f32
  %low = arith.constant -127.0 : f32
  %high = arith.constant 127.0 : f32
  %e8 = tensor.empty() : tensor<70x45xi8>
  %e = tensor.empty() : tensor<37x45xi32>
  %quantized = linalg.generic {indexing_maps = [#id, #column, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%v, %scales, %keep : tensor<70x45xf32>, tensor<45xf32>, tensor<70xi1>) outs(%e8 : tensor<70x45xi8>) {
  ^bb0(%x: f32, %s: f32, %f: i1, %o: i8):
    %m = arith.mulf %x, %s : f32
    %n = math.roundeven %m : f32
    %c = arith.select %f, %n, %none : f32
    %l = arith.maximumf %c, %low : f32
    %u = arith.minimumf %l, %high : f32
    %y = arith.fptosi %u : f32 to i8
    linalg.yield %y : i8
  } -> tensor<70x45xi8>
  %init = linalg.fill ins(%zero : i32) outs(%e : tensor<37x45xi32>) -> tensor<37x45xi32>
  %r = linalg.matmul ins(%p, %quantized : tensor<37x70xi8>, tensor<70x45xi8>) outs(%init : tensor<37x45xi32>) -> tensor<37x45xi32>
  return %r : tensor<37x45xi32>
}

// Both sides are cast, and multiplied as bf16.
// CHECK-DAG: "function":"cast"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @cast(%a: tensor<37x70xf32>, %b: tensor<70x45xf32>) -> tensor<37x45xf32> {
  %zero = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<37x70xbf16>
  %eb = tensor.empty() : tensor<70x45xbf16>
  %e = tensor.empty() : tensor<37x45xf32>
  %lhs = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<37x70xf32>) outs(%ea : tensor<37x70xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %y = arith.truncf %x : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<37x70xbf16>
  %rhs = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<70x45xf32>) outs(%eb : tensor<70x45xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %y = arith.truncf %x : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<70x45xbf16>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<37x45xf32>) -> tensor<37x45xf32>
  %r = linalg.matmul ins(%lhs, %rhs : tensor<37x70xbf16>, tensor<70x45xbf16>) outs(%init : tensor<37x45xf32>) -> tensor<37x45xf32>
  return %r : tensor<37x45xf32>
}
