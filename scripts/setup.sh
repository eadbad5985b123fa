#!/usr/bin/env bash
# Installs what the build and the tests need on Debian 12, as root or through sudo, and what training
# needs into the virtual environment .venv. Does nothing, in a fraction of a second, when all of it
# is there.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(
  llvm-22-dev libmlir-22-dev mlir-22-tools llvm-22-tools clang-22 lld-22 libpolly-22-dev
  libomp-22-dev clang-format-22
  cmake ninja-build ccache git python3 python3-venv zlib1g-dev libzstd-dev zstd
  libgtest-dev libbenchmark-dev libsqlite3-dev
  qemu-user-static libc6-dev-arm64-cross libgcc-12-dev-arm64-cross # targets of other architectures
)

# LibTorch is used on the CPU and from C++ only; what else its wheel asks for is not needed.
libtorch=(torch==2.15.0 nvidia-cuda-runtime==13.5.37 nvidia-cuda-cupti==13.5.25)
python_packages=(numpy==2.4.6 matplotlib==3.11.2 xgboost-cpu==3.2.0
  lightgbm==4.7.0)

missing() {
  local package
  for package in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
  done
}

has_candidate() {
  apt-cache policy "$1" 2>/dev/null | grep 'Candidate:' | grep -qv '(none)'
}

install_packages() {
  local wanted as_root=()
  mapfile -t wanted < <(missing)
  if [ "${#wanted[@]}" -eq 0 ]; then
    return
  fi
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "setup: run as root, or install sudo" >&2; exit 1; }
    as_root=(sudo)
  fi
  echo "setup: installing ${wanted[*]}"
  "${as_root[@]}" apt-get update -qq
  if ! has_candidate llvm-22-dev; then
    cat >&2 <<'END'
setup: no configured apt source has LLVM 22. On Debian 12 it comes with the security
updates (suite bookworm-security, component main); the packages of apt.llvm.org (suite
llvm-toolchain-bookworm-22, component main) do as well. Add either one and run this again.
END
    exit 1
  fi
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${wanted[@]}"
}

# The mark is written last: an installation that was interrupted is done again.
install_venv() {
  local mark=.venv/installed list="${libtorch[*]} ${python_packages[*]}"
  if [ "$(cat "$mark" 2>/dev/null)" = "$list" ]; then
    return
  fi
  echo "setup: installing LibTorch and Python packages into .venv (about 600 MB to download)"
  python3 -m venv .venv
  .venv/bin/pip install --quiet --no-deps "${libtorch[@]}"
  .venv/bin/pip install --quiet "${python_packages[@]}"
  echo "$list" >"$mark"
}

install_packages
install_venv
