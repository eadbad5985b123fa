//===- CallVerifier.cpp - Checks calls of LLVM intrinsics against LLVM
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallVerifier.h"
#include "mlir/Target/LLVMIR/TypeToLLVM.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

/// The call's type in LLVM IR; null if one of its types does not exist there.
static llvm::FunctionType *translate(LLVM::CallIntrinsicOp call, llvm::LLVMContext &context) {
  LLVM::TypeToLLVMIRTranslator translator(context);
  auto types = llvm::to_vector(call->getOperandTypes());
  llvm::append_range(types, call->getResultTypes());
  if (!llvm::all_of(types, LLVM::isCompatibleType))
    return nullptr;
  SmallVector<llvm::Type *> arguments;
  for (Type type : call->getOperandTypes())
    arguments.push_back(translator.translateType(type));
  llvm::Type *result = call->getNumResults()
                           ? translator.translateType(call->getResult(0).getType())
                           : llvm::Type::getVoidTy(context);
  return llvm::FunctionType::get(result, arguments, /*isVarArg=*/false);
}

static bool matches(llvm::FunctionType *type, llvm::Intrinsic::ID id) {
  SmallVector<llvm::Intrinsic::IITDescriptor> table;
  llvm::Intrinsic::getIntrinsicInfoTableEntries(id, table);
  ArrayRef<llvm::Intrinsic::IITDescriptor> rest = table;
  SmallVector<llvm::Type *> overloads;
  return llvm::Intrinsic::matchIntrinsicSignature(type, rest, overloads) ==
             llvm::Intrinsic::MatchIntrinsicTypes_Match &&
         !llvm::Intrinsic::matchIntrinsicVarArg(type->isVarArg(), rest);
}

LogicalResult ucmoh::verifyIntrinsicCall(LLVM::CallIntrinsicOp call) {
  llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(call.getIntrin());
  if (id == llvm::Intrinsic::not_intrinsic)
    return mlir::emitError(call.getLoc())
           << "LLVM " LLVM_VERSION_STRING " has no intrinsic " << call.getIntrinAttr();
  llvm::LLVMContext context;
  llvm::FunctionType *type = translate(call, context);
  if (type && matches(type, id))
    return success();
  auto diagnostic = mlir::emitError(call.getLoc())
                    << "operand or result types do not fit " << call.getIntrinAttr();
  if (!llvm::Intrinsic::isOverloaded(id)) {
    std::string expected;
    llvm::raw_string_ostream(expected) << *llvm::Intrinsic::getType(context, id);
    diagnostic << ", which LLVM " LLVM_VERSION_STRING " declares as '" << expected << "'";
  }
  return diagnostic;
}
