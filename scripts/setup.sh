#!/usr/bin/env bash
# Installs the Debian packages that Heddle needs and builds Heddle. It can be run again: installed
# packages and finished builds are kept.
# Usage: scripts/setup.sh [--tests] [PRESET] [NINJA TARGETS...]; the default preset is release. With
# --tests it also installs what only tests need.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(g++ make cmake ninja-build clang-19 clang-format-19 clang-tidy-19 llvm-19 libclc-19
          python3 libfmt-dev libtomlplusplus-dev nlohmann-json3-dev libsimdjson-dev libcli11-dev
          libzstd-dev liblz4-dev liblzma-dev libxxhash-dev libisl-dev libxbyak-dev
          libsqlite3-dev sqlite3
          librsvg2-bin libgtest-dev libbenchmark-dev libclang-rt-19-dev libthrust-dev libcub-dev)
test_packages=(chromium slurm-wlm munge zsh python3-matplotlib python3-pandas python3-numba
               python3-halide gcc-12-offload-nvptx lintian fakeroot python3-venv python3-wheel)
page=src/report/web
# Between two lines of progress where standard error is not a terminal.
progress_seconds=${HEDDLE_PROGRESS_SECONDS:-20}

report() { printf '== %s\n' "$*" >&2; }
fail() { printf 'heddle: error: %s\n' "$*" >&2; exit 2; }

# The dynamic linker knows the processor's level also where /proc is not mounted.
require_cpu() {
  [ "$(uname -m)" = x86_64 ] || fail "Heddle runs on x86-64 only, and this machine is $(uname -m)"
  case $(/lib64/ld-linux-x86-64.so.2 --help 2>/dev/null) in
    *"x86-64-v3 (supported"*) ;;
    *x86-64-v3*)
      fail "this processor has no AVX2, FMA or BMI2;" \
        "Heddle needs x86-64-v3 (Intel Haswell 2013, AMD Zen 2017, or later)" ;;
  esac
}

missing_packages() {
  local package
  for package in "${packages[@]}"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      printf '%s\n' "$package"
  done
}

# show_progress TITLE PATTERN: reads lines. Of those that match PATTERN it prints one every
# $progress_seconds; it prints all others.
show_progress() {
  local title=$1 pattern=$2 line next=$((SECONDS + progress_seconds))
  while IFS= read -r line; do
    if ! [[ $line =~ $pattern ]]; then
      printf '%s\n' "$line" >&2
    elif ((SECONDS >= next)); then
      report "$title: $line"
      next=$((SECONDS + progress_seconds))
    fi
  done
}

# Fetches the lists of packages. Where that fails, packages of older lists may still be installed.
update_lists() {
  local messages package unknown=()
  messages=$("$@" apt-get -qq update -o APT::Update::Error-Mode=any 2>&1) && return
  for package in "${missing[@]}"; do
    apt-cache show "$package" >/dev/null 2>&1 || unknown+=("$package")
  done
  [ ${#unknown[@]} -eq 0 ] ||
    fail "packages are missing, and apt-get update cannot fetch the lists of packages" \
      "($(grep -m 1 '^[EW]:' <<<"$messages" || printf 'no reason given'))." \
      "Is this machine online, and is a Debian 12 mirror in /etc/apt/sources.list?" \
      "Missing: ${missing[*]}"
}

install_packages() {
  local missing as_root=()
  command -v dpkg-query >/dev/null ||
    fail "this script works with Debian 12 only; on other systems install: ${packages[*]}"
  read -r -d "" -a missing <<<"$(missing_packages)" || true  # without /proc there is no <()
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      fail "packages are missing and there is no sudo; run as root:" \
        "apt-get update && apt-get install --no-install-recommends ${missing[*]}"
    as_root=(sudo)
  fi
  report "installing ${missing[*]} (up to 0.8 GB on a bare Debian 12)"
  update_lists "${as_root[@]}"
  local install=(env DEBIAN_FRONTEND=noninteractive
                 apt-get -q install -y --no-install-recommends "${missing[@]}")
  if [ -t 2 ]; then
    "${as_root[@]}" "${install[@]}" >&2
  else
    "${as_root[@]}" "${install[@]}" | show_progress "installing" ''
  fi || fail "apt-get could not install the packages; its messages are above"
}

# What the page of reports is built and tested with.
install_page_packages() {
  local installed=$page/node_modules/.package-lock.json
  ! [ "$installed" -nt "$page/package-lock.json" ] || return 0
  report "installing the npm packages of $page"
  npm ci --prefix "$page" --no-fund --no-audit --loglevel=error >&2 ||
    fail "npm could not install the packages of $page; its messages are above"
}

build() {
  local preset=$1 folder=build cache configured
  shift
  [ "$preset" = release ] || folder=build/$preset
  cache=$folder/CMakeCache.txt
  configured=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$cache" 2>/dev/null) || true
  if [ -n "$configured" ] && ! [ "$configured" -ef . ]; then
    report "this tree was moved from $configured: building again"
    rm -rf "$cache" "$folder/CMakeFiles" "$folder/build.ninja"
  fi
  if [ ! -f "$folder/build.ninja" ]; then
    report "configuring ($preset)"
    cmake --preset "$preset" ${HEDDLE_CMAKE_FLAGS:-} >/dev/null
  fi
  report "building ($preset)"
  if [ -t 2 ]; then
    NINJA_STATUS='[%f/%t, %es] ' ninja -C "$folder" -j"$(nproc)" "$@" >&2
  else
    NINJA_STATUS='%f of %t steps: ' ninja -C "$folder" -j"$(nproc)" "$@" |
      show_progress "building ($preset)" '^([0-9]+ of [0-9]+ steps: |ninja: |$)'
  fi
}

require_cpu
tests=no
if [ "${1:-}" = --tests ]; then
  tests=yes
  packages+=("${test_packages[@]}")
  command -v npm >/dev/null || packages+=(npm)
  shift
fi
install_packages
[ "$tests" = no ] || install_page_packages
preset=${1:-release}
[ $# -eq 0 ] || shift
build "$preset" "$@"
