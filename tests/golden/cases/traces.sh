# Programs that Accel-Sim's tracer has recorded.

traces() {
  mkdir -p "$work/traces" && python3 "$golden/traces/make_traces.py" "$work/traces"
  list=$work/traces/kernelslist.g
}

# add, and two kernels of the same name that overlap in their streams.
traces_are_timed() {
  traces
  succeed "heddle run --trace" "$heddle" run --gpu rtx3070 --trace "$list" --out "$work/r"
  python3 - "$work/r/run.json" <<'P' || fail "run.json has other kernels"
import json, sys
kernels = json.load(open(sys.argv[1]))["kernels"]
assert [k["name"] for k in kernels][0] == "_Z3addPf", kernels
assert [k["warp_instructions"] for k in kernels] == [24 * 4 * 8, 24 * 4 * 14, 24 * 4 * 14]
assert kernels[0]["shared_bytes"] == 2048 and kernels[0]["registers_per_thread"] == 16
assert kernels[1]["sm"]["barriers"] == 24 * 4
P
  succeed "under other policies" "$heddle" compare --gpu qv100 --schedulers lrr,gto,two-level,cawa \
    "$list"
  grep -q gto "$work/stdout" || fail "the comparison lacks gto"
}

traces_do_not_depend_on_the_number_of_threads() {
  traces
  local threads
  for threads in 1 4; do
    succeed "$threads threads" "$heddle" run --quiet --gpu rtx3070 --threads $threads \
      --force-threads --trace "$list" --out "$work/r$threads"
  done
  "$run_json" same "$work/r1/run.json" "$work/r4/run.json" || fail "the results differ"
}

traces_may_be_timed_in_part() {
  traces
  succeed "--limit-cycles" "$heddle" run --gpu rtx3070 --limit-cycles 500 "$list"
  succeed "--kernels" "$heddle" run --gpu rtx3070 --kernels 2 --out "$work/r" "$list"
  grep -q '1 of 3 launches timed' "$work/stderr" || fail "another number of launches was timed"
}

what_needs_values_is_refused_for_traces() {
  traces
  refuse 'a functional run needs the values' "$heddle" run --functional "$list"
  refuse 'heddle check needs the values' "$heddle" check --trace "$list"
  refuse 'heddle analyze needs the values' "$heddle" analyze "$list"
  refuse 'heddle capture needs the values' "$heddle" capture -o "$work/c.hcap" "$list"
  refuse 'is a list of traces: captures of programs are needed' "$heddle" corun "$list" -- "$list"
  refuse 'take no arguments' "$heddle" run "$list" tiny
  refuse 'addresses of machine code and traces are not analysed' \
    "$heddle" run --cta-scheduler mapped "$list"
  refuse 'omit prog' "$heddle" run --trace "$list" prog
  refuse 'not a list of copies' "$heddle" run --trace "$work/traces/kernel-1.traceg"
}

damaged_traces_are_refused_with_their_place() {
  traces
  sed -i 's/FADD/FBAD/' "$work/traces/kernel-1.traceg"
  refuse 'kernel-1.traceg:[0-9]*: the instruction FBAD is not known' \
    "$heddle" run --gpu rtx3070 "$list"
}
