// Shared by the float functions. The compiler does not fuse add and mul: it must not do so where
// the low part of a result is computed from the rounded high part.
#pragma once

#include "device.h"

// Adding this to a float below 2^22 in magnitude rounds it to a whole number, found in the low bits
// of the sum.
#define kToInteger 0x1.8p23f

INTERNAL float add(float a, float b) { return __nvvm_add_rn_f(a, b); }
INTERNAL float mul(float a, float b) { return __nvvm_mul_rn_f(a, b); }
INTERNAL float exp2_ftz(float x) { return __nvvm_ex2_approx_ftz_f(x); }
