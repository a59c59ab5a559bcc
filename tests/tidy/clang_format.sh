#!/usr/bin/env bash
# Are all C++ and CUDA sources formatted by clang-format-19? Usage: clang_format.sh [--fix | FOLDER]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
format=clang-format-19
command -v "$format" >/dev/null || { echo "$format is missing: run scripts/setup.sh"; exit 1; }
act=(--dry-run -Werror)
[ "${1:-}" != --fix ] || { act=(-i) && shift; }
find src sdk/libraries tests bench workloads examples -name build -prune -o -type f \
  \( -name '*.h' -o -name '*.hpp' -o -name '*.cc' -o -name '*.cu' -o -name '*.c' \) -print0 |
  xargs -0 -n 40 -P "$(nproc)" "$format" "${act[@]}"
[ $# = 0 ] || "$format" --style=file:.clang-format "${act[@]}" "$1"/*.cc
