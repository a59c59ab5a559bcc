#include "cufft/pass_kernels.h"

namespace heddle::fft {
template void launch<float2>(Pass, const void*, void*, const Tables<float2>&, cudaStream_t);

bool is_smooth(int n) {
  for (const int prime : {2, 3, 5, 7})
    while (n % prime == 0) n /= prime;
  return n == 1;
}
}  // namespace heddle::fft
