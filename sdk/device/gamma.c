// The gamma function: near zero the reciprocal of a polynomial and the recurrence; for large
// arguments Stirling's series and reflection.
#include "double_cores.h"

double __nv_sinpi(double);

// x = t + n with |t| at most one half; 1 / gamma(1 + t) is a fit. The factors of the
// recurrence are multiplied or divided.
INTERNAL double gamma_near(double x) {
  const double n = __builtin_rint(x);
  const double t = x - n;
  double p = fma_d(0x1.496199781f6bap-28, t, -0x1.aeb8962de004fp-23);
  p = fma_d(p, t, 0x1.304f465a05111p-20);
  p = fma_d(p, t, -0x1.503b33a583e4dp-20);
  p = fma_d(p, t, -0x1.51cf3283c8a6cp-16);
  p = fma_d(p, t, 0x1.0c8ab4fb537fcp-13);
  p = fma_d(p, t, -0x1.c364fb7534317p-13);
  p = fma_d(p, t, -0x1.317113b030f41p-10);
  p = fma_d(p, t, 0x1.d919c5260744ep-8);
  p = fma_d(p, t, -0x1.3b4af282b74f3p-7);
  p = fma_d(p, t, -0x1.59af103c3159ep-5);
  p = fma_d(p, t, 0x1.5512320b43157p-3);
  p = fma_d(p, t, -0x1.5815e8fa27120p-5);
  p = fma_d(p, t, -0x1.4fcf4026afa23p-1);
  p = fma_d(p, t, 0x1.2788cfc6fb619p-1);
  p = fma_d(p, t, 1.0);
  double product = 1.0;
  if (n >= 1.0) {
    for (double k = 1.0; k < n; k += 1.0) product *= t + k;
    return __nvvm_div_rn_d(product, p);
  }
  for (double k = n; k <= 0.0; k += 1.0) product *= t + k;
  return __nvvm_div_rn_d(1.0, product * p);
}

// log(gamma(a)) for a of at least 11.
INTERNAL Pair log_gamma_far(double a) {
  double f;
  const double e = split(a, &f);
  const Pair m = log_near_one(f, 0.0);
  const Pair s = sum_ordered(mul_d(e, 0x1.62e42fefa3800p-1), m.high);
  const double log_low = fma_d(e, 0x1.ef35793c76730p-45, s.low + m.low);
  const Pair p = product_of(a - 0.5, s.high);
  const Pair d = sum_of(p.high, -a);
  const double inverse = __nvvm_div_rn_d(1.0, a);
  const double z = mul_d(inverse, inverse);
  double q = fma_d(-0x1.cfd3dc9113427p-10, z, 0x1.b89d6ca665c7ep-11);
  q = fma_d(q, z, -0x1.3812bdc263d22p-11);
  q = fma_d(q, z, 0x1.a01a013ffddf3p-11);
  q = fma_d(q, z, -0x1.6c16c16c126d5p-9);
  q = fma_d(q, z, 0x1.5555555555555p-4);
  const double rest = fma_d(q, inverse, 0x1.d67f1c864beb4p-1);  // log(2 pi) / 2
  const double low = fma_d(a - 0.5, log_low, p.low + d.low);
  const Pair whole = sum_of(d.high, rest);
  return sum_of(whole.high, whole.low + low);
}

INTERNAL double exp_of(Pair x) {
  int n;
  const Pair r =
      reduced(x.high, 0x1.71547652b82fep+0, 0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56, &n);
  return scaled_exp(sum_of(r.high, r.low + x.low), n);
}

DEVICE double __nv_tgamma(double x) {
  if (x == 0.0) return __nvvm_div_rn_d(1.0, x);
  const double below = __builtin_floor(x);
  if (x < 0.0 && below == x) return __builtin_nan("");
  if (__builtin_fabs(x) < 11.5) return gamma_near(x);
  if (x > 172.0) return __builtin_inf();
  const int odd = __builtin_floor(below * 0.5) * 2.0 != below;
  if (x < -186.0) return odd ? -0.0 : 0.0;
  const Pair far = log_gamma_far(__builtin_fabs(x));
  if (!(x < 0.0)) return exp_of(far);
  // gamma(x) gamma(-x) = -pi / (x sin(pi x)); the result may be below the smallest normal number,
  // the factors are not.
  const double factor = __nvvm_div_rn_d(0x1.921fb54442d18p+1, -x * __nv_sinpi(x - below));
  const double scaled = factor * 0x1p64 * exp_of((Pair){-far.high, -far.low});
  const double kept = far.high > 660.0 ? factor * exp_of(sum_of(100.0 - far.high, -far.low)) *
                                             0x1.a8c1f14e2af5dp-145
                                       : scaled * 0x1p-64;
  return odd ? -kept : kept;
}
