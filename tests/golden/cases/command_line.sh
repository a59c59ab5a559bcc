# The command line itself: completion, manual pages, invalid arguments, exit codes.

# completed LINE WORD: bash offers WORD as a completion of the line's last word.
completed() {
  local line=$1 word=$2
  (
    source "$work/heddle.bash"
    IFS=' ' read -ra COMP_WORDS <<<"$line"
    [[ $line == *' ' ]] && COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _heddle
    printf '%s\n' "${COMPREPLY[@]}"
  ) >"$work/words"
  grep -qxF -- "$word" "$work/words" || fail "'$line' is not completed with $word"
}

# zsh_completes KIND WORD: zsh offers WORD for a value of this kind.
zsh_completes() {
  zsh -f -c 'compadd() { print -rl -- ${(P)argv[-1]} }; compset() { }; _files() { }
    _arguments() { }; _describe() { }; CURRENT=2 words=(heddle)
    . "$1"; _heddle_value "$2"' zsh "$work/_heddle" "$1" >"$work/words" 2>"$work/stderr"
  grep -qxF -- "$2" "$work/words" || fail "zsh does not complete $1 with $2"
}

# The completion scripts are valid and know verbs, options and names.
completion() {
  "$heddle" completion bash >"$work/heddle.bash" || fail "no script for bash"
  "$heddle" completion zsh >"$work/_heddle" || fail "no script for zsh"
  bash -n "$work/heddle.bash" 2>"$work/stderr" || fail "the script for bash has an error"
  if command -v zsh >/dev/null; then
    zsh -n "$work/_heddle" 2>"$work/stderr" || fail "the script for zsh has an error"
  fi
  completed 'heddle com' compare
  completed 'heddle run --sch' --scheduler
  completed 'heddle run --scheduler g' gto
  completed 'heddle run -q --gpu qv' qv100
  completed 'heddle run --gpu = qv' qv100
  completed 'heddle run --gpu=qv' --gpu=qv100
  completed 'heddle compare --schedulers=lrr,caw' --schedulers=lrr,cawa
  completed 'heddle run --set sm.l1d.si' sm.l1d.size=
  completed 'heddle compare --schedulers lrr,caw' lrr,cawa
  completed 'heddle run --cta-scheduler map' mapped
  completed 'heddle compare --cta-schedulers rr,map' rr,mapped
  completed 'heddle check --tool memory,r' memory,races
  completed 'heddle list p' parameters
  completed 'heddle list schedulers caw' cawa
  completed 'heddle list replacement-policies sr' srrip
  completed 'heddle list dram-schedulers fr' fr-fcfs
  completed 'heddle list workloads spmv_s' spmv_scalar
  completed 'heddle list stats l1d.hi' l1d.hits
  completed 'heddle list parameters sm.l1d.si' sm.l1d.size
  completed 'heddle sweep --executor sl' slurm
  completed 'heddle reproduce ipa' ipaws
  completed 'heddle suite build rod' rodinia
  completed 'heddle run --share sm' smk
  completed 'heddle sweep res' resume
  completed 'heddle run --stats cycles,l1d.hi' cycles,l1d.hits
  completed 'heddle results --stats rates.l1d_h' rates.l1d_hits
  (cd "$source/experiments" && completed 'heddle sweep patt' patterns.toml) || exit 1
  grep -qF -- '--gpu=[' "$work/_heddle" || fail "zsh does not complete after --gpu="
  zsh_completes GPU qv100
  zsh_completes STATISTIC,... l1d.hits
  zsh_completes SHARE_POLICY smk
  zsh_completes KEY=VALUE sm.l1d.size
  zsh_completes 'EXECUTOR:{local,slurm}' slurm
  zsh_completes VERB sweep
  completed 'heddle list parameters --gpu lf' lfws
  completed 'heddle cc --print' --print-toolkit
  completed 'heddle man s' sweep
  cd "$source" && completed 'heddle run --gpu gtx480 ./dem' ./demo
  completed 'heddle run ./demo REA' README.md
  refuse 'must be bash or zsh' "$heddle" completion fish
}

# Those of `heddle cc` that have no effect are in its --help only.
options_of() {
  "$heddle" "$1" --help | sed '/^Without effect/,$d' |
    grep -oE '^  (-[a-zA-Z],)?--[a-z-]+' | grep -oE -- '--[a-z-]+'
}

# Every verb has a manual page without errors, with all options of the verb.
manual() {
  local page verb option part
  "$heddle" man --out "$work/pages" || fail "no pages"
  "$heddle" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p' >"$work/verbs"
  [ -s "$work/verbs" ] || fail "no verbs"
  while read -r verb; do
    page=$work/pages/heddle-$verb.1
    [ -f "$page" ] || fail "no page of $verb"
    cmp -s "$page" <("$heddle" man "$verb") || fail "heddle man $verb prints another page"
    for option in $(options_of "$verb"); do
      grep -qF -- "${option//-/\\-}" "$page" || fail "the page of $verb lacks $option"
    done
  done <"$work/verbs"
  for page in "$work"/pages/*.1; do
    for part in '.TH ' '.SH NAME' '.SH SYNOPSIS' '.SH SEE ALSO'; do
      grep -qF -- "$part" "$page" || fail "${page##*/} has no $part"
    done
    if command -v groff >/dev/null; then
      groff -man -ww -Tascii "$page" 2>"$work/stderr" >"$work/stdout"
      [ -s "$work/stderr" ] && fail "${page##*/} has an error"
    fi
  done
  cmp -s <("$heddle" man heddle-sweep) <("$heddle" man sweep) || fail "heddle man heddle-sweep"
  refuse 'no verb .rum.*did you mean' "$heddle" man rum
  grep -q worker "$work/pages/heddle-sweep.1" && fail "the page of sweep has an internal verb"
  help_is_wrapped
}

# --help and lists have no line beyond COLUMNS, and is printed as it is where no width is known.
help_is_wrapped() {
  local verb list longest
  while read -r verb; do
    longest=$(COLUMNS=60 "$heddle" "$verb" --help |
      awk 'length > most { most = length } END { print most }')
    [ "$longest" -le 60 ] || fail "heddle $verb --help has a line of $longest columns"
  done <"$work/verbs"
  for list in schedulers cta-schedulers share-policies replacement-policies dram-schedulers gpus \
    workloads stats ptx parameters; do
    longest=$(COLUMNS=60 "$heddle" list $list |
      awk 'length > most { most = length } END { print most }')
    [ "$longest" -le 60 ] || fail "heddle list $list has a line of $longest columns"
  done
  [ "$(COLUMNS=60 "$heddle" sweep --help | tr -s ' \n' ' ')" = \
    "$("$heddle" sweep --help | tr -s ' \n' ' ')" ] || fail "wrapping changes the words of --help"
  refuse "cannot list 'gpuss'; did you mean gpus" "$heddle" list gpuss
  refuse '--isa: ptxx not in \{auto,ptx,sass\}' "$heddle" run --isa ptxx "$build/workloads/vecadd"
}

# --help of every verb ends with two commands, which work as they are but for their long inputs.
help_ends_with_examples() {
  local verb line lines
  mkdir "$work/folder" && cd "$work/folder" || exit 1
  export XDG_STATE_HOME=$work/state PATH=$build/bin:$PATH
  cp "$build"/workloads/{kmeans,matmul,laplace3d} .
  cp "$source"/workloads/{kmeans.cu,texture.h,common.h} .
  succeed "a capture" "$heddle" capture -o laplace3d.hcap ./laplace3d tiny
  gpgpusim_config >gpgpusim.config
  cp "$golden/add.cubin" kmeans.cubin
  "$heddle" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p' >"$work/verbs"
  while read -r verb <&3; do
    mapfile -t lines < <("$heddle" "$verb" --help | tail -n 2)
    for line in "${lines[@]}"; do
      [[ $line == '  '*heddle* ]] || fail "--help of $verb does not end with two examples"
      case $line in  # a checkout, an hour, folders of the user
        *'suite build'* | *'--figure'* | *'~/.zsh'*) continue ;;
      esac
      line=$(sed -E 's/ (34|20|1024)$/ tiny/' <<<"$line")
      bash -c "set -e -o pipefail; $line" >"$work/stdout" 2>"$work/stderr" || fail "$verb: $line"
    done
  done 3<"$work/verbs"
}

# An old flag works, with a warning.
old_flags() {
  run old --functional --share-always "$build/workloads/vecadd" tiny
  grep -q 'warning: --share-always is now called --force-threads' "$work/stderr" ||
    fail "no warning"
}

# Results that cannot be written are an error before the run.
unwritable() {
  local vecadd=$build/workloads/vecadd
  touch "$work/file"
  refuse 'file' "$heddle" run --out "$work/file" "$vecadd" tiny
  refuse 'file' "$heddle" compare --out "$work/file/deeper" "$vecadd" tiny
  refuse 'full|proc' "$heddle" run --out /proc/full "$vecadd" tiny
}

# refuse_run PATTERN OPTION...: heddle run of vecadd.
refuse_run() {
  local pattern=$1
  shift
  refuse "$pattern" "$heddle" run "$@" "$build/workloads/vecadd" tiny
}

unknown_gpu() { refuse_run 'nosuch.*|gtx480' --gpu nosuch; }
unknown_scheduler() { refuse_run 'gto' --gpu gtx480 --scheduler gtoo; }
unknown_parameter() { refuse_run 'l1d\.size' --gpu gtx480 --set sm.l1d.sise=16KiB; }
invalid_size() { refuse_run 'l1d\.size' --gpu gtx480 --set sm.l1d.size=33; }
invalid_window() { refuse_run 'FROM:TO' --timeline "$work/t" --timeline-window 5; }
window_of_nothing() { refuse_run 'needs --timeline or --warp-log' --timeline-window 0:5; }
log_of_missing_warp() {
  refuse_run 'CTA:WARP' --gpu gtx480 --warp-log 0
}
unknown_statistic() { refuse_run 'did you mean l1d.hits' --stats l1d.hit; }
statistics_on_the_terminal() {
  "$heddle" run --gpu gtx480 --quiet --stats cycles,l1d.hits --out "$work/r" \
    "$build/workloads/kmeans" tiny >/dev/null 2>"$work/table" || fail "the run failed"
  local hits
  hits=$(python3 -c 'import json, sys
print("{:,}".format(json.load(open(sys.argv[1]))["totals"]["l1d"]["hits"]))' "$work/r/run.json")
  grep -q "l1d.hits .* total  *$hits\$" "$work/table" || fail "the total differs from run.json"
}
picture_of_unknown_format() {
  refuse_run 'must end in .svg, .pdf or .png' --plot x.eps
  refuse_run 'must end in .svg, .pdf or .png' --plot=x.jpg
  refuse_run 'must end in .svg, .pdf or .png' --plot x.webp
}
options_behind_program() {
  refuse 'options come before the program: --scheduler' \
    "$heddle" run "$build/workloads/vecadd" tiny --scheduler gto
  refuse 'options come before the program: --schedulers=gto' \
    "$heddle" compare --schedulers lrr,srr "$build/workloads/vecadd" tiny --schedulers=gto
}
pattern_of_missing_sm() {
  refuse_run 'pattern-sm 15: gtx480 has 15 SMs' --gpu gtx480 --details --pattern-sm 15
}

missing_program() { refuse 'nosuch' "$heddle" run --gpu gtx480 "$work/nosuch"; }
program_without_cuda() { refuse 'used no CUDA' "$heddle" run --gpu gtx480 "$build/bin/no_cuda"; }
source_text() {
  refuse 'heddle cc' "$heddle" run "$golden/illegal_actions.cu"
}

# heddle run returns the program's exit code.
exit_code() {
  "$heddle" run --gpu gtx480 "$build/workloads/vecadd" nosuchsize \
    >"$work/stdout" 2>"$work/stderr"
  [ $? -eq 2 ] || fail "the program's exit code is 2, that of heddle run is not"
  grep -q 'usage: vecadd' "$work/stderr" || fail "the program's own message is lost"
}

# heddle sass: golden/add.cubin is nvcc -arch=sm_80 -cubin of c[i] = a[i] + b[i].
lists_machine_code() {
  succeed "heddle sass" "$heddle" sass "$golden/add.cubin" add
  grep -q '^// kernel add(float const\*, float const\*, float\*, int): 12 registers' \
    "$work/stdout" || fail "the kernel is not described"
  grep -q 'B--2---:R-:W-:Y:S05  FADD R9, R4, R3$' "$work/stdout" || fail "FADD is not listed"
  succeed "heddle sass --json" "$heddle" sass --json "$golden/add.cubin"
  grep -q '"text": "FADD R9, R4, R3"' "$work/stdout" || fail "the JSON lacks FADD"
  refuse 'no kernel sub' "$heddle" sass "$golden/add.cubin" sub
  refuse 'contains no machine code for sm_90' "$heddle" sass --architecture 90 "$golden/add.cubin"
  refuse 'contains no machine code' "$heddle" sass "$build/workloads/vecadd"
}

# bytes VALUE COUNT: a number, its lowest byte first.
bytes() {
  local i
  for ((i = 0; i < $2; i++)); do printf "\\x$(printf %02x $(($1 >> (8 * i) & 255)))"; done
}

# A file of two cubins. The one of an architecture that is not known is named and not listed.
lists_known_machine_code() {
  local size entry
  size=$(stat -c %s "$golden/add.cubin")
  entry=$((64 + size))
  {
    bytes 0xBA55ED50 4 && bytes 1 2 && bytes 16 2 && bytes $((2 * entry)) 8
    for sm in 80 100; do  # in byte 49 of an ELF file
      bytes 2 4 && bytes 64 4 && bytes "$size" 8 && bytes 0 12 && bytes $sm 4 && bytes 0 32
      head -c 49 "$golden/add.cubin" && bytes $sm 1 && tail -c +51 "$golden/add.cubin"
    done
  } >"$work/two.fatbin"
  succeed "heddle sass of two cubins" "$heddle" sass "$work/two.fatbin" add
  grep -q 'two.fatbin#2: machine code of sm_100 is not known and not listed' "$work/stderr" ||
    fail "the cubin of sm_100 is not named"
  [ "$(grep -c 'FADD R9, R4, R3$' "$work/stdout")" -eq 1 ] || fail "FADD is not listed once"
  refuse 'sm_100 is not known' "$heddle" sass --architecture 100 "$work/two.fatbin"
}

# A functional run is on a GPU of the program's capability; a timed one that fails names it. Both
# name a GPU with enough shared memory.
programs_of_newer_gpus() {
  cp -r "$golden/kernels" "$work/k"
  sed -i 's/sm_75/sm_86/' "$work/k/saxpy.ptx"
  succeed "functional" "$heddle" run --functional "$work/k/saxpy.toml"
  grep -q 'GPU rtx3070, because the program is compiled for sm_86' "$work/stderr" ||
    fail "another GPU was chosen"
  sed -i 's/^block = 128/block = 128\nshared = 65536/' "$work/k/saxpy.toml"
  refuse 'try --gpu rtx3070' "$heddle" run "$work/k/saxpy.toml"
  grep -q -- '(GPU gtx480; --gpu [a-z0-9]* has enough)' "$work/stderr" ||
    fail "no GPU with enough shared memory is named"
}
