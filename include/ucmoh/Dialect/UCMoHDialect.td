//===- UCMoHDialect.td - The ucmoh dialect ---------------------*- tablegen -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_DIALECT_UCMOHDIALECT_TD
#define UCMOH_DIALECT_UCMOHDIALECT_TD

include "mlir/IR/OpBase.td"

def UCMoH_Dialect : Dialect {
  let name = "ucmoh";
  let cppNamespace = "::ucmoh";
  let summary = "tensorized programs over heterogeneous targets";
  let description = [{
    A tensorized program is a loop nest around an intrinsic, with three behaviours:
    it can `load` the fragment of an operand, `compute` on fragments and `store` a
    fragment. `ucmoh.target` and `ucmoh.intrinsic` say in IR, too, what an intrinsic
    means and how it is implemented, so a target is a file and not a piece of the
    compiler.

    The dialect has no dependent dialects on purpose. Loading it must not load amx,
    nvgpu, arm_neon and others that only target files use.

    Arguments of functions may carry what their types do not say. `ucmoh.weight`
    says that they are the same in each call. `ucmoh.range = array<i64: LOW, HIGH>`
    says that all elements of a tensor of integers lie between these bounds, both
    included, as unsigned numbers if none is negative. The caller promises it: with
    other elements the result is undefined.
    `ucmoh.assume = array<i64: LEAST, MOST>` says the same of the extents of all
    dynamic dims, or has one such pair for each of them. A contraction may carry one
    pair, too.

    A module may carry `ucmoh.target`, a `#ucmoh.resolved`, which says for what it is
    compiled.

    ```mlir
    func.func @f(%x: tensor<8x64xi8>, %w: tensor<64x32xi8> {ucmoh.weight, ucmoh.range = array<i64: -64, 64>})
    ```
  }];
  let hasRegionArgAttrVerify = 1;
  let hasOperationAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Returns the object of that name that several passes of this context read, as long as one of
    /// them holds it. Where nobody does, `make` makes it, or returns null. Threads may call it at
    /// the same time.
    std::shared_ptr<void> share(llvm::StringRef name,
                                llvm::function_ref<std::shared_ptr<void>()> make);

  private:
    std::mutex sharing;
    llvm::StringMap<std::weak_ptr<void>> shared;

  public:
  }];
}

#endif // UCMOH_DIALECT_UCMOHDIALECT_TD
