// Every device function against the host's library in a wider type: the largest error over directed and random inputs, in units
// in the last place, must stay within the bound that CUDA publishes. Prints one line per function that fails, and a verdict.
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

// Half the inputs are uniform in the range; the others are random bit patterns; the first are the usual suspects.
template <class T>
std::vector<T> inputs(double low, double high) {
  using limits = std::numeric_limits<T>;
  std::vector<T> values = {T(0), -T(0), T(1), T(-1), T(0.5), T(2), limits::min(), limits::denorm_min(), limits::max(), -limits::max(),
                           limits::infinity(), -limits::infinity(), limits::quiet_NaN(), T(3.14159265358979), T(1e5), T(1e-5)};
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
  return double(std::fabs(Wide(got) - want) / std::ldexp(Wide(1), exponent - std::numeric_limits<T>::digits));
}

template <class T, class Function>
__global__ void apply(Function function, const T* a, const T* b, T* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = function(a[i], b[i]);
}

template <class T, class Wide, class Function, class Reference>
void check(const char* name, double bound, std::vector<T> a, std::vector<T> b, Function function, Reference reference) {
  T* device = nullptr;
  const std::size_t bytes = kInputs * sizeof(T);
  std::vector<T> out(kInputs);
  cudaMalloc(&device, 3 * bytes);
  cudaMemcpy(device, a.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device + kInputs, b.data(), bytes, cudaMemcpyHostToDevice);
  apply<T, Function><<<kInputs / 128, 128>>>(function, device, device + kInputs, device + 2 * kInputs);
  if (cudaMemcpy(out.data(), device + 2 * kInputs, bytes, cudaMemcpyDeviceToHost) != cudaSuccess) std::exit(2);
  cudaFree(device);
  double worst = 0;
  int where = 0;
  for (int i = 0; i < kInputs; ++i) {
    const double error = error_in_ulps<T, Wide>(out[i], reference(Wide(a[i]), Wide(b[i])));
    if (error > worst) worst = error, where = i;
  }
  const bool fails = worst > bound;
  failures += fails;
  if (fails || std::getenv("VERBOSE")) {
    std::printf("%-8s %s %.3f ulp, allowed %.1f, at (%a, %a): %a\n", name, fails ? "FAIL" : "ok", worst, bound, double(a[where]),
                double(b[where]), double(out[where]));
  }
}

#define F1(name, ulps, low, high)                                                                                      \
  check<float, double>(#name "f", ulps, inputs<float>(low, high), inputs<float>(low, high),                            \
                       [] __device__(float x, float) { return name##f(x); }, [](double x, double) { return name(x); })
#define F2(name, ulps, low, high)                                                                                      \
  check<float, double>(#name "f", ulps, inputs<float>(low, high), inputs<float>(low, high),                            \
                       [] __device__(float x, float y) { return name##f(x, y); }, [](double x, double y) { return name(x, y); })
#define D1(name, ulps, low, high)                                                                                      \
  check<double, long double>(#name, ulps, inputs<double>(low, high), inputs<double>(low, high),                        \
                             [] __device__(double x, double) { return name(x); },                                      \
                             [](long double x, long double) { return name##l(x); })
#define D2(name, ulps, low, high)                                                                                      \
  check<double, long double>(#name, ulps, inputs<double>(low, high), inputs<double>(low, high),                        \
                             [] __device__(double x, double y) { return name(x, y); },                                 \
                             [](long double x, long double y) { return name##l(x, y); })

void check_floats() {
  F1(sin, 2, -10, 10); F1(cos, 2, -10, 10); F1(tan, 4, -10, 10);
  F1(exp, 2, -90, 90); F1(exp2, 2, -130, 130); F1(exp10, 2, -40, 40); F1(expm1, 1, -2, 2);
  F1(log, 1, 0.1, 10); F1(log2, 1, 0.1, 10); F1(log10, 2, 0.1, 10); F1(log1p, 1, -0.5, 2);
  F1(sinh, 3, -5, 5); F1(cosh, 2, -5, 5); F1(tanh, 2, -3, 3);
  F1(asin, 2, -1, 1); F1(acos, 2, -1, 1); F1(atan, 2, -4, 4);
  F1(asinh, 3, -5, 5); F1(acosh, 4, 1, 10); F1(atanh, 3, -1, 1);
  F1(erf, 2, -4, 4); F1(erfc, 4, -3, 9); F1(cbrt, 1, -100, 100); F1(sqrt, 0.5, 0, 100); F1(tgamma, 11, 0.5, 8);
  F1(floor, 0, -9, 9); F1(ceil, 0, -9, 9); F1(trunc, 0, -9, 9); F1(rint, 0, -9, 9); F1(round, 0, -9, 9); F1(fabs, 0, -9, 9);
  F2(pow, 4, 0, 20); F2(atan2, 3, -4, 4); F2(hypot, 3, -50, 50); F2(fmod, 0, -90, 90); F2(fdim, 0.5, -9, 9);
  F2(fmin, 0, -9, 9); F2(fmax, 0, -9, 9); F2(copysign, 0, -9, 9);
}

void check_doubles() {
  D1(sin, 2, -10, 10); D1(cos, 2, -10, 10); D1(tan, 2, -10, 10);
  D1(exp, 1, -700, 700); D1(exp2, 1, -1000, 1000); D1(exp10, 1, -300, 300); D1(expm1, 1, -2, 2);
  D1(log, 1, 0.1, 10); D1(log2, 1, 0.1, 10); D1(log10, 1, 0.1, 10); D1(log1p, 1, -0.5, 2);
  D1(sinh, 2, -5, 5); D1(cosh, 1, -5, 5); D1(tanh, 2, -3, 3);
  D1(asin, 2, -1, 1); D1(acos, 2, -1, 1); D1(atan, 2, -4, 4);
  D1(asinh, 3, -5, 5); D1(acosh, 3, 1, 10); D1(atanh, 2, -1, 1);
  D1(erf, 2, -4, 4); D1(erfc, 5, -3, 20); D1(cbrt, 1, -100, 100); D1(sqrt, 0.5, 0, 100); D1(tgamma, 10, 0.5, 8);
  D1(floor, 0, -9, 9); D1(ceil, 0, -9, 9); D1(trunc, 0, -9, 9); D1(rint, 0, -9, 9); D1(round, 0, -9, 9); D1(fabs, 0, -9, 9);
  D2(pow, 2, 0, 20); D2(atan2, 2, -4, 4); D2(hypot, 2, -50, 50); D2(fmod, 0, -90, 90); D2(fdim, 0.5, -9, 9);
  D2(fmin, 0, -9, 9); D2(fmax, 0, -9, 9); D2(copysign, 0, -9, 9);
}

}  // namespace

int main() {
  check_floats();
  check_doubles();
  std::printf("RESULT math %s\n", failures ? "FAIL" : "PASS");
  return failures != 0;
}
