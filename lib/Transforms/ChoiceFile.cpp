//===- ChoiceFile.cpp - Choices made by somebody else
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Transforms/ChoiceFile.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Remarks.h"
#include "ucmoh/Analysis/Workload.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace ucmoh;

static bool isHash(StringRef text) {
  return text.size() == 16 && llvm::all_of(text, llvm::isHexDigit);
}

/// The error says what is wrong with the line.
llvm::Error ChoiceFile::readLine(StringRef line, MLIRContext *context) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(line);
  if (!value)
    return value.takeError();
  const llvm::json::Object *object = value->getAsObject();
  auto workload = object ? object->getString("workload") : std::nullopt;
  auto choice = object ? object->getString("choice") : std::nullopt;
  if (!workload || !choice)
    return llvm::createStringError("expected {\"workload\": NAME, \"choice\": TEXT}");
  bool isNamed = !object->get("workload_hash");
  auto hash = isNamed ? workload : object->getString("workload_hash");
  if (!isNamed && (!hash || !isHash(*hash)))
    return llvm::createStringError("\"workload_hash\" is not 16 hexadecimal digits; without it the "
                                   "line is for all workloads of its name");
  auto attribute = dyn_cast_or_null<ChoiceAttr>(parseAttribute(*choice, context));
  if (!attribute)
    return llvm::createStringError("\"choice\" is not a #ucmoh.choice attribute");
  Entry &entry = entries[isNamed ? hash->str() : hash->lower()];
  if (entry.lines++ == 0)
    entry.first = attribute;
  return llvm::Error::success();
}

LogicalResult ChoiceFile::read(StringRef path, MLIRContext *context) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return emitError(UnknownLoc::get(context))
           << "cannot read choices from '" << path << "': " << file.getError().message();
  context->getOrLoadDialect<UCMoHDialect>();
  ChoiceFile found;
  found.path = path.str();
  for (llvm::line_iterator line(**file, /*SkipBlanks=*/true); !line.is_at_eof(); ++line)
    if (llvm::Error error = found.readLine(*line, context)) {
      auto location = FileLineColLoc::get(context, path, line.line_number(), 1);
      return emitError(location) << llvm::toString(std::move(error));
    }
  *this = std::move(found);
  return success();
}

ChoiceAttr ChoiceFile::lookup(const Workload &workload) {
  auto found = entries.find(identityOf(workload));
  if (found == entries.end())
    found = entries.find(workload.name());
  if (found == entries.end())
    return {};
  found->second.isUsed = true;
  return found->second.first;
}

void ChoiceFile::reportUnused(Operation *root) const {
  int64_t lines = 0, unused = 0;
  for (const auto &entry : entries) {
    lines += entry.second.lines;
    unused += entry.second.isUsed ? 0 : entry.second.lines;
  }
  std::string what =
      llvm::formatv("{0} of {1} lines of '{2}' are for no contraction here", unused, lines, path);
  if (unused == lines)
    emitWarning(FileLineColLoc::get(root->getContext(), path, 1, 1))
        << what << "; ucmoh-candidates prints the lines of a program";
  else if (unused > 0)
    remark::analysis(root->getLoc(), remark::RemarkOpts::name("choices").category("ucmoh")) << what;
}
