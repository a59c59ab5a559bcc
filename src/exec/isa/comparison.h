// Comparisons of vectors.
#pragma once

#include "ptx/instruction.h"

namespace heddle::exec {

// x <op> y on vectors; the unordered forms also hold when one is NaN.
template <ptx::Compare kOp, class A>
[[gnu::always_inline]] inline auto test(A x, A y) {
  using ptx::Compare;
  if constexpr (kOp == Compare::eq)
    return x == y;
  else if constexpr (kOp == Compare::ne)
    return (x == x) & (y == y) & (x != y);
  else if constexpr (kOp == Compare::lt)
    return x < y;
  else if constexpr (kOp == Compare::le)
    return x <= y;
  else if constexpr (kOp == Compare::gt)
    return x > y;
  else if constexpr (kOp == Compare::ge)
    return x >= y;
  else if constexpr (kOp == Compare::equ)
    return (x == y) | (x != x) | (y != y);
  else if constexpr (kOp == Compare::neu)
    return x != y;
  else if constexpr (kOp == Compare::ltu)
    return ~(x >= y);
  else if constexpr (kOp == Compare::leu)
    return ~(x > y);
  else if constexpr (kOp == Compare::gtu)
    return ~(x <= y);
  else if constexpr (kOp == Compare::geu)
    return ~(x < y);
  else if constexpr (kOp == Compare::num)
    return (x == x) & (y == y);
  else
    return (x != x) | (y != y);
}

}  // namespace heddle::exec
