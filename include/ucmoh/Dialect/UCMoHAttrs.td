//===- UCMoHAttrs.td - Attributes of the ucmoh dialect ---------*- tablegen -*-===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_DIALECT_UCMOHATTRS_TD
#define UCMOH_DIALECT_UCMOHATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "ucmoh/Dialect/UCMoHDialect.td"

// Plain I32EnumAttrs (IntegerAttr): the EnumAttr wrapper prints a second space before the keyword.
def UCMoH_Role : I32EnumAttr<"Role", "operand of an intrinsic", [
    I32EnumAttrCase<"lhs", 0>, I32EnumAttrCase<"rhs", 1>, I32EnumAttrCase<"acc", 2>]> {
  let cppNamespace = "::ucmoh";
}

def UCMoH_ChoiceAttr : AttrDef<UCMoH_Dialect, "Choice"> {
  let mnemonic = "choice";
  let summary = "how one contraction is to be tensorized";
  let description = [{
    A choice is the decision of the cost model. `--ucmoh-select` attaches it to a
    linalg op, and `--ucmoh-tile` and `--ucmoh-tensorize` apply it. A choice that is
    written by hand pins the decision.

    - `intrinsic` is the symbol of the intrinsic, `@target::@intrinsic`.
    - `register_tile` has the [rows, columns] of the result that one micro-kernel
      keeps in registers. They are multiples of the intrinsic's m and n.
    - `cache_tile` has the extents [m, n, k] of one cache tile.
    - `order` names the block loops from outermost to innermost, `nmk`, `mnk` or
      `nomk`, and behind a dot the two loops over register tiles, `nm` or `mn`. `o`
      stands for the loops over rows that no tile crosses, such as the rows of an
      image. Without it they are the outermost ones.
    - `pack_lhs` is `none` where fragments come straight from the operand in memory,
      and `block` where each cache tile is copied to a packing buffer first. For a
      convolution that copy is an implicit im2col.
    - `pack_rhs` is `none`, `block`, or `prepacked`: an op of its own packs the whole
      operand once. It hoists to compile or load time when the operand is constant.
      `widened` is both: what is packed keeps the type of the operand, bf16,
      and each cache tile of it becomes the intrinsic's type in a packing buffer.
    - `threads` (optional, 1) is the number of parts of the outermost loop.
    - `pipeline_depth` (optional, 1) is for intrinsics whose operands are staged
      through shared memory: that many cache tiles of the reduction are there at
      once. One block of threads then computes m x n of a cache tile.
    - `predicted_seconds` is of the whole op on one core, and 0 when it is unknown.
    - `model` names what decided, as in "analytic" or "embedded@HASH".

    A choice of a depthwise convolution has [columns of the image, channels] as its
    register tile. `--ucmoh-windows` applies it.

    ```mlir
    #ucmoh.choice<intrinsic = @x86_avx512_vnni::@vpdpbusd_512, register_tile = [12, 32],
      cache_tile = [132, 768, 768], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked",
      predicted_seconds = 2.9e-04, model = "analytic">
    ```
  }];
  let parameters = (ins "::mlir::SymbolRefAttr":$intrinsic,
      ArrayRefParameter<"int64_t">:$registerTile, ArrayRefParameter<"int64_t">:$cacheTile,
      StringRefParameter<>:$order, StringRefParameter<>:$packLhs, StringRefParameter<>:$packRhs,
      "int64_t":$threads, "int64_t":$pipelineDepth, APFloatParameter<"">:$predictedSeconds, StringRefParameter<>:$model);
  let builders = [AttrBuilder<(ins "::mlir::SymbolRefAttr":$intrinsic,
      "::llvm::ArrayRef<int64_t>":$registerTile, "::llvm::ArrayRef<int64_t>":$cacheTile,
      "::llvm::StringRef":$order, "::llvm::StringRef":$packLhs, "::llvm::StringRef":$packRhs,
      "int64_t":$threads, "int64_t":$pipelineDepth, "double":$predictedSeconds, "::llvm::StringRef":$model), [{
    return $_get($_ctxt, intrinsic, registerTile, cacheTile, order, packLhs, packRhs, threads, pipelineDepth,
                 ::llvm::APFloat(predictedSeconds), model);
  }]>];
  let extraClassDeclaration = [{
    double getSeconds() const { return getPredictedSeconds().convertToDouble(); }
    /// Intrinsic, register tile, cache tile, order and packing, such as
    /// "vpdpbusd_512 12x32, 132x768x768 nmk.nm none/prepacked".
    std::string summarize() const;
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def UCMoH_ResolvedAttr : AttrDef<UCMoH_Dialect, "Resolved"> {
  let mnemonic = "resolved";
  let summary = "the targets and the machine that a module is compiled for";
  let description = [{
    `--ucmoh-resolve-target` sets this attribute as `ucmoh.target` of the module.
    The passes behind it read it, so that all of them compile for the same
    targets and score for the same machine.

    - `request`: what the user asked for, in the words of the option `target`.
    - `targets`: the targets whose intrinsics may be used together.
    - `machine`: the machine's name and a hash of all numbers that choices rest
      on. A pass that finds other numbers under the same request refuses the
      module.

    ```mlir
    module attributes {ucmoh.target = #ucmoh.resolved<"x86_avx512_vnni@zen4",
        targets = [@x86_avx512_vnni], machine = "zen4@1f2e3d4c">} { ... }
    ```
  }];
  let parameters = (ins StringRefParameter<>:$request,
      ArrayRefParameter<"::mlir::FlatSymbolRefAttr">:$targets, StringRefParameter<>:$machine);
  let assemblyFormat = [{
    `<` $request `,` `targets` `=` `[` $targets `]` `,` `machine` `=` $machine `>`
  }];
}

#endif // UCMOH_DIALECT_UCMOHATTRS_TD
