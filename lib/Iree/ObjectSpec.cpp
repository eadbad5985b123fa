//===- ObjectSpec.cpp - Compiled groups as a transform spec of IREE
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Iree/ObjectSpec.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace ucmoh;
using llvm::formatv;

namespace {

/// A buffer that a dispatch reads or writes; IREE calls it a binding.
struct Binding {
  Type type;
  bool isResult;
};

/// Writes what belongs to one group.
class GroupWriter {
public:
  GroupWriter(llvm::raw_ostream &os, const CompiledGroup &group, StringRef target)
      : os(os), dispatch(group.dispatch), name(dispatch.name), target(target),
        function(*group.module.get().getOps<func::FuncOp>().begin()) {}

  /// The code, in a hal.executable with NAME_pack and NAME_run as exports.
  void writeExecutable();
  /// util.func @call_NAME: the dispatches that replace the ops.
  void writeCall();
  /// The sequences @match_NAME and @replace_NAME.
  void writeSequences();

private:
  bool hasPack() const { return dispatch.packedBytes != 0; }
  Type bytesType(int64_t bytes);
  SmallVector<Binding> bindingsOfPack();
  SmallVector<Binding> bindingsOfRun();
  void writeExport(StringRef suffix, int64_t ordinal, size_t bindings, size_t results);
  void writeBody(StringRef suffix, ArrayRef<Binding> bindings);
  std::string dispatchText(StringRef suffix, ArrayRef<std::string> operands,
                           ArrayRef<Binding> bindings);
  void writeDag();

  llvm::raw_ostream &os;
  const Dispatch &dispatch;
  const std::string &name;
  StringRef target;
  func::FuncOp function;
};

} // namespace

//===----------------------------------------------------------------------===//
// Bindings
//===----------------------------------------------------------------------===//

static int64_t bytesOf(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.getNumElements() * tensor.getElementTypeBitWidth() / 8;
}

static std::string toString(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// IREE has no buffers without bytes.
Type GroupWriter::bytesType(int64_t bytes) {
  return RankedTensorType::get(std::max<int64_t>(bytes, 64),
                               IntegerType::get(function.getContext(), 8));
}

SmallVector<Binding> GroupWriter::bindingsOfPack() {
  SmallVector<Binding> bindings;
  for (BlockArgument argument : function.getArguments())
    if (function.getArgAttr(argument.getArgNumber(), "ucmoh.weight"))
      bindings.push_back({argument.getType(), false});
  bindings.push_back({bytesType(dispatch.packedBytes), true});
  bindings.push_back({bytesType(dispatch.packScratch), true});
  return bindings;
}

SmallVector<Binding> GroupWriter::bindingsOfRun() {
  SmallVector<Binding> bindings;
  for (BlockArgument argument : function.getArguments())
    if (!function.getArgAttr(argument.getArgNumber(), "ucmoh.weight"))
      bindings.push_back({argument.getType(), false});
  if (hasPack())
    bindings.push_back({bytesType(dispatch.packedBytes), false});
  bindings.push_back({function.getResultTypes().front(), true});
  bindings.push_back({bytesType(dispatch.runScratch), true});
  return bindings;
}

//===----------------------------------------------------------------------===//
// The executable
//===----------------------------------------------------------------------===//

/// IREE's architecture in names of formats: that of the triple.
static std::string formatOf(StringRef triple) {
  StringRef architecture = llvm::Triple::getArchTypeName(llvm::Triple(triple).getArch());
  return ("embedded-elf-" + (architecture == "aarch64" ? "arm_64" : architecture)).str();
}

void GroupWriter::writeExport(StringRef suffix, int64_t ordinal, size_t bindings, size_t results) {
  os << formatv("      hal.executable.export public @{0}_{1}_dispatch ordinal({2}) layout("
                "#hal.pipeline.layout<bindings = [\n",
                name, suffix, ordinal);
  for (size_t i = 0; i < bindings; ++i)
    os << "        #hal.pipeline.binding<storage_buffer"
       << (i + results < bindings ? ", ReadOnly>" : ">") << (i + 1 < bindings ? ",\n" : "]>)\n");
  os << "        count(%device: !hal.device) -> (index, index, index) {\n"
     << "          %one = arith.constant 1 : index\n"
     << "          hal.return %one, %one, %one : index, index, index\n"
     << "        }\n";
}

/// The function that IREE calls: it takes the buffers and hands on their addresses.
void GroupWriter::writeBody(StringRef suffix, ArrayRef<Binding> bindings) {
  std::string layout = "#hal.pipeline.layout<bindings = [", arguments, types;
  for (auto [i, binding] : llvm::enumerate(bindings)) {
    layout += formatv("{0}#hal.pipeline.binding<storage_buffer{1}>", i ? ", " : "",
                      binding.isResult ? "" : ", ReadOnly");
    arguments += formatv("{0}%p{1}, %o{1}", i ? ", " : "", i);
    types += i ? ", memref<i8>, index" : "memref<i8>, index";
  }
  layout += "]>";
  os << formatv("        func.func private @{0}_{1}({2}) attributes "
                "{{hal.import.static, llvm.bareptr = true}\n",
                name, suffix, types)
     << formatv("        func.func @{0}_{1}_dispatch() {{\n", name, suffix)
     << "          %zero = arith.constant 0 : index\n";
  for (auto [i, binding] : llvm::enumerate(bindings))
    os << formatv("          %b{0} = hal.interface.binding.subspan layout({1}) binding({0}) "
                  "alignment(64) offset(%zero) : memref<{2}xi8>\n"
                  "          %p{0}, %o{0}, %s{0}, %t{0} = iree_codegen.extract_strided_metadata "
                  "%b{0} : memref<{2}xi8> -> memref<i8>, index, index, index\n",
                  i, layout, bytesOf(binding.type));
  os << formatv("          func.call @{0}_{1}({2}) : ({3}) -> ()\n          return\n        }\n",
                name, suffix, arguments, types);
}

void GroupWriter::writeExecutable() {
  std::string format = formatOf(dispatch.triple);
  os << formatv("  hal.executable private @{0} {{\n"
                "    hal.executable.variant public @code target({1}) objects([\n"
                "      #hal.executable.object<{{path = \"{0}.bc\", data = dense<\"0x{2}\"> : "
                "vector<{3}xi8>}>]) {{\n",
                name, target, llvm::toHex(dispatch.bitcode), dispatch.bitcode.size());
  if (hasPack())
    writeExport("pack", 0, bindingsOfPack().size(), 2);
  writeExport("run", hasPack(), bindingsOfRun().size(), 2);
  os << "      builtin.module {\n";
  if (hasPack())
    writeBody("pack", bindingsOfPack());
  writeBody("run", bindingsOfRun());
  os << "      }\n    }\n  }\n";
}

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

std::string GroupWriter::dispatchText(StringRef suffix, ArrayRef<std::string> operands,
                                      ArrayRef<Binding> bindings) {
  SmallVector<std::string> inputs, results;
  for (const Binding &binding : bindings)
    (binding.isResult ? results : inputs).push_back(toString(binding.type));
  return formatv("flow.dispatch @{0}::@code::@{0}_{1}_dispatch({2}) : ({3}) -> ({4})\n", name,
                 suffix, llvm::join(operands, ", "), llvm::join(inputs, ", "),
                 llvm::join(results, ", "));
}

void GroupWriter::writeCall() {
  std::string result = toString(function.getResultTypes().front());
  SmallVector<std::string> arguments, inputs, weights;
  for (BlockArgument argument : function.getArguments()) {
    unsigned i = argument.getArgNumber();
    bool isWeight = !!function.getArgAttr(i, "ucmoh.weight");
    (isWeight ? weights : inputs).push_back("%a" + std::to_string(i));
    arguments.push_back(formatv("%a{0}: {1}", i, toString(argument.getType())));
  }
  os << formatv("  util.func private @call_{0}({1}) -> {2} {{\n", name, llvm::join(arguments, ", "),
                result);
  if (hasPack()) {
    os << "    %packed:2 = " << dispatchText("pack", weights, bindingsOfPack());
    inputs.push_back("%packed#0");
  }
  os << "    %done:2 = " << dispatchText("run", inputs, bindingsOfRun());
  os << "    util.return %done#0 : " << result << "\n  }\n";
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// The ops as they stand in the program, with names that no other group has.
void GroupWriter::writeDag() {
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

void GroupWriter::writeSequences() {
  os << formatv(
      "  transform.named_sequence @match_{0}(%root: !transform.any_op {{transform.readonly}) "
      "-> (!transform.any_value, !transform.any_value) {{\n"
      "    %ins, %outs = transform.iree.match.cast_compatible_dag_from_root %root {{\n",
      name);
  writeDag();
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
    std::string any =
        formatv("#hal.executable.target<\"llvm-cpu\", \"{0}\">", formatOf(group.dispatch.triple));
    GroupWriter writer(os, group, target.empty() ? StringRef(any) : target);
    writer.writeExecutable();
    writer.writeCall();
    writer.writeSequences();
  }
  if (!groups.empty())
    writeMain(os, groups);
  os << "}\n";
}
