//===- WholeProgramTest.cpp - Each intrinsic in whole programs against plain loops
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For each intrinsic of each target: a matrix product and a convolution in exactly its types are
/// pinned to it, compiled through all passes, executed (by this CPU, or by an emulator where the
/// target is of another architecture), and compared with plain loops. Integers have to be equal.
///
/// Of the many candidates of a small product, and of two depthwise convolutions, a sample is
/// verified the same way;
/// UCMOH_ALL_CANDIDATES=1 verifies all, UCMOH_ALL_CANDIDATES=large those of a larger one. With
/// UCMOH_ASSEMBLER=PROGRAM the kernels of a device go through its assembler as well, and with
/// UCMOH_DRIVER=libcuda.so.1 they are executed by a device in place of the emulator.
///
//===----------------------------------------------------------------------===//

#include "TargetWorld.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "ucmoh/Analysis/Choice.h"
#include "ucmoh/Analysis/Target.h"
#include "ucmoh/Analysis/WindowReduction.h"
#include "ucmoh/Runtime/CompiledProgram.h"
#include "ucmoh/Runtime/Inputs.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdlib>

using namespace mlir;
using namespace ucmoh;

namespace {

/// Candidates that are compiled into one program.
constexpr size_t batchSize = 8;

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// An operation between operands, results and loops of a `linalg.generic`.
struct Nest {
  std::string lhs, rhs, acc; ///< shapes, "61x129x"
  std::string padding;       ///< low and high of each lhs dimension; empty: none
  std::string padded;        ///< shape of the padded lhs
  std::string maps, iterators;
};

const Nest product = {"61x129x",
                      "129x83x",
                      "61x83x",
                      "",
                      "",
                      "affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, "
                      "affine_map<(m, n, k) -> (m, n)>",
                      R"("parallel", "parallel", "reduction")"};

const Nest smallProduct = {"13x37x", "37x19x", "13x19x", "", "", product.maps, product.iterators};

/// All rows are aligned, so that nothing but fragments and results passes through registers.
const Nest alignedProduct = {"64x256x", "256x96x",    "64x96x",         "",
                             "",        product.maps, product.iterators};

/// Stride 2, padding 1; nothing divides anything.
const Nest convolution = {
    "1x9x9x5x",
    "3x3x5x7x",
    "1x5x5x7x",
    "[0, 1, 1, 0] high[0, 1, 1, 0]",
    "1x11x11x5x",
    "affine_map<(b, y, x, f, p, q, c) -> (b, 2 * y + p, 2 * x + q, c)>, "
    "affine_map<(b, y, x, f, p, q, c) -> (p, q, c, f)>, "
    "affine_map<(b, y, x, f, p, q, c) -> (b, y, x, f)>",
    R"("parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction")"};

/// Channels in the lanes. Columns at both borders, and blocks that divide neither columns nor
/// vectors of channels.
const Nest depthwise = {
    "2x7x13x48x",
    "3x3x48x",
    "2x7x13x48x",
    "[0, 1, 1, 0] high[0, 1, 1, 0]",
    "2x9x15x48x",
    "affine_map<(b, y, x, c, p, q) -> (b, y + p, x + q, c)>, "
    "affine_map<(b, y, x, c, p, q) -> (p, q, c)>, "
    "affine_map<(b, y, x, c, p, q) -> (b, y, x, c)>",
    R"("parallel", "parallel", "parallel", "parallel", "reduction", "reduction")"};

/// Stride 2, more padding before than behind.
const Nest stridedDepthwise = {"1x13x19x48x",
                               "5x5x48x",
                               "1x6x10x48x",
                               "[0, 2, 3, 0] high[0, 0, 1, 0]",
                               "1x15x23x48x",
                               "affine_map<(b, y, x, c, p, q) -> (b, 2 * y + p, 2 * x + q, c)>, "
                               "affine_map<(b, y, x, c, p, q) -> (p, q, c)>, "
                               "affine_map<(b, y, x, c, p, q) -> (b, y, x, c)>",
                               depthwise.iterators};

/// The value of an operand's element in the accumulator's type.
std::string widen(StringRef name, ElementType from, Type fromType, Type accType) {
  if (fromType == accType)
    return llvm::formatv("%w{0} = {1} %{0}, %{0} : {2}\n", name,
                         from.isInteger() ? "arith.andi" : "arith.maximumf", toString(accType));
  StringRef cast = !from.isInteger()                     ? "extf"
                   : from.kind == ElementType::SignedInt ? "extsi"
                                                         : "extui";
  return llvm::formatv("%w{0} = arith.{1} %{0} : {2} to {3}\n", name, cast, toString(fromType),
                       toString(accType));
}

/// One `linalg.generic`, as %r0, %r1...
std::string writeOp(const Intrinsic &in, const Nest &nest, size_t index) {
  MLIRContext *context = &World::get().context;
  Type lhs = in.lhs.getType(context), rhs = in.rhs.getType(context), acc = in.acc.getType(context);
  std::string l = toString(lhs), r = toString(rhs), a = toString(acc);
  StringRef kind = in.acc.isInteger() ? "i" : "f";
  std::string x = lhs == acc ? "x" : "wx", y = rhs == acc ? "y" : "wy";
  return llvm::formatv(
      "%r{0} = linalg.generic {{indexing_maps = [{1}], iterator_types = [{2}]} "
      "ins(%l, %b : tensor<{3}{4}>, tensor<{5}{6}>) outs(%f : tensor<{7}{8}>) {{\n"
      "^bb0(%x: {4}, %y: {6}, %z: {8}):\n{9}{10}%p = arith.mul{11} %{12}, %{13} : {8}\n"
      "%s = arith.add{11} %z, %p : {8}\nlinalg.yield %s : {8}\n} -> tensor<{7}{8}>\n",
      index, nest.maps, nest.iterators, nest.padded.empty() ? nest.lhs : nest.padded, l, nest.rhs,
      r, nest.acc, a, lhs == acc ? "" : widen("x", in.lhs, lhs, acc),
      rhs == acc ? "" : widen("y", in.rhs, rhs, acc), kind, x, y);
}

/// The weights %w as %b, of which all are so small that the intrinsic is exact.
std::string clampWeights(const Intrinsic &in, const std::string &type) {
  ElementRange all = fullRange(in.rhs);
  int64_t low = std::max(all.low, -largestRhs(in)), high = std::min(all.high, largestRhs(in));
  StringRef sign = in.rhs.kind == ElementType::SignedInt ? "s" : "u";
  return llvm::formatv("%low = arith.constant dense<{0}> : {2}\n"
                       "%high = arith.constant dense<{1}> : {2}\n"
                       "%least = arith.max{3}i %w, %low : {2}\n"
                       "%b = arith.min{3}i %least, %high : {2}\n",
                       low, high, type, sign);
}

/// @main with `count` equal ops, each with a result of its own.
std::string writeProgram(const Intrinsic &in, const Nest &nest, size_t count) {
  MLIRContext *context = &World::get().context;
  std::string l = toString(in.lhs.getType(context)), a = toString(in.acc.getType(context));
  std::string result = "tensor<" + nest.acc + a + ">", results, values, ops;
  for (size_t i = 0; i < count; ++i) {
    results += (i ? ", " : "") + result;
    values += (i ? ", %r" : "%r") + std::to_string(i);
    ops += writeOp(in, nest, i);
  }
  std::string pad =
      nest.padding.empty()
          ? llvm::formatv("%l = tensor.cast %a : tensor<{0}{1}> to tensor<{0}{1}>\n", nest.lhs, l)
                .str()
          : llvm::formatv("%o = arith.constant {0} : {1}\n%l = tensor.pad %a low{2} {{\n^bb0(%i: "
                          "index, %j: index, %k: index, %m: index):\ntensor.yield %o : {1}\n} : "
                          "tensor<{3}{1}> to tensor<{4}{1}>\n",
                          in.lhs.isInteger() ? "0" : "0.0", l, nest.padding, nest.lhs, nest.padded)
                .str();
  std::string rhs = "tensor<" + nest.rhs + toString(in.rhs.getType(context)) + ">";
  if (in.partialProducts)
    pad += clampWeights(in, rhs);
  return llvm::formatv(
      "func.func @main(%a: tensor<{0}{1}>, {2}: {3} {{ucmoh.weight}) -> ({4}) {{\n{5}"
      "%zero = arith.constant {6} : {7}\n%e = tensor.empty() : {8}\n"
      "%f = linalg.fill ins(%zero : {7}) outs(%e : {8}) -> {8}\n{9}return {10} : {4}\n}\n",
      nest.lhs, l, in.partialProducts ? "%w" : "%b", rhs, results, pad,
      in.acc.isInteger() ? "0" : "0.0", a, result, ops, values);
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// The program as `--ucmoh-select` sees it, but with all copies of an op: their choices are to tell
/// them apart.
OwningOpRef<ModuleOp> parsePrepared(const std::string &text) {
  MLIRContext *context = &World::get().context;
  auto module = parseSourceString<ModuleOp>(text, ParserConfig(context));
  PassManager manager(context);
  manager.addNestedPass<func::FuncOp>(createPrepare());
  if (!module || failed(manager.run(*module)))
    return {};
  return module;
}

SmallVector<linalg::LinalgOp> findContractions(ModuleOp module) {
  SmallVector<linalg::LinalgOp> ops;
  module.walk([&](linalg::LinalgOp op) {
    if (isContractionLike(op))
      ops.push_back(op);
  });
  return ops;
}

/// All candidates with this intrinsic, best first.
std::vector<ChoiceAttr> rank(linalg::LinalgOp op, const Intrinsic &intrinsic,
                             std::string &message) {
  Target target = *resolveTarget(World::get().library, intrinsic.target);
  llvm::erase_if(target.intrinsics, [&](const Intrinsic &in) { return in.name != intrinsic.name; });
  WorkloadOrReason analyzed = analyzeTask(op);
  message = analyzed.reason;
  std::unique_ptr<CostModel> model = createCostModel("analytic", message);
  std::vector<ChoiceAttr> choices;
  if (analyzed)
    for (const auto &ranked : rankCandidates(*analyzed.workload, target, *model, message))
      choices.push_back(ranked.candidate.toAttr(ranked.predictedSeconds, model->getName()));
  return choices;
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

class WholeProgramTest : public ::testing::TestWithParam<size_t> {
protected:
  void SetUp() override {
    if (std::string why = whyNotExecutable(intrinsic); !why.empty())
      GTEST_SKIP() << why;
  }
  llvm::Expected<std::vector<Tensor>> execute(ModuleOp module, bool tensorize);
  void verify(ModuleOp module, const Nest &nest);
  void verifyBest(const Nest &nest);
  void verifyWidths(const Nest &nest);
  void verifyCandidates(const Nest &nest, bool all);
  void verifyWindows(const Nest &nest);

  void noteNeeds(llvm::ArrayRef<KernelNeeds> kernels);

  const Intrinsic &intrinsic = World::get().intrinsics[GetParam()];
  std::optional<Tensor> expected;
  int64_t assembled = 0, refused = 0, spilling = 0, full = 0, mostRegisters = 0;
};

void WholeProgramTest::noteNeeds(ArrayRef<KernelNeeds> kernels) {
  for (const KernelNeeds &needs : kernels) {
    ++assembled;
    refused += !needs.error.empty();
    spilling += needs.spillBytes > 0;
    full += needs.spillBytes > 0 && needs.registers >= intrinsic.registerCount;
    mostRegisters = std::max(mostRegisters, needs.registers);
    EXPECT_EQ(needs.error, "") << needs.kernel;
  }
}

llvm::Expected<std::vector<Tensor>> WholeProgramTest::execute(ModuleOp module, bool tensorize) {
  CompileOptions options;
  options.tensorize = tensorize;
  options.target = intrinsic.target;
  options.driver = driverOfDevices();
  if (const char *assembler = getenv("UCMOH_ASSEMBLER"))
    options.assembler = assembler;
  auto program = CompiledProgram::compile(module, "main", options);
  if (!program)
    return program.takeError();
  noteNeeds((*program)->getKernels());
  for (const OpInfo &op : (*program)->getOps())
    if (tensorize && !StringRef(op.choice).contains("@" + intrinsic.name + ","))
      return llvm::createStringError("not the intrinsic, but " + op.choice);
  auto inputs = makeInputs((*program)->getSignature(), {});
  if (!inputs)
    return inputs.takeError();
  if (auto error = (*program)->prepare(*inputs))
    return std::move(error);
  if (auto error = (*program)->run())
    return std::move(error);
  return (*program)->getResults();
}

/// Verifies that every result of `module` is what plain loops compute for one op.
void WholeProgramTest::verify(ModuleOp module, const Nest &nest) {
  if (!expected) {
    auto plain = parsePrepared(writeProgram(intrinsic, nest, 1));
    auto results = execute(*plain, /*tensorize=*/false);
    ASSERT_TRUE(static_cast<bool>(results)) << llvm::toString(results.takeError());
    expected = results->front();
  }
  auto results = execute(module, /*tensorize=*/true);
  ASSERT_TRUE(static_cast<bool>(results)) << llvm::toString(results.takeError());
  for (auto [i, result] : llvm::enumerate(*results)) {
    Difference difference = compare(result, *expected, toleranceOf(intrinsic));
    EXPECT_TRUE(difference.equal) << "result " << i << ": " << difference.message;
  }
}

/// The best candidate of one op.
void WholeProgramTest::verifyBest(const Nest &nest) {
  auto module = parsePrepared(writeProgram(intrinsic, nest, 1));
  ASSERT_TRUE(module);
  std::string message;
  auto op = findContractions(*module).front();
  std::vector<ChoiceAttr> choices = rank(op, intrinsic, message);
  ASSERT_FALSE(choices.empty()) << message;
  op->setAttr("ucmoh.choice", choices.front());
  verify(*module, nest);
}

TEST_P(WholeProgramTest, Product) { verifyBest(product); }

/// The sums over all launches that the interpreter wrote to `path`.
llvm::StringMap<int64_t> readStatistics(const std::string &path) {
  llvm::StringMap<int64_t> sums;
  auto file = llvm::MemoryBuffer::getFile(path);
  for (StringRef line : llvm::split(file ? (*file)->getBuffer() : "", "\n"))
    if (auto value = llvm::json::parse(line))
      for (auto &[key, entry] : *value->getAsObject())
        sums[key] += entry.getAsInteger().value_or(0);
    else
      llvm::consumeError(value.takeError());
  return sums;
}

/// The choice with one warp a block, whose rows of results are `columns` long; the same choice
/// where that is not legal.
ChoiceAttr withColumns(ChoiceAttr choice, int64_t columns, linalg::LinalgOp op) {
  Target target =
      *resolveTarget(World::get().library, choice.getIntrinsic().getRootReference().getValue());
  std::string message;
  auto candidate = Candidate::fromAttr(choice, target, message);
  EXPECT_TRUE(succeeded(candidate)) << message;
  candidate->cacheM = candidate->tileM = candidate->intrinsic->m;
  candidate->cacheN = candidate->tileN = columns;
  WorkloadOrReason analyzed = analyzeWorkload(op);
  bool isLegal = succeeded(verifyCandidate(*analyzed.workload, *candidate));
  return isLegal ? candidate->toAttr(/*predictedSeconds=*/0, "") : choice;
}

/// The best candidate, and others with rows of results that are no power of two.
void WholeProgramTest::verifyWidths(const Nest &nest) {
  auto module = parsePrepared(writeProgram(intrinsic, nest, 3));
  ASSERT_TRUE(module);
  std::string message;
  auto ops = findContractions(*module);
  ASSERT_EQ(ops.size(), 3u);
  std::vector<ChoiceAttr> choices = rank(ops.front(), intrinsic, message);
  ASSERT_FALSE(choices.empty()) << message;
  ops[0]->setAttr("ucmoh.choice", choices.front());
  ops[1]->setAttr("ucmoh.choice", withColumns(choices.front(), 48, ops[1]));
  ops[2]->setAttr("ucmoh.choice", withColumns(choices.front(), 96, ops[2]));
  verify(*module, nest);
}

/// Where lanes of a warp meet in one bank of shared memory, they wait for each other: neither
/// fragments nor rows of results do.
TEST_P(WholeProgramTest, BankConflicts) {
  if (!intrinsic.isStaged)
    GTEST_SKIP() << "operands do not pass through shared memory";
  std::string path = ::testing::TempDir() + "conflicts-" + intrinsic.id() + ".jsonl";
  std::remove(path.c_str());
  setenv("PTX_INTERPRETER_STATS", path.c_str(), /*overwrite=*/1);
  verifyWidths(alignedProduct);
  unsetenv("PTX_INTERPRETER_STATS");
  llvm::StringMap<int64_t> counts = readStatistics(path);
  ASSERT_GT(counts["mma"] + counts["wgmma"], 0);
  llvm::outs() << "ldmatrix " << counts["ldmatrix"] << " with " << counts["ldmatrix_conflicts"]
               << " conflicts, other accesses " << counts["shared_accesses"] << " with "
               << counts["shared_conflicts"] << "\n";
  llvm::outs().flush();
  EXPECT_EQ(counts["ldmatrix_conflicts"], 0);
  EXPECT_EQ(counts["shared_conflicts"], 0);
}

TEST_P(WholeProgramTest, Convolution) { verifyBest(convolution); }

/// Every n-th candidate, so that one batch has them all, or really all.
void WholeProgramTest::verifyCandidates(const Nest &nest, bool all) {
  auto module = parsePrepared(writeProgram(intrinsic, nest, batchSize));
  ASSERT_TRUE(module);
  auto ops = findContractions(*module);
  ASSERT_EQ(ops.size(), batchSize);
  std::string message;
  std::vector<ChoiceAttr> choices = rank(ops.front(), intrinsic, message);
  ASSERT_FALSE(choices.empty()) << message;
  size_t step = all ? 1 : llvm::divideCeil(choices.size(), batchSize);
  size_t count = llvm::divideCeil(choices.size(), step);
  for (size_t first = 0; first < count && !HasFailure(); first += batchSize) {
    for (auto [i, op] : llvm::enumerate(ops)) // the last batch repeats the last candidate
      op->setAttr("ucmoh.choice", choices[std::min(first + i, count - 1) * step]);
    verify(*module, nest);
  }
  llvm::outs() << "verified " << count << " of " << choices.size() << " candidates\n";
}

TEST_P(WholeProgramTest, Candidates) {
  StringRef all = getenv("UCMOH_ALL_CANDIDATES") ? getenv("UCMOH_ALL_CANDIDATES") : "";
  verifyCandidates(all == "large" ? product : smallProduct, !all.empty());
  if (assembled)
    llvm::outs() << "assembled " << assembled << " kernels: " << refused << " refused, " << spilling
                 << " spill (" << full << " with all registers), at most " << mostRegisters
                 << " registers a thread\n";
  llvm::outs().flush();
}

/// Blocks of windows, in the same way. Most intrinsics do not multiply lane by lane.
void WholeProgramTest::verifyWindows(const Nest &nest) {
  auto module = parsePrepared(writeProgram(intrinsic, nest, 1));
  ASSERT_TRUE(module);
  std::string why;
  if (rank(findContractions(*module).front(), intrinsic, why).empty())
    GTEST_SKIP() << why;
  verifyCandidates(nest, getenv("UCMOH_ALL_CANDIDATES"));
}

TEST_P(WholeProgramTest, Windows) { verifyWindows(depthwise); }

TEST_P(WholeProgramTest, WindowsWithStrides) { verifyWindows(stridedDepthwise); }

INSTANTIATE_TEST_SUITE_P(All, WholeProgramTest,
                         ::testing::Range<size_t>(0, World::get().intrinsics.size()),
                         intrinsicName);

} // namespace
