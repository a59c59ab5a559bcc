// Products of doubles and of complex numbers.
#include "cublas/simt_kernels.h"

namespace heddle::blas {

template <class In, class Sum, class Out>
Status launch_simt(const cublasContext& h, const Product<In, Sum, Out>& p, int64_t count) {
  return launch_tiles<64, 64, 8, 4, 4>(h, p, count);
}

#define HEDDLE_INSTANCE(In, Sum, Out) \
  template Status launch_simt(const cublasContext&, const Product<In, Sum, Out>&, int64_t);
HEDDLE_OTHER_PRODUCTS(HEDDLE_INSTANCE)

}  // namespace heddle::blas
