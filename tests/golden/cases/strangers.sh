# Files that come from somebody else, an environment that lacks something, and outputs that cannot
# be written.

# refuse_with_2 PATTERN COMMAND...: exit code 2 and one diagnostic.
refuse_with_2() {
  local code
  diagnose "$@"
  [ $code = 2 ] || fail "exit code $code, not 2: ${*:2}"
}

# A store names a folder of the reader's, a plug-in and programs.
stranger_store() {
  export XDG_STATE_HOME=$work/state
  mkdir -p "$work/victim/sub" "$work/tools"
  echo precious >"$work/victim/thesis.txt"
  echo '{"a": 1}' >"$work/victim/data.json"
  for tool in sbatch squeue scancel sacct sinfo; do
    printf '#!/bin/sh\necho "%s $*" >>"%s/called"\n' "$tool" "$work" >"$work/tools/$tool"
    chmod +x "$work/tools/$tool"
  done
  local path=$PATH
  small_study
  sweep_into mine.sqlite -q
  cp "$work/mine.sqlite" "$work/jobs.sqlite"
  sqlite3 "$work/jobs.sqlite" "INSERT INTO submissions SELECT 'heddle-x', id, '$work/victim', 1,
    '2026-01-01' FROM studies; PRAGMA foreign_keys = ON;
    DELETE FROM runs WHERE rowid IN (SELECT rowid FROM runs LIMIT 1)"
  PATH=$work/tools:$path succeed cancel "$heddle" sweep cancel "$work/jobs.sqlite"
  grep -q 'heddle-x is left alone' "$work/stderr" || fail "the foreign job is not named"
  ! grep -qs scancel "$work/called" || fail "a foreign job is cancelled"
  PATH=$work/tools:$path refuse_with_2 'you did not sweep its study study here' "$heddle" sweep \
    resume "$work/jobs.sqlite"
  sweep_into jobs.sqlite
  grep -q 'heddle-x is forgotten' "$work/stderr" || fail "the foreign submission is kept"
  [ "$(ls "$work/victim")" = "$(printf 'data.json\nsub\nthesis.txt')" ] ||
    fail "the folder that the store names has changed"
  # The user's own sweep resumes, also after an edit by hand of anything but its study.
  sqlite3 "$work/mine.sqlite" "PRAGMA foreign_keys = ON;
    DELETE FROM runs WHERE scheduler = 'gto'"
  succeed resume "$heddle" sweep resume "$work/mine.sqlite"
  grep -q '1 runs, 1 kept' "$work/stderr" || fail "the user's own sweep does not resume"
  for change in "document = replace(document, 'tiny', 'small')" "file = '/tmp/x/study.toml'" \
    "options = json_set(options, '\$.programs', '$work/victim')"; do
    cp "$work/mine.sqlite" "$work/changed.sqlite"
    mv "$work/mine.sqlite" "$work/kept.sqlite"
    cp "$work/kept.sqlite" "$work/mine.sqlite"
    sqlite3 "$work/mine.sqlite" "UPDATE studies SET $change"
    refuse_with_2 'give the study.s file: heddle sweep study.toml --out' "$heddle" sweep resume \
      "$work/mine.sqlite"
    mv "$work/kept.sqlite" "$work/mine.sqlite"
  done
  refuse_with_2 'you did not sweep' "$heddle" sweep resume "$work/changed.sqlite"
}

# A plug-in is loaded only when the command line names it. $build/examples has one.
plugins_are_named() {
  export XDG_STATE_HOME=$work/state
  printf '%s\n' '#include <cstdio>' \
    'static int loaded = (std::fputs("THE PLUG-IN OF THE STORE RAN\n", stderr), 0);' >"$work/p.cc"
  c++ -shared -fPIC "$work/p.cc" -o "$work/p.so" || fail "the plug-in does not compile"
  small_study
  sweep_into s.sqlite -q
  sqlite3 "$work/s.sqlite" "UPDATE studies SET options = json_set(options, '\$.plugins',
    json_array('$work/p.so')); DELETE FROM runs WHERE scheduler = 'gto'"
  refuse_with_2 'study' "$heddle" sweep resume "$work/s.sqlite"
  ! grep -q 'PLUG-IN' "$work/stderr" || fail "the store's plug-in was loaded"
}

# Two studies of one name in one store.
study_of_one_name() {
  mkdir "$work/a" "$work/b"
  small_study
  sed 's/"t"/"first"/' "$work/study.toml" >"$work/a/study.toml"
  sed 's/"t"/"second"/' "$work/study.toml" >"$work/b/study.toml"
  succeed first "$heddle" sweep "$work/a/study.toml" --out "$work/two.sqlite"
  refuse_with_2 'b/study.toml: store .*sqlite has another study "study", "first" of .*/a/study' \
    "$heddle" sweep "$work/b/study.toml" --out "$work/two.sqlite"
  mv "$work/b/study.toml" "$work/b/other.toml"
  succeed second "$heddle" sweep "$work/b/other.toml" --out "$work/two.sqlite"
  [ "$(sqlite3 "$work/two.sqlite" 'SELECT name, title FROM studies ORDER BY name')" = \
    "$(printf 'other|second\nstudy|first')" ] || fail "not both studies"
  sed -i 's/"lrr", "gto"/"lrr"/' "$work/a/study.toml"
  succeed edited "$heddle" sweep "$work/a/study.toml" --out "$work/two.sqlite"
  grep -q 'the study study has changed since it was swept' "$work/stderr" ||
    fail "an edited study replaces the earlier one without a word"
  mkdir "$work/c"
  mv "$work/a/study.toml" "$work/c/study.toml"
  succeed moved "$heddle" sweep "$work/c/study.toml" --out "$work/two.sqlite"
}

# A module names its source file; a report shows only source files of the program.
embedded_files() {
  local program=$work/app/host source=$work/app/kernel.cu
  mkdir "$work/app" "$work/home"
  echo 'TOP-SECRET' >"$work/home/secret.cu"
  echo 'TOP-SECRET' >"$work/app/secret.txt"
  ln -s "$work/home/secret.cu" "$work/app/link.cu"
  mkfifo "$work/app/pipe.cu"
  echo 'TOP-SECRET' >"$source"
  cat >"$work/host.cpp" <<'END'
#include <cuda.h>
#include <cstdio>
int main(int, char** argv) {
  CUdevice device; CUcontext context; CUmodule module; CUfunction kernel; CUdeviceptr p;
  cuInit(0); cuDeviceGet(&device, 0); cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);
  if (cuModuleLoad(&module, argv[1])) return std::puts("load failed"), 1;
  cuModuleGetFunction(&kernel, module, "k"); cuMemAlloc(&p, 4);
  void* arguments[] = {&p};
  cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);
  return cuCtxSynchronize();
}
END
  succeed cc "$heddle" cc "$work/host.cpp" -o "$program" -lcuda
  local file shown option
  for file in "$work/home/secret.cu" "$work/app/secret.txt" "$work/app/link.cu" \
    "$work/app/pipe.cu" /proc/self/environ /dev/zero "$source"; do
    sed "s|FILE|$file|" >"$work/k.ptx" <<'END'
.version 7.0
.target sm_75
.address_size 64
.file 1 "FILE"
.visible .entry k(.param .u64 p) {
  .reg .u64 %a; .reg .u32 %r;
  .loc 1 1 1
  ld.param.u64 %a, [p]; mov.u32 %r, 7; st.global.u32 [%a], %r; ret;
}
END
    succeed "$file" "$heddle" run -q --report "$work/r.html" --out "$work/embedded" "$program" \
      "$work/k.ptx"
    shown=$(grep -c 'TOP-SECRET\|PATH=' "$work/r.html")
    if [ "$file" = "$source" ]; then
      [ "$shown" != 0 ] || fail "the program's own source file is not shown"
      grep -q "Source files on this page.*kernel.cu" "$work/r.html" || fail "the file is not listed"
    else
      [ "$shown" = 0 ] || fail "the report shows $file"
      grep -q "lines of $file are not shown: --source-path DIR" "$work/stderr" ||
        fail "no word about $file"
    fi
  done
  # run.json may be anybody's: the folder of its program is not known to be the user's.
  succeed results "$heddle" report "$work/embedded" -o "$work/r.html"
  ! grep -q TOP-SECRET "$work/r.html" || fail "heddle report shows a file that results name"
  succeed named "$heddle" report --source-path "$work/app" "$work/embedded" -o "$work/r.html"
  grep -q TOP-SECRET "$work/r.html" || fail "--source-path has no effect"
}

# Folders of the user's in the folder for temporary files are no folders of Heddle's. A library that
# is loaded first makes a day pass.
folders_of_the_user() {
  local temporary=$work/temporary
  mkdir -p "$temporary/heddle-kmeans" "$temporary/heddle-master/src"
  echo 'a week of results' >"$temporary/heddle-kmeans/run.json"
  echo 'int main() {}' >"$temporary/heddle-master/src/main.cc"
  cat >"$work/late.c" <<'END'
#include <time.h>
time_t time(time_t* t) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  time_t late = now.tv_sec + 25 * 3600;
  if (t) *t = late;
  return late;
}
END
  cc -shared -fPIC "$work/late.c" -o "$work/late.so" || fail "the library does not compile"
  TMPDIR=$temporary LD_PRELOAD=$work/late.so succeed late "$heddle" run -q \
    "$build/workloads/vecadd" tiny
  [ "$(cd "$temporary" && find . -type f | sort)" = \
    "$(printf './heddle-kmeans/run.json\n./heddle-master/src/main.cc')" ] ||
    fail "files of the user's are gone, or files of Heddle's remain"
}

# Each exception of a library is one message with the path.
environments() {
  local program=$build/workloads/vecadd
  TMPDIR=/nonexistent refuse_with_2 "no folder for temporary files: TMPDIR is '/nonexistent'" \
    "$heddle" run -q "$program" tiny
  TMPDIR='' refuse_with_2 "no folder for temporary files: TMPDIR is ''" "$heddle" run -q "$program"
  mkdir "$work/gone"
  (cd "$work/gone" && rmdir "$work/gone" && refuse_with_2 'x.hcap' "$heddle" capture -o x.hcap \
    "$program" tiny) || exit 1
  mkdir -p "$work/programs/rodinia"
  echo '{"format":1}' >"$work/programs/rodinia/originals.json"
  refuse_with_2 'rodinia/originals.json: /suite is missing' "$heddle" reproduce lfws \
    --programs "$work/programs" --out "$work/reproduced" -q
  succeed run "$heddle" run -q --out "$work/results" "$program" tiny
  sed -i 's/"kernels": \[/"kernels": {"a": [/; $ s/}/}}/' "$work/results/run.json"
  refuse_with_2 'results/run.json' "$heddle" report "$work/results" -o "$work/r.html"
  # Root reads and writes everything by two capabilities.
  local unprivileged=() verb
  [ "$(id -u)" != 0 ] || unprivileged=(setpriv --bounding-set=-dac_override,-dac_read_search)
  mkdir -m 000 "$work/locked"
  refuse_with_2 'cannot write .*locked/r.html: Permission denied' "${unprivileged[@]}" "$heddle" \
    run -q --report "$work/locked/r.html" "$program" tiny
  for verb in "run $work/locked/x.hcap" "sweep $work/locked/x.toml" \
    "results $work/locked/x.sqlite" "report -o /tmp/none.html $work/locked"; do
    # shellcheck disable=SC2086
    refuse_with_2 'locked.*: Permission denied' "${unprivileged[@]}" "$heddle" $verb
  done
  chmod 700 "$work/locked"
}

# Names and arguments are bytes.
names_of_bytes() {
  local name=$'caf\xe9' program
  program=$work/$name
  cat >"$work/echo.cu" <<'END'
#include <cstdio>
__global__ void twice(int* a) { a[threadIdx.x] *= 2; }
int main(int argc, char** argv) {
  int* a;
  cudaMalloc(&a, 128);
  twice<<<1, 32>>>(a);
  std::printf("%s\nPASS\n", argc > 1 ? argv[1] : "");
  return cudaDeviceSynchronize();
}
END
  succeed cc "$heddle" cc "$work/echo.cu" -o "$program"
  run plain "$program" "$name"
  grep -qaF "$name" "$work/stdout" || fail "the argument has other bytes"
  succeed compare "$heddle" compare -q --out "$work/compared" --report "$work/r.html" \
    --schedulers lrr,gto "$program" "$name"
  iconv -f utf-8 -t utf-8 "$work/compared/compare.json" "$work/r.html" "$work/plain/run.json" \
    >/dev/null || fail "a file is not UTF-8"
  succeed corun "$heddle" corun --share even "$program" "$name" -- "$program" "$name"
  succeed capture "$heddle" capture -o "$work/$name.hcap" "$program" "$name"
  succeed replay "$heddle" run -q "$work/$name.hcap"
  mkdir "$work/$name-folder"
  printf '%s\n' 'title = "t"' 'gpus = ["gtx480"]' 'schedulers = ["lrr"]' '[[case]]' \
    'name = "e"' 'program = ["./program"]' >"$work/$name-folder/study.toml"
  cp "$program" "$work/$name-folder/program"
  succeed sweep "$heddle" sweep "$work/$name-folder/study.toml" --out "$work/$name.sqlite"
  sqlite3 "$work/$name.sqlite" 'PRAGMA foreign_keys = ON; DELETE FROM runs'
  XDG_STATE_HOME=$work/none refuse_with_2 'you did not sweep' "$heddle" sweep resume \
    "$work/$name.sqlite"
  succeed again "$heddle" sweep "$work/$name-folder/study.toml" --out "$work/$name.sqlite"
  [ "$(sqlite3 "$work/$name.sqlite" "SELECT status FROM runs")" = completed ] ||
    fail "the run of the study is not complete"
  python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute("SELECT file, document, options FROM studies"):
    assert "program" in row[1]' "$work/$name.sqlite" || fail "the store is not UTF-8"
}

# Every verb says so and ends with an error when its output cannot be written.
full_device() {
  local program=$build/workloads/vecadd verb
  [ -c /dev/full ] || return 0
  small_study
  sweep_into s.sqlite -q
  succeed run "$heddle" run -q --out "$work/results" "$program" tiny
  for verb in "list stats" "list parameters" "list gpus" "completion bash" "man" "man run" \
    "--help" "run --help" "--version" "cc --help" "compare --schedulers lrr,gto $program tiny" \
    "run $program tiny" "analyze $program tiny" "results $work/s.sqlite" \
    "results --csv - $work/s.sqlite" "sweep status $work/s.sqlite" "reproduce --list" \
    "sweep -q --out $work/s.sqlite $work/study.toml" "ptx $program" "suite list" \
    "corun --share even $program tiny -- $program tiny" "best-swl $program tiny" \
    "profile -o $work/p.toml $program tiny" "check $program tiny"; do
    # shellcheck disable=SC2086
    "$heddle" $verb >/dev/full 2>"$work/stderr" && fail "heddle $verb > /dev/full ends with 0"
    grep -q 'heddle: .*standard output' "$work/stderr" ||
      fail "no message: heddle $verb > /dev/full"
  done
  ln -s /dev/full "$work/full.svg"
  for verb in "run -q --report /dev/full $program tiny" "results --csv /dev/full $work/s.sqlite" \
    "run -q --timeline /dev/full $program tiny" "report -o /dev/full $work/s.sqlite" \
    "compare -q --schedulers lrr,gto --report /dev/full $program tiny" \
    "analyze --write-hints /dev/full $program tiny" \
    "profile -q -o /dev/full $program tiny" "best-swl -q -o /dev/full $program tiny" \
    "run -q --plot=$work/full.svg $program tiny" \
    "corun --share even --svg $work/full.svg $program tiny -- $program tiny"; do
    # shellcheck disable=SC2086
    "$heddle" $verb >"$work/stdout" 2>"$work/stderr" && fail "accepted: heddle $verb"
    grep -q 'heddle: error: cannot write .*/\(dev/full\|full.svg\)' "$work/stderr" ||
      fail "no message: heddle $verb"
  done
  refuse 'it is not a regular file' "$heddle" capture -q -o /dev/full "$program" tiny
  refuse 'store /dev/full' "$heddle" sweep -q --out /dev/full "$work/study.toml"
  [ -c /dev/full ] || fail "the device was replaced"
}

# A limit of file sizes is an error of the write, not a signal that ends the command.
file_size_limit() {
  local program=$build/workloads/vecadd verb
  small_study
  for verb in "run -q --report $work/r.html $program tiny" "list parameters" \
    "compare -q --schedulers lrr,gto --report $work/r.html $program tiny" \
    "sweep -q --out $work/s.sqlite $work/study.toml"; do
    # shellcheck disable=SC2086
    (ulimit -f 64 && exec "$heddle" $verb) >"$work/stdout" 2>"$work/stderr"
    [ $? -eq 2 ] || fail "another exit code than 2: heddle $verb"
    grep -q 'heddle: error: ' "$work/stderr" || fail "no message: heddle $verb"
  done
}
