// An accelerator of somebody else.
!f32_view = memref<?x?xf32, strided<[?, 1], offset: ?>>

ucmoh.target @somebodys_target triple("x86_64-unknown-linux-gnu") features("+avx2,+fma") registers(16 x 256) {
  ucmoh.intrinsic @fma_8 shape [1, 8, 1] types(f32, f32, f32) mnemonic("vfmadd") cost(4.0, 0.5)
  load_lhs (%a: !f32_view, %i: index, %k: index) {
    %scalar = memref.load %a[%i, %k] : !f32_view
    %fragment = vector.broadcast %scalar : f32 to vector<8xf32>
    ucmoh.yield %fragment : vector<8xf32>
  }
  load_rhs (%b: !f32_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !f32_view, vector<8xf32>
    ucmoh.yield %fragment : vector<8xf32>
  }
  load_acc (%c: !f32_view, %i: index, %j: index) {
    %fragment = vector.load %c[%i, %j] : !f32_view, vector<8xf32>
    ucmoh.yield %fragment : vector<8xf32>
  }
  zero () {
    %fragment = arith.constant dense<0.0> : vector<8xf32>
    ucmoh.yield %fragment : vector<8xf32>
  }
  compute (%a: vector<8xf32>, %b: vector<8xf32>, %c: vector<8xf32>) {
    %d = vector.fma %a, %b, %c : vector<8xf32>
    ucmoh.yield %d : vector<8xf32>
  }
  store (%d: vector<8xf32>, %c: !f32_view, %i: index, %j: index) {
    vector.store %d, %c[%i, %j] : !f32_view, vector<8xf32>
    ucmoh.yield
  }
}
