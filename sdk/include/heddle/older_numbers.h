// <numbers> of cuda::std before C++20, where libstdc++ has none.
#pragma once

#include <type_traits>

namespace cuda {
namespace std {
namespace numbers {
#define HEDDLE_NUMBER(name, digits)                                                               \
  template <class T>                                                                              \
  inline constexpr                                                                                \
      typename ::std::enable_if<::std::is_floating_point<T>::value, T>::type name##_v{digits##L}; \
  inline constexpr double name = name##_v<double>;
HEDDLE_NUMBER(e, 2.718281828459045235360287471352662498)
HEDDLE_NUMBER(log2e, 1.442695040888963407359924681001892137)
HEDDLE_NUMBER(log10e, 0.434294481903251827651128918916605082)
HEDDLE_NUMBER(pi, 3.141592653589793238462643383279502884)
HEDDLE_NUMBER(inv_pi, 0.318309886183790671537767526745028724)
HEDDLE_NUMBER(inv_sqrtpi, 0.564189583547756286948079451560772586)
HEDDLE_NUMBER(ln2, 0.693147180559945309417232121458176568)
HEDDLE_NUMBER(ln10, 2.302585092994045684017991454684364208)
HEDDLE_NUMBER(sqrt2, 1.414213562373095048801688724209698079)
HEDDLE_NUMBER(sqrt3, 1.732050807568877293527446341505872367)
HEDDLE_NUMBER(inv_sqrt3, 0.577350269189625764509148780501957456)
HEDDLE_NUMBER(egamma, 0.577215664901532860606512090082402431)
HEDDLE_NUMBER(phi, 1.618033988749894848204586834365638118)
#undef HEDDLE_NUMBER
}  // namespace numbers
}  // namespace std
}  // namespace cuda
