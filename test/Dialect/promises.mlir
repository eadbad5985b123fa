// What ucmoh.assume promises has to be ranges of extents, for dims that are dynamic.
// RUN: ucmoh-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{'ucmoh.assume' of argument #0 must be array<i64: LEAST, MOST> with 1 <= LEAST <= MOST}}
func.func @order(%x: tensor<?x24xf32> {ucmoh.assume = array<i64: 64, 2>}) {
  return
}

// -----

// expected-error @+1 {{'ucmoh.assume' of argument #0 must be array<i64: LEAST, MOST>}}
func.func @count(%x: tensor<?x?x?xf32> {ucmoh.assume = array<i64: 1, 2, 1, 2>}) {
  return
}

// -----

// expected-error @+1 {{'ucmoh.assume' of argument #0 must be array<i64: LEAST, MOST>}}
func.func @nothing_open(%x: tensor<4xf32> {ucmoh.assume = array<i64: 1, 2>}) {
  return
}

// -----

func.func @op(%x: tensor<?x24xf32>, %w: tensor<24x16xf32>, %y: tensor<?x16xf32>) -> tensor<?x16xf32> {
  // expected-error @+1 {{'ucmoh.assume' must be array<i64: LEAST, MOST> with 1 <= LEAST <= MOST}}
  %r = linalg.matmul {ucmoh.assume = array<i64: 0, 5>} ins(%x, %w : tensor<?x24xf32>, tensor<24x16xf32>)
    outs(%y : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}
