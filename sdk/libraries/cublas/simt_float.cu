// Products of floats, halves, bfloat16 and bytes without matrix instructions.
#include "cublas/simt_kernels.h"

namespace heddle::blas {

// Whether three blocks of the large kernel fit on an SM. The instruction caches of smaller SMs
// would not hold the steps of a tile either.
static bool has_large_sms() {
  int device = 0, registers = 0;
  return cudaGetDevice(&device) == cudaSuccess &&
         cudaDeviceGetAttribute(&registers, cudaDevAttrMaxRegistersPerMultiprocessor, device) ==
             cudaSuccess &&
         registers >= 65536;
}

template <class In, class Sum, class Out>
Status launch_simt(const cublasContext& h, const Product<In, Sum, Out>& p, int64_t count) {
  if constexpr (std::is_same_v<In, float>) {
    // Large tiles where they keep the SMs about as busy as small ones.
    const int64_t large = ceil_div(p.m, 128) * ceil_div(p.n, 64) * count;
    const int64_t small = ceil_div(p.m, 64) * ceil_div(p.n, 64) * count;
    const bool takes_large = ceil_div(large, h.sms) * 8 <= ceil_div(small, h.sms) * 5;
    if (has_large_sms())
      return takes_large ? launch_tiles<128, 64, 16, 8, 8, true>(h, p, count)
                         : launch_tiles<64, 64, 16, 8, 4, true>(h, p, count);
    return takes_large ? launch_tiles<128, 64, 16, 8, 8>(h, p, count)
                       : launch_tiles<64, 64, 16, 8, 4>(h, p, count);
  } else {
    return launch_tiles<64, 64, 16, 4, 4>(h, p, count);
  }
}

#define HEDDLE_INSTANCE(In, Sum, Out) \
  template Status launch_simt(const cublasContext&, const Product<In, Sum, Out>&, int64_t);
HEDDLE_REAL_PRODUCTS(HEDDLE_INSTANCE)

}  // namespace heddle::blas
