// va_arg in device code. Clang 19 compiles variadic functions for the device, but not va_arg. The
// list is the address of the next argument, and each argument has its own alignment.
#pragma once

#include <stdarg.h>

template <class T>
__host__ __device__ inline T __heddle_va_arg(va_list& list) {
  const size_t at = (reinterpret_cast<size_t>(list) + alignof(T) - 1) / alignof(T) * alignof(T);
  list = reinterpret_cast<char*>(at + sizeof(T));
  return *reinterpret_cast<T*>(at);
}
#undef va_arg
#define va_arg(list, type) __heddle_va_arg<type>(list)
