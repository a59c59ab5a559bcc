// micro MODE [ITERATIONS=64] [CTAS=1] [BLOCK=32] [WORDS=1024] [STRIDE=32]   one kernel that
// stresses one part of the machine. The kernels are in micro.sm20.ptx; here they are only declared.
#include <string>
#include "common.h"
#define MODES(X) X(chase) X(iadd) X(imad) X(fchain) X(shm) X(barr) X(indep) X(stream) X(hits)
#define DECLARE(mode) \
  extern "C" __global__ void mode(const int*, int*, int) {}
MODES(DECLARE)

static unsigned expected(const std::string& mode, const std::vector<int>& a, int iterations,
                         int t) {
  unsigned e = 0;
  if (mode == "chase")
    for (int k = 0; k < iterations * 4; k++) e = a[e / 4];
  if (mode == "iadd") e = 8u * iterations * t;
  if (mode == "imad")
    for (int k = 0; k < iterations * 8; k++) e = e * t + t;
  if (mode == "stream" || mode == "hits") e = 4u * iterations;
  return e;
}

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "chase";
  const int iterations = argi(argc, argv, 2, 64), ctas = argi(argc, argv, 3, 1),
            block = argi(argc, argv, 4, 32), words = argi(argc, argv, 5, 1024),
            stride = argi(argc, argv, 6, 32);
  std::vector<int> a(words);
  const int n = words / stride;
  for (int i = 0; i < n; i++) a[i * stride] = ((i + 1) % n) * stride * 4;
  if (mode != "chase")
    for (auto& x : a) x = 1;
  int *d = dev_copy(a), *o = dev_zero<int>(ctas * block);
#define LAUNCH(name) \
  if (mode == #name) name<<<ctas, block>>>(d, o, iterations);
  MODES(LAUNCH)
  CK(cudaDeviceSynchronize());
  auto r = host_copy(o, ctas * block);
  long bad = 0;
  double sum = 0;
  for (int i = 0; i < ctas * block; i++) {
    sum += r[i];
    if ((unsigned)r[i] != expected(mode, a, iterations, i % block)) bad++;
  }
  verdict(("micro-" + mode).c_str(), bad, sum);
}
