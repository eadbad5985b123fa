// One pass resolves the target; the others read what it noted.

// RUN: ucmoh-opt %s --ucmoh-resolve-target="target=x86_avx512_vnni+x86_avx512f@zen4" | FileCheck %s --check-prefix=NOTED
// NOTED: module attributes {ucmoh.target = #ucmoh.resolved<"x86_avx512_vnni+x86_avx512f@zen4", targets = [@x86_avx512_vnni, @x86_avx512f], machine = "zen4@{{[0-9a-f]+}}">}

// A choice is applied for the target that it was made for, without a word to each pass. It is all that the module says in the end.
// RUN: ucmoh-opt %s --ucmoh-resolve-target="target=x86_avx512f@zen4" --ucmoh-select | FileCheck %s --check-prefix=CHOSEN
// CHOSEN: ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512f@zen4" --ucmoh-tile --ucmoh-tensorize | ucmoh-opt --ucmoh-to-llvm | FileCheck %s --check-prefix=LOWERED
// LOWERED-NOT: ucmoh
// LOWERED: llvm.intr.fmuladd({{.*}}) : (vector<16xf32>

// RUN: not ucmoh-opt %s --ucmoh-resolve-target="target=x86_avx512f@zen4" --ucmoh-tile="target=x86_avx512f@default" 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: [[@LINE+13]]:1: error: the module is compiled for target 'x86_avx512f@zen4', but this pass is given 'x86_avx512f@default'; drop the option, or the module's attribute 'ucmoh.target'

// Numbers that changed since.
// RUN: ucmoh-opt %s --ucmoh-resolve-target="target=x86_avx512f@zen4" | sed 's/zen4@[0-9a-f]*/zen4@0/' | not ucmoh-opt --ucmoh-tile 2>&1 | FileCheck %s --check-prefix=CHANGED
// CHANGED: error: the module is compiled for #ucmoh.resolved<"x86_avx512f@zen4", targets = [@x86_avx512f], machine = "zen4@0">, which is #ucmoh.resolved<{{.*}}> here; name target and machine, or drop the attribute 'ucmoh.target'

// A file is read by the pass that resolves, before threads start.
// RUN: echo 'ucmoh.machine @mine cpus [] numbers {}' > %t.mlir
// RUN: ucmoh-opt %s --ucmoh-resolve-target="target=x86_avx512f@%t.mlir" > %t.noted.mlir
// RUN: ucmoh-opt %t.noted.mlir --ucmoh-resolve-target="target=x86_avx512f@%t.mlir" --ucmoh-tile --ucmoh-tensorize | FileCheck %s --check-prefix=FILE
// RUN: not ucmoh-opt %t.noted.mlir --ucmoh-tile 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: {{machine = "mine@|error: the module is compiled for target 'x86_avx512f@.*.mlir', but no pass has loaded its file; run --ucmoh-resolve-target=}}

module {
  func.func @f(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>, %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
    %d = linalg.matmul ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>) outs(%c : tensor<32x32xf32>) -> tensor<32x32xf32>
    return %d : tensor<32x32xf32>
  }
}
