//===- Sqlite.h - SQLite with errors that are returned
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_LIB_RECORDS_SQLITE_H
#define UCMOH_LIB_RECORDS_SQLITE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <variant>

struct sqlite3;
struct sqlite3_stmt;

namespace ucmoh::sqlite {

/// What a `?` of a statement stands for.
using Value = std::variant<int64_t, llvm::StringRef>;

/// The columns of the present row, from 0.
class Columns {
public:
  explicit Columns(sqlite3_stmt *statement) : statement(statement) {}
  int64_t integer(int column) const;
  /// Valid until the next row. NULL is empty.
  llvm::StringRef text(int column) const;

private:
  sqlite3_stmt *statement;
};

/// Called for each row; an error ends the query.
using Visitor = llvm::function_ref<llvm::Error(const Columns &)>;

/// A connection, which `open`s a file or, without a name, a database that vanishes with it.
class Database {
public:
  static llvm::Expected<std::unique_ptr<Database>> open(llvm::StringRef path, int flags);
  ~Database();
  Database(const Database &) = delete;
  Database &operator=(const Database &) = delete;

  /// Runs one statement. Its compiled form is kept: `sql` should be one of few.
  llvm::Error run(llvm::StringRef sql, llvm::ArrayRef<Value> values = {});
  /// A statement in use by a visitor cannot be run again.
  llvm::Error query(llvm::StringRef sql, llvm::ArrayRef<Value> values, Visitor visit);
  /// The first column of the only row, or 0.
  llvm::Expected<int64_t> integer(llvm::StringRef sql, llvm::ArrayRef<Value> values = {});
  /// How many rows the last statement changed.
  int64_t changes() const;

  /// `begin`, `body`, and COMMIT or ROLLBACK. Within a transaction only `body`.
  llvm::Error transaction(llvm::StringRef begin, llvm::function_ref<llvm::Error()> body);

  llvm::StringRef getPath() const { return path; }
  /// "PATH: message".
  llvm::Error error(const llvm::Twine &message) const;

private:
  struct Finalizer {
    void operator()(sqlite3_stmt *statement) const;
  };
  using Statement = std::unique_ptr<sqlite3_stmt, Finalizer>;

  Database(llvm::StringRef path, sqlite3 *handle) : path(path), handle(handle) {}
  llvm::Expected<sqlite3_stmt *> prepare(llvm::StringRef sql);
  /// Returns what SQLite says of the last call, with a remedy.
  llvm::Error lastError() const;

  std::string path;
  sqlite3 *handle;
  llvm::StringMap<Statement> statements;
};

} // namespace ucmoh::sqlite

#endif // UCMOH_LIB_RECORDS_SQLITE_H
