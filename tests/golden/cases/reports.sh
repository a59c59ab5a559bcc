# HTML reports: what is in them, and every way in which one cannot be made. A report that cannot be
# made is refused with one diagnostic, and no file is written or changed.

# is_report FILE TEXT: the file is a whole page that contains the text.
is_report() {
  [ "$(tail -n 1 "$1")" = '</html>' ] || fail "$1 is not a whole page"
  grep -qF -- "$2" "$1" || fail "$1 does not contain $2"
}

# refuse_report PATTERN ARGUMENT...: heddle report fails, and $work/page.html keeps its content.
refuse_report() {
  local pattern=$1
  shift
  echo before >"$work/page.html"
  refuse "$pattern" "$heddle" report -o "$work/page.html" "$@"
  [ "$(cat "$work/page.html")" = before ] || fail "the page was written: $*"
  [ "$(find "$work" -name '*.part*' | wc -l)" = 0 ] || fail "there is half a file: $*"
}

reports() {
  local program=$build/workloads/kmeans
  succeed run "$heddle" run -q --report "$work/run.html" --out "$work/runs/a" "$program" tiny
  is_report "$work/run.html" 'kmeans tiny on gtx480 under gto'
  is_report "$work/run.html" 'Where the issue slots went'
  is_report "$work/run.html" 'kmeans.cu:28'
  succeed compare "$heddle" compare -q --report "$work/compare.html" --schedulers lrr,gto \
    "$program" tiny
  is_report "$work/compare.html" 'kmeans tiny under 2 policies'
  succeed folder "$heddle" report "$work/runs" -o "$work/folder.html"
  is_report "$work/folder.html" '"File","values":["a/run.json"]'
  small_study '[grid]' '"sm.l1d.mshr_entries" = [16, 64]'
  sweep_into s.sqlite
  succeed study "$heddle" report "$work/s.sqlite" -o "$work/study.html"
  is_report "$work/study.html" '"key":"sm.l1d.mshr_entries"'
  succeed only "$heddle" report "$work" --study study -o "$work/only.html"
  cmp -s "$work/study.html" "$work/only.html" || fail "a folder with one store is not its store"
  printf 'policy,speed_up\ngto,1.5\n' >"$work/published.csv"
  succeed published "$heddle" report "$work/s.sqlite" --references "$work/published.csv" \
    -o "$work/published.html"
  is_report "$work/published.html" '"rows":[["gto",1.5]]'
}

refused_reports() {
  small_study
  sweep_into s.sqlite
  refuse_report 'none.sqlite: there is no such file or folder' "$work/none.sqlite"
  mkdir "$work/empty"
  refuse_report 'empty: there is neither a results store nor a run.json' "$work/empty"
  echo '{}' >"$work/empty/run.json"
  refuse_report 'run.json: is not a run.json of Heddle' "$work/empty"
  echo text >"$work/text.sqlite"
  refuse_report 'text.sqlite' "$work/text.sqlite"
  refuse_report 'there is no study other; it has study' "$work/s.sqlite" --study other
  printf 'machine,speed_up\na,1\n' >"$work/published.csv"
  refuse_report "published.csv: there is no dimension 'machine'" "$work/s.sqlite" \
    --references "$work/published.csv"
  refuse_report 'no.csv: there is no such file' "$work/s.sqlite" --references "$work/no.csv"
  refuse 'cannot write .*: it is a folder' "$heddle" report "$work/s.sqlite" -o "$work/empty"
  refuse 'cannot create the folder /proc/none' "$heddle" run --report /proc/none/run.html \
    --out "$work/out" "$build/workloads/kmeans" tiny
  python3 -c 'import sqlite3, sys
store = sqlite3.connect(sys.argv[1])
store.execute("DELETE FROM runs")
store.commit()' "$work/s.sqlite"
  refuse_report 'no run of the study study is finished; heddle sweep runs it' "$work/s.sqlite"
  python3 -c 'import sqlite3, sys
store = sqlite3.connect(sys.argv[1])
store.execute("PRAGMA foreign_keys = ON")
store.execute("DELETE FROM studies")
store.commit()' "$work/s.sqlite"
  refuse_report 'there is no study' "$work/s.sqlite"
}
