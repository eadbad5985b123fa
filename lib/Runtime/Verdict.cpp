//===- Verdict.cpp - Whether a program is right
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verdict.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ucmoh;
namespace json = llvm::json;

static bool isTrue(const json::Object &object, llvm::StringRef key) {
  return object.getBoolean(key).value_or(false);
}

/// Names the first wrong kernel, and what is wrong of it; empty if all are right.
static std::string describeWrong(const json::Array &checks, const json::Array &ops) {
  for (const json::Value &value : checks) {
    const json::Object &check = *value.getAsObject();
    if (isTrue(check, "verified"))
      continue;
    std::string name = "a kernel";
    if (auto op = check.getInteger("op"))
      name = llvm::formatv("op {0} ({1})", *op,
                           ops[*op].getAsObject()->getString("workload").value_or(""));
    return name + " on its inputs: " + check.getString("message").value_or("").str();
  }
  return "";
}

/// Describes a result that is not equal to the expected one.
static std::string describeNoise(const json::Object &verdict) {
  return llvm::formatv("{0}; signal to noise {1:f1} dB, {2:P1} of the elements differ",
                       verdict.getString("message").value_or(""),
                       verdict.getNumber("snr_db").value_or(0),
                       verdict.getNumber("differing").value_or(0));
}

/// Whether kernels have to be compared one by one: a wrong one may hide behind others.
static bool needsChecks(const json::Object &verdict, const json::Array &ops, bool emulated) {
  auto isKernel = [](const json::Value &op) {
    return !op.getAsObject()->getString("choice").value_or("").empty();
  };
  return !isTrue(verdict, "verified") || (llvm::count_if(ops, isKernel) > 1 && !emulated);
}

llvm::Error ucmoh::addVerdict(ChildProcess &child, const RunOptions &options,
                              const json::Array &ops, json::Object &report) {
  auto verdict = child.ask(json::Object{{"do", "verify"}}, options.timeoutSeconds);
  if (!verdict)
    return verdict.takeError();
  for (const char *key : {"max_abs_error", "snr_db", "differing"})
    report[key] = *verdict->get(key);
  json::Array checks;
  if (needsChecks(*verdict, ops, isTrue(report, "emulated"))) {
    auto checked = child.ask(json::Object{{"do", "check"}}, options.timeoutSeconds);
    if (!checked)
      return checked.takeError();
    checks = std::move(*checked->getArray("checks"));
  }
  std::string wrong = describeWrong(checks, ops);
  bool isRounding = isTrue(*verdict, "rounds") && !checks.empty() &&
                    verdict->getNumber("snr_db").value_or(-INFINITY) >= options.leastDecibel;
  if (wrong.empty() && !isTrue(*verdict, "verified") && !isRounding)
    wrong = describeNoise(*verdict);
  report["verified"] = wrong.empty();
  if (!wrong.empty())
    report["error"] = "wrong result: " + wrong;
  report["checks"] = std::move(checks);
  return llvm::Error::success();
}
