// Exponentials and softmaxes of what is no number, of infinities and of the ends of the range of floats agree with
// plain loops, which call the math library.
// RUN: ucmoh-run %s --verify --repeat=1 --budget=0.1 --json | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --budget=0.1 --json --target=x86_avx2_fma | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --budget=0.1 --json --entry=inverses --tolerance=1e-6 | FileCheck %s --check-prefix=INVERSES

#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#id = affine_map<(i) -> (i)>

// Powers and their inverses: their products are 1 up to a few of the last bits.
// INVERSES: "error":null,"function":"inverses"{{.*}}"verified":true
func.func @inverses(%x: tensor<5003xf32>) -> tensor<5003xf32> {
  %most = arith.constant 20.0 : f32
  %empty = tensor.empty() : tensor<5003xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<5003xf32>) outs(%empty : tensor<5003xf32>) {
  ^bb0(%a: f32, %out: f32):
    %power = arith.mulf %a, %most : f32
    %opposite = arith.negf %power : f32
    %0 = math.exp %power : f32
    %1 = math.exp %opposite : f32
    %2 = arith.mulf %0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<5003xf32>
  return %r : tensor<5003xf32>
}

// The largest finite result, infinite ones, the least that is no 0, and 0. What is no finite number would not compare.
// CHECK-DAG: "error":null,"function":"ends"{{.*}}"verified":true
func.func @ends(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %powers = arith.constant dense<[88.72, 88.73, 89.5, 500.0, 0x7F800000, 88.4, 88.0, 0.0,
                                  -86.9, -104.0, -500.0, 0xFF800000, 0x7FC00000, 0xFFC00001, 0x7FC12345, -0.0]> : tensor<16xf32>
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %infinite = arith.constant 0x7F800000 : f32
  %small = arith.constant 2.9e-39 : f32
  %empty = tensor.empty() : tensor<16xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %powers : tensor<16xf32>, tensor<16xf32>) outs(%empty, %empty : tensor<16xf32>, tensor<16xf32>) {
  ^bb0(%a: f32, %power: f32, %o0: f32, %o1: f32):
    %nothing = arith.mulf %a, %zero : f32 // so that nothing is folded
    %of = arith.addf %power, %nothing : f32
    %0 = math.exp %of : f32
    %isNaN = arith.cmpf uno, %0, %0 : f32
    %isInfinite = arith.cmpf oeq, %0, %infinite : f32
    %isSome = arith.cmpf ogt, %0, %zero : f32
    %1 = arith.mulf %0, %small : f32
    %2 = arith.select %isInfinite, %two, %1 : f32
    %3 = arith.select %isNaN, %three, %2 : f32
    %4 = arith.select %isSome, %one, %zero : f32
    linalg.yield %3, %4 : f32, f32
  } -> (tensor<16xf32>, tensor<16xf32>)
  return %r#0, %r#1 : tensor<16xf32>, tensor<16xf32>
}

// Rows with NaN, masks, infinities and large numbers. The last elements are behind the last whole vector.
func.func private @extremes(%x: tensor<10x77xf32>) -> tensor<10x77xf32> {
  %nan = arith.constant 0x7FC00000 : f32
  %infinite = arith.constant 0x7F800000 : f32
  %least = arith.constant 0xFF800000 : f32
  %low = arith.constant -3.4e38 : f32
  %large = arith.constant 3.0e38 : f32
  %many = arith.constant 200.0 : f32
  %empty = tensor.empty() : tensor<10x77xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<10x77xf32>) outs(%empty : tensor<10x77xf32>) {
  ^bb0(%a: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %c40 = arith.constant 40 : index
    %c76 = arith.constant 76 : index
    %is1 = arith.cmpi eq, %i, %c1 : index
    %is2 = arith.cmpi eq, %i, %c2 : index
    %is3 = arith.cmpi eq, %i, %c3 : index
    %is4 = arith.cmpi eq, %i, %c4 : index
    %is5 = arith.cmpi eq, %i, %c5 : index
    %is6 = arith.cmpi eq, %i, %c6 : index
    %is7 = arith.cmpi eq, %i, %c7 : index
    %is8 = arith.cmpi eq, %i, %c8 : index
    %isThird = arith.cmpi eq, %j, %c3 : index
    %isLast = arith.cmpi eq, %j, %c76 : index
    %isMasked = arith.cmpi sge, %j, %c40 : index
    %mul = arith.mulf %a, %large : f32
    %times = arith.mulf %a, %many : f32
    %nan1 = arith.select %isThird, %nan, %a : f32
    %nan2 = arith.select %isLast, %nan, %a : f32
    %masked = arith.select %isMasked, %least, %a : f32
    %lowered = arith.select %isMasked, %low, %a : f32
    %top = arith.select %isThird, %infinite, %a : f32
    %0 = arith.select %is1, %nan1, %a : f32
    %1 = arith.select %is2, %nan2, %0 : f32
    %2 = arith.select %is3, %masked, %1 : f32
    %3 = arith.select %is4, %least, %2 : f32
    %4 = arith.select %is5, %low, %3 : f32
    %5 = arith.select %is6, %lowered, %4 : f32
    %6 = arith.select %is7, %top, %5 : f32
    %7 = arith.select %is8, %mul, %6 : f32
    %c9 = arith.constant 9 : index
    %is9 = arith.cmpi eq, %i, %c9 : index
    %8 = arith.select %is9, %times, %7 : f32
    linalg.yield %8 : f32
  } -> tensor<10x77xf32>
  return %r : tensor<10x77xf32>
}

func.func private @comparable(%x: tensor<10x77xf32>) -> tensor<10x77xf32> {
  %two = arith.constant 2.0 : f32
  %empty = tensor.empty() : tensor<10x77xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<10x77xf32>) outs(%empty : tensor<10x77xf32>) {
  ^bb0(%a: f32, %out: f32):
    %isNaN = arith.cmpf uno, %a, %a : f32
    %0 = arith.select %isNaN, %two, %a : f32
    linalg.yield %0 : f32
  } -> tensor<10x77xf32>
  return %r : tensor<10x77xf32>
}

// CHECK-DAG: "error":null,"function":"upstream"{{.*}}"verified":true
func.func @upstream(%x: tensor<10x77xf32>) -> tensor<10x77xf32> {
  %of = func.call @extremes(%x) : (tensor<10x77xf32>) -> tensor<10x77xf32>
  %empty = tensor.empty() : tensor<10x77xf32>
  %shares = linalg.softmax dimension(1) ins(%of : tensor<10x77xf32>) outs(%empty : tensor<10x77xf32>) -> tensor<10x77xf32>
  %r = func.call @comparable(%shares) : (tensor<10x77xf32>) -> tensor<10x77xf32>
  return %r : tensor<10x77xf32>
}

// CHECK-DAG: "error":null,"function":"torch"{{.*}}"verified":true
func.func @torch(%x: tensor<10x77xf32>) -> tensor<10x77xf32> {
  %of = func.call @extremes(%x) : (tensor<10x77xf32>) -> tensor<10x77xf32>
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<10x77xf32>
  %rows = tensor.empty() : tensor<10xf32>
  %leasts = linalg.fill ins(%least : f32) outs(%rows : tensor<10xf32>) -> tensor<10xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%rows : tensor<10xf32>) -> tensor<10xf32>
  %maxima = linalg.reduce {arith.maximumf} ins(%of : tensor<10x77xf32>) outs(%leasts : tensor<10xf32>) dimensions = [1]
  %powers = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%of, %maxima : tensor<10x77xf32>, tensor<10xf32>) outs(%empty : tensor<10x77xf32>) {
  ^bb0(%a: f32, %m: f32, %out: f32):
    %0 = arith.subf %a, %m : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<10x77xf32>
  %sums = linalg.reduce {arith.addf} ins(%powers : tensor<10x77xf32>) outs(%zeros : tensor<10xf32>) dimensions = [1]
  %shares = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%powers, %sums : tensor<10x77xf32>, tensor<10xf32>) outs(%empty : tensor<10x77xf32>) {
  ^bb0(%a: f32, %s: f32, %out: f32):
    %0 = arith.divf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<10x77xf32>
  %r = func.call @comparable(%shares) : (tensor<10x77xf32>) -> tensor<10x77xf32>
  return %r : tensor<10x77xf32>
}
