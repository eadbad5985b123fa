//===- CandidatesTest.cpp - What is enumerated is legal, and what is illegal says why
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Analysis/Candidates.h"
#include "WorkloadFixture.h"
#include "ucmoh/Analysis/Choice.h"
#include "ucmoh/Analysis/FeatureExtractor.h"
#include "ucmoh/Analysis/KernelShape.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>

using namespace mlir;
using namespace ucmoh;

namespace {

constexpr const char *everything =
    "x86_avx512_vnni+x86_avx512vl_vnni+x86_avx512_bf16+x86_avx512f+x86_avx2_fma@zen4";

class CandidatesTest : public WorkloadTest {
protected:
  std::vector<Candidate> enumerate(const Workload &workload, const Target &target) {
    std::string reason;
    return enumerateCandidates(workload, target, reason);
  }
};

TEST_F(CandidatesTest, AllAreLegalAndDistinct) {
  Target all = target(everything);
  for (const Workload &workload : corpus()) {
    SCOPED_TRACE(workload.name());
    std::vector<Candidate> candidates = enumerate(workload, all);
    EXPECT_GE(candidates.size(), 2u);
    // Few enough to be scored in tens of milliseconds, with all x86 intrinsics at once.
    EXPECT_LE(candidates.size(), 2048u);
    llvm::StringSet<> seen;
    for (const Candidate &candidate : candidates) {
      EXPECT_EQ(whyIllegal(workload, candidate), "") << printChoice(candidate);
      EXPECT_TRUE(seen.insert(printChoice(candidate)).second) << printChoice(candidate);
    }
  }
}

TEST_F(CandidatesTest, OrderIsFixed) {
  Target all = target(everything);
  Workload workload = make("linalg.matmul", "128x768xi8", "768x768xi8", "128x768xi32");
  std::vector<Candidate> first = enumerate(workload, all), second = enumerate(workload, all);
  ASSERT_EQ(first.size(), second.size());
  for (auto [a, b] : llvm::zip(first, second))
    EXPECT_EQ(printChoice(a), printChoice(b));
}

TEST_F(CandidatesTest, SurviveTheWayThroughTheAttribute) {
  Target all = target(everything);
  for (const Workload &workload : corpus())
    for (const Candidate &candidate : enumerate(workload, all)) {
      std::string error;
      auto again = Candidate::fromAttr(candidate.toAttr(0, ""), all, error);
      ASSERT_TRUE(succeeded(again)) << error;
      EXPECT_EQ(printChoice(*again), printChoice(candidate));
    }
}

/// Both ways to compensate a sign, wide and narrow vectors: the intrinsic is part of the choice.
TEST_F(CandidatesTest, AllFittingIntrinsicsTakePart) {
  Workload workload = make("linalg.matmul", "128x768xi8", "768x768xi8", "128x768xi32");
  llvm::StringSet<> names;
  Target all = target(everything); // candidates point into it
  for (const Candidate &candidate : enumerate(workload, all))
    names.insert(candidate.intrinsic->name);
  for (const char *name : {"vpdpbusd_512", "vpdpbusd_512_su", "vpdpbusd_256", "vpdpwssd_512"})
    EXPECT_TRUE(names.contains(name)) << name;
  EXPECT_FALSE(names.contains("vfmadd_512"));
}

TEST_F(CandidatesTest, NoIntrinsicGivesAReason) {
  Workload workload = make("linalg.matmul", "8x8xf64", "8x8xf64", "8x8xf64");
  std::string reason;
  EXPECT_TRUE(enumerateCandidates(workload, target("x86_avx512f@zen4"), reason).empty());
  EXPECT_EQ(reason, "no intrinsic of the target multiplies f64 and f64 into f64");
}

/// Products that an instruction of its own adds need a register until then; a choice that spills it
/// stays legal, for records have such.
TEST_F(CandidatesTest, TilesLeaveARegisterForProducts) {
  Target avx2 = target("x86_avx2_fma@zen4");
  Workload workload = make("linalg.matmul", "128x768xi8", "768x768xi8", "128x768xi32");
  std::vector<Candidate> candidates = enumerate(workload, avx2);
  for (const Candidate &candidate : candidates) {
    int64_t columns = candidate.tileN / 8, leftAndProducts = columns > 1 ? 2 : 1;
    EXPECT_LE(candidate.tileM * columns + columns + leftAndProducts, 16) << printChoice(candidate);
  }
  Candidate spilling = candidates.front();
  spilling.tileM = spilling.cacheM = 4;
  spilling.tileN = spilling.cacheN = 24;
  EXPECT_EQ(whyIllegal(workload, spilling), "");
  llvm::StringSet<> tiles;
  Workload floats = make("linalg.matmul", "128x768xf32", "768x768xf32", "128x768xf32");
  for (const Candidate &candidate : enumerate(floats, avx2))
    tiles.insert(llvm::formatv("{0}x{1}", candidate.tileM, candidate.tileN).str());
  EXPECT_TRUE(tiles.contains("6x16"));
  EXPECT_TRUE(tiles.contains("4x24")); // fused: no products apart
}

/// A panel that is read once gains nothing by a stay in L1.
TEST_F(CandidatesTest, OneRowHasNoBlocksOfTheReduction) {
  Target all = target(everything);
  auto hasBlocks = [&](const char *lhs, const char *acc) {
    Workload workload = make("linalg.matmul", lhs, "4096x512xf32", acc);
    return llvm::any_of(enumerate(workload, all),
                        [](const Candidate &candidate) { return candidate.cacheK < 4096; });
  };
  EXPECT_FALSE(hasBlocks("1x4096xf32", "1x512xf32"));
  EXPECT_TRUE(hasBlocks("64x4096xf32", "64x512xf32"));
}

/// As many rows as fit in L2 read a panel before the next one comes.
TEST_F(CandidatesTest, LargeWeightsAreNotReadAnewForFewRows) {
  Target all = target(everything);
  auto goesByFewRows = [](const Candidate &candidate) {
    bool isLarge = candidate.cacheN * candidate.cacheK > 1 << 20;
    return isLarge && (candidate.order.rowTilesInside ? candidate.cacheM : candidate.tileM) < 7;
  };
  auto large = make("linalg.matmul", "7x2048xi8", "2048x2048xi8", "7x2048xi32");
  EXPECT_TRUE(llvm::none_of(enumerate(large, all), goesByFewRows));
  // No more of these rows fit.
  auto longRows = make("linalg.matmul", "7x524288xi8", "524288x64xi8", "7x64xi32");
  EXPECT_TRUE(llvm::any_of(enumerate(longRows, all), goesByFewRows));
}

/// In a network weights are in no cache: all but the first tiles wait for those that nobody fetches
/// ahead, which is one part of them at most where parts are fetched. Weights larger than all caches
/// were in none when they were measured.
TEST_F(CandidatesTest, WeightsArriveFromMemory) {
  Target vnni = target("x86_avx512_vnni@zen4");
  std::string error;
  std::unique_ptr<CostModel> model = createCostModel("analytic", error);
  auto waits = [&](const Workload &workload, bool isPrefetched, double firstParts = 1) {
    std::string reason;
    bool waits = false;
    for (const RankedCandidate &ranked : rankCandidates(workload, vnni, *model, reason)) {
      KernelShape shape(workload, ranked.candidate,
                        mayRepeatRows(workload, *ranked.candidate.intrinsic));
      bool isWhole = ranked.candidate.cacheM >= 128 && !ranked.candidate.order.columnBlocksOutside;
      double computing = analyticSeconds(extractFeatures(workload, ranked.candidate, vnni.machine));
      double arriving = shape.layout.rhsPrepackedElements() * shape.intrinsic.rhs.bits / 8. /
                        vnni.machine.memoryBytesPerSecond;
      double ahead = shape.prefetch ? shape.prefetch->panels * ranked.candidate.tileN /
                                          double(shape.layout.partExtent('n'))
                                    : 0;
      double least = std::hypot(computing + arriving * ahead * firstParts, arriving);
      if (shape.prefetch.has_value() == isPrefetched && (isWhole || !isPrefetched))
        waits |= ranked.predictedSeconds > 1.0001 * least;
    }
    return waits;
  };
  Workload cached = make("linalg.matmul", "128x768xi8", "768x768xi8", "128x768xi32");
  EXPECT_TRUE(waits(cached, /*isPrefetched=*/false));
  EXPECT_FALSE(waits(cached, /*isPrefetched=*/true));
  EXPECT_TRUE(waits(cached, /*isPrefetched=*/true, /*firstParts=*/0));
  Workload row = make("linalg.matmul", "1x768xi8", "768x768xi8", "1x768xi32");
  EXPECT_FALSE(waits(row, /*isPrefetched=*/false));
  // What is read by one pass only.
  Workload large = make("linalg.matmul", "12x8192xi8", "8192x8192xi8", "12x8192xi32");
  EXPECT_FALSE(waits(large, /*isPrefetched=*/false));
}

/// What the second cache does not hold of a block of panels comes from the third for each tile of
/// rows, but not where the tiles of one panel follow each other.
TEST_F(CandidatesTest, BlocksThatDoNotFitAreReadAgain) {
  Target floats = target("x86_avx512f@emeraldrapids");
  std::string error;
  std::unique_ptr<CostModel> model = createCostModel("analytic", error);
  auto secondsOf = [&](const Workload &workload, int64_t cacheN, bool rowTilesInside) {
    std::string reason;
    for (const RankedCandidate &ranked : rankCandidates(workload, floats, *model, reason)) {
      const Candidate &each = ranked.candidate;
      if (each.tileM == 13 && each.tileN == 32 && each.cacheM == 128 && each.cacheN == cacheN &&
          each.packLhs == Packing::None && each.packRhs == Packing::Prepacked &&
          each.order.rowTilesInside == rowTilesInside)
        return ranked.predictedSeconds;
    }
    ADD_FAILURE() << workload.name() << " has no such candidate";
    return 1.;
  };
  auto ratio = [&](const Workload &workload, int64_t cacheN) {
    return secondsOf(workload, cacheN, false) / secondsOf(workload, cacheN, true);
  };
  Workload large = make("linalg.matmul", "128x2048xf32", "2048x2048xf32", "128x2048xf32");
  EXPECT_GT(ratio(large, 128), 1.05);
  Workload held = make("linalg.matmul", "128x512xf32", "512x2048xf32", "128x2048xf32");
  EXPECT_LT(ratio(held, 512), 1.04);
}

/// Threads that share rows would each read all weights.
TEST_F(CandidatesTest, ThreadsShareColumnsOfLargeWeights) {
  Target vnni = target("x86_avx512_vnni@zen4");
  vnni.threads = 2;
  auto shareColumns = [&](const Workload &workload) {
    unsigned columns = 0, rows = 0;
    for (const Candidate &each : enumerate(workload, vnni)) {
      KernelShape shape(workload, each, /*rowsMayRepeat=*/false);
      // Both loops have as many tiles for each thread.
      if (!shape.parallel || shape.nest.m.extent % (2 * each.tileM) != 0 ||
          shape.nest.n.extent % (2 * each.tileN) != 0 || each.packRhs != Packing::Prepacked)
        continue;
      columns += shape.parallel->variable == shape.nAt();
      rows += shape.parallel->variable == shape.mAt();
    }
    EXPECT_NE(columns == 0, rows == 0) << columns << " by columns, " << rows << " by rows";
    return columns > 0;
  };
  EXPECT_TRUE(shareColumns(make("linalg.matmul", "128x2048xi8", "2048x2048xi8", "128x2048xi32")));
  EXPECT_FALSE(shareColumns(make("linalg.matmul", "1024x256xi8", "256x256xi8", "1024x256xi32")));
}

TEST_F(CandidatesTest, OnlyConstantsArePrepacked) {
  Target vnni = target("x86_avx512_vnni@zen4");
  for (const Candidate &candidate :
       enumerate(make("linalg.matmul", "64x64xi8", "64x64xi8", "64x64xi32", ""), vnni))
    EXPECT_EQ(candidate.packRhs, Packing::Block);
  for (const Candidate &candidate :
       enumerate(make("linalg.matmul", "64x64xi8", "64x64xi8", "64x64xi32"), vnni))
    EXPECT_EQ(candidate.packRhs, Packing::Prepacked);
}

TEST_F(CandidatesTest, WhatIsIllegalSaysWhy) {
  Target vnni = target("x86_avx512_vnni@zen4");
  Workload workload = make("linalg.matmul", "128x768xi8", "768x768xi8", "128x768xi32", "");
  Candidate legal;
  legal.intrinsic = &vnni.intrinsics.front();
  legal.tileM = 12;
  legal.tileN = 32;
  legal.cacheM = 48;
  legal.cacheN = 64;
  legal.cacheK = 256;
  legal.packRhs = Packing::Block;
  ASSERT_EQ(whyIllegal(workload, legal), "");
  auto expect = [&](auto change, StringRef why) {
    Candidate candidate = legal;
    change(candidate);
    EXPECT_NE(whyIllegal(workload, candidate).find(why), std::string::npos)
        << why.str() << " is not in: " << whyIllegal(workload, candidate);
  };
  expect([](Candidate &c) { c.tileM = 16; }, "needs 35 of 32 registers");
  expect([](Candidate &c) { c.tileN = 24; }, "multiple of the intrinsic's m and n");
  expect([](Candidate &c) { c.tileM = 0; }, "positive");
  expect([](Candidate &c) { c.cacheM = 40; }, "multiple of the register tile");
  expect([](Candidate &c) { c.cacheN = -32; }, "multiple of the register tile");
  expect([](Candidate &c) { c.cacheK = 30; }, "multiple of the intrinsic's");
  expect([](Candidate &c) { c.packLhs = Packing::Prepacked; }, "lhs cannot be prepacked");
  expect([](Candidate &c) { c.packRhs = Packing::Prepacked; }, "not a constant");
  expect([](Candidate &c) { c.packRhs = Packing::None; }, "needs it in another form");
}

/// Panels of narrow floats fit into a part of L2 once they are wide, and a kernel takes a little
/// longer than one that reads wide panels, if these are in a cache.
TEST_F(CandidatesTest, NarrowWeightsAreWidenedByPanels) {
  Target avx512 = target("x86_avx512f@zen4");
  Workload workload = make("linalg.matmul", "128x2048xbf16", "2048x512xbf16", "128x512xf32");
  std::string reason;
  std::unique_ptr<CostModel> model = createCostModel("analytic", reason);
  double widened = INFINITY, wide = INFINITY;
  for (const RankedCandidate &each : rankCandidates(workload, avx512, *model, reason)) {
    const Candidate &candidate = each.candidate;
    if (candidate.packRhs == Packing::Prepacked && candidate.intrinsic->rhs.bits == 32)
      wide = std::min(wide, each.predictedSeconds);
    if (candidate.packRhs != Packing::Widened)
      continue;
    widened = std::min(widened, each.predictedSeconds);
    EXPECT_EQ(candidate.intrinsic->rhs.bits, 32u);
    EXPECT_EQ(candidate.packLhs, Packing::None);
    EXPECT_LE(candidate.cacheN * candidate.cacheK * 4, avx512.machine.l2Bytes * 3 / 32);
  }
  EXPECT_GT(widened, wide);
  EXPECT_LT(widened, 1.1 * wide);
}

TEST_F(CandidatesTest, WhatCannotBeWidenedSaysWhy) {
  Target avx512 = target("x86_avx512f@zen4");
  auto why = [&](StringRef type, StringRef weight) {
    Workload workload = make("linalg.matmul", "128x256x" + type.str(), "256x512x" + type.str(),
                             "128x512xf32", weight);
    for (Candidate candidate : enumerate(workload, avx512))
      if (candidate.intrinsic->rhs.bits == 32) {
        candidate.packRhs = Packing::Widened;
        return whyIllegal(workload, candidate);
      }
    return std::string("nothing was found");
  };
  EXPECT_EQ(why("bf16", " {ucmoh.weight}"), "");
  EXPECT_NE(why("bf16", "").find("not a constant"), std::string::npos);
  EXPECT_NE(why("f32", " {ucmoh.weight}").find("not bf16"), std::string::npos);
}

/// A thread of a device has more to keep in registers than fragments. What may spill is legal, but
/// a model sees it.
TEST_F(CandidatesTest, TilesSpillBeforeTheyAreIllegal) {
  Target device = target("nvidia_sm80@h200");
  Workload workload = make("linalg.matmul", "256x256xf16", "256x512xf16", "256x512xf32");
  std::vector<Candidate> candidates = enumerate(workload, device);
  auto isOf = [](const Candidate &c) { return c.intrinsic->name == "mma_m16n8k16_f16_f32"; };
  auto found = llvm::find_if(candidates, isOf);
  ASSERT_NE(found, candidates.end());
  auto tile = [&](int64_t rows, int64_t columns) {
    Candidate candidate = *found;
    candidate.tileM = candidate.cacheM = rows;
    candidate.tileN = candidate.cacheN = columns;
    return candidate;
  };
  EXPECT_EQ(whyIllegal(workload, tile(64, 64)), "");
  EXPECT_EQ(whyIllegal(workload, tile(64, 96)), ""); // 220 registers of fragments
  EXPECT_EQ(whyIllegal(workload, tile(64, 112)), "the register tile needs 268 of 255 registers");
  auto spilled = [&](const Candidate &candidate) {
    ProgramFeatures rows = extractFeatures(workload, candidate, device.machine);
    EXPECT_EQ(rows.back()[Feature::isGrid], 1);
    EXPECT_LE(rows.back()[Feature::registersPerThread], 255);
    return rows.back()[Feature::spilledBytesPerThread];
  };
  EXPECT_EQ(spilled(tile(64, 64)), 0);
  EXPECT_GT(spilled(tile(64, 96)), 100);
}

/// Intrinsics with `partial_sums`, of those that the workload has candidates of.
class PartialSumsTest : public CandidatesTest {
protected:
  /// s8 times weights of both values.
  Workload withWeights(int64_t first, int64_t second) {
    auto row = [](int64_t value) {
      return llvm::join(std::vector<std::string>(16, std::to_string(value)), ", ");
    };
    return analyze(
        llvm::formatv("func.func @f(%l: tensor<8x2xi8>, %a: tensor<8x16xi32>) -> "
                      "tensor<8x16xi32> {{\n%r = arith.constant dense<[[{0}], [{1}]]> : "
                      "tensor<2x16xi8>\n%0 = linalg.matmul ins(%l, %r : tensor<8x2xi8>, "
                      "tensor<2x16xi8>) outs(%a : tensor<8x16xi32>) -> tensor<8x16xi32>\n"
                      "return %0 : tensor<8x16xi32>\n}",
                      row(first), row(second))
            .str());
  }
  std::string used(const Workload &workload, StringRef name = "x86_avx2_fma@zen4") {
    Target all = target(name); // candidates point into it
    std::string names;
    for (const Intrinsic &intrinsic : all.intrinsics)
      if (intrinsic.partialProducts &&
          llvm::any_of(enumerate(workload, all), [&](const Candidate &candidate) {
            return candidate.intrinsic == &intrinsic;
          }))
        names += intrinsic.name + " ";
    return names;
  }
};

/// s8 becomes u8 before it is multiplied: 2 * 255 * 64 = 32640 is in an s16, 2 * 255 * 65 is not.
TEST_F(PartialSumsTest, AreOfferedWhereTheyFit) {
  EXPECT_EQ(used(withWeights(-64, 63)), "vpmaddubsw_256 ");
  EXPECT_EQ(used(withWeights(64, 64)), "vpmaddubsw_256 ");
  EXPECT_EQ(used(withWeights(-64, 64)), "vpmaddubsw_256 ");
  EXPECT_EQ(used(withWeights(65, 65)), "");
  EXPECT_EQ(used(withWeights(-65, 1)), "");
  // As u8 they are at most 128, and 2 * 128 * 128 with the sign of s8 is in an s16.
  EXPECT_EQ(used(withWeights(-65, -1)), "vpmaddubsw_256_su ");
  EXPECT_EQ(used(withWeights(-127, 127)), "");
  EXPECT_EQ(used(make("linalg.matmul", "8x64xi8", "64x16xi8", "8x16xi32")), "");
  EXPECT_EQ(used(withWeights(64, 64), "x86_avx512bw"), "vpmaddubsw_512 ");
  EXPECT_EQ(used(withWeights(65, 65), "x86_avx512bw"), "");
}

TEST_F(PartialSumsTest, SayWhyTheyDoNotFit) {
  Target avx2 = target("x86_avx2_fma@zen4");
  auto explain = [&](int64_t weights) {
    return explainRejected(withWeights(weights, weights), avx2);
  };
  EXPECT_EQ(explain(65),
            "x86_avx2_fma::vpmaddubsw_256 adds 2 products in s16, which may not hold them: lhs is "
            "known to be in [0, 255], rhs in [0, 127]; x86_avx2_fma::vpmaddubsw_256_su adds 2 "
            "products in s16, which may not hold them: lhs is known to be in [-128, 127], rhs in "
            "[0, 255]");
  EXPECT_EQ(explain(64).find("vpmaddubsw_256 "), std::string::npos);
  EXPECT_EQ(explainRejected(withWeights(65, 65), target("x86_avx512_vnni@zen4")), "");

  // A choice that was pinned, and a target with nothing else.
  Workload small = withWeights(64, 64), large = withWeights(65, 65);
  llvm::erase_if(avx2.intrinsics, [](const Intrinsic &in) { return in.name != "vpmaddubsw_256"; });
  std::string reason;
  std::vector<Candidate> candidates = enumerateCandidates(small, avx2, reason);
  ASSERT_FALSE(candidates.empty());
  EXPECT_EQ(whyIllegal(small, candidates.front()), "");
  EXPECT_EQ(whyIllegal(large, candidates.front()), explainRejected(large, avx2));
  EXPECT_TRUE(enumerateCandidates(large, avx2, reason).empty());
  EXPECT_EQ(reason, explainRejected(large, avx2));
}

/// A choice is made once for all workloads of a name, and applied by it.
TEST_F(PartialSumsTest, AreInTheName) {
  EXPECT_NE(withWeights(64, 64).name(), withWeights(65, 65).name());
  EXPECT_EQ(withWeights(-100, 90).name(), withWeights(-128, 127).name());
  EXPECT_EQ(withWeights(-64, 64).name(), withWeights(-60, 63).name());
}

/// To which all programs are alike: what is known without a model decides.
class IndifferentModel : public CostModel {
public:
  void score(ArrayRef<ProgramFeatures>, MutableArrayRef<float> scores) const override {
    llvm::fill(scores, 1e-6f);
  }
  bool predictsSeconds() const override { return true; }
  StringRef getName() const override { return "indifferent"; }
};

/// Weights in as few bits as there are arrive first, in as many streams as bring more.
TEST_F(CandidatesTest, OneRowTakesWhatItsWeightsTake) {
  Target avx2 = target("x86_avx2_fma@zen3");
  auto first = [&](const Workload &workload) {
    std::string reason;
    return rankCandidates(workload, avx2, IndifferentModel(), reason).front().candidate;
  };
  auto streams = [](const Workload &workload, const Candidate &candidate) {
    KernelShape shape(workload, candidate, /*rowsMayRepeat=*/true);
    return shape.tile(candidate.tileM, candidate.tileN, candidate.cacheK).streams;
  };
  Workload floats = make("linalg.matmul", "1x2048xf32", "2048x2048xf32", "1x2048xf32");
  Candidate ofFloats = first(floats);
  EXPECT_EQ(ofFloats.packRhs, Packing::Prepacked);
  EXPECT_EQ(streams(floats, ofFloats), 4);
  Workload bytes = make("linalg.matmul", "1x2048xi8", "2048x2048xi8", "1x2048xi32");
  Candidate ofBytes = first(bytes);
  EXPECT_EQ(ofBytes.packRhs, Packing::Prepacked);
  EXPECT_EQ(ofBytes.intrinsic->rhs.bits, 8u);
  EXPECT_EQ(streams(bytes, ofBytes), 4);
  Workload many = make("linalg.matmul", "64x2048xf32", "2048x2048xf32", "64x2048xf32");
  EXPECT_EQ(streams(many, first(many)), 1);
}

/// One stream brings a Zen 4 as much as four, and a machine without the number may be like it.
TEST_F(CandidatesTest, StreamsThatBringNoMoreAreLeftOut) {
  for (const char *name : {"x86_avx512f@zen4", "x86_avx512f@default"}) {
    Target of = target(name);
    Workload floats = make("linalg.matmul", "1x2048xf32", "2048x2048xf32", "1x2048xf32");
    std::string reason;
    Candidate first = rankCandidates(floats, of, IndifferentModel(), reason).front().candidate;
    KernelShape shape(floats, first, /*rowsMayRepeat=*/true);
    EXPECT_EQ(shape.tile(first.tileM, first.tileN, first.cacheK).streams, 1) << name;
  }
}

/// Four streams bring what the machine's file says. What is no
/// weight does not come from memory, though it may be the same in each step of a loop.
TEST_F(CandidatesTest, WeightsArriveInStreams) {
  Target avx2 = target("x86_avx2_fma@zen3");
  Workload floats = make("linalg.matmul", "1x2048xf32", "2048x2048xf32", "1x2048xf32");
  auto seconds = [&] {
    std::string reason;
    return rankCandidates(floats, avx2, IndifferentModel(), reason).front().predictedSeconds;
  };
  double bytes = 2048. * 2048 * 4;
  avx2.machine.memoryBytesPerSecond = 10e9;
  avx2.machine.totalMemoryBytesPerSecond = 40e9;
  avx2.machine.memoryStreamsBytesPerSecond = 0;
  EXPECT_NEAR(seconds(), bytes / 10e9, 1e-6);
  avx2.machine.memoryStreamsBytesPerSecond = 20e9;
  EXPECT_NEAR(seconds(), bytes / 20e9, 1e-6);
  floats.rhs.isWeight = false;
  EXPECT_NEAR(seconds(), 1e-6, 1e-9);
}

TEST(IsConvertible, IsExact) {
  ElementType u8{ElementType::UnsignedInt, 8}, s8{ElementType::SignedInt, 8};
  ElementType s16{ElementType::SignedInt, 16}, u16{ElementType::UnsignedInt, 16};
  ElementType f32{ElementType::Float, 32};
  EXPECT_TRUE(isConvertible(u8, u8));
  EXPECT_TRUE(isConvertible(u8, s8));
  EXPECT_TRUE(isConvertible(s8, u8));
  EXPECT_TRUE(isConvertible(s8, s16));
  EXPECT_TRUE(isConvertible(u8, s16));
  EXPECT_FALSE(isConvertible(s8, u16));
  EXPECT_FALSE(isConvertible(s16, s8));
  EXPECT_FALSE(isConvertible(s16, u16));
  EXPECT_FALSE(isConvertible(s8, f32));
  EXPECT_FALSE(isConvertible(f32, s8));
}

} // namespace
