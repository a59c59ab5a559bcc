// Shared by the files of the device mathematics. They are C for the nvptx64 target, are linked to
// one bitcode file, and define the __nv_* functions that clang's CUDA headers call. Every function
// is inlined.
#pragma once

#define DEVICE __attribute__((always_inline))
#define INTERNAL static inline __attribute__((always_inline))

typedef unsigned int uint;
typedef long long int64;
typedef unsigned long long uint64;

// 1 when the program is compiled with -use_fast_math (denormals are flushed). The compiler folds it
// to a constant. The asm label avoids clang's builtin of that name, which clang assumes not to
// return.
int reflect(const char*) __asm__("__nvvm_reflect");
#define FLUSHES reflect("__CUDA_FTZ")

INTERNAL float float_of(uint bits) { return __builtin_bit_cast(float, bits); }
INTERNAL uint bits_of(float x) { return __builtin_bit_cast(uint, x); }
INTERNAL double double_of(uint64 bits) { return __builtin_bit_cast(double, bits); }
INTERNAL uint64 bits_of_double(double x) { return __builtin_bit_cast(uint64, x); }
