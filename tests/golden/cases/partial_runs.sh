# Runs that are timed in part, interrupted or killed.

# timed LABEL ARGUMENT...: heddle run must succeed and print `expected`.
timed() {
  local label=$1
  shift
  succeed "$label" "$heddle" run --out "$work/$label" "$@"
  [ "$(cat "$work/stdout")" = "$expected" ] || fail "$label: another result"
}

# both LABEL KEY KEY: two values of run.json.
both() { printf '%s %s' "$(value "$1" "$2")" "$(value "$1" "$3")"; }

# Launches that are not timed run functionally, and run.json marks them.
timed_part() {
  local expected
  compile steps
  expected=$("$heddle" run --functional "$work/steps" 3 2>"$work/stderr")
  timed whole "$work/steps" 3
  timed all --kernels all "$work/steps" 3
  same whole all "--kernels all is not the whole program"
  timed some --kernels 2..3,shift "$work/steps" 3
  [ "$(both some totals.simulated.timed totals.simulated.functional)" = '4 2' ] ||
    fail "not four of six launches"
  [ "$(both some kernels.0.simulated kernels.1.simulated)" = '"functional" "timed"' ] ||
    fail "the launches are not marked"
  [ "$(instructions some)" -lt "$(instructions whole)" ] ||
    fail "the totals contain more than the timed launches"
  grep -q '4 of 6 launches timed: ' "$work/stderr" ||
    fail "the summary does not report what share was timed"
  timed truncated --skip 1 --limit-cycles 8000 "$work/steps" 3
  [ "$(both truncated kernels.2.simulated kernels.3.simulated)" = '"truncated" "functional"' ] ||
    fail "no launch was truncated"
  grep -q 'not to its end' "$work/stderr" ||
    fail "the summary does not report the truncated launch"
  timed fewer --limit-instructions 400000 "$work/steps" 3
  [ "$(instructions fewer)" -ge 400000 ] || fail "truncated too early"
  timed_part_of_other_verbs
  refused_parts
}

timed_part_of_other_verbs() {
  succeed compare "$heddle" compare --kernels mix --schedulers lrr,gto --out "$work/compared" \
    "$work/steps" 2
  [ "$(value compared/gto totals.simulated.timed)" = 2 ] || fail "compare timed all launches"
  succeed best-swl "$heddle" best-swl --kernels 3 --limits 4,8 "$work/steps" 2
  grep -q '^ mix' "$work/stdout" && ! grep -q '^ shift' "$work/stdout" ||
    fail "best-swl searched other kernels"
  succeed profile "$heddle" profile --kernels 1 -o "$work/loads.toml" "$work/steps" 2
}

refused_parts() {
  refuse 'nothing was timed.*steps|its kernels: mix, shift' \
    "$heddle" run --kernels nosuch --out "$work/out" "$work/steps" 1
  refuse 'kernels 3-7' "$heddle" run --kernels 3-7 --out "$work/out" "$work/steps" 1
  refuse 'functional times nothing' "$heddle" run --functional --skip 1 "$work/steps" 1
  refuse 'skip: Value -1 not in range 0 to 1' "$heddle" run --skip -1 "$work/steps" 1
  refuse 'limit-cycles: Value 0 not in range 1 to 1' \
    "$heddle" run --limit-cycles 0 "$work/steps" 1
  refuse 'limit-cycles' \
    "$heddle" compare --limit-cycles 100 --schedulers lrr,gto "$work/steps" 1
}

# One Ctrl-C or SIGTERM keeps the results of the complete launches.
interrupted() {
  local pid code signal
  compile steps
  for signal in INT TERM; do
    rm -rf "$work/out"
    : >"$work/stdout"
    "$heddle" run --out "$work/out" "$work/steps" 20000 announce \
      >"$work/stdout" 2>"$work/stderr" &
    pid=$!
    for _ in $(seq 600); do
      grep -q begun "$work/stdout" && break
      sleep 0.1
    done
    kill -$signal $pid
    wait $pid
    code=$?
    [ $code -eq $((128 + $(kill -l $signal))) ] || fail "SIG$signal: exit code $code"
    [ "$(value out status)" = '"interrupted"' ] || fail "SIG$signal: not marked"
    [ "$(value out totals.launches)" -ge 1 ] || fail "SIG$signal: no launch is complete"
    grep -q 'interrupted in launch\|interrupted between' "$work/stderr" ||
      fail "SIG$signal: the interrupt is not reported"
  done
  interrupted_by_timeout
  interrupted_in_first_launch
}

# timeout sends its signal twice.
interrupted_by_timeout() {
  rm -rf "$work/out"
  timeout 2 "$heddle" run --out "$work/out" "$work/steps" 20000 >"$work/stdout" 2>"$work/stderr"
  [ $? -eq 124 ] && [ "$(value out status)" = '"interrupted"' ] ||
    fail "ended by timeout: not marked"
}

interrupted_in_first_launch() {
  local pid code
  rm -rf "$work/out"
  "$heddle" run --out "$work/out" "$work/steps" counted >"$work/stdout" 2>"$work/stderr" &
  pid=$!
  sleep 2
  kill -INT $pid
  wait $pid
  code=$?
  [ $code -eq 130 ] || fail "in the first launch: exit code $code"
  [ ! -e "$work/out/run.json" ] || fail "results without a complete launch"
  grep -q 'warp 0 of CTA 0: .*steps.cu:[0-9]' "$work/stderr" ||
    fail "the position of the warps is not reported"
  grep -q 'no kernel was finished' "$work/stderr" || fail "missing results are not reported"
}

# After a killed run, no process remains, and no results look complete.
killed() {
  local pid child signal
  for signal in TERM KILL; do  # not INT: background jobs of a shell ignore it
    "$heddle" run --out "$work/out" "$build/workloads/kmeans" full \
      >"$work/stdout" 2>"$work/stderr" &
    pid=$!
    for _ in $(seq 100); do
      child=$(cat /proc/$pid/task/$pid/children 2>/dev/null)
      [ -n "$child" ] && [ -e "/proc/${child%% *}/maps" ] &&
        grep -q libcudart "/proc/${child%% *}/maps" && break
      sleep 0.1
    done
    sleep 2
    if [ $signal = KILL ]; then kill -KILL $pid; else kill -$signal ${child%% *}; fi
    wait $pid && fail "SIG$signal: exit code 0"
    for _ in $(seq 50); do
      [ -e "/proc/${child%% *}" ] || break
      sleep 0.1
    done
    [ ! -e "/proc/${child%% *}" ] || fail "SIG$signal: the program still runs"
    [ ! -e "$work/out/run.json" ] || [ "$signal$(value out status)" = 'TERM"interrupted"' ] ||
      fail "SIG$signal: partial results are not marked"
  done
}

sampled_study() {
  cat >"$work/sampled.toml" <<'T'
title = "Sampled"
gpus = ["gtx480"]
schedulers = ["lrr", "gto"]
sample = true
[[case]]
name = "hotspot"
program = ["rodinia/hotspot", "40", "80", "2"]
T
  succeed sweep "$heddle" sweep --out "$work/sampled.sqlite" "$work/sampled.toml"
  grep -q '`gto` |.* ±0\.' "$work/stdout" || fail "the study's table has no error bar"
  succeed results "$heddle" results "$work/sampled.sqlite" --stats ipc
  grep -q ' ± [0-9.]* %' "$work/stdout" || fail "the list of runs has no error bar"
  succeed report "$heddle" report "$work/sampled.sqlite" -o "$work/sampled.html"
  grep -q 'Figures of all runs are estimates' "$work/sampled.html" || fail "the page has no mark"
  grep -q '"bars":' "$work/sampled.html" || fail "the page has no error bars"
}

# The estimate of a sampled run has the cycles of the whole program inside its bar; what is not
# sampled is timed whole.
sampled_runs() {
  local program=("$build/workloads/rodinia/hotspot" 40 80 2)
  run whole "${program[@]}"
  run sampled --sample "${program[@]}"
  grep -q '9 of 40 launches timed' "$work/stderr" || fail "another number of launches is timed"
  grep -q 'Figures are estimates for the whole program: ' "$work/stderr" || fail "no mark"
  python3 - "$work/whole/run.json" "$work/sampled/run.json" <<'P' || fail "a wrong estimate"
import json, sys
whole, sampled = (json.load(open(file)) for file in sys.argv[1:])
estimate, totals = sampled["sample"]["estimates"][0], whole["totals"]
assert abs(estimate["value"] - totals["cycles"]) <= estimate["bar"] < 0.2 * totals["cycles"]
assert sampled["totals"]["launches"] == 40 and "sample" not in whole
assert abs(sampled["totals"]["thread_instructions"] / totals["thread_instructions"] - 1) < 0.001
P
  succeed "compare" "$heddle" compare --sample --plot "$work/bars.svg" "${program[@]}"
  grep -q '<title>gto: [0-9.]* ± [0-9.]*</title>' "$work/bars.svg" || fail "the picture has no bars"
  grep -q 'The cycles are estimates' "$work/stdout" || fail "the comparison has no mark"
  run small --sample "$build/workloads/vecadd" tiny
  grep -q 'every launch is timed whole' "$work/stderr" || fail "a short launch is sampled"
  "$run_json" get "$work/small/run.json" sample >/dev/null 2>&1 && fail "and marked"
  succeed estimate "$heddle" run --estimate "${program[@]}"
  grep -q 'sampled run: at most .*: 9 launches are timed' "$work/stdout" || fail "no estimate"
  sampled_study
  refuse 'omit one of them' "$heddle" run --sample --functional "${program[@]}"
  refuse 'fails in the functional pass' "$heddle" run --sample "${program[@]}" 1 2 3 4
}

# One part is the whole run. Several parts execute what the whole executes; only caches at the
# joints differ.
runs_in_parts() {
  local program=("$build/workloads/rodinia/hotspot" 40 80 2)
  run whole "${program[@]}"
  run one --parts 1 "${program[@]}"
  grep -q 'parts' "$work/stderr" && fail "one part is marked"
  run four --parts 4 --jobs 2 "${program[@]}"
  grep -q 'Put together from 4 parts' "$work/stderr" || fail "no mark"
  [ ! -e "$work/four/parts" ] || fail "the folder of the parts is left"
  succeed capture "$heddle" capture -q -o "$work/hotspot.hcap" "${program[@]}"
  succeed captured "$heddle" run -q --parts 4 --out "$work/captured" "$work/hotspot.hcap"
  [ ! -s "$work/stdout" ] || fail "parts of a capture print"
  python3 - "$work"/{whole,one,four,captured}/run.json <<'P' || fail "other results"
import json, sys
whole, one, four, captured = (json.load(open(file)) for file in sys.argv[1:])
assert one["totals"] == whole["totals"] and one["kernels"] == whole["kernels"]
assert one["program"] == whole["program"] and "parts" not in whole
assert captured["totals"] == four["totals"] and captured["kernels"] == four["kernels"]
ends = [(part["first_launch"], part["last_launch"]) for part in four["parts"]]
assert ends == [(1, 10), (11, 20), (21, 30), (31, 40)], ends
for key in ("launches", "thread_instructions", "warp_instructions", "simulated"):
    assert four["totals"][key] == whole["totals"][key], key
assert abs(four["totals"]["cycles"] / whole["totals"]["cycles"] - 1) < 0.02
end = 0
for mine, theirs in zip(four["kernels"], whole["kernels"], strict=True):
    assert mine["name"] == theirs["name"]
    assert mine["thread_instructions"] == theirs["thread_instructions"]
    assert mine["start_cycle"] >= end
    end = mine["start_cycle"] + mine["cycles"]
P
  refuse 'needs --out' "$heddle" run --parts 2 "${program[@]}"
  refuse 'omit one of them' "$heddle" run --parts 2 --functional --out "$work/o" "${program[@]}"
  refuse 'omit one of them' "$heddle" run --parts 2 --sample --out "$work/o" "${program[@]}"
  refuse 'omit one of them' "$heddle" run --parts 2 --kernels 1 --out "$work/o" "${program[@]}"
  refuse 'failed while it was captured' "$heddle" run --parts 2 --out "$work/o" "${program[@]}" 1 2
  mkdir -p "$work/foreign/parts"
  refuse 'does not hold parts' "$heddle" run --parts 2 --out "$work/foreign" "${program[@]}"
}

# A part that is killed runs again; a command that is killed is resumed by the same command.
resumed_parts() {
  local pid
  compile steps
  run_steps() { "$heddle" run --out "$work/$1" "${@:2}" "$work/steps" 120 >"$work/stdout"; }
  run_steps whole 2>"$work/stderr" || fail "whole: exit code $?"
  "$heddle" run --out "$work/parts" --parts 5 --jobs 1 "$work/steps" 120 \
    >"$work/stdout" 2>"$work/stderr" &
  pid=$!
  for _ in $(seq 600); do
    sqlite3 "$work/parts/parts/parts.sqlite" 'SELECT key FROM runs' 2>/dev/null | grep -q . && break
    sleep 0.1
  done
  pkill -KILL -P $pid
  sleep 0.3
  kill -TERM $pid
  wait $pid
  [ $? -eq 143 ] || fail "SIGTERM: another exit code"
  grep -q 'the same command resumes' "$work/stderr" || fail "no word about resuming"
  [ ! -e "$work/parts/run.json" ] || fail "results of some parts"
  run_steps parts --parts 5 2>"$work/stderr" || fail "resumed: exit code $?"
  grep -q '[1-4] of 5 parts are kept' "$work/stderr" || fail "no part is kept"
  [ "$(instructions parts)" = "$(instructions whole)" ] || fail "other instructions"
}
