# Captured programs: parts of captures, and what is refused.

# capture LABEL ARGUMENT...: heddle capture must write $work/LABEL.hcap.
capture() {
  local label=$1
  shift
  succeed "capture $label" "$heddle" capture --quiet -o "$work/$label.hcap" "$@"
}

# A part of a capture starts with an image of the memory and gives the results of the whole.
captures_are_cut() {
  local program=$build/workloads/bfs
  capture whole "$program" tiny
  capture part --launches 3-4 "$work/whole.hcap"
  capture same_part --launches 3-4 "$program" tiny
  cmp -s "$work/part.hcap" "$work/same_part.hcap" || fail "a cut program is not a cut capture"
  capture images --images-every 2 "$work/whole.hcap"
  succeed whole "$heddle" run --quiet --out "$work/whole" --skip 2 "$work/whole.hcap"
  succeed part "$heddle" run --quiet --out "$work/part" "$work/part.hcap"
  succeed image "$heddle" run --quiet --out "$work/image" --from-launch 3 "$work/images.hcap"
  succeed none "$heddle" run --quiet --out "$work/none" --from-launch 3 "$work/whole.hcap"
  grep -q 'no image of memory at or before launch 3' "$work/stderr" ||
    fail "--from-launch does not say that there is no image"
  local key
  for key in cycles thread_instructions; do
    [ "$(value whole kernels.2.$key)" = "$(value part kernels.0.$key)" ] ||
      fail "$key of a launch after an image differ"
    [ "$(value whole kernels.2.$key)" = "$(value image kernels.0.$key)" ] ||
      fail "$key of a launch after --from-launch differ"
    [ "$(value whole kernels.2.$key)" = "$(value none kernels.2.$key)" ] ||
      fail "$key of a launch after functional ones differ"
  done
  succeed numbered "$heddle" run --quiet --out "$work/numbered" --kernels 4 "$work/part.hcap"
  [ "$(value numbered kernels.1.simulated)" = '"timed"' ] ||
    fail "the launches of the part have other numbers"
}

# Other verbs take a capture in place of a program.
captures_run_in_every_verb() {
  capture a "$build/workloads/kmeans" tiny
  succeed compare "$heddle" compare --schedulers lrr,gto "$work/a.hcap"
  succeed check "$heddle" check "$work/a.hcap"
  succeed analyze "$heddle" analyze "$work/a.hcap"
  succeed profile "$heddle" profile -o "$work/loads.toml" "$work/a.hcap"
  succeed explain "$heddle" run --explain --timeline "$work/a.pftrace" "$work/a.hcap"
  # With shared memory whose size the launch gives.
  run direct "$build/workloads/spmv_vector" tiny
  capture b "$build/workloads/spmv_vector" tiny
  succeed replayed "$heddle" run --out "$work/replayed" "$work/b.hcap"
  same_totals direct replayed 'the capture has other results'
}

# -o stands before the program or last; without it nothing runs.
captures_name_their_file() {
  succeed before "$heddle" capture --quiet -o "$work/before.hcap" "$build/workloads/vecadd" tiny
  succeed behind "$heddle" capture --quiet "$build/workloads/vecadd" tiny -o "$work/behind.hcap"
  cmp "$work/before.hcap" "$work/behind.hcap" || fail "the two captures differ"
  refuse "the file of the capture is missing" \
    "$heddle" capture "$build/workloads/vecadd" tiny
}

captures_are_refused() {
  local program=$build/workloads/kmeans
  capture a "$program" tiny
  local bytes
  bytes=$(stat -c %s "$work/a.hcap")
  head -c $((bytes / 2)) "$work/a.hcap" >"$work/cut.hcap"
  refuse 'cut.hcap: offset [0-9]+: .*cut off' "$heddle" run --out "$work/out" "$work/cut.hcap"
  echo text >"$work/text.hcap"
  refuse 'text.hcap: offset 5: the header is cut off' "$heddle" run "$work/text.hcap"
  cp "$program" "$work/program.hcap"
  refuse 'offset 0: this is no capture file' "$heddle" run "$work/program.hcap"
  refuse 'take no arguments' "$heddle" run "$work/a.hcap" tiny
  refuse 'there is no launch 99: the capture has 3' \
    "$heddle" capture --launches 99 -o "$work/b.hcap" "$work/a.hcap"
  refuse 'launches 5-3: must read FIRST-LAST' \
    "$heddle" capture --launches 5-3 -o "$work/b.hcap" "$program" tiny
  refuse 'cannot create the capture .*No such file' \
    "$heddle" capture -o "$work/missing/b.hcap" "$program" tiny
  refuse 'registers names kernel .nosuch.' "$heddle" run --registers nosuch=9 "$work/a.hcap"
  # A disk without room: files of more than 64 KiB cannot be written.
  trap '' XFSZ
  # A thread writes, so the program may end before the problem is reported.
  bash -c "ulimit -f 64; '$heddle' capture -o '$work/b.hcap' '$build/workloads/vecadd' small" \
    >"$work/stdout" 2>"$work/stderr" && fail "a capture on a full disk succeeds"
  [ "$(grep -c 'cannot write the capture file .*b.hcap: File too large' "$work/stderr")" = 1 ] ||
    fail "a full disk is not reported once"
  ls "$work" | grep -q b.hcap && fail "a part of a capture remains"
  return 0
}

# A process that is killed while it captures writes no file.
nothing_remains_of_a_killed_capture() {
  mkdir "$work/folder"
  timeout -s KILL 0.3 "$heddle" capture --timed -o "$work/folder/a.hcap" \
    "$build/workloads/matmul" full >/dev/null 2>&1
  [ -z "$(ls "$work/folder")" ] || fail "$(ls "$work/folder") remains"
}

# A capture whose allocations are apart has the findings of its program; in another one the access
# meets the next allocation.
captures_for_checks_keep_allocations_apart() {
  compile planted -O2
  capture dense "$work/planted" past_the_end
  capture apart --for-check "$work/planted" past_the_end
  succeed dense "$heddle" check "$work/dense.hcap"
  "$heddle" check "$work/apart.hcap" >"$work/stdout" 2>"$work/stderr"
  grep -q 'kernel   past_the_end(' "$work/stderr" || fail "the access past the end is not found"
  refuse 'for-check captures functionally' \
    "$heddle" capture --for-check --timed -o "$work/b.hcap" "$work/planted" past_the_end
}

# What a kernel launches is launched again, and belongs to the launch by the host in a part.
captured_kernels_launch_kernels() {
  compile launches_rows -O2
  local program=$work/launches_rows
  capture nested "$program"
  succeed live "$heddle" run --quiet --out "$work/live" "$program"
  succeed captured "$heddle" run --quiet --out "$work/captured" "$work/nested.hcap"
  local key
  for key in totals.cycles totals.warp_instructions kernels.2.name kernels.2.cycles; do
    [ "$(value live $key)" = "$(value captured $key)" ] || fail "$key differs"
  done
  # Launches 1 and 7 are the host's: each launches five kernels.
  succeed cut "$heddle" capture --launches 1-3 -o "$work/part.hcap" "$work/nested.hcap"
  grep -q '6 launches in' "$work/stderr" || fail 'the part does not have 6 launches'
  succeed part "$heddle" run --quiet --out "$work/part" "$work/part.hcap"
  for key in kernels.0.cycles kernels.5.name kernels.5.cycles; do
    [ "$(value live $key)" = "$(value part $key)" ] || fail "$key of the part differs"
  done
  # A part may begin after launches by kernels. Its image has the state of the device runtime.
  capture second --launches 2-9 "$work/nested.hcap"
  succeed whole "$heddle" run --quiet --out "$work/whole" --from-launch 7 "$work/nested.hcap"
  succeed second "$heddle" run --quiet --out "$work/second" "$work/second.hcap"
  for key in cycles name l1d.misses; do
    [ "$(value whole kernels.6.$key)" = "$(value second kernels.0.$key)" ] ||
      fail "$key of a launch after an image differs"
    [ "$(value whole kernels.11.$key)" = "$(value second kernels.5.$key)" ] ||
      fail "$key of a launch by a kernel after an image differs"
  done
  refuse 'no launch by the host is among launches 2 to 6' \
    "$heddle" capture --launches 2-6 -o "$work/b.hcap" "$work/nested.hcap"
  refuse 'there is no launch 13: the capture has 12' \
    "$heddle" capture --launches 13-14 -o "$work/b.hcap" "$work/nested.hcap"
}
