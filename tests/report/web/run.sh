#!/usr/bin/env bash
# Tests of the page of reports that need node. Usage: run.sh CHECK BUILD_FOLDER
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
web=$here/../../../src/report/web
check=$1 build=$2

case $check in
  kept_file_is_what_npm_builds)
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    node "$web/build.mjs" "$folder/report.html"
    cmp "$folder/report.html" "$web/kept/report.html" ||
      { echo "src/report/web/kept/report.html is not what its sources build" >&2; exit 1; }
    ;;
  scripts_are_formatted)
    cd "$web"
    npx --no-install prettier --check '*.js' '*.css' '*.mjs' '../../../tests/report/web/*.mjs'
    ;;
  scripts)
    node --test "$here/statistics.test.mjs"
    ;;
  browser)
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    pages=()
    # Pages that this Heddle writes: a run, a comparison, and a study of a made-up store.
    heddle=$build/bin/heddle program=$build/workloads/kmeans
    if [ -x "$heddle" ] && [ -x "$program" ]; then
      "$heddle" run -q --out "$folder/run" --report "$folder/run.html" "$program" tiny >/dev/null
      "$heddle" compare -q --report "$folder/compare.html" --schedulers lrr,gto \
        "$program" tiny >/dev/null
      python3 "$here/make_store.py" "$folder/study.sqlite" "$folder/run/run.json" --runs 300
      "$heddle" report "$folder/study.sqlite" -o "$folder/study.html"
      pages=("$folder/run.html" "$folder/compare.html" "$folder/study.html")
    fi
    HEDDLE_REPORT_PAGES=$(IFS=:; echo "${pages[*]-}") node --test "$here/browser.test.mjs"
    ;;
  *) echo "unknown check '$check'" >&2; exit 2 ;;
esac
