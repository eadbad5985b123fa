//===- UnicomoMatrix.h - Behaviours as three vectors each
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RESEARCH_FEATURES_UNICOMOMATRIX_H
#define UCMOH_RESEARCH_FEATURES_UNICOMOMATRIX_H

#include "StatementNest.h"
#include "ucmoh/Analysis/Candidates.h"

namespace ucmoh {

/// Numbers of a row as published, and with what was measured of the intrinsic.
constexpr unsigned unicomoPublishedWidth = 179, unicomoWidth = unicomoPublishedWidth + 2;
constexpr unsigned unicomoRowCount = 27;

/// In the order of their one-hot columns.
enum class UnicomoBehaviour { Preprocess, Load, Compute, Store, Epilogue };
constexpr unsigned unicomoBehaviourCount = 5;

/// Rows of UniCoMo, of one program.
class UnicomoMatrix {
public:
  UnicomoMatrix(const Program &program, const Intrinsic &intrinsic)
      : program(program), intrinsic(intrinsic) {}
  /// Three rows more; nothing if there is no room for them.
  void add(UnicomoBehaviour behaviour, const Statement &statement);
  std::vector<float> take() { return std::move(values); }

private:
  void beginRow(UnicomoBehaviour behaviour, const Statement &statement);
  void push(double value) {
    if (column < unicomoPublishedWidth)
      values[row * unicomoWidth + column++] = static_cast<float>(value);
  }
  void pushLoop(unsigned id, double extent, unsigned kind);
  void pushLoops(llvm::ArrayRef<NestLoop> nest);
  void pushAffine(llvm::ArrayRef<NestLoop> nest, const Statement &statement);
  void pushBuffers(llvm::ArrayRef<NestLoop> nest, const Statement &statement);
  void pushIntrinsic();

  const Program &program;
  const Intrinsic &intrinsic;
  std::vector<float> values = std::vector<float>(unicomoRowCount * unicomoWidth);
  unsigned rows = 0, row = 0, column = 0;
};

} // namespace ucmoh

#endif // UCMOH_RESEARCH_FEATURES_UNICOMOMATRIX_H
