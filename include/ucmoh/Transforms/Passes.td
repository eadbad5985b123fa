//===- Passes.td - The passes of UCMoH -------------------------*- tablegen -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// In reading order: the order in which --tensorize-with-cost-model runs them.

#ifndef UCMOH_TRANSFORMS_PASSES_TD
#define UCMOH_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def Prepare : Pass<"ucmoh-prepare", "::mlir::func::FuncOp"> {
  let summary = "bring what surrounds contractions into a form that fuses";
  let description = [{
    Fuses chains of elementwise ops with each other (never into a contraction),
    and takes elementwise ops that other tools fused into the body of a
    contraction out of it again: each operand is computed once, in the type that
    it has before it is extended. The extension of 8-bit operands and the
    subtraction of their zero points end up next to the contraction, which reads
    the 8-bit values; sums of 64 bits become sums of 32 where all users truncate
    them or their range is known to fit, and so do other integers of more than 32
    bits inside of elementwise ops.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

def ResolveTarget : Pass<"ucmoh-resolve-target", "::mlir::ModuleOp"> {
  let summary = "note on the module which targets and which machine it is compiled for";
  let description = [{
    Finds the targets and the machine that the option `target` names, and sets
    the module's attribute `ucmoh.target`, a `#ucmoh.resolved`. The passes
    behind it read the attribute, so that a choice is applied for the target and
    the machine that it was made for, and the files are parsed once.

    A pass whose own option `target` contradicts the attribute reports an error,
    and so does a pass that finds another machine under the same name than the
    attribute records. Without the attribute a pass uses its option, and this
    machine without an option.

    A `#dlti.target_system_spec` of the module replaces numbers of the machine:
    of its device "CPU", or "GPU" for a target that is a device, the entries
    `L1_cache_size_in_bytes`, `L2_cache_size_in_bytes`, `L3_cache_size_in_bytes`
    and `num_cores`. Other entries have no effect.
  }];
  let dependentDialects = ["::ucmoh::UCMoHDialect"];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "host, a target's name (several joined by +, optionally @machine), or a target file; "
           "a machine may be a file too: host@here.mlir">];
}

def Select : Pass<"ucmoh-select"> {
  let summary = "attach the best #ucmoh.choice to each contraction";
  let description = [{
    Enumerates the legal candidates of each contraction, scores them and attaches
    the best as attribute `ucmoh.choice`. An op that already has one keeps it
    when it is legal; another one is replaced, with a warning. An op without a
    legal candidate is left alone; remarks (category "ucmoh") say what was
    chosen, from how many, and why not. Of a file of choices the first line for
    a workload counts; a warning says when no line is for any.
  }];
  let dependentDialects = ["::ucmoh::UCMoHDialect"];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "what ucmoh-resolve-target would be given; sets the module's attribute">,
    Option<"model", "model", "std::string", "\"auto\"",
           "cost model: auto (embedded where it has seen the intrinsics, else analytic), "
           "embedded, analytic, random:SEED or FILE.safetensors">,
    Option<"threads", "threads", "int64_t", "1", "threads that one kernel may use">,
    Option<"choices", "choices", "std::string", "\"\"",
           "JSONL file {\"workload\": NAME, \"workload_hash\": DIGITS, \"choice\": \"#ucmoh.choice<...>\"} "
           "that overrides the model: ucmoh-candidates prints such lines">];
}

def Score : Pass<"ucmoh-score"> {
  let summary = "say what the cost model predicts for the kernels in the input";
  let description = [{
    Reads the program of each kernel, a `ucmoh.kernel` or a function with loops around `ucmoh.load`,
    `ucmoh.compute` and `ucmoh.store`, whoever wrote it, and says in a remark how many seconds the
    model predicts for it on the target's machine. The IR stays as it is. What has no place in a
    program (a position that does not follow from the loops, an intrinsic that the target lacks) is
    an error at the op.
  }];
  let dependentDialects = ["::ucmoh::UCMoHDialect"];
  let options = [
    Option<"target", "target", "std::string", "\"\"", "what ucmoh-resolve-target would be given">,
    Option<"model", "model", "std::string", "\"auto\"", "as in ucmoh-select">,
    Option<"features", "features", "std::string", "\"\"",
           "JSONL file for the features of each kernel, - for standard output">];
}

def Tile : Pass<"ucmoh-tile", "::mlir::func::FuncOp"> {
  let summary = "turn ops that carry a choice into ucmoh.kernel loop nests around ucmoh.tile";
  let description = [{
    Applies the cache blocking, loop order and packing of the choice, and moves
    elementwise consumers into the store of the register tile.
  }];
  let dependentDialects = ["::ucmoh::UCMoHDialect", "::mlir::linalg::LinalgDialect",
      "::mlir::tensor::TensorDialect", "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect",
      "::mlir::vector::VectorDialect", "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect"];
  let options = [
    Option<"target", "target", "std::string", "\"\"", "what ucmoh-resolve-target would be given: where to look up the intrinsics">];
}

def Tensorize : Pass<"ucmoh-tensorize", "::mlir::func::FuncOp"> {
  let summary = "expand each ucmoh.tile into ucmoh.load, compute and store";
  let dependentDialects = ["::ucmoh::UCMoHDialect", "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect",
      "::mlir::vector::VectorDialect", "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
      "::mlir::gpu::GPUDialect"];
  let options = [
    Option<"target", "target", "std::string", "\"\"", "what ucmoh-resolve-target would be given: where to look up the intrinsics">];
}

def ApproximateMath : Pass<"ucmoh-approximate-math"> {
  let summary = "exp, erf, tanh and log as polynomials (f32, few ulp)";
  let description = [{
    Calls of the math library, one element at a time, would cost more than the
    contractions around them; polynomials vectorize, inside kernels and outside.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandPowers : Pass<"ucmoh-expand-powers"> {
  let summary = "math.fpowi as products";
  let description = [{
    LLVM has powers of scalars with i32 exponents only, and calls a library for
    them. A constant exponent becomes products, any other one math.powf; floats
    of less than 32 bits are widened before. Inside kernels and outside.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def HoistWeights : Pass<"ucmoh-hoist-weights", "::mlir::ModuleOp"> {
  let summary = "move what depends on weights alone into @NAME.pack";
  let description = [{
    For each public function @NAME with arguments marked `{ucmoh.weight}`, or
    with constants: all pure ops that depend on nothing else move to a new
    function @NAME.pack(weights...) -> (values...), and @NAME takes those values
    in place of the weights that it no longer uses. @NAME.pack is run once.
  }];
}

def Instrument : Pass<"ucmoh-instrument", "::mlir::ModuleOp"> {
  let summary = "call the clock before and after each op marked ucmoh.op";
  let description = [{
    For bufferized code: ops that carry the i64 attribute `ucmoh.op` are
    surrounded by calls of `@ucmoh_op_begin(i64)` and `@ucmoh_op_end(i64)`.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::arith::ArithDialect"];
}

def InlineKernels : Pass<"ucmoh-inline-kernels", "::mlir::ModuleOp"> {
  let summary = "put the bodies of kernels in their place";
  let description = [{
    Outlined ones become functions. For bufferized code, before the deallocation of buffers: that of a kernel's
    scratch buffers is left to it, and it would take a kernel for a function.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def Decompose : Pass<"ucmoh-decompose"> {
  let summary = "turn ops that stand for several loops into those";
  let description = [{
    linalg.softmax, linalg.pack and linalg.unpack on tensors, by upstream's
    decompositions: neither bufferization nor the lowering to loops knows them
    all. tensor.pad of static shape by a constant becomes fills of its border
    and a copy.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect"];
}

def LowerCopies : Pass<"ucmoh-lower-copies"> {
  let summary = "turn copies between buffers of different layout into loops";
  let description = [{
    For bufferized code: a memref.copy into or out of a part of a buffer, such as
    the inside of a padded image, would become a call of a runtime function that
    copies element by element. As a linalg op over as few dims as the layouts
    allow it becomes loops around contiguous runs.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect"];
}

def ThreadStacks : Pass<"ucmoh-thread-stacks"> {
  let summary = "move the stack buffers of OpenMP loops to the beginning of each thread";
  let description = [{
    After --convert-scf-to-openmp, which leaves them in the loop in scopes of
    their own.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::omp::OpenMPDialect"];
}

def Lower : Pass<"ucmoh-lower", "::mlir::ModuleOp"> {
  let summary = "put the bodies of a target's file in place of the ucmoh ops";
  let description = [{
    Kernels that are left are inlined first. Bodies may hold ops whose effects
    are unknown to buffer deallocation: run that before.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect",
      "::mlir::vector::VectorDialect", "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
      "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"target", "target", "std::string", "\"\"", "what ucmoh-resolve-target would be given: where to look up the intrinsics">];
}

def ExpandFloats : Pass<"ucmoh-expand-floats"> {
  let summary = "conversions from and to f8 as arithmetic on the bits";
  let description = [{
    LLVM has no f8E4M3FN and f8E5M2: arith.extf from them and arith.truncf to
    them, of scalars and vectors, become integer arithmetic. Rounded to the
    nearest, ties to even; what is too large becomes infinity, or NaN where the
    type has none. Arithmetic on f8 has become such conversions before, by
    --arith-emulate-unsupported-floats.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def AttachDevice : Pass<"ucmoh-attach-device", "::mlir::ModuleOp"> {
  let summary = "tell each gpu.module how the target's device compiles it";
  let description = [{
    After --gpu-kernel-outlining. Sets the target attribute that the target's
    file gives, by which --convert-to-llvm{dynamic} and --gpu-module-to-binary
    find their way. Constants that a kernel reads are copied to memory that a
    device can see. No pass behind this one needs a target, so it removes the
    module's attribute `ucmoh.target`.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect"];
  let options = [
    Option<"target", "target", "std::string", "\"\"", "what ucmoh-resolve-target would be given: whose device it is">];
}

def ScratchSymbols : Pass<"ucmoh-scratch-symbols"> {
  let summary = "let a launch say how much scratch a kernel has";
  let description = [{
    On a gpu.module in the LLVM dialect. The scratch of a kernel whose size its
    launch gives is a global without elements; as a global of the module it
    would have a size of its own, beside that of the launch. It becomes external.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def AssembleKernels : Pass<"ucmoh-assemble-kernels", "::mlir::ModuleOp"> {
  let summary = "note what the device's assembler says of each kernel";
  let description = [{
    After --gpu-module-to-binary, while gpu.launch_func still launches the
    kernels. Each kernel's text goes through the program `assembler`; registers of
    a thread, bytes spilled and bytes of scratch become a remark (category
    "ucmoh") and the attribute `ucmoh.needs` of the gpu.binary, as does the
    message of an assembler that refuses a kernel. Without the program nothing
    happens.
  }];
  let options = [
    Option<"assembler", "assembler", "std::string", "\"ptxas\"",
           "the program's path, or its name on PATH; takes ptxas' options">];
}

def LowerLaunches : Pass<"ucmoh-lower-launches", "::mlir::ModuleOp"> {
  let summary = "--gpu-to-llvm where there are kernels of a device, nothing elsewhere";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect"];
}

#endif // UCMOH_TRANSFORMS_PASSES_TD
