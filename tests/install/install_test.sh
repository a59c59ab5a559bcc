#!/usr/bin/env bash
# Installing and building on machines that lack something. install_test.sh BUILD_FOLDER SOURCE CASE
# The machine is played by commands of our own that come first, or alone, on PATH.
set -u
build=$1 source=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

fail() {
  printf 'FAILED: %s\n' "$*"
  sed 's/^/  /' "$work/output"
  exit 1
}

# stub NAME SCRIPT: a command of the played machine.
stub() {
  printf '#!/bin/bash\n%s\n' "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

# A source tree of its own and a machine with few commands and without packages.
new_machine() {
  local tool
  mkdir -p "$work/bin" "$work/tree/scripts"
  cp "$source/scripts/setup.sh" "$work/tree/scripts/"
  for tool in bash dirname sed grep uname nproc rm mkdir env; do
    ln -s "$(command -v "$tool")" "$work/bin/$tool"
  done
  stub dpkg-query 'exit 1'
  stub id 'echo 0'
}

setup_options=()
# setup CODE PATTERN...: setup.sh ends with the code and prints every pattern.
setup() {
  local expected=$1 code pattern
  shift
  PATH=$work/bin HEDDLE_PROGRESS_SECONDS=0 \
    "$work/tree/scripts/setup.sh" "${setup_options[@]}" release a_target >"$work/output" 2>&1
  code=$?
  [ "$code" -eq "$expected" ] || fail "exit code $code, not $expected"
  for pattern in "$@"; do
    grep -qE -- "$pattern" "$work/output" || fail "not printed: $pattern"
  done
}

without_root() {
  new_machine
  stub id 'echo 1000'
  setup 2 'run as root: apt-get update && apt-get install --no-install-recommends g\+\+ '
}

without_network() {
  new_machine
  stub apt-get 'case $* in *update*) echo "E: Failed to fetch http://mirror/x"; exit 100 ;; esac
    echo "apt-get install was called"'
  stub apt-cache 'exit 100'
  setup 2 'E: Failed to fetch http://mirror/x.*Is this machine online' 'Missing: g\+\+ '
  ! grep -q 'install was called' "$work/output" || fail "apt-get install is called without lists"
  stub apt-cache 'exit 0'  # the lists are old, but there
  stub apt-get 'case $* in *update*) exit 100 ;; esac; echo "Get:1 g++"; exit 1'
  setup 2 'installing: Get:1 g\+\+' 'apt-get could not install the packages'
}

# A build reports its progress, keeps warnings, and fails when ninja does. A tree that was moved is
# configured again.
progress() {
  new_machine
  stub dpkg-query 'printf installed'
  stub cmake 'mkdir -p build; : >build/build.ninja
    printf "CMAKE_HOME_DIRECTORY:INTERNAL=%s\n" "$PWD" >build/CMakeCache.txt'
  stub ninja 'echo "1 of 2 steps: Building x.o"; echo "x.cc: warning: y"; exit 0'
  setup 0 '^== building \(release\): 1 of 2 steps: Building x.o' '^x.cc: warning: y' 'configuring'
  printf 'CMAKE_HOME_DIRECTORY:INTERNAL=/the/former/place\n' >"$work/tree/build/CMakeCache.txt"
  setup 0 'this tree was moved from /the/former/place' 'configuring'
  setup 0 '1 of 2'
  ! grep -q configuring "$work/output" || fail "an unchanged tree is configured again"
  stub ninja 'echo "FAILED: x.o"; exit 3'
  setup 3 '^FAILED: x.o'
}

# setup.sh --tests also installs what only tests need.
packages_of_tests() {
  new_machine
  mkdir -p "$work/tree/src/report/web" "$work/tree/build"
  : >"$work/tree/src/report/web/package-lock.json"
  printf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\n' "$work/tree" >"$work/tree/build/CMakeCache.txt"
  : >"$work/tree/build/build.ninja"
  stub ninja 'exit 0'
  stub apt-get 'echo "apt-get $*"'
  stub npm 'echo "npm $*"; mkdir -p src/report/web/node_modules
    : >src/report/web/node_modules/.package-lock.json'
  setup 0
  ! grep -qE 'chromium|npm' "$work/output" || fail "a build installs what only tests need"
  setup_options=(--tests)
  setup 0 'install .*chromium slurm-wlm' '^npm ci --prefix src/report/web'
  setup 0
  ! grep -q 'npm ci' "$work/output" || fail "installed npm packages are installed again"
  stub npm 'echo "npm ERR! no network"; exit 1'
  rm -r "$work/tree/src/report/web/node_modules"
  setup 2 'no network' 'npm could not install'
}

# ./test says which tests were skipped and why, and fails then.
skipped_tests() {
  new_machine
  cp "$source/test" "$work/tree/"
  stub mktemp "echo $work/report"
  printf '#!/bin/bash\n' >"$work/tree/scripts/setup.sh"
  stub ctest 'cat >"${0%/*}/../report" <<END
<?xml version="1.0"?>
<testsuite name="x" tests="3" failures="0" disabled="0" skipped="1">
<testcase name="first" status="run"/><testcase name="second" status="run"/>
<testcase name="disk" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>
<system-out>skipped: mounts are not allowed</system-out></testcase>
</testsuite>
END'
  PATH=$work/bin:$PATH "$work/tree/test" --quick >"$work/output" 2>&1 &&
    fail "a skipped test is no failure"
  grep -qx 'skipped: disk: mounts are not allowed' "$work/output" || fail "no reason"
  grep -q '^2 passed, 0 failed, 1 skipped' "$work/output" || fail "it is not counted"
}

# heddle cc works in a build tree that was moved without its sources.
moved_tree() {
  local tree=$work/moved
  : >"$work/output"
  mkdir -p "$tree/build/bin" "$tree/build/include"
  ln "$build/bin/heddle" "$tree/build/bin/" 2>/dev/null || cp "$build/bin/heddle" "$tree/build/bin/"
  ln -s "$build/lib" "$tree/build/lib"
  cp -r "$build/include/heddle-cuda" "$tree/build/include/"
  printf '__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n' >"$work/k.cu"
  "$tree/build/bin/heddle" cc "$work/k.cu" -o "$work/k" >"$work/output" 2>&1 ||
    fail "heddle cc in a moved build tree"
}

# cmake --install installs nothing when a part is not built.
incomplete() {
  sed 's/man1\/heddle\.1;/man1\/nosuch.1;/' "$build/cmake_install.cmake" >"$work/install.cmake"
  ! cmake -DCMAKE_INSTALL_PREFIX="$work/prefix" -P "$work/install.cmake" >"$work/output" 2>&1 ||
    fail "an incomplete build is installed"
  tr -s '\n ' ' ' <"$work/output" | grep -q 'nosuch.1 is not built, so nothing is installed' ||
    fail "no message"
  [ ! -e "$work/prefix" ] || fail "a part is installed"
}

"$3"
printf 'passed\n'
