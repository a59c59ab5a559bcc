# Launches that run at once: the cycles of a run are those in which at least one is active.

# elapsed: the cycles that the program printed last, between its two events.
elapsed() { tail -2 "$work/stdout" | head -1; }

# near NUMBER NUMBER: the second is at least the first and little more. A launch ends within a
# window of a few cycles; what waits for it continues after the window.
near() { [ "$1" -le "$2" ] && [ "$2" -le $(($1 + 100)) ]; }

overlapping_launches() {
  compile overlap -O2
  run streams "$work/overlap" streams
  near "$(value streams totals.cycles)" "$(elapsed)" ||
    fail "$(value streams totals.cycles) cycles in all, $(elapsed) elapsed"
  grep -qE 'Launches overlap: .* count once' "$work/stderr" || fail "the summary does not say it"
  run threads --threads 3 "$work/overlap" streams
  same streams threads "three threads change the results"
  run turn "$work/overlap" turn
  near "$(value turn totals.cycles)" "$(elapsed)" ||
    fail "$(value turn totals.cycles) cycles in turn, $(elapsed) elapsed"
  ! grep -q 'Launches overlap' "$work/stderr" || fail "launches of one stream overlap"
  [ "$(value streams totals.cycles)" -lt "$(value turn totals.cycles)" ] ||
    fail "launches in turn take fewer cycles than at once"
  [ "$(value turn totals.cycles)" -eq "$(sum_of_cycles turn)" ] ||
    fail "launches in turn do not add up"
  [ "$(value streams totals.cycles)" -lt "$(sum_of_cycles streams)" ] || fail "nothing overlaps"
  overlap_in_captures
  overlap_in_studies
}

# sum_of_cycles LABEL: of all launches.
sum_of_cycles() {
  local sum=0 i
  for i in 0 1 2 3 4 5 6 7 8; do sum=$((sum + $(value "$1" kernels.$i.cycles))); done
  echo $sum
}

overlap_in_captures() {
  succeed capture "$heddle" capture --quiet -o "$work/overlap.hcap" "$work/overlap" streams
  succeed replayed "$heddle" run --quiet --out "$work/replayed" "$work/overlap.hcap"
  succeed alone "$heddle" corun --quiet --once --out "$work/alone" "$work/overlap.hcap"
  local key
  for key in cycles ipc sm.cycles sm.cycles_without_issue rates.resident_warps slots.issued; do
    [ "$(value streams totals.$key)" = "$(value replayed totals.$key)" ] ||
      fail "$key of the replay differs"
    [ "$(value streams totals.$key)" = "$(value alone alone.0.totals.$key)" ] ||
      fail "$key of the co-run of one program differs"
  done
}

# A study ranks by elapsed cycles: both cases have the same launches.
overlap_in_studies() {
  printf '%s\n' 'title = "t"' 'gpus = ["gtx480"]' 'schedulers = ["gto"]' \
    '[[case]]' 'name = "streams"' "program = [\"$work/overlap\", \"streams\"]" \
    '[[case]]' 'name = "turn"' "program = [\"$work/overlap\", \"turn\"]" >"$work/study.toml"
  succeed sweep "$heddle" sweep "$work/study.toml" --quiet --out "$work/s.sqlite"
  local mode
  for mode in streams turn; do
    succeed list "$heddle" results "$work/s.sqlite" --csv - --stats cycles
    grep -q ",$(value $mode totals.cycles)\$" "$work/stdout" ||
      fail "the store has other cycles of $mode"
  done
  succeed best "$heddle" best-swl --limits 4,48 --out "$work/limits.toml" "$work/overlap" streams
  run limited --scheduler swl:warps=48+gto "$work/overlap" streams
  grep -q "^cycles = .*\[48, $(value limited totals.cycles)\]" "$work/limits.toml" ||
    fail "best-swl compares other cycles: $(grep '^cycles' "$work/limits.toml" | head -1)"
}
