# Programs whose kernels run as machine code (golden/machine_code).

# machine_code ARCHITECTURE GUIDED GPU OPTIONS...: every program passes, functionally and with
# timing on both cores, and obeys the law of control words on GUIDED.
machine_code() {
  local architecture=$1 guided=$2 gpu=$3 name
  shift 3
  for name in vecadd reduction spmv_vector kmeans ispass/aes parboil/sad rodinia/lud; do
    for how in "--functional --gpu $gpu $*" "--details --gpu $gpu $*" "--gpu $guided"; do
      succeed "$name, sm_$architecture, $how" \
        "$heddle" run --quiet --isa sass $how -o "$work/out" \
        --cubin "$golden/machine_code/$(basename "$name").fatbin" "$build/workloads/$name" tiny
      tail -n 1 "$work/stdout" | grep -q PASS || fail "$name, sm_$architecture, $how: no PASS"
    done
    [ "$(value out totals.sm.control_violations)" = 0 ] ||
      fail "$name, sm_$architecture: $guided has a latency that the code does not have"
  done
}

# What the kernel prints and computes as PTX and as machine code is the same.
machine_code_calls() {
  local machine
  "$heddle" cc -O2 -arch=sm_75 "$golden/machine_code/calls.cu" -o "$work/calls" \
    2>"$work/stderr" || fail "calls.cu does not compile"
  succeed "PTX" "$heddle" run --quiet --functional --gpu rtx3070 "$work/calls"
  mv "$work/stdout" "$work/expected"
  for machine in rtx2060 rtx3070 h200; do
    succeed "$machine" "$heddle" run --quiet --functional --gpu $machine \
      --cubin "$golden/machine_code/calls.fatbin" "$work/calls"
    cmp -s "$work/stdout" "$work/expected" || fail "$machine: other results than PTX"
  done
}

# Programs of tests/cuda pass as machine code, functionally and with timing.
machine_code_of_test_programs() {
  local name machine how program
  "$heddle" cc -O2 -DNO_REFERENCES "$golden/../cuda/programs/textures.cu" -o "$work/textures" \
    2>"$work/stderr" || fail "textures.cu does not compile"
  for name in textures:rtx2060 textures:rtx3070 textures:h200 mipmaps:rtx2060 mipmaps:rtx3070 \
    mipmaps:h200 barriers:h200 bulk_copies:h200 branch_syncs:h200 tensor_copies:h200 \
    cluster_exchange:h200 sparse_products:rtx4090 tensor_columns:h200 texture_references:rtx3070 \
    texture_references:h200; do
    machine=${name#*:} name=${name%:*}
    program=$build/tests/cuda/$name
    [ $name != textures ] || program=$work/textures
    [ $name != texture_references ] || program=$build/tests/cuda/textures
    for how in --functional --details; do
      succeed "$name, $machine, $how" "$heddle" run --quiet $how --gpu $machine \
        --cubin "$golden/machine_code/$name.fatbin" "$program"
      tail -n 1 "$work/stdout" | grep -q PASS || fail "$name, $machine, $how: no PASS"
    done
  done
}

machine_code_is_chosen_and_refused() {
  local cubin=$golden/machine_code/vecadd.fatbin program=$build/workloads/vecadd
  refuse 'has no machine code that GPU gtx480 .sm_75. executes' \
    "$heddle" run --gpu gtx480 --isa sass "$program" tiny
  refuse 'has no machine code that GPU titanx .sm_61. executes' \
    "$heddle" run --gpu titanx --cubin "$cubin" "$program" tiny
  refuse 'captures need PTX' \
    "$heddle" capture --isa sass --cubin "$cubin" -o "$work/capture" "$program" tiny
}

# heddle check finds in machine code what it finds in PTX, at the same lines.
check_of_machine_code() {
  local fatbin=$golden/machine_code/planted.fatbin kernel line
  compile planted -O2
  succeed "no mistake" "$heddle" check --cubin "$fatbin" "$work/planted" none
  for kernel in bulk_copies tensor_copies cluster_exchange; do
    succeed "$kernel" "$heddle" check --gpu h200 --cubin "$golden/machine_code/$kernel.fatbin" \
      "$build/tests/cuda/$kernel"
  done
  for kernel in past_the_end freed past_the_tile no_barrier read_then_write between_ctas; do
    line=$(grep -n "// here: $kernel\$" "$golden/planted.cu" | cut -d: -f1)
    "$heddle" check --cubin "$fatbin" "$work/planted" $kernel >"$work/stdout" 2>"$work/stderr"
    [ $? -eq 3 ] || fail "$kernel: the exit code is not 3"
    grep -qE "planted\.cu:$line, planted .sm_75." "$work/stderr" ||
      fail "$kernel: no finding in line $line"
    grep -q "^heddle: check: 1 finding in 1 kernel launch" "$work/stderr" ||
      fail "$kernel: not one finding"
  done
}
