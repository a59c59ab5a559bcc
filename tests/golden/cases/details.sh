# Detailed statistics, timelines and pictures.

# decodes TRACE: protoc, where it is installed, reads the trace and knows all its fields.
decodes() {
  command -v protoc >/dev/null || return 0
  protoc --decode=perfetto.Trace -I "$golden" perfetto.proto <"$1" \
    >"$work/decoded" 2>"$work/stderr" || fail "protoc cannot read the trace"
  ! grep -qE '^ *[0-9]+[:{ ]' "$work/decoded" ||
    fail "the trace has fields that the format does not know"
  [ "$(grep -c TYPE_SLICE_BEGIN "$work/decoded")" = "$(grep -c TYPE_SLICE_END "$work/decoded")" ] ||
    fail "a slice does not end"
  grep -q TYPE_COUNTER "$work/decoded" || fail "no counters"
}

# checked COMMAND...: a program of this folder that checks results.
checked() {
  local message=$1
  shift
  "$@" 2>"$work/stderr" || fail "$message"
}

# details WORKLOAD GPU: details add up to the statistics, change no statistic, and do not depend on
# the number of threads.
details() {
  local program=$build/workloads/$1 gpu=$2 threads=1 label
  run plain --gpu "$gpu" --cta-sharing "$program" tiny
  for label in first second; do
    run $label --gpu "$gpu" --threads $threads --details --explain --interval 500 \
      --timeline "$work/$label.pftrace" --timeline-window 0:1000000 "$program" tiny
    cp "$work/stderr" "$work/$label.page"
    grep -q 'Hottest source lines' "$work/stderr" || fail "no explanation"
    [ "$(wc -l <"$work/stderr")" -le 60 ] || fail "the explanation does not fit on a page"
    threads=2
  done
  same first second "two detailed runs differ"
  same_totals plain first "details changed the run"
  checked "the page differs from run.json" \
    "$build/bin/page_check" "$work/first.page" "$work/first/run.json"
  checked "details do not add up" "$run_json" adds_up "$work/first/run.json" -
  cmp -s "$work/first.pftrace" "$work/second.pftrace" || fail "two timelines differ"
  checked "the timeline is wrong" \
    "$build/bin/trace_check" "$work/first.pftrace" "$work/first/run.json"
  decodes "$work/first.pftrace"
  [ -s "$work/first/series.csv" ] || fail "no series.csv"
  [ "$(wc -c <"$work/plain/run.json")" -lt 200000 ] || fail "run.json is large without details"
}

# The intervals of a warp follow each other, and a wait for operands names a load.
warp_log() {
  succeed "run --warp-log" "$heddle" run --gpu gtx480 --warp-log 0:3 --timeline-window 0:2000 \
    "$build/workloads/kmeans" tiny
  grep -q '^warp 3 of CTA 0 of .*, in warp slot 3 of SM 0$' "$work/stderr" ||
    fail "no log of the warp"
  grep -qE 'waits for operands .*load (global|texture).*PTX line' "$work/stderr" ||
    fail "no wait names the load"
  awk '$1 ~ /^[0-9,]+$/ && $2 ~ /^[0-9,]+$/ { if (n++ && $1 != last) exit 1; last = $2 }
    END { exit n < 10 }' "$work/stderr" || fail "the intervals have gaps"
  succeed "a window after the run" "$heddle" run --gpu gtx480 --warp-log 0:3 \
    --timeline-window 900000:900010 "$build/workloads/kmeans" tiny
  grep -q 'no kernel runs in .* to 900,010; kernels run in the cycles 0 to 1[0-9],' \
    "$work/stderr" || fail "the message does not say when kernels run"
}

# pattern_of SM: the issue pattern belongs to this SM, and the instructions of its warp slots add up
# to the SM's.
pattern_of() {
  run pattern --gpu gtx480 --details --pattern-sm "$1" "$build/workloads/kmeans" tiny
  checked "the pattern is not that of SM $1" \
    "$run_json" pattern_of "$work/pattern/run.json" "$1"
}

# Pictures on the terminal without colour codes, and as SVG that an XML parser accepts.
pictures() {
  local program=$build/workloads/kmeans picture
  succeed "compare --plot" "$heddle" compare --plot --schedulers lrr,gto,ccws "$program" tiny
  grep -q 'speed-up over lrr' "$work/stdout" && grep -q 'issue slots by use' "$work/stdout" ||
    fail "compare --plot shows no picture"
  ! grep -q "$(printf '\033')" "$work/stdout" || fail "colour codes in a file"
  run plotted --plot --scheduler ipaws "$program" tiny
  grep -q 'over time' "$work/stderr" || fail "run --plot shows no picture"
  run plain --scheduler ipaws "$program" tiny
  same_totals plain plotted "plotting changed the run"
  succeed "run --plot FILE" \
    "$heddle" run --plot "$work/run.svg" --scheduler ipaws "$program" tiny
  succeed "compare --plot FILE" \
    "$heddle" compare --plot "$work/compare.svg" --schedulers lrr,gto "$program" tiny
  succeed "compare --interval" "$heddle" compare --interval 500 --plot "$work/over-time.pdf" \
    --schedulers lrr,gto "$program" tiny
  [ "$(head -c 5 "$work/over-time.pdf")" = %PDF- ] || fail "over-time.pdf is no PDF"
  for picture in run compare; do
    tail -n 1 "$work/$picture.svg" | grep -qx '</svg>' || fail "$picture.svg is incomplete"
    [ "$(grep -c '<text' "$work/$picture.svg")" -gt 10 ] || fail "$picture.svg has little text"
    ! command -v python3 >/dev/null || checked "$picture.svg is not XML" python3 -c \
      'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$work/$picture.svg"
  done
  refuse 'svg' "$heddle" run --plot=picture.gif "$program" tiny
}
