// Library calls against a host reference: random operands, and comparison in double precision.
#pragma once
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <library_types.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <type_traits>
#include <vector>

using Number = std::complex<double>;

inline int failures = 0;
#define EXPECT(condition)                                      \
  do {                                                         \
    if (!(condition)) {                                        \
      ++failures;                                              \
      std::printf("FAIL line %d: %s\n", __LINE__, #condition); \
    }                                                          \
  } while (0)

// The same numbers in every run.
inline std::uint32_t random_word() {
  static std::uint64_t state = 1;
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return static_cast<std::uint32_t>(state >> 33);
}
inline int random_in(int low, int high) { return low + int(random_word() % (high - low + 1)); }
inline double random_unit() { return random_word() / 1073741824.0 - 1.0; }

template <class T>
constexpr bool is_complex = std::is_same_v<T, cuComplex> || std::is_same_v<T, cuDoubleComplex>;

// The type of the real and imaginary part.
template <class T>
using Real = std::conditional_t<std::is_same_v<T, cuComplex>, float,
                                std::conditional_t<std::is_same_v<T, cuDoubleComplex>, double, T>>;
template <class T>
constexpr cudaDataType kType = std::is_same_v<T, float>             ? CUDA_R_32F
                               : std::is_same_v<T, double>          ? CUDA_R_64F
                               : std::is_same_v<T, cuComplex>       ? CUDA_C_32F
                               : std::is_same_v<T, cuDoubleComplex> ? CUDA_C_64F
                               : std::is_same_v<T, __half>          ? CUDA_R_16F
                               : std::is_same_v<T, __nv_bfloat16>   ? CUDA_R_16BF
                               : std::is_same_v<T, std::int8_t>     ? CUDA_R_8I
                                                                    : CUDA_R_32I;

// name(T{}, ...) calls the function of each type with the handle h.
#define VARIANT(status, name, T, function) \
  template <class... A>                    \
  status name(T, A... a) {                 \
    return function(h, a...);              \
  }
#define VARIANTS(status, name, S, D, C, Z) \
  VARIANT(status, name, float, S)          \
  VARIANT(status, name, double, D)         \
  VARIANT(status, name, cuComplex, C)      \
  VARIANT(status, name, cuDoubleComplex, Z)

template <class T>
Number number(T x) {
  if constexpr (is_complex<T>)
    return {x.x, x.y};
  else
    return static_cast<double>(x);
}
template <class T>
T random_value() {
  if constexpr (std::is_same_v<T, cuComplex>)
    return {float(random_unit()), float(random_unit())};
  else if constexpr (std::is_same_v<T, cuDoubleComplex>)
    return {random_unit(), random_unit()};
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(random_in(-10, 10));
  else
    return static_cast<T>(float(random_unit()));
}
// The relative error that results may have.
template <class T>
double tolerance() {
  if (std::is_same_v<T, double> || std::is_same_v<T, cuDoubleComplex>) return 1e-12;
  if (std::is_same_v<T, __half>) return 2e-3;
  if (std::is_same_v<T, __nv_bfloat16>) return 1.6e-2;
  return 2e-5;
}

// An array on the device with what the host knows of it.
template <class T>
struct Array {
  std::vector<T> host;
  T* device = nullptr;
  explicit Array(std::size_t n) : host(n) {
    for (T& x : host) x = random_value<T>();
    cudaMalloc(&device, n * sizeof(T) + 1);
    put();
  }
  Array(const Array&) = delete;
  ~Array() { cudaFree(device); }
  void put() { cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice); }
  std::vector<T> get() const {
    std::vector<T> out(host.size());
    cudaMemcpy(out.data(), device, out.size() * sizeof(T), cudaMemcpyDeviceToHost);
    return out;
  }
  Number at(std::size_t i) const { return number(host[i]); }
};

// Compares all elements, also those that must not change; `expected` begins as a copy of the
// host's.
template <class T>
void compare(const char* what, int line, const Array<T>& array, const std::vector<Number>& expected,
             double scale = 1, double allowed = tolerance<T>()) {
  const std::vector<T> got = array.get();
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double error = std::abs(number(got[i]) - expected[i]);
    if (error <= allowed * (scale + std::abs(expected[i]))) continue;
    ++failures;
    std::printf("FAIL line %d: %s [%zu]: %g%+gi for %g%+gi\n", line, what, i, number(got[i]).real(),
                number(got[i]).imag(), expected[i].real(), expected[i].imag());
    return;
  }
}
template <class T>
std::vector<Number> numbers(const Array<T>& array) {
  std::vector<Number> out;
  for (const T& x : array.host) out.push_back(number(x));
  return out;
}

inline int verdict() {
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  std::puts(failures ? "FAIL" : "PASS");
  return failures != 0;
}
