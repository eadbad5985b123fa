// What depends on weights alone moves to @NAME.pack, which is run once.
// RUN: ucmoh-opt %s --ucmoh-hoist-weights --split-input-file | FileCheck %s
// Once more moves nothing.
// RUN: ucmoh-opt %s --ucmoh-hoist-weights --ucmoh-hoist-weights --split-input-file | FileCheck %s --implicit-check-not=.pack.pack

#id = affine_map<(i, j) -> (i, j)>
#swap = affine_map<(i, j) -> (j, i)>

// The transposed weight becomes an argument in place of the weight; what depends on %x stays.
// CHECK-LABEL: func.func @computed(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32> {ucmoh.arg = 0 : i64}
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<8x16xf32> {ucmoh.packed = 0 : i64}) -> tensor<4x16xf32>
// CHECK-NOT: linalg.generic
// CHECK: linalg.matmul ins(%[[X]], %[[P]]
// CHECK: return
// CHECK: func.func @computed.pack(
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<16x8xf32> {ucmoh.arg = 1 : i64, ucmoh.weight}) -> tensor<8x16xf32>
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%[[W]]
// CHECK: return %[[T]]
// CHECK-NOT: linalg.matmul
func.func @computed(%x: tensor<4x8xf32>, %w: tensor<16x8xf32> {ucmoh.weight}) -> tensor<4x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %t = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<16x8xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x16xf32>
  %zero = arith.constant 0.0 : f32
  %to = tensor.empty() : tensor<4x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%to : tensor<4x16xf32>) -> tensor<4x16xf32>
  %r = linalg.matmul ins(%x, %t : tensor<4x8xf32>, tensor<8x16xf32>) outs(%f : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

// A constant is a weight too. A chain moves as a whole: only its end is passed.
// CHECK-LABEL: func.func @constant(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x2xf32> {ucmoh.arg = 0 : i64}
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<2x2xf32> {ucmoh.packed = 0 : i64})
// CHECK-NEXT: %[[R:.*]] = arith.addf %[[X]], %[[P]]
// CHECK-NEXT: return %[[R]]
// CHECK: func.func @constant.pack() -> tensor<2x2xf32>
// CHECK: arith.constant dense<
// CHECK: math.exp
// CHECK: math.sqrt
// CHECK: return
func.func @constant(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %c = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %e = math.exp %c : tensor<2x2xf32>
  %s = math.sqrt %e : tensor<2x2xf32>
  %r = arith.addf %x, %s : tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// A weight that is also used as it is stays an argument besides.
// CHECK-LABEL: func.func @both(
// CHECK-SAME: tensor<2x2xf32> {ucmoh.arg = 0 : i64}
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<2x2xf32> {ucmoh.arg = 1 : i64, ucmoh.weight}
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<2x2xf32> {ucmoh.packed = 0 : i64})
// CHECK: arith.addf %{{.*}}, %[[P]]
// CHECK: arith.mulf %{{.*}}, %[[W]]
// CHECK: func.func @both.pack(
func.func @both(%x: tensor<2x2xf32>, %w: tensor<2x2xf32> {ucmoh.weight}) -> tensor<2x2xf32> {
  %e = math.exp %w : tensor<2x2xf32>
  %a = arith.addf %x, %e : tensor<2x2xf32>
  %r = arith.mulf %a, %w : tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----

// Nothing to gain: another shape of a weight, a splat, what depends on an argument.
// CHECK-LABEL: func.func @nothing(
// CHECK-NOT: ucmoh.packed
// CHECK: tensor.collapse_shape
// CHECK-NOT: .pack
func.func @nothing(%x: tensor<4xf32>, %w: tensor<2x2xf32> {ucmoh.weight}) -> tensor<4xf32> {
  %v = tensor.collapse_shape %w [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %e = math.exp %one : tensor<4xf32>
  %a = arith.addf %x, %v : tensor<4xf32>
  %b = arith.addf %a, %e : tensor<4xf32>
  %c = math.exp %b : tensor<4xf32>
  return %c : tensor<4xf32>
}

// -----

// The signature of a function that others call, or that is private, is not ours to change.
// CHECK-LABEL: func.func @called(
// CHECK-SAME: tensor<2xf32> {ucmoh.weight}) -> tensor<2xf32>
// CHECK-NOT: .pack
// CHECK: func.func @caller(
// CHECK-NOT: .pack
// CHECK: func.func private @hidden(
// CHECK-NOT: .pack
func.func @called(%x: tensor<2xf32>, %w: tensor<2xf32> {ucmoh.weight}) -> tensor<2xf32> {
  %e = math.exp %w : tensor<2xf32>
  %r = arith.addf %x, %e : tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func @caller(%x: tensor<2xf32>, %w: tensor<2xf32>) -> tensor<2xf32> {
  %r = call @called(%x, %w) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func private @hidden(%x: tensor<2xf32>, %w: tensor<2xf32> {ucmoh.weight}) -> tensor<2xf32> {
  %e = math.exp %w : tensor<2xf32>
  %r = arith.addf %x, %e : tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// A bias is broadcast where it is read: what is packed is not as large as an image.
// CHECK-LABEL: func.func @broadcast(
// CHECK-SAME: %{{[^:]*}}: tensor<64x4xf32>
// CHECK-SAME: %[[PACKED:[^:]*]]: tensor<4xf32>
// CHECK: linalg.broadcast ins(%[[PACKED]]
// CHECK: func.func @broadcast.pack
// CHECK: math.exp
// CHECK-NOT: linalg.broadcast
func.func @broadcast(%x: tensor<64x4xf32>, %w: tensor<4xf32> {ucmoh.weight}) -> tensor<64x4xf32> {
  %e = math.exp %w : tensor<4xf32>
  %empty = tensor.empty() : tensor<64x4xf32>
  %b = linalg.broadcast ins(%e : tensor<4xf32>) outs(%empty : tensor<64x4xf32>) dimensions = [0]
  %r = arith.addf %x, %b : tensor<64x4xf32>
  return %r : tensor<64x4xf32>
}

// -----

// A weight that a loop over steps transposes in each of them is transposed ahead of all; what depends on the state stays.
// CHECK-LABEL: func.func @steps(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32> {ucmoh.arg = 0 : i64}
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<8x8xf32> {ucmoh.packed = 0 : i64}) -> tensor<4x8xf32>
// CHECK: scf.for {{.*}} iter_args(%[[STATE:.*]] = %[[X]])
// CHECK-NOT: linalg.transpose
// CHECK: linalg.matmul ins(%[[STATE]], %[[P]]
// CHECK: func.func @steps.pack(
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<8x8xf32> {ucmoh.arg = 1 : i64, ucmoh.weight}) -> tensor<8x8xf32>
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[W]]
// CHECK: return %[[T]]
func.func @steps(%x: tensor<4x8xf32>, %w: tensor<8x8xf32> {ucmoh.weight}) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%state = %x) -> (tensor<4x8xf32>) {
    %e = tensor.empty() : tensor<8x8xf32>
    %t = linalg.transpose ins(%w : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
    %to = tensor.empty() : tensor<4x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%to : tensor<4x8xf32>) -> tensor<4x8xf32>
    %p = linalg.matmul ins(%state, %t : tensor<4x8xf32>, tensor<8x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
    scf.yield %p : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}

// -----

// What each iteration makes of its own weights is made ahead for all of them; the loop reads a slice. Slices of weights, and
// what an iteration makes of its number alone, stay.
// CHECK-LABEL: func.func @experts(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32> {ucmoh.arg = 0 : i64}
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<3x4x8xf32> {ucmoh.arg = 2 : i64, ucmoh.weight}
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<3x8x8xf32> {ucmoh.packed = 0 : i64}) -> tensor<4x8xf32>
// CHECK: scf.for %[[I:.*]] = %{{.*}} iter_args(%[[STATE:.*]] = %[[X]])
// CHECK: %[[OWN:.*]] = tensor.extract_slice %[[P]][%[[I]], 0, 0] [1, 8, 8] [1, 1, 1]
// CHECK-NOT: linalg.transpose
// CHECK: %[[BIAS:.*]] = tensor.extract_slice %[[B]][%[[I]], 0, 0]
// CHECK: linalg.matmul ins(%[[STATE]], %[[OWN]]
// CHECK-SAME: outs(%[[BIAS]]
// CHECK: func.func @experts.pack(
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<3x8x8xf32>
// CHECK: %[[ALL:.*]] = scf.for %[[J:.*]] = %{{.*}} iter_args(%[[SO_FAR:.*]] = %{{.*}}) -> (tensor<3x8x8xf32>)
// CHECK: tensor.extract_slice %[[W]][%[[J]], 0, 0]
// CHECK: %[[T:.*]] = linalg.transpose
// CHECK: tensor.insert_slice %[[T]] into %[[SO_FAR]][%[[J]], 0, 0]
// CHECK: return %[[ALL]]
func.func @experts(%x: tensor<4x8xf32>, %w: tensor<3x8x8xf32> {ucmoh.weight}, %b: tensor<3x4x8xf32> {ucmoh.weight}) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%state = %x) -> (tensor<4x8xf32>) {
    %own = tensor.extract_slice %w[%i, 0, 0] [1, 8, 8] [1, 1, 1] : tensor<3x8x8xf32> to tensor<8x8xf32>
    %bias = tensor.extract_slice %b[%i, 0, 0] [1, 4, 8] [1, 1, 1] : tensor<3x4x8xf32> to tensor<4x8xf32>
    %e = tensor.empty() : tensor<8x8xf32>
    %t = linalg.transpose ins(%own : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
    %p = linalg.matmul ins(%state, %t : tensor<4x8xf32>, tensor<8x8xf32>) outs(%bias : tensor<4x8xf32>) -> tensor<4x8xf32>
    scf.yield %p : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}

// -----

// Where the number of iterations is no constant, or a small weight would become a large tensor, nothing moves out.
// CHECK-LABEL: func.func @open_loop(
// CHECK-NOT: ucmoh.packed
// CHECK: scf.for
// CHECK: linalg.transpose
// CHECK: linalg.broadcast
// CHECK-NOT: .pack
func.func @open_loop(%x: tensor<64x8xf32>, %n: index, %w: tensor<3x8x8xf32> {ucmoh.weight}, %s: tensor<3x8xf32> {ucmoh.weight}) -> tensor<64x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%state = %x) -> (tensor<64x8xf32>) {
    %own = tensor.extract_slice %w[%i, 0, 0] [1, 8, 8] [1, 1, 1] : tensor<3x8x8xf32> to tensor<8x8xf32>
    %e = tensor.empty() : tensor<8x8xf32>
    %t = linalg.transpose ins(%own : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
    %p = linalg.matmul ins(%state, %t : tensor<64x8xf32>, tensor<8x8xf32>) outs(%state : tensor<64x8xf32>) -> tensor<64x8xf32>
    scf.yield %p : tensor<64x8xf32>
  }
  %q = scf.for %i = %c0 to %c3 step %c1 iter_args(%state = %r) -> (tensor<64x8xf32>) {
    %row = tensor.extract_slice %s[%i, 0] [1, 8] [1, 1] : tensor<3x8xf32> to tensor<8xf32>
    %e = tensor.empty() : tensor<64x8xf32>
    %b = linalg.broadcast ins(%row : tensor<8xf32>) outs(%e : tensor<64x8xf32>) dimensions = [0]
    %a = arith.addf %state, %b : tensor<64x8xf32>
    scf.yield %a : tensor<64x8xf32>
  }
  return %q : tensor<64x8xf32>
}

// -----

// A loop over weights alone is made ahead as a whole, with what it carries.
// CHECK-LABEL: func.func @constant_loop(
// CHECK-SAME: tensor<4x8xf32> {ucmoh.packed = 0 : i64}
// CHECK-NOT: scf.for
// CHECK: arith.addf
// CHECK: func.func @constant_loop.pack(
// CHECK: scf.for
// CHECK: math.exp
// CHECK-NOT: scf.for
func.func @constant_loop(%x: tensor<4x8xf32>, %w: tensor<3x4x8xf32> {ucmoh.weight}, %s: tensor<4x8xf32> {ucmoh.weight}) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%state = %s) -> (tensor<4x8xf32>) {
    %own = tensor.extract_slice %w[%i, 0, 0] [1, 4, 8] [1, 1, 1] : tensor<3x4x8xf32> to tensor<4x8xf32>
    %sum = arith.addf %own, %state : tensor<4x8xf32>
    %next = math.exp %sum : tensor<4x8xf32>
    scf.yield %next : tensor<4x8xf32>
  }
  %a = arith.addf %x, %r : tensor<4x8xf32>
  return %a : tensor<4x8xf32>
}
