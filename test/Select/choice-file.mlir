// What ucmoh-candidates prints pins the best, which is the first line of a workload.
// RUN: ucmoh-candidates %s --target=x86_avx512_vnni@zen4 --model=analytic >%t.jsonl
// RUN: ucmoh-opt %s --tensorize-with-cost-model="target=x86_avx512_vnni@zen4 model=analytic" >%t.free
// RUN: ucmoh-opt %s --tensorize-with-cost-model="target=x86_avx512_vnni@zen4 model=random:5 choices=%t.jsonl" >%t.pinned
// RUN: diff %t.free %t.pinned

// @wide differs from @product in a row of lhs that is not read: the name is the same, the workload is not.
// RUN: head -n 1 %t.jsonl | sed 's/\\"analytic/\\"file/' >%t.one
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512_vnni@zen4 model=analytic choices=%t.one" | FileCheck %s --check-prefixes=CHECK,HASH
// RUN: sed 's/"workload_hash":"[0-9a-f]*"/"of":"before"/' %t.one >%t.name
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512_vnni@zen4 model=analytic choices=%t.name" | FileCheck %s --check-prefixes=CHECK,NAME

// Lines for other programs are counted; a file that has no others is worth a warning.
// RUN: echo '{"workload": "matmul_1x1x1", "choice": "#ucmoh.choice<intrinsic = @a::@b, register_tile = [1, 1], cache_tile = [1, 1, 1], order = \"nmk.nm\", pack_lhs = \"none\", pack_rhs = \"none\", predicted_seconds = 0.0, model = \"\">"}' >%t.other
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512_vnni@zen4 choices=%t.other" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: other:1:1: warning: 1 of 1 lines of '{{.*}}.other' are for no contraction here; ucmoh-candidates prints the lines of a program
// RUN: cat %t.one %t.other >%t.both
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512_vnni@zen4 choices=%t.both" --remarks-filter=ucmoh --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=SOME --implicit-check-not=warning: --implicit-check-not="no line"
// SOME-DAG: not pinned {{.*}}Function=wide {{.*}}no line of '{{.*}}.both' is for conv_{{.*}}, for which the model chooses
// SOME-DAG: 1 of 2 lines of '{{.*}}.both' are for no contraction here

#lhs = affine_map<(m, n, p, k) -> (2 * m + p, k)>
#rhs = affine_map<(m, n, p, k) -> (p, k, n)>
#acc = affine_map<(m, n, p, k) -> (m, n)>

// CHECK-LABEL: func.func @product(
// CHECK: model = "file"
func.func @product(%a: tensor<17x32xi8>, %b: tensor<3x32x16xi8> {ucmoh.weight}, %f: tensor<8x16xi32>) -> tensor<8x16xi32> {
  %r = linalg.generic {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%a, %b : tensor<17x32xi8>, tensor<3x32x16xi8>) outs(%f : tensor<8x16xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %v = arith.extsi %x : i8 to i32
    %w = arith.extsi %y : i8 to i32
    %p = arith.muli %v, %w : i32
    %s = arith.addi %z, %p : i32
    linalg.yield %s : i32
  } -> tensor<8x16xi32>
  return %r : tensor<8x16xi32>
}

// CHECK-LABEL: func.func @wide(
// HASH: model = "analytic"
// NAME: model = "file"
func.func @wide(%a: tensor<18x32xi8>, %b: tensor<3x32x16xi8> {ucmoh.weight}, %f: tensor<8x16xi32>) -> tensor<8x16xi32> {
  %r = linalg.generic {indexing_maps = [#lhs, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%a, %b : tensor<18x32xi8>, tensor<3x32x16xi8>) outs(%f : tensor<8x16xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %v = arith.extsi %x : i8 to i32
    %w = arith.extsi %y : i8 to i32
    %p = arith.muli %v, %w : i32
    %s = arith.addi %z, %p : i32
    linalg.yield %s : i32
  } -> tensor<8x16xi32>
  return %r : tensor<8x16xi32>
}

// Its body is taken apart before the choice: candidates are those of what remains.
// CHECK-LABEL: func.func @squared(
func.func @squared(%a: tensor<24x40xi8>, %b: tensor<40x16xi8> {ucmoh.weight}, %f: tensor<24x16xi32>) -> tensor<24x16xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<24x40xi8>, tensor<40x16xi8>) outs(%f : tensor<24x16xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %q = arith.muli %x, %x : i8
    %v = arith.extsi %q : i8 to i32
    %w = arith.extsi %y : i8 to i32
    %p = arith.muli %v, %w : i32
    %s = arith.addi %z, %p : i32
    linalg.yield %s : i32
  } -> tensor<24x16xi32>
  return %r : tensor<24x16xi32>
}
