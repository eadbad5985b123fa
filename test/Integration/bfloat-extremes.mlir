// Maxima and minima of bf16 in windows agree with plain loops where there are NaN of both signs, infinities and zeros of
// both signs.
// RUN: ucmoh-run %s --verify --repeat=1 --budget=0.1 --json --tolerance=1e-6 | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --budget=0.1 --json --tolerance=1e-6 --target=x86_avx2_fma | FileCheck %s

#all = affine_map<(n, h, w, c) -> (n, h, w, c)>
#channel = affine_map<(n, h, w, c) -> (c)>

// Every fifth pixel of each row has in each channel what is no number, or no usual one.
func.func private @image(%x: tensor<1x9x11x32xbf16>) -> tensor<1x9x11x32xbf16> {
  %special = arith.constant dense<[0x7FC0, 0xFFC0, 0x7F80, 0xFF80, 0x8000, 0x0000, 0x7F81, 0xFF81,
                                   0x7FFF, 0xFFFF, 0x7F7F, 0xFF7F, 0x0001, 0x8001, 0x0080, 0x8080,
                                   0x7FC0, 0xFFC0, 0x7F80, 0xFF80, 0x8000, 0x0000, 0x7F81, 0xFF81,
                                   0x7FFF, 0xFFFF, 0x7F7F, 0xFF7F, 0x0001, 0x8001, 0x0080, 0x8080]> : tensor<32xbf16>
  %five = arith.constant 5 : index
  %zero = arith.constant 0 : index
  %empty = tensor.empty() : tensor<1x9x11x32xbf16>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %special : tensor<1x9x11x32xbf16>, tensor<32xbf16>) outs(%empty : tensor<1x9x11x32xbf16>) {
  ^bb0(%a: bf16, %s: bf16, %out: bf16):
    %h = linalg.index 1 : index
    %w = linalg.index 2 : index
    %sum = arith.addi %h, %w : index
    %rest = arith.remui %sum, %five : index
    %is = arith.cmpi eq, %rest, %zero : index
    %0 = arith.select %is, %s, %a : bf16
    linalg.yield %0 : bf16
  } -> tensor<1x9x11x32xbf16>
  return %r : tensor<1x9x11x32xbf16>
}

// CHECK-DAG: "error":null,"function":"maxima"{{.*}}"verified":true
func.func @maxima(%x: tensor<1x9x11x32xbf16>) -> (tensor<1x7x9x32xbf16>, tensor<1x7x9x32xf32>) {
  %least = arith.constant 0xFF80 : bf16
  %image = func.call @image(%x) : (tensor<1x9x11x32xbf16>) -> tensor<1x9x11x32xbf16>
  %window = tensor.empty() : tensor<3x3xbf16>
  %empty = tensor.empty() : tensor<1x7x9x32xbf16>
  %first = linalg.fill ins(%least : bf16) outs(%empty : tensor<1x7x9x32xbf16>) -> tensor<1x7x9x32xbf16>
  %r = linalg.pooling_nhwc_max ins(%image, %window : tensor<1x9x11x32xbf16>, tensor<3x3xbf16>)
      outs(%first : tensor<1x7x9x32xbf16>) -> tensor<1x7x9x32xbf16>
  %kinds = func.call @kinds(%r) : (tensor<1x7x9x32xbf16>) -> tensor<1x7x9x32xf32>
  return %r, %kinds : tensor<1x7x9x32xbf16>, tensor<1x7x9x32xf32>
}

// CHECK-DAG: "error":null,"function":"minima"{{.*}}"verified":true
func.func @minima(%x: tensor<1x9x11x32xbf16>) -> (tensor<1x7x9x32xbf16>, tensor<1x7x9x32xf32>) {
  %most = arith.constant 0x7F80 : bf16
  %image = func.call @image(%x) : (tensor<1x9x11x32xbf16>) -> tensor<1x9x11x32xbf16>
  %window = tensor.empty() : tensor<3x3xbf16>
  %empty = tensor.empty() : tensor<1x7x9x32xbf16>
  %first = linalg.fill ins(%most : bf16) outs(%empty : tensor<1x7x9x32xbf16>) -> tensor<1x7x9x32xbf16>
  %r = linalg.pooling_nhwc_min ins(%image, %window : tensor<1x9x11x32xbf16>, tensor<3x3xbf16>)
      outs(%first : tensor<1x7x9x32xbf16>) -> tensor<1x7x9x32xbf16>
  %kinds = func.call @kinds(%r) : (tensor<1x7x9x32xbf16>) -> tensor<1x7x9x32xf32>
  return %r, %kinds : tensor<1x7x9x32xbf16>, tensor<1x7x9x32xf32>
}

// NaN are 2, negative numbers with zero -1, others 1.
func.func private @kinds(%x: tensor<1x7x9x32xbf16>) -> tensor<1x7x9x32xf32> {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %empty = tensor.empty() : tensor<1x7x9x32xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x7x9x32xbf16>) outs(%empty : tensor<1x7x9x32xf32>) {
  ^bb0(%a: bf16, %out: f32):
    %f = arith.extf %a : bf16 to f32
    %isNaN = arith.cmpf uno, %f, %f : f32
    %signed = math.copysign %one, %f : f32
    %0 = arith.select %isNaN, %two, %signed : f32
    linalg.yield %0 : f32
  } -> tensor<1x7x9x32xf32>
  return %r : tensor<1x7x9x32xf32>
}
