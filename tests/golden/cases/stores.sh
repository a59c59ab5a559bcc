# Results stores: what they list and compare, limits of runs, and every way in which a store cannot
# be used.

# small_study [LINE...]: writes $work/study.toml with two runs of row_walk, and the lines.
small_study() {
  printf '%s\n' 'title = "t"' 'gpus = ["ipaws"]' 'schedulers = ["lrr", "gto"]' "$@" '[[case]]' \
    'name = "walk"' 'program = ["patterns/row_walk", "tiny"]' >"$work/study.toml"
}

# sweep_into STORE [ARGUMENT...]
sweep_into() {
  local store=$1
  shift
  succeed "$store" "$heddle" sweep "$work/study.toml" --out "$work/$store" "$@"
}

dry_run() {
  small_study
  succeed dry "$heddle" sweep "$work/study.toml" --out "$work/s.sqlite" --dry-run
  grep -q '1 cases, 2 runs; 0 are in .*, 2 to do' "$work/stdout" || fail "not two runs to do"
  grep -q '2 runs have no expected time' "$work/stdout" || fail "a time without a measurement"
  [ ! -e "$work/s.sqlite" ] || fail "a dry run writes a store"
  sweep_into s.sqlite
  small_study '[grid]' '"sm.l1d.mshr_entries" = [16, 64]'
  succeed dry "$heddle" sweep "$work/study.toml" --out "$work/s.sqlite" --dry-run
  grep -q '2 cases, 4 runs; 0 are in\|2 cases, 4 runs; 2 are in' "$work/stdout" ||
    fail "not four runs"
  grep -q 'expected time of [24] runs, by what the store has measured' "$work/stdout" ||
    fail "no expected time"
}

# Listing, filters, CSV, two stores.
results() {
  small_study
  sweep_into a.sqlite
  succeed list "$heddle" results "$work/a.sqlite" --scheduler 'g*' --stats ipc,l1d.hits
  grep -qE '^patterns/row_walk tiny +ipaws +gto +[0-9,]+ +[0-9.]+ +[0-9,]+$' "$work/stdout" ||
    fail "no row of gto"
  ! grep -q ' lrr ' "$work/stdout" || fail "the filter does not filter"
  succeed csv "$heddle" results "$work/a.sqlite" --csv "$work/a.csv"
  [ "$(wc -l <"$work/a.csv")" = 3 ] || fail "the CSV file has not two runs"
  [ -z "$(head -1 "$work/a.csv" | tr , '\n' | sort | uniq -d)" ] || fail "columns of one name"
  grep -q ',launches,.*,ipc,' "$work/a.csv" || fail "columns are missing"
  grep -q '^[0-9a-f]*,walk,patterns/row_walk,tiny,' "$work/a.csv" || fail "no name of the case"
  succeed once "$heddle" results "$work/a.sqlite" --stats cycles,ipc
  grep -qE '^program .* policies +cycles +ipc$' "$work/stdout" || fail "cycles stand there twice"
  succeed csv "$heddle" results "$work/a.sqlite" --csv - --stats ipc,launches,ipc
  head -1 "$work/stdout" | grep -q 'peak_memory_bytes,launches,ipc$' || fail "not each name once"
  sweep_into b.sqlite
  succeed equal "$heddle" results "$work/a.sqlite" --compare "$work/b.sqlite"
  grep -q '2 pairs of runs: 2 equal in all statistics, 0 different' "$work/stdout" ||
    fail "equal stores differ"
  python3 - "$work/b.sqlite" <<'PY'
import sqlite3, sys
store = sqlite3.connect(sys.argv[1])
store.execute("UPDATE run_values SET value = value + 1 WHERE run_id = 1 AND statistic_id = "
              "(SELECT id FROM statistics WHERE name = 'l1d.hits')")
store.commit()
PY
  diagnose_text 'pairs of runs: 1 equal' "$heddle" results "$work/a.sqlite" --compare \
    "$work/b.sqlite"
  refuse 'did you mean l1d.hits' "$heddle" results "$work/a.sqlite" --stats l1d.hit
  refuse 'no study x; it has study' "$heddle" results "$work/a.sqlite" --study x
  refuse 'no run matches' "$heddle" results "$work/a.sqlite" --gpu h200
}

# diagnose_text PATTERN COMMAND...: ends with exit code 1 and prints PATTERN on standard output.
diagnose_text() {
  local pattern=$1
  shift
  "$@" >"$work/stdout" 2>"$work/stderr"
  [ $? -eq 1 ] || fail "exit code is not 1: $*"
  grep -q "$pattern" "$work/stdout" || fail "does not print \"$pattern\": $*"
}

# A run beyond its limit has a status of its own; a larger limit measures it again.
run_limits() {
  small_study '[budget]' 'time = "0.001 s"'
  sed -i 's/"tiny"/"small"/' "$work/study.toml"
  "$heddle" sweep "$work/study.toml" --out "$work/s.sqlite" >"$work/stdout" 2>"$work/stderr"
  [ $? -eq 1 ] || fail "a run beyond its limit is no failure"
  grep -q 'it ran longer than its limit of 0.001 s' "$work/stderr" || fail "no reason"
  "$heddle" sweep "$work/study.toml" --out "$work/s.sqlite" >"$work/stdout" 2>"$work/stderr"
  grep -q '0 runs, 2 kept' "$work/stderr" || fail "repeated under the same limit"
  small_study '[budget]' 'time = "10 min"' 'memory = "4 GiB"'
  sed -i 's/"tiny"/"small"/' "$work/study.toml"
  sweep_into s.sqlite
  grep -q '2 runs, 0 kept' "$work/stderr" || fail "not measured under a larger limit"
  small_study '[budget]' 'memory = "1 MiB"'
  sed -i 's/"tiny"/"small"/' "$work/study.toml"
  "$heddle" sweep "$work/study.toml" --out "$work/m.sqlite" >"$work/stdout" 2>"$work/stderr"
  [ $? -eq 1 ] || fail "a run beyond its memory is no failure"
  grep -q 'it used more memory than its limit of 1 MiB' "$work/stderr" || fail "no reason"
}

# A budget of cycles belongs to the run: the rest of the program runs functionally.
cycle_budget() {
  small_study '[budget]' 'cycles = 1000'
  sweep_into s.sqlite
  succeed list "$heddle" results "$work/s.sqlite" --stats simulated.truncated,simulated.timed_share
  grep -qE ' lrr .* 1 +0\.[0-9]+$' "$work/stdout" || fail "the launch is not truncated"
}

unusable_stores() {
  small_study
  sweep_into s.sqlite
  printf 'no database, but long enough to be more than the header of one: %s\n' \
    "$(seq 100)" >"$work/text"
  refuse 'it is not an SQLite file' "$heddle" sweep "$work/study.toml" --out "$work/text"
  refuse 'it is not an SQLite file' "$heddle" results "$work/text"
  refuse 'is a directory' "$heddle" sweep "$work/study.toml" --out "$work"
  refuse 'no such file' "$heddle" sweep "$work/study.toml" --out "$work/none/s.sqlite"
  refuse 'no such file' "$heddle" results "$work/none.sqlite"
  refuse 'another heddle sweep writes it' flock "$work/s.sqlite" \
    "$heddle" sweep "$work/study.toml" --out "$work/s.sqlite"
  python3 -c 'import sqlite3, sys
sqlite3.connect(sys.argv[1]).execute("PRAGMA user_version = 9")' "$work/s.sqlite"
  refuse 'its version is 9, this Heddle reads versions up to' "$heddle" results "$work/s.sqlite"
  refuse 'its version is 9' "$heddle" sweep "$work/study.toml" --out "$work/s.sqlite"
  refuse 'no sbatch in PATH' env PATH=/none "$heddle" sweep "$work/study.toml" --executor slurm \
    --out "$work/t.sqlite"
}

# in_mount OPTIONS COMMAND...: runs the command with a small file system at $work/mount; returns 77
# where mounts are not allowed.
in_mount() {
  local options=$1 own=-rm
  shift
  mkdir -p "$work/mount"
  unshare "$own" true 2>/dev/null || own=-m  # root needs no namespace of users
  unshare "$own" true 2>/dev/null || return 77
  unshare "$own" bash -c 'mount -t tmpfs -o "$0" tmpfs "$1" || exit 77; shift; "$@"' "$options" \
    "$work/mount" "$@"
}

# A full disk: one diagnostic; what was measured is kept, and the sweep goes on with more space.
full_disk() {
  small_study '[grid]' '"sm.l1d.mshr_entries" = {from = 16, to = 60, step = 1}'
  cat >"$work/script.sh" <<'SH'
heddle=$1 study=$2 store=$3/s.sqlite
"$heddle" sweep "$study" --out "$store" >"$3/../stdout" 2>"$3/../stderr"
echo $? >"$3/../code"
mount -o remount,size=20m tmpfs "$3"
python3 -c 'import sqlite3, sys
print(*sqlite3.connect(sys.argv[1]).execute("SELECT COUNT(*) FROM runs").fetchone())' \
  "$store" >"$3/../measured"
"$heddle" sweep "$study" --out "$store" >/dev/null 2>"$3/../again"
"$heddle" results "$store" --csv "$3/../full.csv"
SH
  in_mount size=2m bash "$work/script.sh" "$heddle" "$work/study.toml" "$work/mount"
  [ $? -ne 77 ] || { echo "skipped: mounts are not allowed"; exit 77; }
  [ "$(cat "$work/code")" = 2 ] || fail "exit code $(cat "$work/code") with a full disk"
  [ "$(grep -c 'error: store .*: the disk is full' "$work/stderr")" = 1 ] || fail "no diagnostic"
  local measured
  measured=$(cat "$work/measured")
  [ "$measured" -gt 0 ] || fail "nothing was kept"
  grep -q "$((90 - measured)) runs, $measured kept" "$work/again" ||
    fail "runs were lost or repeated"
  [ "$(wc -l <"$work/full.csv")" = 91 ] || fail "not all runs are in the store"
}

read_only_store() {
  small_study
  cat >"$work/script.sh" <<'SH'
heddle=$1 study=$2 store=$3/s.sqlite
"$heddle" sweep "$study" --out "$store" >/dev/null 2>&1 || exit 1
mount -o remount,ro tmpfs "$3"
"$heddle" sweep "$study" --out "$store" >/dev/null 2>"$3/../stderr"
echo $? >"$3/../code"
"$heddle" results "$store" >"$3/../stdout"
SH
  in_mount size=20m bash "$work/script.sh" "$heddle" "$work/study.toml" "$work/mount"
  local code=$?
  [ $code -ne 77 ] || { echo "skipped: mounts are not allowed"; exit 77; }
  [ $code -eq 0 ] || fail "a read-only store cannot be read"
  [ "$(cat "$work/code")" = 2 ] || fail "a read-only store was swept"
  grep -q 'error: store .*: it cannot be written: Read-only file system' "$work/stderr" ||
    fail "no diagnostic"
}
