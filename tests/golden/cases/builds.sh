# Programs and plug-ins that users build: with CMake, make, heddle cc.

# The example of a policy outside the tree, built with an installed Heddle that was moved.
plugin() {
  local prefix=$work/moved plug_in=$work/example/my_policy.so file toolkit
  local own=load-bursts:off=40+by-slot:first=highest
  succeed "cmake --install" cmake --install "$build" --prefix "$work/installed"
  mv "$work/installed" "$prefix"
  succeed "configuring the example" cmake -S "$prefix/share/heddle/examples/my-policy" \
    -B "$work/example" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_UNITY_BUILD=ON
  succeed "building the example" cmake --build "$work/example"
  for file in bash-completion/completions/heddle zsh/site-functions/_heddle man/man1/heddle.1 \
    man/man1/heddle-run.1; do
    [ -s "$prefix/share/$file" ] || fail "share/$file is not installed"
  done
  heddle=$prefix/bin/heddle
  succeed "the installed Python package" env HEDDLE= PYTHONPATH="$prefix/share/heddle/python" \
    python3 -B -c 'import heddle; print(heddle.version())'
  toolkit=$("$heddle" cc --print-toolkit)
  succeed "the installed compiler" \
    "$toolkit/bin/nvcc" -O2 "$prefix/share/heddle/workloads/vecadd.cu" -o "$work/vecadd"
  run own --plugin "$plug_in" --scheduler "$own" "$work/vecadd" tiny
  run gto --scheduler gto "$work/vecadd" tiny
  same_instructions "$(instructions gto)" own
  succeed statistics "$heddle" list stats --plugin "$plug_in" policy.load-bursts
  grep -qE "^policy.load-bursts.vetoes +events +[a-z]" "$work/stdout" ||
    fail "a statistic of the plug-in is not listed"
  succeed statistic "$heddle" run --plugin "$plug_in" --scheduler "$own" \
    --stats policy.load-bursts.vetoes "$work/vecadd" tiny
  grep -qE "^ +policy.load-bursts.vetoes +events " "$work/stderr" || fail "it has no unit"
  succeed report "$heddle" report "$work/own" --plugin "$plug_in" -o "$work/own.html"
  grep -qE '"policy.load-bursts.vetoes","unit":"events"' "$work/own.html" ||
    fail "the report of a folder does not know its unit"
  succeed list "$heddle" list schedulers --plugin "$plug_in" by-slot
  grep -q 'lowest | highest' "$work/stdout" || fail "the plug-in's parameters are not listed"
  succeed compare \
    "$heddle" compare --plugin "$plug_in" --schedulers lrr,by-slot "$work/vecadd" tiny
  grep -q by-slot "$work/stdout" || fail "compare does not show the plug-in"
  grep -q '"vetoes": [1-9]' "$work/own/run.json" ||
    fail "run.json lacks the plug-in's statistics"
  succeed "listing the CTA schedulers" "$heddle" list cta-schedulers --plugin "$plug_in" few-sms
  run few --plugin "$plug_in" --cta-scheduler few-sms:sms=2 "$work/vecadd" tiny
  same_instructions "$(instructions gto)" few
  succeed "listing the share policies" \
    "$heddle" list share-policies --plugin "$plug_in" few-ctas
  grep -q 'most CTAs of a kernel' "$work/stdout" || fail "the share policy is not listed"
  run shared --plugin "$plug_in" --share few-ctas:ctas=1 "$work/vecadd" tiny
  same_instructions "$(instructions gto)" shared
  refuse 'first=middle.*lowest.highest' \
    "$heddle" run --plugin "$plug_in" --scheduler by-slot:first=middle "$work/vecadd" tiny
  refuse 'by-slot exists already' \
    "$heddle" run --plugin "$plug_in" --plugin "$plug_in" "$work/vecadd" tiny
  resumed_with_plugin "$plug_in"
  guides_plugin "$prefix"
  faulty_policies "$prefix"
  refused_plugins "$prefix"
}

# The Debian package: accepted by lintian, installed in a folder, used, and removed.
package() {
  local root=$work/root dpkg=(dpkg)
  succeed "cpack" cpack -G DEB --config "$build/CPackConfig.cmake" -B "$work/deb"
  succeed "lintian" lintian --allow-root --fail-on error,warning "$work"/deb/heddle_*.deb
  [ ! -s "$work/stdout" ] || fail "lintian: $(cat "$work/stdout")"
  mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
  touch "$root/var/lib/dpkg/status"
  [ "$(id -u)" = 0 ] || dpkg=(fakeroot dpkg --force-not-root)
  dpkg+=(--root="$root" --force-depends --force-script-chrootless)
  succeed "installing" "${dpkg[@]}" --install "$work"/deb/heddle_*.deb
  heddle=$root/usr/bin/heddle
  succeed "the installed compiler" "$heddle" cc "$source/workloads/vecadd.cu" -o "$work/vecadd"
  run lrr "$work/vecadd" tiny
  succeed "Python" env PYTHONPATH="$root/usr/lib/python3/dist-packages" \
    python3 -c 'import heddle; print(heddle.version())'
  guides_plugin "$root/usr/lib/heddle" "$root/usr"
  succeed "removing" "${dpkg[@]}" --purge heddle
  find "$root" -path "$root/var/lib/dpkg" -prune -o -type f -print -o -type l -print \
    >"$work/stderr"
  [ ! -s "$work/stderr" ] || fail "files remain of a removed package"
  [ ! -e "$root/usr/lib/heddle" ] || fail "folders remain of a removed package"
}

# pip does not change the folder that it installs.
python_package() {
  cp -r "$source/python" "$work/python"
  find "$work/python" -name __pycache__ -prune -exec rm -r {} +
  find "$work/python" | sort >"$work/before"
  succeed "venv" /usr/bin/python3 -m venv --system-site-packages "$work/env"
  succeed "pip" "$work/env/bin/pip" install --no-build-isolation --no-index "$work/python"
  find "$work/python" -name __pycache__ -prune -o -print | sort >"$work/after"
  diff "$work/before" "$work/after" >"$work/stderr" || fail "pip changes the tree"
  (cd "$work" && HEDDLE=$heddle succeed "import" "$work/env/bin/python" -c \
    'import heddle; assert "/env/" in heddle.__file__; print(heddle.version())') || exit 1
}

# guides_plugin PREFIX [SEARCH_PREFIX]: the policy of write-a-scheduler.md with the statistics of
# policy-interface.md, and all headers that an installed Heddle has.
guides_plugin() {
  local folder=$work/guide
  mkdir "$folder"
  succeed "reading the guides" python3 - "$source/docs" "$1/include/heddle" <<'END'
import pathlib, re, sys
docs, headers = map(pathlib.Path, sys.argv[1:])
block = lambda page, word: next(code for code in re.findall(
    r"^```cpp\n(.*?)^```", (docs / page).read_text(), re.M | re.S) if word in code)
policy = block("write-a-scheduler.md", "class BoundedGreed").replace("policy_entry.h", "plugin.h")
statistics = block("policy-interface.md", "struct Statistics")
print("\n".join(f'#include "{one.relative_to(headers)}"' for one in headers.rglob("*.h")))
print(policy.replace("  Options options_;", """  Statistics statistics_;
  CtaTable ctas_;
  Options options_;""").replace("  explicit Bounded", statistics + "  explicit Bounded"))
print("""heddle::sm::PolicyReport::Record& used(heddle::sm::PolicyReport& report,
                                       const heddle::gpu::CtaContext& context) {
  heddle::gpu::LimitedRoundRobin{context};
  return report.record("mine", "decisions").put("cycle", std::uint64_t{1});
}""")
print(block("policy-interface.md", "HEDDLE_PLUGIN"))
END
  cp "$work/stdout" "$folder/my_policy.cc"
  printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(guide LANGUAGES CXX)' \
    'find_package(Heddle REQUIRED)' 'heddle_add_plugin(guide my_policy.cc)' \
    >"$folder/CMakeLists.txt"
  succeed "configuring the guide's plug-in" \
    cmake -S "$folder" -B "$folder/build" -DCMAKE_PREFIX_PATH="${2:-$1}"
  succeed "building the guide's plug-in" cmake --build "$folder/build"
  run guide --plugin "$folder/build/guide.so" --scheduler bounded-greed:run=2 \
    "$work/vecadd" tiny
  grep -q '"mine": {' "$work/guide/run.json" ||
    fail "run.json lacks the statistics of the guide's plug-in"
}

# faulty_policies PREFIX: what goes wrong in a policy names it, its file, its function and cycle.
faulty_policies() {
  local plug_in=$work/faulty.so
  succeed "building faulty policies" c++ -std=c++20 -O1 -shared -fPIC -march=x86-64-v3 \
    -I"$1/include/heddle" "$golden/faulty_policies.cc" "$1/lib/libheddle_policy.a" -o "$plug_in"
  succeed capture "$heddle" capture --quiet -o "$work/vecadd.hcap" "$work/vecadd" tiny
  refuse_policy() {
    refuse "scheduler $1 of plug-in $plug_in: SM [0-9]+, cycle [0-9]+: $2" \
      "$heddle" run --gpu gtx480 --plugin "$plug_in" --scheduler "$1" "$work/vecadd" tiny
    ! grep -q 'the program' "$work/stderr" || fail "the fault of $1 is explained by the program"
    refuse "scheduler $1 of plug-in $plug_in: SM [0-9]+, cycle [0-9]+: $2" \
      "$heddle" corun --gpu gtx480 --share even --plugin "$plug_in" --scheduler "$1" \
      "$work/vecadd.hcap" -- "$work/vecadd.hcap"
  }
  refuse_policy throwing 'pick\(\): my policy is confused'
  refuse_policy null-pointer 'on_issue\(\): signal 11 \(Segmentation fault\)'
  refuse_policy recursion 'pick\(\): signal 11 \(Segmentation fault\): the stack is full'
  refuse_policy not-issuable 'pick\(\): warp slot [02], which is not among the issuable ones'
}

# resumed_with_plugin FILE: a store does not say which code is loaded.
resumed_with_plugin() {
  export XDG_STATE_HOME=$work/state
  printf '%s\n' 'title = "t"' 'gpus = ["gtx480"]' 'schedulers = ["lrr", "by-slot"]' '[[case]]' \
    'name = "v"' "program = [\"$work/vecadd\", \"tiny\"]" >"$work/own.toml"
  succeed sweep "$heddle" sweep "$work/own.toml" --plugin "$1" --out "$work/own.sqlite"
  sqlite3 "$work/own.sqlite" "PRAGMA foreign_keys = ON;
    DELETE FROM runs WHERE scheduler = 'by-slot'"
  refuse "was swept with plug-ins; name them: heddle sweep resume .* --plugin $1" \
    "$heddle" sweep resume "$work/own.sqlite"
  succeed resume "$heddle" sweep resume "$work/own.sqlite" --plugin "$1"
  grep -q '1 runs, 1 kept' "$work/stderr" || fail "the sweep with a plug-in does not resume"
}

# refused_plugins PREFIX: files that are no plug-in for this Heddle.
refused_plugins() {
  local prefix=$1
  refuse_plugin() { refuse "$1" "$heddle" run --plugin "$2" "$work/vecadd" tiny; }
  refuse_plugin 'nosuch.so: file not found' "$work/nosuch.so"
  refuse 'vecadd.cu: cannot be loaded' \
    "$heddle" list schedulers --plugin "$source/workloads/vecadd.cu"
  printf '%s\n' 'const unsigned heddle_plugin_abi = 1;' \
    'void heddle_plugin_policies(void* into) { (void)into; }' >"$work/old.c"
  cc -shared -fPIC "$work/old.c" -o "$work/old.so" || fail "no C compiler"
  refuse_plugin 'ABI 1, this Heddle has [0-9]+' "$work/old.so"
  printf 'int nothing;\n' >"$work/none.c"
  cc -shared -fPIC "$work/none.c" -o "$work/none.so"
  refuse_plugin 'has no heddle_plugin_abi' "$work/none.so"
  sed 's/"by-slot"/"gto"/' "$source/examples/my-policy/my_policy.cc" >"$work/clash.cc"
  succeed "building by hand" c++ -std=c++20 -shared -fPIC -I "$prefix/include/heddle" \
    "$work/clash.cc" "$prefix/lib/libheddle_policy.a" -o "$work/clash.so"
  refuse_plugin 'gto exists already' "$work/clash.so"
}

# Makefiles and CMake find a toolkit where they look for CUDA's.
projects() {
  local project=$golden/project program
  CUDA_PATH=$("$heddle" cc --print-toolkit) || fail "no toolkit"
  export CUDA_PATH CUDACXX=$CUDA_PATH/bin/nvcc
  mkdir "$work/make"
  succeed make make -C "$work/make" -f "$project/Makefile" SOURCE="$project"
  for program in "$project" "$project/older"; do
    succeed "configuring $program" cmake -S "$program" -B "$work/${program##*/}" \
      -DCUDA_TOOLKIT_ROOT_DIR="$CUDA_PATH" -DCMAKE_BUILD_TYPE=Release
    succeed "building $program" cmake --build "$work/${program##*/}"
  done
  grep -q '^.target sm_80' "$work"/project/CMakeFiles/as_ptx.dir/times_seven.ptx ||
    fail "CUDA_PTX_COMPILATION writes no PTX for sm_80"
  succeed "configuring for the simulated GPU" "$heddle" run --quiet --gpu rtx3070 \
    cmake -S "$project" -B "$work/native" -DCMAKE_CUDA_ARCHITECTURES=native
  succeed "building for the simulated GPU" cmake --build "$work/native" --target by_cmake
  grep -q 'sm_86' "$work/native/CMakeFiles/answer.dir/answer.cu.o" ||
    fail "native is not the architecture of --gpu"
  for program in make/by_nvcc make/by_host project/by_cmake native/by_cmake older/by_find_cuda; do
    run "ran_${program##*/}" "$work/$program"
  done
}

compile_and_run() {
  "$heddle" cc -O2 --device-ptx "$1" "$2" -o "$work/program" &&
    "$heddle" run --gpu gtx480 "$work/program" "$3"
}

truncated_ptx() {
  local whole=$source/bench/reference/spmv.sm75.ptx
  head -c $(($(wc -c <"$whole") / 2)) "$whole" >"$work/half.ptx"
  refuse 'half\.ptx|spmv|PTX' \
    compile_and_run "$work/half.ptx" "$source/bench/reference/spmv.cu" 1024
}

unknown_instruction() {
  local reference=$source/bench/reference
  sed 's/^\(.*\)fma\.rn\.f32/\1fmaa.rn.f32/' "$reference/spmv.sm75.ptx" >"$work/odd.ptx"
  refuse 'odd\.ptx:[0-9]+:[0-9]+: .*fmaa' \
    "$heddle" cc --device-ptx "$work/odd.ptx" "$reference/spmv.cu" -o "$work/program"
}

# PTX of nvcc, in which symbols with internal linkage have other names than on clang's host side.
internal_names() {
  printf '%s\n' '#include <cstdio>' 'static __constant__ int add;' \
    'static __global__ void k(int* out) { *out += add; }' \
    'int main() {' '  int* d, h = 3; cudaMalloc(&d, 4); cudaMemset(d, 0, 4);' \
    '  cudaMemcpyToSymbol(add, &h, 4); k<< <1, 1>> >(d);' \
    '  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); std::puts(h == 3 ? "PASS" : "FAIL");' '}' \
    >"$work/internal.cu"
  printf '%s\n' '.version 7.0' '.target sm_75' '.address_size 64' '.const .align 4 .u32 add;' \
    '.entry _Z1kPi(.param .u64 p) {' '.reg .b64 %rd<3>;' '.reg .b32 %r<4>;' \
    'ld.param.u64 %rd1, [p];' 'cvta.to.global.u64 %rd2, %rd1;' 'ld.const.u32 %r1, [add];' \
    'ld.global.u32 %r2, [%rd2];' 'add.s32 %r3, %r1, %r2;' 'st.global.u32 [%rd2], %r3;' 'ret;' '}' \
    >"$work/internal.ptx"
  succeed "heddle cc --device-ptx" "$heddle" cc --device-ptx "$work/internal.ptx" \
    "$work/internal.cu" -o "$work/internal"
  run ran_internal --gpu gtx480 "$work/internal"
}

gpgpusim_config() {
  printf '%s\n' '-gpgpu_n_clusters 7' '-gpgpu_n_cores_per_cluster 1' '-gpgpu_perfect_mem 1' \
    '-gpgpu_cache:dl1 N:32:128:4,L:L:m:N:H,S:64:8,8' '-gpgpu_num_reg_banks 16' \
    '-gpgpu_cache:dl2 S:64:128:8,L:B:m:L:L,A:256:4,4:0,32' '-gpgpu_shmem_num_banks 32' \
    '-gpgpu_coalesce_arch 20' '-gpgpu_n_mem 6' '-gpgpu_n_sub_partition_per_mchannel 2' \
    '-gpgpu_n_mem_per_ctrlr 2' '-gpgpu_dram_burst_length 8' '-dram_data_command_freq_ratio 4' \
    '-gpgpu_dram_timing_opt 16:2:6:12:28:12:40:12:4:5:12:4:3:2'
}

# heddle ptx lists what a program contains, and every unsupported instruction of a PTX text.
# A configuration of GPGPU-Sim becomes a GPU file; what has no counterpart is listed.
imports_a_gpu() {
  gpgpusim_config >"$work/gpgpusim.config"
  diagnose "'heddle gpu import gpgpusim.config' makes a GPU file" \
    "$heddle" gpu show "$work/gpgpusim.config"
  succeed 'the import' "$heddle" gpu import "$work/gpgpusim.config" -o "$work/mine.toml"
  grep -q 'gpgpu_perfect_mem 1 has no counterpart' "$work/stderr" || fail 'nothing is listed'
  succeed 'the summary' "$heddle" gpu show "$work/mine.toml"
  grep -q '^SMs  *7 at' "$work/stdout" || fail 'the number of SMs is lost'
  succeed 'a run' "$heddle" run -q --gpu "$work/mine.toml" "$build/workloads/vecadd" tiny
  "$heddle" gpu import "$work/gpgpusim.config" -o /dev/full 2>"$work/stderr" &&
    fail 'a full disk is no error'
  echo '-gpgpu_n_clusters x' >>"$work/gpgpusim.config"
  diagnose 'gpgpusim.config:15: ' "$heddle" gpu import "$work/gpgpusim.config" -o "$work/b.toml"
  [ ! -e "$work/b.toml" ] || fail 'a part was written'
}

describes_ptx() {
  local at
  succeed "heddle ptx" "$heddle" ptx "$build/workloads/reduction"
  grep -q "all of it is supported" "$work/stdout" || fail "the program's PTX is not described"
  printf '%s\n' '.version 7.0' '.target sm_75' '.address_size 64' '.entry k() {' \
    '.reg .b32 %r<9>;' 'tcgen05.wait::ld.sync.aligned;' 'add.s32 %r1, %r2, 3;' \
    'frob.b32 %r1;' '' '' 'baz.b32 %r1;' 'ret;' '}' >"$work/bad.ptx"
  "$heddle" ptx "$work/bad.ptx" >"$work/stdout" 2>"$work/stderr"
  [ $? = 2 ] || fail "an unsupported instruction does not give exit code 2"
  for at in "6:1: unsupported instruction 'tcgen05" "8:1: unsupported instruction 'frob"; do
    grep -q "bad.ptx:$at" "$work/stdout" || fail "not listed: $at"
  done
  [ "$(grep -o 'bad.ptx:[0-9]*' "$work/stdout" | tr '\n' ' ')" = \
    'bad.ptx:6 bad.ptx:8 bad.ptx:11 ' ] || fail 'the lines are not in order'
  grep -q "^k " "$work/stdout" || fail "the kernel is not listed"
  "$heddle" ptx "$work/nothing" >"$work/stdout" 2>"$work/stderr"
  [ $? = 2 ] || fail "a missing file does not give exit code 2"
}

# Marks in CUDA source and hints that heddle cc embeds reach the warp scheduler ps.
hints_are_embedded() {
  local line
  line=$(grep -n 'for (int i = 0; i < n; ++i)' "$golden/rows.cu" | cut -d: -f1)
  printf '%s\n' '[[kernel]]' 'name = "rows"' 'direction = "x"' '[[kernel.loop]]' \
    "line = $line" 'file = "rows.cu"' 'group = 2' 'group_with_mapping = 3' >"$work/hints.toml"
  compile rows
  run plain --gpu gtx480 --scheduler gto "$work/rows"
  run unmarked --gpu gtx480 --scheduler ps:groups=pragmas "$work/rows"
  [ "$(value plain totals.cycles)" = "$(value unmarked totals.cycles)" ] ||
    fail "ps without marks is not its order"
  run analysed --gpu gtx480 --scheduler ps "$work/rows"
  succeed "heddle analyze" "$heddle" analyze --gpu gtx480 --write-hints "$work/found.toml" \
    "$work/rows"
  compile rows --ps-hints "$work/found.toml"
  run found --gpu gtx480 --scheduler ps:groups=pragmas "$work/rows"
  [ "$(value analysed totals.cycles)" = "$(value found totals.cycles)" ] ||
    fail "embedded hints and the analysis at launch differ in effect"
  compile rows -DMARKED
  run marked --gpu gtx480 --scheduler ps "$work/rows"
  compile rows --ps-hints "$work/hints.toml"
  run hinted --gpu gtx480 --scheduler ps "$work/rows"
  [ "$(value marked totals.policy.ps.vetoed_loads)" -gt 0 ] || fail "the marks have no effect"
  [ "$(value marked totals.cycles)" = "$(value hinted totals.cycles)" ] ||
    fail "the hints and the marks differ in effect"
  compile rows --ps-hints "$work/hints.toml" --cta-hints "$work/hints.toml"
  succeed "heddle ptx" "$heddle" ptx "$work/rows"
  grep -q 'CTA direction x' "$work/stdout" || fail "the direction is not printed"
  grep -q "the loop at line $line is marked for groups of 3 warps" "$work/stdout" ||
    fail "the mark is not printed"
  compile rows --cta-hints
  succeed "heddle ptx" "$heddle" ptx "$work/rows"
  grep -q 'CTA direction auto' "$work/stdout" || fail "auto is not embedded"
  printf '%s\n' '[[kernel]]' 'name = "columns"' 'direction = "x"' >"$work/hints.toml"
  refuse "hints.toml:1:1: no source has a kernel 'columns'" \
    "$heddle" cc --cta-hints "$work/hints.toml" "$golden/rows.cu" -o "$work/out"
}
