//===- AnsorAccesses.cpp - Statements that store, and what they touch
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnsorAccesses.h"
#include <cmath>

using namespace mlir;
using namespace ucmoh;

double StoreStatement::executions() const {
  double product = 1;
  for (const NestLoop &loop : nest)
    product *= loop.trips;
  return product;
}

std::vector<std::pair<double, double>> StoreStatement::intensities() const {
  std::vector<std::pair<double, double>> curve;
  double operations = std::max(multiplyAdds, elements);
  for (size_t from = nest.size() + 1; from-- > 0;) {
    if (from < nest.size())
      operations *= nest[from].trips;
    double bytes = 0;
    for (const StoreAccess &access : accesses)
      bytes += access.touched[from];
    curve.push_back({std::log2(1 + operations), operations / std::max(1.0, bytes)});
  }
  return curve;
}

/// `uses`: how often an execution reads or writes an element of the buffer; `strides` one per loop.
static StoreAccess makeAccess(const Program &program, ArrayRef<NestLoop> nest, BufferRole role,
                              double elements, double uses, ArrayRef<int64_t> strides) {
  const Buffer &buffer = program[role];
  double elementBytes = buffer.elementBits / 8.0, executions = 1;
  StoreAccess access;
  access.buffer = role;
  access.strides.assign(strides.begin(), strides.end());
  access.runBytes = elements * elementBytes;
  access.touched.assign(nest.size() + 1, access.runBytes);
  for (size_t i = nest.size(); i-- > 0;) {
    executions *= nest[i].trips;
    double trips = strides[i] ? nest[i].trips : 1;
    access.touched[i] =
        std::min(access.touched[i + 1] * trips, double(buffer.elements) * elementBytes);
    if (strides[i] && access.stride == 0)
      access.stride = std::abs(strides[i]);
  }
  access.bytes = executions * uses * elementBytes;
  access.uniqueBytes = access.touched.front();
  return access;
}

/// The innermost loop that does not move the access, else another statement with the buffer.
static void setReuse(const Program &program, const StoreStatement &store, StoreAccess &access) {
  double iterations = store.count;
  for (size_t i = store.nest.size(); i-- > 0; iterations *= store.nest[i].trips) {
    if (access.strides[i] == 0 && store.nest[i].trips > 1) {
      access.reuse = StoreAccess::ByLoop;
      access.reuseIterations = iterations;
      for (const StoreAccess &other : store.accesses)
        access.reuseBytes += other.touched[i + 1];
      access.reuseCount = store.nest[i].trips;
      return;
    }
  }
  int uses = 0;
  for (const Statement &statement : program.statements)
    uses += llvm::any_of(statement.accesses,
                         [&](const Access &other) { return other.buffer == access.buffer; });
  if (uses < 2)
    return;
  access.reuse = StoreAccess::ByStatement;
  access.reuseIterations = store.executions();
  access.reuseBytes = access.uniqueBytes;
  access.reuseCount = uses;
}

namespace {

/// Collects the loads in front of a compute.
class StoreBuilder {
public:
  StoreBuilder(const Program &program, const Candidate &candidate)
      : program(program), candidate(candidate) {}
  void add(const Statement &statement);
  std::vector<StoreStatement> stores;

private:
  void addCompute(const Statement &statement);
  void addCopy(const Statement &statement);
  void finish(StoreStatement store);

  const Program &program;
  const Candidate &candidate;
  std::vector<const Statement *> loads;
};

} // namespace

void StoreBuilder::finish(StoreStatement store) {
  for (StoreAccess &access : store.accesses)
    setReuse(program, store, access);
  stores.push_back(std::move(store));
}

void StoreBuilder::addCompute(const Statement &statement) {
  const Intrinsic &intrinsic = *candidate.intrinsic;
  StoreStatement store;
  store.nest = nestOf(program, statement);
  store.count = statement.count;
  store.multiplyAdds = double(statement.count) * intrinsic.m * intrinsic.n * intrinsic.k;
  store.elements = store.multiplyAdds;
  for (const Statement *load : loads) {
    if (load->loop != statement.loop)
      continue;
    const Access &access = load->accesses.front();
    StoreAccess &read = store.accesses.emplace_back(makeAccess(
        program, store.nest, access.buffer, access.elements, store.multiplyAdds, access.strides));
    read.isRead = true;
    if (load->kind == Statement::LoadLhsPartial)
      store.selects += access.elements;
  }
  // The sums: they move with loops that are no reduction.
  SmallVector<int64_t> sums;
  for (const NestLoop &loop : store.nest)
    sums.push_back(loop.isSpatial);
  auto role =
      program[BufferRole::Accumulators].elements ? BufferRole::Accumulators : BufferRole::Result;
  StoreAccess &sum = store.accesses.emplace_back(
      makeAccess(program, store.nest, role, double(candidate.tileM) * candidate.tileN,
                 store.multiplyAdds, sums));
  sum.isRead = sum.isWritten = true;
  finish(std::move(store));
}

void StoreBuilder::addCopy(const Statement &statement) {
  StoreStatement store;
  store.nest = nestOf(program, statement);
  store.count = statement.count;
  for (const Access &access : statement.accesses) {
    // How packing reads is not known: it moves with what is written.
    ArrayRef<int64_t> known =
        access.strides.empty() ? statement.accesses.back().strides : access.strides;
    StoreAccess &added = store.accesses.emplace_back(
        makeAccess(program, store.nest, access.buffer, access.elements, access.elements, known));
    (access.isWrite ? added.isWritten : added.isRead) = true;
    store.elements = access.elements;
    if (access.isWrite && access.buffer >= BufferRole::PackedLhs)
      store.allocatedBytes =
          double(program[access.buffer].elements) * program[access.buffer].elementBits / 8;
  }
  finish(std::move(store));
}

void StoreBuilder::add(const Statement &statement) {
  switch (statement.kind) {
  case Statement::LoadRhs: // the first of a step
    loads.clear();
    LLVM_FALLTHROUGH;
  case Statement::LoadLhs:
  case Statement::LoadLhsPartial:
    loads.push_back(&statement);
    return;
  case Statement::Compute:
    addCompute(statement);
    loads.clear();
    return;
  default:
    addCopy(statement);
  }
}

std::vector<StoreStatement> ucmoh::storesOf(const Program &program, const Candidate &candidate) {
  StoreBuilder builder(program, candidate);
  for (const Statement &statement : program.statements)
    builder.add(statement);
  return std::move(builder.stores);
}
