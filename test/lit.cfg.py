"""The lit tests: every .mlir file below this folder, plus .test files that drive the tools."""

import ctypes.util
import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "UCMoH"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Python", "Unit"]
config.test_source_root = os.path.join(config.ucmoh_source_dir, config.suite)
config.test_exec_root = os.path.join(config.ucmoh_binary_dir, config.suite)

# Our tools first, then exactly the LLVM that they were built with: /usr/bin may have an older one.
tools = [config.ucmoh_binary_dir + "/bin", config.llvm_tools_dir]
config.environment["PATH"] = os.pathsep.join(tools + [config.environment["PATH"]])

# What ucmoh-probe installed on this machine is nothing that tests may depend on.
config.environment["XDG_DATA_HOME"] = config.ucmoh_binary_dir + "/test/data-home"
# Nor do they write where the user's caches are.
config.environment["XDG_CACHE_HOME"] = config.ucmoh_binary_dir + "/test/cache-home"

config.substitutions += [
    ("%ucmoh_plugin", config.ucmoh_binary_dir + "/lib/UCMoHPlugin.so"),
    ("%targets", config.ucmoh_source_dir + "/targets"),
    ("%ucmoh_run", config.ucmoh_binary_dir + "/bin/ucmoh-run"),
    ("%ucmoh_compile", config.ucmoh_binary_dir + "/bin/ucmoh-compile"),
    ("%python", sys.executable),
    ("%unit_tests", config.ucmoh_binary_dir + "/bin"),
    ("%trap_emulator", config.ucmoh_binary_dir + "/lib/libX86TrapEmulator.so"),
    ("%ptx_interpreter", config.ucmoh_binary_dir + "/lib/libPtxInterpreter.so"),
    ("%lld", config.llvm_tools_dir + "/ld.lld"),
    ("%build", config.ucmoh_binary_dir),
    ("%mlir_dir", config.mlir_cmake_dir),
    ("%docs", config.ucmoh_source_dir + "/docs"),
    ("%models", config.ucmoh_source_dir + "/test/Models"),
    ("%weights", config.ucmoh_source_dir + "/models"),
    # LLVM's remarks on the loops of a program, for 256-bit vectors: "vectorized loop (...)".
    ("%vectorized", "bash " + config.ucmoh_source_dir + "/test/Inputs/vectorized.sh"),
]

# What this CPU has beyond the processor that UCMOH_HOST_CPU names is hidden from every test.
assumed_cpu = os.environ.get("UCMOH_HOST_CPU")
if assumed_cpu:
    config.environment["UCMOH_HOST_CPU"] = assumed_cpu
    config.test_exec_root += "-" + assumed_cpu


def host_features(environment, emulator=()):
    command = [*emulator, config.ucmoh_binary_dir + "/bin/host-features"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    return set(subprocess.run(command, env=environment, text=True, **pipes).stdout.split())


# Tests that execute an intrinsic say so, by LLVM's names of features: REQUIRES: cpu-avx512vnni.
features = host_features(os.environ)
config.available_features |= {"cpu-" + feature for feature in features}
# A run that only repeats tests with less than the CPU has: --param=hidden-only.
if "hidden-only" in lit_config.params:
    all_names = {name: value for name, value in os.environ.items() if name != "UCMOH_HOST_CPU"}
    config.unsupported = features == host_features(all_names)
# Tests that execute code of another architecture: REQUIRES: executes-aarch64. scripts/setup.sh
# --test installs the emulators.
for architecture in ["aarch64"]:
    emulators = ["qemu-" + architecture + "-static", "qemu-" + architecture]
    if os.uname().machine == architecture or any(map(shutil.which, emulators)):
        config.available_features.add("executes-" + architecture)
        found = [shutil.which(name) for name in emulators]
        config.substitutions.append(("%qemu_" + architecture, next(filter(None, found), "")))
if os.uname().machine == "x86_64":
    config.available_features.add("x86-registered-target")
# A processor that refuses what it lacks: REQUIRES: qemu-haswell. From qemu 7.2 on it has AVX2.
qemu = shutil.which("qemu-x86_64-static") or shutil.which("qemu-x86_64")
if qemu and {"avx2", "fma"} <= host_features(os.environ, [qemu, "-cpu", "Haswell"]):
    config.available_features.add("qemu-haswell")
    config.substitutions.append(("%qemu_haswell", qemu + " -cpu Haswell"))
    config.substitutions.append(("%qemu_nehalem", qemu + " -cpu Nehalem"))
# A device's assembler is there: REQUIRES: ptxas.
if shutil.which("ptxas"):
    config.available_features.add("ptxas")
# The CPU has these features, or test/Emulator executes their instructions: REQUIRES: emulated-amx-int8.
trap_emulator = config.ucmoh_binary_dir + "/lib/libX86TrapEmulator.so"
if os.path.exists(trap_emulator):
    executed = host_features({**os.environ, "LD_PRELOAD": trap_emulator})
    config.available_features |= {"emulated-" + feature for feature in executed}
# The tools that make Debian's packages are there: REQUIRES: debian.
if shutil.which("dpkg-deb") and shutil.which("dpkg-shlibdeps") and shutil.which("cpack"):
    config.available_features.add("debian")
# debootstrap makes a root folder with Debian's base system, as scripts/setup.sh --clean-root installs it: REQUIRES:
# clean-root.
if shutil.which("debootstrap") and os.getuid() == 0:
    config.available_features.add("clean-root")
# The stock IREE, as scripts/setup.sh --test installs it: REQUIRES: iree.
venv = config.ucmoh_source_dir + "/.venv-iree/bin"
if os.path.exists(venv + "/iree-compile"):
    config.available_features.add("iree")
    config.substitutions += [
        ("%iree_compile", venv + "/iree-compile --iree-hal-target-device=local"
         " --iree-hal-local-target-device-backends=llvm-cpu --iree-llvmcpu-target-cpu=host"),
        ("%iree_bin", venv),
        ("%iree_python", venv + "/python"),
        ("%ucmoh_package", config.ucmoh_source_dir + "/python"),
    ]
# Its runtime for AArch64, in the emulator.
runtime = config.ucmoh_source_dir + "/.venv-iree/aarch64/iree/_runtime_libs"
if os.path.exists(runtime) and shutil.which("qemu-aarch64-static") and os.path.exists("/usr/aarch64-linux-gnu"):
    config.available_features.add("iree-aarch64")
    emulated = "qemu-aarch64-static -L /usr/aarch64-linux-gnu "
    config.substitutions.append(("%aarch64_iree_run", emulated + runtime + "/iree-run-module"))
# Older ones, as scripts/setup.sh --old-iree installs them: REQUIRES: iree-3.11.
for version in ["3.11", "3.12"]:
    venv = f"{config.ucmoh_source_dir}/.venv-iree-{version}/bin"
    if os.path.exists(venv + "/iree-compile"):
        config.available_features.add("iree-" + version)
        config.substitutions.append((f"%old_iree_{version.replace('.', '_')}", venv))
# PyTorch, torch-mlir and ONNX, as scripts/setup.sh --python installs them: REQUIRES: doors.
venv = config.ucmoh_source_dir + "/.venv-python/bin"
if os.path.exists(venv + "/torch-mlir-opt"):
    config.available_features.add("doors")
    config.substitutions += [("%doors_python", venv + "/python"), ("%doors_bin", venv)]
# Benchmarks compare with these, as scripts/setup-peers.sh and the page on benchmarks install them: REQUIRES: peers.
if os.path.exists(config.ucmoh_binary_dir + "/peers/bin/torch-mlir-opt"):
    config.available_features.add("peers")
# Ray, as scripts/setup-cluster.sh installs it: REQUIRES: ray.
if os.path.exists(config.ucmoh_source_dir + "/.venv-cluster/bin/ray"):
    config.available_features.add("ray")
# Another allocator, to preload.
jemalloc = ctypes.util.find_library("jemalloc")
if jemalloc:
    config.available_features.add("jemalloc")
    config.substitutions.append(("%jemalloc", jemalloc))
# Built where scripts/setup.sh --train installed LibTorch.
if os.path.exists(config.ucmoh_binary_dir + "/bin/ucmoh-train"):
    config.available_features.add("libtorch")
