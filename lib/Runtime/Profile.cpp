//===- Profile.cpp - Where the time of a call goes, as a trace
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/Profile.h"

using namespace ucmoh;
namespace json = llvm::json;

/// A bar of the trace, which owns its name. `category` is a literal.
static json::Object makeBar(llvm::StringRef name, llvm::StringRef category, int64_t thread,
                            double startSeconds, double seconds) {
  return json::Object{
      {"name", name.str()}, {"cat", category},          {"ph", "X"},           {"pid", 0},
      {"tid", thread},      {"ts", startSeconds * 1e6}, {"dur", seconds * 1e6}};
}

/// The members of `row` that `keys` name, so far as it has them.
static json::Object pick(const json::Object &row, std::initializer_list<llvm::StringRef> keys) {
  json::Object picked;
  for (llvm::StringRef key : keys)
    if (const json::Value *value = row.get(key))
      picked[key] = *value;
  return picked;
}

void Profile::addFunction(const json::Object &report, double seconds) {
  llvm::StringRef name = report.getString("function").value_or("");
  events.push_back(json::Object{{"name", "thread_name"},
                                {"ph", "M"},
                                {"pid", 0},
                                {"tid", thread},
                                {"args", json::Object{{"name", name.str()}}}});
  json::Object call = makeBar(name, "function", thread, 0, seconds);
  call["args"] = pick(report, {"target", "machine", "seconds"});
  events.push_back(std::move(call));
}

void Profile::addSpan(const json::Object &report, const json::Array &span) {
  const json::Array &ops = *report.getArray("ops"), &rest = *report.getArray("rest");
  size_t number = *span[0].getAsInteger();
  bool isContraction = number < ops.size();
  const json::Object &row =
      *(isContraction ? ops[number] : rest[number - ops.size()]).getAsObject();
  json::Object bar = makeBar(row.getString(isContraction ? "workload" : "name").value_or(""),
                             isContraction ? "contraction" : "rest", thread, *span[1].getAsNumber(),
                             *span[2].getAsNumber());
  bar["args"] = pick(row, {"op", "choice", "predicted_seconds", "gops", "seconds"});
  events.push_back(std::move(bar));
}

void Profile::take(json::Object &report) {
  const json::Object *profile = report.getObject("profile");
  if (!profile)
    return;
  ++thread;
  addFunction(report, profile->getNumber("seconds").value_or(0));
  for (const json::Value &span : *profile->getArray("spans"))
    addSpan(report, *span.getAsArray());
  report.erase("profile");
}

json::Value Profile::toJson() && {
  return json::Object{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}};
}
