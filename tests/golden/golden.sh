#!/usr/bin/env bash
# Whole programs through the command line. golden.sh BUILD_DIRECTORY SOURCE_DIRECTORY CASE...
set -u
build=$1 source=$2
shift 2
heddle=$build/bin/heddle run_json=$build/bin/run_json
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $*"
  [ -f "$work/stderr" ] && sed 's/^/  stderr: /' "$work/stderr" | head -20
  exit 1
}

# run LABEL ARGUMENT...: a workload's run that must succeed and say PASS on its last line.
run() {
  local label=$1
  shift
  "$heddle" run --out "$work/$label" "$@" >"$work/stdout" 2>"$work/stderr" || fail "$label: exit code $?"
  [ "$(tail -n 1 "$work/stdout")" = PASS ] || fail "$label: the program does not say PASS"
  [ -f "$work/$label/run.json" ] || fail "$label: no run.json"
}

instructions() {
  "$run_json" get "$work/$1/run.json" totals.thread_instructions || fail "$1: no thread instructions in run.json"
}

every_scheduler() { "$heddle" list schedulers | awk 'NR > 1 && !NF { exit } NR > 1 { print $1 }'; }

# Right under every scheduler, with few and with many warps and schedulers per SM, and the same instructions everywhere.
passes() {
  local program=$build/workloads/$1 expected counted gpu scheduler
  run functional --gpu gtx480 --functional "$program" tiny
  expected=$(instructions functional)
  [ "$expected" -gt 0 ] || fail "no instructions counted"
  for gpu in gtx480 ipaws; do
    for scheduler in $(every_scheduler) swl:warps=1 swl:warps=3+srr ccws+lrr daws:sticky=yes ipaws:greedy=ccws ipaws:greedy=mascar; do
      run "$scheduler" --gpu "$gpu" --scheduler "$scheduler" "$program" tiny
      counted=$(instructions "$scheduler")
      [ "$counted" = "$expected" ] || fail "$scheduler on $gpu executed $counted thread instructions, the functional run $expected"
    done
  done
}

# The same run twice gives the same results.
repeats() {
  local program=$build/workloads/$1
  for scheduler in lrr gto; do
    run first --gpu gtx480 --scheduler "$scheduler" "$program" tiny
    run second --gpu gtx480 --scheduler "$scheduler" "$program" tiny
    "$run_json" same "$work/first/run.json" "$work/second/run.json" 2>"$work/stderr" || fail "$scheduler: two runs differ"
  done
}

# refuse PATTERN COMMAND...: it must end with an exit code of its own, one short diagnostic that holds PATTERN, and no result.
refuse() {
  local pattern=$1 code
  shift
  "$@" >"$work/stdout" 2>"$work/stderr"
  code=$?
  [ $code -ne 0 ] || fail "accepted: $*"
  [ $code -lt 70 ] || fail "exit code $code: $*"
  grep -qiE -- "$pattern" "$work/stderr" || fail "the diagnostic does not say \"$pattern\": $*"
  grep -qiE 'internal error|terminate called|core dumped' "$work/stderr" && fail "not a diagnostic: $*"
  [ "$(wc -l <"$work/stderr")" -le 15 ] || fail "too long for one diagnostic: $*"
  [ "$(grep -ciE '^(heddle: )?error' "$work/stderr")" -le 1 ] || fail "more than one diagnostic: $*"
  ! grep -q PASS "$work/stdout" || fail "said PASS: $*"
}

bad_out_of_bounds() {
  "$heddle" cc -O2 "$source/tests/golden/out_of_bounds.cu" -o "$work/program" 2>"$work/stderr" || fail "does not compile"
  refuse 'fill' "$heddle" run --gpu gtx480 "$work/program"
  grep -qiE 'bounds|allocation' "$work/stderr" || fail "the diagnostic does not name the mistake"
  refuse 'fill' "$heddle" run --functional "$work/program"
}

compile_and_run() {
  "$heddle" cc -O2 --device-ptx "$1" "$2" -o "$work/program" && "$heddle" run --gpu gtx480 "$work/program" "$3"
}

bad_half_ptx() {
  local whole=$source/bench/reference/spmv.sm75.ptx
  head -c $(($(wc -c <"$whole") / 2)) "$whole" >"$work/half.ptx"
  refuse 'half\.ptx|spmv|PTX' compile_and_run "$work/half.ptx" "$source/bench/reference/spmv.cu" 1024
}

bad_gpu() { refuse 'nosuch.*|gtx480' "$heddle" run --gpu nosuch "$build/workloads/vecadd" tiny; }
bad_size() { refuse 'l1d\.size' "$heddle" run --gpu gtx480 --set sm.l1d.size=33 "$build/workloads/vecadd" tiny; }
bad_parameter() { refuse 'l1d\.size' "$heddle" run --gpu gtx480 --set sm.l1d.sise=16KiB "$build/workloads/vecadd" tiny; }
bad_scheduler() { refuse 'gto' "$heddle" run --gpu gtx480 --scheduler gtoo "$build/workloads/vecadd" tiny; }
bad_program() { refuse 'nosuch' "$heddle" run --gpu gtx480 "$work/nosuch"; }
bad_no_cuda() { refuse 'CUDA' "$heddle" run --gpu gtx480 "$build/bin/no_cuda"; }

# The program's own exit code comes back.
exit_code() {
  "$heddle" run --gpu gtx480 "$build/workloads/vecadd" nosuchsize >"$work/stdout" 2>"$work/stderr"
  [ $? -eq 2 ] || fail "the program ended with 2, heddle run did not"
  grep -q 'usage: vecadd' "$work/stderr" || fail "the program's own message is lost"
}

# Programs that were given PTX by hand, and registers by hand, run like any other.
reference() {
  for program in vecadd:12 sgemm:60 spmv:20 reduce:10; do
    local name=${program%:*} size=4096
    [ "$name" = sgemm ] && size=32
    "$heddle" cc -O2 --device-ptx "$source/bench/reference/$name.sm75.ptx" "$source/bench/reference/$name.cu" -o "$work/$name" \
      2>"$work/stderr" || fail "$name does not compile"
    "$heddle" run --gpu gtx480 --registers "$name=${program#*:}" "$work/$name" "$size" >"$work/stdout" 2>"$work/stderr" ||
      fail "$name: exit code $?"
    grep -q 'mismatches=0 .*PASS' "$work/stdout" || fail "$name: wrong result"
  done
}

"$@"
