//===- Replace.cpp - Groups of a dump of IREE's, replaced by dispatches
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Iree/Replace.h"
#include "Stages.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace ucmoh;

/// An op of IREE, which is not registered here.
static Operation *createDispatch(OpBuilder &builder, Location loc, const CompiledGroup &group,
                                 const Stage &stage, ValueRange operands) {
  MLIRContext *context = builder.getContext();
  SmallVector<Attribute> names = {FlatSymbolRefAttr::get(context, "code"),
                                  FlatSymbolRefAttr::get(context, stage.symbol + "_dispatch")};
  SmallVector<FlatSymbolRefAttr> nested;
  for (Attribute name : names)
    nested.push_back(cast<FlatSymbolRefAttr>(name));
  auto entry = SymbolRefAttr::get(context, group.dispatch.name, nested);
  OperationState state(loc, "flow.dispatch");
  state.addOperands(operands);
  SmallVector<Attribute> tied;
  for (const Binding &binding : stage.bindings)
    if (binding.isResult) {
      state.addTypes(binding.type);
      tied.push_back(builder.getIndexAttr(-1));
    }
  int32_t count = operands.size();
  state.propertiesAttr = builder.getDictionaryAttr(
      {builder.getNamedAttr("entry_points", builder.getArrayAttr(entry)),
       builder.getNamedAttr("operandSegmentSizes", builder.getDenseI32ArrayAttr({0, count, 0, 0})),
       builder.getNamedAttr("tied_operands", builder.getArrayAttr(tied))});
  return builder.create(state);
}

static void replace(const Group &place, const CompiledGroup &group) {
  OpBuilder builder(place.root());
  Value block;
  Operation *dispatch = nullptr;
  for (const Stage &stage : stagesOf(group)) {
    SmallVector<Value> operands;
    for (unsigned argument : stage.arguments)
      operands.push_back(place.inputs[argument]);
    if (block)
      operands.push_back(block);
    dispatch = createDispatch(builder, place.root()->getLoc(), group, stage, operands);
    block = dispatch->getResult(0);
  }
  place.result().replaceAllUsesWith(dispatch->getResult(0));
}

/// Users first. Constants and the like may have users in no group.
static void eraseUnused(ArrayRef<CompiledGroup> groups) {
  llvm::DenseSet<Operation *> erased;
  for (const CompiledGroup &group : groups)
    for (const Group &place : group.places)
      for (Operation *op : llvm::reverse(place.ops))
        if (!erased.contains(op) && op->use_empty()) {
          erased.insert(op);
          op->erase();
        }
}

void ucmoh::writeReplaced(llvm::raw_ostream &os, ModuleOp module, ArrayRef<CompiledGroup> groups,
                          StringRef target) {
  for (const CompiledGroup &group : groups)
    for (const Group &place : group.places)
      replace(place, group);
  eraseUnused(groups);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, OpPrintingFlags().printGenericOpForm());
  // The ops of IREE are not known here: the code is added as text, as the module's first ops.
  size_t begin = text.find("({\n", text.find("\"builtin.module\"()")) + 3;
  os << StringRef(text).take_front(begin);
  for (const CompiledGroup &group : groups)
    writeExecutable(os, group, target);
  os << StringRef(text).drop_front(begin);
}
