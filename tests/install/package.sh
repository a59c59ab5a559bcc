#!/usr/bin/env bash
# Installs the Debian package in a bare Debian 12 and uses it there. It takes minutes and 1.2 GB, so
# it is run by hand, as root, after `cpack -G DEB`:
#   tests/install/package.sh build/heddle_0.2.0_amd64.deb [ARCHIVE]
# ARCHIVE is a tar of a bare Debian 12, which is made with mmdebstrap when it is missing.
set -euo pipefail
package=$(realpath "$1") archive=${2:-}
name=$(basename "$package")
root=$(mktemp -d)
trap 'umount -q "$root/proc" || true; rm -rf --one-file-system "$root"' EXIT

fail() { printf 'FAILED: %s\n' "$*"; exit 1; }
inside() {
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"
}
# prints TEXT COMMAND...: the command succeeds in the bare system and prints TEXT.
prints() {
  local text=$1 output
  shift
  output=$(inside "$@" 2>&1) || fail "exit code $?: $*"$'\n'"$output"
  grep -qF -- "$text" <<<"$output" || fail "no '$text': $*"$'\n'"$output"
  printf 'passed: %s\n' "$*"
}

if [ -n "$archive" ] && [ -f "$archive" ]; then
  tar -C "$root" -xf "$archive"
else
  mmdebstrap --quiet --variant=minbase bookworm "${archive:-$root}"
  [ -z "$archive" ] || tar -C "$root" -xf "$archive"
fi
cp /etc/resolv.conf "$root/etc/"
cp "$package" "$root/root/"
inside apt-get -qq update
inside env DEBIAN_FRONTEND=noninteractive \
  apt-get -qq install -y --no-install-recommends "/root/$name" \
  python3 bash-completion zsh man-db make g++ cmake >/dev/null 2>&1 ||
  fail "apt-get cannot install $name"
printf 'passed: installing %s: %s with its dependencies\n' "$name" "$(du -shx "$root" | cut -f1)"

cat >"$root/root/saxpy.cu" <<'END'
#include <cstdio>
__global__ void saxpy(float a, const float* x, float* y) { y[threadIdx.x] += a * x[threadIdx.x]; }
int main() {
  float *x, *y;
  cudaMallocManaged(&x, 128);
  cudaMallocManaged(&y, 128);
  for (int i = 0; i < 32; ++i) x[i] = 1, y[i] = 2;
  saxpy<<<1, 32>>>(3, x, y);
  cudaDeviceSynchronize();
  std::printf("y[0] = %g\n", y[0]);
}
END
mount -t proc proc "$root/proc"
prints 'heddle 0.' heddle --version
prints '' heddle cc /root/saxpy.cu -o /root/saxpy
prints 'y[0] = 5' heddle run /root/saxpy
prints 'gto' heddle list schedulers
prints 'speed-up' heddle compare --schedulers lrr,gto \
  /usr/lib/heddle/share/heddle/programs/vecadd tiny
cat >"$root/root/s.toml" <<'END'
title = "t"
schedulers = ["lrr", "gto"]
gpus = ["gtx480"]
[[case]]
name = "walk"
program = ["patterns/row_walk", "tiny"]
END
prints 'gto' bash -c 'cd /root && heddle sweep s.toml'
prints 'heddle-run' man -w heddle-run
prints 'gtx480' bash -c '. /usr/share/bash-completion/bash_completion
  _completion_loader heddle
  COMP_WORDS=(heddle run --gpu gtx) COMP_CWORD=3 COMP_LINE="heddle run --gpu gtx" COMP_POINT=20
  $(complete -p heddle | sed "s/.*-F \([^ ]*\).*/\1/") heddle gtx --gpu
  printf "%s\n" "${COMPREPLY[@]}"'
prints '_heddle' zsh -c 'autoload -U compinit; compinit -u -D; printf "%s\n" "${_comps[heddle]}"'
prints 'by-slot' bash -ec 'cp -r /usr/lib/heddle/share/heddle/examples/my-policy /root/policy
  cmake -S /root/policy -B /root/policy/build >/dev/null && cmake --build /root/policy/build
  heddle list schedulers --plugin /root/policy/build/my_policy.so by-slot'
if [ -e "$root/usr/lib/python3/dist-packages/heddle" ]; then
  prints 'heddle 0.' python3 -m heddle --version
  prints 'cycles' python3 -c 'import heddle
print(heddle.run("/usr/lib/heddle/share/heddle/programs/vecadd", "tiny"))
print(heddle.Results("/root/s.sqlite").speedups())'
fi
inside ldconfig -p | grep -q libcudart && fail "every program finds Heddle's libcudart"

umount "$root/proc"  # Heddle must find its files without /proc
prints '' heddle cc /root/saxpy.cu -o /root/saxpy
prints 'y[0] = 5' heddle run /root/saxpy

inside apt-get -qq purge -y heddle >/dev/null 2>&1 || fail "apt-get cannot remove the package"
[ ! -e "$root/usr/lib/heddle" ] || fail "files remain: $(find "$root/usr/lib/heddle" | head)"
printf 'passed: all\n'
