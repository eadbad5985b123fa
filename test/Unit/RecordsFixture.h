//===- RecordsFixture.h - Records for tests
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UCMOH_TEST_UNIT_RECORDSFIXTURE_H
#define UCMOH_TEST_UNIT_RECORDSFIXTURE_H

#include "ErrorText.h"
#include "ucmoh/Records/Records.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

namespace ucmoh {

/// The value; after an error the test has failed.
template <typename T> T valueOf(llvm::Expected<T> value) {
  if (value)
    return std::move(*value);
  ADD_FAILURE() << llvm::toString(value.takeError());
  if constexpr (std::is_same_v<T, Records>)
    return cantFail(Records::temporary());
  else
    return T{};
}

/// A folder of its own for each test, and a database with a workload and a machine.
class RecordsTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("ucmoh-records", folder));
    path = (folder + "/a.sqlite").str();
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  static Records::Workload makeWorkload(int64_t number) {
    llvm::json::Object tags{{"types", "u8s8s32"}, {"split", number % 2 ? "holdout" : "train"}};
    return {llvm::formatv("matmul_{0}", number), llvm::formatv("func.func @f() // {0}", number),
            2 * number, std::move(tags)};
  }
  static Records::Machine makeMachine() { return {"zen4", "znver4", "ucmoh.machine @zen4"}; }

  /// Adds workload and machine, where they are missing.
  static Records::Row makeRow(Records &records, int64_t number, llvm::StringRef run = "first") {
    return {valueOf(records.addWorkload(makeWorkload(0))),
            valueOf(records.addMachine(makeMachine())),
            "host",
            "x86_avx512_vnni::vpdpbusd_512",
            llvm::formatv("#ucmoh.choice<threads = {0}, predicted_seconds = 1.0, model = \"a\">",
                          number),
            "0123456789abcdef",
            {1e-5 * number + 1e-9, 2e-5},
            "",
            run.str(),
            "ucmoh 1;llvm 22",
            1'700'000'000 + number};
  }

  static std::string addRow(Records &records, const Records::Row &row) {
    return errorOf(records.addRows(row));
  }

  Records create() { return valueOf(Records::open(path, Records::Mode::Create)); }
  Records read() { return valueOf(Records::open(path, Records::Mode::Read)); }

  llvm::SmallString<128> folder;
  std::string path;
};

} // namespace ucmoh

#endif // UCMOH_TEST_UNIT_RECORDSFIXTURE_H
