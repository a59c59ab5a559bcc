// Products of floats, halves, bfloat16 and bytes without matrix instructions.
#include "cublas/simt_kernels.h"

namespace heddle::blas {

Status launch_float_80(const cublasContext& h, const Product<float, float, float>& p,
                       int64_t count);

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
    if (h.capability >= 80) return launch_float_80(h, p, count);
    return has_large_sms() ? launch_float_tiles<Copies::pieces>(h, p, count)
                           : launch_float_tiles<Copies::whole>(h, p, count);
  } else {
    return launch_tiles<64, 64, 16, 4, 4>(h, p, count);
  }
}

#define HEDDLE_INSTANCE(In, Sum, Out) \
  template Status launch_simt(const cublasContext&, const Product<In, Sum, Out>&, int64_t);
HEDDLE_REAL_PRODUCTS(HEDDLE_INSTANCE)

}  // namespace heddle::blas
