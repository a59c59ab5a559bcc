// Compares every device function with the host's library in a wider type. The largest error over
// selected and random inputs, in units in the last place, must be within CUDA's published bound.
// Prints one line per failing function and a verdict; with VERBOSE in the environment, one line per
// function.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

namespace {

constexpr int kInputs = 4096;
int failures = 0;

std::uint64_t next_random() {
  static std::uint64_t state = 88172645463325252ull;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

// Half of the inputs are uniform in the range, the others are random bit patterns. The first inputs
// are edge cases.
template <class T>
std::vector<T> inputs(double low, double high) {
  using limits = std::numeric_limits<T>;
  std::vector<T> values = {T(0),
                           -T(0),
                           T(1),
                           T(-1),
                           T(0.5),
                           T(2),
                           limits::min(),
                           limits::denorm_min(),
                           limits::max(),
                           -limits::max(),
                           limits::infinity(),
                           -limits::infinity(),
                           limits::quiet_NaN(),
                           T(3.14159265358979),
                           T(1e5),
                           T(1e-5)};
  while (values.size() < kInputs) {
    if (values.size() % 2) {
      values.push_back(T(low + (high - low) * double(next_random() >> 11) * 0x1p-53));
      continue;
    }
    const std::uint64_t bits = next_random();
    T value;
    std::memcpy(&value, &bits, sizeof value);
    values.push_back(value);
  }
  return values;
}

template <class T, class Wide>
double error_in_ulps(T got, Wide want) {
  if (std::isnan(want)) return std::isnan(got) ? 0 : 1e9;
  const T rounded = T(want);
  if (std::isinf(rounded) || std::isinf(got) || std::isnan(got)) {
    if (got == rounded) return 0;
    const T largest = std::copysign(std::numeric_limits<T>::max(), T(want));
    return std::isinf(want) || (got != largest && rounded != largest) ? 1e9 : 1;
  }
  int exponent = 0;
  std::frexp(want, &exponent);
  exponent = std::max(exponent, std::numeric_limits<T>::min_exponent);
  return double(std::fabs(Wide(got) - want) /
                std::ldexp(Wide(1), exponent - std::numeric_limits<T>::digits));
}

template <class T, class Function>
__global__ void apply(Function function, const T* a, const T* b, T* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = function(a[i], b[i]);
}

// For arguments from `far` on an absolute error of `absolute` is allowed, too.
template <class T, class Wide, class Function, class Reference>
void check(const char* name, double bound, std::vector<T> a, std::vector<T> b, Function function,
           Reference reference, double far = INFINITY, double absolute = 0) {
  T* device = nullptr;
  const std::size_t bytes = kInputs * sizeof(T);
  std::vector<T> out(kInputs);
  cudaMalloc(&device, 3 * bytes);
  cudaMemcpy(device, a.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device + kInputs, b.data(), bytes, cudaMemcpyHostToDevice);
  apply<T, Function>
      <<<kInputs / 128, 128>>>(function, device, device + kInputs, device + 2 * kInputs);
  if (cudaMemcpy(out.data(), device + 2 * kInputs, bytes, cudaMemcpyDeviceToHost) != cudaSuccess)
    std::exit(2);
  cudaFree(device);
  double worst = 0;
  int where = 0;
  for (int i = 0; i < kInputs; ++i) {
    const Wide want = reference(Wide(a[i]), Wide(b[i]));
    if (std::fabs(a[i]) >= far && std::fabs(out[i] - want) <= absolute) continue;
    const double error = error_in_ulps<T, Wide>(out[i], want);
    if (error > worst) worst = error, where = i;
  }
  const bool fails = worst > bound;
  failures += fails;
  if (fails || std::getenv("VERBOSE")) {
    std::printf("%-8s %s %.3f ulp, allowed %.1f, at (%a, %a): %a\n", name, fails ? "FAIL" : "ok",
                worst, bound, double(a[where]), double(b[where]), double(out[where]));
  }
}

#define F1(name, ulps, low, high)                                          \
  check<float, double>(                                                    \
      #name "f", ulps, inputs<float>(low, high), inputs<float>(low, high), \
      [] __device__(float x, float) { return name##f(x); },                \
      [](double x, double) { return name(x); })
#define F2(name, ulps, low, high)                                          \
  check<float, double>(                                                    \
      #name "f", ulps, inputs<float>(low, high), inputs<float>(low, high), \
      [] __device__(float x, float y) { return name##f(x, y); },           \
      [](double x, double y) { return name(x, y); })
#define D1(name, ulps, low, high)                                        \
  check<double, long double>(                                            \
      #name, ulps, inputs<double>(low, high), inputs<double>(low, high), \
      [] __device__(double x, double) { return name(x); },               \
      [](long double x, long double) { return name##l(x); })
#define D2(name, ulps, low, high)                                        \
  check<double, long double>(                                            \
      #name, ulps, inputs<double>(low, high), inputs<double>(low, high), \
      [] __device__(double x, double y) { return name(x, y); },          \
      [](long double x, long double y) { return name##l(x, y); })

// Functions that the host's library lacks, in long double. The inverses use Newton's method with
// the host's functions.
using Wide = long double;
constexpr Wide kPi = 3.14159265358979323846264338327950288L;
Wide rsqrt_of(Wide x) { return 1 / sqrtl(x); }
Wide rcbrt_of(Wide x) { return 1 / cbrtl(x); }
Wide rhypot_of(Wide x, Wide y) { return 1 / hypotl(x, y); }
Wide norm_of(Wide x, Wide y, Wide z, Wide w) {
  if (std::isinf(x) || std::isinf(y) || std::isinf(z) || std::isinf(w)) return INFINITY;
  return hypotl(hypotl(x, y), hypotl(z, w));
}
Wide sinpi_of(Wide x) {
  const Wide r = fmodl(x, 2);
  if (std::isinf(x)) return NAN;
  if (x == std::trunc(x)) return copysignl(0, x);
  const Wide a = std::fabs(r), b = a > 1 ? a - 1 : a;
  return copysignl(sinl(kPi * (b > 0.5L ? 1 - b : b)), a > 1 ? -r : r);
}
Wide cospi_of(Wide x) {
  const Wide a = std::fabs(fmodl(x, 2)), b = a > 1 ? 2 - a : a;
  return b == 0.5L ? 0 : (b > 0.25L && b < 0.75L ? sinl(kPi * (0.5L - b)) : cosl(kPi * b));
}
Wide erfcinv_of(Wide q) {
  if (!(q >= 0 && q <= 2)) return NAN;
  if (q == 0 || q == 2) return q == 0 ? INFINITY : -INFINITY;
  if (q > 1) return -erfcinv_of(2 - q);
  Wide y = q > 0.3L ? (1 - q) * 0.9L : sqrtl(-logl(q)) * 0.9L;
  for (int i = 0; i < 60; ++i) {
    const Wide f = erfcl(y), change = (f / q < 0.5L || f / q > 2 ? logl(f / q) * f : f - q) *
                                      expl(y * y) * sqrtl(kPi) / 2;
    if (y + change == y) break;
    y += change;
  }
  return y;
}
Wide erfinv_of(Wide x) {
  if (!(std::fabs(x) <= 1)) return NAN;
  if (std::fabs(x) > 0.5L) return x > 0 ? erfcinv_of(1 - x) : -erfcinv_of(1 + x);
  Wide y = x * 0.88622692545275801365L;
  for (int i = 0; i < 20; ++i) y -= (erfl(y) - x) * expl(y * y) * sqrtl(kPi) / 2;
  return x == 0 ? x : y;
}
Wide normcdf_of(Wide x) { return erfcl(-x * 0.707106781186547524400844362104849039L) / 2; }
Wide normcdfinv_of(Wide p) {
  if (p > 0.25L && p < 0.75L) return erfinv_of(2 * p - 1) * 1.41421356237309504880168872420969808L;
  return -1.41421356237309504880168872420969808L * erfcinv_of(2 * p);
}
Wide erfcx_of(Wide x) {
  if (std::isinf(x)) return x > 0 ? 0 : INFINITY;
  if (x < 25) return expl(x * x) * erfcl(x);
  Wide fraction = x;
  for (int k = 60; k > 0; --k) fraction = x + k / 2.0L / fraction;
  return 1 / (fraction * sqrtl(kPi));
}
// CUDA's bound for lgamma excludes the neighbourhood of its zeros.
Wide lgamma_of(Wide x) { return lgammal(x); }

template <class T>
std::vector<T> above(std::vector<T> values, T limit) {
  for (auto& value : values) value = std::fabs(value) < limit ? limit : std::fabs(value);
  return values;
}

#define X1(type, name, reference, ulps, low, high)                   \
  check<type, Wide>(                                                 \
      #name, ulps, inputs<type>(low, high), inputs<type>(low, high), \
      [] __device__(type x, type) -> type { return name(x); },       \
      [](Wide x, Wide) -> Wide { return reference(x); })
#define X2(type, name, call, reference, ulps, low, high)             \
  check<type, Wide>(                                                 \
      #name, ulps, inputs<type>(low, high), inputs<type>(low, high), \
      [] __device__(type x, type y) -> type { return call; },        \
      [](Wide x, Wide y) -> Wide { return reference; })

// The bounds of float and of double, in that order.
#define BOTH1(name, float_ulps, double_ulps, low, high) \
  F1(name, float_ulps, low, high);                      \
  D1(name, double_ulps, low, high)
#define BOTH2(name, float_ulps, double_ulps, low, high) \
  F2(name, float_ulps, low, high);                      \
  D2(name, double_ulps, low, high)
#define X_BOTH(name, reference, float_ulps, double_ulps, low, high) \
  X1(float, name##f, reference, float_ulps, low, high);             \
  X1(double, name, reference, double_ulps, low, high)

void check_functions() {
  BOTH1(sin, 2, 2, -10, 10);
  BOTH1(cos, 2, 2, -10, 10);
  BOTH1(tan, 4, 2, -10, 10);
  F1(exp, 2, -90, 90);
  D1(exp, 1, -700, 700);
  F1(exp2, 2, -130, 130);
  D1(exp2, 1, -1000, 1000);
  F1(exp10, 2, -40, 40);
  D1(exp10, 1, -300, 300);
  BOTH1(expm1, 1, 1, -2, 2);
  BOTH1(log, 1, 1, 0.1, 10);
  BOTH1(log2, 1, 1, 0.1, 10);
  BOTH1(log10, 2, 1, 0.1, 10);
  BOTH1(log1p, 1, 1, -0.5, 2);
  BOTH1(sinh, 3, 2, -5, 5);
  BOTH1(cosh, 2, 1, -5, 5);
  BOTH1(tanh, 2, 1, -3, 3);
  BOTH1(asin, 2, 2, -1, 1);
  BOTH1(acos, 2, 2, -1, 1);
  BOTH1(atan, 2, 2, -4, 4);
  BOTH1(asinh, 3, 3, -5, 5);
  BOTH1(acosh, 4, 3, 1, 10);
  BOTH1(atanh, 3, 2, -1, 1);
  BOTH1(erf, 2, 2, -4, 4);
  F1(erfc, 4, -3, 9);
  D1(erfc, 5, -3, 20);
  BOTH1(cbrt, 1, 1, -100, 100);
  BOTH1(sqrt, 0.5, 0.5, 0, 100);
  BOTH1(tgamma, 5, 10, 0.5, 8);
  BOTH1(floor, 0, 0, -9, 9);
  BOTH1(ceil, 0, 0, -9, 9);
  BOTH1(trunc, 0, 0, -9, 9);
  BOTH1(rint, 0, 0, -9, 9);
  BOTH1(round, 0, 0, -9, 9);
  BOTH1(fabs, 0, 0, -9, 9);
  BOTH2(pow, 4, 2, 0, 20);
  BOTH2(atan2, 3, 2, -4, 4);
  BOTH2(hypot, 3, 2, -50, 50);
  BOTH2(fmod, 0, 0, -90, 90);
  BOTH2(fdim, 0.5, 0.5, -9, 9);
  BOTH2(fmin, 0, 0, -9, 9);
  BOTH2(fmax, 0, 0, -9, 9);
  BOTH2(copysign, 0, 0, -9, 9);
  BOTH2(remainder, 0, 0, -90, 90);
  BOTH1(logb, 0, 0, -9, 9);
}

void check_functions_of_cuda() {
  X_BOTH(rsqrt, rsqrt_of, 2, 1, 0, 100);
  X_BOTH(rcbrt, rcbrt_of, 1, 1, -100, 100);
  X_BOTH(sinpi, sinpi_of, 1, 2, -4, 4);
  X_BOTH(cospi, cospi_of, 1, 2, -4, 4);
  X_BOTH(erfinv, erfinv_of, 2, 5, -1, 1);
  X_BOTH(erfcinv, erfcinv_of, 4, 6, 0, 2);
  X1(float, erfcxf, erfcx_of, 4, -9, 20);
  X1(double, erfcx, erfcx_of, 4, -26, 26);
  X1(float, normcdff, normcdf_of, 5, -14, 5);
  X1(double, normcdf, normcdf_of, 5, -37, 8);
  X_BOTH(normcdfinv, normcdfinv_of, 5, 8, 0, 1);
  X2(float, rhypotf, rhypotf(x, y), rhypot_of(x, y), 2, -50, 50);
  X2(float, norm3df, norm3df(x, y, 3), norm_of(x, y, 3, 0), 3, -50, 50);
  X2(float, norm4df, norm4df(x, y, 3, x), norm_of(x, y, 3, x), 3, -50, 50);
  X2(float, rnorm3df, rnorm3df(x, y, 3), 1 / norm_of(x, y, 3, 0), 2, -50, 50);
  X2(float, rnorm4df, rnorm4df(x, y, 3, x), 1 / norm_of(x, y, 3, x), 2, -50, 50);
  X2(double, rhypot, rhypot(x, y), rhypot_of(x, y), 1, -50, 50);
  X2(double, norm3d, norm3d(x, y, 3), norm_of(x, y, 3, 0), 1, -50, 50);
  X2(double, norm4d, norm4d(x, y, 3, x), norm_of(x, y, 3, x), 1, -50, 50);
  X2(double, rnorm3d, rnorm3d(x, y, 3), 1 / norm_of(x, y, 3, 0), 1, -50, 50);
  X2(double, rnorm4d, rnorm4d(x, y, 3, x), 1 / norm_of(x, y, 3, x), 1, -50, 50);
  check<float, Wide>(
      "lgammaf", 6, above(inputs<float>(0, 50), 1e-6f), inputs<float>(0, 1),
      [] __device__(float x, float) { return lgammaf(x); },
      [](Wide x, Wide) { return lgamma_of(x); });
  check<double, Wide>(
      "lgamma", 4, above(inputs<double>(0, 50), 1e-6), inputs<double>(0, 1),
      [] __device__(double x, double) { return lgamma(x); },
      [](Wide x, Wide) { return lgamma_of(x); });
}

// The host's library computes the modified functions of finite arguments only. Above 800 they
// overflow.
Wide i_of(int order, Wide x) {
  if (std::isnan(x)) return x;
  const Wide a = std::fabs(x), value = a > 800 ? INFINITY : std::cyl_bessel_i(Wide(order), a);
  return order == 1 && x < 0 ? -value : value;
}
Wide positive_only(Wide x, Wide value) { return x < 0 ? NAN : value; }

#define BESSEL(type, name, call, reference, ulps, far, absolute) \
  check<type, Wide>(                                             \
      #name, ulps, inputs<type>(-20, 60), inputs<type>(0, 1),    \
      [] __device__(type x, type) -> type { return call; },      \
      [](Wide x, Wide) -> Wide { return reference; }, far, absolute)

// Near a zero the host's functions have only a small absolute error. There the differential
// equation gives the value. The zero is high + low; slope: of the function at the zero.
struct Zero {
  double high, low;
  Wide slope;
  int order;
};
Wide beside(Zero z, Wide x) {
  const Wide d = (x - z.high) - z.low, at = z.high;
  return z.slope * (d - d * d / (2 * at) + d * d * d / 6 * ((2 + z.order) / (at * at) - 1));
}
std::vector<double> around(Zero z) {
  std::vector<double> values;
  for (int i = 0; i < kInputs; ++i) values.push_back(z.high * (1 + (i - kInputs / 2) * 1e-9));
  return values;
}

void check_bessel() {
  BESSEL(float, j0f, j0f(x), j0l(x), 9, 8, 2.2e-6);
  BESSEL(float, j1f, j1f(x), j1l(x), 9, 8, 2.2e-6);
  BESSEL(float, y0f, y0f(x), positive_only(x, y0l(x)), 9, 8, 2.2e-6);
  BESSEL(float, y1f, y1f(x), positive_only(x, y1l(x)), 9, 8, 2.2e-6);
  BESSEL(float, jnf, jnf(5, x), jnl(5, x), 9, 8, 2.2e-6);
  BESSEL(float, ynf, ynf(5, x), positive_only(x, ynl(5, x)), 15, 5, 2.2e-6);
  BESSEL(double, j0, j0(x), j0l(x), 7, 8, 5e-12);
  BESSEL(double, j1, j1(x), j1l(x), 7, 8, 5e-12);
  BESSEL(double, y0, y0(x), positive_only(x, y0l(x)), 7, 8, 5e-12);
  BESSEL(double, y1, y1(x), positive_only(x, y1l(x)), 7, 8, 5e-12);
  BESSEL(double, jn, jn(128, x), jnl(128, x), 500, 0, 5e-12);
  BESSEL(double, yn, yn(3, x), positive_only(x, ynl(3, x)), 50, 4.5, 5e-12);
  BESSEL(float, cyl_bessel_i0f, cyl_bessel_i0f(x), i_of(0, x), 6, INFINITY, 0);
  BESSEL(float, cyl_bessel_i1f, cyl_bessel_i1f(x), i_of(1, x), 6, INFINITY, 0);
  BESSEL(double, cyl_bessel_i0, cyl_bessel_i0(x), i_of(0, x), 6, INFINITY, 0);
  BESSEL(double, cyl_bessel_i1, cyl_bessel_i1(x), i_of(1, x), 6, INFINITY, 0);
  const Zero of_j0{0x1.33d152e971b40p+1, -0x1.0f539d7da258ep-53, -j1l(2.404825557695772769L), 0},
      of_y1{0x1.193bed4dff243p+1, -0x1.bd1e50d219bfdp-55, y0l(2.197141326031017035L), 1};
  check<double, Wide>(
      "j0 at its zero", 7, around(of_j0), inputs<double>(0, 1),
      [] __device__(double x, double) { return j0(x); },
      [=](Wide x, Wide) { return beside(of_j0, x); });
  check<double, Wide>(
      "y1 at its zero", 7, around(of_y1), inputs<double>(0, 1),
      [] __device__(double x, double) { return y1(x); },
      [=](Wide x, Wide) { return beside(of_y1, x); });
}

// Exact functions, compared with the host's of the same type.
#define E2(type, name, call)                                  \
  check<type, type>(                                          \
      name, 0, inputs<type>(-90, 90), inputs<type>(-90, 90),  \
      [] __device__(type x, type y) -> type { return call; }, \
      [](type x, type y) -> type { return call; })

template <class T>
__host__ __device__ T quotient(T x, T y) {
  int q = 0;
  if (!(fabs(x) <= std::numeric_limits<T>::max()) || !(fabs(y) <= std::numeric_limits<T>::max()) ||
      y == 0)
    return 0;
  remquo(x, y, &q);
  return T(q < 0 ? -(-q & 7) : q & 7);
}
template <class T>
__host__ __device__ T fraction_and_exponent(T x) {
  int e = 0;
  const T f = frexp(x, &e);
  return fabs(x) <= std::numeric_limits<T>::max() ? f * 4 + T(e) : 0;
}
template <class T>
__host__ __device__ T parts(T x) {
  T whole = 0;
  const T rest = std::modf(x, &whole);
  return rest * 2 + whole;
}

void check_exact() {
  E2(float, "nextafterf", nextafterf(x, y));
  E2(double, "nextafter", nextafter(x, y));
  E2(float, "ldexpf", ldexpf(x, int(fmodf(y, 300)) * (y == y && fabsf(y) < 1e30f)));
  E2(double, "scalbn", scalbn(x, 37));
  E2(float, "remquof", quotient<float>(x, y));
  E2(double, "remquo", quotient<double>(x, y));
  E2(float, "frexpf", fraction_and_exponent<float>(x));
  E2(double, "frexp", fraction_and_exponent<double>(x));
  E2(float, "modff", parts<float>(x));
  E2(double, "modf", parts<double>(x));
  E2(float, "lgammaf of infinities", isinf(x) ? lgammaf(x) : 0.0f);
  E2(double, "lgamma of infinities", isinf(x) ? lgamma(x) : 0.0);
  E2(float, "ilogbf", (fabsf(x) > 0 && fabsf(x) < 1e38f) || x != x ? float(ilogbf(x)) : 0.0f);
  E2(double, "llround", fabs(x) < 1e15 ? double(llround(x)) : 0.0);
  E2(double, "llrint", fabs(x) < 1e15 ? double(llrint(x)) : 0.0);
}

}  // namespace

int main() {
  check_functions();
  check_functions_of_cuda();
  check_bessel();
  check_exact();
  std::printf("RESULT math %s\n", failures ? "FAIL" : "PASS");
  return failures != 0;
}
