//===- Schema.h - The tables of records
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_RECORDS_SCHEMA_H
#define UCMOH_LIB_RECORDS_SCHEMA_H

#include "Sqlite.h"

namespace ucmoh {

/// Makes the tables in an empty database.
llvm::Error createTables(sqlite::Database &database);

/// Makes the database `path`, complete from its first moment, unless another process was faster.
llvm::Error createDatabase(llvm::StringRef path);

/// Refuses whatever is not a sound database of this schema, or of one that can be converted. Writes
/// nothing.
llvm::Error checkDatabase(sqlite::Database &database);

/// Converts a database of a former schema, all or nothing.
llvm::Error convertDatabase(sqlite::Database &database);

/// The hash of a text as 16 hexadecimal digits.
std::string hexadecimal(llvm::StringRef text);

/// Hashes a canonical choice. SQLite's integers have a sign.
int64_t hashOfChoice(llvm::StringRef choice);

} // namespace ucmoh

#endif // UCMOH_LIB_RECORDS_SCHEMA_H
