# Programs that are wrong: faults with their place in the source, livelocks, heddle check. Also
# programs that only look wrong.

out_of_bounds_store() {
  compile out_of_bounds -O2
  refuse 'fill' "$heddle" run --gpu gtx480 "$work/out_of_bounds"
  grep -qiE 'bounds|allocation' "$work/stderr" || fail "the diagnostic does not name the error"
  refuse 'fill' "$heddle" run --functional "$work/out_of_bounds"
}

# A GPU checks whole pages, so these out-of-bounds loads are tolerated.
tolerated_loads() {
  local mode
  compile out_of_bounds_load -O2
  for mode in "--gpu gtx480" "--gpu qv100 --threads 2" --functional; do
    succeed "$mode" "$heddle" run --quiet $mode "$work/out_of_bounds_load"
    grep -q PASS "$work/stdout" || fail "$mode: no PASS"
    [ "$(grep -c '^heddle: warning: out-of-bounds load of 4 bytes' "$work/stderr")" -eq 1 ] ||
      fail "$mode: not one warning: $(cat "$work/stderr")"
    grep -q 'out_of_bounds_load.cu:10' "$work/stderr" || fail "$mode: no source line"
    grep -q '4 bytes before the start of cudaMalloc #1' "$work/stderr" || fail "$mode: no address"
  done
  ! "$heddle" check "$work/out_of_bounds_load" >"$work/stdout" 2>&1 || fail "check finds nothing"
  grep -q 'out-of-bounds load' "$work/stdout" || fail "check does not report the load"
}

# Actions that are illegal on a GPU: the diagnostic names the place, and there are no results.
illegal_actions() {
  local code action
  local program=$work/illegal_actions
  local plain=(run --out "$work/out" "$program")
  local functional=(run --functional --out "$work/out" "$program")
  compile illegal_actions -O2
  refuse 'illegal_actions.cu:1[0-9].*' "$heddle" "${plain[@]}" misaligned
  refuse 'freed' "$heddle" "${plain[@]}" freed
  refuse 'deadlock' "$heddle" "${plain[@]}" deadlock
  refuse 'waits at barrier' "$heddle" "${functional[@]}" deadlock
  refuse 'illegal_actions.cu.*repeats the same state' "$heddle" "${plain[@]}" clock_wait
  refuse 'illegal_actions.cu.*' "$heddle" "${functional[@]}" clock_wait
  refuse 'livelock' "$heddle" "${plain[@]}" barrier_wait
  refuse 'livelock' "$heddle" "${functional[@]}" barrier_wait
  local early_return='a launch returns when its kernel has ended'
  refuse "$early_return" "$heddle" "${plain[@]}" handshake
  refuse "$early_return" "$heddle" "${functional[@]}" handshake
  probable_livelock "$program"
  refuse '2048' "$heddle" "${plain[@]}" large
  diagnose 'signal 11 ' "$heddle" run "$program" host
  [ $code -eq 139 ] || fail "a crash gave exit code $code"
  diagnose 'signal 6 ' "$heddle" run "$program" abort
  diagnose 'failed under lrr, gto' "$heddle" compare --schedulers lrr,gto "$program" freed
  [ "$(grep -c 'out-of-bounds store' "$work/stderr")" -eq 1 ] || fail "the same diagnostic twice"
  ignored_faults "$program"
}

# ignored_faults PROGRAM: a program that goes on after a fault is ended. What it has printed before
# a message stands before it.
ignored_faults() {
  ! "$heddle" run "$1" ignoring >"$work/both" 2>&1 || fail "a program that ignores a fault goes on"
  [ "$(head -n 1 "$work/both")" = begun ] || fail "the fault's message overtakes the output"
  tail -n 1 "$work/both" | grep -q 'error: the program has ignored a device fault' ||
    fail "the output overtakes the last message"
}

# probable_livelock PROGRAM: a probable livelock is a warning, and the run continues.
probable_livelock() {
  local how pid
  for how in --functional --quiet; do
    rm -f "$work/stderr"  # the loop below must not read that of the run before
    "$heddle" run $how "$1" counting >"$work/stdout" 2>"$work/stderr" &
    pid=$!
    while kill -0 $pid 2>/dev/null && ! grep -qs 'an interrupt ends it' "$work/stderr"; do
      sleep 0.1
    done
    kill -INT $pid 2>/dev/null || fail "the run ended by itself: $(cat "$work/stderr")"
    wait $pid && fail "exit code 0 after an interrupt"
    grep -q 'warning: probable livelock' "$work/stderr" || fail "no warning: $(cat "$work/stderr")"
    grep -q 'illegal_actions.cu:' "$work/stderr" || fail "no source line: $(cat "$work/stderr")"
  done
}

# A failed assertion: CUDA's message, then the program's own messages, and an exit code that is not
# the program's.
assertion() {
  local code mode
  local message='failed_assert.cu:[0-9]*: void check(int): block: \[1,0,0\], '
  message+='thread: \[2[89],0,0\] Assertion'
  compile failed_assert -O2
  for mode in "" --functional; do
    diagnose 'Assertion `value < 60` failed' \
      "$heddle" run --quiet $mode --out "$work/out" "$work/failed_assert"
    [ $code -eq 3 ] || fail "exit code $code"
    [ "$(grep -c "$message" "$work/stderr")" -eq 2 ] || fail "not CUDA's message"
    grep -q '^heddle: error: device assertion failed' "$work/stderr" || fail "no diagnostic"
    [ "$(cat "$work/stdout")" = "launched: no error
value 58
value 59
cudaDeviceSynchronize: device-side assert triggered
cudaGetLastError: cudaErrorAssert
cudaMalloc: cudaErrorAssert" ] || fail "the program prints something else: $(cat "$work/stdout")"
  done
}

# What kernels print appears at the same place and in the same order for every number of threads.
printed() {
  local threads options=(--quiet --force-threads)
  for threads in 1 2 3; do
    "$heddle" run "${options[@]}" --threads $threads "$build/tests/cuda/calls" \
      >"$work/stdout$threads" 2>"$work/stderr" || fail "exit code $?"
    cmp -s "$work/stdout1" "$work/stdout$threads" || fail "other output with $threads threads"
  done
  [ "$(sed -n 1p "$work/stdout1")" = launched ] || fail "printed before the program waits"
  grep -qxF 'block 1 of 3: three  1.50|42  |-1234567890123 %' "$work/stdout1" ||
    fail "the printed text is wrong"
}

# A program that never ends is diagnosed with the place where it stands.
hangs() {
  local how
  compile steps
  for how in --functional --threads=1; do
    refuse 'livelock: every warp repeats the same state' \
      "$heddle" run "$how" --out "$work/out" "$work/steps" spin
    grep -q 'steps.cu:[0-9]*.*active lanes 0xffffffff' "$work/stderr" ||
      fail "$how: no source line and lanes"
    grep -q 'active lanes 0xffffffff, repeats the same state' "$work/stderr" ||
      fail "$how: no state of the warps"
    refuse 'livelock' "$heddle" run "$how" --out "$work/out" "$work/steps" endless
  done
}

# A grid-wide barrier works in timed, functional and truncated runs.
grid_sync() {
  compile grid_sync -O2
  run timed "$work/grid_sync"
  run functional --functional "$work/grid_sync"
  run truncated --limit-cycles 20000 "$work/grid_sync"
}

# Lanes of one warp that spin on the same lock get it one after the other.
own_lock() {
  compile own_lock
  run functional --functional "$work/own_lock"
  run timed --gpu qv100 "$work/own_lock"
}

# planted_line MARK KERNEL: the line of planted.cu with this mark.
planted_line() { grep -n "// $1: $2\$" "$golden/planted.cu" | cut -d: -f1; }

# found KERNEL TOOL WHAT THREAD [OTHER_THREAD]: heddle check finds the planted error of the kernel,
# and nothing else.
found() {
  local line other
  line=$(planted_line here "$1") other=$(planted_line other "$1")
  "$heddle" check --out "$work/checked" "$work/planted" "$1" >"$work/stdout" 2>"$work/stderr"
  [ $? -eq 3 ] || fail "$1: the exit code is not 3"
  grep -q "^heddle: $2: .*$3" "$work/stderr" || fail "$1: no finding '$2: $3'"
  grep -qE "^  kernel   $1\(.*planted\.cu:$line, " "$work/stderr" ||
    fail "$1: the finding does not name line $line"
  grep -qF "  thread   $4" "$work/stderr" || fail "$1: the finding does not name thread $4"
  [ $# -lt 5 ] || grep -qE "^  other    ${5//[()]/.}" "$work/stderr" ||
    fail "$1: the finding does not name thread $5"
  [ -z "$other" ] || grep -qE "^  other .*planted\.cu:$other, " "$work/stderr" ||
    fail "$1: the finding does not name line $other"
  grep -q "^heddle: check: 1 finding in 1 kernel launch" "$work/stderr" ||
    fail "$1: not one finding"
  grep -q '"what"' "$work/checked/check.json" || fail "$1: no check.json"
}

# clean PROGRAM ARGUMENT...: heddle check finds nothing.
clean() {
  succeed "$*" "$heddle" check "$@"
  printed_pass || fail "$*: the program does not print PASS"
  grep -q '^heddle: check: no findings in' "$work/stderr" || fail "$*: no summary"
}

checks() {
  compile planted -O2
  clean "$work/planted" none
  memory_findings
  race_findings
  barrier_findings
  clean "$work/planted" leak
  "$heddle" check --leaks "$work/planted" leak >"$work/stdout" 2>"$work/stderr"
  [ $? -eq 3 ] && [ "$(grep -c 'memory that is not freed' "$work/stderr")" = 2 ] ||
    fail "two leaks are not reported"
  succeed "only the tools asked for" \
    "$heddle" check --tool init,memory "$work/planted" no_barrier
  refuse 'must be memory, races' "$heddle" check --tool race "$work/planted" none
}

# thread X [CTA]: a thread as heddle check prints it.
thread() { printf '(%s,0,0) of CTA (%s,0,0)' "$1" "${2:-0}"; }

memory_findings() {
  found past_the_end memory 'out-of-bounds store of 4 bytes' "$(thread 0 2)"
  grep -q 'address .*, 0 bytes after the end of cudaMalloc #1 (.*1024 bytes)' "$work/stderr" ||
    fail "the nearest allocation is not reported"
  found freed memory 'use of freed memory: load of 4 bytes' "$(thread 0)"
  found straddle memory 'misaligned store' "$(thread 5)"
  found past_the_tile memory 'out-of-bounds store' "$(thread 63)"
  found unwritten init 'load of 4 bytes of global memory' "$(thread 0)"
  found unwritten_tile init 'load of 4 bytes of shared memory' "$(thread 48)"
}

race_findings() {
  local race='race in shared memory:'
  found no_barrier races "$race write after read" "$(thread 64)" "$(thread 63) reads"
  found read_then_write races "$race read after write" "$(thread 32)" "$(thread 0) writes"
  found between_ctas races 'race in global memory: write after write' "$(thread 0 1)" \
    "$(thread 0) writes"
  found same_at_first races 'race in global memory: write after write' "$(thread 0 1)" \
    "$(thread 0) writes"
  found one_releases races "$race read after write" "$(thread 32)" "$(thread 31) writes"
  found one_place races 'different values to one place' "$(thread 0)" "$(thread 1) writes"
}

barrier_findings() {
  found divergent barriers 'barrier in divergent code' "$(thread 32)" "$(thread 40)"
  found two_places barriers 'at different source lines' "$(thread 32)" "$(thread 0)"
  found two_counts barriers 'for different numbers of threads' "$(thread 32)" "$(thread 0)"
  found never_meet barriers 'deadlock' "$(thread 0)"
  found not_a_member barriers 'member mask of bar.warp.sync does not name' "$(thread 15)"
  found absent_member barriers 'member mask of shfl.sync names threads' "$(thread 0)" "$(thread 20)"
  found inactive_source barriers 'reads from a thread that does not' "$(thread 15)" "$(thread 16)"
}
