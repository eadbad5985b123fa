// What is no contraction has rows in the table, by what it computes, and in the JSON; the last one is what is left.
// RUN: ucmoh-run %s --repeat=2 | FileCheck %s
// RUN: ucmoh-run %s --repeat=2 --json --entry=attention | FileCheck %s --check-prefix=JSON

// CHECK-LABEL: @attention on
// CHECK: {{^}}0 {{ *}}matmul_
// CHECK: {{^}}1 {{ *}}matmul_
// CHECK: {{^}}- {{ *}}max, exp, sum, divide 128x128xf32 {{ *}}- {{ *}}{{[0-9.]+}} {{.?}}s {{ *}}-{{$}}
// CHECK: {{^}}- {{ *}}other {{ *}}-
// CHECK: total {{.*}}, verified
// JSON: "error":null
// JSON-SAME: "rest":[{"count":1,"name":"max, exp, sum, divide 128x128xf32","seconds":{"median":
// JSON-SAME: {"count":null,"name":"other","seconds":{"median":
func.func @attention(%q: tensor<128x64xf32>, %k: tensor<64x128xf32>, %v: tensor<128x64xf32>) -> tensor<128x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %scores = linalg.matmul ins(%q, %k : tensor<128x64xf32>, tensor<64x128xf32>)
    outs(%f : tensor<128x128xf32>) -> tensor<128x128xf32>
  %soft = linalg.softmax dimension(1) ins(%scores : tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %o = tensor.empty() : tensor<128x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%o : tensor<128x64xf32>) -> tensor<128x64xf32>
  %r = linalg.matmul ins(%soft, %v : tensor<128x128xf32>, tensor<128x64xf32>)
    outs(%g : tensor<128x64xf32>) -> tensor<128x64xf32>
  return %r : tensor<128x64xf32>
}

// CHECK-LABEL: @norm on
// CHECK: {{^}}- {{ *}}{{.*}}sum{{.*}}rsqrt{{.*}} 64x256xf32
// CHECK: total {{.*}}, verified
#rows = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
func.func @norm(%x: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 256.0 : f32
  %epsilon = arith.constant 1.0e-5 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x256xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %in, %acc : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %squares = linalg.generic {indexing_maps = [#all, #rows, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<64x256xf32>, tensor<64xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %square = arith.mulf %d, %d : f32
    %total = arith.addf %square, %acc : f32
    linalg.yield %total : f32
  } -> tensor<64xf32>
  %y = tensor.empty() : tensor<64x256xf32>
  %r = linalg.generic {indexing_maps = [#all, #rows, #rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<64x256xf32>, tensor<64xf32>, tensor<64xf32>) outs(%y : tensor<64x256xf32>) {
  ^bb0(%in: f32, %s: f32, %q: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %variance = arith.divf %q, %n : f32
    %safe = arith.addf %variance, %epsilon : f32
    %scale = math.rsqrt %safe : f32
    %d = arith.subf %in, %mean : f32
    %v = arith.mulf %d, %scale : f32
    linalg.yield %v : f32
  } -> tensor<64x256xf32>
  return %r : tensor<64x256xf32>
}

// The border and the inside of the padded image are one row.
// CHECK-LABEL: @padded on
// CHECK: {{^}}0 {{ *}}conv
// CHECK: {{^}}- {{ *}}copy 14x14x32x
// CHECK-NOT: fill
// CHECK: total {{.*}}, verified
func.func @padded(%x: tensor<1x14x14x32xi8>, %w: tensor<3x3x32x32xi8> {ucmoh.weight}) -> tensor<1x14x14x32xi32> {
  %border = arith.constant 0 : i8
  %zero = arith.constant 0 : i32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %border : i8
  } : tensor<1x14x14x32xi8> to tensor<1x16x16x32xi8>
  %e = tensor.empty() : tensor<1x14x14x32xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x14x14x32xi32>) -> tensor<1x14x14x32xi32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x16x16x32xi8>, tensor<3x3x32x32xi8>)
    outs(%f : tensor<1x14x14x32xi32>) -> tensor<1x14x14x32xi32>
  return %r : tensor<1x14x14x32xi32>
}
