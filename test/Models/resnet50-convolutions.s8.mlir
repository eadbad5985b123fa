#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module {
  func.func @main(%arg0: tensor<1x3x224x224xf32>, %cst_15: tensor<64xi32> {ucmoh.weight}, %cst_16: tensor<64xi32> {ucmoh.weight}, %cst_17: tensor<64xi32> {ucmoh.weight}, %cst_18: tensor<64x3x7x7xi8> {ucmoh.weight}, %cst_19: tensor<64x64x1x1xi8> {ucmoh.weight}, %cst_20: tensor<64x64x3x3xi8> {ucmoh.weight}) -> tensor<1x64x56x56xf32> {
    %cst = arith.constant -1.280000e+02 : f32
    %cst_0 = arith.constant 1.270000e+02 : f32
    %cst_1 = arith.constant -2.14748365E+9 : f32
    %cst_2 = arith.constant 2.14748365E+9 : f32
    %c-128_i64 = arith.constant -128 : i64
    %cst_3 = arith.constant 0xFF800000 : f32
    %cst_4 = arith.constant 2.80600852E-5 : f32
    %cst_5 = arith.constant 4.24833233E-5 : f32
    %cst_6 = arith.constant 2.39861911E-5 : f32
    %cst_7 = arith.constant 0.0390829556 : f32
    %cst_8 = arith.constant 0.000000e+00 : f32
    %cst_9 = arith.constant 2.8060085502064304E-5 : f64
    %c0_i32 = arith.constant 0 : i32
    %c0_i8 = arith.constant 0 : i8
    %cst_10 = arith.constant 0.00710160611 : f32
    %cst_11 = arith.constant 4.2483321738765031E-5 : f64
    %c-128_i32 = arith.constant -128 : i32
    %cst_12 = arith.constant 0.0119385067 : f32
    %cst_13 = arith.constant 2.3986190930016735E-5 : f64
    %c-128_i8 = arith.constant -128 : i8
    %cst_14 = arith.constant 0.0119482875 : f32
    %0 = tensor.empty() : tensor<64xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_15 : tensor<64xi32>) outs(%0 : tensor<64xf32>) {
    ^bb0(%in: i32, %out: f32):
      %31 = arith.sitofp %in : i32 to f32
      %32 = arith.mulf %31, %cst_4 : f32
      linalg.yield %32 : f32
    } -> tensor<64xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_16 : tensor<64xi32>) outs(%0 : tensor<64xf32>) {
    ^bb0(%in: i32, %out: f32):
      %31 = arith.sitofp %in : i32 to f32
      %32 = arith.mulf %31, %cst_5 : f32
      linalg.yield %32 : f32
    } -> tensor<64xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_17 : tensor<64xi32>) outs(%0 : tensor<64xf32>) {
    ^bb0(%in: i32, %out: f32):
      %31 = arith.sitofp %in : i32 to f32
      %32 = arith.mulf %31, %cst_6 : f32
      linalg.yield %32 : f32
    } -> tensor<64xf32>
    %4 = tensor.empty() : tensor<1x3x224x224xi8>
    %5 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x3x224x224xf32>) outs(%4 : tensor<1x3x224x224xi8>) {
    ^bb0(%in: f32, %out: i8):
      %31 = arith.divf %in, %cst_7 : f32
      %32 = math.roundeven %31 : f32
      %33 = arith.addf %32, %cst_8 : f32
      %34 = arith.maximumf %33, %cst : f32
      %35 = arith.minimumf %34, %cst_0 : f32
      %36 = arith.fptosi %35 : f32 to i8
      linalg.yield %36 : i8
    } -> tensor<1x3x224x224xi8>
    %6 = tensor.empty() : tensor<64xi32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%1 : tensor<64xf32>) outs(%6 : tensor<64xi32>) {
    ^bb0(%in: f32, %out: i32):
      %31 = arith.truncf %cst_9 : f64 to f32
      %32 = arith.divf %in, %31 : f32
      %33 = math.roundeven %32 : f32
      %34 = arith.addf %33, %cst_8 : f32
      %35 = arith.maximumf %34, %cst_1 : f32
      %36 = arith.minimumf %35, %cst_2 : f32
      %37 = arith.fptosi %36 : f32 to i32
      linalg.yield %37 : i32
    } -> tensor<64xi32>
    %padded = tensor.pad %5 low[0, 0, 3, 3] high[0, 0, 3, 3] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %c0_i8 : i8
    } : tensor<1x3x224x224xi8> to tensor<1x3x230x230xi8>
    %8 = tensor.empty() : tensor<1x64x112x112xi32>
    %broadcasted = linalg.broadcast ins(%7 : tensor<64xi32>) outs(%8 : tensor<1x64x112x112xi32>) dimensions = [0, 2, 3] 
    %9 = linalg.conv_2d_nchw_fchw_q {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded, %cst_18, %c0_i32, %c0_i32 : tensor<1x3x230x230xi8>, tensor<64x3x7x7xi8>, i32, i32) outs(%broadcasted : tensor<1x64x112x112xi32>) -> tensor<1x64x112x112xi32>
    %10 = tensor.empty() : tensor<1x64x112x112xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x64x112x112xi32>) outs(%10 : tensor<1x64x112x112xf32>) {
    ^bb0(%in: i32, %out: f32):
      %31 = arith.truncf %cst_9 : f64 to f32
      %32 = arith.sitofp %in : i32 to f32
      %33 = arith.mulf %32, %31 : f32
      linalg.yield %33 : f32
    } -> tensor<1x64x112x112xf32>
    %12 = tensor.empty() : tensor<1x64x112x112xi8>
    %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x64x112x112xf32>) outs(%12 : tensor<1x64x112x112xi8>) {
    ^bb0(%in: f32, %out: i8):
      %31 = arith.divf %in, %cst_10 : f32
      %32 = math.roundeven %31 : f32
      %33 = arith.addf %32, %cst : f32
      %34 = arith.maximumf %33, %cst : f32
      %35 = arith.minimumf %34, %cst_0 : f32
      %36 = arith.fptosi %35 : f32 to i8
      linalg.yield %36 : i8
    } -> tensor<1x64x112x112xi8>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x64x112x112xi8>) outs(%10 : tensor<1x64x112x112xf32>) {
    ^bb0(%in: i8, %out: f32):
      %31 = arith.extsi %in : i8 to i64
      %32 = arith.subi %31, %c-128_i64 : i64
      %33 = arith.sitofp %32 : i64 to f32
      %34 = arith.mulf %33, %cst_10 : f32
      linalg.yield %34 : f32
    } -> tensor<1x64x112x112xf32>
    %padded_21 = tensor.pad %14 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst_3 : f32
    } : tensor<1x64x112x112xf32> to tensor<1x64x114x114xf32>
    %15 = tensor.empty() : tensor<1x64x56x56xf32>
    %16 = linalg.fill ins(%cst_3 : f32) outs(%15 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
    %17 = tensor.empty() : tensor<3x3xf32>
    %18 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded_21, %17 : tensor<1x64x114x114xf32>, tensor<3x3xf32>) outs(%16 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
    %19 = tensor.empty() : tensor<1x64x56x56xi8>
    %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x64x56x56xf32>) outs(%19 : tensor<1x64x56x56xi8>) {
    ^bb0(%in: f32, %out: i8):
      %31 = arith.divf %in, %cst_10 : f32
      %32 = math.roundeven %31 : f32
      %33 = arith.addf %32, %cst : f32
      %34 = arith.maximumf %33, %cst : f32
      %35 = arith.minimumf %34, %cst_0 : f32
      %36 = arith.fptosi %35 : f32 to i8
      linalg.yield %36 : i8
    } -> tensor<1x64x56x56xi8>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%2 : tensor<64xf32>) outs(%6 : tensor<64xi32>) {
    ^bb0(%in: f32, %out: i32):
      %31 = arith.truncf %cst_11 : f64 to f32
      %32 = arith.divf %in, %31 : f32
      %33 = math.roundeven %32 : f32
      %34 = arith.addf %33, %cst_8 : f32
      %35 = arith.maximumf %34, %cst_1 : f32
      %36 = arith.minimumf %35, %cst_2 : f32
      %37 = arith.fptosi %36 : f32 to i32
      linalg.yield %37 : i32
    } -> tensor<64xi32>
    %22 = tensor.empty() : tensor<1x64x56x56xi32>
    %broadcasted_22 = linalg.broadcast ins(%21 : tensor<64xi32>) outs(%22 : tensor<1x64x56x56xi32>) dimensions = [0, 2, 3] 
    %23 = linalg.conv_2d_nchw_fchw_q {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%20, %cst_19, %c-128_i32, %c0_i32 : tensor<1x64x56x56xi8>, tensor<64x64x1x1xi8>, i32, i32) outs(%broadcasted_22 : tensor<1x64x56x56xi32>) -> tensor<1x64x56x56xi32>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<1x64x56x56xi32>) outs(%15 : tensor<1x64x56x56xf32>) {
    ^bb0(%in: i32, %out: f32):
      %31 = arith.truncf %cst_11 : f64 to f32
      %32 = arith.sitofp %in : i32 to f32
      %33 = arith.mulf %32, %31 : f32
      linalg.yield %33 : f32
    } -> tensor<1x64x56x56xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x64x56x56xf32>) outs(%19 : tensor<1x64x56x56xi8>) {
    ^bb0(%in: f32, %out: i8):
      %31 = arith.divf %in, %cst_12 : f32
      %32 = math.roundeven %31 : f32
      %33 = arith.addf %32, %cst : f32
      %34 = arith.maximumf %33, %cst : f32
      %35 = arith.minimumf %34, %cst_0 : f32
      %36 = arith.fptosi %35 : f32 to i8
      linalg.yield %36 : i8
    } -> tensor<1x64x56x56xi8>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%3 : tensor<64xf32>) outs(%6 : tensor<64xi32>) {
    ^bb0(%in: f32, %out: i32):
      %31 = arith.truncf %cst_13 : f64 to f32
      %32 = arith.divf %in, %31 : f32
      %33 = math.roundeven %32 : f32
      %34 = arith.addf %33, %cst_8 : f32
      %35 = arith.maximumf %34, %cst_1 : f32
      %36 = arith.minimumf %35, %cst_2 : f32
      %37 = arith.fptosi %36 : f32 to i32
      linalg.yield %37 : i32
    } -> tensor<64xi32>
    %padded_23 = tensor.pad %25 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %c-128_i8 : i8
    } : tensor<1x64x56x56xi8> to tensor<1x64x58x58xi8>
    %broadcasted_24 = linalg.broadcast ins(%26 : tensor<64xi32>) outs(%22 : tensor<1x64x56x56xi32>) dimensions = [0, 2, 3] 
    %27 = linalg.conv_2d_nchw_fchw_q {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_23, %cst_20, %c-128_i32, %c0_i32 : tensor<1x64x58x58xi8>, tensor<64x64x3x3xi8>, i32, i32) outs(%broadcasted_24 : tensor<1x64x56x56xi32>) -> tensor<1x64x56x56xi32>
    %28 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x64x56x56xi32>) outs(%15 : tensor<1x64x56x56xf32>) {
    ^bb0(%in: i32, %out: f32):
      %31 = arith.truncf %cst_13 : f64 to f32
      %32 = arith.sitofp %in : i32 to f32
      %33 = arith.mulf %32, %31 : f32
      linalg.yield %33 : f32
    } -> tensor<1x64x56x56xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x64x56x56xf32>) outs(%19 : tensor<1x64x56x56xi8>) {
    ^bb0(%in: f32, %out: i8):
      %31 = arith.divf %in, %cst_14 : f32
      %32 = math.roundeven %31 : f32
      %33 = arith.addf %32, %cst : f32
      %34 = arith.maximumf %33, %cst : f32
      %35 = arith.minimumf %34, %cst_0 : f32
      %36 = arith.fptosi %35 : f32 to i8
      linalg.yield %36 : i8
    } -> tensor<1x64x56x56xi8>
    %30 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x64x56x56xi8>) outs(%15 : tensor<1x64x56x56xf32>) {
    ^bb0(%in: i8, %out: f32):
      %31 = arith.extsi %in : i8 to i64
      %32 = arith.subi %31, %c-128_i64 : i64
      %33 = arith.sitofp %32 : i64 to f32
      %34 = arith.mulf %33, %cst_14 : f32
      linalg.yield %34 : f32
    } -> tensor<1x64x56x56xf32>
    return %30 : tensor<1x64x56x56xf32>
  }
}
