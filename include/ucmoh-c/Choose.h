//===- Choose.h - Choices and their explanation, for C
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_C_CHOOSE_H
#define UCMOH_C_CHOOSE_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Says what choices are for; an empty string is the default.
typedef struct UcmohChooseOptions {
  MlirStringRef target; ///< as the option `target` of the passes: "host" by default
  MlirStringRef model;  ///< as their option `model`: "auto" by default
  int64_t threads;      ///< that one kernel may use; 0 is the default, 1
} UcmohChooseOptions;

/// Registers upstream's dialects and UCMoH's: what modules may be written in.
MLIR_CAPI_EXPORTED void ucmohRegisterDialects(MlirDialectRegistry registry);

/// Sets the attribute `ucmoh.choice` of each contraction and convolution of the module that has a
/// legal candidate, after the passes that come before `ucmoh-select`. Errors are diagnostics of the
/// context.
MLIR_CAPI_EXPORTED MlirLogicalResult ucmohChoose(MlirModule module, UcmohChooseOptions options);

/// Hands JSON to `callback`, and leaves the module as it is: of each contraction and convolution,
/// in walk order, {"op", "workload", "reason", "candidates": [{"choice", "predicted_seconds"}]}.
/// The best candidate comes first, and there are at most `limit`; `reason` says why there is none,
/// else it is null. Errors are diagnostics of the context.
MLIR_CAPI_EXPORTED MlirLogicalResult ucmohExplain(MlirModule module, UcmohChooseOptions options,
                                                  int64_t limit, MlirStringCallback callback,
                                                  void *userData);

/// The same for the text of a module, in a context of its own. On failure, what `callback` gets are
/// the diagnostics.
MLIR_CAPI_EXPORTED MlirLogicalResult ucmohExplainText(MlirStringRef text,
                                                      UcmohChooseOptions options, int64_t limit,
                                                      MlirStringCallback callback, void *userData);

#ifdef __cplusplus
}
#endif

#endif // UCMOH_C_CHOOSE_H
