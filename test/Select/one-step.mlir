// Loops of one step may index one operand alone, and the weights of one channel stay on the right.
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512_vnni@zen4 model=analytic" --remarks-filter=ucmoh --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s

#line = affine_map<(n, h, c) -> (n, h, c)>
#image = affine_map<(n, h, w, f, r, s, c) -> (n, h + r, w + s, c)>
#kernel = affine_map<(n, h, w, f, r, s, c) -> (f, c, r, s)>
#result = affine_map<(n, h, w, f, r, s, c) -> (n, h, w, f)>

// CHECK: chosen {{.*}}Function=line {{.*}}Remark="conv_u8s8s32_1x256x1x64x1x3x64_
func.func @line(%line: tensor<1x258x64xi8>, %kernel: tensor<64x64x3x1xi8> {ucmoh.weight}, %init: tensor<1x256x1x64xi32>) -> tensor<1x256x1x64xi32> {
  %least = arith.constant -128 : i8
  %empty = tensor.empty() : tensor<1x258x64xi8>
  %signed = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%line : tensor<1x258x64xi8>) outs(%empty : tensor<1x258x64xi8>) {
  ^bb0(%a: i8, %out: i8):
    %x = arith.addi %a, %least : i8
    linalg.yield %x : i8
  } -> tensor<1x258x64xi8>
  %image = tensor.expand_shape %signed [[0], [1, 2], [3]] output_shape [1, 258, 1, 64] : tensor<1x258x64xi8> into tensor<1x258x1x64xi8>
  %r = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%image, %kernel : tensor<1x258x1x64xi8>, tensor<64x64x3x1xi8>) outs(%init : tensor<1x256x1x64xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %x = arith.extsi %a : i8 to i32
    %y = arith.extsi %b : i8 to i32
    %p = arith.muli %x, %y : i32
    %s = arith.addi %acc, %p : i32
    linalg.yield %s : i32
  } -> tensor<1x256x1x64xi32>
  return %r : tensor<1x256x1x64xi32>
}

// CHECK: chosen {{.*}}Function=channel {{.*}}Remark="conv_u8s8s32_1x256x1x1x3x1x64_
func.func @channel(%image: tensor<1x258x1x64xi8>, %kernel: tensor<1x64x3x1xi8> {ucmoh.weight}, %init: tensor<1x256x1x1xi32>) -> tensor<1x256x1x1xi32> {
  %r = linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%image, %kernel : tensor<1x258x1x64xi8>, tensor<1x64x3x1xi8>) outs(%init : tensor<1x256x1x1xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %x = arith.extui %a : i8 to i32
    %y = arith.extsi %b : i8 to i32
    %p = arith.muli %x, %y : i32
    %s = arith.addi %acc, %p : i32
    linalg.yield %s : i32
  } -> tensor<1x256x1x1xi32>
  return %r : tensor<1x256x1x1xi32>
}
