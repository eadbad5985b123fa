// Rows by bulk copies that barriers count: one thread initializes a barrier for each of three slots; per row a thread tells the
// barrier how many bytes it expects and begins the copy; it arrives; all wait for the parity of the slot's phase. Nothing is
// committed to or waited for in groups. Rows that end early are filled up with zeros.
// RUN: sed 's/ shortest(2048)//; s/target @nvidia_sm90a/target @rows_at_once/' %S/../../targets/nvidia_sm90a.mlir >%t.target.mlir
// RUN: ucmoh-opt %s --ucmoh-tile="target=%t.target.mlir" --ucmoh-tensorize="target=%t.target.mlir" | FileCheck %s --check-prefix=IR
// RUN: ucmoh-opt %s --ucmoh-tile="target=%t.target.mlir" --ucmoh-tensorize="target=%t.target.mlir" --canonicalize --ucmoh-to-llvm="target=%t.target.mlir" | FileCheck %s
// RUN: env PTX_INTERPRETER_STATS=%t.json ucmoh-run %s --target=%t.target.mlir --driver=%ptx_interpreter | FileCheck %s --check-prefix=VERIFIED
// RUN: FileCheck %s --check-prefix=STATS < %t.json

// IR-COUNT-3: ucmoh.init @rows_at_once::@cp_async_bulk at %{{.*}} threads 128
// IR: ucmoh.barrier
// IR: ucmoh.copy @rows_at_once::@cp_async_bulk {{.*}} of 32 {{.*}} at
// IR: ucmoh.commit @rows_at_once::@cp_async_bulk at
// IR: ucmoh.wait @rows_at_once::@cp_async_bulk pending 0 at {{.*}} parity

// CHECK: gpu.binary
// CHECK-NOT: cp.async.c
// CHECK-COUNT-3: mbarrier.init.shared
// CHECK: bar.sync
// CHECK: mbarrier.expect_tx
// CHECK: cp.async.bulk.shared::cluster.global.mbarrier
// CHECK: mbarrier.arrive.shared
// CHECK: wgmma.mma_async
// CHECK: mbarrier.try_wait.parity.shared

// VERIFIED: verified
// STATS: "bulk_bytes":{{[1-9]}}

func.func @product(%a: tensor<61x136xf16>, %b: tensor<136x88xf16> {ucmoh.weight}) -> tensor<61x88xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<61x88xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<61x88xf32>) -> tensor<61x88xf32>
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @rows_at_once::@wgmma_m64n64k16_f16_f32, register_tile = [64, 64],
    cache_tile = [64, 64, 32], order = "nmk.nm", pack_lhs = "block", pack_rhs = "prepacked", pipeline_depth = 3,
    predicted_seconds = 0.0, model = "pinned">}
    ins(%a, %b : tensor<61x136xf16>, tensor<136x88xf16>) outs(%init : tensor<61x88xf32>) -> tensor<61x88xf32>
  return %r : tensor<61x88xf32>
}
