#!/usr/bin/env bash
# Installs the Debian packages that Heddle needs and builds Heddle. It can be run again: installed
# packages and finished builds are kept.
# Usage: scripts/setup.sh [PRESET] [NINJA TARGETS...]; the default preset is release.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(g++ make cmake ninja-build clang-19 clang-format-19 clang-tidy-19 llvm-19 libclc-19
          python3 libfmt-dev libtomlplusplus-dev nlohmann-json3-dev libcli11-dev
          libzstd-dev liblz4-dev libisl-dev libgtest-dev libbenchmark-dev libclang-rt-19-dev
          libthrust-dev libcub-dev)

report() { printf '== %s\n' "$*" >&2; }
fail() { printf 'heddle: error: %s\n' "$*" >&2; exit 2; }

require_cpu() {
  local feature
  for feature in avx2 fma bmi2; do
    grep -qw "$feature" /proc/cpuinfo ||
      fail "this processor has no $feature;" \
        "Heddle needs x86-64-v3 (Intel Haswell 2013, AMD Zen 2017, or later)"
  done
}

missing_packages() {
  local package
  for package in "${packages[@]}"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      printf '%s\n' "$package"
  done
}

install_packages() {
  local missing as_root=()
  command -v dpkg-query >/dev/null ||
    fail "this script works with Debian 12 only; on other systems install: ${packages[*]}"
  mapfile -t missing < <(missing_packages)
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      fail "packages are missing and there is no sudo; run as root: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  report "installing ${missing[*]}"
  "${as_root[@]}" apt-get -qq update
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null
}

build() {
  local preset=$1 folder=build
  shift
  [ "$preset" = release ] || folder=build/$preset
  if [ ! -f "$folder/build.ninja" ]; then
    report "configuring ($preset)"
    cmake --preset "$preset" ${HEDDLE_CMAKE_FLAGS:-} >/dev/null
  fi
  report "building ($preset)"
  ninja -C "$folder" -j"$(nproc)" --quiet "$@" >&2
}

require_cpu
install_packages
preset=${1:-release}
[ $# -eq 0 ] || shift
build "$preset" "$@"
