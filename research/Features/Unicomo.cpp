//===- Unicomo.cpp - A program as behaviours of three vectors each
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// UniCoMo writes a program as load, compute and store behaviours, and each of them as a vector of
/// its loop nest, one of its index expressions and one of its buffers or its intrinsic. All rows
/// begin with the kind of behaviour, whether it is an intrinsic, and the memory levels (1 memory,
/// 2 scratch, 3 registers). Loop extents are raw, other sizes are logarithms, as in the paper.
///
/// Here a behaviour is all statements of one kind, of which the one that runs most often is
/// described; further computes (tiles of remainders) are the epilogue. What is prepacked is no
/// behaviour, so none is a preprocess. An intrinsic's implementation has no numbers in the paper:
/// intrinsics of the same semantics are the same in the first 179 columns. Two more have what was
/// measured of it, for a model that repairs that.
///
//===----------------------------------------------------------------------===//

#include "PublishedFeatures.h"
#include "UnicomoMatrix.h"

using namespace mlir;
using namespace ucmoh;

std::vector<float> ucmoh::unicomoRows(const Workload &workload, const Candidate &candidate,
                                      const Machine &) {
  Program program = buildProgram(workload, candidate);
  auto runs = [&](const Statement &statement) {
    return program.executions(statement.loop) * statement.count;
  };
  std::array<const Statement *, Statement::Store + 1> most = {};
  const Statement *second = nullptr;
  for (const Statement &statement : program.statements) {
    const Statement *&known = most[statement.kind];
    bool isMore = !known || runs(statement) > runs(*known);
    const Statement *other = isMore ? known : &statement;
    if (isMore)
      known = &statement;
    if (statement.kind == Statement::Compute && other && (!second || runs(*other) > runs(*second)))
      second = other;
  }
  UnicomoMatrix matrix(program, *candidate.intrinsic);
  for (const Statement *statement : most)
    if (statement)
      matrix.add(statement->kind == Statement::Compute ? UnicomoBehaviour::Compute
                 : statement->kind == Statement::Store ? UnicomoBehaviour::Store
                                                       : UnicomoBehaviour::Load,
                 *statement);
  if (second)
    matrix.add(UnicomoBehaviour::Epilogue, *second);
  return matrix.take();
}

std::vector<std::string> ucmoh::unicomoNames() {
  std::vector<std::string> names = {"preprocess", "load",         "compute",      "store",
                                    "epilogue",   "is_intrinsic", "source_level", "target_level"};
  llvm::append_range(names, numberedNames("value", unicomoPublishedWidth - names.size()));
  llvm::append_range(names, std::initializer_list<std::string>{"latency", "throughput"});
  return names;
}
