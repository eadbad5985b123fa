// A product in each type and a convolution, with what surrounds them: a function of the C library, a copy between layouts,
// an argument that is added to, open dimensions.

func.func @s8(%a: tensor<61x129xi8>, %b: tensor<129x83xi8> {ucmoh.weight}) -> tensor<61x83xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<61x83xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<61x83xi32>) -> tensor<61x83xi32>
  %r = linalg.matmul ins(%a, %b : tensor<61x129xi8>, tensor<129x83xi8>) outs(%f : tensor<61x83xi32>) -> tensor<61x83xi32>
  return %r : tensor<61x83xi32>
}

func.func @u8s8(%a: tensor<31x66xi8>, %b: tensor<66x45xi8>, %c: tensor<31x45xi32>) -> tensor<31x45xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
      affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<31x66xi8>, tensor<66x45xi8>) outs(%c : tensor<31x45xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %u = arith.extui %x : i8 to i32
    %s = arith.extsi %y : i8 to i32
    %p = arith.muli %u, %s : i32
    %q = arith.addi %z, %p : i32
    linalg.yield %q : i32
  } -> tensor<31x45xi32>
  return %r : tensor<31x45xi32>
}

func.func @f32(%a: tensor<17x33xf32>, %b: tensor<33x29xf32> {ucmoh.weight}) -> (tensor<17x29xf32>, f32) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<17x29xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<17x29xf32>) -> tensor<17x29xf32>
  %r = linalg.matmul ins(%a, %b : tensor<17x33xf32>, tensor<33x29xf32>) outs(%f : tensor<17x29xf32>) -> tensor<17x29xf32>
  %t = math.tanh %r : tensor<17x29xf32>
  %i = arith.constant 3 : index
  %x = tensor.extract %t[%i, %i] : tensor<17x29xf32>
  return %t, %x : tensor<17x29xf32>, f32
}

func.func @conv(%a: tensor<1x19x19x9xi8>, %b: tensor<3x3x9x21xi8> {ucmoh.weight}) -> tensor<1x9x9x21xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x9x9x21xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x9x9x21xi32>) -> tensor<1x9x9x21xi32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
    ins(%a, %b : tensor<1x19x19x9xi8>, tensor<3x3x9x21xi8>) outs(%f : tensor<1x9x9x21xi32>) -> tensor<1x9x9x21xi32>
  return %r : tensor<1x9x9x21xi32>
}

func.func @types(%a: tensor<?x4xf16>, %b: i64, %c: tensor<6x5xbf16>) -> (tensor<?x4xf16>, i64, tensor<2x3xbf16>) {
  %s = tensor.extract_slice %c[1, 2] [2, 3] [2, 1] : tensor<6x5xbf16> to tensor<2x3xbf16>
  return %a, %b, %s : tensor<?x4xf16>, i64, tensor<2x3xbf16>
}
