# heddle sweep: the table of a study, results that a second sweep reuses, invalid studies.

# study SCHEDULERS SIZE EXPECTATION: prints a study.
study() {
  printf '%s\n' 'title = "t"' 'gpus = ["ipaws"]' "schedulers = [$1]" '[best_of]' \
    '"swl, best" = ["swl:warps=2", "swl:warps=4"]' '[[case]]' 'name = "walk"' \
    "program = [\"patterns/row_walk\", \"$2\"]" 'winners = ["gto"]' "expected = [\"$3\"]"
}

# A study's table. A second sweep measures only what the first has not measured.
sweep() {
  study '"lrr", "gto"' tiny 'swl, best ~ gto' >"$work/s.toml"
  "$heddle" sweep "$work/s.toml" --out "$work/kept" >"$work/first" 2>"$work/stderr" ||
    fail "exit code $?"
  grep -q '4 runs, 0 kept' "$work/stderr" || fail "not four runs"
  grep -qE '^\| `lrr` \| (\*\*)?1.00(\*\*)? \|$' "$work/first" || fail "no row of lrr"
  grep -qE '^\| `gto` \| .* ← \|$' "$work/first" || fail "the expected winner is not marked"
  grep -q '^- walk: `swl, best ~ gto`' "$work/first" || fail "the expectation is not checked"
  study '"lrr", "gto", "oldest"' tiny 'gto > gto' >"$work/s.toml"
  printf '<!-- sweep s -->\nold\n<!-- end of sweep s -->\nrest\n' >"$work/page.md"
  succeed sweep "$heddle" sweep "$work/s.toml" --out "$work/kept" --into "$work/page.md"
  grep -q '1 runs, 4 kept' "$work/stderr" || fail "measured again"
  grep -q '`oldest`' "$work/page.md" || fail "the page has no new table"
  grep -q '^rest$' "$work/page.md" || fail "the rest of the page is lost"
  ! grep -q '^old$' "$work/page.md" || fail "the page has the old table"
  grep -q 'gto > gto.*No reason is known' "$work/page.md" ||
    fail "an impossible expectation is not listed"
  # As a job of Slurm starts it: without tasks it ends at once.
  succeed worker "$heddle" sweep worker "$work/none" --part 1 --parts 2
}

# A file that determines results changes while a sweep runs: nothing is kept under a wrong key.
changed_program() {
  cp "$build/workloads/patterns/stream" "$work/program"
  printf '%s\n' 'title = "t"' 'gpus = ["ipaws"]' 'schedulers = ["lrr"]' '[grid]' \
    'seed = {from = 1, to = 400, step = 1}' '[[case]]' 'name = "walk"' \
    'program = ["./program", "tiny"]' >"$work/s.toml"
  "$heddle" sweep "$work/s.toml" --out "$work/s.sqlite" >/dev/null 2>"$work/stderr" &
  local sweep=$! finished=0
  until [ "$finished" -gt 0 ] 2>/dev/null; do
    kill -0 $sweep 2>/dev/null || fail "the sweep ended early"
    finished=$("$heddle" results "$work/s.sqlite" 2>/dev/null | grep -c ' lrr ')
  done
  cp "$work/program" "$work/new" && printf 'x' >>"$work/new" && mv "$work/new" "$work/program"
  wait $sweep
  [ $? -eq 2 ] || fail "the sweep goes on with another program"
  [ "$(grep -c 'error: the program .*/program has changed since the sweep began' \
    "$work/stderr")" = 1 ] || fail "no diagnostic"
}

invalid_study() {
  refuse_study() { refuse "$1" "$heddle" sweep "$work/s.toml" --out "$work/kept"; }
  study '"lrr", "gto", "gtoo"' tiny 'lrr > lrr' >"$work/s.toml"
  refuse_study 'gtoo'
  study '"lrr"' tiny 'lrr > lrr' >"$work/s.toml"
  refuse_study 's.toml:[0-9]+: winners'
  study '"lrr", "gto"' tiny 'lrr gto' >"$work/s.toml"
  refuse_study 's.toml:[0-9]+: "lrr gto"'
  study '"lrr", "gto"' tiny 'lrr > gto' | sed 's/^expected/expects/' >"$work/s.toml"
  refuse_study 'no key expects'
  study '"lrr", "gto"' tiny 'lrr > gto' | sed 's/row_walk/nosuch/' >"$work/s.toml"
  refuse_study 'nosuch'
  # Mistakes that only GPUs, policies and files reveal name the line of their case.
  refuse_case() { # PATTERN SED_EXPRESSION
    study '"lrr", "gto"' tiny 'lrr > gto' | sed "$2" >"$work/s.toml"
    refuse_study "s.toml:6: case \"walk.*\": .*$1"
  }
  refuse_case "there is no GPU 'ipawz'; did you mean ipaws" '/^gpus/s/ipaws/ipawz/'
  refuse_case "sm.l1d.wayz" '/^program/a set = ["sm.l1d.wayz=4"]'
  refuse_case "swl" '/^"swl, best"/s/warps=4/warpz=4/'
  refuse_case 'unknown CTA scheduler' '/^expected/d; s/^winners.*/cta_schedulers = ["rrr"]/'
  refuse_case 'unknown share policy' '/^expected/d; s/^winners.*/shares = ["spatiel"]/'
  refuse_case 'there is no input file' '/^program/a inputs = ["missing.txt"]'
  refuse_case 'sm.l1d.ways' '/^program/a grid = {"sm.l1d.ways" = [4, -1]}'
  refuse 'no lines' "$heddle" sweep "$work/s.toml" --into "$source/README.md"
}

# A survey of two programs under three policies: pages, their values, and a second run that measures
# nothing.
survey() {
  mkdir -p "$work/papers/few"
  printf '%s\n' 'title = "Few"' 'gpus = ["ipaws", "kaws"]' 'schedulers = ["lrr", "gto"]' \
    '[best_of]' '"Best-SWL" = ["swl:warps=1", "swl:warps=4"]' \
    '[[case]]' 'name = "walk"' 'program = ["patterns/row_walk", "tiny"]' \
    '[[case]]' 'name = "stream"' 'program = ["patterns/stream", "tiny"]' >"$work/papers/few/t.toml"
  printf '%s\n' 'title = "A few policies"' 'baseline = "lrr"' 'oracles = ["Best-SWL"]' \
    '[[part]]' 'size = "tiny"' 'study = "t"' '[[left_out]]' 'what = "ccws"' 'reason = "time"' \
    >"$work/papers/few/survey.toml"
  local command=("$heddle" reproduce few --experiments "$work/papers" -o "$work/pages")
  "${command[@]}" >"$work/first" 2>"$work/stderr" || fail "exit code $?"
  grep -q 'few-t: 16 runs, 0 were in' "$work/stderr" || fail "not sixteen runs"
  local page=$work/pages/few.md
  grep -q '^- ccws: time$' "$page" || fail "what is left out is not listed"
  grep -q '16 runs completed: up to 2 programs on 2 GPUs' "$page" || fail "what ran is not said"
  # The mean of the page is that of the cycles in the store.
  local mean
  mean=$(sqlite3 "$work/pages/few.sqlite" "SELECT printf('%.3f', speedup) FROM geometric_means
    WHERE gpu = 'kaws' AND row = 'gto'")
  sed -n '/^### Geometric means/,/^### Winners/p' "$page" | grep -q "^| gto | .* | $mean |$" ||
    fail "the mean of gto on kaws is not $mean"
  [ -s "$work/pages/few-tiny.svg" ] || fail "there is no picture"
  [ "$(tail -n 1 "$work/pages/few.html")" = '</html>' ] || fail "the HTML page is not whole"
  grep -q '"kind":"document"' "$work/pages/few.html" || fail "the HTML page has no document"
  succeed again "${command[@]}"
  grep -q 'few-t: 0 runs, 16 were in' "$work/stderr" || fail "measured again"
  cp "$page" "$work/before.md"
  sqlite3 "$work/pages/few.sqlite" "DELETE FROM runs WHERE id =
    (SELECT run_id FROM study_runs WHERE gpu = 'kaws' AND row = 'swl:warps=4' LIMIT 1)"
  succeed from_store "${command[@]}" --from-store
  grep -q '15 runs completed' "$page" || fail "a missing run is counted"
  grep -q '^| .* | kaws | swl:warps=4 | not run |$' "$page" || fail "a missing run is not listed"
  refuse 'no part of size small; sizes: tiny' "${command[@]}" --size small
  refuse 'few has no figures' "${command[@]}" --figure 1
  refuse 'papers: few' "$heddle" reproduce many --experiments "$work/papers"
}
