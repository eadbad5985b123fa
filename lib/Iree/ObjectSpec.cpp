//===- ObjectSpec.cpp - Compiled groups as a transform spec of IREE
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Iree/ObjectSpec.h"
#include "Stages.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ucmoh;
using llvm::formatv;

static std::string toString(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

static std::string dispatchText(const CompiledGroup &group, const Stage &stage, bool hasBlock) {
  SmallVector<std::string> operands, inputs, results;
  for (unsigned argument : stage.arguments)
    operands.push_back("%a" + std::to_string(argument));
  if (hasBlock)
    operands.push_back("%block");
  for (const Binding &binding : stage.bindings)
    (binding.isResult ? results : inputs).push_back(toString(binding.type));
  return formatv("flow.dispatch @{0}::@code::@{1}_dispatch({2}) : ({3}) -> ({4})\n",
                 group.dispatch.name, stage.symbol, llvm::join(operands, ", "),
                 llvm::join(inputs, ", "), llvm::join(results, ", "));
}

/// util.func @call_NAME: the dispatches that replace the ops.
static void writeCall(llvm::raw_ostream &os, const CompiledGroup &group) {
  func::FuncOp function = functionOf(group);
  std::string result = toString(function.getResultTypes().front());
  SmallVector<std::string> arguments;
  for (BlockArgument argument : function.getArguments())
    arguments.push_back(
        formatv("%a{0}: {1}", argument.getArgNumber(), toString(argument.getType())));
  os << formatv("  util.func private @call_{0}({1}) -> {2} {{\n", group.dispatch.name,
                llvm::join(arguments, ", "), result);
  std::vector<Stage> stages = stagesOf(group);
  if (stages.size() > 1)
    os << "    %block, %scratch = " << dispatchText(group, stages.front(), false);
  os << "    %result, %memory = " << dispatchText(group, stages.back(), stages.size() > 1)
     << "    util.return %result : " << result << "\n  }\n";
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// The ops as they stand in the program, with names that no other group has.
static void writeDag(llvm::raw_ostream &os, func::FuncOp function) {
  OpPrintingFlags flags;
  flags.useLocalScope();
  AsmState state(function, flags);
  os << "      ^bb0(";
  llvm::interleaveComma(function.getArguments(), os, [&](BlockArgument argument) {
    argument.printAsOperand(os, state);
    os << ": " << argument.getType();
  });
  os << "):\n";
  for (Operation &op : function.getBody().front().without_terminator()) {
    os << "        ";
    op.print(os, state);
    os << "\n";
  }
}

/// The sequences @match_NAME and @replace_NAME.
static void writeSequences(llvm::raw_ostream &os, const CompiledGroup &group) {
  const std::string &name = group.dispatch.name;
  os << formatv(
      "  transform.named_sequence @match_{0}(%root: !transform.any_op {{transform.readonly}) "
      "-> (!transform.any_value, !transform.any_value) {{\n"
      "    %ins, %outs = transform.iree.match.cast_compatible_dag_from_root %root {{\n",
      name);
  writeDag(os, functionOf(group));
  os << formatv(
      "    } : (!transform.any_op) -> (!transform.any_value, !transform.any_value)\n"
      "    transform.yield %ins, %outs : !transform.any_value, !transform.any_value\n"
      "  }\n"
      "  transform.named_sequence @replace_{0}(%ins: !transform.any_value {{transform.readonly}, "
      "%out: !transform.any_value {{transform.readonly}) {{\n"
      "    %root = transform.get_defining_op %out : (!transform.any_value) -> !transform.any_op\n"
      "    %module = transform.util.get_nearest_symbol_table %root : (!transform.any_op) -> "
      "!transform.any_op\n"
      "    %code = transform.util.import_symbol @{0} into %module if undefined : "
      "(!transform.any_op) -> !transform.any_op\n"
      "    %call = transform.util.import_symbol @call_{0} into %module if undefined : "
      "(!transform.any_op) -> !transform.any_op\n"
      "    transform.util.cast_and_call inline_call %call(%ins) -> %out after %root {{\n"
      "      transform.type_conversion.tensor.cast_shape_dynamic_dims\n"
      "    } : (!transform.any_op, !transform.any_value, !transform.any_value, "
      "!transform.any_op) -> ()\n"
      "    transform.yield\n"
      "  }\n",
      name);
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

static void writeMain(llvm::raw_ostream &os, ArrayRef<CompiledGroup> groups) {
  SmallVector<std::string> pairs;
  for (const CompiledGroup &group : groups)
    pairs.push_back(formatv("@match_{0} -> @replace_{0}", group.dispatch.name));
  os << "  transform.named_sequence @__transform_main(%module: !transform.any_op) {\n"
     << "    %functions = transform.structured.match ops{[\"util.func\"]} in %module : "
     << "(!transform.any_op) -> !transform.any_op\n"
     << "    transform.foreach %functions : !transform.any_op {\n"
     << "    ^bb1(%function: !transform.any_op):\n"
     << "      transform.foreach_match in %function\n        " << llvm::join(pairs, ",\n        ")
     << "\n        : (!transform.any_op) -> "
     << "(!transform.any_op)\n    }\n"
     << "    transform.apply_dce to %module : !transform.any_op\n"
     << "    transform.yield\n  }\n";
}

void ucmoh::writeObjectSpec(llvm::raw_ostream &os, ArrayRef<CompiledGroup> groups,
                            StringRef target) {
  os << "module attributes {transform.with_named_sequence} {\n";
  for (const CompiledGroup &group : groups) {
    writeExecutable(os, group, target);
    writeCall(os, group);
    writeSequences(os, group);
  }
  if (!groups.empty())
    writeMain(os, groups);
  os << "}\n";
}
