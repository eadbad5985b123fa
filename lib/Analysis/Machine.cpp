//===- Machine.cpp - The numbers of a machine: from its file, from the system, by default
//
// Part of UCMoH, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Diagnostics.h"
#include "ucmoh/Analysis/HostCores.h"
#include "ucmoh/Analysis/Target.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace ucmoh;

double ucmoh::movingSeconds(const Machine &machine, int64_t bytes, int64_t inUse) {
  constexpr int64_t others = 4; // cores, or guests, whose data is in the last cache as well
  if (others * inUse > machine.l3Bytes)
    return 3 * bytes / machine.memoryBytesPerSecond;
  double cyclesPerSecond = machine.clockGHz * 1e9;
  if (inUse > machine.l2Bytes) // each line that comes from there sends another one back
    return 4 * bytes / (machine.l3BytesPerCycle * cyclesPerSecond);
  double perCycle = inUse > machine.l1Bytes ? machine.l2BytesPerCycle : machine.l1BytesPerCycle;
  return 2 * bytes / (perCycle * cyclesPerSecond);
}

Machine ucmoh::defaultMachine() {
  Machine machine;
  machine.name = "default";
  machine.source = "defaults";
  machine.clockGHz = 3.0;
  machine.l1Bytes = 32 << 10;
  machine.l2Bytes = 512 << 10;
  machine.l3Bytes = 8 << 20;
  machine.cacheLineBytes = 64;
  machine.l1BytesPerCycle = 64;
  machine.broadcastBytesPerCycle = 64;
  machine.l2BytesPerCycle = 32;
  machine.l3BytesPerCycle = 16;
  machine.memoryBytesPerSecond = 24e9;
  machine.memoryStreamsBytesPerSecond = 0;
  machine.cores = 1;
  machine.totalMemoryBytesPerSecond = 42e9;
  machine.memoryLatencyCycles = 500;
  machine.coreSharedMemoryBytes = 100 << 10;
  machine.coreRegisters = 64 << 10;
  machine.coreThreads = 1536;
  return machine;
}

/// Where a number of a machine file goes; one of the two is null.
namespace {
struct Field {
  StringLiteral name;
  double Machine::*real;
  int64_t Machine::*integer;
  bool ofDevicesOnly = false;
};
} // namespace

static constexpr Field fields[] = {
    {"clock_ghz", &Machine::clockGHz, nullptr},
    {"l1_bytes", nullptr, &Machine::l1Bytes},
    {"l2_bytes", nullptr, &Machine::l2Bytes},
    {"l3_bytes", nullptr, &Machine::l3Bytes},
    {"cache_line_bytes", nullptr, &Machine::cacheLineBytes},
    {"l1_bytes_per_cycle", &Machine::l1BytesPerCycle, nullptr},
    {"broadcast_bytes_per_cycle", &Machine::broadcastBytesPerCycle, nullptr},
    {"l2_bytes_per_cycle", &Machine::l2BytesPerCycle, nullptr},
    {"l3_bytes_per_cycle", &Machine::l3BytesPerCycle, nullptr},
    {"memory_bytes_per_second", &Machine::memoryBytesPerSecond, nullptr},
    {"memory_streams_bytes_per_second", &Machine::memoryStreamsBytesPerSecond, nullptr},
    {"cores", nullptr, &Machine::cores},
    {"total_memory_bytes_per_second", &Machine::totalMemoryBytesPerSecond, nullptr},
    {"memory_latency_cycles", &Machine::memoryLatencyCycles, nullptr},
    {"core_shared_memory_bytes", nullptr, &Machine::coreSharedMemoryBytes, true},
    {"core_registers", nullptr, &Machine::coreRegisters, true},
    {"core_threads", nullptr, &Machine::coreThreads, true},
};

FailureOr<Machine> ucmoh::readMachine(MachineOp op) {
  Machine machine = defaultMachine();
  machine.name = op.getSymName().str();
  for (NamedAttribute entry : op.getNumbers()) {
    const Field *field =
        llvm::find_if(fields, [&](const Field &f) { return f.name == entry.getName(); });
    if (field == std::end(fields))
      return mlir::emitError(op.getLoc())
             << "machine @" << op.getSymName() << " has an unknown number '"
             << entry.getName().getValue() << "'";
    auto real = dyn_cast<FloatAttr>(entry.getValue());
    auto integer = dyn_cast<IntegerAttr>(entry.getValue());
    if (field->real)
      machine.*field->real = real ? real.getValueAsDouble() : integer.getInt();
    else if (integer)
      machine.*field->integer = integer.getInt();
    else
      return mlir::emitError(op.getLoc()) << "machine @" << op.getSymName() << ": '"
                                          << entry.getName().getValue() << "' must be an integer";
  }
  return machine;
}

void ucmoh::printNumbers(const Machine &machine, llvm::raw_ostream &os) {
  StringRef separator = "";
  for (const Field &field : fields) {
    double value = field.real ? machine.*field.real : machine.*field.integer;
    if (field.ofDevicesOnly || value == 0)
      continue;
    os << separator << field.name << " = ";
    if (field.integer)
      os << machine.*field.integer;
    else if (value >= 1e6)
      os << llvm::formatv("{0:f1}e9", value / 1e9);
    else
      os << llvm::formatv("{0:f2}", value);
    separator = ",\n";
  }
  os << "\n";
}

void ucmoh::printMachine(const Target &target, StringRef name, StringRef cpu,
                         llvm::raw_ostream &os) {
  std::string numbers;
  llvm::raw_string_ostream stream(numbers);
  printNumbers(target.machine, stream);
  os << "ucmoh.machine @" << name << " cpus [\"" << cpu << "\"] numbers {\n";
  for (StringRef line : llvm::split(StringRef(numbers).rtrim(), "\n"))
    os << "  " << line << "\n";
  os << "} intrinsics {\n";
  llvm::interleave(
      target.intrinsics, os,
      [&](const Intrinsic &intrinsic) {
        os << llvm::formatv("  \"{0}\" = {{latency_cycles = {1:f2}, throughput_cycles = {2:f2}}",
                            intrinsic.id(), intrinsic.latencyCycles, intrinsic.throughputCycles);
      },
      ",\n");
  os << "\n}\n";
}

/// First line of a file of sysfs; empty if there is none.
static std::string readLine(const Twine &path) {
  auto buffer = llvm::MemoryBuffer::getFileAsStream(path);
  return buffer ? (*buffer)->getBuffer().rtrim().str() : std::string();
}

void ucmoh::readHostCaches(Machine &machine) {
  for (int index = 0;; ++index) {
    std::string directory =
        "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    std::string level = readLine(directory + "level"), size = readLine(directory + "size");
    if (level.empty())
      break;
    int64_t kibibytes = 0;
    if (readLine(directory + "type") == "Instruction" ||
        StringRef(size).consumeInteger(10, kibibytes) || kibibytes < 1)
      continue;
    int64_t *bytes = level == "1"   ? &machine.l1Bytes
                     : level == "2" ? &machine.l2Bytes
                                    : &machine.l3Bytes;
    *bytes = kibibytes << 10; // the kernel always prints "32K"
    StringRef(readLine(directory + "coherency_line_size")).getAsInteger(10, machine.cacheLineBytes);
  }
  machine.cores = allowedCores().size();
}
