//===- ChoiceFile.cpp - Choices made by somebody else
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Transforms/ChoiceFile.h"
#include "mlir/AsmParser/AsmParser.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace ucmoh;

/// Adds one line to `choices`; the error says what is wrong with it.
static llvm::Error readLine(StringRef line, MLIRContext *context,
                            llvm::StringMap<ChoiceAttr> &choices) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(line);
  if (!value)
    return value.takeError();
  const llvm::json::Object *object = value->getAsObject();
  auto workload = object ? object->getString("workload") : std::nullopt;
  auto choice = object ? object->getString("choice") : std::nullopt;
  if (!workload || !choice)
    return llvm::createStringError("expected {\"workload\": NAME, \"choice\": TEXT}");
  auto attribute = dyn_cast_or_null<ChoiceAttr>(parseAttribute(*choice, context));
  if (!attribute)
    return llvm::createStringError("\"choice\" is not a #ucmoh.choice attribute");
  choices[*workload] = attribute;
  return llvm::Error::success();
}

LogicalResult ChoiceFile::read(StringRef path, MLIRContext *context) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return emitError(UnknownLoc::get(context))
           << "cannot read choices from '" << path << "': " << file.getError().message();
  context->getOrLoadDialect<UCMoHDialect>();
  llvm::StringMap<ChoiceAttr> found;
  for (llvm::line_iterator line(**file, /*SkipBlanks=*/true); !line.is_at_eof(); ++line)
    if (llvm::Error error = readLine(*line, context, found)) {
      auto location = FileLineColLoc::get(context, path, line.line_number(), 1);
      return emitError(location) << llvm::toString(std::move(error));
    }
  choices = std::move(found);
  return success();
}
