//===- ErrorText.h - Errors as texts that tests compare
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TEST_UNIT_ERRORTEXT_H
#define UCMOH_TEST_UNIT_ERRORTEXT_H

#include "llvm/Support/Error.h"

namespace ucmoh {

/// The message, or nothing.
inline std::string errorOf(llvm::Error error) { return llvm::toString(std::move(error)); }
template <typename T> std::string errorOf(llvm::Expected<T> &value) {
  return value ? "" : llvm::toString(value.takeError());
}
template <typename T> std::string errorOf(llvm::Expected<T> &&value) { return errorOf(value); }

} // namespace ucmoh

#endif // UCMOH_TEST_UNIT_ERRORTEXT_H
