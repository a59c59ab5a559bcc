// Complex numbers as pairs of floats and doubles.
#pragma once
#define CU_COMPLEX_H_

#include <math.h>

#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#if defined(__cplusplus)
#define HEDDLE_COMPLEX static __inline__ __host__ __device__
#define HEDDLE_COMPLEX_SET(Complex, Real, letter, root)                           \
  HEDDLE_COMPLEX Complex make_##Complex(Real x, Real y) { return Complex{x, y}; } \
  HEDDLE_COMPLEX Real cuCreal##letter(Complex a) { return a.x; }                  \
  HEDDLE_COMPLEX Real cuCimag##letter(Complex a) { return a.y; }                  \
  HEDDLE_COMPLEX Complex cuConj##letter(Complex a) { return Complex{a.x, -a.y}; } \
  HEDDLE_COMPLEX Complex cuCadd##letter(Complex a, Complex b) {                   \
    return Complex{a.x + b.x, a.y + b.y};                                         \
  }                                                                               \
  HEDDLE_COMPLEX Complex cuCsub##letter(Complex a, Complex b) {                   \
    return Complex{a.x - b.x, a.y - b.y};                                         \
  }                                                                               \
  HEDDLE_COMPLEX Complex cuCmul##letter(Complex a, Complex b) {                   \
    return Complex{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                 \
  }                                                                               \
  HEDDLE_COMPLEX Complex cuCdiv##letter(Complex a, Complex b) {                   \
    const Real d = b.x * b.x + b.y * b.y;                                         \
    return Complex{(a.x * b.x + a.y * b.y) / d, (a.y * b.x - a.x * b.y) / d};     \
  }                                                                               \
  HEDDLE_COMPLEX Complex cuCfma##letter(Complex a, Complex b, Complex c) {        \
    return cuCadd##letter(cuCmul##letter(a, b), c);                               \
  }                                                                               \
  HEDDLE_COMPLEX Real cuCabs##letter(Complex a) { return root(a.x * a.x + a.y * a.y); }
HEDDLE_COMPLEX_SET(cuFloatComplex, float, f, sqrtf)
HEDDLE_COMPLEX_SET(cuDoubleComplex, double, , sqrt)
#undef HEDDLE_COMPLEX_SET
HEDDLE_COMPLEX cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }
HEDDLE_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
  return make_cuDoubleComplex(a.x, a.y);
}
HEDDLE_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return make_cuFloatComplex(static_cast<float>(a.x), static_cast<float>(a.y));
}
#undef HEDDLE_COMPLEX
#endif
