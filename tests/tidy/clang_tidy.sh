#!/usr/bin/env bash
# Checks src/ with clang-tidy-19 and .clang-tidy.
# Usage: clang_tidy.sh [--build FOLDER] [--all | FILE...]
#   no file    what differs from the commit below, and two samples
#   --all      everything
# Where git does not know the commit, in a copy without history, no file means the samples.
# Files of a module are checked as one unit, whose headers are read once.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# All files of this commit are clean. It moves on when all that differ from it are clean.
kCheckedCommit=e59cb9c9e6489e086e83d1028e5332d352f794f7
kFilesPerUnit=16
samples=(src/base/diagnostics.cc src/sched/orders/gto.cc)
tidy=clang-tidy-19 build=build everything=
command -v "$tidy" >/dev/null || { echo "$tidy is missing: run scripts/setup.sh"; exit 1; }

all_files() {
  find src \( -name '*.cc' -o -name '*.h' \) \
    -not -path 'src/cuda/abi/*' | sort
}

# Committed or not.
changed_files() {
  { git diff --name-only --diff-filter=d "$kCheckedCommit" -- src
    git ls-files --others --exclude-standard -- src; } | grep -E '\.(cc|h)$' | sort -u |
    comm -12 - <(all_files)
}

files=()
while [ $# -gt 0 ]; do
  case $1 in
    --build) build=$2; shift ;;
    --all) everything=yes ;;
    *) files+=("$1") ;;
  esac
  shift
done
if [ "$everything" ]; then
  mapfile -t files < <(all_files)
elif [ ${#files[@]} -eq 0 ] && ! git cat-file -e "$kCheckedCommit^{commit}" 2>/dev/null; then
  files=("${samples[@]}")
  echo "git does not know commit ${kCheckedCommit:0:8}: only the samples are checked, not all files"
elif [ ${#files[@]} -eq 0 ]; then
  mapfile -t changed < <(changed_files)
  mapfile -t files < <(printf '%s\n' "${samples[@]}" "${changed[@]}" | grep . | sort -u)
  echo "${#changed[@]} files differ from commit ${kCheckedCommit:0:8}"
fi

# The files of one unit must not use the same names for their helpers, as those of exec/isa and of
# CUDA's two APIs do.
room_of() {
  case $1 in
    src/exec/isa/*.cc) printf '%s\n' "${1//\//_}" ;;
    src/cuda/*) cut -d / -f 2-3 <<<"$1" | tr / _ ;;
    *) cut -d / -f 2 <<<"$1" ;;
  esac
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
declare -A count
for file in "${files[@]}"; do
  room=$(room_of "$file")
  number=$((${count[$room]:-0} / kFilesPerUnit))
  count[$room]=$((${count[$room]:-0} + 1))
  printf '#include "%s"\n' "$PWD/$file" >>"$folder/$room-$number.cc"
done

# The flags of all rooms together.
flags=(-x c++ -std=c++20 -march=x86-64-v3 -Isrc "-I$build/generated" '-DHEDDLE_VERSION="0"'
  '-DHEDDLE_SOURCE_FOLDER="."' -DTOML_HEADER_ONLY=0 -DTOML_SHARED_LIB=1
  '-DHEDDLE_REPORT_PAGE="src/report/web/kept/report.html"' -isystem "$build/include/heddle-cuda")

lint() {
  local unit=$1
  shift
  "$tidy" --quiet --config-file=.clang-tidy --checks=-bugprone-suspicious-include "$unit" -- "$@" \
    2>/dev/null
}

# Files of a unit may define the same name in different units of the build: then each is checked
# alone.
check() {
  local unit=$1 found file result=0
  shift
  found=$(lint "$unit" "$@") && return
  if [ "$(wc -l <"$unit")" -gt 1 ] && grep -q clang-diagnostic-error <<<"$found"; then
    while read -r file; do
      found=$(lint "$file" "$@") && continue
      printf '%s\nFAILED: %s\n' "$found" "$file"
      result=1
    done < <(sed 's/^#include "\(.*\)"$/\1/' "$unit")
    return "$result"
  fi
  printf '%s\nFAILED: one of\n%s\n' "$found" "$(cat "$unit")"
  return 1
}
export -f check lint
export tidy
find "$folder" -name '*.cc' -print0 |
  xargs -0 -P "$(nproc)" -I{} bash -c 'check "$@"' check {} "${flags[@]}"
echo "clean: ${#files[@]} files"
