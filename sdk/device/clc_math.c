// The functions whose algorithms come from libclc, LLVM's OpenCL library, with the
// names of its C++ mangling.
#include "device.h"

#define ONE(name, length)             \
  double _Z##length##name##d(double); \
  DEVICE double __nv_##name(double x) { return _Z##length##name##d(x); }
#define ONE_FLOAT(name, length)     \
  float _Z##length##name##f(float); \
  DEVICE float __nv_##name##f(float x) { return _Z##length##name##f(x); }
#define TWO(name, length)                                                              \
  double _Z##length##name##dd(double, double);                                         \
  float _Z##length##name##ff(float, float);                                            \
  DEVICE double __nv_##name(double x, double y) { return _Z##length##name##dd(x, y); } \
  DEVICE float __nv_##name##f(float x, float y) { return _Z##length##name##ff(x, y); }

ONE(acos, 4)
ONE_FLOAT(acos, 4)
ONE(acosh, 5)
ONE_FLOAT(acosh, 5)
ONE(asin, 4)
ONE_FLOAT(asin, 4)
ONE(asinh, 5)
ONE_FLOAT(asinh, 5)
ONE(atan, 4)
ONE_FLOAT(atan, 4)
ONE(atanh, 5)
ONE_FLOAT(atanh, 5)
ONE(cbrt, 4)
ONE_FLOAT(cbrt, 4)
ONE(cospi, 5)
ONE(erf, 3)
ONE(erfc, 4)
ONE_FLOAT(expm1, 5)
ONE(lgamma, 6)
float _Z6lgammaf(float);
DEVICE float __nv_lgammaf(float x) { return x == -__builtin_inff() ? -x : _Z6lgammaf(x); }
ONE_FLOAT(log1p, 5)
ONE(logb, 4)
ONE_FLOAT(logb, 4)
ONE(sinh, 4)
ONE_FLOAT(sinh, 4)
ONE(sinpi, 5)
ONE(tanh, 4)
TWO(atan2, 5)
TWO(fdim, 4)
TWO(hypot, 5)
TWO(nextafter, 9)
double _Z3powdd(double, double);
DEVICE double __nv_pow(double x, double y) { return _Z3powdd(x, y); }

int _Z5ilogbd(double);
int _Z5ilogbf(float);
#define ILOGB_OF_NAN \
  (-2147483647 - 1)  // as CUDA and the C library have it; OpenCL has the largest number
DEVICE int __nv_ilogb(double x) { return x != x ? ILOGB_OF_NAN : _Z5ilogbd(x); }
DEVICE int __nv_ilogbf(float x) { return x != x ? ILOGB_OF_NAN : _Z5ilogbf(x); }
double _Z4powndi(double, int);
float _Z4pownfi(float, int);
DEVICE double __nv_powi(double x, int n) { return _Z4powndi(x, n); }
DEVICE float __nv_powif(float x, int n) { return _Z4pownfi(x, n); }
double _Z5frexpdPi(double, int*);
float _Z5frexpfPi(float, int*);
DEVICE double __nv_frexp(double x, int* exponent) { return _Z5frexpdPi(x, exponent); }
DEVICE float __nv_frexpf(float x, int* exponent) { return _Z5frexpfPi(x, exponent); }
