#!/usr/bin/env bash
# Whole programs through the command line. golden.sh BUILD_FOLDER SOURCE_FOLDER CASE ARGUMENT...
# The cases are functions in cases/*.sh.
set -u
build=$1 source=$2
shift 2
heddle=$build/bin/heddle run_json=$build/bin/run_json golden=$source/tests/golden
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $*"
  [ -f "$work/stderr" ] && sed 's/^/  stderr: /' "$work/stderr" | head -20
  exit 1
}

# succeed LABEL COMMAND...: the command must end with exit code 0. Keeps what it prints.
succeed() {
  local label=$1
  shift
  "$@" >"$work/stdout" 2>"$work/stderr" || fail "$label: exit code $?"
}

# Whether the last line of the standard output is PASS. Thousands of runs need it, so it starts no
# process.
printed_pass() {
  local lines
  mapfile -t lines <"$work/stdout"
  [ ${#lines[@]} -gt 0 ] && [ "${lines[-1]}" = PASS ]
}

# run LABEL ARGUMENT...: heddle run must succeed, and the program must print PASS on its last line.
run() {
  local label=$1
  shift
  succeed "$label" "$heddle" run --out "$work/$label" "$@"
  printed_pass || fail "$label: the program does not print PASS"
  [ -f "$work/$label/run.json" ] || fail "$label: no run.json"
}

# compile NAME [FLAG...]: compiles NAME.cu of this folder to $work/NAME.
compile() {
  local name=$1
  shift
  "$heddle" cc "$@" "$golden/$name.cu" -o "$work/$name" 2>"$work/stderr" ||
    fail "$name.cu does not compile"
}

# value LABEL KEY: a value of a run's run.json.
value() { "$run_json" get "$work/$1/run.json" "$2"; }

instructions() {
  value "$1" totals.thread_instructions || fail "$1: no thread instructions in run.json"
}

# same_instructions EXPECTED LABEL...: all these runs executed so many thread instructions. One
# process reads all results, because there are thousands.
same_instructions() {
  local expected=$1
  shift
  (cd "$work" && "$run_json" same_instructions "$expected" "${@/%//run.json}") 2>"$work/stderr" ||
    fail "runs with another number of thread instructions than $expected"
}

# same LABEL LABEL MESSAGE: the two runs have the same results.
same() { "$run_json" same "$work/$1/run.json" "$work/$2/run.json" 2>"$work/stderr" || fail "$3"; }

same_totals() {
  "$run_json" same_totals "$work/$1/run.json" "$work/$2/run.json" 2>"$work/stderr" || fail "$3"
}

# refuse PATTERN COMMAND...: the command must fail with one short diagnostic that matches PATTERN,
# with an exit code that no signal causes, and without results.
refuse() {
  local code
  diagnose "$@"
  [ $code -lt 70 ] || fail "exit code $code: $*"
}

# Like refuse, with any exit code except 0. Sets `code`.
diagnose() {
  local pattern=$1
  shift
  rm -rf "$work/out"
  "$@" >"$work/stdout" 2>"$work/stderr"
  code=$?
  [ $code -ne 0 ] || fail "accepted: $*"
  grep -qiE -- "$pattern" "$work/stderr" || fail "no diagnostic matches \"$pattern\": $*"
  grep -qiE 'internal error|terminate called|core dumped' "$work/stderr" &&
    fail "not a diagnostic: $*"
  [ "$(wc -l <"$work/stderr")" -le 15 ] || fail "too long for one diagnostic: $*"
  [ "$(grep -ciE '^(heddle: )?error' "$work/stderr")" -le 1 ] ||
    fail "more than one diagnostic: $*"
  ! grep -q PASS "$work/stdout" || fail "the program printed PASS: $*"
  [ ! -e "$work/out/run.json" ] || fail "there are results: $*"
}

for cases in "$golden"/cases/*.sh; do
  # shellcheck source=/dev/null
  . "$cases"
done
[ "$(type -t "$1")" = function ] || fail "no case $1"
"$@"
