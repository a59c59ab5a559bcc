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

every_scheduler() { "$heddle" list schedulers | awk 'NR > 1 && !NF { exit } NR > 1 && /^[^ ]/ { print $1 }'; }

# Right under every scheduler, with few and with many warps and schedulers per SM, and the same instructions everywhere.
passes() {
  local program=$build/workloads/$1 expected counted gpu scheduler
  run functional --gpu gtx480 --functional "$program" tiny
  expected=$(instructions functional)
  [ "$expected" -gt 0 ] || fail "no instructions counted"
  "$heddle" profile --gpu gtx480 -o "$work/loads.toml" "$program" tiny >"$work/stdout" 2>"$work/stderr" || fail "profile: exit code $?"
  for gpu in gtx480 ipaws qv100; do
    for scheduler in $(every_scheduler | grep -v daws-profiled) daws-profiled:profile="$work/loads.toml" swl:warps=1 swl:warps=3+srr ccws+lrr daws:sticky=yes owl:switch_on=any_stall ipaws:greedy=ccws ipaws:greedy=mascar; do
      run timed --gpu "$gpu" --scheduler "$scheduler" "$program" tiny
      counted=$(instructions timed)
      [ "$counted" = "$expected" ] || fail "$scheduler on $gpu executed $counted thread instructions, the functional run $expected"
    done
  done
  # Policies with mechanisms of their own, where each scheduler has latches of its own and the L1 takes all loads.
  for scheduler in kaws kaws:share=any_free,order=off mascar mascar:sched=off,entries=4 cawa ipaws:greedy=mascar; do
    run "$scheduler" --gpu kaws_l1 --scheduler "$scheduler" "$program" tiny
    counted=$(instructions "$scheduler")
    [ "$counted" = "$expected" ] || fail "$scheduler on kaws_l1 executed $counted thread instructions, the functional run $expected"
  done
}

# A pattern: right under the orders and limiters that it was made for, and as catalogued.
pattern() {
  local program=$build/workloads/$1 expected scheduler arguments
  run functional --functional "$program" tiny
  expected=$(instructions functional)
  for scheduler in lrr gto ccws daws:sticky=yes kaws saws; do
    run "$scheduler" --gpu ipaws --scheduler "$scheduler" "$program" tiny
    [ "$(instructions "$scheduler")" = "$expected" ] || fail "$scheduler executed other thread instructions than the functional run"
  done
  arguments=$(head -n 1 "$work/stdout" | grep -oE '=[0-9]+' | tr -d = | paste -sd ' ')
  "$heddle" list workloads "$1" >"$work/listing"
  grep -qE " tiny +$arguments\$" "$work/listing" || grep -qE " tiny +$arguments " "$work/listing" || fail "$1: catalogued with other numbers than $arguments"
}

# The example of a policy outside the tree, against an installed Heddle that has been moved.
plugin() {
  local prefix=$work/moved plug_in=$work/example/my_policy.so code
  cmake --install "$build" --prefix "$work/installed" >"$work/stderr" 2>&1 || fail "does not install"
  mv "$work/installed" "$prefix"
  cmake -S "$prefix/share/heddle/examples/my-policy" -B "$work/example" -DCMAKE_PREFIX_PATH="$prefix" >"$work/stderr" 2>&1 || fail "the example does not configure"
  cmake --build "$work/example" >"$work/stderr" 2>&1 || fail "the example does not build"
  heddle=$prefix/bin/heddle
  "$("$heddle" cc --print-toolkit)/bin/nvcc" -O2 "$prefix/share/heddle/workloads/vecadd.cu" -o "$work/vecadd" 2>"$work/stderr" || fail "the installed compiler does not work"
  run own --plugin "$plug_in" --scheduler load-bursts:off=40+by-slot:first=highest "$work/vecadd" tiny
  run gto --scheduler gto "$work/vecadd" tiny
  [ "$(instructions own)" = "$(instructions gto)" ] || fail "the plug-in executed other thread instructions than gto"
  "$heddle" list schedulers --plugin "$plug_in" by-slot >"$work/listing" 2>"$work/stderr" || fail "no listing"
  grep -q 'lowest|highest' "$work/listing" || fail "the plug-in's parameters are not listed"
  "$heddle" compare --plugin "$plug_in" --schedulers lrr,by-slot "$work/vecadd" tiny >"$work/listing" 2>"$work/stderr" || fail "compare fails"
  grep -q by-slot "$work/listing" || fail "compare does not show the plug-in"
  refuse 'first=middle.*lowest.highest' "$heddle" run --plugin "$plug_in" --scheduler by-slot:first=middle "$work/vecadd" tiny
  refuse 'by-slot exists already' "$heddle" run --plugin "$plug_in" --plugin "$plug_in" "$work/vecadd" tiny
  refuse 'nosuch.so: file not found' "$heddle" run --plugin "$work/nosuch.so" "$work/vecadd" tiny
  refuse 'vecadd.cu: cannot be loaded' "$heddle" list schedulers --plugin "$source/workloads/vecadd.cu"
  printf 'const unsigned heddle_plugin_abi = 1;\nvoid heddle_plugin_policies(void* into) { (void)into; }\n' >"$work/old.c"
  cc -shared -fPIC "$work/old.c" -o "$work/old.so" || fail "no C compiler"
  refuse 'ABI 1, this Heddle has [0-9]+' "$heddle" run --plugin "$work/old.so" "$work/vecadd" tiny
  printf 'int nothing;\n' >"$work/none.c"
  cc -shared -fPIC "$work/none.c" -o "$work/none.so"
  refuse 'has no heddle_plugin_abi' "$heddle" run --plugin "$work/none.so" "$work/vecadd" tiny
  sed 's/"by-slot"/"gto"/' "$source/examples/my-policy/my_policy.cc" >"$work/clash.cc"
  c++ -std=c++20 -shared -fPIC -I "$prefix/include/heddle" "$work/clash.cc" "$prefix/lib/libheddle_policy.a" -o "$work/clash.so" 2>"$work/stderr" || fail "does not build by hand"
  refuse 'gto exists already' "$heddle" run --plugin "$work/clash.so" "$work/vecadd" tiny
}

# Makefiles and CMake find a toolkit where they look for CUDA's.
projects() {
  local project=$source/tests/golden/project program
  CUDA_PATH=$("$heddle" cc --print-toolkit) || fail "no toolkit"
  export CUDA_PATH CUDACXX=$CUDA_PATH/bin/nvcc
  (mkdir "$work/make" && cd "$work/make" && make -f "$project/Makefile" SOURCE="$project") >"$work/stderr" 2>&1 || fail "make does not build"
  for program in "$project" "$project/older"; do
    cmake -S "$program" -B "$work/${program##*/}" -DCUDA_TOOLKIT_ROOT_DIR="$CUDA_PATH" -DCMAKE_BUILD_TYPE=Release >"$work/stderr" 2>&1 || fail "CMake does not configure $program"
    cmake --build "$work/${program##*/}" >"$work/stderr" 2>&1 || fail "CMake does not build $program"
  done
  for program in make/by_nvcc make/by_host project/by_cmake older/by_find_cuda; do run "ran_${program##*/}" "$work/$program"; done
}

study() {
  printf 'title = "t"\ngpus = ["ipaws"]\nschedulers = [%s]\n[best_of]\n"swl, best" = ["swl:warps=2", "swl:warps=4"]\n' "$1"
  printf '[[case]]\nname = "walk"\nprogram = ["patterns/row_walk", "%s"]\nwinners = ["gto"]\nexpect = ["%s"]\n' "$2" "$3"
}

# A study's table; a second sweep takes over what the first has measured.
sweep() {
  study '"lrr", "gto"' tiny 'swl, best ~ gto' >"$work/s.toml"
  "$heddle" sweep "$work/s.toml" --out "$work/kept" >"$work/first" 2>"$work/stderr" || fail "exit code $?"
  grep -q '4 runs, 0 taken over' "$work/stderr" || fail "not four runs"
  grep -qE '^\| `lrr` \| (\*\*)?1.00(\*\*)? \|$' "$work/first" || fail "no row of lrr"
  grep -qE '^\| `gto` \| .* ← \|$' "$work/first" || fail "the expected winner is not marked"
  grep -q '^- walk: `swl, best ~ gto`' "$work/first" || fail "the expectation is not judged"
  study '"lrr", "gto", "oldest"' tiny 'gto > gto' >"$work/s.toml"
  printf '<!-- sweep s -->\nold\n<!-- end of sweep s -->\nrest\n' >"$work/page.md"
  "$heddle" sweep "$work/s.toml" --out "$work/kept" --into "$work/page.md" 2>"$work/stderr" || fail "exit code $?"
  grep -q '1 runs, 4 taken over' "$work/stderr" || fail "measured again"
  grep -q '`oldest`' "$work/page.md" && grep -q '^rest$' "$work/page.md" && ! grep -q '^old$' "$work/page.md" || fail "the page is not right"
  grep -q 'gto > gto.*No reason is known' "$work/page.md" || fail "an expectation that cannot hold is not listed"
}

bad_study() {
  study '"lrr", "gto", "gtoo"' tiny 'lrr > lrr' >"$work/s.toml"
  refuse 'gtoo' "$heddle" sweep "$work/s.toml" --out "$work/kept"
  study '"lrr"' tiny 'lrr > lrr' >"$work/s.toml"
  refuse 's.toml:[0-9]+: winners' "$heddle" sweep "$work/s.toml" --out "$work/kept"
  study '"lrr", "gto"' tiny 'lrr gto' >"$work/s.toml"
  refuse 's.toml:[0-9]+: "lrr gto"' "$heddle" sweep "$work/s.toml" --out "$work/kept"
  study '"lrr", "gto"' tiny 'lrr > gto' | sed 's/^expect/expects/' >"$work/s.toml"
  refuse 'no key expects' "$heddle" sweep "$work/s.toml" --out "$work/kept"
  study '"lrr", "gto"' tiny 'lrr > gto' | sed 's/row_walk/nosuch/' >"$work/s.toml"
  refuse 'nosuch' "$heddle" sweep "$work/s.toml" --out "$work/kept"
  refuse 'no lines' "$heddle" sweep "$work/s.toml" --into "$source/README.md"
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

# Any number of threads gives the results of one.
threads() {
  local program=$build/workloads/$1
  for how in gtx480:lrr gtx480:ipaws gtx480:ccws qv100:daws qv100:gto; do
    local on=(--gpu "${how%:*}" --scheduler "${how#*:}")
    run alone "${on[@]}" "$program" tiny
    cp "$work/stdout" "$work/said"
    for number in 2 3 8; do
      run shared --threads "$number" --share-always "${on[@]}" "$program" tiny
      "$run_json" same "$work/alone/run.json" "$work/shared/run.json" 2>"$work/stderr" || fail "$how: $number threads differ from one"
      cmp -s "$work/stdout" "$work/said" || fail "$how: the program says something else with $number threads"
    done
  done
}

# Classifications and limits of one input serve another; not another program.
earlier_runs() {
  local kmeans=$build/workloads/kmeans code
  "$heddle" profile -o "$work/loads.toml" "$kmeans" tiny >"$work/stdout" 2>"$work/stderr" || fail "profile: exit code $?"
  [ "$(tail -n 1 "$work/stdout")" = PASS ] || fail "profile hides what the program says"
  grep -q 'local = true' "$work/loads.toml" && grep -q 'diverged = true' "$work/loads.toml" || fail "no row walk in the profile"
  run other_input --scheduler daws-profiled:profile="$work/loads.toml" "$kmeans" 8 1024 3 1
  refuse 'loads.toml: has no entry for kernel' "$heddle" run --scheduler daws-profiled:profile="$work/loads.toml" --out "$work/out" "$build/workloads/bfs" tiny
  refuse 'daws-profiled needs profile=FILE' "$heddle" run --scheduler daws-profiled --out "$work/out" "$kmeans" tiny
  sed 's/^instructions = .*/instructions = 1/' "$work/loads.toml" >"$work/old.toml"
  refuse 'old.toml:[0-9]+:1: the profile does not match kernel' "$heddle" run --scheduler daws-profiled:profile="$work/old.toml" --out "$work/out" "$kmeans" tiny
  "$heddle" best-swl --limits 1-2,8 -o "$work/limits.toml" "$kmeans" tiny >"$work/stdout" 2>"$work/stderr" || fail "best-swl: exit code $?"
  grep -q 'cycles by limit' "$work/stdout" || fail "best-swl draws nothing"
  run best --scheduler swl:best="$work/limits.toml" "$kmeans" 8 1024 3 1
  refuse 'needs best=FILE' "$heddle" run --scheduler swl:best --out "$work/out" "$kmeans" tiny
  refuse 'limits 0-2: must read like' "$heddle" best-swl --limits 0-2 "$kmeans" tiny
  "$heddle" compare --set sm.max_threads=256 --schedulers gto,swl:best,daws-profiled --out "$work/compared" "$kmeans" tiny >"$work/stdout" 2>"$work/stderr" || fail "compare: exit code $?"
  grep -q ' swl:best ' "$work/stdout" || fail "compare does not name swl:best"
  [ -f "$work/compared/best-swl-2.toml" ] || [ -f "$work/compared/best-swl.toml" ] || fail "compare keeps no limits"
}

# refuse PATTERN COMMAND...: it must end with an exit code of its own, one short diagnostic that holds PATTERN, and no result.
refuse() {
  local code
  diagnose "$@"
  [ $code -lt 70 ] || fail "exit code $code: $*"
}

diagnose() {
  local pattern=$1
  shift
  rm -rf "$work/out"
  "$@" >"$work/stdout" 2>"$work/stderr"
  code=$?
  [ $code -ne 0 ] || fail "accepted: $*"
  grep -qiE -- "$pattern" "$work/stderr" || fail "the diagnostic does not say \"$pattern\": $*"
  grep -qiE 'internal error|terminate called|core dumped' "$work/stderr" && fail "not a diagnostic: $*"
  [ "$(wc -l <"$work/stderr")" -le 15 ] || fail "too long for one diagnostic: $*"
  [ "$(grep -ciE '^(heddle: )?error' "$work/stderr")" -le 1 ] || fail "more than one diagnostic: $*"
  ! grep -q PASS "$work/stdout" || fail "said PASS: $*"
  [ ! -e "$work/out/run.json" ] || fail "left results: $*"
}

bad_out_of_bounds() {
  "$heddle" cc -O2 "$source/tests/golden/out_of_bounds.cu" -o "$work/program" 2>"$work/stderr" || fail "does not compile"
  refuse 'fill' "$heddle" run --gpu gtx480 "$work/program"
  grep -qiE 'bounds|allocation' "$work/stderr" || fail "the diagnostic does not name the mistake"
  refuse 'fill' "$heddle" run --functional "$work/program"
}

# A GPU, which checks whole pages, lets these loads pass.
stray_loads() {
  local mode
  "$heddle" cc -O2 "$source/tests/golden/stray_load.cu" -o "$work/program" 2>"$work/stderr" || fail "does not compile"
  for mode in "--gpu gtx480" "--gpu qv100 --threads 2" --functional; do
    "$heddle" run --quiet $mode "$work/program" >"$work/stdout" 2>"$work/stderr" || fail "failed with $mode"
    grep -q PASS "$work/stdout" || fail "no PASS with $mode"
    [ "$(grep -c '^heddle: warning: out-of-bounds load of 4 bytes' "$work/stderr")" -eq 1 ] || fail "not warned once with $mode: $(cat "$work/stderr")"
    grep -q 'stray_load.cu:9' "$work/stderr" || fail "not located with $mode"
    grep -q '4 bytes before the start of cudaMalloc #1' "$work/stderr" || fail "no address with $mode"
  done
  ! "$heddle" check "$work/program" >"$work/stdout" 2>&1 || fail "check finds nothing"
  grep -q 'out-of-bounds load' "$work/stdout" || fail "check does not say what"
}

compile_and_run() {
  "$heddle" cc -O2 --device-ptx "$1" "$2" -o "$work/program" && "$heddle" run --gpu gtx480 "$work/program" "$3"
}

bad_half_ptx() {
  local whole=$source/bench/reference/spmv.sm75.ptx
  head -c $(($(wc -c <"$whole") / 2)) "$whole" >"$work/half.ptx"
  refuse 'half\.ptx|spmv|PTX' compile_and_run "$work/half.ptx" "$source/bench/reference/spmv.cu" 1024
}

# Acts that are illegal on a GPU: located, and no result is left.
misdeeds() {
  local code out=$work/out
  "$heddle" cc -O2 "$source/tests/golden/misdeeds.cu" -o "$work/program" 2>"$work/stderr" || fail "does not compile"
  refuse 'misdeeds.cu:1[0-9].*' "$heddle" run --out "$out" "$work/program" misaligned
  refuse 'freed' "$heddle" run --out "$out" "$work/program" freed
  refuse 'deadlock' "$heddle" run --out "$out" "$work/program" deadlock
  refuse 'waits at' "$heddle" run --functional --out "$out" "$work/program" deadlock
  refuse 'misdeeds.cu.*turns in a loop in which nothing changes' "$heddle" run --out "$out" "$work/program" patience
  refuse 'misdeeds.cu.*' "$heddle" run --functional --out "$out" "$work/program" patience
  refuse 'a launch returns when its kernel has ended' "$heddle" run --out "$out" "$work/program" handshake
  refuse 'a launch returns when its kernel has ended' "$heddle" run --functional --out "$out" "$work/program" handshake
  local how pid
  for how in --functional --quiet; do  # what is not proven to hang is suspected of it, and goes on
    "$heddle" run $how "$work/program" counting >"$work/stdout" 2>"$work/stderr" &
    pid=$!
    while kill -0 $pid 2>/dev/null && ! grep -q 'an interrupt ends it' "$work/stderr"; do sleep 0.1; done
    kill -INT $pid 2>/dev/null || fail "ended by itself: $(cat "$work/stderr")"
    wait $pid && fail "exit code 0 after an interrupt"
    grep -q 'note: a kernel may wait for something that does not come' "$work/stderr" && grep -q 'misdeeds.cu:' "$work/stderr" || fail "$(cat "$work/stderr")"
  done
  refuse '2048' "$heddle" run --out "$out" "$work/program" large
  diagnose 'signal 11 ' "$heddle" run --out "$out" "$work/program" host
  [ $code -eq 139 ] || fail "a crash gave exit code $code"
  diagnose 'signal 6 ' "$heddle" run --out "$out" "$work/program" abort
  diagnose 'failed under lrr, gto' "$heddle" compare --schedulers lrr,gto "$work/program" freed
  [ "$(grep -c 'out-of-bounds store' "$work/stderr")" -eq 1 ] || fail "the same diagnostic twice"
}

# A failed assertion in CUDA's words, the program's own words about it, and an exit code that is not a whole run's, whatever the program's.
assertion() {
  "$heddle" cc -O2 "$source/tests/golden/failed_assert.cu" -o "$work/program" 2>"$work/stderr" || fail "does not compile"
  local code mode
  for mode in "" --functional; do
    diagnose 'Assertion `value < 60` failed' "$heddle" run --quiet $mode --out "$work/out" "$work/program"
    [ $code -eq 3 ] || fail "exit code $code"
    [ "$(grep -c 'failed_assert.cu:[0-9]*: void check(int): block: \[1,0,0\], thread: \[2[89],0,0\] Assertion' "$work/stderr")" -eq 2 ] || fail "not CUDA's words"
    grep -q '^heddle: error: device assertion failed' "$work/stderr" || fail "no diagnostic"
    [ "$(cat "$work/stdout")" = "launched: no error
value 58
value 59
cudaDeviceSynchronize: device-side assert triggered
cudaGetLastError: cudaErrorAssert
cudaMalloc: cudaErrorAssert" ] || fail "the program does not say what it should: $(cat "$work/stdout")"
  done
}

# What kernels print, at the same place and in the same order for every number of threads.
printed() {
  for threads in 1 2 3; do
    "$heddle" run --quiet --share-always --threads $threads "$build/tests/cuda/calls" >"$work/stdout$threads" 2>"$work/stderr" || fail "exit code $?"
    cmp -s "$work/stdout1" "$work/stdout$threads" || fail "other output with $threads threads"
  done
  [ "$(sed -n 1p "$work/stdout1")" = launched ] || fail "printed before the program waits"
  grep -qxF 'block 1 of 3: three  1.50|42  |-1234567890123 %' "$work/stdout1" || fail "printed wrongly"
}

# A run that is killed leaves no process, and no results that look whole.
killed() {
  local pid child
  for signal in TERM KILL; do  # a shell starts background jobs deaf to SIGINT
    "$heddle" run --out "$work/out" "$build/workloads/kmeans" full >"$work/stdout" 2>"$work/stderr" &
    pid=$!
    for _ in $(seq 100); do
      child=$(cat /proc/$pid/task/$pid/children 2>/dev/null)
      [ -n "$child" ] && [ -e "/proc/${child%% *}/maps" ] && grep -q libcudart "/proc/${child%% *}/maps" && break
      sleep 0.1
    done
    sleep 2
    if [ $signal = KILL ]; then kill -KILL $pid; else kill -$signal ${child%% *}; fi
    wait $pid && fail "SIG$signal: exit code 0"
    for _ in $(seq 50); do
      [ -e "/proc/${child%% *}" ] || break
      sleep 0.1
    done
    [ ! -e "/proc/${child%% *}" ] || fail "SIG$signal: the program runs on alone"
    [ ! -e "$work/out/run.json" ] || [ "$signal$("$run_json" get "$work/out/run.json" status)" = 'TERM"interrupted"' ] || fail "SIG$signal: results of half a run"
  done
}

steps() { "$heddle" cc -O2 "$source/tests/golden/steps.cu" -o "$work/steps" 2>"$work/stderr" || fail "does not compile"; }

# What is not timed is computed, and run.json says which is which.
timed_part() {
  local expected share
  steps
  timed() {
    local label=$1
    shift
    "$heddle" run --out "$work/$label" "$@" >"$work/stdout" 2>"$work/stderr" || fail "$label: exit code $?"
    [ "$(cat "$work/stdout")" = "$expected" ] || fail "$label: another result"
  }
  value() { "$run_json" get "$work/$1/run.json" "$2"; }
  expected=$("$heddle" run --functional "$work/steps" 3 2>"$work/stderr")
  timed whole "$work/steps" 3
  timed all --kernels all "$work/steps" 3
  "$run_json" same "$work/whole/run.json" "$work/all/run.json" 2>"$work/stderr" || fail "--kernels all is not the whole program"
  timed some --kernels 2..3,shift "$work/steps" 3
  [ "$(value some totals.simulated.timed)/$(value some totals.simulated.functional)" = 4/2 ] || fail "not four of six launches"
  [ "$(value some kernels.0.simulated)$(value some kernels.1.simulated)" = '"functional""timed"' ] || fail "the launches are not marked"
  [ "$(value some totals.thread_instructions)" -lt "$(value whole totals.thread_instructions)" ] || fail "totals of more than was timed"
  grep -q '4 of 6 launches timed: ' "$work/stderr" || fail "the summary does not say what share was timed"
  timed cut --skip 1 --limit-cycles 8000 "$work/steps" 3
  [ "$(value cut kernels.2.simulated)$(value cut kernels.3.simulated)" = '"cut""functional"' ] || fail "no launch was cut"
  grep -q 'not to its end' "$work/stderr" || fail "the summary does not tell of the cut"
  timed fewer --limit-instructions 400000 "$work/steps" 3
  [ "$(value fewer totals.thread_instructions)" -ge 400000 ] || fail "cut too early"
  "$heddle" compare --kernels mix --schedulers lrr,gto --out "$work/compared" "$work/steps" 2 >"$work/stdout" 2>"$work/stderr" || fail "compare: exit code $?"
  [ "$("$run_json" get "$work/compared/gto/run.json" totals.simulated.timed)" = 2 ] || fail "compare timed all"
  "$heddle" best-swl --kernels 3 --limits 4,8 "$work/steps" 2 >"$work/stdout" 2>"$work/stderr" || fail "best-swl: exit code $?"
  grep -q '^ mix' "$work/stdout" && ! grep -q '^ shift' "$work/stdout" || fail "best-swl searched other kernels"
  "$heddle" profile --kernels 1 -o "$work/loads.toml" "$work/steps" 2 >"$work/stdout" 2>"$work/stderr" || fail "profile: exit code $?"
  refuse 'nothing was timed.*steps|its kernels: mix, shift' "$heddle" run --kernels nosuch --out "$work/out" "$work/steps" 1
  refuse 'kernels 3-7' "$heddle" run --kernels 3-7 --out "$work/out" "$work/steps" 1
  refuse 'functional times nothing' "$heddle" run --functional --skip 1 "$work/steps" 1
  refuse 'skip: Value -1 not in range 0 to 1' "$heddle" run --skip -1 "$work/steps" 1
  refuse 'limit-cycles: Value 0 not in range 1 to 1' "$heddle" run --limit-cycles 0 "$work/steps" 1
  refuse 'limit-cycles' "$heddle" compare --limit-cycles 100 --schedulers lrr,gto "$work/steps" 1
}

# A program that would never end says where it is.
hangs() {
  local out=$work/out how
  steps
  for how in --functional --threads=1; do
    refuse 'deadlock' "$heddle" run "$how" --out "$out" "$work/steps" spin
    grep -q 'steps.cu:[0-9]*.*active lanes 0xffffffff' "$work/stderr" || fail "$how: no source line and lanes"
    grep -q 'turns in a loop in which nothing changes' "$work/stderr" || fail "$how: not told what the warps do"
    refuse 'deadlock' "$heddle" run "$how" --out "$out" "$work/steps" endless
  done
}

grid_sync() {
  "$heddle" cc -O2 "$source/tests/golden/grid_sync.cu" -o "$work/program" 2>"$work/stderr" || fail "does not compile"
  run timed "$work/program"
  run functional --functional "$work/program"
  run cut --limit-cycles 20000 "$work/program"
}

# Ctrl-C leaves the results of the launches that are complete; a second one leaves none.
interrupted() {
  local pid code
  steps
  for signal in INT TERM; do
    rm -rf "$work/out"
    : >"$work/stdout"
    "$heddle" run --out "$work/out" "$work/steps" 20000 told >"$work/stdout" 2>"$work/stderr" &
    pid=$!
    for _ in $(seq 600); do
      grep -q begun "$work/stdout" && break
      sleep 0.1
    done
    kill -$signal $pid
    wait $pid
    code=$?
    [ $code -eq $((128 + $(kill -l $signal))) ] || fail "SIG$signal: exit code $code"
    [ "$("$run_json" get "$work/out/run.json" status)" = '"interrupted"' ] || fail "SIG$signal: not marked"
    [ "$("$run_json" get "$work/out/run.json" totals.launches)" -ge 1 ] || fail "SIG$signal: no launch is complete"
    grep -q 'interrupted in launch\|interrupted between' "$work/stderr" || fail "SIG$signal: not said"
  done
  rm -rf "$work/out"
  timeout 2 "$heddle" run --out "$work/out" "$work/steps" 20000 >"$work/stdout" 2>"$work/stderr"
  [ $? -eq 124 ] && [ "$("$run_json" get "$work/out/run.json" status)" = '"interrupted"' ] || fail "ended by timeout, which signals twice: not marked"
  rm -rf "$work/out"
  "$heddle" run --out "$work/out" "$work/steps" counted >"$work/stdout" 2>"$work/stderr" &
  pid=$!
  sleep 2
  kill -INT $pid
  wait $pid
  code=$?
  [ $code -eq 130 ] || fail "in the first launch: exit code $code"
  [ ! -e "$work/out/run.json" ] || fail "results without a complete launch"
  grep -q 'warp 0 of CTA 0: .*steps.cu:[0-9]' "$work/stderr" || fail "not said where the warps stood"
  grep -q 'no kernel was finished' "$work/stderr" || fail "not said that there are no results"
}

# Results that cannot be written are noticed before the run.
unwritable() {
  touch "$work/file"
  refuse 'file' "$heddle" run --out "$work/file" "$build/workloads/vecadd" tiny
  refuse 'file' "$heddle" compare --out "$work/file/deeper" "$build/workloads/vecadd" tiny
  refuse 'full|proc' "$heddle" run --out /proc/full "$build/workloads/vecadd" tiny
}

# The README's program and commands, as printed there.
readme() {
  cd "$work" && ln -s "$build" build || fail "no place to work"
  sed -n '/^```cpp$/,/^```$/{/^```/d;p}' "$source/README.md" >saxpy.cu
  grep '^build/bin/heddle .*saxpy' "$source/README.md" >commands
  [ "$(wc -l <commands)" -ge 4 ] || fail "the README's commands are not found"
  while read -r command; do
    bash -c "$command" >stdout 2>stderr </dev/null || fail "exit code $?: $command"
    case $command in *" cc "*) ;; *) grep -qx 'y\[0\] = 5' stdout || fail "wrong output: $command" ;; esac
  done <commands
  [ -s results/run.json ] || fail "no results/run.json"
}

bad_script() {
  printf '#!/bin/sh\nexit 0\n' >"$work/script" && chmod +x "$work/script"
  refuse 'script' "$heddle" run "$work/script"
  refuse 'heddle cc' "$heddle" run "$source/tests/golden/misdeeds.cu"
}

bad_instruction() {
  sed 's/^\(.*\)fma\.rn\.f32/\1fmaa.rn.f32/' "$source/bench/reference/spmv.sm75.ptx" >"$work/odd.ptx"
  refuse 'odd\.ptx:[0-9]+:[0-9]+: .*fmaa' "$heddle" cc --device-ptx "$work/odd.ptx" "$source/bench/reference/spmv.cu" -o "$work/program"
}

bad_gpu() { refuse 'nosuch.*|gtx480' "$heddle" run --gpu nosuch "$build/workloads/vecadd" tiny; }
bad_pattern_sm() { refuse 'pattern-sm 15: gtx480 has 15 SMs' "$heddle" run --gpu gtx480 --details --pattern-sm 15 "$build/workloads/vecadd" tiny; }
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

# An independent reader of protocol buffers, where there is one, takes the trace and knows all its fields.
decodes() {
  command -v protoc >/dev/null || return 0
  protoc --decode=perfetto.Trace -I "$source/tests/golden" perfetto.proto <"$1" >"$work/decoded" 2>"$work/stderr" || fail "protoc cannot read the trace"
  ! grep -qE '^ *[0-9]+[:{ ]' "$work/decoded" || fail "the trace has fields that the format does not know"
  [ "$(grep -c TYPE_SLICE_BEGIN "$work/decoded")" = "$(grep -c TYPE_SLICE_END "$work/decoded")" ] || fail "slices that do not end"
  grep -q TYPE_COUNTER "$work/decoded" || fail "no counters"
}

# What is told on request adds up to what is told anyway, changes nothing, and is the same for any number of threads.
tells() {
  local program=$build/workloads/$1 gpu=$2 threads=1
  run plain --gpu "$gpu" "$program" tiny
  for label in first second; do
    run $label --gpu "$gpu" --threads $threads --details --explain --interval 500 --timeline "$work/$label.pftrace" --timeline-window 0:1000000 "$program" tiny
    cp "$work/stderr" "$work/$label.page"
    grep -q 'Hottest source lines' "$work/stderr" || fail "no explanation"
    [ "$(wc -l <"$work/stderr")" -le 60 ] || fail "the explanation does not fit on a page"
    threads=2
  done
  "$run_json" same "$work/first/run.json" "$work/second/run.json" 2>"$work/stderr" || fail "two watched runs differ"
  "$run_json" same_totals "$work/plain/run.json" "$work/first/run.json" 2>"$work/stderr" || fail "watching changed the run"
  "$build/bin/page_check" "$work/first.page" "$work/first/run.json" 2>"$work/stderr" || fail "the page says something else than run.json"
  "$run_json" adds_up "$work/first/run.json" - 2>"$work/stderr" || fail "details do not add up"
  cmp -s "$work/first.pftrace" "$work/second.pftrace" || fail "two timelines differ"
  "$build/bin/trace_check" "$work/first.pftrace" "$work/first/run.json" 2>"$work/stderr" || fail "the timeline is wrong"
  decodes "$work/first.pftrace"
  [ -s "$work/first/series.csv" ] || fail "no series.csv"
  [ "$(wc -c <"$work/plain/run.json")" -lt 200000 ] || fail "run.json is large although nothing was asked for"
}

# The issue pattern is of the SM asked for, and its warp slots add up to what that SM issued.
pattern_of() {
  run pattern --gpu gtx480 --details --pattern-sm "$1" "$build/workloads/kmeans" tiny
  "$run_json" pattern_of "$work/pattern/run.json" "$1" 2>"$work/stderr" || fail "the pattern is not that of SM $1"
}

# Pictures on the terminal without colour codes, and as SVG that an XML parser takes.
pictures() {
  local program=$build/workloads/kmeans
  "$heddle" compare --plot --schedulers lrr,gto,ccws "$program" tiny >"$work/stdout" 2>"$work/stderr" || fail "compare --plot: exit code $?"
  grep -q 'speed-up over lrr' "$work/stdout" && grep -q 'issue slots by use' "$work/stdout" || fail "compare --plot shows no picture"
  ! grep -q "$(printf '\033')" "$work/stdout" || fail "colour codes in a file"
  run plotted --plot --scheduler ipaws "$program" tiny
  grep -q 'over time' "$work/stderr" || fail "run --plot shows no picture"
  run plain --scheduler ipaws "$program" tiny
  "$run_json" same_totals "$work/plain/run.json" "$work/plotted/run.json" 2>"$work/stderr" || fail "plotting changed the run"
  "$heddle" run --plot "$work/run.svg" --scheduler ipaws "$program" tiny >"$work/stdout" 2>"$work/stderr" || fail "run --plot FILE: exit code $?"
  "$heddle" compare --plot "$work/compare.svg" --schedulers lrr,gto "$program" tiny >"$work/stdout" 2>"$work/stderr" || fail "compare --plot FILE: exit code $?"
  for picture in run compare; do
    tail -n 1 "$work/$picture.svg" | grep -qx '</svg>' || fail "$picture.svg is cut"
    [ "$(grep -c '<text' "$work/$picture.svg")" -gt 10 ] || fail "$picture.svg says nothing"
    ! command -v python3 >/dev/null || python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$work/$picture.svg" 2>"$work/stderr" || fail "$picture.svg is not XML"
  done
  refuse 'svg' "$heddle" run --plot=picture.png "$program" tiny
}

# micro PRESET: the preset's own parameters come back out of the microbenchmarks.
micro() {
  local preset=$1 program
  for program in latency memory capacity throughput; do
    run "$program" --gpu "$preset" "$build/workloads/micro/$program"
    cat "$work/stdout" >>"$work/figures"
  done
  "$build/bin/micro_check" "$work/latency/run.json" "$work/figures" 2>"$work/stderr" || fail "$preset: other figures than its parameters"
}

# heddle ptx: what is in a program, and all of what is refused in a text.
describes_ptx() {
  "$heddle" ptx "$build/workloads/reduction" >"$work/stdout" 2>"$work/stderr" || fail "exit code $? for a supported program"
  grep -q "everything in it is supported" "$work/stdout" || fail "the program's PTX is not described"
  printf '.version 7.0\n.target sm_75\n.address_size 64\n.entry k() {\n.reg .b32 %%r<9>;\nsetmaxnreg.inc.sync.aligned.u32 64;\nadd.s32 %%r1, %%r2, 3;\nfrob.b32 %%r1;\nret;\n}\n' >"$work/bad.ptx"
  "$heddle" ptx "$work/bad.ptx" >"$work/stdout" 2>"$work/stderr"
  [ $? = 2 ] || fail "an unsupported instruction does not give exit code 2"
  grep -q "bad.ptx:6:1: unsupported instruction 'setmaxnreg" "$work/stdout" && grep -q "bad.ptx:8:1: unsupported instruction 'frob" "$work/stdout" || fail "not every refusal is listed"
  grep -q "^k " "$work/stdout" || fail "the kernel is not listed"
  "$heddle" ptx "$work/nothing" >"$work/stdout" 2>"$work/stderr"
  [ $? = 2 ] || fail "a missing file does not give exit code 2"
}

# Lanes that spin on a lock of their own warp get it one after the other.
own_lock() {
  "$heddle" cc "$source/tests/golden/own_lock.cu" -o "$work/own_lock" 2>"$work/stderr" || fail "own_lock.cu does not compile"
  run functional --functional "$work/own_lock"
  run timed --gpu qv100 "$work/own_lock"
}

# found NAME TOOL WHAT THREAD [OTHER_THREAD]: heddle check finds the planted mistake, and nothing else.
found() {
  local line other source_file=$source/tests/golden/planted.cu
  line=$(grep -n "// here: $1\$" "$source_file" | cut -d: -f1) other=$(grep -n "// other: $1\$" "$source_file" | cut -d: -f1)
  "$heddle" check --out "$work/checked" "$work/planted" "$1" >"$work/stdout" 2>"$work/stderr"
  [ $? -eq 3 ] || fail "$1: the exit code is not 3"
  grep -q "^heddle: $2: .*$3" "$work/stderr" || fail "$1: no finding says '$2: $3'"
  grep -qE "^  kernel   $1\(.*planted\.cu:$line, " "$work/stderr" || fail "$1: the finding does not name line $line"
  grep -qF "  thread   $4" "$work/stderr" || fail "$1: the finding does not name thread $4"
  [ $# -lt 5 ] || grep -qE "^  other    ${5//[()]/.}" "$work/stderr" || fail "$1: the finding does not name thread $5"
  [ -z "$other" ] || grep -qE "^  other .*planted\.cu:$other, " "$work/stderr" || fail "$1: the finding does not name line $other"
  grep -q "^heddle: check: 1 finding in 1 kernel launch" "$work/stderr" || fail "$1: not one finding"
  grep -q '"what"' "$work/checked/check.json" || fail "$1: no check.json"
}

# clean PROGRAM ARGUMENT...
clean() {
  "$heddle" check "$@" >"$work/stdout" 2>"$work/stderr" || fail "$*: exit code $?"
  [ "$(tail -n 1 "$work/stdout")" = PASS ] || fail "$*: the program does not say PASS"
  grep -q '^heddle: check: no findings in' "$work/stderr" || fail "$*: no summary"
}

checks() {
  local first='(0,0,0) of CTA (0,0,0)'
  "$heddle" cc -O2 "$source/tests/golden/planted.cu" -o "$work/planted" 2>"$work/stderr" || fail "does not compile"
  clean "$work/planted" none
  found past_the_end memory 'out-of-bounds store of 4 bytes' '(0,0,0) of CTA (2,0,0)'
  grep -q 'address .*, 0 bytes after the end of cudaMalloc #1 (.*1024 bytes)' "$work/stderr" || fail "the nearest allocation is not told"
  found freed memory 'use of freed memory: load of 4 bytes' "$first"
  found straddle memory 'misaligned store' '(5,0,0) of CTA (0,0,0)'
  found past_the_tile memory 'out-of-bounds store' '(63,0,0) of CTA (0,0,0)'
  found no_barrier races 'race in shared memory: write after read' '(64,0,0) of CTA (0,0,0)' '(63,0,0) of CTA (0,0,0) reads'
  found read_then_write races 'race in shared memory: read after write' '(32,0,0) of CTA (0,0,0)' "$first writes"
  found between_ctas races 'race in global memory: write after write' '(0,0,0) of CTA (1,0,0)' "$first writes"
  found one_place races 'different values to one place' "$first" '(1,0,0) of CTA (0,0,0) writes'
  found unwritten init 'load of 4 bytes of global memory' "$first"
  found unwritten_tile init 'load of 4 bytes of shared memory' '(48,0,0) of CTA (0,0,0)'
  found divergent barriers 'barrier in divergent code' '(32,0,0) of CTA (0,0,0)' '(40,0,0) of CTA (0,0,0)'
  found two_places barriers 'from different places' '(32,0,0) of CTA (0,0,0)' "$first"
  found two_counts barriers 'for different numbers of threads' '(32,0,0) of CTA (0,0,0)' "$first"
  found never_meet barriers 'deadlock' "$first"
  found not_a_member barriers 'mask of bar.warp.sync leaves out' '(15,0,0) of CTA (0,0,0)'
  found absent_member barriers 'mask of shfl.sync names threads' "$first" '(20,0,0) of CTA (0,0,0)'
  found inactive_source barriers 'reads from a thread that does not' '(15,0,0) of CTA (0,0,0)' '(16,0,0) of CTA (0,0,0)'
  clean "$work/planted" leak
  "$heddle" check --leaks "$work/planted" leak >"$work/stdout" 2>"$work/stderr"
  [ $? -eq 3 ] && [ "$(grep -c 'memory that is not freed' "$work/stderr")" = 2 ] || fail "two leaks are not told"
  "$heddle" check --tool init,memory "$work/planted" no_barrier >"$work/stdout" 2>"$work/stderr" || fail "a tool that was not asked for looks"
  refuse 'must be memory, races' "$heddle" check --tool race "$work/planted" none
}

bad_window() { refuse 'FROM:TO' "$heddle" run --timeline "$work/t" --timeline-window 5 "$build/workloads/vecadd" tiny; }

"$@"
