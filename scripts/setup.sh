#!/usr/bin/env bash
# Installs from Debian what Heddle needs and builds it. Run again at any time: what is there is left alone.
# Usage: scripts/setup.sh [PRESET] [NINJA TARGETS...]; the preset is release by default.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(g++ make cmake ninja-build clang-19 llvm-19 libclc-19 libfmt-dev libtomlplusplus-dev nlohmann-json3-dev libcli11-dev
          libzstd-dev liblz4-dev libgtest-dev libbenchmark-dev libclang-rt-19-dev libthrust-dev libcub-dev)

say() { printf '== %s\n' "$*" >&2; }
give_up() { printf 'heddle: error: %s\n' "$*" >&2; exit 2; }

require_cpu() {
  local feature
  for feature in avx2 fma bmi2; do
    grep -qw "$feature" /proc/cpuinfo ||
      give_up "this processor has no $feature; Heddle is built for x86-64-v3 (Intel since Haswell 2013, AMD since Zen 2017)"
  done
}

missing_packages() {
  local package
  for package in "${packages[@]}"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf '%s\n' "$package"
  done
}

install_packages() {
  local missing as_root=()
  command -v dpkg-query >/dev/null || give_up "this set-up knows Debian 12 only; elsewhere install: ${packages[*]}"
  mapfile -t missing < <(missing_packages)
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || give_up "packages are missing and there is no sudo; as root: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  "${as_root[@]}" apt-get -qq update
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null
}

build() {
  local preset=$1 folder=build
  shift
  [ "$preset" = release ] || folder=build/$preset
  if [ ! -f "$folder/build.ninja" ]; then
    say "configuring ($preset)"
    cmake --preset "$preset" ${HEDDLE_CMAKE_FLAGS:-} >/dev/null
  fi
  say "building ($preset)"
  ninja -C "$folder" -j"$(nproc)" --quiet "$@" >&2
}

require_cpu
install_packages
preset=${1:-release}
[ $# -eq 0 ] || shift
build "$preset" "$@"
