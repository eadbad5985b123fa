//===- Header.h - What C programs include
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_COMPILE_HEADER_H
#define UCMOH_LIB_COMPILE_HEADER_H

#include "CInterface.h"
#include "Description.h"

namespace ucmoh {

/// Declares the functions of a library, with shapes as macros.
std::string writeHeader(llvm::ArrayRef<CInterface> interfaces, const LibraryTarget &target);

} // namespace ucmoh

#endif // UCMOH_LIB_COMPILE_HEADER_H
