//===- Pieces.h - The mark of loops over pieces
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_TRANSFORMS_PIECES_H
#define UCMOH_LIB_TRANSFORMS_PIECES_H

#include "llvm/ADT/StringRef.h"

namespace ucmoh {

/// On loops over the pieces of a dynamic extent.
constexpr llvm::StringLiteral piecesMark = "ucmoh.pieces";

/// On those over batches, no two of which write the same element.
constexpr llvm::StringLiteral itemsMark = "ucmoh.items";

} // namespace ucmoh

#endif // UCMOH_LIB_TRANSFORMS_PIECES_H
