//===- Sqlite.cpp - SQLite with errors that are returned
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sqlite.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/Twine.h"
#include <sqlite3.h>

using namespace ucmoh::sqlite;
using llvm::StringRef;

/// Others hold the lock for milliseconds; an import of a large file may take minutes.
static constexpr int busyTimeoutMilliseconds = 300'000;

int64_t Columns::integer(int column) const { return sqlite3_column_int64(statement, column); }

StringRef Columns::text(int column) const {
  const unsigned char *text = sqlite3_column_text(statement, column);
  size_t size = sqlite3_column_bytes(statement, column);
  return {reinterpret_cast<const char *>(text), text ? size : 0};
}

llvm::Expected<std::unique_ptr<Database>> Database::open(StringRef path, int flags) {
  sqlite3 *handle = nullptr;
  int status = sqlite3_open_v2(path.str().c_str(), &handle, flags, nullptr);
  std::unique_ptr<Database> database(new Database(path, handle));
  if (status != SQLITE_OK)
    return database->lastError();
  sqlite3_busy_timeout(handle, busyTimeoutMilliseconds);
  return database;
}

Database::~Database() {
  statements.clear();
  sqlite3_close(handle);
}

void Database::Finalizer::operator()(sqlite3_stmt *statement) const { sqlite3_finalize(statement); }

llvm::Error Database::error(const llvm::Twine &message) const {
  return llvm::createStringError((path.empty() ? "temporary database" : path) + ": " + message);
}

static StringRef remedy(int status) {
  switch (status) {
  case SQLITE_NOTADB:
    return "; name another file, or move this one away";
  case SQLITE_CORRUPT:
    return "; move it away and import a copy, or save what is readable with SQLite's '.recover'";
  case SQLITE_CONSTRAINT:
    return "; add the workload and the machine of a row before it";
  case SQLITE_BUSY:
    return "; wait for the other process that writes to it";
  case SQLITE_FULL:
    return "; make room on the disk";
  case SQLITE_READONLY:
  case SQLITE_CANTOPEN:
  case SQLITE_PERM:
    return "; check the path and that you may write to the file and its folder";
  default:
    return "";
  }
}

llvm::Error Database::lastError() const {
  return error(llvm::Twine(sqlite3_errmsg(handle)) + remedy(sqlite3_errcode(handle)));
}

llvm::Expected<sqlite3_stmt *> Database::prepare(StringRef sql) {
  Statement &kept = statements[sql];
  if (!kept) {
    sqlite3_stmt *statement = nullptr;
    if (sqlite3_prepare_v3(handle, sql.data(), sql.size(), SQLITE_PREPARE_PERSISTENT, &statement,
                           nullptr) != SQLITE_OK)
      return lastError();
    kept.reset(statement);
  }
  if (sqlite3_stmt_busy(kept.get()))
    return error("a walk is within another one of the same kind");
  return kept.get();
}

static int bindValue(sqlite3_stmt *statement, int index, const Value &value) {
  if (const int64_t *integer = std::get_if<int64_t>(&value))
    return sqlite3_bind_int64(statement, index, *integer);
  StringRef text = std::get<StringRef>(value);
  // A null pointer would be NULL.
  return sqlite3_bind_text64(statement, index, text.data() ? text.data() : "", text.size(),
                             SQLITE_STATIC, SQLITE_UTF8);
}

llvm::Error Database::query(StringRef sql, llvm::ArrayRef<Value> values, Visitor visit) {
  auto statement = prepare(sql);
  if (!statement)
    return statement.takeError();
  llvm::scope_exit reset([&] { sqlite3_reset(*statement); });
  for (auto [index, value] : llvm::enumerate(values))
    if (bindValue(*statement, index + 1, value) != SQLITE_OK)
      return lastError();
  while (true) {
    int status = sqlite3_step(*statement);
    if (status == SQLITE_DONE)
      return llvm::Error::success();
    if (status != SQLITE_ROW)
      return lastError();
    if (llvm::Error error = visit(Columns(*statement)))
      return error;
  }
}

llvm::Error Database::run(StringRef sql, llvm::ArrayRef<Value> values) {
  return query(sql, values, [](const Columns &) { return llvm::Error::success(); });
}

llvm::Expected<int64_t> Database::integer(StringRef sql, llvm::ArrayRef<Value> values) {
  int64_t result = 0;
  llvm::Error error = query(sql, values, [&](const Columns &columns) {
    result = columns.integer(0);
    return llvm::Error::success();
  });
  if (error)
    return error;
  return result;
}

int64_t Database::changes() const { return sqlite3_changes64(handle); }

llvm::Error Database::transaction(StringRef begin, llvm::function_ref<llvm::Error()> body) {
  if (!sqlite3_get_autocommit(handle))
    return body();
  if (llvm::Error error = run(begin))
    return error;
  llvm::Error error = body();
  if (!error)
    error = run("COMMIT");
  // Some errors (a full disk) have ended the transaction already.
  if (error && !sqlite3_get_autocommit(handle))
    llvm::consumeError(run("ROLLBACK"));
  return error;
}
