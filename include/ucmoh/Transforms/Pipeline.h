//===- Pipeline.h - The passes in order
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TRANSFORMS_PIPELINE_H
#define UCMOH_TRANSFORMS_PIPELINE_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace ucmoh {

/// Options of `--tensorize-with-cost-model`; the same as those of `--ucmoh-select`.
struct TensorizePipelineOptions : mlir::PassPipelineOptions<TensorizePipelineOptions> {
  Option<std::string> target{
      *this, "target", llvm::cl::init(""),
      llvm::cl::desc("host (the default), a target's name (several joined by +, "
                     "optionally @machine), or a target file; a machine may "
                     "be a file too: host@here.mlir")};
  Option<std::string> model{*this, "model", llvm::cl::init("auto"),
                            llvm::cl::desc("cost model: auto, embedded, analytic, random:SEED or "
                                           "FILE.safetensors")};
  Option<int64_t> threads{*this, "threads", llvm::cl::init(1),
                          llvm::cl::desc("threads that one kernel may use (OpenMP)")};
  Option<std::string> choices{*this, "choices", llvm::cl::init(""),
                              llvm::cl::desc("JSONL file of choices that override the model")};
  Option<bool> winograd{*this, "winograd", llvm::cl::init(true),
                        llvm::cl::desc("convolutions of 3 x 3 pixels may be computed with fewer "
                                       "products, as ucmoh-winograd does")};
  Option<bool> check{*this, "check", llvm::cl::init(false),
                     llvm::cl::desc("compare each kernel with plain loops when it runs")};
};

/// Options of `--ucmoh-to-llvm`.
struct ToLLVMPipelineOptions : mlir::PassPipelineOptions<ToLLVMPipelineOptions> {
  Option<std::string> target{*this, "target", llvm::cl::init(""),
                             llvm::cl::desc("the target, if the module does not say it")};
  Option<bool> hoist{*this, "hoist", llvm::cl::init(true),
                     llvm::cl::desc("move what depends on weights alone into @NAME.pack, as "
                                    "ucmoh-hoist-weights does")};
  Option<bool> rest{*this, "rest", llvm::cl::init(true),
                    llvm::cl::desc("what is no contraction becomes vector code over rows; else "
                                   "plain loops")};
  Option<bool> check{*this, "check", llvm::cl::init(false),
                     llvm::cl::desc("compare each kernel that is made here with plain loops")};
  Option<bool> outlineNetworks{
      *this, "outline-networks", llvm::cl::init(false),
      llvm::cl::desc("all kernels and outermost loops of a network become functions, which "
                     "can be compiled alone")};
  Option<bool> instrument{*this, "instrument", llvm::cl::init(false),
                          llvm::cl::desc("call the clock around ops marked ucmoh.op")};
  Option<bool> resultsAsArguments{
      *this, "results-as-arguments", llvm::cl::init(false),
      llvm::cl::desc("functions write tensors that they return to buffers that their callers give "
                     "behind the arguments; public functions too")};
  Option<int64_t> threads{*this, "threads", llvm::cl::init(0),
                          llvm::cl::desc("threads of a loop that threads share; 0: as OpenMP's "
                                         "runtime says when it runs")};
  Option<std::string> assembler{
      *this, "assembler", llvm::cl::init("ptxas"),
      llvm::cl::desc("program that says what kernels of a device need; none, or not found: "
                     "nothing is said")};
};

/// Adds the passes before ucmoh-select: whoever analyses ops as it does runs this first. On a
/// module or a function.
void buildPreparePipeline(mlir::OpPassManager &pm);

/// Adds the passes behind ucmoh-select: ops with a choice become kernels. On a module or a
/// function.
void buildTilePipeline(mlir::OpPassManager &pm, const std::string &target, bool check = false);

/// linalg on tensors -> kernels of ucmoh ops on tensors: prepare, select, tile, tensorize.
void buildTensorizePipeline(mlir::OpPassManager &pm, const TensorizePipelineOptions &options);

/// Tensors (with or without kernels) -> LLVM dialect. Without `rest`, plain linalg becomes plain
/// loops: on a module without kernels this is the reference that results are compared with.
void buildToLLVMPipeline(mlir::OpPassManager &pm, const ToLLVMPipelineOptions &options);

} // namespace ucmoh

#endif // UCMOH_TRANSFORMS_PIPELINE_H
