//===- Schema.cpp - The tables of records
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schema.h"
#include "ucmoh/Records/Records.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/xxhash.h"
#include <sqlite3.h>
#include <unistd.h>

using namespace ucmoh;
using llvm::StringRef;
using sqlite::Database;

/// Increase it when the tables change, or what makes rows the same.
static constexpr int64_t schemaVersion = 3;
/// Choices of the versions before have other words (see canonicalChoice), and with them other
/// hashes.
static constexpr int64_t firstVersion = 1;

/// Says that a database is one of ours: "UCMr".
static constexpr int64_t applicationId = 0x55434D72;

static constexpr StringRef identity = R"sql(CREATE UNIQUE INDEX identity
            ON measurements(machine, workload, run, choice_hash, program))sql";

// An index over whole choices would double the size of the file: their hash stands for them.
static constexpr StringRef tables[] = {
    R"sql(CREATE TABLE workloads(id TEXT PRIMARY KEY, name TEXT NOT NULL, ir TEXT NOT NULL,
            flops INTEGER NOT NULL, tags TEXT NOT NULL) WITHOUT ROWID)sql",
    R"sql(CREATE TABLE machines(id TEXT PRIMARY KEY, name TEXT NOT NULL, cpu TEXT NOT NULL,
            ir TEXT NOT NULL) WITHOUT ROWID)sql",
    R"sql(CREATE TABLE measurements(
            workload TEXT NOT NULL REFERENCES workloads(id),
            machine TEXT NOT NULL REFERENCES machines(id),
            target TEXT NOT NULL, intrinsic TEXT NOT NULL,
            choice TEXT NOT NULL, choice_hash INTEGER NOT NULL, program TEXT NOT NULL,
            seconds TEXT NOT NULL, error TEXT NOT NULL,
            run TEXT NOT NULL, versions TEXT NOT NULL, time INTEGER NOT NULL))sql",
    identity};

llvm::Error ucmoh::createTables(Database &database) {
  return database.transaction("BEGIN IMMEDIATE", [&]() -> llvm::Error {
    for (StringRef sql : tables)
      if (llvm::Error error = database.run(sql))
        return error;
    if (llvm::Error error =
            database.run("PRAGMA application_id = " + std::to_string(applicationId)))
      return error;
    return database.run("PRAGMA user_version = " + std::to_string(schemaVersion));
  });
}

/// Closed on return: nothing but the one file is left.
static llvm::Error fill(StringRef path) {
  auto database = Database::open(path, SQLITE_OPEN_READWRITE);
  if (!database)
    return database.takeError();
  if (llvm::Error error = (*database)->run("PRAGMA journal_mode = WAL"))
    return error;
  return createTables(**database);
}

llvm::Error ucmoh::createDatabase(StringRef path) {
  llvm::SmallString<128> temporary;
  auto refuse = [&](std::error_code code) {
    return llvm::createStringError(path + ": cannot create the database: " + code.message() +
                                   "; check that its folder exists and that you may write to it");
  };
  if (std::error_code code = llvm::sys::fs::createUniqueFile(path + ".%%%%%%.new", temporary))
    return refuse(code);
  llvm::FileRemover remover(temporary);
  if (llvm::Error error = fill(temporary))
    return error;
  // Unlike a rename, a link never replaces a file.
  if (link(temporary.c_str(), path.str().c_str()) != 0 && errno != EEXIST)
    return refuse(llvm::errnoAsErrorCode());
  return llvm::Error::success();
}

/// SQLite's own check of the whole file.
static llvm::Error checkPages(Database &database) {
  return database.query(
      "PRAGMA quick_check(1)", {}, [&](const sqlite::Columns &columns) -> llvm::Error {
        if (columns.text(0) == "ok")
          return llvm::Error::success();
        return database.error("the database is damaged (" + columns.text(0) +
                              "); move it away and import a copy, or save what is readable with "
                              "SQLite's '.recover'");
      });
}

llvm::Error ucmoh::checkDatabase(Database &database) {
  auto application = database.integer("PRAGMA application_id");
  if (!application)
    return application.takeError();
  if (*application != applicationId)
    return database.error("not a database of records; name another file, or move this one away");
  auto version = database.integer("PRAGMA user_version");
  if (!version)
    return version.takeError();
  if (*version < firstVersion || *version > schemaVersion)
    return database.error("schema version " + llvm::Twine(*version) + ", but this program has " +
                          llvm::Twine(schemaVersion) +
                          "; export it with the ucmoh-records that wrote it, and import that");
  return checkPages(database);
}

std::string ucmoh::hexadecimal(StringRef text) {
  return llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true, /*Width=*/16);
}

int64_t ucmoh::hashOfChoice(StringRef choice) {
  return static_cast<int64_t>(llvm::xxh3_64bits(choice));
}

static llvm::Error renameChoices(Database &database) {
  struct Renamed {
    int64_t row;
    std::string choice, program;
  };
  std::vector<Renamed> all; // no statement writes while one reads
  auto compare = [&](const sqlite::Columns &columns) {
    StringRef choice = columns.text(1);
    if (std::string canonical = canonicalChoice(choice); canonical != choice)
      all.push_back(
          {columns.integer(0), std::move(canonical), canonicalProgram(choice, columns.text(2))});
    return llvm::Error::success();
  };
  if (llvm::Error error =
          database.query("SELECT rowid, choice, program FROM measurements", {}, compare))
    return error;
  for (const auto &[row, choice, program] : all)
    if (llvm::Error error = database.run(
            "UPDATE measurements SET choice = ?, choice_hash = ?, program = ? WHERE rowid = ?",
            {choice, hashOfChoice(choice), program, row}))
      return error;
  return llvm::Error::success();
}

static llvm::Error convert(Database &database) {
  if (llvm::Error error = database.run("DROP INDEX identity"))
    return error;
  if (llvm::Error error = renameChoices(database))
    return error;
  if (llvm::Error error = database.run(identity))
    return error;
  return database.run("PRAGMA user_version = " + std::to_string(schemaVersion));
}

llvm::Error ucmoh::convertDatabase(Database &database) {
  auto isFormer = [&]() -> llvm::Expected<bool> {
    auto version = database.integer("PRAGMA user_version");
    return version ? llvm::Expected<bool>(*version < schemaVersion) : version.takeError();
  };
  if (auto former = isFormer(); !former || !*former)
    return former.takeError();
  return database.transaction("BEGIN IMMEDIATE", [&]() -> llvm::Error {
    auto former = isFormer(); // another process may have been faster
    return former && *former ? convert(database) : former.takeError();
  });
}
