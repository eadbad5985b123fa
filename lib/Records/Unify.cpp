//===- Unify.cpp - One description for a machine that was probed again ----===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schema.h"
#include "ucmoh/Records/Records.h"

using namespace ucmoh;
using llvm::StringRef;
using sqlite::Columns;
using sqlite::Database;

/// The id of the machine called `name` that measured last.
static llvm::Expected<std::string> findLast(Database &database, StringRef name) {
  std::string id;
  auto read = [&](const Columns &columns) -> llvm::Error {
    id = columns.text(0).str();
    return llvm::Error::success();
  };
  llvm::Error error = database.query(
      "SELECT machines.id FROM machines LEFT JOIN measurements ON machine = machines.id "
      "WHERE name = ? GROUP BY machines.id ORDER BY max(time) DESC LIMIT 1",
      {name}, read);
  if (error)
    return error;
  if (id.empty())
    return database.error("there is no machine '" + name + "'; see 'ucmoh-records stats'");
  return id;
}

llvm::Expected<int64_t> Records::unifyMachine(StringRef name) {
  int64_t changed = 0;
  llvm::Error error = database->transaction("BEGIN IMMEDIATE", [&]() -> llvm::Error {
    llvm::Expected<std::string> last = findLast(*database, name);
    if (!last)
      return last.takeError();
    const std::string others = "(SELECT id FROM machines WHERE name = ? AND id <> ?)";
    if (llvm::Error error = database->run(
            "UPDATE OR IGNORE measurements SET machine = ? WHERE machine IN " + others,
            {*last, name, *last}))
      return error;
    changed = database->changes();
    // What is left was measured by both.
    if (llvm::Error error =
            database->run("DELETE FROM measurements WHERE machine IN " + others, {name, *last}))
      return error;
    return database->run("DELETE FROM machines WHERE name = ? AND id <> ?", {name, *last});
  });
  if (error)
    return error;
  return changed;
}
