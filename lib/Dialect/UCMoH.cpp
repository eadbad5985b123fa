//===- UCMoH.cpp - The ucmoh dialect
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Dialect/UCMoH.h"
#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ArmNeon/ArmNeonDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ucmoh;

static ParseResult parseRegion(OpAsmParser &parser, Region &body, bool isIsolated) {
  SmallVector<OpAsmParser::Argument> arguments;
  return failure(
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren, /*allowType=*/true) ||
      parser.parseRegion(body, arguments, /*enableNameShadowing=*/isIsolated));
}

/// A body is written like a function: `(%arg: type, ...) { ops }`. Its names are its own: otherwise
/// an undefined name of one body would be taken for one that a later body defines.
static ParseResult parseBody(OpAsmParser &parser, Region &body) {
  return parseRegion(parser, body, /*isIsolated=*/true);
}

static void printBody(OpAsmPrinter &printer, Operation *, Region &body) {
  printer << '(';
  llvm::interleaveComma(body.getArguments(), printer,
                        [&](BlockArgument arg) { printer.printRegionArgument(arg); });
  printer << ") ";
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

/// What makes a barrier ready; only an engine with barriers has it.
static ParseResult parseInitBody(OpAsmParser &parser, Region &body) {
  return failed(parser.parseOptionalKeyword("init")) ? success() : parseBody(parser, body);
}

static void printInitBody(OpAsmPrinter &printer, Operation *op, Region &body) {
  if (body.empty())
    return;
  printer << "init ";
  printBody(printer, op, body);
  printer.printNewline();
}

static ParseResult parseNamedRegion(OpAsmParser &parser, StringRef name, Region &region) {
  return failure(parser.parseKeyword(name) || parseRegion(parser, region, /*isIsolated=*/false));
}

/// The bodies of a tile, which may use values from above; the last one is there if it is staged.
static ParseResult parseTileBodies(OpAsmParser &parser, Region &prologue, Region &epilogue,
                                   Region &stage) {
  if (failed(parseNamedRegion(parser, "prologue", prologue)))
    return failure();
  if (succeeded(parseNamedRegion(parser, "epilogue", epilogue)) &&
      (failed(parser.parseOptionalKeyword("stage")) ||
       succeeded(parseRegion(parser, stage, /*isIsolated=*/false))))
    return success();
  // The prologue may by mistake use a value of the epilogue, which dies first.
  prologue.dropAllReferences();
  epilogue.dropAllReferences();
  return failure();
}

static void printTileBodies(OpAsmPrinter &printer, Operation *op, Region &prologue,
                            Region &epilogue, Region &stage) {
  printer << "prologue ";
  printBody(printer, op, prologue);
  printer << " epilogue ";
  printBody(printer, op, epilogue);
  if (stage.empty())
    return;
  printer << " stage ";
  printBody(printer, op, stage);
}

#include "ucmoh/Dialect/UCMoHDialect.cpp.inc"
#include "ucmoh/Dialect/UCMoHEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ucmoh/Dialect/UCMoHAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "ucmoh/Dialect/UCMoHOps.cpp.inc"

void UCMoHDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ucmoh/Dialect/UCMoHAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ucmoh/Dialect/UCMoHOps.cpp.inc"
      >();
}

void ucmoh::registerUCMoH(DialectRegistry &registry) {
  registry.insert<UCMoHDialect, affine::AffineDialect, amx::AMXDialect, arith::ArithDialect,
                  arm_neon::ArmNeonDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                  memref::MemRefDialect, NVVM::NVVMDialect, nvgpu::NVGPUDialect, scf::SCFDialect,
                  vector::VectorDialect, x86vector::X86VectorDialect>();
}
