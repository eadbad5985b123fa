"""The lit tests: every .mlir file below this folder, plus .test files that drive the tools."""

import ctypes.util
import os
import shutil
import sys

import lit.formats

config.name = "UCMoH"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Python", "Unit"]
config.test_source_root = config.ucmoh_source_dir + "/test"
config.test_exec_root = config.ucmoh_binary_dir + "/test"

# Our tools first, then exactly the LLVM that they were built with: /usr/bin may have an older one.
tools = [config.ucmoh_binary_dir + "/bin", config.llvm_tools_dir]
config.environment["PATH"] = os.pathsep.join(tools + [config.environment["PATH"]])

# What ucmoh-probe installed on this machine is nothing that tests may depend on.
config.environment["XDG_DATA_HOME"] = config.ucmoh_binary_dir + "/test/data-home"

config.substitutions += [
    ("%ucmoh_plugin", config.ucmoh_binary_dir + "/lib/UCMoHPlugin.so"),
    ("%targets", config.ucmoh_source_dir + "/targets"),
    ("%ucmoh_run", config.ucmoh_binary_dir + "/bin/ucmoh-run"),
    ("%python", sys.executable),
    ("%trap_emulator", config.ucmoh_binary_dir + "/lib/libX86TrapEmulator.so"),
    ("%ptx_interpreter", config.ucmoh_binary_dir + "/lib/libPtxInterpreter.so"),
    ("%docs", config.ucmoh_source_dir + "/docs"),
    ("%models", config.ucmoh_source_dir + "/test/Models"),
    ("%weights", config.ucmoh_source_dir + "/models"),
]

# Tests that execute an intrinsic say so: REQUIRES: cpu-avx512_vnni.
with open("/proc/cpuinfo") as cpuinfo:
    flags = next((line for line in cpuinfo if line.startswith(("flags", "Features"))), ":")
config.available_features |= {"cpu-" + flag for flag in flags.split(":")[1].split()}
# Tests that execute code of another architecture: REQUIRES: executes-aarch64. scripts/setup.sh
# --test installs the emulators.
for architecture in ["aarch64"]:
    emulators = ["qemu-" + architecture + "-static", "qemu-" + architecture]
    if os.uname().machine == architecture or any(map(shutil.which, emulators)):
        config.available_features.add("executes-" + architecture)
if os.uname().machine == "x86_64":
    config.available_features.add("x86-registered-target")
# What the assembler of a device says: REQUIRES: ptxas.
if shutil.which("ptxas"):
    config.available_features.add("ptxas")
# Instructions that this CPU lacks run by emulation (test/Emulator).
if os.path.exists(config.ucmoh_binary_dir + "/lib/libX86TrapEmulator.so"):
    config.available_features.add("trap-emulator")
# Another allocator, to preload.
jemalloc = ctypes.util.find_library("jemalloc")
if jemalloc:
    config.available_features.add("jemalloc")
    config.substitutions.append(("%jemalloc", jemalloc))
# Built where scripts/setup.sh --train installed LibTorch.
if os.path.exists(config.ucmoh_binary_dir + "/bin/ucmoh-train"):
    config.available_features.add("libtorch")
