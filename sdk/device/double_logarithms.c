// Logarithms of doubles. The core gives log(m) for m around 1 as a sum of two doubles, so that
// every base stays within one ulp.
#include "double_cores.h"

INTERNAL int ordinary(double x) { return bits_of_double(x) - 1 < 0x7fefffffffffffffull; }
INTERNAL double extraordinary_log(double x) {
  if (x == 0.0) return -__builtin_inf();
  return x < 0.0 ? __builtin_nan("") : x + x;
}

INTERNAL double scaled_sum(double e, double high, double low, Pair value) {
  const Pair s = sum_ordered(mul_d(e, high), value.high);
  return add_d(s.high, fma_d(e, low, s.low + value.low));
}

// e times the high parts is exact: they end in eleven zero bits.
DEVICE double __nv_log(double x) {
  double f;
  const double e = split(x, &f);
  const double result =
      scaled_sum(e, 0x1.62e42fefa3800p-1, 0x1.ef35793c76730p-45, log_near_one(f, 0.0));
  return ordinary(x) ? result : extraordinary_log(x);
}

DEVICE double __nv_log2(double x) {
  double f;
  const double e = split(x, &f);
  const double result = scaled_sum(
      e, 1.0, 0.0, times(log_near_one(f, 0.0), 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56));
  return ordinary(x) ? result : extraordinary_log(x);
}

DEVICE double __nv_log10(double x) {
  double f;
  const double e = split(x, &f);
  const Pair part = times(log_near_one(f, 0.0), 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57);
  const double result = scaled_sum(e, 0x1.34413509f7800p-2, 0x1.fef311f12b358p-46, part);
  return ordinary(x) ? result : extraordinary_log(x);
}

// The rounding error of 1 + x is added, relative to the mantissa.
DEVICE double __nv_log1p(double x) {
  const Pair sum = sum_of(1.0, x);
  double f;
  const double e = split(sum.high, &f);
  const double f_low = e < 1000.0 ? sum.low * power_of_two(-(int)e) : 0.0;
  const double result =
      e == 0.0 ? scaled_sum(0.0, 0.0, 0.0, log_near_one(f, f_low))
               : scaled_sum(e, 0x1.62e42fefa3800p-1, 0x1.ef35793c76730p-45, log_near_one(f, f_low));
  if (x == 0.0) return x;
  return ordinary(sum.high) ? result : extraordinary_log(sum.high);
}
