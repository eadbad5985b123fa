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
    Any tensorized program is a loop nest of three behaviours around an
    intrinsic: `load` an operand's fragment, `compute` on fragments, `store` a
    fragment. What an intrinsic means and how it is implemented is said in IR as
    well, by `ucmoh.target` and `ucmoh.intrinsic`, so that a target is a file
    and not a piece of the compiler.

    The dialect has no dependent dialects on purpose: merely loading it must not
    drag in amx, nvgpu, arm_neon and others that only target files use.
  }];
  let useDefaultAttributePrinterParser = 1;
}

#endif // UCMOH_DIALECT_UCMOHDIALECT_TD
