# CTA schedulers through the command line.

cta_schedulers() {
  "$heddle" list cta-schedulers | awk 'NR > 1 && !NF { exit } NR > 1 && /^[^ ]/ { print $1 }'
}

# passes_under_cta_schedulers WORKLOAD: every CTA scheduler, with the same thread instructions.
passes_under_cta_schedulers() {
  local workload=$build/workloads/$1 name names
  run default "$workload" tiny
  [ "$(value default cta_scheduler)" = '"rr"' ] || fail "run.json does not name rr"
  mapfile -t names < <(cta_schedulers)
  for name in "${names[@]}"; do
    run "$name" --cta-scheduler "$name" "$workload" tiny
  done
  grep -q 'under gto + ' "$work/stderr" || fail "the summary does not name the CTA scheduler"
  same_instructions "$(instructions default)" "${names[@]}"
}

# The register that a program sets decides the direction of its launches.
mapping_register() {
  compile mapping
  run register --cta-scheduler mapped:direction=register "$work/mapping"
  [ "$(value register totals.policy.mapped.kernels_x)" = 1 ] || fail "not one launch along x"
  [ "$(value register totals.policy.mapped.kernels_y)" = 2 ] || fail "not two launches along y"
  [ "$(value register totals.policy.mapped.kernels_rr)" = 1 ] || fail "not one launch under rr"
  run fixed --cta-scheduler mapped:direction=y "$work/mapping"
  [ "$(value fixed totals.policy.mapped.kernels_y)" = 4 ] || fail "the direction is not fixed"
  run rr "$work/mapping"
}

# compare forms all pairs.
pairs() {
  succeed compare "$heddle" compare --quiet --schedulers lrr,gto --cta-schedulers rr,mapped \
    --out "$work/pairs" "$build/workloads/matmul" tiny
  for name in lrr gto lrr_+_mapped gto_+_mapped; do
    [ -f "$work/pairs/$name/run.json" ] || fail "no run.json of $name"
  done
  grep -q 'gto + mapped' "$work/stdout" || fail "the table does not name a pair"
  [ "$("$run_json" get "$work/pairs/gto_+_mapped/run.json" cta_scheduler)" = '"mapped"' ] ||
    fail "run.json does not name the CTA scheduler"
  "$run_json" get "$work/pairs/gto/run.json" totals.cta_sharing.hits >"$work/hits" ||
    fail "the run under rr does not count shared lines"
  refuse 'unknown CTA scheduler "maped"; did you mean mapped' \
    "$heddle" run --cta-scheduler maped "$build/workloads/vecadd" tiny
  refuse 'direction=z is not possible; allowed: auto.register.x.y' \
    "$heddle" compare --cta-schedulers mapped:direction=z "$build/workloads/vecadd" tiny
  refuse 'mapped is named twice' \
    "$heddle" compare --cta-schedulers mapped,rr,mapped "$build/workloads/vecadd" tiny
}
