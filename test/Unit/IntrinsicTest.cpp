//===- IntrinsicTest.cpp - Each intrinsic of each target against its declared meaning
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From an intrinsic's op alone follow a program that uses it (`stepCount` steps of the reduction),
/// what it must compute (plain loops over `shape`, `types` and `k_interleave`), and the instruction
/// that must come out (`mnemonic`). A new target file is tested without a line added here.
///
//===----------------------------------------------------------------------===//

#include "TargetWorld.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "ucmoh/Runtime/Executable.h"
#include "ucmoh/Transforms/Passes.h"
#include "ucmoh/Transforms/Pipeline.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Target/TargetMachine.h"
#include <random>

using namespace mlir;
using namespace ucmoh;

namespace {

constexpr int64_t stepCount = 3;
/// Executions of the program, all in one call: an emulator starts once.
constexpr int64_t roundCount = 64;

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

/// Elements of one round's operand.
int64_t elementsOf(const Intrinsic &in, Role role) {
  return role == Role::lhs   ? in.m * in.k * stepCount
         : role == Role::rhs ? in.n * in.k * stepCount
                             : in.m * in.n;
}

Type elementOf(const Intrinsic &in, Role role) {
  ElementType type = role == Role::lhs ? in.lhs : role == Role::rhs ? in.rhs : in.acc;
  return type.getType(&World::get().context);
}

/// A buffer of a program: its name and its type.
struct NamedBuffer {
  std::string name, type;
};

/// The view `name` of one fragment in the buffer, `rows` apart; returns its type.
std::string writeView(const Intrinsic &in, Role role, StringRef name, const NamedBuffer &buffer,
                      StringRef at, int64_t apart, std::string &text) {
  IntrinsicOp op = in.op;
  auto [rows, columns] = op.getViewShape(role);
  std::string type = llvm::formatv("memref<{0}x{1}x{2}, strided<[{3}, 1], offset: ?>{4}>", rows,
                                   columns, toString(elementOf(in, role)), apart,
                                   in.isStaged ? ", #gpu.address_space<workgroup>" : "");
  text += llvm::formatv("{0} = memref.reinterpret_cast {1} to offset: [{2}], sizes: [{3}, {4}], "
                        "strides: [{5}, 1] : {6} to {7}\n",
                        name, buffer.name, at, rows, columns, apart, buffer.type, type);
  return type;
}

/// A load of a fragment, named `name`.
std::string writeLoad(const Intrinsic &in, Role role, StringRef name, const NamedBuffer &buffer,
                      StringRef at, int64_t apart, StringRef fragment) {
  std::string text, view = (name + "v").str();
  std::string type = writeView(in, role, view, buffer, at, apart, text);
  return text + llvm::formatv("{0} = ucmoh.load {1} @{2}::@{3} {4} : {5} -> {6}\n", name,
                              stringifyRole(role), in.target, in.name, view, type, fragment)
                    .str();
}

/// A store of the accumulator `value`.
std::string writeStore(const Intrinsic &in, StringRef value, const NamedBuffer &buffer,
                       StringRef at, StringRef fragment) {
  std::string text, view = (value + "s").str();
  std::string type = writeView(in, Role::acc, view, buffer, at, in.n, text);
  return text + llvm::formatv("ucmoh.store @{0}::@{1} {2}, {3} : {4}, {5}\n", in.target, in.name,
                              value, view, fragment, type)
                    .str();
}

/// The steps of one round, from positions %i and %j of lhs and rhs on.
std::string writeSteps(const Intrinsic &in, const NamedBuffer &lhs, const NamedBuffer &rhs,
                       ArrayRef<std::string> fragments) {
  std::string text;
  for (int64_t step = 0; step < stepCount; ++step) {
    text += llvm::formatv("%s{0} = arith.constant {1} : index\n%t{0} = arith.constant {2} : index\n"
                          "%i{0} = arith.addi %i, %s{0} : index\n"
                          "%j{0} = arith.addi %j, %t{0} : index\n",
                          step, step * in.k, step * in.k * in.n);
    std::string number = std::to_string(step);
    text +=
        writeLoad(in, Role::lhs, "%a" + number, lhs, "%i" + number, in.k * stepCount, fragments[0]);
    text += writeLoad(in, Role::rhs, "%b" + number, rhs, "%j" + number, in.n * in.kInterleave,
                      fragments[1]);
    text +=
        llvm::formatv("%d{0} = ucmoh.compute @{1}::@{2} %a{3}, %b{3}, %d{3} : {4}, {5}, {6}\n",
                      step + 1, in.target, in.name, step, fragments[0], fragments[1], fragments[2]);
  }
  return text;
}

/// A function on (lhs [m, steps * k], rhs [steps * k / pack, n * pack], acc [m, n]) of each round
/// that returns the new acc and zeros; flat buffers.
std::string writeProgram(const Intrinsic &in) {
  std::vector<std::string> buffers, fragments;
  IntrinsicOp op = in.op;
  for (Role role : {Role::lhs, Role::rhs, Role::acc}) {
    buffers.push_back(llvm::formatv("memref<{0}x{1}>", elementsOf(in, role) * roundCount,
                                    toString(elementOf(in, role))));
    fragments.push_back(toString(op.getFragmentType(role)));
  }
  std::string text = llvm::formatv(
      "func.func @test(%a: {0}, %b: {1}, %c: {2}) -> ({2}, {2}) {{\n"
      "%zero = arith.constant 0 : index\n%one = arith.constant 1 : index\n"
      "%rounds = arith.constant {3} : index\n%lhs = arith.constant {4} : index\n"
      "%rhs = arith.constant {5} : index\n%acc = arith.constant {6} : index\n"
      "%r = memref.alloc() : {2}\n%z = memref.alloc() : {2}\n"
      "scf.for %round = %zero to %rounds step %one {{\n%i = arith.muli %round, %lhs : index\n"
      "%j = arith.muli %round, %rhs : index\n%k = arith.muli %round, %acc : index\n",
      buffers[0], buffers[1], buffers[2], roundCount, elementsOf(in, Role::lhs),
      elementsOf(in, Role::rhs), elementsOf(in, Role::acc));
  text += writeLoad(in, Role::acc, "%d0", {"%c", buffers[2]}, "%k", in.n, fragments[2]) +
          writeSteps(in, {"%a", buffers[0]}, {"%b", buffers[1]}, fragments) +
          writeStore(in, "%d" + std::to_string(stepCount), {"%r", buffers[2]}, "%k", fragments[2]);
  text += llvm::formatv("%e = ucmoh.zero @{0}::@{1} : {2}\n", in.target, in.name, fragments[2]);
  text += writeStore(in, "%e", {"%z", buffers[2]}, "%k", fragments[2]);
  text += llvm::formatv("}\nreturn %r, %z : {0}, {0}\n}\n", buffers[2]);
  return text;
}

/// A copy of %count elements of one round between memory and shared memory, divided among threads.
std::string writeCopy(StringRef from, StringRef fromAt, StringRef fromType, StringRef to,
                      StringRef toAt, StringRef toType, StringRef count) {
  return llvm::formatv("scf.for %x = %tx to {6} step %threads {{\n%p = arith.addi %x, {1} : index\n"
                       "%q = arith.addi %x, {4} : index\n%v = memref.load {0}[%p] : {2}\n"
                       "memref.store %v, {3}[%q] : {5}\n}\n",
                       from, fromAt, fromType, to, toAt, toType, count);
}

/// The same for intrinsics that several threads of a device execute together on shared memory: each
/// round is one block of threads.
std::string writeDeviceProgram(const Intrinsic &in) {
  IntrinsicOp op = in.op;
  std::string buffers[3], views[3], fragments[3], bytes[3];
  int64_t offset = 0;
  std::string declarations;
  for (Role role : {Role::lhs, Role::rhs, Role::acc}) {
    unsigned i = static_cast<unsigned>(role);
    std::string element = toString(elementOf(in, role));
    buffers[i] = llvm::formatv("memref<{0}x{1}>", elementsOf(in, role) * roundCount, element);
    views[i] = llvm::formatv("memref<{0}x{1}, #gpu.address_space<workgroup>>", elementsOf(in, role),
                             element);
    fragments[i] = toString(op.getFragmentType(role));
    declarations += llvm::formatv(
        "%o{0} = arith.constant {1} : index\n%l{0} = memref.view %shared[%o{0}][] : memref<?xi8, "
        "#gpu.address_space<workgroup>> to {2}\n",
        i, offset, views[i]);
    offset +=
        llvm::alignTo(elementsOf(in, role) * elementOf(in, role).getIntOrFloatBitWidth() / 8, 128);
  }
  std::string text = llvm::formatv(
      "func.func @test(%a: {0}, %b: {1}, %c: {2}) -> ({2}, {2}) {{\n"
      "%zero = arith.constant 0 : index\n%one = arith.constant 1 : index\n"
      "%rounds = arith.constant {3} : index\n%lhs = arith.constant {4} : index\n"
      "%rhs = arith.constant {5} : index\n%acc = arith.constant {6} : index\n"
      "%threads = arith.constant {7} : index\n%bytes = arith.constant {8} : i32\n"
      "%r = memref.alloc() : {2}\n%z = memref.alloc() : {2}\n"
      "gpu.launch blocks(%bx, %by, %bz) in (%gx = %rounds, %gy = %one, %gz = %one) "
      "threads(%tx, %ty, %tz) in (%nx = %threads, %ny = %one, %nz = %one) "
      "dynamic_shared_memory_size %bytes {{\n"
      "%shared = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>\n{9}"
      "%fa = arith.muli %bx, %lhs : index\n%fb = arith.muli %bx, %rhs : index\n"
      "%fc = arith.muli %bx, %acc : index\n",
      buffers[0], buffers[1], buffers[2], roundCount, elementsOf(in, Role::lhs),
      elementsOf(in, Role::rhs), elementsOf(in, Role::acc), in.subgroupSize, offset, declarations);
  text += writeCopy("%a", "%fa", buffers[0], "%l0", "%zero", views[0], "%lhs") +
          writeCopy("%b", "%fb", buffers[1], "%l1", "%zero", views[1], "%rhs") +
          writeCopy("%c", "%fc", buffers[2], "%l2", "%zero", views[2], "%acc") + "ucmoh.barrier\n";
  NamedBuffer acc{"%l2", views[2]};
  auto store = [&](const std::string &value, StringRef result) {
    return "ucmoh.barrier\n" + writeStore(in, value, acc, "%zero", fragments[2]) +
           "ucmoh.barrier\n" +
           writeCopy("%l2", "%zero", views[2], result, "%fc", buffers[2], "%acc");
  };
  text += "%i = arith.constant 0 : index\n%j = arith.constant 0 : index\n" +
          writeLoad(in, Role::acc, "%d0", acc, "%zero", in.n, fragments[2]) +
          writeSteps(in, {"%l0", views[0]}, {"%l1", views[1]}, fragments);
  text += store("%d" + std::to_string(stepCount), "%r");
  text += llvm::formatv("%e = ucmoh.zero @{0}::@{1} : {2}\n", in.target, in.name, fragments[2]);
  text += store("%e", "%z");
  return text + llvm::formatv("gpu.terminator\n}\nreturn %r, %z : {0}, {0}\n}\n", buffers[2]).str();
}

/// Returns the signature that a caller sees.
Signature signatureOf(const Intrinsic &in) {
  auto buffer = [&](Role role) {
    Parameter parameter;
    parameter.elementType = elementOf(in, role);
    parameter.shape = {elementsOf(in, role) * roundCount};
    return parameter;
  };
  return {"test",
          {buffer(Role::lhs), buffer(Role::rhs), buffer(Role::acc)},
          {buffer(Role::acc), buffer(Role::acc)}};
}

OwningOpRef<ModuleOp> lowerProgram(const Intrinsic &in) {
  MLIRContext &context = World::get().context;
  auto module = parseSourceString<ModuleOp>(in.isStaged ? writeDeviceProgram(in) : writeProgram(in),
                                            ParserConfig(&context));
  PassManager passes(&context);
  ToLLVMPipelineOptions options;
  options.target = in.target;
  buildToLLVMPipeline(passes, options);
  if (!module || failed(passes.run(*module)))
    return {};
  return module;
}

std::string assemble(ModuleOp module, const Target &target) {
  for (auto binary : module.getOps<gpu::BinaryOp>())
    return cast<gpu::ObjectAttr>(binary.getObjects()[0]).getObject().str();
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

//===----------------------------------------------------------------------===//
// Its meaning
//===----------------------------------------------------------------------===//

/// Values of one operand, of one round.
struct Buffer {
  Buffer(ElementType type, int64_t size) : type(type), values(size) {}

  /// Floats get small whole numbers, whose sums are exact in any order of addition. Integers are
  /// of all their type, but not beyond `largest`.
  void fill(std::mt19937 &random, bool extreme, int64_t largest) {
    int64_t low = -8, high = 8;
    if (type.isInteger()) {
      low = std::max(fullRange(type).low, -largest);
      high = std::min(fullRange(type).high, largest);
    }
    for (int64_t &value : values)
      value = extreme ? (random() % 2 ? low : high)
                      : std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  void write(const Tensor &tensor, int64_t round) const {
    for (auto [i, value] : llvm::enumerate(values)) {
      int64_t position = round * values.size() + i;
      if (tensor.isFloat())
        tensor.setFloat(position, value);
      else
        tensor.setInteger(position, value);
    }
  }

  ElementType type;
  std::vector<int64_t> values;
};

/// acc += lhs * rhs as declared; integers wrap around at the accumulator's width when written.
void contract(const Intrinsic &in, const Buffer &lhs, const Buffer &rhs, Buffer &acc) {
  int64_t depth = in.k * stepCount, pack = in.kInterleave;
  for (int64_t i = 0; i < in.m; ++i)
    for (int64_t j = 0; j < in.n; ++j)
      for (int64_t k = 0; k < depth; ++k)
        acc.values[i * in.n + j] +=
            lhs.values[i * depth + k] * rhs.values[(k / pack * in.n + j) * pack + k % pack];
}

/// All rounds: random values and extreme ones in turn.
struct Rounds {
  Rounds(const Intrinsic &in, unsigned seed, int64_t largestRhs) {
    Signature signature = signatureOf(in);
    for (const Parameter &parameter : signature.parameters)
      arguments.emplace_back(parameter.elementType, parameter.shape);
    for (const Parameter &result : signature.results)
      expected.emplace_back(result.elementType, result.shape); // zeros
    std::mt19937 random(seed);
    for (int64_t round = 0; round < roundCount; ++round) {
      Buffer lhs(in.lhs, elementsOf(in, Role::lhs)), rhs(in.rhs, elementsOf(in, Role::rhs));
      Buffer acc(in.acc, elementsOf(in, Role::acc));
      for (auto [buffer, tensor] : llvm::zip_equal(std::array{&lhs, &rhs, &acc}, arguments)) {
        buffer->fill(random, /*extreme=*/round % 2,
                     buffer == &rhs ? largestRhs : std::numeric_limits<int64_t>::max());
        buffer->write(tensor, round);
      }
      contract(in, lhs, rhs, acc);
      acc.write(expected.front(), round);
    }
  }
  std::vector<Tensor> arguments, expected;
};

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

class IntrinsicTest : public ::testing::TestWithParam<size_t> {
protected:
  void execute(const Rounds &rounds, Difference &difference);

  const Intrinsic &intrinsic = World::get().intrinsics[GetParam()];
  OwningOpRef<ModuleOp> program = lowerProgram(intrinsic);
};

TEST_P(IntrinsicTest, BecomesItsInstruction) {
  ASSERT_TRUE(program);
  IntrinsicOp op = intrinsic.op;
  std::string text = assemble(*program, *resolveTarget(World::get().library, intrinsic.target));
  size_t count = StringRef(text).count("\t" + op.getMnemonic().str());
  EXPECT_GE(count, size_t(stepCount)) << text;
  EXPECT_EQ(count % stepCount, 0u) << text; // a body may need several
}

/// Executes all rounds; whether each element is what was expected, or why not.
void IntrinsicTest::execute(const Rounds &rounds, Difference &difference) {
  ASSERT_TRUE(program);
  Target target = *resolveTarget(World::get().library, intrinsic.target);
  auto executable = Executable::compile(
      *program, {target.triple, target.cpu, target.features, target.isEmulated});
  ASSERT_TRUE(static_cast<bool>(executable)) << llvm::toString(executable.takeError());
  auto invocation = (*executable)->prepare(signatureOf(intrinsic), rounds.arguments);
  ASSERT_TRUE(static_cast<bool>(invocation)) << llvm::toString(invocation.takeError());
  auto error = (*invocation)->run();
  ASSERT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
  for (auto [result, expected] : llvm::zip_equal((*invocation)->getResults(), rounds.expected))
    if (difference = compare(result, expected, /*tolerance=*/0); !difference.equal)
      return;
}

TEST_P(IntrinsicTest, ComputesItsMeaning) {
  if (std::string why = whyNotExecutable(intrinsic); !why.empty())
    GTEST_SKIP() << why;
  Difference difference;
  execute(Rounds(intrinsic, GetParam(), largestRhs(intrinsic)), difference);
  EXPECT_TRUE(difference.equal) << difference.message;
}

/// `partial_sums` is not claimed in vain: with all values of the types the result is another one.
TEST_P(IntrinsicTest, NeedsItsBounds) {
  if (std::string why = whyNotExecutable(intrinsic); !why.empty() || !intrinsic.partialProducts)
    GTEST_SKIP() << why;
  Difference difference;
  execute(Rounds(intrinsic, GetParam(), std::numeric_limits<int64_t>::max()), difference);
  EXPECT_FALSE(difference.equal);
}

INSTANTIATE_TEST_SUITE_P(All, IntrinsicTest,
                         ::testing::Range<size_t>(0, World::get().intrinsics.size()),
                         intrinsicName);

} // namespace
