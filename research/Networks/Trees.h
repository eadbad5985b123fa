//===- Trees.h - Boosted trees over statements
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Gradient-boosted trees score each statement; the program's score is their sum, and its squared
/// error is what each statement's gradient comes from. All statements of a program step at once:
/// with the published second derivative of 1 that diverges where programs have many statements, as
/// ours have. It is their number here, so that together they go where one would have gone.
///
//===----------------------------------------------------------------------===//

#ifndef UCMOH_RESEARCH_NETWORKS_TREES_H
#define UCMOH_RESEARCH_NETWORKS_TREES_H

#include "Models.h"

namespace ucmoh {

/// Rows of some programs, one program behind the other.
struct TreeRows {
  TreeRows(const Dataset &data, llvm::ArrayRef<int64_t> programs);

  int64_t width;
  std::vector<float> values; ///< [R, width]
  std::vector<int64_t> ends; ///< [P]: of each program's rows
};

/// A library's trees over rows. The first error stays, and later calls do nothing.
class Trees {
public:
  Trees(llvm::StringRef library, const char *(*lastError)())
      : library(library), lastError(lastError) {}
  virtual ~Trees() = default;
  Trees(const Trees &) = delete;

  virtual void begin(const BaselineOptions &options) = 0; ///< no trees yet; either this
  virtual void load(const std::string &model) = 0;        ///< or what `save` returned
  /// One tree more; both arrays have a number for each row.
  virtual void boost(llvm::ArrayRef<float> gradients, llvm::ArrayRef<float> hessians) = 0;
  virtual std::vector<double> predict() = 0; ///< a number for each row
  virtual std::string save() = 0;
  llvm::Error error() const {
    return message.empty() ? llvm::Error::success() : llvm::createStringError(message);
  }

protected:
  /// Calls a function of the library's C interface, which returns 0 on success. Keeps the line of
  /// its error that stands before the stack.
  template <class F, class... Args> void call(F function, Args... args) {
    if (message.empty() && function(args...) != 0)
      message = (library + ": " + llvm::StringRef(lastError()).split('\n').first).str();
  }

private:
  llvm::StringRef library;
  const char *(*lastError)();
  std::string message;
};

/// The rows outlive the trees.
using MakeTrees = std::unique_ptr<Trees> (*)(const TreeRows &rows);

/// As Baseline::fit and Baseline::score; 300 trees unless the options say otherwise.
llvm::Error fitTrees(MakeTrees make, const Dataset &data, const BaselineOptions &options);
llvm::Expected<std::vector<float>> scoreTrees(MakeTrees make, llvm::StringRef weights,
                                              const Dataset &data);

} // namespace ucmoh

#endif // UCMOH_RESEARCH_NETWORKS_TREES_H
