#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module {
  func.func @main(%arg0: tensor<1x3x224x224xf32>, %cst_15: tensor<64xi32> {ucmoh.weight}, %cst_16: tensor<64xi32> {ucmoh.weight}, %cst_17: tensor<64xi32> {ucmoh.weight}, %cst_18: tensor<64x3x7x7xi8> {ucmoh.weight}, %cst_19: tensor<64x64x1x1xi8> {ucmoh.weight}, %cst_20: tensor<64x64x3x3xi8> {ucmoh.weight}) -> tensor<1x64x56x56xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 2.550000e+02 : f32
    %cst_1 = arith.constant -2.14748365E+9 : f32
    %cst_2 = arith.constant 2.14748365E+9 : f32
    %c-128_i8 = arith.constant -128 : i8
    %cst_3 = arith.constant 0xFF800000 : f32
    %cst_4 = arith.constant 2.80600852E-5 : f32
    %cst_5 = arith.constant 4.24833233E-5 : f32
    %cst_6 = arith.constant 2.39861911E-5 : f32
    %cst_7 = arith.constant 0.0390829556 : f32
    %cst_8 = arith.constant 1.280000e+02 : f32
    %cst_9 = arith.constant 2.8060085502064304E-5 : f64
    %c0_i32 = arith.constant 0 : i32
    %c0_i8 = arith.constant 0 : i8
    %cst_10 = arith.constant 0.00710160611 : f32
    %cst_11 = arith.constant 4.2483321738765031E-5 : f64
    %c-128_i32 = arith.constant -128 : i32
    %cst_12 = arith.constant 0.0119385067 : f32
    %cst_13 = arith.constant 2.3986190930016735E-5 : f64
    %cst_14 = arith.constant 0.0119482875 : f32
    %0 = tensor.empty() : tensor<64xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_15 : tensor<64xi32>) outs(%0 : tensor<64xf32>) {
    ^bb0(%in: i32, %out: f32):
      %34 = arith.sitofp %in : i32 to f32
      %35 = arith.mulf %34, %cst_4 : f32
      linalg.yield %35 : f32
    } -> tensor<64xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_16 : tensor<64xi32>) outs(%0 : tensor<64xf32>) {
    ^bb0(%in: i32, %out: f32):
      %34 = arith.sitofp %in : i32 to f32
      %35 = arith.mulf %34, %cst_5 : f32
      linalg.yield %35 : f32
    } -> tensor<64xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_17 : tensor<64xi32>) outs(%0 : tensor<64xf32>) {
    ^bb0(%in: i32, %out: f32):
      %34 = arith.sitofp %in : i32 to f32
      %35 = arith.mulf %34, %cst_6 : f32
      linalg.yield %35 : f32
    } -> tensor<64xf32>
    %4 = tensor.empty() : tensor<1x3x224x224xi8>
    %5 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x3x224x224xf32>) outs(%4 : tensor<1x3x224x224xi8>) {
    ^bb0(%in: f32, %out: i8):
      %34 = arith.divf %in, %cst_7 : f32
      %35 = math.roundeven %34 : f32
      %36 = arith.addf %35, %cst_8 : f32
      %37 = arith.maximumf %36, %cst : f32
      %38 = arith.minimumf %37, %cst_0 : f32
      %39 = arith.fptoui %38 : f32 to i8
      linalg.yield %39 : i8
    } -> tensor<1x3x224x224xi8>
    %6 = tensor.empty() : tensor<64xi32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%1 : tensor<64xf32>) outs(%6 : tensor<64xi32>) {
    ^bb0(%in: f32, %out: i32):
      %34 = arith.truncf %cst_9 : f64 to f32
      %35 = arith.divf %in, %34 : f32
      %36 = math.roundeven %35 : f32
      %37 = arith.addf %36, %cst : f32
      %38 = arith.maximumf %37, %cst_1 : f32
      %39 = arith.minimumf %38, %cst_2 : f32
      %40 = arith.fptosi %39 : f32 to i32
      linalg.yield %40 : i32
    } -> tensor<64xi32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<1x3x224x224xi8>) outs(%4 : tensor<1x3x224x224xi8>) {
    ^bb0(%in: i8, %out: i8):
      %34 = arith.addi %in, %c-128_i8 : i8
      linalg.yield %34 : i8
    } -> tensor<1x3x224x224xi8>
    %padded = tensor.pad %8 low[0, 0, 3, 3] high[0, 0, 3, 3] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %c0_i8 : i8
    } : tensor<1x3x224x224xi8> to tensor<1x3x230x230xi8>
    %9 = tensor.empty() : tensor<1x64x112x112xi32>
    %broadcasted = linalg.broadcast ins(%7 : tensor<64xi32>) outs(%9 : tensor<1x64x112x112xi32>) dimensions = [0, 2, 3] 
    %10 = linalg.conv_2d_nchw_fchw_q {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded, %cst_18, %c0_i32, %c0_i32 : tensor<1x3x230x230xi8>, tensor<64x3x7x7xi8>, i32, i32) outs(%broadcasted : tensor<1x64x112x112xi32>) -> tensor<1x64x112x112xi32>
    %11 = tensor.empty() : tensor<1x64x112x112xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<1x64x112x112xi32>) outs(%11 : tensor<1x64x112x112xf32>) {
    ^bb0(%in: i32, %out: f32):
      %34 = arith.truncf %cst_9 : f64 to f32
      %35 = arith.sitofp %in : i32 to f32
      %36 = arith.mulf %35, %34 : f32
      linalg.yield %36 : f32
    } -> tensor<1x64x112x112xf32>
    %13 = tensor.empty() : tensor<1x64x112x112xi8>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<1x64x112x112xf32>) outs(%13 : tensor<1x64x112x112xi8>) {
    ^bb0(%in: f32, %out: i8):
      %34 = arith.divf %in, %cst_10 : f32
      %35 = math.roundeven %34 : f32
      %36 = arith.addf %35, %cst : f32
      %37 = arith.maximumf %36, %cst : f32
      %38 = arith.minimumf %37, %cst_0 : f32
      %39 = arith.fptoui %38 : f32 to i8
      linalg.yield %39 : i8
    } -> tensor<1x64x112x112xi8>
    %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x64x112x112xi8>) outs(%11 : tensor<1x64x112x112xf32>) {
    ^bb0(%in: i8, %out: f32):
      %34 = arith.uitofp %in : i8 to f32
      %35 = arith.mulf %34, %cst_10 : f32
      linalg.yield %35 : f32
    } -> tensor<1x64x112x112xf32>
    %padded_21 = tensor.pad %15 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst_3 : f32
    } : tensor<1x64x112x112xf32> to tensor<1x64x114x114xf32>
    %16 = tensor.empty() : tensor<1x64x56x56xf32>
    %17 = linalg.fill ins(%cst_3 : f32) outs(%16 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
    %18 = tensor.empty() : tensor<3x3xf32>
    %19 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded_21, %18 : tensor<1x64x114x114xf32>, tensor<3x3xf32>) outs(%17 : tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
    %20 = tensor.empty() : tensor<1x64x56x56xi8>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x64x56x56xf32>) outs(%20 : tensor<1x64x56x56xi8>) {
    ^bb0(%in: f32, %out: i8):
      %34 = arith.divf %in, %cst_10 : f32
      %35 = math.roundeven %34 : f32
      %36 = arith.addf %35, %cst : f32
      %37 = arith.maximumf %36, %cst : f32
      %38 = arith.minimumf %37, %cst_0 : f32
      %39 = arith.fptoui %38 : f32 to i8
      linalg.yield %39 : i8
    } -> tensor<1x64x56x56xi8>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%2 : tensor<64xf32>) outs(%6 : tensor<64xi32>) {
    ^bb0(%in: f32, %out: i32):
      %34 = arith.truncf %cst_11 : f64 to f32
      %35 = arith.divf %in, %34 : f32
      %36 = math.roundeven %35 : f32
      %37 = arith.addf %36, %cst : f32
      %38 = arith.maximumf %37, %cst_1 : f32
      %39 = arith.minimumf %38, %cst_2 : f32
      %40 = arith.fptosi %39 : f32 to i32
      linalg.yield %40 : i32
    } -> tensor<64xi32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<1x64x56x56xi8>) outs(%20 : tensor<1x64x56x56xi8>) {
    ^bb0(%in: i8, %out: i8):
      %34 = arith.addi %in, %c-128_i8 : i8
      linalg.yield %34 : i8
    } -> tensor<1x64x56x56xi8>
    %24 = tensor.empty() : tensor<1x64x56x56xi32>
    %broadcasted_22 = linalg.broadcast ins(%22 : tensor<64xi32>) outs(%24 : tensor<1x64x56x56xi32>) dimensions = [0, 2, 3] 
    %25 = linalg.conv_2d_nchw_fchw_q {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%23, %cst_19, %c-128_i32, %c0_i32 : tensor<1x64x56x56xi8>, tensor<64x64x1x1xi8>, i32, i32) outs(%broadcasted_22 : tensor<1x64x56x56xi32>) -> tensor<1x64x56x56xi32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x64x56x56xi32>) outs(%16 : tensor<1x64x56x56xf32>) {
    ^bb0(%in: i32, %out: f32):
      %34 = arith.truncf %cst_11 : f64 to f32
      %35 = arith.sitofp %in : i32 to f32
      %36 = arith.mulf %35, %34 : f32
      linalg.yield %36 : f32
    } -> tensor<1x64x56x56xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<1x64x56x56xf32>) outs(%20 : tensor<1x64x56x56xi8>) {
    ^bb0(%in: f32, %out: i8):
      %34 = arith.divf %in, %cst_12 : f32
      %35 = math.roundeven %34 : f32
      %36 = arith.addf %35, %cst : f32
      %37 = arith.maximumf %36, %cst : f32
      %38 = arith.minimumf %37, %cst_0 : f32
      %39 = arith.fptoui %38 : f32 to i8
      linalg.yield %39 : i8
    } -> tensor<1x64x56x56xi8>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%3 : tensor<64xf32>) outs(%6 : tensor<64xi32>) {
    ^bb0(%in: f32, %out: i32):
      %34 = arith.truncf %cst_13 : f64 to f32
      %35 = arith.divf %in, %34 : f32
      %36 = math.roundeven %35 : f32
      %37 = arith.addf %36, %cst : f32
      %38 = arith.maximumf %37, %cst_1 : f32
      %39 = arith.minimumf %38, %cst_2 : f32
      %40 = arith.fptosi %39 : f32 to i32
      linalg.yield %40 : i32
    } -> tensor<64xi32>
    %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x64x56x56xi8>) outs(%20 : tensor<1x64x56x56xi8>) {
    ^bb0(%in: i8, %out: i8):
      %34 = arith.addi %in, %c-128_i8 : i8
      linalg.yield %34 : i8
    } -> tensor<1x64x56x56xi8>
    %padded_23 = tensor.pad %29 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %c-128_i8 : i8
    } : tensor<1x64x56x56xi8> to tensor<1x64x58x58xi8>
    %broadcasted_24 = linalg.broadcast ins(%28 : tensor<64xi32>) outs(%24 : tensor<1x64x56x56xi32>) dimensions = [0, 2, 3] 
    %30 = linalg.conv_2d_nchw_fchw_q {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_23, %cst_20, %c-128_i32, %c0_i32 : tensor<1x64x58x58xi8>, tensor<64x64x3x3xi8>, i32, i32) outs(%broadcasted_24 : tensor<1x64x56x56xi32>) -> tensor<1x64x56x56xi32>
    %31 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x64x56x56xi32>) outs(%16 : tensor<1x64x56x56xf32>) {
    ^bb0(%in: i32, %out: f32):
      %34 = arith.truncf %cst_13 : f64 to f32
      %35 = arith.sitofp %in : i32 to f32
      %36 = arith.mulf %35, %34 : f32
      linalg.yield %36 : f32
    } -> tensor<1x64x56x56xf32>
    %32 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x64x56x56xf32>) outs(%20 : tensor<1x64x56x56xi8>) {
    ^bb0(%in: f32, %out: i8):
      %34 = arith.divf %in, %cst_14 : f32
      %35 = math.roundeven %34 : f32
      %36 = arith.addf %35, %cst : f32
      %37 = arith.maximumf %36, %cst : f32
      %38 = arith.minimumf %37, %cst_0 : f32
      %39 = arith.fptoui %38 : f32 to i8
      linalg.yield %39 : i8
    } -> tensor<1x64x56x56xi8>
    %33 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x64x56x56xi8>) outs(%16 : tensor<1x64x56x56xf32>) {
    ^bb0(%in: i8, %out: f32):
      %34 = arith.uitofp %in : i8 to f32
      %35 = arith.mulf %34, %cst_14 : f32
      linalg.yield %35 : f32
    } -> tensor<1x64x56x56xf32>
    return %33 : tensor<1x64x56x56xf32>
  }
}
