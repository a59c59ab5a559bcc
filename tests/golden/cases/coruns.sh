# Several captured programs on one simulated GPU.

# captured NAME WORKLOAD SIZE: $work/NAME.hcap
captured() {
  succeed "capture $1" "$heddle" capture --quiet -o "$work/$1.hcap" "$build/workloads/$2" "$3"
}

# together LABEL ARGUMENT...: results in $work/LABEL/run.json.
together() {
  local label=$1
  shift
  succeed "$label" "$heddle" corun --quiet --out "$work/$label" "$@"
}

coruns() {
  captured vec vecadd tiny
  captured red reduction tiny
  together two --shares leftover,spatial,even,smk,warped-slicer --explain --svg "$work/two.svg" \
    "$work/vec.hcap" -- "$work/red.hcap"
  grep -q 'P0 vec' "$work/stdout" && grep -q 'Under warped-slicer' "$work/stdout" ||
    fail "the programs or policies are not named"
  grep -q '<svg' "$work/two.svg" || fail "no picture"
  corun_alone_equals_run
  corun_beside_nothing
  corun_threads_agree
  together twice --once "$work/vec.hcap" -- "$work/vec.hcap"
  [ "$(value twice shared.0.programs.1.name)" = '"P1 vec"' ] || fail "a capture named twice"
  together live --json "$work/vec.hcap" -- "$build/workloads/reduction" tiny
  grep -q '"stp"' "$work/stdout" || fail "--json prints no JSON"
  refused_coruns
}

# A program alone has the statistics of heddle run.
corun_alone_equals_run() {
  run vec-run "$build/workloads/vecadd" tiny
  for key in cycles thread_instructions l1d.misses l2.misses dram.requests; do
    [ "$(value two alone.0.totals.$key)" = "$(value vec-run totals.$key)" ] ||
      fail "$key of a program alone differs from the run's"
  done
}

# Beside a program that launches nothing, a program runs as alone under every policy.
corun_beside_nothing() {
  together single --shares spatial,even "$work/vec.hcap"
  for i in 0 1; do
    [ "$(value single shared.$i.programs.0.totals)" = "$(value single alone.0.totals)" ] ||
      fail "a co-run of one program is not the run alone"
  done
}

corun_threads_agree() {
  together threads --shares leftover,spatial,even,smk,warped-slicer --threads 3 --force-threads \
    "$work/vec.hcap" -- "$work/red.hcap"
  same two threads "results depend on the number of threads"
}

refused_coruns() {
  refuse 'no program is given' "$heddle" corun
  refuse 'nosuch' "$heddle" corun "$work/nosuch.hcap" -- "$work/vec.hcap"
  refuse 'no arguments' "$heddle" corun "$work/vec.hcap" tiny -- "$work/vec.hcap"
  refuse 'no option --bad' "$heddle" corun --bad "$work/vec.hcap"
  refuse 'did you mean spatial' "$heddle" corun --share spatal "$work/vec.hcap"
  local seventeen=("$work/vec.hcap")
  for _ in $(seq 16); do seventeen+=(-- "$work/vec.hcap"); done
  refuse '17 programs share a GPU; at most 16' "$heddle" corun "${seventeen[@]}"
  head -c 2000 "$work/vec.hcap" >"$work/short.hcap"
  refuse 'short.hcap' "$heddle" corun --out "$work/out" "$work/short.hcap" -- "$work/vec.hcap"
  compile out_of_bounds
  "$heddle" capture --quiet -o "$work/faulty.hcap" "$work/out_of_bounds" 2>/dev/null
  diagnose 'out-of-bounds store' \
    "$heddle" corun --out "$work/out" "$work/vec.hcap" -- "$work/faulty.hcap"
}

interrupted_corun() {
  local pid code
  captured long kmeans small
  "$heddle" corun --out "$work/out" "$work/long.hcap" -- "$work/long.hcap" \
    >"$work/stdout" 2>"$work/stderr" &
  pid=$!
  sleep 2
  kill -INT $pid
  wait $pid
  code=$?
  [ $code -eq 130 ] || fail "exit code $code"
  [ ! -e "$work/out/run.json" ] || fail "results of an interrupted co-run"
  grep -q 'interrupted; no results' "$work/stderr" || fail "the interrupt is not reported"
}
