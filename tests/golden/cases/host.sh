# Host programs that end, or treat signals, descriptors and standard input, in unusual ways; and
# programs whose interpreter or script uses CUDA.

# host_program CASE EXPECTED_CODE LAUNCHES: the run ends with this code and has so many launches.
host_program() {
  rm -rf "$work/out"
  "$heddle" run --quiet --out "$work/out" "$work/host_programs" "$1" >"$work/stdout" \
    2>"$work/stderr"
  local code=$?
  [ $code -eq "$2" ] || fail "$1: exit code $code"
  [ "$(value out status)" = '"completed"' ] || fail "$1: status $(value out status)"
  [ -z "$3" ] || [ "$(value out totals.launches)" -eq "$3" ] ||
    fail "$1: $(value out totals.launches) launches"
}

# The expected output of a case is on standard input.
prints() { diff - "$work/stdout" >"$work/stderr" || fail "$1: other output"; }

launches_at_exit() {
  compile host_programs -O2
  host_program destructor 0 2
  printf '%s: cudaSuccess\n' 'in main' 'in a destructor' | prints destructor
  host_program early_destructor 0 1
  host_program atexit 0 2
  printf '%s: cudaSuccess\n' 'in main' 'in an exit handler' | prints atexit
  host_program quick_exit 4 2
  host_program exit_in_thread 5 3
  printf '%s: cudaSuccess\n' 'in main' 'in a thread' 'in a destructor' | prints exit_in_thread
  host_program thread 0 ''
  succeed 'capture of a launch in a destructor' \
    "$heddle" capture --quiet -o "$work/late.hcap" "$work/host_programs" destructor
  succeed 'the captured program' "$heddle" run --quiet --out "$work/late" "$work/late.hcap"
  [ "$(value late totals.launches)" -eq 2 ] || fail 'the capture lacks a launch'
}

# same_launches CASE: the results of the run are those of a program that ends normally.
same_launches() {
  local part
  for part in totals kernels; do
    [ "$(value out $part)" = "$(value expected $part)" ] || fail "$1: other $part"
  done
}

# Complete launches are in the results whatever ends the program.
ends_without_exit_handlers() {
  local case code
  compile host_programs -O2
  host_program destructor 0 2
  mv "$work/out" "$work/expected"
  host_program _exit 3 2
  printf '%s: cudaSuccess\n' 'in main' 'afterwards' | prints _exit
  same_launches _exit
  for case in segmentation_fault=139 killed=137; do
    code=${case#*=} case=${case%=*}
    rm -rf "$work/out"
    "$heddle" run --out "$work/out" "$work/host_programs" $case >"$work/stdout" 2>"$work/stderr"
    [ $? -eq $code ] || fail "$case: exit code $?"
    grep -q 'results are those of 2 complete launches' "$work/stderr" || fail "$case: no note"
    grep -q '^ *add_one  *2 ' "$work/stderr" || fail "$case: no summary"
    [ "$(value out program.verdict)" = '"failed"' ] || fail "$case: $(value out program.verdict)"
    same_launches $case
  done
  ! "$heddle" check --quiet "$work/host_programs" _exit >"$work/stdout" 2>"$work/stderr" ||
    fail 'a check whose findings were not written is clean'
}

# A signal that is blocked is taken for one that the program waits for.
handlers_block_no_signal() {
  compile host_programs -O2
  host_program signal_mask 0 1
  printf '%s\n' 'in main: cudaSuccess' 'SIGINT is not blocked by its handler' | prints signal_mask
}

closed_descriptors() {
  compile host_programs -O2
  host_program closes_descriptors 0 2
  printf '%s\n' 'in main: cudaSuccess' 'read 6 bytes: abcdef' 'afterwards: cudaSuccess' |
    prints closes_descriptors
  succeed 'capture of a program that closes descriptors' \
    "$heddle" capture --quiet -o "$work/closed.hcap" "$work/host_programs" closes_descriptors
  succeed 'the captured program' "$heddle" run --quiet --out "$work/closed" "$work/closed.hcap"
  [ "$(value closed totals.launches)" -eq 2 ] || fail 'the capture lacks a launch'
}

# await PATTERN FILE: until a line of the file matches.
await() {
  local i
  for i in $(seq 600); do
    ! grep -qs "$1" "$2" || return 0
    sleep 0.1
  done
  fail "\"$1\" does not appear"
}

# await_end PID...: until the processes have ended. A process that waits for its parent has, too.
await_end() {
  local pid i
  for pid in "$@"; do
    for i in $(seq 600); do
      grep -qs '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$pid/status" || continue 2
      sleep 0.1
    done
    fail "process $pid goes on"
  done
}

# The first signal ends the run, with the results of complete launches, whatever the program does
# with signals; it starts through a shell, too.
ended_by_signals() {
  local signal case shell pid code
  compile host_programs -O2
  for signal in INT TERM HUP; do
    for case in never_ends ignores_signals handles_signals shell; do
      shell=()
      [ $case != shell ] || shell=(sh -c "$work/host_programs never_ends; exit 0")
      [ $case = shell ] || shell=("$work/host_programs" $case)
      rm -rf "$work/out"
      : >"$work/stdout"
      "$heddle" run --quiet --out "$work/out" "${shell[@]}" >"$work/stdout" 2>"$work/stderr" &
      pid=$!
      await begun "$work/stdout"
      kill -$signal $pid
      wait $pid
      code=$?
      [ $code -eq $((128 + $(kill -l $signal))) ] || fail "$case, SIG$signal: exit code $code"
      [ "$(value out status)" = '"interrupted"' ] || fail "$case, SIG$signal: not marked"
      [ "$(value out totals.launches)" -ge 21 ] || fail "$case, SIG$signal: launches are lost"
    done
  done
  : >"$work/stdout"
  "$heddle" run --quiet "$work/host_programs" ends_by_handler >"$work/stdout" 2>"$work/stderr" &
  pid=$!
  await begun "$work/stdout"
  kill -TERM $pid
  wait $pid
  code=$?
  [ $code -eq 6 ] || fail "a program that ends by its own handler: exit code $code"
}

# No process and no temporary folder remains.
nothing_remains_of_an_interrupted_run() {
  local pid signal
  compile host_programs -O2
  mkdir "$work/temporary"
  for signal in INT TERM HUP; do
    : >"$work/stdout"
    TMPDIR=$work/temporary "$heddle" run "$work/host_programs" never_ends >"$work/stdout" 2>&1 &
    pid=$!
    await begun "$work/stdout"
    kill -$signal $pid
    wait $pid
    [ -z "$(ls "$work/temporary")" ] || fail "SIG$signal: $(ls "$work/temporary") remains"
  done
}

# descendants PID: its children and theirs.
descendants() {
  local child
  for child in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
    echo "$child"
    descendants "$child"
  done
}

# simulating PID...: how many of the processes have a device, whose threads watch for signals.
simulating() {
  local pid count=0
  for pid in "$@"; do
    grep -qs libcudart "/proc/$pid/maps" && [ "$(ls "/proc/$pid/task" | wc -l)" -gt 1 ] &&
      count=$((count + 1))
  done
  echo $count
}

# killed_with_its_heddle RUNS COMMAND...: when the command is killed, its runs end.
killed_with_its_heddle() {
  local runs=$1 pid i processes=()
  shift
  "$@" >"$work/stdout" 2>"$work/stderr" &
  pid=$!
  for i in $(seq 600); do
    mapfile -t processes < <(descendants $pid)
    [ "$(simulating "${processes[@]}")" -lt "$runs" ] || break
    sleep 0.1
  done
  [ "$(simulating "${processes[@]}")" -ge "$runs" ] || fail "$*: its runs do not begin"
  kill -KILL $pid
  wait $pid
  await_end "${processes[@]}"
}

nothing_goes_on_after_a_killed_heddle() {
  local program="$work/host_programs"
  compile host_programs -O2
  killed_with_its_heddle 1 "$heddle" run "$program" ignores_signals
  killed_with_its_heddle 1 "$heddle" run sh -c "$program ignores_signals; exit 0"
  killed_with_its_heddle 2 "$heddle" compare -j 2 --schedulers lrr,gto "$program" ignores_signals
  killed_with_its_heddle 1 "$heddle" check "$program" ignores_signals
  printf '%s\n' 'title = "t"' 'gpus = ["gtx480"]' 'schedulers = ["gto", "swl:best"]' '[[case]]' \
    'name = "a"' "program = [\"$program\", \"never_ends\"]" >"$work/study.toml"
  killed_with_its_heddle 2 "$heddle" sweep -j 2 "$work/study.toml" --out "$work/killed.sqlite"
}

ctrl_c() {
  local program="$work/host_programs" i
  compile host_programs -O2
  for i in 1 2 3; do
    succeed "run $i" python3 "$golden/ctrl_c.py" 1 "$heddle" run "$program" never_ends
    succeed "compare $i" python3 "$golden/ctrl_c.py" 4 \
      "$heddle" compare -j 4 --schedulers lrr,gto,ccws,oldest "$program" never_ends
  done
}

# Interpreters, scripts and wrappers that open the driver when they run.
drivers_opened_at_run_time() {
  local script="$golden/square_plus_seven.py"
  printf '#!/bin/sh\nexec python3 "%s"\n' "$script" >"$work/starts_python"
  chmod +x "$work/starts_python"
  run python python3 "$script"
  run script "$work/starts_python"
  run wrapper env A=b sh -c "python3 $script"
  succeed 'without environment' env -i "$heddle" run --out "$work/bare" python3 "$script"
  same_totals python bare 'without an environment the results are others'
  succeed compare "$heddle" compare --schedulers lrr,gto python3 "$script"
  succeed check "$heddle" check python3 "$script"
  succeed capture "$heddle" capture --quiet -o "$work/python.hcap" python3 "$script"
  succeed captured "$heddle" run --out "$work/captured" "$work/python.hcap"
  same_totals python captured 'the capture has other results'
  mkdir "$work/python3" "$work/empty"
  (cd "$work" && succeed 'beside a folder of its name' "$heddle" run python3 "$script") || exit 1
  (cd "$work" && refuse "'empty' is a folder, not a program" "$heddle" run empty) || exit 1
  refuse 'used no CUDA' "$heddle" run --out "$work/out" python3 -c 'print(1)'
  refuse 'ended with exit code 3 and used no CUDA' "$heddle" run --out "$work/out" sh -c 'exit 3'
  diagnose 'failed under lrr, gto' "$heddle" compare --schedulers lrr,gto sh -c 'exit 0'
  grep -q 'FAILED: .* used no CUDA' "$work/stdout" || fail 'compare does not say why'
  succeed 'two processes' "$heddle" run sh -c "python3 $script; python3 $script"
  grep -q '2 processes of the program launched kernels' "$work/stderr" ||
    fail 'lost results are not reported'
  "$heddle" compare --schedulers lrr,gto sh -c "python3 $script; python3 $script" \
    >"$work/stdout" 2>"$work/stderr" && fail 'compare uses the results of one process'
  grep -q 'FAILED: 2 processes of the program' "$work/stdout" || fail 'compare does not say why'
}

# numba compiles its kernels with the toolkit's libnvvm, also where another toolkit has none.
numba_kernels() {
  export PATH=/usr/bin:$PATH PYTHONWARNINGS=ignore NUMBA_CACHE_DIR=$work
  for mode in --functional --quiet; do
    CUDA_HOME=/nonexistent succeed "numba $mode" "$heddle" run --gpu qv100 $mode \
      python3 "$golden/numba_kernels.py"
    printed_pass || fail 'a kernel of numba has another result'
  done
}

# GCC compiles OpenACC and OpenMP for the driver API, which libgomp opens. Its assembler asks a
# ptxas in PATH, and one of CUDA 13 refuses GCC's architecture.
offloaded_programs() {
  local language
  for language in openacc openmp; do
    PATH=/usr/bin:/bin gcc-12 -O2 -f$language -foffload=nvptx-none \
      "$golden/offload_$language.c" -o "$work/$language" 2>"$work/stderr" || fail "gcc -f$language"
    for mode in --functional --quiet; do
      succeed "$language $mode" "$heddle" run --gpu qv100 $mode "$work/$language"
      printed_pass || fail "$language has another result"
    done
  done
}

# Halide compiles its kernels when the program runs.
halide_pipelines() {
  for mode in --functional --quiet; do
    succeed "Halide $mode" "$heddle" run --gpu qv100 $mode \
      /usr/bin/python3 "$golden/halide_pipeline.py"
    printed_pass || fail 'a pipeline of Halide has another result'
  done
}

# Every run of a comparison reads the same standard input; an open one without data delays nothing.
same_input_for_every_run() {
  local reads=("$work/host_programs" reads)
  local compare=("$heddle" compare -j 1 --schedulers lrr,gto,oldest)
  compile host_programs -O2
  echo 42 | "${compare[@]}" "${reads[@]}" >"$work/stdout" 2>"$work/stderr" ||
    fail 'input from a pipe'
  grep -qx '1 number: 42' "$work/stdout" || fail 'the input of a pipe is not read'
  ! grep -q 'output differs' "$work/stdout" || fail 'the runs read different input'
  printf '1\n2\n' >"$work/input"
  { read -r _; "${compare[@]}" "${reads[@]}" >"$work/stdout" 2>"$work/stderr"; } \
    <"$work/input" || fail 'input from a file'
  grep -qx '1 number: 2' "$work/stdout" || fail 'the file is not read from its position'
  ! grep -q 'output differs' "$work/stdout" || fail 'the runs read the file at different positions'
  succeed 'the best limit' sh -c 'echo 42 | "$@"' - \
    "$heddle" best-swl --limits 1,2 -o "$work/best.toml" "${reads[@]}"
  mkfifo "$work/idle"
  exec 7<>"$work/idle"
  succeed 'an input without data' "${compare[@]}" "$work/host_programs" destructor <&7
  exec 7>&-
}
