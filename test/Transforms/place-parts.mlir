// RUN: ucmoh-opt %s --ucmoh-place-parts --split-input-file | FileCheck %s
// RUN: ucmoh-opt %s --tensorize-with-cost-model --split-input-file | FileCheck %s --check-prefix=KERNELS

#id = affine_map<(a, b, c, d) -> (a, b, c, d)>

// A convolution, and what joins it, write into the border of the next one's image.
// CHECK-LABEL: func @border
// CHECK: %[[BUFFER:.*]] = bufferization.alloc_tensor() : tensor<1x10x10x16xf32>
// CHECK-COUNT-4: linalg.fill
// CHECK: %[[BORDERED:.*]] = tensor.insert_slice {{.*}}[0, 1, 9, 0] [1, 8, 1, 16]
// CHECK: %[[RELU:.*]] = linalg.generic
// CHECK: %[[PART:.*]] = tensor.collapse_shape %[[RELU]]
// CHECK: %[[IMAGE:.*]] = tensor.insert_slice %[[PART]] into %[[BORDERED]][0, 1, 1, 0] [1, 8, 8, 16] [1, 1, 1, 1]
// CHECK-NOT: tensor.pad
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}} ins(%[[IMAGE]],
// KERNELS-LABEL: func @border
// KERNELS: %[[PLACE:.*]] = tensor.extract_slice {{.*}}[0, 1, 1, 0] [1, 8, 8, 16] [1, 1, 1, 1]
// KERNELS: ucmoh.kernel "contract" {{.*}} outs(%[[PLACE]] :
func.func @border(%x: tensor<1x10x10x16xf32>, %w: tensor<3x3x16x16xf32> {ucmoh.weight}, %v: tensor<3x3x16x16xf32> {ucmoh.weight}) -> tensor<1x8x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : tensor<1x10x10x16xf32>, tensor<3x3x16x16xf32>) outs(%init : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %relu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r : tensor<1x8x8x16xf32>) outs(%e : tensor<1x8x8x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.maximumf %in, %zero : f32
    linalg.yield %y : f32
  } -> tensor<1x8x8x16xf32>
  %padded = tensor.pad %relu low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x16xf32> to tensor<1x10x10x16xf32>
  %s = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%padded, %v : tensor<1x10x10x16xf32>, tensor<3x3x16x16xf32>) outs(%init : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  return %s : tensor<1x8x8x16xf32>
}

// -----

// Both phases and a branch that others need go into one buffer, the latter where the whole is needed.
// CHECK-LABEL: func @concatenation
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<8x16xf32>, %[[BRANCH:.*]]: tensor<8x16xf32>
// CHECK: %[[BUFFER:.*]] = bufferization.alloc_tensor() : tensor<8x32xf32>
// CHECK: %[[FIRST:.*]] = linalg.matmul
// CHECK: %[[ONE:.*]] = tensor.insert_slice %[[FIRST]] into %[[BUFFER]][0, 16] [4, 16] [2, 1]
// CHECK: %[[SECOND:.*]] = linalg.matmul
// CHECK: %[[TWO:.*]] = tensor.insert_slice %[[SECOND]] into %[[ONE]][1, 16] [4, 16] [2, 1]
// CHECK: %[[ALL:.*]] = tensor.insert_slice %[[BRANCH]] into %[[TWO]][0, 0] [8, 16] [1, 1]
// CHECK-NOT: tensor.concat
// CHECK: return %[[ALL]]
func.func @concatenation(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %branch: tensor<8x16xf32>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %first = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%init : tensor<4x16xf32>) -> tensor<4x16xf32>
  %whole = tensor.empty() : tensor<8x16xf32>
  %one = tensor.insert_slice %first into %whole[0, 0] [4, 16] [2, 1] : tensor<4x16xf32> into tensor<8x16xf32>
  %second = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%init : tensor<4x16xf32>) -> tensor<4x16xf32>
  %two = tensor.insert_slice %second into %one[1, 0] [4, 16] [2, 1] : tensor<4x16xf32> into tensor<8x16xf32>
  %all = tensor.concat dim(1) %branch, %two : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
  return %all : tensor<8x32xf32>
}

// -----

// What was inserted later hides a part of what was inserted before: the order matters, and stays.
// CHECK-LABEL: func @overlap
// CHECK: tensor.insert_slice {{.*}} tensor<4x16xf32> into tensor<6x16xf32>
// CHECK: tensor.insert_slice {{.*}} tensor<4x16xf32> into tensor<6x16xf32>
// CHECK: tensor.insert_slice {{.*}} tensor<6x16xf32> into tensor<8x16xf32>
func.func @overlap(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %first = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%init : tensor<4x16xf32>) -> tensor<4x16xf32>
  %inner = tensor.empty() : tensor<6x16xf32>
  %one = tensor.insert_slice %first into %inner[0, 0] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<6x16xf32>
  %two = tensor.insert_slice %c into %one[2, 0] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<6x16xf32>
  %outer = tensor.empty() : tensor<8x16xf32>
  %all = tensor.insert_slice %two into %outer[1, 0] [6, 16] [1, 1] : tensor<6x16xf32> into tensor<8x16xf32>
  return %all : tensor<8x16xf32>
}

// -----



// A dense network reads its features as far as there are any. Each is written once.
// CHECK-LABEL: func @growing
// CHECK: %[[BUFFER:.*]] = bufferization.alloc_tensor() : tensor<8x48xf32>
// CHECK-NEXT: %[[A:.*]] = linalg.matmul
// CHECK-NEXT: %[[ONE:.*]] = tensor.insert_slice %[[A]] into %[[BUFFER]][0, 0]
// CHECK: %[[B:.*]] = linalg.matmul
// CHECK-NEXT: %[[TWO:.*]] = tensor.insert_slice %[[B]] into %[[ONE]][0, 16]
// CHECK: %[[BOTH:.*]] = tensor.extract_slice %[[TWO]][0, 0] [8, 32] [1, 1]
// CHECK: %[[C:.*]] = linalg.matmul ins(%[[BOTH]],
// CHECK-NEXT: %[[ALL:.*]] = tensor.insert_slice %[[C]] into %[[TWO]][0, 32]
// CHECK-NOT: tensor.concat
// CHECK: return %[[ALL]]
func.func @growing(%x: tensor<8x16xf32>, %u: tensor<16x16xf32>, %v: tensor<16x16xf32>, %w: tensor<32x16xf32>) -> tensor<8x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %a = linalg.matmul ins(%x, %u : tensor<8x16xf32>, tensor<16x16xf32>) outs(%init : tensor<8x16xf32>) -> tensor<8x16xf32>
  %b = linalg.matmul ins(%a, %v : tensor<8x16xf32>, tensor<16x16xf32>) outs(%init : tensor<8x16xf32>) -> tensor<8x16xf32>
  %ab = tensor.concat dim(1) %a, %b : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
  %c = linalg.matmul ins(%ab, %w : tensor<8x32xf32>, tensor<32x16xf32>) outs(%init : tensor<8x16xf32>) -> tensor<8x16xf32>
  %abc = tensor.concat dim(1) %a, %b, %c : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x48xf32>
  return %abc : tensor<8x48xf32>
}

// What reads the first two after the third has been computed would have to be told from all three.
// CHECK-LABEL: func @late
// CHECK: tensor.concat
func.func @late(%x: tensor<8x16xf32>, %u: tensor<16x16xf32>, %v: tensor<16x16xf32>) -> (tensor<8x32xf32>, tensor<8x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %a = linalg.matmul ins(%x, %u : tensor<8x16xf32>, tensor<16x16xf32>) outs(%init : tensor<8x16xf32>) -> tensor<8x16xf32>
  %b = linalg.matmul ins(%a, %v : tensor<8x16xf32>, tensor<16x16xf32>) outs(%init : tensor<8x16xf32>) -> tensor<8x16xf32>
  %ab = tensor.concat dim(1) %a, %b : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
  %c = linalg.matmul ins(%b, %u : tensor<8x16xf32>, tensor<16x16xf32>) outs(%init : tensor<8x16xf32>) -> tensor<8x16xf32>
  %abc = tensor.concat dim(1) %a, %b, %c : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x48xf32>
  return %ab, %abc : tensor<8x32xf32>, tensor<8x48xf32>
}

// -----

#id = affine_map<(a, b, c, d) -> (a, b, c, d)>

// The kernel of the first of two convolutions adds both and writes into the border. Rows of the other one's result join,
// for the choice as for the kernel.
// CHECK-LABEL: func @sum
// KERNELS-LABEL: func @sum
// KERNELS-COUNT-3: ucmoh.kernel "contract"
func.func @sum(%x: tensor<1x14x14x128xf32>, %y: tensor<1x14x14x64xf32>, %w: tensor<1x1x128x512xf32> {ucmoh.weight}, %v: tensor<1x1x64x512xf32> {ucmoh.weight}, %u: tensor<3x3x512x16xf32> {ucmoh.weight}) -> tensor<1x14x14x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x14x14x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x14x14x512xf32>) -> tensor<1x14x14x512xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x14x14x128xf32>, tensor<1x1x128x512xf32>) outs(%init : tensor<1x14x14x512xf32>) -> tensor<1x14x14x512xf32>
  %s = linalg.conv_2d_nhwc_hwcf ins(%y, %v : tensor<1x14x14x64xf32>, tensor<1x1x64x512xf32>) outs(%init : tensor<1x14x14x512xf32>) -> tensor<1x14x14x512xf32>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r, %s : tensor<1x14x14x512xf32>, tensor<1x14x14x512xf32>) outs(%e : tensor<1x14x14x512xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<1x14x14x512xf32>
  %padded = tensor.pad %sum low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x14x14x512xf32> to tensor<1x16x16x512xf32>
  %f = tensor.empty() : tensor<1x14x14x16xf32>
  %start = linalg.fill ins(%zero : f32) outs(%f : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>
  %q = linalg.conv_2d_nhwc_hwcf ins(%padded, %u : tensor<1x16x16x512xf32>, tensor<3x3x512x16xf32>) outs(%start : tensor<1x14x14x16xf32>) -> tensor<1x14x14x16xf32>
  return %q : tensor<1x14x14x16xf32>
}

// -----

#id = affine_map<(a, b, c, d) -> (a, b, c, d)>

// An activation that no kernel takes in writes into the border, too.
// CHECK-LABEL: func @loops
// CHECK: %[[RELU:.*]] = linalg.generic
// CHECK: %[[PART:.*]] = tensor.collapse_shape %[[RELU]]
// CHECK: %[[IMAGE:.*]] = tensor.insert_slice %[[PART]] into %{{.*}}[0, 1, 1, 0] [1, 8, 8, 16] [1, 1, 1, 1]
// CHECK-NOT: tensor.pad
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}} ins(%[[IMAGE]],
func.func @loops(%x: tensor<1x8x8x16xf32>, %v: tensor<3x3x16x16xf32> {ucmoh.weight}) -> tensor<1x8x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %relu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x8x8x16xf32>) outs(%e : tensor<1x8x8x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.maximumf %in, %zero : f32
    linalg.yield %y : f32
  } -> tensor<1x8x8x16xf32>
  %padded = tensor.pad %relu low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x16xf32> to tensor<1x10x10x16xf32>
  %s = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%padded, %v : tensor<1x10x10x16xf32>, tensor<3x3x16x16xf32>) outs(%init : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  return %s : tensor<1x8x8x16xf32>
}

// -----

#id = affine_map<(a, b, c, d) -> (a, b, c, d)>

// What the border consists of is computed in front of the image, even if it stood behind it.
// CHECK-LABEL: func @late_zero
// CHECK-SAME: %[[Z:.*]]: f32,
// CHECK: %[[ZERO:.*]] = arith.negf %[[Z]]
// CHECK: linalg.fill ins(%[[ZERO]] : f32)
// CHECK: %[[RELU:.*]] = linalg.generic
// CHECK: %[[PART:.*]] = tensor.collapse_shape %[[RELU]]
// CHECK: %[[IMAGE:.*]] = tensor.insert_slice %[[PART]] into %{{.*}}[0, 1, 1, 0] [1, 8, 8, 16] [1, 1, 1, 1]
// CHECK-NOT: tensor.pad
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}} ins(%[[IMAGE]],
func.func @late_zero(%z: f32, %x: tensor<1x8x8x16xf32>, %v: tensor<3x3x16x16xf32> {ucmoh.weight}) -> tensor<1x8x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %relu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x8x8x16xf32>) outs(%e : tensor<1x8x8x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.maximumf %in, %zero : f32
    linalg.yield %y : f32
  } -> tensor<1x8x8x16xf32>
  %late = arith.negf %z : f32
  %padded = tensor.pad %relu low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %late : f32
  } : tensor<1x8x8x16xf32> to tensor<1x10x10x16xf32>
  %s = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%padded, %v : tensor<1x10x10x16xf32>, tensor<3x3x16x16xf32>) outs(%init : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  return %s : tensor<1x8x8x16xf32>
}
