//===- RunnerTest.cpp - Processes, files and clocks around a measurement --===//
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ucmoh/Runtime/Runner.h"
#include "mlir/Parser/Parser.h"
#include "ucmoh/Analysis/HostCpu.h"
#include "ucmoh/Dialect/Registration.h"
#include "ucmoh/Runtime/ChildProcess.h"
#include "ucmoh/Runtime/Executable.h"
#include "ucmoh/Runtime/Inputs.h"
#include "ucmoh/Runtime/ObjectCache.h"
#include "ucmoh/Runtime/Sentinel.h"
#include "ucmoh/Runtime/Table.h"
#include "ucmoh/Runtime/TensorFile.h"
#include "ucmoh/Runtime/Trial.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <chrono>
#include <cmath>
#include <csignal>
#include <set>
#include <sys/resource.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>

using namespace mlir;
using namespace ucmoh;
namespace json = llvm::json;

namespace {

/// The message, or nothing.
std::string errorOf(llvm::Error error) { return llvm::toString(std::move(error)); }
template <typename T> std::string errorOf(llvm::Expected<T> &value) {
  return value ? "" : llvm::toString(value.takeError());
}
template <typename T> std::string errorOf(llvm::Expected<T> &&value) { return errorOf(value); }

//===----------------------------------------------------------------------===//
// Executable
//===----------------------------------------------------------------------===//

/// Returns the assembly of a sum of two vectors that fill a register of AVX-512.
std::string assembleSum() {
  DialectRegistry registry;
  registerExecutableDialects(registry);
  MLIRContext context(registry);
  auto module = parseSourceString<ModuleOp>(R"mlir(
    llvm.func @sum(%p: !llvm.ptr, %q: !llvm.ptr) {
      %a = llvm.load %p : !llvm.ptr -> vector<16xf32>
      %b = llvm.load %q : !llvm.ptr -> vector<16xf32>
      %s = llvm.fadd %a, %b : vector<16xf32>
      llvm.store %s, %p : vector<16xf32>, !llvm.ptr
      llvm.return
    })mlir",
                                            ParserConfig(&context));
  return llvm::cantFail(Executable::assemble(*module, CodeTarget()));
}

TEST(ExecutableTest, UsesNoHiddenInstruction) {
  if (!hostFeatures(Emulated::Excluded).lookup("avx512f"))
    GTEST_SKIP() << "this CPU lacks avx512f";
  EXPECT_NE(assembleSum().find("%zmm"), std::string::npos);
  setenv("UCMOH_HOST_CPU", "x86-64-v3", /*overwrite=*/1);
  std::string hidden = assembleSum();
  unsetenv("UCMOH_HOST_CPU");
  EXPECT_EQ(hidden.find("%zmm"), std::string::npos) << hidden;
  EXPECT_NE(hidden.find("%ymm"), std::string::npos) << hidden;
}

//===----------------------------------------------------------------------===//
// ChildProcess
//===----------------------------------------------------------------------===//

/// Counts its requests; "do" says how it fails.
ChildProcess::Handler makeHandler() {
  auto count = std::make_shared<int64_t>(0);
  return [count](const json::Object &request) -> json::Object {
    llvm::StringRef what = request.getString("do").value_or("");
    if (what == "crash")
      raise(SIGSEGV);
    if (what == "exit")
      _exit(3);
    if (what == "hang")
      std::this_thread::sleep_for(std::chrono::hours(1));
    if (what == "refuse")
      return json::Object{{"error", "no, thanks"}};
    if (what == "long")
      return json::Object{{"text", std::string(200000, 'x')}};
    return json::Object{{"count", ++*count}, {"pid", static_cast<int64_t>(getpid())}};
  };
}

json::Object request(llvm::StringRef what) { return json::Object{{"do", what}}; }

constexpr double enoughSeconds = 60;

class ChildProcessTest : public ::testing::Test {
protected:
  ChildProcessTest() : child(llvm::cantFail(ChildProcess::start(makeHandler))) {}
  std::string whyNot(llvm::StringRef what, double seconds = enoughSeconds) {
    return errorOf(child->ask(request(what), seconds));
  }
  std::unique_ptr<ChildProcess> child;
};

TEST_F(ChildProcessTest, AnswersInAProcessOfItsOwnThatKeepsItsState) {
  for (int64_t i = 1; i <= 3; ++i) {
    auto answer = child->ask(request("count"), enoughSeconds);
    ASSERT_EQ(errorOf(answer), "");
    EXPECT_EQ(answer->getInteger("count"), i);
    EXPECT_NE(answer->getInteger("pid"), static_cast<int64_t>(getpid()));
  }
}

TEST_F(ChildProcessTest, LongAnswersArriveWhole) {
  auto answer = child->ask(request("long"), enoughSeconds);
  ASSERT_EQ(errorOf(answer), "");
  EXPECT_EQ(answer->getString("text")->size(), 200000u);
}

TEST_F(ChildProcessTest, ARefusalIsAnErrorThatTheChildSurvives) {
  EXPECT_EQ(whyNot("refuse"), "no, thanks");
  EXPECT_EQ(whyNot("count"), "");
}

TEST_F(ChildProcessTest, ACrashIsNamedAndFinal) {
  EXPECT_EQ(whyNot("crash"), "the child process died: Segmentation fault");
  EXPECT_EQ(whyNot("count"), "the child process is gone");
}

TEST_F(ChildProcessTest, AnEarlyEndIsNamed) {
  EXPECT_EQ(whyNot("exit"), "the child process ended with exit code 3");
  EXPECT_EQ(whyNot("count"), "the child process is gone");
}

TEST_F(ChildProcessTest, AHangEndsWithTheTimeout) {
  auto answer = child->ask(request("count"), enoughSeconds);
  ASSERT_EQ(errorOf(answer), "");
  auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(whyNot("hang", 1), "no answer within 1 s; --timeout=SECONDS allows more");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
  EXPECT_NE(kill(*answer->getInteger("pid"), 0), 0) << "the child is still there";
  EXPECT_EQ(whyNot("count"), "the child process is gone");
}

/// Whoever handles signals, as a progress line or Ctrl-C does, interrupts each wait.
TEST_F(ChildProcessTest, SignalsLeaveTheTimeoutAlone) {
  struct sigaction handler = {}, before = {};
  handler.sa_handler = [](int) {};
  sigaction(SIGALRM, &handler, &before);
  itimerval often = {{0, 20000}, {0, 20000}}, never = {};
  setitimer(ITIMER_REAL, &often, nullptr);
  EXPECT_EQ(whyNot("count"), "");
  EXPECT_EQ(whyNot("long"), "");
  EXPECT_EQ(whyNot("hang", 1), "no answer within 1 s; --timeout=SECONDS allows more");
  setitimer(ITIMER_REAL, &never, nullptr);
  sigaction(SIGALRM, &before, nullptr);
}

/// There are descriptors for one pipe and a half.
TEST_F(ChildProcessTest, WhatCannotStartKeepsNothingOpen) {
  std::vector<int> taken;
  rlimit before;
  getrlimit(RLIMIT_NOFILE, &before);
  rlimit few = {64, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &few);
  for (int copy; (copy = dup(STDERR_FILENO)) >= 0;)
    taken.push_back(copy);
  for (int i = 0; i < 3; ++i, taken.pop_back())
    close(taken.back());
  std::string message = errorOf(ChildProcess::start(makeHandler));
  int64_t left = 0;
  for (int copy; (copy = dup(STDERR_FILENO)) >= 0; ++left)
    taken.push_back(copy);
  for (int copy : taken)
    close(copy);
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(message, "cannot make a pipe");
  EXPECT_EQ(left, 3);
}

TEST_F(ChildProcessTest, EndsWithItsOwner) {
  auto answer = child->ask(request("count"), enoughSeconds);
  ASSERT_EQ(errorOf(answer), "");
  child.reset();
  EXPECT_NE(kill(*answer->getInteger("pid"), 0), 0);
}

TEST_F(ChildProcessTest, OneCrashLeavesOthersAlone) {
  auto other = llvm::cantFail(ChildProcess::start(makeHandler));
  EXPECT_NE(whyNot("crash"), "");
  EXPECT_EQ(errorOf(other->ask(request("count"), enoughSeconds)), "");
}

//===----------------------------------------------------------------------===//
// Trial
//===----------------------------------------------------------------------===//

/// A sample that was not waited for is taken for none of a quiet moment.
TEST(TrialTest, AFirstRunBeyondTheBudgetIsNotQuiet) {
  DialectRegistry registry;
  registerExecutableDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto module = parseSourceString<ModuleOp>("func.func @f(%a: f32) -> f32 { return %a : f32 }",
                                            ParserConfig(&context));
  ResultFile results;
  TrialOptions options;
  options.program.tensorize = false;
  auto child = startTrial(*module, "f", options, results);
  ASSERT_EQ(errorOf(child), "");
  ASSERT_EQ(errorOf((*child)->ask(request("prepare"), enoughSeconds)), "");
  auto times = (*child)->ask(json::Object{{"do", "time"}, {"budget_seconds", 0}}, enoughSeconds);
  ASSERT_EQ(errorOf(times), "");
  EXPECT_EQ(times->getArray("seconds")->size(), 1u);
  EXPECT_EQ(times->getBoolean("quiet"), false);
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

TEST(TableTest, HasTheLeastOfTheSamples) {
  json::Array samples{3e-3, 1e-3, 2e-3};
  json::Object op{{"op", 0}, {"workload", "w"}, {"seconds", summarize(&samples)}};
  json::Object report{{"function", "f"},
                      {"machine", "m"},
                      {"ops", json::Array{std::move(op)}},
                      {"seconds", summarize(&samples)}};
  std::string text;
  llvm::raw_string_ostream stream(text);
  printTable(report, stream);
  EXPECT_NE(text.find("1.000 ms"), std::string::npos) << text;
  EXPECT_EQ(text.find("2.000 ms"), std::string::npos) << text;
}

//===----------------------------------------------------------------------===//
// Npy
//===----------------------------------------------------------------------===//

class NpyTest : public ::testing::Test {
protected:
  NpyTest() {
    llvm::SmallString<128> name;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("ucmoh", "npy", name));
    path = name.str().str();
  }
  ~NpyTest() override { llvm::sys::fs::remove(path); }

  void store(llvm::StringRef contents) {
    std::error_code code;
    llvm::raw_fd_ostream stream(path, code);
    ASSERT_FALSE(code);
    stream << contents;
  }
  std::string load() { return (*llvm::MemoryBuffer::getFile(path))->getBuffer().str(); }

  /// A file with this header; version 2 has a length of four bytes.
  static std::string file(llvm::StringRef header, llvm::StringRef elements, char version = 1) {
    std::string text = "\x93NUMPY";
    text += {version, '\0', static_cast<char>(header.size()), '\0'};
    if (version > 1)
      text += {'\0', '\0'};
    return text + header.str() + elements.str();
  }
  static std::string header(llvm::StringRef descr, llvm::StringRef order, llvm::StringRef shape) {
    return ("{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape +
            ", }\n")
        .str();
  }
  /// The message without the path that it begins with; empty when the file was read.
  std::string whyNot(Type type) {
    auto tensor = readNpy(path, type);
    if (tensor)
      return "";
    std::string message = llvm::toString(tensor.takeError());
    llvm::StringRef rest(message);
    EXPECT_TRUE(rest.consume_front(path + ": ")) << message;
    return rest.str();
  }

  MLIRContext context;
  Builder builder{&context};
  Type i8 = builder.getI8Type(), i32 = builder.getI32Type(), f32 = builder.getF32Type();
  std::string path;
};

TEST_F(NpyTest, RoundTripOfAllTypes) {
  for (Type type : std::initializer_list<Type>{builder.getI1Type(), i8, builder.getIntegerType(16),
                                               i32, builder.getI64Type(), builder.getIndexType()})
    for (const std::vector<int64_t> &shape :
         std::vector<std::vector<int64_t>>{{2, 3}, {6}, {1, 6, 1}}) {
      Tensor tensor(type, shape);
      for (int64_t i = 0; i < 6; ++i)
        tensor.setInteger(i, type.isInteger(1) ? i % 2 : i - 3);
      ASSERT_EQ(errorOf(writeNpy(path, tensor)), "");
      auto again = readNpy(path, type);
      ASSERT_EQ(errorOf(again), "");
      EXPECT_TRUE(compare(*again, tensor, 0).equal);
    }
  for (Type type : std::initializer_list<Type>{builder.getF16Type(), builder.getBF16Type(), f32,
                                               builder.getF64Type()}) {
    Tensor tensor(type, {2, 2});
    for (int64_t i = 0; i < 4; ++i)
      tensor.setFloat(i, i == 3 ? NAN : i - 1.5);
    ASSERT_EQ(errorOf(writeNpy(path, tensor)), "");
    auto again = readNpy(path, type);
    ASSERT_EQ(errorOf(again), "");
    EXPECT_TRUE(compare(*again, tensor, 0).equal);
  }
}

TEST_F(NpyTest, RoundTripWithoutDimsOrElements) {
  for (const std::vector<int64_t> &shape : std::vector<std::vector<int64_t>>{{}, {0, 4}}) {
    ASSERT_EQ(errorOf(writeNpy(path, Tensor(f32, shape))), "");
    EXPECT_EQ(load().find('\n') % 64, 63u) << "elements start at a multiple of 64 bytes";
    auto again = readNpy(path, f32);
    ASSERT_EQ(errorOf(again), "");
    EXPECT_EQ(again->getShape(), llvm::ArrayRef(shape));
  }
}

TEST_F(NpyTest, VersionsAndUnsignedTwins) {
  store(file(header("|i1", "False", "(2,)"), "\x01\x80"));
  EXPECT_EQ(whyNot(i8), "");
  store(file(header("|i1", "False", "(2,)"), "\x01\x80", /*version=*/2));
  EXPECT_EQ(whyNot(i8), "");
  store(file(header("|u1", "False", "(2,)"), "\x01\x80"));
  auto tensor = readNpy(path, i8);
  ASSERT_EQ(errorOf(tensor), "");
  EXPECT_EQ(tensor->getInteger(1), -128);
}

TEST_F(NpyTest, NoSuchFile) {
  llvm::sys::fs::remove(path);
  EXPECT_EQ(whyNot(i8), "No such file or directory");
}

TEST_F(NpyTest, WrongMagic) {
  for (const char *contents : {"", "\x93NUM", "\x93NUMPY", "PK\x03\x04 and so on", "1 2 3\n"}) {
    store(contents);
    EXPECT_EQ(whyNot(i8), "is no .npy file");
  }
}

/// Cut anywhere, a file is refused; no length in it is trusted.
TEST_F(NpyTest, Truncated) {
  for (char version : {1, 2}) {
    std::string whole = file(header("<i4", "False", "(2, 3)"), std::string(24, 'x'), version);
    for (size_t size = 0; size < whole.size(); ++size) {
      store(llvm::StringRef(whole).take_front(size));
      EXPECT_NE(whyNot(i32), "") << size;
    }
    store(whole);
    EXPECT_EQ(whyNot(i32), "");
    store(llvm::StringRef(whole).drop_back());
    EXPECT_EQ(whyNot(i32), "has not as many elements as its shape says");
    store(whole + "x");
    EXPECT_EQ(whyNot(i32), "has not as many elements as its shape says");
    store(llvm::StringRef(whole).take_front(30));
    EXPECT_EQ(whyNot(i32), "is truncated");
  }
}

TEST_F(NpyTest, OtherOrderOrType) {
  store(file(header("<i4", "True", "(2, 1)"), "xxxxxxxx"));
  EXPECT_EQ(whyNot(i32), "holds <i4; give row-major <i4");
  store(file(header(">i4", "False", "(2, 1)"), "xxxxxxxx"));
  EXPECT_EQ(whyNot(i32), "holds >i4; give row-major <i4");
  store(file(header("<f4", "False", "(2, 1)"), "xxxxxxxx"));
  EXPECT_EQ(whyNot(i32), "holds <f4; give row-major <i4");
  store(file(header("<u4", "False", "(2, 1)"), "xxxxxxxx"));
  EXPECT_EQ(whyNot(f32), "holds <u4; give row-major <f4");
}

TEST_F(NpyTest, BrokenHeader) {
  for (const std::string &text :
       {std::string("{}\n"), header("|i1", "False", "(-2,)"), header("|i1", "False", "(two,)"),
        header("|i1", "Maybe", "(2,)"), header("|i1", "False", "2")}) {
    store(file(text, "xx"));
    EXPECT_EQ(whyNot(i8), "has a header that cannot be read") << text;
  }
}

TEST_F(NpyTest, FolderThatDoesNotExist) {
  EXPECT_NE(errorOf(writeNpy(path + ".none/a.npy", Tensor(i8, {2}))), "");
}

TEST_F(NpyTest, ADeviceThatIsFull) {
  EXPECT_EQ(errorOf(writeNpy("/dev/full", Tensor(i8, {2}))), "/dev/full: No space left on device");
}

//===----------------------------------------------------------------------===//
// Sentinel
//===----------------------------------------------------------------------===//

/// Whether this machine is quiet is unknown; that waiting ends is not.
TEST(SentinelTest, WaitsNoLongerThanAsked) {
  Sentinel sentinel;
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 5; ++i) {
    sentinel.isQuiet();
    sentinel.wait(0.01);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

/// The best is the fastest of all runs, this one included.
TEST(SentinelTest, IsNeverFasterThanItsBest) {
  Sentinel sentinel;
  for (int i = 0; i < 20; ++i) {
    bool quiet = sentinel.isQuiet();
    EXPECT_GE(sentinel.getSlowness(), 1);
    EXPECT_EQ(quiet, sentinel.getSlowness() <= Sentinel::slowdownAllowed);
  }
}

TEST(GateTest, QuietSamplesAreBroughtToTheBestClock) {
  Sentinel sentinel;
  GateOptions options;
  options.atBestClock = true;
  auto sample = takeSample(sentinel, options, []() -> llvm::Expected<CallTimes> {
    return CallTimes{1, 0.5}; // longer than a sample has to be: one call is enough
  });
  ASSERT_TRUE(bool(sample));
  double whole = sample->seconds[0];
  EXPECT_EQ(sample->seconds[1], whole / 2);
  EXPECT_TRUE(sample->quiet ? whole <= 1 && whole >= 1 / Sentinel::slowdownAllowed : whole == 1)
      << whole;
}

//===----------------------------------------------------------------------===//
// Signature, and inputs that follow from it
//===----------------------------------------------------------------------===//

class SignatureTest : public ::testing::Test {
protected:
  SignatureTest() { context.loadDialect<func::FuncDialect>(); }

  llvm::Expected<Signature> read(llvm::StringRef declaration) {
    module = parseSourceString<ModuleOp>(declaration, &context);
    return readSignature(*module->getOps<func::FuncOp>().begin());
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(SignatureTest, TypesAndMarks) {
  auto signature = read("func.func private @f(tensor<4x?xf32>, i64 {ucmoh.arg = 5 : i64}, "
                        "tensor<3xbf16> {ucmoh.weight}, tensor<f16> {ucmoh.packed = 2 : i64}) -> "
                        "(tensor<2xi8>, index)");
  ASSERT_EQ(errorOf(signature), "");
  EXPECT_EQ(signature->name, "f");
  const std::vector<Parameter> &parameters = signature->parameters;
  ASSERT_EQ(parameters.size(), 4u);
  EXPECT_EQ(toString(parameters[0]), "tensor<4x?xf32>");
  EXPECT_FALSE(parameters[0].isScalar || parameters[0].isWeight);
  EXPECT_FALSE(parameters[0].argument || parameters[0].packed);
  EXPECT_EQ(toString(parameters[1]), "i64");
  EXPECT_TRUE(parameters[1].isScalar);
  EXPECT_EQ(parameters[1].argument, 5);
  EXPECT_TRUE(parameters[2].isWeight);
  EXPECT_EQ(toString(parameters[3]), "tensor<f16>");
  EXPECT_FALSE(parameters[3].isScalar);
  EXPECT_EQ(parameters[3].packed, 2);
  ASSERT_EQ(signature->results.size(), 2u);
  EXPECT_EQ(toString(signature->results[0]), "tensor<2xi8>");
  EXPECT_EQ(toString(signature->results[1]), "index");
}

TEST_F(SignatureTest, WhatCannotBePassedIsNamed) {
  for (const char *type : {"tensor<*xf32>", "memref<4xf32>", "tensor<4xi4>", "vector<4xf32>", "i7",
                           "tensor<2xcomplex<f32>>", "f80"})
    for (const std::string &declaration :
         {("func.func private @g(f32, " + llvm::Twine(type) + ")").str(),
          ("func.func private @g() -> " + llvm::Twine(type)).str()}) {
      auto signature = read(declaration);
      ASSERT_FALSE(static_cast<bool>(signature)) << declaration;
      std::string message = llvm::toString(signature.takeError());
      EXPECT_TRUE(llvm::StringRef(message).starts_with(
          ("@g: cannot pass " + llvm::Twine(type) + "; use ranked, dense tensors or scalars")
              .str()))
          << message;
    }
}

TEST_F(SignatureTest, InputsAreSeededAndFillOpenDims) {
  auto signature = read("func.func private @f(tensor<4x?xi8>, tensor<4x?xi8>, tensor<64x256xf32> "
                        "{ucmoh.weight}, tensor<9xi32>)");
  ASSERT_EQ(errorOf(signature), "");
  InputOptions options;
  options.dynamicSize = 33;
  auto first = makeInputs(*signature, options), second = makeInputs(*signature, options);
  options.seed = 1;
  auto other = makeInputs(*signature, options);
  ASSERT_EQ(errorOf(first), "");
  ASSERT_EQ(errorOf(second), "");
  ASSERT_EQ(errorOf(other), "");
  EXPECT_EQ((*first)[0].getShape(), (llvm::ArrayRef<int64_t>{4, 33}));
  for (size_t i = 0; i < first->size(); ++i)
    EXPECT_TRUE(compare((*first)[i], (*second)[i], 0).equal);
  EXPECT_FALSE(compare((*first)[0], (*first)[1], 0).equal) << "two arguments are the same";
  EXPECT_FALSE(compare((*first)[0], (*other)[0], 0).equal) << "two seeds are the same";
  for (int64_t i = 0; i < (*first)[2].elements(); ++i)
    EXPECT_LE(std::fabs((*first)[2].getFloat(i)), std::sqrt(3.0) / std::sqrt(256.0) + 1e-6);
  for (int64_t i = 0; i < 9; ++i)
    EXPECT_TRUE((*first)[3].getInteger(i) == 0 || (*first)[3].getInteger(i) == 1);
}

TEST_F(SignatureTest, InputsKeepWhatIsPromised) {
  auto signature = read("func.func private @f(tensor<999xi8> {ucmoh.range = array<i64: -64, 63>}, "
                        "tensor<999xi8> {ucmoh.range = array<i64: 100, 255>}, "
                        "tensor<999xi32> {ucmoh.range = array<i64: 7, 7>})");
  ASSERT_EQ(errorOf(signature), "");
  auto inputs = makeInputs(*signature, InputOptions());
  ASSERT_EQ(errorOf(inputs), "");
  std::set<int64_t> first, second;
  for (int64_t i = 0; i < 999; ++i) {
    first.insert((*inputs)[0].getInteger(i));
    second.insert((*inputs)[1].getInteger(i) & 255);
    EXPECT_EQ((*inputs)[2].getInteger(i), 7);
  }
  EXPECT_EQ(*first.begin(), -64);
  EXPECT_EQ(*first.rbegin(), 63);
  EXPECT_EQ(*second.begin(), 100);
  EXPECT_EQ(*second.rbegin(), 255);
}

//===----------------------------------------------------------------------===//
// Results that processes share
//===----------------------------------------------------------------------===//

TEST_F(SignatureTest, ResultsOfAChildAreReadHere) {
  auto signature = read("func.func private @f() -> (tensor<2x?xi32>, f32)");
  ASSERT_EQ(errorOf(signature), "");
  ResultFile results;
  EXPECT_NE(errorOf(results.read(signature->results)), "") << "nothing was written";
  Type i32 = signature->results[0].elementType, f32 = signature->results[1].elementType;
  auto child = llvm::cantFail(ChildProcess::start([&]() -> ChildProcess::Handler {
    return [&](const json::Object &) -> json::Object {
      Tensor matrix(i32, {2, 3}), number(f32, {});
      matrix.setInteger(5, -7);
      number.setFloat(0, 2.5);
      if (auto error = results.write({matrix, number}))
        return json::Object{{"error", llvm::toString(std::move(error))}};
      return json::Object{};
    };
  }));
  ASSERT_EQ(errorOf(child->ask(request("write"), enoughSeconds)), "");
  for (int turn = 0; turn < 2; ++turn) {
    auto read = results.read(signature->results);
    ASSERT_EQ(errorOf(read), "");
    ASSERT_EQ(read->size(), 2u);
    EXPECT_EQ((*read)[0].getShape(), (llvm::ArrayRef<int64_t>{2, 3}));
    EXPECT_EQ((*read)[0].getInteger(5), -7);
    EXPECT_EQ((*read)[1].getFloat(0), 2.5);
  }
}

/// The verdict of ucmoh-run rests on these comparisons.
TEST_F(SignatureTest, ComparisonsAreNotFooled) {
  Builder builder(&context);
  Tensor a(builder.getI32Type(), {4}), b(builder.getI32Type(), {4});
  EXPECT_TRUE(compare(a, b, 0).equal);
  b.setInteger(2, 1);
  Difference difference = compare(a, b, /*tolerance=*/1);
  EXPECT_FALSE(difference.equal) << "integers have to be equal whatever the tolerance";
  EXPECT_EQ(difference.message, "element 2 is 0, expected 1; allowed difference 0");

  Tensor wide(builder.getI64Type(), {1}), next(builder.getI64Type(), {1});
  wide.setInteger(0, (int64_t(1) << 53) + 1);
  next.setInteger(0, int64_t(1) << 53);
  EXPECT_FALSE(compare(wide, next, 0).equal) << "as doubles they are equal";

  Tensor x(builder.getF32Type(), {2}), y(builder.getF32Type(), {2});
  x.setFloat(0, NAN), y.setFloat(0, 1);
  EXPECT_FALSE(compare(x, y, 1e9).equal) << "NaN for a number";
  EXPECT_FALSE(compare(y, x, 1e9).equal) << "a number for NaN";
  y.setFloat(0, NAN);
  EXPECT_TRUE(compare(x, y, 0).equal);
  x.setFloat(0, INFINITY), y.setFloat(0, -INFINITY);
  EXPECT_FALSE(compare(x, y, 1e9).equal);
  EXPECT_FALSE(compare(a, x, 1e9).equal) << "another type";
}

/// Integers that sums of floats were rounded to, and results as a whole.
TEST_F(SignatureTest, RoundedSumsMayBeTheNextInteger) {
  Builder builder(&context);
  Tensor a(builder.getI8Type(), {1000}), b(builder.getI8Type(), {1000});
  a.setInteger(0, 100), b.setInteger(0, 100);
  EXPECT_TRUE(compareRounded(a, b, 1e-3).equal);
  EXPECT_EQ(measureNoise({a}, {b}).share(), 0);
  EXPECT_EQ(measureNoise({a}, {b}).decibel(), INFINITY);
  a.setInteger(0, 99);
  EXPECT_TRUE(compareRounded(a, b, 1e-3).equal) << "one step";
  EXPECT_EQ(measureNoise({a}, {b}).share(), 1e-3);
  EXPECT_NEAR(measureNoise({a}, {b}).decibel(), 40, 1e-9);
  for (int64_t i = 1; i <= 200; ++i)
    a.setInteger(i, 1);
  EXPECT_EQ(compareRounded(a, b, 1e-3).message,
            "201 of 1000 elements differ, by 1 at most; so many sums of floats do not round to "
            "another integer");
  EXPECT_TRUE(compareRounded(a, b, 1e-2).equal) << "coarser floats, more of them";
  a = Tensor(builder.getI8Type(), {1000});
  a.setInteger(0, 98);
  EXPECT_FALSE(compareRounded(a, b, 1e-3).equal) << "two steps";
  EXPECT_EQ(measureNoise({Tensor(builder.getI8Type(), {2})}, {a}).share(), 1) << "another shape";
}

/// Signals are the program's own: an emulator of instructions in it goes on to get its traps.
TEST(ObjectCacheTest, KeepsHandlersOfSignals) {
  auto handlerOfTraps = [] {
    struct sigaction action = {};
    sigaction(SIGILL, nullptr, &action);
    return action.sa_handler;
  };
  auto *before = handlerOfTraps();
  ObjectCache::ofUser().store("of-runner-test", "object");
  EXPECT_EQ(handlerOfTraps(), before);
  if (auto found = ObjectCache::ofUser().find("of-runner-test"))
    EXPECT_EQ(found->getBuffer(), "object");
}

} // namespace
