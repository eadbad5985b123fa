//===- Stages.cpp - The dispatches that a group becomes
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stages.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace ucmoh;

func::FuncOp ucmoh::functionOf(const CompiledGroup &group) {
  return *group.module.get().getOps<func::FuncOp>().begin();
}

/// IREE has no buffers without bytes.
static RankedTensorType bytesType(MLIRContext *context, int64_t bytes) {
  return RankedTensorType::get(std::max<int64_t>(bytes, 64), IntegerType::get(context, 8));
}

static int64_t bytesOf(RankedTensorType type) {
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

static bool isWeight(func::FuncOp function, BlockArgument argument) {
  return function.getArgAttr(argument.getArgNumber(), "ucmoh.weight") != nullptr;
}

SmallVector<int64_t> ucmoh::mergedOffsets(const CompiledGroup &group) {
  SmallVector<int64_t> offsets = {0};
  func::FuncOp function = functionOf(group);
  for (BlockArgument argument : function.getArguments())
    if (isWeight(function, argument))
      offsets.push_back(offsets.back() +
                        llvm::alignTo(bytesOf(cast<RankedTensorType>(argument.getType())), 64));
  return offsets;
}

/// Weights as parts of one buffer.
static Stage createMergedStage(const CompiledGroup &group) {
  SmallVector<int64_t> offsets = mergedOffsets(group);
  RankedTensorType type = bytesType(group.module.get().getContext(), offsets.pop_back_val());
  Stage stage = {group.dispatch.name + "_pack", {{type, false}}, {}, {}};
  for (int64_t offset : offsets)
    stage.parameters.push_back({0, offset});
  return stage;
}

/// Adds buffers that are a parameter each.
static void addBindings(Stage &stage, ArrayRef<Binding> bindings) {
  for (const Binding &binding : bindings) {
    stage.parameters.push_back({stage.bindings.size(), 0});
    stage.bindings.push_back(binding);
  }
}

static Stage createStage(const CompiledGroup &group, StringRef suffix, bool ofWeights) {
  Stage stage = {(group.dispatch.name + suffix).str(), {}, {}, {}};
  func::FuncOp function = functionOf(group);
  for (BlockArgument argument : function.getArguments())
    if (isWeight(function, argument) == ofWeights) {
      stage.arguments.push_back(argument.getArgNumber());
      addBindings(stage, {{cast<RankedTensorType>(argument.getType()), false,
                           group.isPart[argument.getArgNumber()]}});
    }
  return stage;
}

std::vector<Stage> ucmoh::stagesOf(const CompiledGroup &group) {
  const Dispatch &dispatch = group.dispatch;
  func::FuncOp function = functionOf(group);
  MLIRContext *context = function.getContext();
  Stage pack = group.mergesWeights ? createMergedStage(group) : createStage(group, "_pack", true);
  Stage run = createStage(group, "_run", false);
  auto result = cast<RankedTensorType>(function.getResultTypes().front());
  RankedTensorType block = bytesType(context, dispatch.packedBytes);
  addBindings(pack, {{block, true}, {bytesType(context, dispatch.packScratch), true}});
  if (dispatch.packedBytes)
    addBindings(run, {{block, false}});
  int64_t scratch = llvm::alignTo(dispatch.runScratch, 64) * group.workgroups;
  bool isShared = group.workgroups > 1;
  addBindings(run, {{result, true, isShared}, {bytesType(context, scratch), true, isShared}});
  run.workgroups = group.workgroups;
  return dispatch.packedBytes ? std::vector{pack, run} : std::vector{run};
}

//===----------------------------------------------------------------------===//
// Executables
//===----------------------------------------------------------------------===//

using llvm::formatv;

/// IREE's name of the format of the code.
static std::string formatOf(StringRef triple) {
  llvm::Triple::ArchType architecture = llvm::Triple(triple).getArch();
  bool isArm = architecture == llvm::Triple::aarch64;
  return ("embedded-elf-" + (isArm ? "arm_64" : llvm::Triple::getArchTypeName(architecture))).str();
}

static std::string layoutOf(const Stage &stage) {
  SmallVector<std::string> bindings;
  for (const Binding &binding : stage.bindings)
    bindings.push_back(
        formatv("#hal.pipeline.binding<storage_buffer{0}>", binding.isResult ? "" : ", ReadOnly"));
  return formatv("#hal.pipeline.layout<bindings = [{0}]>", llvm::join(bindings, ", "));
}

static void writeExport(llvm::raw_ostream &os, const Stage &stage, size_t ordinal) {
  os << formatv("      hal.executable.export public @{0}_dispatch ordinal({1}) layout({2})\n"
                "        count(%device: !hal.device) -> (index, index, index) {{\n"
                "          %count = arith.constant {3} : index\n"
                "          %one = arith.constant 1 : index\n"
                "          hal.return %count, %one, %one : index, index, index\n        }\n",
                stage.symbol, ordinal, layoutOf(stage), stage.workgroups);
}

/// Where the parameter begins in its buffer, in bytes: at the workgroup's part where it has one.
static void writeOffset(llvm::raw_ostream &os, size_t i, const Stage &stage) {
  const CodeParameter &parameter = stage.parameters[i];
  const Binding &binding = stage.bindings[parameter.binding];
  os << formatv("          %size{0} = arith.constant {1} : index\n"
                "          %part{0} = arith.muli %workgroup, %size{0} : index\n"
                "          %begin{0} = arith.constant {2} : index\n"
                "          %inside{0} = arith.addi %begin{0}, %part{0} : index\n"
                "          %from{0} = arith.addi %o{3}, %inside{0} : index\n",
                i, binding.isPart ? bytesOf(binding.type) / stage.workgroups : 0, parameter.offset,
                parameter.binding);
}

/// The function that IREE calls: it hands the buffers on as addresses and offsets.
static void writeBody(llvm::raw_ostream &os, const Stage &stage) {
  SmallVector<std::string> arguments, types;
  for (auto [i, parameter] : llvm::enumerate(stage.parameters)) {
    arguments.push_back(formatv("%p{0}, %from{1}", parameter.binding, i));
    types.push_back("memref<i8>, index");
  }
  os << formatv("        func.func private @{0}({1}) attributes "
                "{{hal.import.static, llvm.bareptr = true}\n"
                "        func.func @{0}_dispatch() {{\n"
                "          %zero = arith.constant 0 : index\n"
                "          %workgroup = hal.interface.workgroup.id[0] : index\n",
                stage.symbol, llvm::join(types, ", "));
  for (auto [i, binding] : llvm::enumerate(stage.bindings))
    os << formatv("          %b{0} = hal.interface.binding.subspan layout({1}) binding({0}) "
                  "alignment(64) offset(%zero) : memref<{2}xi8>\n"
                  "          %p{0}, %o{0}, %s{0}, %t{0} = iree_codegen.extract_strided_metadata "
                  "%b{0} : memref<{2}xi8> -> memref<i8>, index, index, index\n",
                  i, layoutOf(stage), bytesOf(binding.type));
  for (size_t i = 0; i < stage.parameters.size(); ++i)
    writeOffset(os, i, stage);
  os << formatv("          func.call @{0}({1}) : ({2}) -> ()\n          return\n        }\n",
                stage.symbol, llvm::join(arguments, ", "), llvm::join(types, ", "));
}

void ucmoh::writeExecutable(llvm::raw_ostream &os, const CompiledGroup &group, StringRef target) {
  const Dispatch &dispatch = group.dispatch;
  std::string any =
      formatv("#hal.executable.target<\"llvm-cpu\", \"{0}\">", formatOf(dispatch.triple));
  os << formatv("  hal.executable private @{0} {{\n"
                "    hal.executable.variant public @code target({1}) objects([\n"
                "      #hal.executable.object<{{path = \"{0}.bc\", data = dense<\"0x{2}\"> : "
                "vector<{3}xi8>}>]) {{\n",
                dispatch.name, target.empty() ? StringRef(any) : target,
                llvm::toHex(dispatch.bitcode), dispatch.bitcode.size());
  std::vector<Stage> stages = stagesOf(group);
  for (auto [ordinal, stage] : llvm::enumerate(stages))
    writeExport(os, stage, ordinal);
  os << "      builtin.module {\n";
  for (const Stage &stage : stages)
    writeBody(os, stage);
  os << "      }\n    }\n  }\n";
}
