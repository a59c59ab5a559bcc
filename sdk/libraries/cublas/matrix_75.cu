// Matrix instructions of compute capability 7.0 and 7.5: halves; bytes from 7.5 on.
#include "cublas/matrix_kernels.h"

namespace heddle::blas {

template <class In, class Sum, class Out>
void launch_matrix_75(const cublasContext& h, const Product<In, Sum, Out>& p, int64_t count) {
  launch_best_tiles<2>(h, p, count);
}
#define HEDDLE_INSTANCE(In, Sum, Out) \
  template void launch_matrix_75(const cublasContext&, const Product<In, Sum, Out>&, int64_t);
HEDDLE_INSTANCE(__half, float, __half)
HEDDLE_INSTANCE(__half, float, float)
HEDDLE_INSTANCE(int8_t, int, int)

}  // namespace heddle::blas
