// Calls that are calls of the runtime; `forwarded` in sdk/tables/calls.txt lists them.
#include <type_traits>

#include "cuda/driver/driver.h"

using namespace heddle::cuda;

namespace {

// An argument as the runtime's parameter: the two APIs give the same address, handle or enumeration
// different types.
template <class From>
struct As {
  From value;
  template <class To>
  operator To() const {
    if constexpr (std::is_convertible_v<From, To>)
      return value;
    else if constexpr (std::is_enum_v<To>)
      return static_cast<To>(value);
    else
      return reinterpret_cast<To>(value);
  }
};

}  // namespace

#include "cuda/driver/forwarded_calls.inc"
