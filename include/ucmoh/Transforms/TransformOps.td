//===- TransformOps.td - The transformation in schedules of the transform dialect
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRANSFORMS_TRANSFORMOPS_TD
#define UCMOH_TRANSFORMS_TRANSFORMOPS_TD

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Dialect/Transform/IR/TransformTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class UCMoHTransformOp<string mnemonic> : Op<Transform_Dialect, "ucmoh." # mnemonic, [
    TransformOpInterface, TransformEachOpTrait,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let cppNamespace = "::ucmoh";
  let results = (outs TransformHandleTypeInterface:$result);
  let assemblyFormat = "$payload attr-dict `:` functional-type($payload, $result)";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter, ::mlir::Operation *payload,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
}

def ChooseOp : UCMoHTransformOp<"choose"> {
  let summary = "attach the best #ucmoh.choice to each contraction";
  let description = [{
    Runs what comes before `ucmoh-select`, and `ucmoh-select`, on functions or modules:

    ```mlir
    %chosen = transform.ucmoh.choose %function {target = "host", model = "auto"}
      : (!transform.any_op) -> !transform.any_op
    ```

    The attributes are the options of that pass. The handle is consumed; the result is one to the
    same functions or modules. `transform.annotate` on a contraction pins a choice before, or
    replaces one behind.
  }];
  let arguments = (ins TransformHandleTypeInterface:$payload,
                       DefaultValuedStrAttr<StrAttr, "host">:$target,
                       DefaultValuedStrAttr<StrAttr, "auto">:$model,
                       DefaultValuedAttr<I64Attr, "1">:$threads,
                       DefaultValuedStrAttr<StrAttr, "">:$choices);
}

def TensorizeOp : UCMoHTransformOp<"tensorize"> {
  let summary = "turn contractions that have a choice into kernels of the ucmoh dialect";
  let description = [{
    Runs `ucmoh-tile` and `ucmoh-tensorize` on functions or modules. Contractions without a choice
    stay as they are. `target` has the intrinsics that the choices name.
  }];
  let arguments = (ins TransformHandleTypeInterface:$payload,
                       DefaultValuedStrAttr<StrAttr, "host">:$target);
}

#endif // UCMOH_TRANSFORMS_TRANSFORMOPS_TD
