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
  refuse 'no lines' "$heddle" sweep "$work/s.toml" --into "$source/README.md"
}
