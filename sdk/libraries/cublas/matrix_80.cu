// Matrix instructions of compute capability 8.0 and later, with asynchronous copies.
#include "cublas/matrix_kernels.h"

namespace heddle::blas {

template <class In, class Sum, class Out>
void launch_matrix_75(const cublasContext& h, const Product<In, Sum, Out>& p, int64_t count);
template <class In, class Out>
bool launch_warpgroups(const cublasContext& h, const Product<In, float, Out>& p, int64_t count);

template <class In, class Sum, class Out>
bool launch_matrix(const cublasContext& h, const Product<In, Sum, Out>& p, int64_t count,
                   bool rounds_to_tf32) {
  constexpr bool bytes = std::is_same_v<In, int8_t>;
  constexpr bool older = std::is_same_v<In, __half> || (bytes && std::is_same_v<Sum, int>);
  if constexpr (bytes && !older) {
    return false;
  } else {
    if (h.math == CUBLAS_PEDANTIC_MATH || (std::is_same_v<In, float> && !rounds_to_tf32))
      return false;
    // Its instructions exist for this capability only.
    if constexpr (std::is_same_v<In, __half> || std::is_same_v<In, __nv_bfloat16>)
      if (h.capability == 90 && launch_warpgroups(h, p, count)) return true;
    if (h.capability >= 80) {
      launch_best_tiles<3>(h, p, count);
      return true;
    }
    if constexpr (older) {
      if (h.capability >= (bytes ? 75 : 70)) {
        launch_matrix_75(h, p, count);
        return true;
      }
    }
    return false;
  }
}
#define HEDDLE_INSTANCE(In, Sum, Out) \
  template bool launch_matrix(const cublasContext&, const Product<In, Sum, Out>&, int64_t, bool);
HEDDLE_REAL_PRODUCTS(HEDDLE_INSTANCE)

}  // namespace heddle::blas
