// What follows a product in a network is done in the store of its tiles. Each is tensorized ("choice") and right ("verified").
// RUN: ucmoh-run %s --verify --repeat=1 --json | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --json --model=random:7 | FileCheck %s

#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>

// CHECK-DAG: "function":"requantize"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @requantize(%a: tensor<37x66xi8>, %b: tensor<66x77xi8> {ucmoh.weight}, %bias: tensor<77xi32> {ucmoh.weight}) -> tensor<37x77xi8> {
  %zero = arith.constant 0 : i32
  %scale = arith.constant 2.5e-3 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %empty = tensor.empty() : tensor<37x77xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<37x77xi32>) -> tensor<37x77xi32>
  %r = linalg.matmul ins(%a, %b : tensor<37x66xi8>, tensor<66x77xi8>) outs(%init : tensor<37x77xi32>) -> tensor<37x77xi32>
  %to = tensor.empty() : tensor<37x77xi8>
  %q = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
    ins(%r, %bias : tensor<37x77xi32>, tensor<77xi32>) outs(%to : tensor<37x77xi8>) {
  ^bb0(%x: i32, %c: i32, %o: i8):
    %s = arith.addi %x, %c : i32
    %f = arith.sitofp %s : i32 to f32
    %m = arith.mulf %f, %scale : f32
    %n = math.roundeven %m : f32
    %l = arith.maximumf %n, %low : f32
    %u = arith.minimumf %l, %high : f32
    %y = arith.fptosi %u : f32 to i8
    linalg.yield %y : i8
  } -> tensor<37x77xi8>
  return %q : tensor<37x77xi8>
}

// CHECK-DAG: "function":"bias_relu_residual"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @bias_relu_residual(%a: tensor<37x66xf32>, %b: tensor<66x77xf32> {ucmoh.weight}, %bias: tensor<77xf32> {ucmoh.weight},
                              %residual: tensor<37x77xf32>) -> tensor<37x77xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<37x77xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<37x77xf32>) -> tensor<37x77xf32>
  %r = linalg.matmul ins(%a, %b : tensor<37x66xf32>, tensor<66x77xf32>) outs(%init : tensor<37x77xf32>) -> tensor<37x77xf32>
  %biased = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
    ins(%r, %bias : tensor<37x77xf32>, tensor<77xf32>) outs(%empty : tensor<37x77xf32>) {
  ^bb0(%x: f32, %c: f32, %o: f32):
    %y = arith.addf %x, %c : f32
    linalg.yield %y : f32
  } -> tensor<37x77xf32>
  %q = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%biased, %residual : tensor<37x77xf32>, tensor<37x77xf32>) outs(%empty : tensor<37x77xf32>) {
  ^bb0(%x: f32, %c: f32, %o: f32):
    %p = arith.maximumf %x, %zero : f32
    %y = arith.addf %p, %c : f32
    linalg.yield %y : f32
  } -> tensor<37x77xf32>
  return %q : tensor<37x77xf32>
}

// The product is used twice: it has to exist in memory as well.
// CHECK-DAG: "function":"two_users"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @two_users(%a: tensor<37x66xf32>, %b: tensor<66x77xf32> {ucmoh.weight}) -> (tensor<37x77xf32>, tensor<37x77xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<37x77xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<37x77xf32>) -> tensor<37x77xf32>
  %r = linalg.matmul ins(%a, %b : tensor<37x66xf32>, tensor<66x77xf32>) outs(%init : tensor<37x77xf32>) -> tensor<37x77xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%r : tensor<37x77xf32>) outs(%empty : tensor<37x77xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.negf %x : f32
    linalg.yield %y : f32
  } -> tensor<37x77xf32>
  return %r, %q : tensor<37x77xf32>, tensor<37x77xf32>
}

// The result is accumulated onto an argument, not onto zero.
// CHECK-DAG: "function":"accumulate"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @accumulate(%a: tensor<37x66xi8>, %b: tensor<66x77xi8> {ucmoh.weight}, %c: tensor<37x77xi32>) -> tensor<37x77xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<37x66xi8>, tensor<66x77xi8>) outs(%c : tensor<37x77xi32>) -> tensor<37x77xi32>
  return %r : tensor<37x77xi32>
}
