//===- Replace.cpp - Groups of a dump of IREE's, replaced by dispatches
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Iree/Replace.h"
#include "Stages.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectResourceBlobManager.h"
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

/// The bytes of a constant; of a splat, those of one element again and again.
static void appendBytes(ElementsAttr attribute, std::vector<char> &bytes) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute)) {
    ArrayRef<char> data = resource.getRawHandle().getBlob()->getData();
    bytes.insert(bytes.end(), data.begin(), data.end());
    return;
  }
  auto dense = cast<DenseElementsAttr>(attribute);
  ArrayRef<char> data = dense.getRawData();
  for (int64_t i = 0, n = dense.isSplat() ? dense.getNumElements() : 1; i < n; ++i)
    bytes.insert(bytes.end(), data.begin(), data.end());
}

/// All weights of the group as one constant, each at its offset.
static Value mergeWeights(OpBuilder &builder, const Group &place, const CompiledGroup &group,
                          RankedTensorType type) {
  SmallVector<int64_t> offsets = mergedOffsets(group);
  std::vector<char> bytes;
  for (auto [weight, offset] :
       llvm::zip(ArrayRef(place.inputs).take_back(place.weights), offsets)) {
    bytes.resize(offset);
    appendBytes(cast<ElementsAttr>(weight.getDefiningOp<arith::ConstantOp>().getValue()), bytes);
  }
  bytes.resize(type.getNumElements());
  return arith::ConstantOp::create(builder, place.root()->getLoc(),
                                   DenseElementsAttr::getFromRawBuffer(type, bytes));
}

static void replace(const Group &place, const CompiledGroup &group) {
  OpBuilder builder(place.root());
  Value block;
  Operation *dispatch = nullptr;
  std::vector<Stage> stages = stagesOf(group);
  for (const Stage &stage : stages) {
    SmallVector<Value> operands;
    for (unsigned argument : stage.arguments)
      operands.push_back(place.inputs[argument]);
    if (group.mergesWeights && &stage == &stages.front())
      operands.push_back(mergeWeights(builder, place, group, stage.bindings.front().type));
    if (block)
      operands.push_back(block);
    dispatch = createDispatch(builder, place.root()->getLoc(), group, stage, operands);
    block = dispatch->getResult(0);
  }
  place.result().replaceAllUsesWith(dispatch->getResult(0));
}

/// Users first. Constants and the like may have users in no group.
static void eraseUnused(ModuleOp module, ArrayRef<CompiledGroup> groups) {
  llvm::DenseSet<Operation *> erased;
  for (const CompiledGroup &group : groups)
    for (const Group &place : group.places)
      for (Operation *op : llvm::reverse(place.ops))
        if (!erased.contains(op) && op->use_empty()) {
          erased.insert(op);
          op->erase();
        }
  module.walk([](arith::ConstantOp constant) {
    if (constant->use_empty())
      constant.erase();
  });
}

void ucmoh::writeReplaced(llvm::raw_ostream &os, ModuleOp module, ArrayRef<CompiledGroup> groups,
                          StringRef target) {
  for (const CompiledGroup &group : groups)
    for (const Group &place : group.places)
      replace(place, group);
  eraseUnused(module, groups);
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
