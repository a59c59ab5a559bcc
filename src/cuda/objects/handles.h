// Conversions between what the CUDA API passes (opaque handles, plain pointers) and Heddle's types.
#pragma once

#include <cstdint>

#include "base/types.h"

namespace heddle::cuda {

inline std::uintptr_t handle_of(const void* handle) {
  return reinterpret_cast<std::uintptr_t>(handle);
}

inline Address device_address(const void* pointer) {
  return Address{reinterpret_cast<std::uintptr_t>(pointer)};
}
inline void* device_pointer(Address address) { return reinterpret_cast<void*>(address.value); }

}  // namespace heddle::cuda
