# Workloads: correct under every scheduler, repeatable, independent of the number of threads.

every_scheduler() {
  "$heddle" list schedulers | awk 'NR > 1 && !NF { exit } NR > 1 && /^[^ ]/ { print $1 }'
}

# compare_schedulers GPU SCHEDULER...: the program passes under each, with the thread instructions
# `expected`. One command runs all of them: a thousand commands take more time than their runs.
compare_schedulers() {
  local gpu=$1 results=$work/$1.results list folder labels=()
  shift
  list=$(IFS=, && printf '%s' "$*")
  succeed "$gpu" "$heddle" compare -j1 --gpu "$gpu" --schedulers "$list" --out "$results" \
    "$program" tiny
  grep -qx PASS "$work/stdout" || fail "$gpu: the program does not print PASS"
  ! grep -q 'output differs between schedulers' "$work/stdout" ||
    fail "$gpu: the program does not print PASS under every scheduler"
  for folder in "$results"/*/; do
    folder=${folder%/}
    labels+=("${folder#"$work/"}")
  done
  [ ${#labels[@]} -eq $# ] || fail "$gpu: $# schedulers have ${#labels[@]} results"
  same_instructions "$expected" "${labels[@]}"
}

# passes WORKLOAD: correct under every scheduler, on GPUs with few and with many warps and
# schedulers per SM. The number of thread instructions is the same everywhere.
passes() {
  local program=$build/workloads/$1 expected gpu schedulers
  run functional --gpu gtx480 --functional "$program" tiny
  expected=$(instructions functional)
  [ "$expected" -gt 0 ] || fail "no instructions counted"
  succeed profile "$heddle" profile --gpu gtx480 -o "$work/loads.toml" "$program" tiny
  mapfile -t schedulers < <(every_scheduler | grep -v daws-profiled)
  schedulers+=(daws-profiled:profile="$work/loads.toml" swl:warps=1 swl:warps=3+srr ccws+lrr
    daws:sticky=yes owl:switch_on=any_stall ipaws:greedy=ccws ipaws:greedy=mascar)
  for gpu in gtx480 ipaws qv100; do
    compare_schedulers "$gpu" "${schedulers[@]}"
  done
  # Policies with mechanisms of their own, on a GPU where each scheduler has its own latches and
  # all loads use the L1.
  compare_schedulers kaws_l1 kaws kaws:share=any_free,order=off mascar mascar:sched=off,entries=4 \
    cawa ipaws:greedy=mascar
}

# pattern GPU PROGRAM: correct under the orders and limiters that it was made for. The list of
# workloads gives the numbers that the program prints.
pattern() {
  local gpu=$1 program=$build/workloads/$2 scheduler arguments
  local schedulers=(lrr gto ccws daws:sticky=yes kaws saws)
  run functional --functional "$program" tiny
  for scheduler in "${schedulers[@]}"; do
    run "$scheduler" --gpu "$gpu" --scheduler "$scheduler" "$program" tiny
  done
  same_instructions "$(instructions functional)" "${schedulers[@]}"
  arguments=$(head -n 1 "$work/stdout" | grep -oE '=[0-9]+' | tr -d = | paste -sd ' ')
  "$heddle" list workloads "$2" >"$work/listing"
  grep -qE " tiny +$arguments( |\$)" "$work/listing" ||
    fail "$2: listed with other numbers than $arguments"
}

# suite_program NAME [ARGUMENT...]: correct without timing and in time on two GPUs, and without
# findings; tiny without arguments.
suite_program() {
  local program=$build/workloads/$1 how
  shift
  set -- "${@:-tiny}"
  run functional --functional "$program" "$@"
  for how in ipaws:lrr qv100:gto; do
    run "$how" --gpu "${how%:*}" --scheduler "${how#*:}" "$program" "$@"
  done
  same_instructions "$(instructions functional)" ipaws:lrr qv100:gto
  clean "$program" "$@"
}

suite_versions() {
  suite_program rodinia/srad 48 32 2 64 2
  suite_program parboil/stencil 70 10 5 2 2
  suite_program parboil/stencil 70 10 5 2 3
}

# The catalogue has the sizes of the programs, which they print when the size is unknown.
listed_sizes() {
  local name size numbers printed= count=0
  while IFS=$'\t' read -r name size numbers; do
    [ "$name" = "$printed" ] ||
      "$heddle" run --functional "$build/workloads/$name" nosuchsize >"$work/usage" 2>&1
    printed=$name
    [ "$(sed -n "s/^  .*\b$size \([0-9]*\).*/\1/p" "$work/usage" | paste -sd ' ')" = "$numbers" ] ||
      fail "$name: the catalogue has other numbers than the program for $size: $numbers"
    count=$((count + 1))
  done < <(sed -n -e 's/^name = "\(.*\)"/\1/;t name' \
    -e 's/^sizes\.\([a-z]*\) = \[\(.*\)\]/\1\t\2/;t size' -e 'd;:name;h;d' \
    -e ':size;s/,//g;G;s/\(.*\)\n\(.*\)/\2\t\1/;p' "$source"/workloads/{catalogue,suites}.toml)
  [ "$count" -ge 198 ] || fail "only $count sizes in the catalogue"
}

# ctamap_shapes NAME: correct with other CTA shapes, with sizes that are no multiple of them, in the
# other version, and under lrr, gto and ccws on both GPUs.
ctamap_shapes() {
  local program=$build/workloads/ctamap/$1 gpu scheduler shape
  local -a shapes
  case $1 in
    micro_bench) shapes=('128 20 160 32 8 2' '96 9 96 8 32 1') ;;
    matmul) shapes=('50 21 24 64 32 8 1' '64 32 32 64 16 16 2' '64 32 64 64 32 8 2') ;;
    conv) shapes=('70 21 96 32 8 5' '40 33 64 8 32 4') ;;
    demosaic) shapes=('70 21 96 32 8' '41 33 64 8 32') ;;
    imregionmax) shapes=('70 21 96 32 8 2' '41 33 64 8 32 5') ;;
    tr) shapes=('70 21 96 32 8 1' '70 21 96 16 16 2' '41 33 64 8 32 2') ;;
    mum) shapes=('100 300 300 16 8 32 1' '100 300 500 16 8 64 2') ;;
    lps) shapes=('70 21 4 32 8' '40 33 3 16 16') ;;
  esac
  for shape in "${shapes[@]}"; do
    for gpu in gtx480 ctamap; do
      for scheduler in lrr gto ccws; do
        # shellcheck disable=SC2086
        run shape --gpu "$gpu" --scheduler "$scheduler" "$program" $shape
      done
    done
  done
}

# The same run twice gives the same results.
repeats() {
  local program=$build/workloads/$1 scheduler
  for scheduler in lrr gto; do
    run first --gpu gtx480 --scheduler "$scheduler" "$program" tiny
    run second --gpu gtx480 --scheduler "$scheduler" "$program" tiny
    same first second "$scheduler: two runs differ"
  done
}

# Any number of threads gives the results of one thread.
threads() {
  local program=$build/workloads/$1 how number options
  for how in gtx480:lrr gtx480:ipaws gtx480:ccws qv100:daws qv100:gto; do
    options=(--gpu "${how%:*}" --scheduler "${how#*:}")
    run one_thread "${options[@]}" "$program" tiny
    cp "$work/stdout" "$work/printed"
    for number in 2 3 8; do
      run more_threads --threads "$number" --force-threads "${options[@]}" "$program" tiny
      same one_thread more_threads "$how: $number threads differ from one"
      cmp -s "$work/stdout" "$work/printed" ||
        fail "$how: the program prints something else with $number threads"
    done
  done
}

# Classifications and limits measured with one input serve another input, but not another program.
earlier_runs() {
  local kmeans=$build/workloads/kmeans
  local profiled=daws-profiled:profile=$work/loads.toml old=daws-profiled:profile=$work/old.toml
  local compared=$work/compared
  succeed profile "$heddle" profile -o "$work/loads.toml" "$kmeans" tiny
  [ "$(tail -n 1 "$work/stdout")" = PASS ] || fail "profile hides what the program prints"
  grep -q 'local = true' "$work/loads.toml" && grep -q 'diverged = true' "$work/loads.toml" ||
    fail "no row walk in the profile"
  run other_input --scheduler "$profiled" "$kmeans" 8 1024 3 1
  refuse 'loads.toml: has no entry for kernel' \
    "$heddle" run --scheduler "$profiled" --out "$work/out" "$build/workloads/bfs" tiny
  refuse 'daws-profiled needs profile=FILE' \
    "$heddle" run --scheduler daws-profiled --out "$work/out" "$kmeans" tiny
  sed 's/^instructions = .*/instructions = 1/' "$work/loads.toml" >"$work/old.toml"
  refuse 'old.toml:[0-9]+:1: the profile does not match kernel' \
    "$heddle" run --scheduler "$old" --out "$work/out" "$kmeans" tiny
  succeed best-swl "$heddle" best-swl --limits 1-2,8 -o "$work/limits.toml" "$kmeans" tiny
  grep -q 'cycles by limit' "$work/stdout" || fail "best-swl draws nothing"
  run best --scheduler swl:best="$work/limits.toml" "$kmeans" 8 1024 3 1
  refuse 'needs best=FILE' "$heddle" run --scheduler swl:best --out "$work/out" "$kmeans" tiny
  refuse 'limits 0-2: must read like' "$heddle" best-swl --limits 0-2 "$kmeans" tiny
  succeed compare "$heddle" compare --set sm.max_threads=256 \
    --schedulers gto,swl:best,swl:best_per_kernel,daws-profiled --out "$compared" "$kmeans" tiny
  grep -q ' swl:best ' "$work/stdout" && grep -q ' swl:best_per_kernel ' "$work/stdout" ||
    fail "compare does not name both limits"
  [ -f "$compared/best-swl-2.toml" ] || [ -f "$compared/best-swl.toml" ] ||
    fail "compare keeps no limits"
}

# A program with PTX and register counts that were given by hand runs like any other.
reference() {
  local program name size
  for program in vecadd:12 sgemm:60 spmv:20 reduce:10; do
    name=${program%:*} size=4096
    [ "$name" = sgemm ] && size=32
    "$heddle" cc -O2 --device-ptx "$source/bench/reference/$name.sm75.ptx" \
      "$source/bench/reference/$name.cu" -o "$work/$name" 2>"$work/stderr" ||
      fail "$name does not compile"
    succeed "$name" \
      "$heddle" run --gpu gtx480 --registers "$name=${program#*:}" "$work/$name" "$size"
    grep -q 'mismatches=0 .*PASS' "$work/stdout" || fail "$name: wrong result"
  done
}

# micro PRESET: the microbenchmarks measure the preset's own parameters, and the page has the
# figures.
micro() {
  local preset=$1 program
  for program in latency memory capacity throughput; do
    run "$program" --gpu "$preset" "$build/workloads/micro/$program"
    cat "$work/stdout" >>"$work/figures"
  done
  "$build/bin/micro_check" "$work/latency/run.json" "$work/figures" "$preset" \
    "$source/docs/microbenchmarks.md" 2>"$work/stderr" ||
    fail "$preset: the figures differ from its parameters or from the page"
}

# On a compiler-guided core the program passes with the same statistics for every number of threads,
# and no instruction issues before the latencies of the machine allow it.
guided_core() {
  local program=$build/workloads/$1 threads
  for threads in 1 2; do
    run "threads_$threads" --gpu h200 --set sm.core=compiler_guided --scheduler cggty \
      --threads $threads "$program" tiny
  done
  same_totals threads_1 threads_2 "two runs differ"
  [ "$(value threads_1 totals.sm.control_violations)" = 0 ] || fail "a control word is wrong"
}
