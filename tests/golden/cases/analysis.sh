# The address analysis through the command line.

# addresses_agree: in every program of the catalogue each executed access has the address that the
# analysis predicts.
addresses_agree() {
  local name count=0
  while read -r name; do
    succeed "$name" "$heddle" run --functional --check-analysis "$build/workloads/$name" tiny
    grep -qE '^heddle: [1-9][0-9,]* addresses of lanes agree with' "$work/stderr" ||
      fail "$name: no address was compared"
    count=$((count + 1))
  done < <(sed -n 's/^name = "\(.*\)"/\1/p' "$source"/workloads/{catalogue,suites}.toml |
    grep -v '^micro/')
  [ "$count" -ge 66 ] || fail "only $count programs in the catalogue"
}

# analyze_shows_forms_and_sharing: a matrix is read along columns, so CTAs that are neighbours along
# y share lines.
analyze_shows_forms_and_sharing() {
  local program=$build/workloads/ctamap/tr text
  succeed "heddle analyze" "$heddle" analyze --gpu ctamap "$program" tiny
  for text in '*(16*bidx + tidx) + 16*bidy + tidy)' '*(16*bidy + tidy) + 16*bidx + tidx)' \
    'CTAs share lines at distances of up to 1 along y: direction y'; do
    grep -qF "$text" "$work/stdout" || fail "heddle analyze does not print: $text"
  done
  succeed "heddle analyze --json" "$heddle" analyze --gpu ctamap --json "$program" tiny
  for text in '"line_bytes": 128' '"affine": true' '"direction": "y"'; do
    grep -qF "$text" "$work/stdout" || fail "heddle analyze --json does not print: $text"
  done
  "$heddle" analyze "$work/nothing" 2>"$work/stderr" && fail "a missing program is analysed"
  grep -q 'nothing' "$work/stderr" || fail "the missing program is not named"
}
