// RUN: ucmoh-opt %s --ucmoh-drop-zeros --split-input-file | FileCheck %s

// Steps of 12 over an image of 10 x 20: no row but the middle one meets pixels, all three columns do.
// CHECK-LABEL: func @dilated
// CHECK-SAME: %[[IMAGE:.*]]: tensor<1x8x10x20xf32>, %[[KERNEL:.*]]: tensor<4x8x3x3xf32>
// CHECK-DAG: %[[PART:.*]] = tensor.pad %[[IMAGE]] low[0, 0, 0, 12] high[0, 0, 0, 12]
// CHECK-DAG: %[[ROW:.*]] = tensor.extract_slice %[[KERNEL]][0, 0, 1, 0] [4, 8, 1, 3] [1, 1, 1, 1]
// CHECK: linalg.conv_2d_nchw_fchw {dilations = dense<12> {{.*}} ins(%[[PART]], %[[ROW]] : tensor<1x8x10x44xf32>, tensor<4x8x1x3xf32>)
func.func @dilated(%image: tensor<1x8x10x20xf32>, %kernel: tensor<4x8x3x3xf32>, %init: tensor<1x4x10x20xf32>) -> tensor<1x4x10x20xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %image low[0, 0, 12, 12] high[0, 0, 12, 12] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x8x10x20xf32> to tensor<1x8x34x44xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<12> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%padded, %kernel : tensor<1x8x34x44xf32>, tensor<4x8x3x3xf32>) outs(%init : tensor<1x4x10x20xf32>) -> tensor<1x4x10x20xf32>
  return %r : tensor<1x4x10x20xf32>
}

// -----

// A border of the zero point adds nothing; one of another value does.
// CHECK-LABEL: func @quantized
// CHECK: linalg.conv_2d_nchw_fchw_q {{.*}} tensor<4x8x1x1xi8>
// CHECK: linalg.conv_2d_nchw_fchw_q {{.*}} tensor<4x8x3x3xi8>
func.func @quantized(%image: tensor<1x8x6x6xi8>, %kernel: tensor<4x8x3x3xi8>, %init: tensor<1x4x6x6xi32>) -> (tensor<1x4x6x6xi32>, tensor<1x4x6x6xi32>) {
  %point = arith.constant -6 : i8
  %wide = arith.constant -6 : i32
  %other = arith.constant 0 : i32
  %padded = tensor.pad %image low[0, 0, 7, 7] high[0, 0, 7, 7] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %point : i8
  } : tensor<1x8x6x6xi8> to tensor<1x8x20x20xi8>
  %r = linalg.conv_2d_nchw_fchw_q {dilations = dense<7> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%padded, %kernel, %wide, %other : tensor<1x8x20x20xi8>, tensor<4x8x3x3xi8>, i32, i32) outs(%init : tensor<1x4x6x6xi32>) -> tensor<1x4x6x6xi32>
  %s = linalg.conv_2d_nchw_fchw_q {dilations = dense<7> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%padded, %kernel, %other, %other : tensor<1x8x20x20xi8>, tensor<4x8x3x3xi8>, i32, i32) outs(%init : tensor<1x4x6x6xi32>) -> tensor<1x4x6x6xi32>
  return %r, %s : tensor<1x4x6x6xi32>, tensor<1x4x6x6xi32>
}

// -----

// All elements of a usual kernel meet pixels.
// CHECK-LABEL: func @usual
// CHECK: linalg.conv_2d_nchw_fchw {{.*}} tensor<4x8x3x3xf32>
func.func @usual(%image: tensor<1x8x6x6xf32>, %kernel: tensor<4x8x3x3xf32>, %init: tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %image low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x8x6x6xf32> to tensor<1x8x8x8xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%padded, %kernel : tensor<1x8x8x8xf32>, tensor<4x8x3x3xf32>) outs(%init : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  return %r : tensor<1x4x6x6xf32>
}

// -----

// A transposed convolution of 3 x 3 with a stride of 2: phases have 2 or 1 elements in each direction. The bias is theirs.
// CHECK-LABEL: func @transposed
// CHECK-SAME: %[[IMAGE:.*]]: tensor<1x8x5x5xf32>, %[[KERNEL:.*]]: tensor<4x8x3x3xf32>
// CHECK: tensor.extract_slice %[[KERNEL]][0, 0, 1, 1] [4, 8, 1, 1] [1, 1, 2, 2]
// CHECK: %[[A:.*]] = linalg.conv_2d_nchw_fchw {{.*}} ins(%[[IMAGE]], {{.*}} tensor<1x4x5x5xf32>
// CHECK: tensor.insert_slice %[[A]] into %{{.*}}[0, 0, 0, 0] [1, 4, 5, 5] [1, 1, 2, 2]
// CHECK: tensor.extract_slice %[[KERNEL]][0, 0, 1, 0] [4, 8, 1, 2] [1, 1, 2, 2]
// CHECK: %[[B:.*]] = linalg.conv_2d_nchw_fchw {{.*}} ins(%[[IMAGE]], {{.*}} tensor<1x4x5x4xf32>
// CHECK: tensor.insert_slice %[[B]] into %{{.*}}[0, 0, 0, 1] [1, 4, 5, 4] [1, 1, 2, 2]
// CHECK: tensor.extract_slice %[[KERNEL]][0, 0, 0, 1] [4, 8, 2, 1] [1, 1, 2, 2]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 1, 0] [1, 4, 4, 5] [1, 1, 2, 2]
// CHECK: tensor.extract_slice %[[KERNEL]][0, 0, 0, 0] [4, 8, 2, 2] [1, 1, 2, 2]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 1, 1] [1, 4, 4, 4] [1, 1, 2, 2]
func.func @transposed(%image: tensor<1x8x5x5xf32>, %kernel: tensor<4x8x3x3xf32>, %bias: tensor<4xf32>) -> tensor<1x4x9x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x11x11xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x11x11xf32>) -> tensor<1x8x11x11xf32>
  %spread = tensor.insert_slice %image into %zeros[0, 0, 1, 1] [1, 8, 5, 5] [1, 1, 2, 2] : tensor<1x8x5x5xf32> into tensor<1x8x11x11xf32>
  %o = tensor.empty() : tensor<1x4x9x9xf32>
  %init = linalg.broadcast ins(%bias : tensor<4xf32>) outs(%o : tensor<1x4x9x9xf32>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%spread, %kernel : tensor<1x8x11x11xf32>, tensor<4x8x3x3xf32>) outs(%init : tensor<1x4x9x9xf32>) -> tensor<1x4x9x9xf32>
  return %r : tensor<1x4x9x9xf32>
}

// -----

// Steps of 6 over an image of 8 x 8: two rows, four rows and two rows meet pixels with other elements, and so do columns.
// CHECK-LABEL: func @bands
// CHECK-SAME: %[[IMAGE:.*]]: tensor<1x8x8x8xf32>, %[[KERNEL:.*]]: tensor<4x8x3x3xf32>
// CHECK-NOT: tensor.pad
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[KERNEL]][0, 0, 1, 1] [4, 8, 2, 2] [1, 1, 1, 1]
// CHECK: %[[CORNER:.*]] = linalg.conv_2d_nchw_fchw {dilations = dense<6> {{.*}} ins(%[[IMAGE]], %[[PART]] : {{.*}} tensor<1x4x2x2xf32>
// CHECK: tensor.insert_slice %[[CORNER]] into %{{.*}}[0, 0, 0, 0] [1, 4, 2, 2]
// CHECK: tensor.extract_slice %[[IMAGE]][0, 0, 0, 2] [1, 8, 8, 4] [1, 1, 1, 1]
// CHECK: tensor.extract_slice %[[KERNEL]][0, 0, 1, 1] [4, 8, 2, 1] [1, 1, 1, 1]
// CHECK: tensor.extract_slice %[[IMAGE]][0, 0, 2, 2] [1, 8, 4, 4] [1, 1, 1, 1]
// CHECK: tensor.extract_slice %[[KERNEL]][0, 0, 1, 1] [4, 8, 1, 1] [1, 1, 1, 1]
// CHECK: %[[MIDDLE:.*]] = linalg.conv_2d_nchw_fchw {{.*}} tensor<1x4x4x4xf32>
// CHECK: tensor.insert_slice %[[MIDDLE]] into %{{.*}}[0, 0, 2, 2] [1, 4, 4, 4]
// CHECK-COUNT-4: linalg.conv_2d_nchw_fchw
// CHECK-NOT: linalg.conv_2d_nchw_fchw
func.func @bands(%image: tensor<1x8x8x8xf32>, %kernel: tensor<4x8x3x3xf32>, %bias: tensor<4xf32>) -> tensor<1x4x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %image low[0, 0, 6, 6] high[0, 0, 6, 6] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x8xf32> to tensor<1x8x20x20xf32>
  %o = tensor.empty() : tensor<1x4x8x8xf32>
  %init = linalg.broadcast ins(%bias : tensor<4xf32>) outs(%o : tensor<1x4x8x8xf32>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<6> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%padded, %kernel : tensor<1x8x20x20xf32>, tensor<4x8x3x3xf32>) outs(%init : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  return %r : tensor<1x4x8x8xf32>
}

// -----

// A choice was made for the convolution as it is.
// CHECK-LABEL: func @chosen
// CHECK: tensor.pad
// CHECK: linalg.conv_2d_nchw_fchw {{.*}} tensor<1x8x20x20xf32>
func.func @chosen(%image: tensor<1x8x8x8xf32>, %kernel: tensor<4x8x3x3xf32>, %init: tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %image low[0, 0, 6, 6] high[0, 0, 6, 6] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8x8xf32> to tensor<1x8x20x20xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<6> : vector<2xi64>, strides = dense<1> : vector<2xi64>, ucmoh.choice = "any"}
      ins(%padded, %kernel : tensor<1x8x20x20xf32>, tensor<4x8x3x3xf32>) outs(%init : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  return %r : tensor<1x4x8x8xf32>
}

// -----

// A transposed convolution of a line: one convolution for the even places, one for the odd ones.
// CHECK-LABEL: func @line
// CHECK-SAME: %[[LINE:.*]]: tensor<1x8x5xf32>, %[[KERNEL:.*]]: tensor<4x8x3xf32>
// CHECK: tensor.extract_slice %[[KERNEL]][0, 0, 1] [4, 8, 1] [1, 1, 2]
// CHECK: linalg.conv_1d_ncw_fcw {{.*}} ins(%[[LINE]], {{.*}} -> tensor<1x4x5xf32>
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 0] [1, 4, 5] [1, 1, 2]
// CHECK: tensor.extract_slice %[[KERNEL]][0, 0, 0] [4, 8, 2] [1, 1, 2]
// CHECK: linalg.conv_1d_ncw_fcw {{.*}} -> tensor<1x4x4xf32>
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 1] [1, 4, 4] [1, 1, 2]
func.func @line(%line: tensor<1x8x5xf32>, %kernel: tensor<4x8x3xf32>, %bias: tensor<4xf32>) -> tensor<1x4x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x11xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x11xf32>) -> tensor<1x8x11xf32>
  %spread = tensor.insert_slice %line into %zeros[0, 0, 1] [1, 8, 5] [1, 1, 2] : tensor<1x8x5xf32> into tensor<1x8x11xf32>
  %o = tensor.empty() : tensor<1x4x9xf32>
  %init = linalg.broadcast ins(%bias : tensor<4xf32>) outs(%o : tensor<1x4x9xf32>) dimensions = [0, 2]
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%spread, %kernel : tensor<1x8x11xf32>, tensor<4x8x3xf32>) outs(%init : tensor<1x4x9xf32>) -> tensor<1x4x9xf32>
  return %r : tensor<1x4x9xf32>
}

// -----

// Steps of 6 along a line of 8 places: two, four and two of them meet others with other elements.
// CHECK-LABEL: func @line_of_bands
// CHECK-NOT: tensor.pad
// CHECK-COUNT-3: linalg.conv_1d_ncw_fcw {dilations = dense<6>
// CHECK-NOT: linalg.conv_1d_ncw_fcw
func.func @line_of_bands(%line: tensor<1x8x8xf32>, %kernel: tensor<4x8x3xf32>, %init: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %line low[0, 0, 6] high[0, 0, 6] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x8x8xf32> to tensor<1x8x20xf32>
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<6> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%padded, %kernel : tensor<1x8x20xf32>, tensor<4x8x3xf32>) outs(%init : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  return %r : tensor<1x4x8xf32>
}
