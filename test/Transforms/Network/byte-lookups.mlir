// Tables of bytes: a vector of places at a time where the target has a way, element by element elsewhere.
// RUN: ucmoh-opt %s --ucmoh-to-llvm="target=x86_avx512_vbmi" | FileCheck %s
// RUN: ucmoh-opt %s --ucmoh-to-llvm="target=x86_avx512f" | FileCheck %s --check-prefix=NONE
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 | FileCheck %s --check-prefix=EXECUTED
// RUN: ucmoh-opt %s --ucmoh-to-llvm="target=aarch64_neon" | FileCheck %s --check-prefix=NEON
// RUN: %if executes-aarch64 %{ ucmoh-run %s --target=aarch64_neon --repeat=1 --budget=0.1 | FileCheck %s --check-prefix=EXECUTED %}

// EXECUTED-COUNT-4: verified

// NONE-NOT: vpermi2var
// NEON: "llvm.aarch64.neon.tbl4.v16i8"
// NEON-COUNT-3: "llvm.aarch64.neon.tbx4.v16i8"

// Rows follow each other: one loop over all of them, and what is left under a mask. The table is loaded once.
// CHECK-LABEL: llvm.func @rows(
// CHECK: llvm.load {{.*}} -> vector<256xi8>
// CHECK: llvm.load {{.*}} -> vector<64xi8>
// CHECK-COUNT-2: "llvm.x86.avx512.vpermi2var.qi.512"
// CHECK: llvm.store {{.*}} : vector<64xi8>
// CHECK: llvm.intr.masked.load
// CHECK-COUNT-2: "llvm.x86.avx512.vpermi2var.qi.512"
// CHECK: llvm.intr.masked.store
// CHECK-NOT: llvm.intr.masked.store
func.func @rows(%x: tensor<7x9x72xi8>, %table: tensor<256xi8>) -> tensor<7x9x72xi8> {
  %empty = tensor.empty() : tensor<7x9x72xi8>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<7x9x72xi8>) outs(%empty : tensor<7x9x72xi8>) {
  ^bb0(%in: i8, %out: i8):
    %place = arith.index_castui %in : i8 to index
    %found = tensor.extract %table[%place] : tensor<256xi8>
    linalg.yield %found : i8
  } -> tensor<7x9x72xi8>
  return %0 : tensor<7x9x72xi8>
}

// Rows of open length in another order, and what is computed before and after the look-up.
// CHECK-LABEL: llvm.func @around(
// CHECK: llvm.add {{.*}} : vector<64xi8>
// CHECK: "llvm.x86.avx512.vpermi2var.qi.512"
// CHECK: llvm.sext {{.*}} : vector<64xi8> to vector<64xi32>
func.func @around(%x: tensor<3x5x?xi8>, %table: tensor<256xi8>, %bias: tensor<3xi32>) -> tensor<5x3x?xi32> {
  %c1 = arith.constant 1 : i8
  %c2 = arith.constant 2 : index
  %length = tensor.dim %x, %c2 : tensor<3x5x?xi8>
  %empty = tensor.empty(%length) : tensor<5x3x?xi32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(a, b, c) -> (b, a, c)>, affine_map<(a, b, c) -> (b)>, affine_map<(a, b, c) -> (a, b, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %bias : tensor<3x5x?xi8>, tensor<3xi32>) outs(%empty : tensor<5x3x?xi32>) {
  ^bb0(%in: i8, %add: i32, %out: i32):
    %next = arith.addi %in, %c1 : i8
    %place = arith.index_castui %next : i8 to index
    %found = tensor.extract %table[%place] : tensor<256xi8>
    %wide = arith.extsi %found : i8 to i32
    %sum = arith.addi %wide, %add : i32
    linalg.yield %sum : i32
  } -> tensor<5x3x?xi32>
  return %0 : tensor<5x3x?xi32>
}

// Not by vectors: two look-ups one after the other, and tables of another length.
// CHECK-LABEL: llvm.func @others(
// CHECK-NOT: vpermi2var
func.func @others(%x: tensor<64x64xi8>, %table: tensor<256xi8>, %short: tensor<128xi8>) -> (tensor<64x64xi8>, tensor<64x64xi8>) {
  %c127 = arith.constant 127 : i8
  %empty = tensor.empty() : tensor<64x64xi8>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xi8>) outs(%empty : tensor<64x64xi8>) {
  ^bb0(%in: i8, %out: i8):
    %place = arith.index_castui %in : i8 to index
    %found = tensor.extract %table[%place] : tensor<256xi8>
    %again = arith.index_castui %found : i8 to index
    %last = tensor.extract %table[%again] : tensor<256xi8>
    linalg.yield %last : i8
  } -> tensor<64x64xi8>
  %1 = linalg.generic {
      indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xi8>) outs(%empty : tensor<64x64xi8>) {
  ^bb0(%in: i8, %out: i8):
    %part = arith.andi %in, %c127 : i8
    %place = arith.index_castui %part : i8 to index
    %found = tensor.extract %short[%place] : tensor<128xi8>
    linalg.yield %found : i8
  } -> tensor<64x64xi8>
  return %0, %1 : tensor<64x64xi8>, tensor<64x64xi8>
}

// Nor is one place for all elements.
// CHECK-LABEL: llvm.func @same(
// CHECK-NOT: vpermi2var
func.func @same(%x: tensor<64x64xi8>, %places: tensor<2xi8>, %table: tensor<256xi8>) -> tensor<64x64xi8> {
  %c1 = arith.constant 1 : index
  %one = tensor.extract %places[%c1] : tensor<2xi8>
  %place = arith.index_castui %one : i8 to index
  %empty = tensor.empty() : tensor<64x64xi8>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xi8>) outs(%empty : tensor<64x64xi8>) {
  ^bb0(%in: i8, %out: i8):
    %found = tensor.extract %table[%place] : tensor<256xi8>
    %sum = arith.addi %in, %found : i8
    linalg.yield %sum : i8
  } -> tensor<64x64xi8>
  return %0 : tensor<64x64xi8>
}
