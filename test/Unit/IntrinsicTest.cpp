//===- IntrinsicTest.cpp - Each intrinsic of each target against its declared meaning
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From an intrinsic's op alone follow a program that uses it (`stepCount` steps of the reduction),
/// what it must compute (plain loops over `shape`, `types` and `rhs_pack`), and the instruction
/// that must come out (`mnemonic`). A new target file is tested without a line added here.
///
//===----------------------------------------------------------------------===//

#include "mlir/Conversion/Passes.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "ucmoh/Analysis/Target.h"
#include "ucmoh/Transforms/Passes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace ucmoh;

namespace {

constexpr int64_t stepCount = 3;

/// Everything that is parsed once: one context, the targets, and those that this CPU runs, or the
/// emulator that is linked in (test/Emulator).
struct World {
  World() {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    registerAllPasses();
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registerAllToLLVMIRTranslations(registry);
    registerUCMoH(registry);
    context.appendDialectRegistry(registry);
    library = *TargetLibrary::load(&context);
    for (auto target : library->getModule().getOps<TargetOp>()) {
      auto resolved = resolveTarget(library, target.getSymName());
      if (runsOnHost(target, Emulated::Included))
        onHost[target.getSymName()] = true;
      intrinsics.insert(intrinsics.end(), resolved->intrinsics.begin(), resolved->intrinsics.end());
    }
  }
  static World &get() {
    static World world;
    return world;
  }

  MLIRContext context;
  std::shared_ptr<TargetLibrary> library;
  std::vector<Intrinsic> intrinsics;
  llvm::StringMap<bool> onHost;
};

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

std::string toString(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// A function on (lhs [m, steps * k], rhs [steps * k / pack, n * pack], acc [m, n], zeros [m, n]),
/// flat buffers.
std::string writeProgram(const Intrinsic &in) {
  auto element = [&](ElementType type) { return toString(type.getType(&World::get().context)); };
  IntrinsicOp op = in.op;
  std::string id = "@" + in.target + "::@" + in.name;
  std::string buffers[] = {
      llvm::formatv("memref<{0}x{1}>", in.m * in.k * stepCount, element(in.lhs)),
      llvm::formatv("memref<{0}x{1}>", in.n * in.k * stepCount, element(in.rhs)),
      llvm::formatv("memref<{0}x{1}>", in.m * in.n, element(in.acc))};
  std::string fragments[] = {toString(op.getFragmentType(Role::lhs)),
                             toString(op.getFragmentType(Role::rhs)),
                             toString(op.getFragmentType(Role::acc))};
  std::string text = llvm::formatv("func.func @test(%a: {0}, %b: {1}, %c: {2}, %z: {2}) attributes "
                                   "{{llvm.emit_c_interface} {{\n%zero = arith.constant 0 : index\n"
                                   "%d0 = ucmoh.load acc {3} %c[%zero] stride {4} : {2} -> {5}\n",
                                   buffers[0], buffers[1], buffers[2], id, in.n, fragments[2]);
  for (int64_t step = 0; step < stepCount; ++step) {
    text +=
        llvm::formatv("%i{0} = arith.constant {1} : index\n%j{0} = arith.constant {2} : index\n",
                      step, step * in.k, step * in.k * in.n);
    text += llvm::formatv("%a{0} = ucmoh.load lhs {1} %a[%i{0}] stride {2} : {3} -> {4}\n", step,
                          id, in.k * stepCount, buffers[0], fragments[0]);
    text += llvm::formatv("%b{0} = ucmoh.load rhs {1} %b[%j{0}] stride {2} : {3} -> {4}\n", step,
                          id, in.n * in.rhsPack, buffers[1], fragments[1]);
    text += llvm::formatv("%d{0} = ucmoh.compute {1} %a{2}, %b{2}, %d{2} : {3}, {4}, {5}\n",
                          step + 1, id, step, fragments[0], fragments[1], fragments[2]);
  }
  text += llvm::formatv("ucmoh.store {0} %d{1}, %c[%zero] stride {2} : {3}, {4}\n"
                        "%e = ucmoh.zero {0} : {3}\n"
                        "ucmoh.store {0} %e, %z[%zero] stride {2} : {3}, {4}\nreturn\n}\n",
                        id, stepCount, in.n, fragments[2], buffers[2]);
  return text;
}

OwningOpRef<ModuleOp> lowerProgram(const std::string &text) {
  MLIRContext &context = World::get().context;
  auto module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
  PassManager passes(&context);
  passes.addPass(createLower());
  if (!module ||
      failed(parsePassPipeline("expand-strided-metadata,lower-affine,convert-to-llvm,"
                               "reconcile-unrealized-casts",
                               passes)) ||
      failed(passes.run(*module)))
    return {};
  return module;
}

std::string assemble(ModuleOp module, const Target &target) {
  llvm::LLVMContext context;
  auto llvmModule = translateModuleToLLVMIR(module, context);
  llvm::Triple triple(target.triple);
  std::string error;
  const llvm::Target *backend = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!llvmModule || !backend)
    return error;
  std::unique_ptr<llvm::TargetMachine> machine(backend->createTargetMachine(
      triple, /*CPU=*/"", target.features, llvm::TargetOptions(), llvm::Reloc::PIC_));
  llvmModule->setDataLayout(machine->createDataLayout());
  SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile);
  passes.run(*llvmModule);
  return text.str().str();
}

/// Runs the program here, with the target's features beside those of the CPU, but not tuned for it:
/// its model in LLVM may not know instructions that are emulated.
llvm::Expected<std::unique_ptr<ExecutionEngine>> createEngine(ModuleOp module, StringRef features) {
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCPU("generic");
  for (StringRef feature : llvm::split(features, ","))
    builder->addFeatures({feature.str()});
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  return ExecutionEngine::create(module, {}, std::move(*machine));
}

//===----------------------------------------------------------------------===//
// Its meaning
//===----------------------------------------------------------------------===//

/// Values of a type as numbers, and as bytes in memory.
struct Buffer {
  Buffer(ElementType type, int64_t size) : type(type), values(size) {}

  /// Floats get small whole numbers, whose sums are exact in any order of addition.
  void fill(std::mt19937 &random, bool extreme) {
    int64_t low = -8, high = 8;
    if (type.isInteger()) {
      low = type.kind == ElementType::SignedInt ? llvm::minIntN(type.bits) : 0;
      high = type.kind == ElementType::SignedInt ? llvm::maxIntN(type.bits)
                                                 : llvm::maxUIntN(type.bits);
    }
    for (int64_t &value : values)
      value = extreme ? (random() % 2 ? low : high)
                      : std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  std::vector<char> encode() const {
    std::vector<char> bytes;
    for (int64_t value : values) {
      uint64_t bits = type.isInteger() ? value : encodeFloat(value);
      bytes.insert(bytes.end(), reinterpret_cast<char *>(&bits),
                   reinterpret_cast<char *>(&bits) + type.bits / 8);
    }
    return bytes;
  }

  uint64_t encodeFloat(int64_t value) const {
    auto floatType = cast<FloatType>(type.getType(&World::get().context));
    llvm::APFloat number(static_cast<float>(value));
    bool inexact;
    number.convert(floatType.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    return number.bitcastToAPInt().getZExtValue();
  }

  ElementType type;
  std::vector<int64_t> values;
};

/// acc += lhs * rhs as declared; integers wrap around at the accumulator's width when encoded.
void contract(const Intrinsic &in, const Buffer &lhs, const Buffer &rhs, Buffer &acc) {
  int64_t depth = in.k * stepCount, pack = in.rhsPack;
  for (int64_t i = 0; i < in.m; ++i)
    for (int64_t j = 0; j < in.n; ++j)
      for (int64_t k = 0; k < depth; ++k)
        acc.values[i * in.n + j] +=
            lhs.values[i * depth + k] * rhs.values[(k / pack * in.n + j) * pack + k % pack];
}

/// The descriptor that MLIR passes for a one-dimensional memref.
struct Descriptor {
  Descriptor(std::vector<char> &bytes, const Buffer &buffer)
      : allocated(bytes.data()), aligned(bytes.data()), size(buffer.values.size()) {}
  char *allocated, *aligned;
  int64_t offset = 0, size, stride = 1;
};

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

class IntrinsicTest : public ::testing::TestWithParam<size_t> {
protected:
  const Intrinsic &intrinsic = World::get().intrinsics[GetParam()];
  OwningOpRef<ModuleOp> program = lowerProgram(writeProgram(intrinsic));
};

TEST_P(IntrinsicTest, BecomesItsInstruction) {
  ASSERT_TRUE(program);
  IntrinsicOp op = intrinsic.op;
  std::string text = assemble(*program, *resolveTarget(World::get().library, intrinsic.target));
  EXPECT_EQ(StringRef(text).count("\t" + op.getMnemonic().str()), size_t(stepCount)) << text;
}

TEST_P(IntrinsicTest, ComputesItsMeaning) {
  ASSERT_TRUE(program);
  if (!World::get().onHost.count(intrinsic.target))
    GTEST_SKIP() << "this CPU lacks " << intrinsic.target;
  llvm::InitializeNativeTargetAsmParser();
  auto engine =
      createEngine(*program, resolveTarget(World::get().library, intrinsic.target)->features);
  ASSERT_TRUE(static_cast<bool>(engine)) << llvm::toString(engine.takeError());
  std::mt19937 random(GetParam());
  for (int round = 0; round < 64; ++round) {
    Buffer lhs(intrinsic.lhs, intrinsic.m * intrinsic.k * stepCount);
    Buffer rhs(intrinsic.rhs, intrinsic.n * intrinsic.k * stepCount);
    Buffer acc(intrinsic.acc, intrinsic.m * intrinsic.n);
    Buffer zeros = acc;
    for (Buffer *buffer : {&lhs, &rhs, &acc, &zeros})
      buffer->fill(random, /*extreme=*/round % 2);
    std::vector<char> a = lhs.encode(), b = rhs.encode(), c = acc.encode(), z = zeros.encode();
    Descriptor descriptors[] = {{a, lhs}, {b, rhs}, {c, acc}, {z, zeros}};
    void *arguments[] = {&descriptors[0], &descriptors[1], &descriptors[2], &descriptors[3]};
    void *pointers[] = {&arguments[0], &arguments[1], &arguments[2], &arguments[3]};
    ASSERT_FALSE(static_cast<bool>((*engine)->invokePacked("_mlir_ciface_test", pointers)));
    contract(intrinsic, lhs, rhs, acc);
    ASSERT_EQ(c, acc.encode()) << "round " << round;
    ASSERT_EQ(z, std::vector<char>(z.size(), 0));
  }
}

std::string nameOf(const ::testing::TestParamInfo<size_t> &info) {
  const Intrinsic &intrinsic = World::get().intrinsics[info.param];
  return intrinsic.target + "_" + intrinsic.name;
}

INSTANTIATE_TEST_SUITE_P(All, IntrinsicTest,
                         ::testing::Range<size_t>(0, World::get().intrinsics.size()), nameOf);

} // namespace
