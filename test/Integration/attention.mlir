// Attention by blocks of rows, on heads that are slices of their tensors: whole heads, blocks that overlap, as a whole. With a mask of i1.
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 | FileCheck %s
// RUN: ucmoh-opt %s --tensorize-with-cost-model | FileCheck %s --check-prefix=KERNELS

// CHECK: @whole_heads
// CHECK: verified
// CHECK: @overlapping
// CHECK: verified
// CHECK: @bytes
// CHECK: verified
// CHECK: @narrow_floats
// CHECK: verified
// CHECK: @unblocked
// CHECK: verified
// CHECK-NOT: wrong

// Values of a head are written where they belong, and keys are packed in front of the loop over blocks.
// KERNELS-LABEL: func.func @overlapping
// KERNELS: scf.for
// KERNELS: ucmoh.kernel "contract" ins(%{{.*}} : tensor<16x1x24xf32>, {{.*}}
// KERNELS: ucmoh.kernel "contract" ins({{.*}}) outs(%{{.*}} : tensor<16x1x24xf32>)
// KERNELS: tensor.insert_slice %{{.*}} [16, 1, 24]

func.func @whole_heads(%q: tensor<35x3x24xf32>, %k: tensor<40x3x24xf32>, %v: tensor<40x3x24xf32>, %mask: tensor<35x40xi1>) -> tensor<35x3x24xf32> {
  %zero = arith.constant 0.0 : f32
  %zerof = arith.constant 0.0 : f32
  %low = arith.constant -10000.0 : f32
  %scale = arith.constant 0.2 : f32
  %steps = arith.constant 100.0 : f32
  %ea = tensor.empty() : tensor<3x35x40xf32>
  %ef = tensor.empty() : tensor<3x35x40xf32>
  %er = tensor.empty() : tensor<3x35xf32>
  %ep = tensor.empty() : tensor<3x35x40xf32>
  %fa = linalg.fill ins(%zero : f32) outs(%ea : tensor<3x35x40xf32>) -> tensor<3x35x40xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (m, b, k)>, affine_map<(b, m, n, k) -> (n, b, k)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<35x3x24xf32>, tensor<40x3x24xf32>) outs(%fa : tensor<3x35x40xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %pr = arith.mulf %x, %y : f32
    %s = arith.addf %o, %pr : f32
    linalg.yield %s : f32
  } -> tensor<3x35x40xf32>
  %masked = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (m, n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %mask : tensor<3x35x40xf32>, tensor<35x40xi1>) outs(%ef : tensor<3x35x40xf32>) {
  ^bb0(%x: f32, %m: i1, %o: f32):
    %y = arith.mulf %x, %scale : f32
    %z = arith.select %m, %y, %low : f32
    linalg.yield %z : f32
  } -> tensor<3x35x40xf32>
  %lows = linalg.fill ins(%low : f32) outs(%er : tensor<3x35xf32>) -> tensor<3x35xf32>
  %max = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%masked : tensor<3x35x40xf32>) outs(%lows : tensor<3x35xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<3x35xf32>
  %exp = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%masked, %max : tensor<3x35x40xf32>, tensor<3x35xf32>) outs(%ef : tensor<3x35x40xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %d = arith.subf %x, %m : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<3x35x40xf32>
  %zeros = linalg.fill ins(%zerof : f32) outs(%er : tensor<3x35xf32>) -> tensor<3x35xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%exp : tensor<3x35x40xf32>) outs(%zeros : tensor<3x35xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<3x35xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<3x35x40xf32>, tensor<3x35xf32>) outs(%ep : tensor<3x35x40xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %y = arith.divf %x, %m : f32
    linalg.yield %y : f32
  } -> tensor<3x35x40xf32>
  %ev = tensor.empty() : tensor<35x3x24xf32>
  %fv = linalg.fill ins(%zero : f32) outs(%ev : tensor<35x3x24xf32>) -> tensor<35x3x24xf32>
  %values = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, b, n)>, affine_map<(b, m, n, k) -> (m, b, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<3x35x40xf32>, tensor<40x3x24xf32>) outs(%fv : tensor<35x3x24xf32>) attrs = {ucmoh.rows = 35 : i64} {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %pr = arith.mulf %x, %y : f32
    %s = arith.addf %o, %pr : f32
    linalg.yield %s : f32
  } -> tensor<35x3x24xf32>
  return %values : tensor<35x3x24xf32>
}

func.func @overlapping(%q: tensor<35x3x24xf32>, %k: tensor<40x3x24xf32>, %v: tensor<40x3x24xf32>, %mask: tensor<35x40xi1>) -> tensor<35x3x24xf32> {
  %zero = arith.constant 0.0 : f32
  %zerof = arith.constant 0.0 : f32
  %low = arith.constant -10000.0 : f32
  %scale = arith.constant 0.2 : f32
  %steps = arith.constant 100.0 : f32
  %ea = tensor.empty() : tensor<3x35x40xf32>
  %ef = tensor.empty() : tensor<3x35x40xf32>
  %er = tensor.empty() : tensor<3x35xf32>
  %ep = tensor.empty() : tensor<3x35x40xf32>
  %fa = linalg.fill ins(%zero : f32) outs(%ea : tensor<3x35x40xf32>) -> tensor<3x35x40xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (m, b, k)>, affine_map<(b, m, n, k) -> (n, b, k)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<35x3x24xf32>, tensor<40x3x24xf32>) outs(%fa : tensor<3x35x40xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %pr = arith.mulf %x, %y : f32
    %s = arith.addf %o, %pr : f32
    linalg.yield %s : f32
  } -> tensor<3x35x40xf32>
  %masked = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (m, n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %mask : tensor<3x35x40xf32>, tensor<35x40xi1>) outs(%ef : tensor<3x35x40xf32>) {
  ^bb0(%x: f32, %m: i1, %o: f32):
    %y = arith.mulf %x, %scale : f32
    %z = arith.select %m, %y, %low : f32
    linalg.yield %z : f32
  } -> tensor<3x35x40xf32>
  %lows = linalg.fill ins(%low : f32) outs(%er : tensor<3x35xf32>) -> tensor<3x35xf32>
  %max = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%masked : tensor<3x35x40xf32>) outs(%lows : tensor<3x35xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<3x35xf32>
  %exp = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%masked, %max : tensor<3x35x40xf32>, tensor<3x35xf32>) outs(%ef : tensor<3x35x40xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %d = arith.subf %x, %m : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<3x35x40xf32>
  %zeros = linalg.fill ins(%zerof : f32) outs(%er : tensor<3x35xf32>) -> tensor<3x35xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%exp : tensor<3x35x40xf32>) outs(%zeros : tensor<3x35xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<3x35xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<3x35x40xf32>, tensor<3x35xf32>) outs(%ep : tensor<3x35x40xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %y = arith.divf %x, %m : f32
    linalg.yield %y : f32
  } -> tensor<3x35x40xf32>
  %ev = tensor.empty() : tensor<35x3x24xf32>
  %fv = linalg.fill ins(%zero : f32) outs(%ev : tensor<35x3x24xf32>) -> tensor<35x3x24xf32>
  %values = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, b, n)>, affine_map<(b, m, n, k) -> (m, b, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<3x35x40xf32>, tensor<40x3x24xf32>) outs(%fv : tensor<35x3x24xf32>) attrs = {ucmoh.rows = 16 : i64} {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %pr = arith.mulf %x, %y : f32
    %s = arith.addf %o, %pr : f32
    linalg.yield %s : f32
  } -> tensor<35x3x24xf32>
  return %values : tensor<35x3x24xf32>
}

func.func @bytes(%q: tensor<35x3x24xi8>, %k: tensor<40x3x24xi8>, %v: tensor<40x3x24xi8>, %mask: tensor<35x40xi1>) -> tensor<35x3x24xf32> {
  %zero = arith.constant 0 : i32
  %zerof = arith.constant 0.0 : f32
  %low = arith.constant -10000.0 : f32
  %scale = arith.constant 0.0001 : f32
  %steps = arith.constant 100.0 : f32
  %ea = tensor.empty() : tensor<3x35x40xi32>
  %ef = tensor.empty() : tensor<3x35x40xf32>
  %er = tensor.empty() : tensor<3x35xf32>
  %ep = tensor.empty() : tensor<3x35x40xi8>
  %fa = linalg.fill ins(%zero : i32) outs(%ea : tensor<3x35x40xi32>) -> tensor<3x35x40xi32>
  %scores = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (m, b, k)>, affine_map<(b, m, n, k) -> (n, b, k)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<35x3x24xi8>, tensor<40x3x24xi8>) outs(%fa : tensor<3x35x40xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %xe = arith.extsi %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %pr = arith.muli %xe, %ye : i32
    %s = arith.addi %o, %pr : i32
    linalg.yield %s : i32
  } -> tensor<3x35x40xi32>
  %masked = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (m, n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %mask : tensor<3x35x40xi32>, tensor<35x40xi1>) outs(%ef : tensor<3x35x40xf32>) {
  ^bb0(%x: i32, %m: i1, %o: f32):
    %f = arith.sitofp %x : i32 to f32
    %y = arith.mulf %f, %scale : f32
    %z = arith.select %m, %y, %low : f32
    linalg.yield %z : f32
  } -> tensor<3x35x40xf32>
  %lows = linalg.fill ins(%low : f32) outs(%er : tensor<3x35xf32>) -> tensor<3x35xf32>
  %max = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%masked : tensor<3x35x40xf32>) outs(%lows : tensor<3x35xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<3x35xf32>
  %exp = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%masked, %max : tensor<3x35x40xf32>, tensor<3x35xf32>) outs(%ef : tensor<3x35x40xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %d = arith.subf %x, %m : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<3x35x40xf32>
  %zeros = linalg.fill ins(%zerof : f32) outs(%er : tensor<3x35xf32>) -> tensor<3x35xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%exp : tensor<3x35x40xf32>) outs(%zeros : tensor<3x35xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<3x35xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<3x35x40xf32>, tensor<3x35xf32>) outs(%ep : tensor<3x35x40xi8>) {
  ^bb0(%x: f32, %m: f32, %o: i8):
    %y = arith.divf %x, %m : f32
    %z = arith.mulf %y, %steps : f32
    %w = arith.fptosi %z : f32 to i8
    linalg.yield %w : i8
  } -> tensor<3x35x40xi8>
  %ev = tensor.empty() : tensor<35x3x24xi32>
  %fv = linalg.fill ins(%zero : i32) outs(%ev : tensor<35x3x24xi32>) -> tensor<35x3x24xi32>
  %values = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, b, n)>, affine_map<(b, m, n, k) -> (m, b, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<3x35x40xi8>, tensor<40x3x24xi8>) outs(%fv : tensor<35x3x24xi32>) attrs = {ucmoh.rows = 16 : i64} {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %xe = arith.extsi %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %pr = arith.muli %xe, %ye : i32
    %s = arith.addi %o, %pr : i32
    linalg.yield %s : i32
  } -> tensor<35x3x24xi32>
  %eo = tensor.empty() : tensor<35x3x24xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, b, n) -> (m, b, n)>, affine_map<(m, b, n) -> (m, b, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%values : tensor<35x3x24xi32>) outs(%eo : tensor<35x3x24xf32>) {
  ^bb0(%x: i32, %o: f32):
    %y = arith.sitofp %x : i32 to f32
    %z = arith.mulf %y, %scale : f32
    linalg.yield %z : f32
  } -> tensor<35x3x24xf32>
  return %r : tensor<35x3x24xf32>
}

func.func @narrow_floats(%q: tensor<35x3x24xbf16>, %k: tensor<40x3x24xbf16>, %v: tensor<40x3x24xbf16>, %mask: tensor<35x40xi1>) -> tensor<35x3x24xf32> {
  %zero = arith.constant 0.0 : f32
  %zerof = arith.constant 0.0 : f32
  %low = arith.constant -10000.0 : f32
  %scale = arith.constant 0.2 : f32
  %steps = arith.constant 100.0 : f32
  %ea = tensor.empty() : tensor<3x35x40xf32>
  %ef = tensor.empty() : tensor<3x35x40xf32>
  %er = tensor.empty() : tensor<3x35xf32>
  %ep = tensor.empty() : tensor<3x35x40xbf16>
  %fa = linalg.fill ins(%zero : f32) outs(%ea : tensor<3x35x40xf32>) -> tensor<3x35x40xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (m, b, k)>, affine_map<(b, m, n, k) -> (n, b, k)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<35x3x24xbf16>, tensor<40x3x24xbf16>) outs(%fa : tensor<3x35x40xf32>) {
  ^bb0(%x: bf16, %y: bf16, %o: f32):
    %xe = arith.extf %x : bf16 to f32
    %ye = arith.extf %y : bf16 to f32
    %pr = arith.mulf %xe, %ye : f32
    %s = arith.addf %o, %pr : f32
    linalg.yield %s : f32
  } -> tensor<3x35x40xf32>
  %masked = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (m, n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %mask : tensor<3x35x40xf32>, tensor<35x40xi1>) outs(%ef : tensor<3x35x40xf32>) {
  ^bb0(%x: f32, %m: i1, %o: f32):
    %y = arith.mulf %x, %scale : f32
    %z = arith.select %m, %y, %low : f32
    linalg.yield %z : f32
  } -> tensor<3x35x40xf32>
  %lows = linalg.fill ins(%low : f32) outs(%er : tensor<3x35xf32>) -> tensor<3x35xf32>
  %max = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%masked : tensor<3x35x40xf32>) outs(%lows : tensor<3x35xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<3x35xf32>
  %exp = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%masked, %max : tensor<3x35x40xf32>, tensor<3x35xf32>) outs(%ef : tensor<3x35x40xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %d = arith.subf %x, %m : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<3x35x40xf32>
  %zeros = linalg.fill ins(%zerof : f32) outs(%er : tensor<3x35xf32>) -> tensor<3x35xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%exp : tensor<3x35x40xf32>) outs(%zeros : tensor<3x35xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<3x35xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<3x35x40xf32>, tensor<3x35xf32>) outs(%ep : tensor<3x35x40xbf16>) {
  ^bb0(%x: f32, %m: f32, %o: bf16):
    %y = arith.divf %x, %m : f32
    %w = arith.truncf %y : f32 to bf16
    linalg.yield %w : bf16
  } -> tensor<3x35x40xbf16>
  %ev = tensor.empty() : tensor<35x3x24xf32>
  %fv = linalg.fill ins(%zero : f32) outs(%ev : tensor<35x3x24xf32>) -> tensor<35x3x24xf32>
  %values = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, b, n)>, affine_map<(b, m, n, k) -> (m, b, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<3x35x40xbf16>, tensor<40x3x24xbf16>) outs(%fv : tensor<35x3x24xf32>) attrs = {ucmoh.rows = 20 : i64} {
  ^bb0(%x: bf16, %y: bf16, %o: f32):
    %xe = arith.extf %x : bf16 to f32
    %ye = arith.extf %y : bf16 to f32
    %pr = arith.mulf %xe, %ye : f32
    %s = arith.addf %o, %pr : f32
    linalg.yield %s : f32
  } -> tensor<35x3x24xf32>
  return %values : tensor<35x3x24xf32>
}

func.func @unblocked(%q: tensor<35x3x24xf32>, %k: tensor<40x3x24xf32>, %v: tensor<40x3x24xf32>, %mask: tensor<35x40xi1>) -> tensor<35x3x24xf32> {
  %zero = arith.constant 0.0 : f32
  %zerof = arith.constant 0.0 : f32
  %low = arith.constant -10000.0 : f32
  %scale = arith.constant 0.2 : f32
  %steps = arith.constant 100.0 : f32
  %ea = tensor.empty() : tensor<3x35x40xf32>
  %ef = tensor.empty() : tensor<3x35x40xf32>
  %er = tensor.empty() : tensor<3x35xf32>
  %ep = tensor.empty() : tensor<3x35x40xf32>
  %fa = linalg.fill ins(%zero : f32) outs(%ea : tensor<3x35x40xf32>) -> tensor<3x35x40xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (m, b, k)>, affine_map<(b, m, n, k) -> (n, b, k)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<35x3x24xf32>, tensor<40x3x24xf32>) outs(%fa : tensor<3x35x40xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %pr = arith.mulf %x, %y : f32
    %s = arith.addf %o, %pr : f32
    linalg.yield %s : f32
  } -> tensor<3x35x40xf32>
  %masked = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (m, n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %mask : tensor<3x35x40xf32>, tensor<35x40xi1>) outs(%ef : tensor<3x35x40xf32>) {
  ^bb0(%x: f32, %m: i1, %o: f32):
    %y = arith.mulf %x, %scale : f32
    %z = arith.select %m, %y, %low : f32
    linalg.yield %z : f32
  } -> tensor<3x35x40xf32>
  %lows = linalg.fill ins(%low : f32) outs(%er : tensor<3x35xf32>) -> tensor<3x35xf32>
  %max = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%masked : tensor<3x35x40xf32>) outs(%lows : tensor<3x35xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<3x35xf32>
  %exp = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%masked, %max : tensor<3x35x40xf32>, tensor<3x35xf32>) outs(%ef : tensor<3x35x40xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %d = arith.subf %x, %m : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<3x35x40xf32>
  %zeros = linalg.fill ins(%zerof : f32) outs(%er : tensor<3x35xf32>) -> tensor<3x35xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%exp : tensor<3x35x40xf32>) outs(%zeros : tensor<3x35xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<3x35xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<3x35x40xf32>, tensor<3x35xf32>) outs(%ep : tensor<3x35x40xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %y = arith.divf %x, %m : f32
    linalg.yield %y : f32
  } -> tensor<3x35x40xf32>
  %ev = tensor.empty() : tensor<35x3x24xf32>
  %fv = linalg.fill ins(%zero : f32) outs(%ev : tensor<35x3x24xf32>) -> tensor<35x3x24xf32>
  %values = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, b, n)>, affine_map<(b, m, n, k) -> (m, b, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<3x35x40xf32>, tensor<40x3x24xf32>) outs(%fv : tensor<35x3x24xf32>) attrs = {ucmoh.rows = 0 : i64} {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %pr = arith.mulf %x, %y : f32
    %s = arith.addf %o, %pr : f32
    linalg.yield %s : f32
  } -> tensor<35x3x24xf32>
  return %values : tensor<35x3x24xf32>
}
