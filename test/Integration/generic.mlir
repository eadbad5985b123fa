// Products written as linalg.generic: the body says the sign, the maps say the rest. Each is tensorized ("choice") and right ("verified").
// RUN: ucmoh-run %s --verify --repeat=1 --json | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --json --model=random:7 | FileCheck %s

// CHECK-DAG: "function":"u8_s8"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @u8_s8(%a: tensor<23x70xi8>, %b: tensor<70x45xi8> {ucmoh.weight}) -> tensor<23x45xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<23x45xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<23x45xi32>) -> tensor<23x45xi32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                     affine_map<(m, n, k) -> (k, n)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<23x70xi8>, tensor<70x45xi8>) outs(%init : tensor<23x45xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extui %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<23x45xi32>
  return %r : tensor<23x45xi32>
}

// CHECK-DAG: "function":"s8_u8"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @s8_u8(%a: tensor<23x70xi8>, %b: tensor<70x45xi8> {ucmoh.weight}) -> tensor<23x45xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<23x45xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<23x45xi32>) -> tensor<23x45xi32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                     affine_map<(m, n, k) -> (k, n)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<23x70xi8>, tensor<70x45xi8>) outs(%init : tensor<23x45xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extsi %x : i8 to i32
    %ye = arith.extui %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<23x45xi32>
  return %r : tensor<23x45xi32>
}

// CHECK-DAG: "function":"u8_u8_transposed"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @u8_u8_transposed(%a: tensor<23x70xi8>, %b: tensor<45x70xi8> {ucmoh.weight}) -> tensor<23x45xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<23x45xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<23x45xi32>) -> tensor<23x45xi32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                     affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<23x70xi8>, tensor<45x70xi8>) outs(%init : tensor<23x45xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extui %x : i8 to i32
    %ye = arith.extui %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<23x45xi32>
  return %r : tensor<23x45xi32>
}

// CHECK-DAG: "function":"s8_s16"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @s8_s16(%a: tensor<23x70xi8>, %b: tensor<70x45xi16> {ucmoh.weight}) -> tensor<23x45xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<23x45xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<23x45xi32>) -> tensor<23x45xi32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                     affine_map<(m, n, k) -> (k, n)>,
                     affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<23x70xi8>, tensor<70x45xi16>) outs(%init : tensor<23x45xi32>) {
  ^bb0(%x: i8, %y: i16, %s: i32):
    %xe = arith.extsi %x : i8 to i32
    %ye = arith.extsi %y : i16 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<23x45xi32>
  return %r : tensor<23x45xi32>
}

// CHECK-DAG: "function":"result_transposed"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @result_transposed(%a: tensor<23x70xf32>, %b: tensor<70x45xf32> {ucmoh.weight}) -> tensor<45x23xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<45x23xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<45x23xf32>) -> tensor<45x23xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                     affine_map<(m, n, k) -> (k, n)>,
                     affine_map<(m, n, k) -> (n, m)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<23x70xf32>, tensor<70x45xf32>) outs(%init : tensor<45x23xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<45x23xf32>
  return %r : tensor<45x23xf32>
}

// CHECK-DAG: "function":"reduction_outside"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @reduction_outside(%a: tensor<23x70xi8>, %b: tensor<70x45xi8> {ucmoh.weight}) -> tensor<23x45xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<23x45xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<23x45xi32>) -> tensor<23x45xi32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(k, m, n) -> (m, k)>,
                     affine_map<(k, m, n) -> (k, n)>,
                     affine_map<(k, m, n) -> (m, n)>],
    iterator_types = ["reduction", "parallel", "parallel"]}
    ins(%a, %b : tensor<23x70xi8>, tensor<70x45xi8>) outs(%init : tensor<23x45xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extsi %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<23x45xi32>
  return %r : tensor<23x45xi32>
}

// CHECK-DAG: "function":"two_batches"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @two_batches(%a: tensor<2x3x9x20xf32>, %b: tensor<2x3x20x21xf32> {ucmoh.weight}) -> tensor<2x3x9x21xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x3x9x21xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x3x9x21xf32>) -> tensor<2x3x9x21xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(a, b, m, n, k) -> (a, b, m, k)>,
                     affine_map<(a, b, m, n, k) -> (a, b, k, n)>,
                     affine_map<(a, b, m, n, k) -> (a, b, m, n)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<2x3x9x20xf32>, tensor<2x3x20x21xf32>) outs(%init : tensor<2x3x9x21xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<2x3x9x21xf32>
  return %r : tensor<2x3x9x21xf32>
}

// CHECK-DAG: "function":"two_reductions"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @two_reductions(%a: tensor<9x5x7xi8>, %b: tensor<5x7x33xi8> {ucmoh.weight}) -> tensor<9x33xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<9x33xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<9x33xi32>) -> tensor<9x33xi32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(m, n, k, l) -> (m, k, l)>,
                     affine_map<(m, n, k, l) -> (k, l, n)>,
                     affine_map<(m, n, k, l) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%a, %b : tensor<9x5x7xi8>, tensor<5x7x33xi8>) outs(%init : tensor<9x33xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extui %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<9x33xi32>
  return %r : tensor<9x33xi32>
}

// CHECK-DAG: "function":"heads_in_the_middle"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @heads_in_the_middle(%a: tensor<11x3x16xf32>, %b: tensor<13x3x16xf32> {ucmoh.weight}) -> tensor<3x11x13xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x11x13xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x11x13xf32>) -> tensor<3x11x13xf32>
  %r = linalg.generic {
    indexing_maps = [affine_map<(h, m, n, k) -> (m, h, k)>,
                     affine_map<(h, m, n, k) -> (n, h, k)>,
                     affine_map<(h, m, n, k) -> (h, m, n)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<11x3x16xf32>, tensor<13x3x16xf32>) outs(%init : tensor<3x11x13xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<3x11x13xf32>
  return %r : tensor<3x11x13xf32>
}
