#!/usr/bin/env bash
# Runs the programs of the catalogue in time, under every scheduler that needs no earlier run:
# every_program.sh BUILD_FOLDER [SIZE] [GPU]... [-- PROGRAM...]. SIZE is tiny, the GPUs are ipaws
# and qv100. Prints a line for each run that does not pass, and the number of runs.
set -uo pipefail
build=${1:?usage: every_program.sh BUILD_FOLDER [SIZE] [GPU]... [-- PROGRAM...]}
heddle=$build/bin/heddle
size=${2:-tiny}
shift $(($# > 2 ? 2 : $#))
gpus=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  gpus+=("$1")
  shift
done
[ ${#gpus[@]} -gt 0 ] || gpus=(ipaws qv100)
[ $# -gt 0 ] && shift
programs=("$@")
[ ${#programs[@]} -gt 0 ] ||
  mapfile -t programs < <("$heddle" list workloads | awk 'NR > 1 && /^[^ ]/ { print $1 }')
mapfile -t schedulers < <("$heddle" list schedulers |
  awk 'NR > 1 && !NF { exit } NR > 1 && /^[^ ]/ { print $1 }' | grep -vE '^(daws-profiled|swl)$')
output=$(mktemp) || exit 1
trap 'rm -f "$output"' EXIT
runs=0 failures=0
for program in "${programs[@]}"; do
  for gpu in "${gpus[@]}"; do
    for scheduler in "${schedulers[@]}"; do
      runs=$((runs + 1))
      if ! "$heddle" run --quiet --gpu "$gpu" --scheduler "$scheduler" "$build/workloads/$program" \
        "$size" >"$output" 2>&1 || [ "$(tail -n 1 "$output")" != PASS ]; then
        failures=$((failures + 1))
        echo "$program $size under $scheduler on $gpu: $(tail -n 1 "$output")"
      fi
    done
  done
done
echo "$runs runs, $failures failures"
[ "$failures" -eq 0 ]
