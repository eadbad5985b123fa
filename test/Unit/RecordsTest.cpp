//===- RecordsTest.cpp - What is added, found and refused
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Records/Sqlite.h"
#include "RecordsFixture.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>
#include <sqlite3.h>

using namespace ucmoh;

namespace {

bool contains(llvm::StringRef text, llvm::StringRef part) { return text.contains(part); }

std::string contentOf(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

void write(llvm::StringRef path, llvm::StringRef content) {
  std::error_code code;
  llvm::raw_fd_ostream(path, code) << content;
}

TEST_F(RecordsTest, RowsComeBackAsTheyWere) {
  Records records = create();
  Records::Row row = makeRow(records, 7);
  EXPECT_EQ(valueOf(records.addRows(row)), 1);
  int64_t seen = 0;
  EXPECT_EQ(errorOf(read().forEachRow({},
                                      [&](const Records::Row &found) {
                                        ++seen;
                                        EXPECT_EQ(found.seconds, row.seconds);
                                        EXPECT_EQ(found.choice, canonicalChoice(row.choice));
                                        EXPECT_EQ(found.versions, row.versions);
                                        EXPECT_EQ(found.time, row.time);
                                        return llvm::Error::success();
                                      })),
            "");
  EXPECT_EQ(seen, 1);
}

TEST_F(RecordsTest, AChoiceIsTheSameWhateverAModelThinksOfIt) {
  EXPECT_EQ(canonicalChoice(
                "#ucmoh.choice<threads = 1, predicted_seconds = 2.9e-04, model = \"analytic\">"),
            "#ucmoh.choice<threads = 1, predicted_seconds = 0.000000e+00, model = \"\">");
  EXPECT_EQ(canonicalChoice("plain loops"), "plain loops");
}

std::string choiceWith(llvm::StringRef words) {
  return ("#ucmoh.choice<order = \"nmk.nm\", " + words +
          ", predicted_seconds = 0.000000e+00, model = \"\">")
      .str();
}

const std::string formerWords =
    choiceWith("pack_lhs = \"block\", pack_rhs = \"ahead\", unroll = 1, stages = 3");
const std::string currentWords =
    choiceWith("pack_lhs = \"block\", pack_rhs = \"prepacked\", pipeline_depth = 3");

TEST_F(RecordsTest, AChoiceInFormerWordsIsTheSame) {
  EXPECT_EQ(canonicalChoice(formerWords), currentWords);
  EXPECT_EQ(canonicalChoice(currentWords), currentWords);
  Records records = create();
  Records::Row row = makeRow(records, 1), other = row;
  row.choice = formerWords;
  other.choice = currentWords;
  EXPECT_EQ(valueOf(records.addRows({row, other})), 1);
  EXPECT_TRUE(valueOf(records.contains({row.workload, row.machine, row.run}, formerWords)));
  EXPECT_TRUE(
      valueOf(records.choices({row.workload, row.machine, row.run})).contains(currentWords));
}

TEST_F(RecordsTest, UnrolledRowsOfFormerSchemasAreKept) {
  Records records = create();
  Records::Row row = makeRow(records, 1), unrolled = row;
  row.choice = currentWords;
  unrolled.choice = // the same program, where the reduction has a single step
      choiceWith("pack_lhs = \"block\", pack_rhs = \"ahead\", unroll = 4, stages = 3");
  EXPECT_EQ(valueOf(records.addRows({row, unrolled})), 2);
  EXPECT_EQ(valueOf(records.addRows({row, unrolled})), 0);
}

TEST_F(RecordsTest, AFormerSchemaIsConverted) {
  Records::Row row = makeRow(*std::make_unique<Records>(create()), 1);
  row.choice = currentWords;
  EXPECT_EQ(valueOf(create().addRows(row)), 1);
  {
    auto database = cantFail(sqlite::Database::open(path, SQLITE_OPEN_READWRITE));
    EXPECT_EQ(errorOf(database->run("UPDATE measurements SET choice = ?, choice_hash = 1",
                                    {llvm::StringRef(formerWords)})),
              "");
    EXPECT_EQ(errorOf(database->run("PRAGMA user_version = 1")), "");
  }
  for (int i = 0; i < 2; ++i) {
    Records records = read();
    EXPECT_TRUE(valueOf(records.contains({row.workload, row.machine, row.run}, formerWords)));
    EXPECT_TRUE(
        valueOf(records.choices({row.workload, row.machine, row.run})).contains(currentWords));
  }
  EXPECT_EQ(valueOf(create().addRows(row)), 0);
}

TEST_F(RecordsTest, ARunMeasuresAChoiceOnce) {
  Records records = create();
  Records::Row row = makeRow(records, 1), sameByName = row, failed = makeRow(records, 2);
  sameByName.target = "x86_avx512_vnni";
  failed.seconds.clear();
  failed.error = "timed out";
  EXPECT_EQ(valueOf(records.addRows({row, sameByName, failed, makeRow(records, 1, "second")})), 3);
  EXPECT_EQ(valueOf(records.addRows({row, failed})), 0);
  Records::Task task{row.workload, row.machine, "first"};
  EXPECT_TRUE(valueOf(records.contains(task, row.choice)));
  EXPECT_TRUE(valueOf(records.contains(task, failed.choice)));
  EXPECT_FALSE(valueOf(records.contains(task, makeRow(records, 3).choice)));
  EXPECT_EQ(valueOf(records.choices(task)).size(), 2u);
  EXPECT_EQ(valueOf(records.choices({row.workload, row.machine, "third"})).size(), 0u);
  EXPECT_EQ(valueOf(records.counts()).failures, 1);
}

TEST_F(RecordsTest, TheBestOfATaskIsTheLeastMedianOfAnyRun) {
  Records records = create();
  Records::Row row = makeRow(records, 1), other = makeRow(records, 2, "second"), failed = row;
  row.seconds = {3, 1, 5};
  other.seconds = {4, 2};
  failed.run = "third";
  failed.seconds.clear();
  failed.error = "timed out";
  EXPECT_EQ(valueOf(records.addRows({row, failed})), 2);
  EXPECT_EQ(valueOf(records.bestSeconds(row.workload, row.machine)), 3);
  EXPECT_EQ(valueOf(records.addRows(other)), 1);
  EXPECT_EQ(valueOf(records.bestSeconds(row.workload, row.machine)), 2);
  EXPECT_EQ(valueOf(records.bestSeconds(row.workload, "another")),
            std::numeric_limits<double>::infinity());
}

TEST_F(RecordsTest, TagsUnite) {
  Records records = create();
  Records::Workload workload = makeWorkload(0);
  workload.tags["networks"] = llvm::json::Object{{"resnet18", 4}};
  valueOf(records.addWorkload(workload));
  workload.tags["networks"] = llvm::json::Object{{"resnet18", 5}, {"bert", 1}};
  workload.tags["class"] = "matmul";
  valueOf(records.addWorkload(workload));
  std::string text;
  EXPECT_EQ(errorOf(records.forEachWorkload({},
                                            [&](const Records::Workload &found) {
                                              llvm::raw_string_ostream(text) << llvm::json::Value(
                                                  llvm::json::Object(found.tags));
                                              return llvm::Error::success();
                                            })),
            "");
  EXPECT_EQ(
      text,
      R"({"class":"matmul","networks":{"bert":1,"resnet18":4},"split":"train","types":"u8s8s32"})");
}

TEST_F(RecordsTest, FiltersChooseRowsAndWhatBelongsToThem) {
  Records records = create();
  Records::Row train = makeRow(records, 1), holdout = makeRow(records, 1, "second");
  holdout.workload = valueOf(records.addWorkload(makeWorkload(1)));
  holdout.machine = valueOf(records.addMachine({"tiger", "tigerlake", ""}));
  EXPECT_EQ(valueOf(records.addRows({train, holdout})), 2);
  auto count = [&](const Records::Filter &filter) {
    int rows = 0, workloads = 0, machines = 0;
    auto counter = [](int &number) {
      return [&number](const auto &) {
        ++number;
        return llvm::Error::success();
      };
    };
    EXPECT_EQ(errorOf(records.forEachRow(filter, counter(rows))), "");
    EXPECT_EQ(errorOf(records.forEachWorkload(filter, counter(workloads))), "");
    EXPECT_EQ(errorOf(records.forEachMachine(filter, counter(machines))), "");
    return std::vector<int>{rows, workloads, machines};
  };
  using Numbers = std::vector<int>;
  EXPECT_EQ(count({}), (Numbers{2, 2, 2}));
  EXPECT_EQ(count({"holdout", "", ""}), (Numbers{1, 1, 1}));
  EXPECT_EQ(count({"", "tiger", ""}), (Numbers{1, 1, 1}));
  EXPECT_EQ(count({"", "", "first"}), (Numbers{1, 1, 1}));
  EXPECT_EQ(count({"train", "tiger", ""}), (Numbers{0, 0, 0}));
}

TEST_F(RecordsTest, AllOrNothing) {
  Records records = create();
  Records::Row good = makeRow(records, 1), bad = makeRow(records, 2);
  bad.seconds = {std::numeric_limits<double>::quiet_NaN()};
  EXPECT_TRUE(contains(errorOf(records.addRows({good, bad})), "seconds must be positive"));
  bad = good;
  bad.error = "and seconds";
  EXPECT_TRUE(contains(errorOf(records.addRows({good, bad})), "either seconds or an error"));
  bad = good;
  bad.workload = "unknown";
  EXPECT_TRUE(contains(errorOf(records.addRows({good, bad})), "add the workload and the machine"));
  EXPECT_EQ(valueOf(records.counts()).rows, 0);
}

TEST_F(RecordsTest, ForeignFilesAreRefusedAndKept) {
  auto open = [&] { return errorOf(Records::open(path, Records::Mode::Create)); };
  for (std::string content : {std::string(), std::string("hello\n"), std::string(5000, 'x')}) {
    write(path, content);
    std::string message = open();
    EXPECT_TRUE(contains(message, path)) << message;
    EXPECT_TRUE(contains(message, "name another file, or move this one away")) << message;
    EXPECT_EQ(contentOf(path), content);
  }
  EXPECT_TRUE(contains(errorOf(Records::open(path + "x", Records::Mode::Write)), "no such file"));
  EXPECT_TRUE(contains(errorOf(Records::open("/nowhere/x", Records::Mode::Create)), "its folder"));
}

TEST_F(RecordsTest, OtherSchemasAreRefused) {
  create();
  std::string content = contentOf(path);
  content[63] = 9; // user_version, in a header without checksum
  write(path, content);
  EXPECT_TRUE(contains(errorOf(Records::open(path, Records::Mode::Write)),
                       "schema version 9, but this program has 3; export it"));
  EXPECT_EQ(contentOf(path), content);
}

TEST_F(RecordsTest, DamageIsRefused) {
  {
    Records records = create();
    std::vector<Records::Row> rows;
    for (int64_t number = 0; number < 200; ++number)
      rows.push_back(makeRow(records, number));
    EXPECT_EQ(valueOf(records.addRows(rows)), 200);
  }
  std::string content = contentOf(path);
  auto refuses = [&](const std::string &damaged) {
    write(path, damaged);
    std::string message = errorOf(Records::open(path, Records::Mode::Write));
    return contains(message, path) && contains(message, "move it away");
  };
  EXPECT_TRUE(refuses(content.substr(0, content.size() / 2)));
  std::string overwritten = content;
  overwritten.replace(content.size() / 2, 4096, std::string(4096, 'x'));
  EXPECT_TRUE(refuses(overwritten));
  EXPECT_FALSE(refuses(content));
}

} // namespace
