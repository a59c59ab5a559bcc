// Products of floats with asynchronous copies, from compute capability 8.0 on.
#include "cublas/simt_kernels.h"

namespace heddle::blas {

Status launch_float_80(const cublasContext& h, const Product<float, float, float>& p,
                       int64_t count) {
  return launch_float_tiles<Copies::async>(h, p, count);
}

}  // namespace heddle::blas
