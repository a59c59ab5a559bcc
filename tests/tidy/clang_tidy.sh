#!/usr/bin/env bash
# Checks sources of src/ with clang-tidy-19 and .clang-tidy.
# Usage: clang_tidy.sh [--build FOLDER] [--all | FILE...]
# Without files: what differs from the branch `main` (on main itself: from the commit before), at
# most kMaxChanged files of it, and a fixed sample: about 30 s of CPU time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
kMaxChanged=2
sample=(src/base/diagnostics.cc src/sched/orders/gto.cc)
tidy=clang-tidy-19 build=build all=
command -v "$tidy" >/dev/null || { echo "$tidy is missing: run scripts/setup.sh"; exit 1; }

sources() {
  find src -name '*.cc' -not -path 'src/cuda/sdk/*' -not -path 'src/cuda/abi/*' | sort
}

# What --all checks: the build's unity files, which parse their headers once, and the
# sources that are in no unit.
units() {
  local found
  found=$(find "$build/CMakeFiles" -path '*/Unity/*.cxx' 2>/dev/null || true)
  printf '%s\n' "$found"
  sources | while read -r source; do
    [ -n "$found" ] && grep -q "/$source\"" $found || printf '%s\n' "$source"
  done
}

# Sources that differ from main, uncommitted and untracked ones included; nothing without git.
changed_sources() {
  local base
  git rev-parse --git-dir >/dev/null 2>&1 || return 0
  base=$(git merge-base HEAD main 2>/dev/null || git rev-parse HEAD)
  if [ "$base" = "$(git rev-parse HEAD)" ]; then
    base=$(git rev-parse --verify --quiet HEAD~1 || echo "$base")
  fi
  {
    git diff --name-only --diff-filter=d "$base" -- 'src/*.cc'
    git ls-files --others --exclude-standard -- 'src/*.cc'
  } | grep -v -e '^src/cuda/sdk/' -e '^src/cuda/abi/' | sort -u
}

files=()
while [ $# -gt 0 ]; do
  case $1 in
    --build) build=$2; shift ;;
    --all) all=yes ;;
    *) files+=("$1") ;;
  esac
  shift
done
if [ -n "$all" ]; then
  mapfile -t files < <(units)
elif [ ${#files[@]} -eq 0 ]; then
  mapfile -t changed < <(changed_sources || true)
  if [ ${#changed[@]} -gt $kMaxChanged ]; then
    echo "${#changed[@]} sources have changed; $kMaxChanged are checked here, all with --all"
  fi
  files=("${sample[@]}" "${changed[@]:0:$kMaxChanged}")
  mapfile -t files < <(printf '%s\n' "${files[@]}" | grep . | sort -u)
fi

# The flags of all rooms together: the build compiles several sources as one, and linting needs
# each alone.
flags=(-std=c++20 -march=x86-64-v3 -Isrc "-I$build/generated" '-DHEDDLE_VERSION="0"'
  '-DHEDDLE_SOURCE_FOLDER="."' -DTOML_HEADER_ONLY=0 -DTOML_SHARED_LIB=1)
check() {
  local file=$1
  shift
  case $file in *src/cuda/* | *heddle_cuda*) set -- "$@" -isystem src/cuda/sdk/include ;; esac
  # Units include sources.
  "$tidy" --quiet --checks=-bugprone-suspicious-include "$file" -- "$@" 2>/dev/null && return
  echo "FAILED: $file"
  return 1
}
export -f check
export tidy
mapfile -t files < <(printf '%s\n' "${files[@]}" | grep .)
printf '%s\0' "${files[@]}" |
  xargs -0 -P "$(nproc)" -I{} bash -c 'check "$@"' check {} "${flags[@]}"
echo "clean: ${#files[@]} translation units"
