// Integers at the ends of their ranges, where an intermediate sum that saturates or a compensated sign that
// overflows would show: a random half of the elements is the least number, the others are the greatest.
// RUN: ucmoh-run %s --verify --repeat=1 --budget=0.1 --json | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --budget=0.1 --json --model=random:7 | FileCheck %s

// CHECK-DAG: "function":"u8_s8"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_u8s8s32_15x50x261_{{.*}}"verified":true
func.func @u8_s8(%a: tensor<15x261xi8>, %b: tensor<261x50xi8> {ucmoh.weight}) -> tensor<15x50xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<15x50xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<15x50xi32>) -> tensor<15x50xi32>
  %ea = tensor.empty() : tensor<15x261xi8>
  %xa = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<15x261xi8>) outs(%ea : tensor<15x261xi8>) {
  ^bb0(%in: i8, %out: i8):
    %low = arith.constant 0 : i8
    %high = arith.constant -1 : i8
    %nil = arith.constant 0 : i8
    %is = arith.cmpi slt, %in, %nil : i8
    %end = arith.select %is, %low, %high : i8
    linalg.yield %end : i8
  } -> tensor<15x261xi8>
  %eb = tensor.empty() : tensor<261x50xi8>
  %xb = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<261x50xi8>) outs(%eb : tensor<261x50xi8>) {
  ^bb0(%in: i8, %out: i8):
    %low = arith.constant -128 : i8
    %high = arith.constant 127 : i8
    %nil = arith.constant 0 : i8
    %is = arith.cmpi slt, %in, %nil : i8
    %end = arith.select %is, %low, %high : i8
    linalg.yield %end : i8
  } -> tensor<261x50xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%xa, %xb : tensor<15x261xi8>, tensor<261x50xi8>)
    outs(%init : tensor<15x50xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extui %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<15x50xi32>
  return %r : tensor<15x50xi32>
}

// CHECK-DAG: "function":"u8_s8_no_weight"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_u8s8s32_15x50x261_{{.*}}"verified":true
func.func @u8_s8_no_weight(%a: tensor<15x261xi8>, %b: tensor<261x50xi8>) -> tensor<15x50xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<15x50xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<15x50xi32>) -> tensor<15x50xi32>
  %ea = tensor.empty() : tensor<15x261xi8>
  %xa = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<15x261xi8>) outs(%ea : tensor<15x261xi8>) {
  ^bb0(%in: i8, %out: i8):
    %low = arith.constant 0 : i8
    %high = arith.constant -1 : i8
    %nil = arith.constant 0 : i8
    %is = arith.cmpi slt, %in, %nil : i8
    %end = arith.select %is, %low, %high : i8
    linalg.yield %end : i8
  } -> tensor<15x261xi8>
  %eb = tensor.empty() : tensor<261x50xi8>
  %xb = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<261x50xi8>) outs(%eb : tensor<261x50xi8>) {
  ^bb0(%in: i8, %out: i8):
    %low = arith.constant -128 : i8
    %high = arith.constant 127 : i8
    %nil = arith.constant 0 : i8
    %is = arith.cmpi slt, %in, %nil : i8
    %end = arith.select %is, %low, %high : i8
    linalg.yield %end : i8
  } -> tensor<261x50xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%xa, %xb : tensor<15x261xi8>, tensor<261x50xi8>)
    outs(%init : tensor<15x50xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extui %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<15x50xi32>
  return %r : tensor<15x50xi32>
}

// CHECK-DAG: "function":"s8_u8"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_s8u8s32_15x50x261_{{.*}}"verified":true
func.func @s8_u8(%a: tensor<15x261xi8>, %b: tensor<261x50xi8> {ucmoh.weight}) -> tensor<15x50xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<15x50xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<15x50xi32>) -> tensor<15x50xi32>
  %ea = tensor.empty() : tensor<15x261xi8>
  %xa = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<15x261xi8>) outs(%ea : tensor<15x261xi8>) {
  ^bb0(%in: i8, %out: i8):
    %low = arith.constant -128 : i8
    %high = arith.constant 127 : i8
    %nil = arith.constant 0 : i8
    %is = arith.cmpi slt, %in, %nil : i8
    %end = arith.select %is, %low, %high : i8
    linalg.yield %end : i8
  } -> tensor<15x261xi8>
  %eb = tensor.empty() : tensor<261x50xi8>
  %xb = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<261x50xi8>) outs(%eb : tensor<261x50xi8>) {
  ^bb0(%in: i8, %out: i8):
    %low = arith.constant 0 : i8
    %high = arith.constant -1 : i8
    %nil = arith.constant 0 : i8
    %is = arith.cmpi slt, %in, %nil : i8
    %end = arith.select %is, %low, %high : i8
    linalg.yield %end : i8
  } -> tensor<261x50xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%xa, %xb : tensor<15x261xi8>, tensor<261x50xi8>)
    outs(%init : tensor<15x50xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extsi %x : i8 to i32
    %ye = arith.extui %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<15x50xi32>
  return %r : tensor<15x50xi32>
}

// CHECK-DAG: "function":"s8_u8_no_weight"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_s8u8s32_15x50x261_{{.*}}"verified":true
func.func @s8_u8_no_weight(%a: tensor<15x261xi8>, %b: tensor<261x50xi8>) -> tensor<15x50xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<15x50xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<15x50xi32>) -> tensor<15x50xi32>
  %ea = tensor.empty() : tensor<15x261xi8>
  %xa = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<15x261xi8>) outs(%ea : tensor<15x261xi8>) {
  ^bb0(%in: i8, %out: i8):
    %low = arith.constant -128 : i8
    %high = arith.constant 127 : i8
    %nil = arith.constant 0 : i8
    %is = arith.cmpi slt, %in, %nil : i8
    %end = arith.select %is, %low, %high : i8
    linalg.yield %end : i8
  } -> tensor<15x261xi8>
  %eb = tensor.empty() : tensor<261x50xi8>
  %xb = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<261x50xi8>) outs(%eb : tensor<261x50xi8>) {
  ^bb0(%in: i8, %out: i8):
    %low = arith.constant 0 : i8
    %high = arith.constant -1 : i8
    %nil = arith.constant 0 : i8
    %is = arith.cmpi slt, %in, %nil : i8
    %end = arith.select %is, %low, %high : i8
    linalg.yield %end : i8
  } -> tensor<261x50xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%xa, %xb : tensor<15x261xi8>, tensor<261x50xi8>)
    outs(%init : tensor<15x50xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extsi %x : i8 to i32
    %ye = arith.extui %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<15x50xi32>
  return %r : tensor<15x50xi32>
}

// CHECK-DAG: "function":"u8_u8"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_u8u8s32_15x50x261_{{.*}}"verified":true
func.func @u8_u8(%a: tensor<15x261xi8>, %b: tensor<261x50xi8> {ucmoh.weight}) -> tensor<15x50xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<15x50xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<15x50xi32>) -> tensor<15x50xi32>
  %ea = tensor.empty() : tensor<15x261xi8>
  %xa = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<15x261xi8>) outs(%ea : tensor<15x261xi8>) {
  ^bb0(%in: i8, %out: i8):
    %low = arith.constant 0 : i8
    %high = arith.constant -1 : i8
    %nil = arith.constant 0 : i8
    %is = arith.cmpi slt, %in, %nil : i8
    %end = arith.select %is, %low, %high : i8
    linalg.yield %end : i8
  } -> tensor<15x261xi8>
  %eb = tensor.empty() : tensor<261x50xi8>
  %xb = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<261x50xi8>) outs(%eb : tensor<261x50xi8>) {
  ^bb0(%in: i8, %out: i8):
    %low = arith.constant 0 : i8
    %high = arith.constant -1 : i8
    %nil = arith.constant 0 : i8
    %is = arith.cmpi slt, %in, %nil : i8
    %end = arith.select %is, %low, %high : i8
    linalg.yield %end : i8
  } -> tensor<261x50xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%xa, %xb : tensor<15x261xi8>, tensor<261x50xi8>)
    outs(%init : tensor<15x50xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extui %x : i8 to i32
    %ye = arith.extui %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<15x50xi32>
  return %r : tensor<15x50xi32>
}

// CHECK-DAG: "function":"u8_u8_no_weight"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_u8u8s32_15x50x261_{{.*}}"verified":true
func.func @u8_u8_no_weight(%a: tensor<15x261xi8>, %b: tensor<261x50xi8>) -> tensor<15x50xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<15x50xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<15x50xi32>) -> tensor<15x50xi32>
  %ea = tensor.empty() : tensor<15x261xi8>
  %xa = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<15x261xi8>) outs(%ea : tensor<15x261xi8>) {
  ^bb0(%in: i8, %out: i8):
    %low = arith.constant 0 : i8
    %high = arith.constant -1 : i8
    %nil = arith.constant 0 : i8
    %is = arith.cmpi slt, %in, %nil : i8
    %end = arith.select %is, %low, %high : i8
    linalg.yield %end : i8
  } -> tensor<15x261xi8>
  %eb = tensor.empty() : tensor<261x50xi8>
  %xb = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<261x50xi8>) outs(%eb : tensor<261x50xi8>) {
  ^bb0(%in: i8, %out: i8):
    %low = arith.constant 0 : i8
    %high = arith.constant -1 : i8
    %nil = arith.constant 0 : i8
    %is = arith.cmpi slt, %in, %nil : i8
    %end = arith.select %is, %low, %high : i8
    linalg.yield %end : i8
  } -> tensor<261x50xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%xa, %xb : tensor<15x261xi8>, tensor<261x50xi8>)
    outs(%init : tensor<15x50xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extui %x : i8 to i32
    %ye = arith.extui %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<15x50xi32>
  return %r : tensor<15x50xi32>
}

// CHECK-DAG: "function":"s8_s8"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_s8s8s32_15x50x261_{{.*}}"verified":true
func.func @s8_s8(%a: tensor<15x261xi8>, %b: tensor<261x50xi8> {ucmoh.weight}) -> tensor<15x50xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<15x50xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<15x50xi32>) -> tensor<15x50xi32>
  %ea = tensor.empty() : tensor<15x261xi8>
  %xa = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<15x261xi8>) outs(%ea : tensor<15x261xi8>) {
  ^bb0(%in: i8, %out: i8):
    %low = arith.constant -128 : i8
    %high = arith.constant 127 : i8
    %nil = arith.constant 0 : i8
    %is = arith.cmpi slt, %in, %nil : i8
    %end = arith.select %is, %low, %high : i8
    linalg.yield %end : i8
  } -> tensor<15x261xi8>
  %eb = tensor.empty() : tensor<261x50xi8>
  %xb = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<261x50xi8>) outs(%eb : tensor<261x50xi8>) {
  ^bb0(%in: i8, %out: i8):
    %low = arith.constant -128 : i8
    %high = arith.constant 127 : i8
    %nil = arith.constant 0 : i8
    %is = arith.cmpi slt, %in, %nil : i8
    %end = arith.select %is, %low, %high : i8
    linalg.yield %end : i8
  } -> tensor<261x50xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%xa, %xb : tensor<15x261xi8>, tensor<261x50xi8>)
    outs(%init : tensor<15x50xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extsi %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<15x50xi32>
  return %r : tensor<15x50xi32>
}

// CHECK-DAG: "function":"s8_s8_no_weight"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_s8s8s32_15x50x261_{{.*}}"verified":true
func.func @s8_s8_no_weight(%a: tensor<15x261xi8>, %b: tensor<261x50xi8>) -> tensor<15x50xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<15x50xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<15x50xi32>) -> tensor<15x50xi32>
  %ea = tensor.empty() : tensor<15x261xi8>
  %xa = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<15x261xi8>) outs(%ea : tensor<15x261xi8>) {
  ^bb0(%in: i8, %out: i8):
    %low = arith.constant -128 : i8
    %high = arith.constant 127 : i8
    %nil = arith.constant 0 : i8
    %is = arith.cmpi slt, %in, %nil : i8
    %end = arith.select %is, %low, %high : i8
    linalg.yield %end : i8
  } -> tensor<15x261xi8>
  %eb = tensor.empty() : tensor<261x50xi8>
  %xb = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<261x50xi8>) outs(%eb : tensor<261x50xi8>) {
  ^bb0(%in: i8, %out: i8):
    %low = arith.constant -128 : i8
    %high = arith.constant 127 : i8
    %nil = arith.constant 0 : i8
    %is = arith.cmpi slt, %in, %nil : i8
    %end = arith.select %is, %low, %high : i8
    linalg.yield %end : i8
  } -> tensor<261x50xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%xa, %xb : tensor<15x261xi8>, tensor<261x50xi8>)
    outs(%init : tensor<15x50xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extsi %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<15x50xi32>
  return %r : tensor<15x50xi32>
}

// CHECK-DAG: "function":"s16_s16"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_s16s16s32_15x50x261_{{.*}}"verified":true
func.func @s16_s16(%a: tensor<15x261xi16>, %b: tensor<261x50xi16> {ucmoh.weight}) -> tensor<15x50xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<15x50xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<15x50xi32>) -> tensor<15x50xi32>
  %ea = tensor.empty() : tensor<15x261xi16>
  %xa = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<15x261xi16>) outs(%ea : tensor<15x261xi16>) {
  ^bb0(%in: i16, %out: i16):
    %low = arith.constant -32768 : i16
    %high = arith.constant 32767 : i16
    %nil = arith.constant 0 : i16
    %is = arith.cmpi slt, %in, %nil : i16
    %end = arith.select %is, %low, %high : i16
    linalg.yield %end : i16
  } -> tensor<15x261xi16>
  %eb = tensor.empty() : tensor<261x50xi16>
  %xb = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<261x50xi16>) outs(%eb : tensor<261x50xi16>) {
  ^bb0(%in: i16, %out: i16):
    %low = arith.constant -32768 : i16
    %high = arith.constant 32767 : i16
    %nil = arith.constant 0 : i16
    %is = arith.cmpi slt, %in, %nil : i16
    %end = arith.select %is, %low, %high : i16
    linalg.yield %end : i16
  } -> tensor<261x50xi16>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%xa, %xb : tensor<15x261xi16>, tensor<261x50xi16>)
    outs(%init : tensor<15x50xi32>) {
  ^bb0(%x: i16, %y: i16, %s: i32):
    %xe = arith.extsi %x : i16 to i32
    %ye = arith.extsi %y : i16 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<15x50xi32>
  return %r : tensor<15x50xi32>
}

// CHECK-DAG: "function":"s16_s16_no_weight"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_s16s16s32_15x50x261_{{.*}}"verified":true
func.func @s16_s16_no_weight(%a: tensor<15x261xi16>, %b: tensor<261x50xi16>) -> tensor<15x50xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<15x50xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<15x50xi32>) -> tensor<15x50xi32>
  %ea = tensor.empty() : tensor<15x261xi16>
  %xa = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<15x261xi16>) outs(%ea : tensor<15x261xi16>) {
  ^bb0(%in: i16, %out: i16):
    %low = arith.constant -32768 : i16
    %high = arith.constant 32767 : i16
    %nil = arith.constant 0 : i16
    %is = arith.cmpi slt, %in, %nil : i16
    %end = arith.select %is, %low, %high : i16
    linalg.yield %end : i16
  } -> tensor<15x261xi16>
  %eb = tensor.empty() : tensor<261x50xi16>
  %xb = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<261x50xi16>) outs(%eb : tensor<261x50xi16>) {
  ^bb0(%in: i16, %out: i16):
    %low = arith.constant -32768 : i16
    %high = arith.constant 32767 : i16
    %nil = arith.constant 0 : i16
    %is = arith.cmpi slt, %in, %nil : i16
    %end = arith.select %is, %low, %high : i16
    linalg.yield %end : i16
  } -> tensor<261x50xi16>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%xa, %xb : tensor<15x261xi16>, tensor<261x50xi16>)
    outs(%init : tensor<15x50xi32>) {
  ^bb0(%x: i16, %y: i16, %s: i32):
    %xe = arith.extsi %x : i16 to i32
    %ye = arith.extsi %y : i16 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<15x50xi32>
  return %r : tensor<15x50xi32>
}

// All terms of the sum are the same extreme; no pass knows, or the product would be folded.
// CHECK-DAG: "function":"all_least"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_s8s8s32_9x17x1030_{{.*}}"verified":true
func.func @all_least(%a: tensor<9x1030xi8>, %b: tensor<1030x17xi8> {ucmoh.weight}) -> tensor<9x17xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<9x17xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<9x17xi32>) -> tensor<9x17xi32>
  %ea = tensor.empty() : tensor<9x1030xi8>
  %xa = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<9x1030xi8>) outs(%ea : tensor<9x1030xi8>) {
  ^bb0(%in: i8, %out: i8):
    %one = arith.constant 1 : i8
    %value = arith.constant -128 : i8
    %even = arith.shli %in, %one : i8
    %nil = arith.andi %even, %one : i8
    %end = arith.ori %nil, %value : i8
    linalg.yield %end : i8
  } -> tensor<9x1030xi8>
  %eb = tensor.empty() : tensor<1030x17xi8>
  %xb = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<1030x17xi8>) outs(%eb : tensor<1030x17xi8>) {
  ^bb0(%in: i8, %out: i8):
    %one = arith.constant 1 : i8
    %value = arith.constant -128 : i8
    %even = arith.shli %in, %one : i8
    %nil = arith.andi %even, %one : i8
    %end = arith.ori %nil, %value : i8
    linalg.yield %end : i8
  } -> tensor<1030x17xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%xa, %xb : tensor<9x1030xi8>, tensor<1030x17xi8>)
    outs(%init : tensor<9x17xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extsi %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<9x17xi32>
  return %r : tensor<9x17xi32>
}

// CHECK-DAG: "function":"all_greatest"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_u8u8s32_9x17x1030_{{.*}}"verified":true
func.func @all_greatest(%a: tensor<9x1030xi8>, %b: tensor<1030x17xi8> {ucmoh.weight}) -> tensor<9x17xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<9x17xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<9x17xi32>) -> tensor<9x17xi32>
  %ea = tensor.empty() : tensor<9x1030xi8>
  %xa = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<9x1030xi8>) outs(%ea : tensor<9x1030xi8>) {
  ^bb0(%in: i8, %out: i8):
    %one = arith.constant 1 : i8
    %two = arith.constant 2 : i8
    %square = arith.muli %in, %in : i8
    %nil = arith.andi %square, %two : i8
    %end = arith.subi %nil, %one : i8
    linalg.yield %end : i8
  } -> tensor<9x1030xi8>
  %eb = tensor.empty() : tensor<1030x17xi8>
  %xb = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<1030x17xi8>) outs(%eb : tensor<1030x17xi8>) {
  ^bb0(%in: i8, %out: i8):
    %one = arith.constant 1 : i8
    %two = arith.constant 2 : i8
    %square = arith.muli %in, %in : i8
    %nil = arith.andi %square, %two : i8
    %end = arith.subi %nil, %one : i8
    linalg.yield %end : i8
  } -> tensor<1030x17xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%xa, %xb : tensor<9x1030xi8>, tensor<1030x17xi8>)
    outs(%init : tensor<9x17xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extui %x : i8 to i32
    %ye = arith.extui %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<9x17xi32>
  return %r : tensor<9x17xi32>
}

// CHECK-DAG: "function":"all_opposite"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_u8s8s32_9x17x1030_{{.*}}"verified":true
func.func @all_opposite(%a: tensor<9x1030xi8>, %b: tensor<1030x17xi8> {ucmoh.weight}) -> tensor<9x17xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<9x17xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<9x17xi32>) -> tensor<9x17xi32>
  %ea = tensor.empty() : tensor<9x1030xi8>
  %xa = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<9x1030xi8>) outs(%ea : tensor<9x1030xi8>) {
  ^bb0(%in: i8, %out: i8):
    %one = arith.constant 1 : i8
    %two = arith.constant 2 : i8
    %square = arith.muli %in, %in : i8
    %nil = arith.andi %square, %two : i8
    %end = arith.subi %nil, %one : i8
    linalg.yield %end : i8
  } -> tensor<9x1030xi8>
  %eb = tensor.empty() : tensor<1030x17xi8>
  %xb = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<1030x17xi8>) outs(%eb : tensor<1030x17xi8>) {
  ^bb0(%in: i8, %out: i8):
    %one = arith.constant 1 : i8
    %value = arith.constant -128 : i8
    %even = arith.shli %in, %one : i8
    %nil = arith.andi %even, %one : i8
    %end = arith.ori %nil, %value : i8
    linalg.yield %end : i8
  } -> tensor<1030x17xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%xa, %xb : tensor<9x1030xi8>, tensor<1030x17xi8>)
    outs(%init : tensor<9x17xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extui %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<9x17xi32>
  return %r : tensor<9x17xi32>
}

// CHECK-DAG: "function":"all_opposite_swapped"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_s8u8s32_9x17x1030_{{.*}}"verified":true
func.func @all_opposite_swapped(%a: tensor<9x1030xi8>, %b: tensor<1030x17xi8> {ucmoh.weight}) -> tensor<9x17xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<9x17xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<9x17xi32>) -> tensor<9x17xi32>
  %ea = tensor.empty() : tensor<9x1030xi8>
  %xa = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<9x1030xi8>) outs(%ea : tensor<9x1030xi8>) {
  ^bb0(%in: i8, %out: i8):
    %one = arith.constant 1 : i8
    %value = arith.constant -128 : i8
    %even = arith.shli %in, %one : i8
    %nil = arith.andi %even, %one : i8
    %end = arith.ori %nil, %value : i8
    linalg.yield %end : i8
  } -> tensor<9x1030xi8>
  %eb = tensor.empty() : tensor<1030x17xi8>
  %xb = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<1030x17xi8>) outs(%eb : tensor<1030x17xi8>) {
  ^bb0(%in: i8, %out: i8):
    %one = arith.constant 1 : i8
    %two = arith.constant 2 : i8
    %square = arith.muli %in, %in : i8
    %nil = arith.andi %square, %two : i8
    %end = arith.subi %nil, %one : i8
    linalg.yield %end : i8
  } -> tensor<1030x17xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%xa, %xb : tensor<9x1030xi8>, tensor<1030x17xi8>)
    outs(%init : tensor<9x17xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extsi %x : i8 to i32
    %ye = arith.extui %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<9x17xi32>
  return %r : tensor<9x17xi32>
}

// Two products are 2^31: arithmetic is modulo 2^32 on both sides.
// CHECK-DAG: "function":"wraps"{{.*}}"choice":"#ucmoh.choice<{{.*}}"workload":"matmul_s16s16s32_9x17x1030_{{.*}}"verified":true
func.func @wraps(%a: tensor<9x1030xi16>, %b: tensor<1030x17xi16> {ucmoh.weight}) -> tensor<9x17xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<9x17xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<9x17xi32>) -> tensor<9x17xi32>
  %ea = tensor.empty() : tensor<9x1030xi16>
  %xa = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<9x1030xi16>) outs(%ea : tensor<9x1030xi16>) {
  ^bb0(%in: i16, %out: i16):
    %one = arith.constant 1 : i16
    %value = arith.constant -32768 : i16
    %even = arith.shli %in, %one : i16
    %nil = arith.andi %even, %one : i16
    %end = arith.ori %nil, %value : i16
    linalg.yield %end : i16
  } -> tensor<9x1030xi16>
  %eb = tensor.empty() : tensor<1030x17xi16>
  %xb = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<1030x17xi16>) outs(%eb : tensor<1030x17xi16>) {
  ^bb0(%in: i16, %out: i16):
    %one = arith.constant 1 : i16
    %value = arith.constant -32768 : i16
    %even = arith.shli %in, %one : i16
    %nil = arith.andi %even, %one : i16
    %end = arith.ori %nil, %value : i16
    linalg.yield %end : i16
  } -> tensor<1030x17xi16>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%xa, %xb : tensor<9x1030xi16>, tensor<1030x17xi16>)
    outs(%init : tensor<9x17xi32>) {
  ^bb0(%x: i16, %y: i16, %s: i32):
    %xe = arith.extsi %x : i16 to i32
    %ye = arith.extsi %y : i16 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  } -> tensor<9x17xi32>
  return %r : tensor<9x17xi32>
}
