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
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

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

/// A body that may be missing, behind its name.
static ParseResult parseOptionalBody(OpAsmParser &parser, StringRef name, Region &body) {
  return failed(parser.parseOptionalKeyword(name)) ? success() : parseBody(parser, body);
}

static void printOptionalBody(OpAsmPrinter &printer, Operation *op, StringRef name, Region &body) {
  if (body.empty())
    return;
  printer.printNewline();
  printer << name << ' ';
  printBody(printer, op, body);
}

static ParseResult parseCopyBodies(OpAsmParser &parser, Region &init, Region &copy, Region &commit,
                                   Region &wait) {
  return failure(failed(parseOptionalBody(parser, "init", init)) ||
                 failed(parseOptionalBody(parser, "copy", copy)) ||
                 failed(parseOptionalBody(parser, "commit", commit)) ||
                 failed(parseOptionalBody(parser, "wait", wait)));
}

static void printCopyBodies(OpAsmPrinter &printer, Operation *op, Region &init, Region &copy,
                            Region &commit, Region &wait) {
  printOptionalBody(printer, op, "init", init);
  printOptionalBody(printer, op, "copy", copy);
  printOptionalBody(printer, op, "commit", commit);
  printOptionalBody(printer, op, "wait", wait);
}

static ParseResult parseFragmentBodies(OpAsmParser &parser, Region &zero, Region &store) {
  return failure(failed(parseOptionalBody(parser, "zero", zero)) ||
                 failed(parseOptionalBody(parser, "store", store)));
}

static void printFragmentBodies(OpAsmPrinter &printer, Operation *op, Region &zero, Region &store) {
  printOptionalBody(printer, op, "zero", zero);
  printOptionalBody(printer, op, "store", store);
}

/// `lhs @symbol`, if it stands there.
static ParseResult parseFragmentName(OpAsmParser &parser, StringRef role, SymbolRefAttr &name) {
  return failed(parser.parseOptionalKeyword(role)) ? success() : parser.parseAttribute(name);
}

/// A body of an operand that has no fragment.
static ParseResult parseOperandBody(OpAsmParser &parser, StringRef name, SymbolRefAttr fragment,
                                    Region &body) {
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parseOptionalBody(parser, name, body)))
    return failure();
  if (fragment && !body.empty())
    return parser.emitError(loc) << "'" << name << "' is that of fragment " << fragment
                                 << "; drop the body or the name of the fragment";
  return success();
}

static ParseResult parseIntrinsicBodies(OpAsmParser &parser, SymbolRefAttr &lhs, SymbolRefAttr &rhs,
                                        SymbolRefAttr &acc, Region &loadLhs, Region &loadRhs,
                                        Region &loadAcc, Region &zero, Region &compute,
                                        Region &store) {
  return failure(failed(parseFragmentName(parser, "lhs", lhs)) ||
                 failed(parseFragmentName(parser, "rhs", rhs)) ||
                 failed(parseFragmentName(parser, "acc", acc)) ||
                 failed(parseOperandBody(parser, "load_lhs", lhs, loadLhs)) ||
                 failed(parseOperandBody(parser, "load_rhs", rhs, loadRhs)) ||
                 failed(parseOperandBody(parser, "load_acc", acc, loadAcc)) ||
                 failed(parseOperandBody(parser, "zero", acc, zero)) ||
                 parser.parseKeyword("compute") || failed(parseBody(parser, compute)) ||
                 failed(parseOperandBody(parser, "store", acc, store)));
}

/// Bodies that a fragment has are not repeated, even where they were filled in.
static void printIntrinsicBodies(OpAsmPrinter &printer, Operation *op, SymbolRefAttr lhs,
                                 SymbolRefAttr rhs, SymbolRefAttr acc, Region &loadLhs,
                                 Region &loadRhs, Region &loadAcc, Region &zero, Region &compute,
                                 Region &store) {
  std::pair<StringRef, SymbolRefAttr> names[] = {{"lhs", lhs}, {"rhs", rhs}, {"acc", acc}};
  if (lhs || rhs || acc)
    printer.printNewline();
  llvm::interleave(
      llvm::make_filter_range(names, [](auto &entry) { return bool(entry.second); }),
      [&](auto &entry) { printer << entry.first << ' ' << entry.second; }, [&] { printer << ' '; });
  auto print = [&](StringRef name, SymbolRefAttr fragment, Region &body) {
    if (!fragment)
      printOptionalBody(printer, op, name, body);
  };
  print("load_lhs", lhs, loadLhs);
  print("load_rhs", rhs, loadRhs);
  print("load_acc", acc, loadAcc);
  print("zero", acc, zero);
  print("compute", {}, compute);
  print("store", acc, store);
}

static ParseResult parseNamedRegion(OpAsmParser &parser, StringRef name, Region &region) {
  return failure(parser.parseKeyword(name) || parseRegion(parser, region, /*isIsolated=*/false));
}

/// The bodies of a tile, which may use values from above; the last one is there if it is staged.
static ParseResult parseTileBodies(OpAsmParser &parser, Region &prologue, Region &epilogue) {
  if (failed(parseNamedRegion(parser, "prologue", prologue)))
    return failure();
  if (succeeded(parseNamedRegion(parser, "epilogue", epilogue)))
    return success();
  // The prologue may by mistake use a value of the epilogue, which dies first.
  prologue.dropAllReferences();
  epilogue.dropAllReferences();
  return failure();
}

static void printTileBodies(OpAsmPrinter &printer, Operation *op, Region &prologue,
                            Region &epilogue) {
  printer << "prologue ";
  printBody(printer, op, prologue);
  printer << " epilogue ";
  printBody(printer, op, epilogue);
}

static ParseResult parsePipelineBodies(OpAsmParser &parser, Region &copy, Region &body) {
  return failure(failed(parseNamedRegion(parser, "copy", copy)) ||
                 failed(parseNamedRegion(parser, "body", body)));
}

static void printPipelineBodies(OpAsmPrinter &printer, Operation *op, Region &copy, Region &body) {
  printer << "copy ";
  printBody(printer, op, copy);
  printer << " body ";
  printBody(printer, op, body);
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

std::shared_ptr<void> UCMoHDialect::share(StringRef name,
                                          function_ref<std::shared_ptr<void>()> make) {
  std::lock_guard<std::mutex> lock(sharing);
  std::weak_ptr<void> &entry = shared[name];
  std::shared_ptr<void> value = entry.lock();
  if (!value)
    entry = value = make();
  return value;
}

/// Whether the attribute promises one range of extents, or several of them.
static bool promisesExtents(Attribute attribute) {
  auto bounds = dyn_cast<DenseI64ArrayAttr>(attribute);
  if (!bounds || bounds.empty() || bounds.size() % 2)
    return false;
  for (int64_t i = 0; i < bounds.size(); i += 2)
    if (bounds[i] < 1 || bounds[i] > bounds[i + 1])
      return false;
  return true;
}

LogicalResult UCMoHDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() == "ucmoh.assume")
    return promisesExtents(attribute.getValue()) &&
                   cast<DenseI64ArrayAttr>(attribute.getValue()).size() == 2
               ? success()
               : op->emitError("'ucmoh.assume' must be array<i64: LEAST, MOST> with 1 <= LEAST <= "
                               "MOST");
  if (attribute.getName() != "ucmoh.target" ||
      (isa<ModuleOp>(op) && isa<ResolvedAttr>(attribute.getValue())))
    return success();
  return mlir::emitError(op->getLoc(), "'ucmoh.target' must be a #ucmoh.resolved of a module; "
                                       "--ucmoh-resolve-target sets it");
}

void ucmoh::registerUCMoH(DialectRegistry &registry) {
  registry.insert<UCMoHDialect, affine::AffineDialect, amx::AMXDialect, arith::ArithDialect,
                  arm_neon::ArmNeonDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                  memref::MemRefDialect, NVVM::NVVMDialect, nvgpu::NVGPUDialect, scf::SCFDialect,
                  vector::VectorDialect, x86vector::X86VectorDialect>();
}

/// Whether there are numbers of the type, read as signed or unsigned, that are the two bounds.
static bool fits(ArrayRef<int64_t> bounds, unsigned bits) {
  return bounds.size() == 2 && bounds[0] <= bounds[1] && bounds[0] >= llvm::minIntN(bits) &&
         bounds[1] <= (bounds[0] < 0 ? llvm::maxIntN(bits) : int64_t(llvm::maxUIntN(bits)));
}

static LogicalResult verifyPromise(FunctionOpInterface function, unsigned argument,
                                   Attribute attribute) {
  auto tensor = dyn_cast<ShapedType>(function.getArgumentTypes()[argument]);
  int64_t open = tensor && tensor.hasRank() ? tensor.getNumDynamicDims() : 0;
  if (promisesExtents(attribute) && open > 0 &&
      llvm::is_contained({int64_t(2), 2 * open}, cast<DenseI64ArrayAttr>(attribute).size()))
    return success();
  return function->emitError("'ucmoh.assume' of argument #")
         << argument << " must be array<i64: LEAST, MOST> with 1 <= LEAST <= MOST, for all dynamic "
         << "dims together or for each of them";
}

LogicalResult UCMoHDialect::verifyRegionArgAttribute(Operation *op, unsigned region,
                                                     unsigned argument, NamedAttribute attribute) {
  // A lowered function has pointers for its tensors.
  auto function =
      isa<LLVM::LLVMFuncOp>(op) ? FunctionOpInterface() : dyn_cast<FunctionOpInterface>(op);
  if (function && attribute.getName() == "ucmoh.assume")
    return verifyPromise(function, argument, attribute.getValue());
  if (!function || attribute.getName() != "ucmoh.range")
    return success();
  auto tensor = dyn_cast<ShapedType>(function.getArgumentTypes()[argument]);
  auto element = tensor ? dyn_cast<IntegerType>(tensor.getElementType()) : IntegerType();
  if (!element || element.getWidth() > 32)
    return op->emitError(
               "'ucmoh.range' is for tensors of integers of at most 32 bits, but argument #")
           << argument << " is not one";
  auto bounds = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
  if (!bounds || !fits(bounds, element.getWidth()))
    return op->emitError("'ucmoh.range' of argument #")
           << argument << " must be array<i64: LOW, HIGH> of numbers that " << element << " holds";
  return success();
}
