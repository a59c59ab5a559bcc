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
  sampled_coruns
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

# The bars of a sampled co-run contain the figures of the whole one.
sampled_coruns() {
  succeed "capture long" "$heddle" capture --quiet -o "$work/long.hcap" \
    "$build/workloads/vecadd" 800000
  local pair=(--share even "$work/long.hcap"
    -- "$build/workloads/ctamap/micro_bench" 640 640 1024 16 16 1)
  together whole "${pair[@]}"
  together sampled --sample "${pair[@]}"
  grep -q ' ± .* ±: estimates of a sampled co-run' <(tr '\n' ' ' <"$work/stdout") ||
    fail "estimates have no bars"
  python3 - "$work/whole/run.json" "$work/sampled/run.json" <<'P' || fail "a wrong estimate"
import json, sys
whole, sampled = (json.load(open(file))["shared"][0] for file in sys.argv[1:])
assert abs(sampled["stp"] - whole["stp"]) <= sampled["bars"]["stp"] < 0.2
for one, exact in zip(sampled["programs"], whole["programs"]):
    assert abs(one["cycles"] - exact["cycles"]) <= one["bars"]["cycles"] < 0.1 * exact["cycles"]
    assert one["repetitions"] == exact["repetitions"]
    instructions = [program["totals"]["thread_instructions"] for program in (one, exact)]
    assert abs(instructions[0] / instructions[1] - 1) < 0.001
assert "bars" not in whole
P
  together short --sample "$work/vec.hcap" -- "$work/red.hcap"
  grep -q 'every launch is timed whole' "$work/stderr" || fail "short launches are sampled"
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

# A study of co-runs: the store has the figures of heddle corun, and a sweep resumes.
corun_study() {
  cat >"$work/pairs.toml" <<'END'
title = "pairs"
gpus = ["gtx480"]
schedulers = ["gto", "K0=gto,K1=lrr"]
shares = ["spatial", "even"]
[[program]]
name = "VEC"
program = ["vecadd", "tiny"]
registers = ["add=20"]
[[program]]
name = "RED"
program = ["reduction", "tiny"]
[[case]]
coruns = [["VEC", "RED"], ["RED", "RED"]]
END
  local command=("$heddle" sweep "$work/pairs.toml" --out "$work/pairs.sqlite")
  succeed sweep "${command[@]}"
  grep -q '8 runs, 0 kept' "$work/stderr" || fail "not eight runs"
  grep -qE '^\| `gto with even` \| [0-9.]+ \([0-9.]+ [0-9.]+\) \|' "$work/stdout" ||
    fail "the table has no STP and progress"
  captured red reduction tiny
  "$heddle" capture --quiet --registers add=20 -o "$work/vec.hcap" \
    "$build/workloads/vecadd" tiny >/dev/null
  together both --share even --scheduler K0=gto,K1=lrr --registers add=20 \
    "$work/vec.hcap" -- "$work/red.hcap"
  stored_equals VEC-RED stp "$(value both shared.0.stp)"
  stored_equals VEC-RED cycles "$(value both shared.0.cycles)"
  stored_equals VEC-RED programs.RED.ipc "$(value both shared.0.programs.1.ipc)"
  stored_equals VEC-RED programs.VEC.alone.ipc "$(value both alone.0.ipc)"
  stored_equals VEC-RED programs.VEC.l1d.misses \
    "$(value both shared.0.programs.0.totals.l1d.misses)"
  [ "$(sqlite3 "$work/pairs.sqlite" "SELECT COUNT(*) FROM kernels WHERE name LIKE 'RED 2: %'")" \
    -gt 0 ] || fail "the second copy has no launches"
  sqlite3 "$work/pairs.sqlite" \
    "PRAGMA foreign_keys = ON; DELETE FROM runs WHERE scheduler = 'gto' AND share = 'even'"
  succeed again "${command[@]}"
  grep -q '2 runs, 6 kept' "$work/stderr" || fail "the sweep does not resume"
  succeed details "$heddle" sweep "$work/pairs.toml" --details --out "$work/details.sqlite"
  succeed report "$heddle" report "$work/details.sqlite" -o "$work/pairs.html"
  grep -q 'RED 2: ' "$work/pairs.html" || fail "the page has no kernels of the second copy"
  corun_figures
  rm -r "$work/papers"  # the store has its copy of the study, which would be another one
  sed -i 's/"reduction", "tiny"/"reduction", "nosize"/' "$work/pairs.toml"
  "${command[@]}" >"$work/stdout" 2>"$work/stderr" && fail "a program that fails is not noticed"
  grep -q 'reduction failed while it was captured' "$work/stderr" || fail "no diagnostic"
  sed -i 's/"even"/"evn"/' "$work/pairs.toml"
  refuse 'pairs.toml:12: case "VEC-RED": .*evn' "${command[@]}"
}

# A paper's figure in two parts, with bars and a claim about programs of co-runs.
corun_figures() {
  mkdir -p "$work/papers/p"
  cp "$work/pairs.toml" "$work/papers/p/pairs.toml"
  printf '%s\n' 'title = "T"' 'source = "S"' 'gpu = "gtx480"' >"$work/papers/p/paper.toml"
  local part
  for part in a b; do
    cat >>"$work/papers/p/paper.toml" <<'END'
[[figure]]
number = "1 (PART)"
title = "IPC"
study = "pairs"
statistic = "ipc"
shown_as = "ratio"
rows = ["gto with spatial", "gto with even"]
over = "gto with spatial"
cases = ["VEC-RED: VEC", "VEC-RED: RED"]
[[figure.claim]]
text = "RED has a mean IPC"
source = "s"
row = "gto with even"
statistic = "ipc / alone.ipc"
cases = ["VEC-RED: RED"]
direction = "> 0"
END
    sed -i "s/PART/$part/" "$work/papers/p/paper.toml"
  done
  local command=("$heddle" reproduce p --experiments "$work/papers" --out "$work/pages")
  succeed reproduce "${command[@]}" --store "$work/pairs.sqlite" --figure 1
  grep -q 'pairs: 0 runs, 2 were in' "$work/stderr" ||
    fail "not the two runs that the figure needs, or they are done again"
  grep -q '^2 claims: 2 hold' "$work/stdout" || fail "not both parts, or the claims fail"
  [ -s "$work/pages/p-figure-1-a.svg" ] && [ -s "$work/pages/p-figure-1-b.svg" ] ||
    fail "a part has no picture"
  local progress
  progress=$(sqlite3 "$work/pairs.sqlite" "SELECT printf('%.2f', value) FROM study_runs
    JOIN run_statistics USING(run_id) WHERE case_name = 'VEC-RED' AND row = 'gto with even'
    AND statistic = 'programs.RED.progress'")
  grep -q "RED has a mean IPC | s | - | $progress | holds" "$work/pages/p.md" ||
    fail "the claim is not about the program RED"
  refuse 'no figure 2; figures: 1 .a., 1 .b.' "${command[@]}" --figure 2
}

# stored_equals CASE STATISTIC VALUE: of the run under K0=gto,K1=lrr with even.
stored_equals() {
  local stored
  stored=$(sqlite3 "$work/pairs.sqlite" "SELECT abs(value - $3) <= 1e-9 * $3 FROM study_runs x
    JOIN run_statistics s USING(run_id) WHERE case_name = '$1' AND statistic = '$2'
    AND row = 'K0=gto,K1=lrr with even'")
  [ "$stored" = 1 ] || fail "$2 of $1 in the store is not $3"
}
