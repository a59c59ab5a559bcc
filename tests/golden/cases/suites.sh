# Original programs of a made-up suite: what is built, what is not and why, and a reproduction that
# runs one of them.
suite() {
  local from=$work/checkout recipes=$work/recipes out=$work/originals
  mkdir -p "$from/src" "$recipes"
  cat >"$from/src/twice.cu" <<'CODE'
#include <cstdio>
__global__ void twice(int* a) { a[threadIdx.x] *= FACTOR; }
int main(int argc, char** argv) {
  int host[32], *device;
  for (int i = 0; i < 32; ++i) host[i] = i;
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  twice<<<1, 32>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  puts(argc == 2 && host[31] == 62 ? "PASS" : "FAIL");
  return host[31] != 62;
}
CODE
  printf '__global__ void broken(int* a) { a[0] = missing; }\nint main() {}\n' \
    >"$from/src/broken.cu"
  printf '%s\n' 'title = "Made up"' 'marks = ["src/twice.cu"]' \
    '[[program]]' 'name = "twice"' 'folder = "src"' 'sources = ["twice.cu"]' \
    'options = ["-DFACTOR=2"]' 'ours = "vecadd"' 'small = ["{from}/src"]' \
    '[[program]]' 'name = "broken"' 'folder = "src"' 'sources = ["broken.cu"]' \
    '[[program]]' 'name = "absent"' 'folder = "src"' 'sources = ["absent.cu"]' \
    '[[program]]' 'name = "library"' 'unsupported = "it needs a library"' >"$recipes/made.toml"
  local command=("$heddle" suite build made --from "$from" --recipes "$recipes" -o "$out")
  "${command[@]}" >"$work/stdout" 2>"$work/stderr"
  [ $? = 1 ] || fail "a suite that is not complete has another exit code than 1"
  grep -q '^  twice  *built  *vecadd$' "$work/stdout" || fail "twice is not built"
  grep -qE "broken.cu:1:[0-9]+: error:.*missing" "$work/stdout" || fail "no place of the error"
  grep -q 'absent  *no source  *there is no src/absent.cu' "$work/stdout" || fail "absent"
  grep -q 'library  *not built  *it needs a library' "$work/stdout" || fail "library"
  grep -q '1 built, 1 failed, 1 without source, 1 not built' "$work/stdout" || fail "counts"
  [ -s "$out/made/broken.log" ] || fail "no messages of the compiler"
  [ -z "$(find "$from" -newer "$recipes/made.toml" -type f)" ] || fail "the checkout has changed"
  succeed one "${command[@]}" --program twice
  succeed list "$heddle" suite list --recipes "$recipes"
  grep -q 'library.*not built: it needs a library' "$work/stdout" || fail "suite list"
  refuse 'is not a checkout of Made up: it has no src/twice.cu' "$heddle" suite build made \
    --from "$recipes" --recipes "$recipes" -o "$out"
  refuse 'suites: made' "$heddle" suite build none --from "$from" --recipes "$recipes"

  mkdir -p "$work/papers/one"
  printf '%s\n' 'title = "T"' 'gpus = ["ipaws"]' 'schedulers = ["lrr", "gto", "oldest"]' \
    '[[case]]' 'name = "VADD"' 'program = ["vecadd", "small"]' \
    'full = ["small"]' '[[case]]' 'name = "walk"' 'program = ["patterns/row_walk", "tiny"]' \
    'full = ["tiny"]' >"$work/papers/one/r.toml"
  printf '%s\n' 'title = "One"' 'source = "S"' 'gpu = "ipaws"' '[[figure]]' 'number = "1"' \
    'title = "F"' 'study = "r"' 'rows = ["lrr", "gto"]' \
    '[[figure.claim]]' 'text = "GTO is twice as fast"' 'source = "S"' 'row = "gto"' \
    'over = "lrr"' 'direction = "~ 2"' '[[figure.claim.reading]]' 'text = "wide"' 'within = 0.9' \
    '[[figure.claim]]' 'text = "GTO is much faster"' 'source = "S"' 'row = "gto"' 'over = "lrr"' \
    'direction = "> 9"' 'reason = "It is not."' >"$work/papers/one/paper.toml"
  succeed originals "$heddle" reproduce one --experiments "$work/papers" --programs "$out" \
    -o "$work/pages"
  grep -q 'Original programs: VADD is made/twice. Programs of Heddle: walk.' \
    "$work/pages/one.md" || fail "the page does not name the originals"
  [ "$(sqlite3 "$work/pages/one.sqlite" "SELECT COUNT(*) FROM runs
    WHERE program LIKE '%/made/twice' AND status = 'completed'")" = 2 ] ||
    fail "the original did not run, or under a scheduler that no figure needs"
  grep -q '^- Figure 1, "GTO is much faster": [0-9.]*\. It is not\.' \
    "$work/pages/one.md" || fail "no reason"
  grep -q '^| GTO is twice as fast .* | does not hold |$' "$work/pages/one.md" &&
    grep -q '^| GTO is twice as fast | wide | [0-9.]* | holds |$' "$work/pages/one.md" ||
    fail "a reading does not have its own bound"
  succeed paper "$heddle" reproduce one --experiments "$work/papers" --programs "$out" \
    -o "$work/pages" --size paper
  grep -q '^- Figure 1, "GTO is much faster": [0-9.]*\. With small inputs: It is not\.' \
    "$work/pages/one.md" || fail "the page does not say that the reason is that of small inputs"
  [ "$(tail -n 1 "$work/pages/one.html")" = '</html>' ] || fail "the HTML page is not whole"
  grep -q '^The 4 runs took [0-9]* s of processor time\.$' "$work/pages/one.md" ||
    fail "the page does not have the time of its runs"

  # A registered reading changes the machine of the whole list.
  mkdir -p "$work/readings"
  cp -r "$work/papers/one" "$work/readings/two"
  printf '%s\n' '[[parameter]]' 'name = "L1I"' 'default = "4 KiB"' 'source = "a file"' \
    '[[parameter.value]]' 'name = "small"' 'text = "1 KiB"' 'source = "another file"' \
    'set = ["sm.l1i.size=1KiB"]' >>"$work/readings/two/paper.toml"
  succeed readings "$heddle" reproduce two --experiments "$work/readings" \
    -o "$work/pages" --reading all
  grep -q 'r@small: 4 runs, 0 were in' "$work/stderr" || fail "not the runs of the reading"
  grep -qE '^[|] small [|] L1I: 1 KiB [|] another file [|] [0-9] of 2 [|]' "$work/pages/two.md" ||
    fail "the page does not count the claims of the reading"
  grep -q '^"1","GTO is much faster",.*,> 9,,does not hold,[0-9.]*,[0-9.]*$' \
    "$work/pages/two.csv" || fail "the table of claims has not both values"
  refuse 'no reading none; readings: small' "$heddle" reproduce two \
    --experiments "$work/readings" -o "$work/pages" --reading none

  # A page of a part of the runs: one figure and one reading have none.
  sed 's/title = "T"/title = "U"/' "$work/papers/one/r.toml" >"$work/papers/one/s.toml"
  printf '%s\n' '[[figure.claim.reading]]' 'text = "other"' 'study = "s"' '[[figure]]' \
    'number = "2"' 'title = "G"' 'study = "s"' 'rows = ["lrr", "gto"]' \
    >>"$work/papers/one/paper.toml"
  succeed part "$heddle" reproduce one --experiments "$work/papers" --programs "$out" \
    -o "$work/pages" --size paper --from-store
  grep -q '^Figures that were not run: 2\.$' "$work/pages/one.md" || fail "figure 2 is not named"
  grep -q '^## Figure 1' "$work/pages/one.md" || fail "figure 1 is left out"
  ! grep -qE '^## Figure 2|[|] other [|]' "$work/pages/one.md" || fail "the page has figure 2"
  refuse 'it has no run of figure 2' "$heddle" reproduce one --experiments "$work/papers" \
    --programs "$out" -o "$work/pages" --size paper --from-store --figure 2
}
