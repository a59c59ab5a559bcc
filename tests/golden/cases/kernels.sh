# Kernels without a host program.

# Every verb takes a description in the place of a program.
described_kernels_run_in_every_verb() {
  cp -r "$golden/kernels" "$work/k"
  local file=$work/k/saxpy.toml
  succeed "run" "$heddle" run --details --interval 100 --out "$work/r" "$file"
  printed_pass || fail "the elements are not the expected ones"
  succeed "explain" "$heddle" run --explain "$file"
  succeed "compare" "$heddle" compare --schedulers lrr,gto "$file"
  succeed "check" "$heddle" check "$file"
  grep -q 'no findings in 2 kernel launches' "$work/stderr" || fail "check found something"
  succeed "analyze" "$heddle" analyze "$file"
  succeed "capture" "$heddle" capture -o "$work/k.hcap" "$file"
  succeed "replay" "$heddle" run --out "$work/again" "$work/k.hcap"
  [ "$("$run_json" get "$work/r/run.json" totals.cycles)" = \
    "$("$run_json" get "$work/again/run.json" totals.cycles)" ] ||
    fail "the capture has other cycles"
  refuse 'take no arguments' "$heddle" run "$file" tiny
  refuse 'describe its launches in a kernel.toml' "$heddle" run "$work/k/saxpy.ptx"
  refuse 'device code without a program.*--cubin [^ ]*add.cubin ./PROGRAM' \
    "$heddle" run --isa sass "$golden/add.cubin"
}

# A study measures again when a file that the description names has changed.
described_kernels_in_studies() {
  cp -r "$golden/kernels" "$work/k"
  printf '%s\n' 'title = "t"' 'gpus = ["gtx480"]' 'schedulers = ["lrr"]' '[[case]]' \
    'name = "saxpy"' 'program = ["./k/saxpy.toml"]' >"$work/s.toml"
  local expected
  for expected in '1 runs, 0 kept' '0 runs, 1 kept' '1 runs, 0 kept'; do
    succeed "sweep" "$heddle" sweep "$work/s.toml" --out "$work/s.sqlite"
    grep -q "heddle: $expected" "$work/stderr" || fail "not: $expected"
    [ "$expected" = '1 runs, 0 kept' ] || echo "// changed" >>"$work/k/saxpy.ptx"
  done
}
