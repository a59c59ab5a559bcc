// What numbers become of random words. A source has bits(), unit() in (0, 1] as float and wide() as
// double; a distribution makes kNumbers numbers at a time.
#pragma once
#include <math.h>

#include "curand/generator.h"

namespace heddle::rand {

#define HEDDLE_BOTH __host__ __device__ __forceinline__

constexpr float kUnit = 2.3283064e-10f;  // 2^-32
constexpr double kUnitDouble = 1.0 / (1ull << 32);
constexpr double kUnit53 = 1.0 / (1ull << 53);

HEDDLE_BOTH float scaled(uint32_t x) { return static_cast<float>(x) * kUnit + kUnit / 2; }
HEDDLE_BOTH double scaled53(uint64_t x) { return static_cast<double>(x) * kUnit53 + kUnit53 / 2; }

// Box and Muller's pair.
HEDDLE_BOTH void normal_pair(float u, float v, float (&out)[2]) {
  const float s = sqrtf(-2.0f * logf(u));
  float x, y;
  sincosf(v * 6.2831855f, &x, &y);
  out[0] = x * s;
  out[1] = y * s;
}
HEDDLE_BOTH void normal_pair(double u, double v, double (&out)[2]) {
  const double s = sqrt(-2.0 * log(u));
  double x, y;
#ifdef __CUDA_ARCH__
  sincospi(v * 2.0, &x, &y);
#else
  x = sin(v * 6.283185307179586);
  y = cos(v * 6.283185307179586);
#endif
  out[0] = x * s;
  out[1] = y * s;
}
// The number below which a normal number is with probability u.
HEDDLE_BOTH double normal_quantile(double u) {
#ifdef __CUDA_ARCH__
  return normcdfinv(u);
#else
  // Newton's method on the tail; the logarithm keeps steps small where the density vanishes.
  const double p = u < 0.5 ? u : 1 - u;
  double x = 0;
  for (int i = 0; i < 60; ++i) {
    const double tail = 0.5 * erfc(x * 0.7071067811865476);
    const double density = 0.3989422804014327 * exp(-x * x / 2);
    const double step = log(tail / p) * tail / density;
    x += step;
    if (fabs(step) < 1e-15 * (1 + x)) break;
  }
  return u < 0.5 ? -x : x;
#endif
}
HEDDLE_BOTH float normal_quantile(float u) {
#ifdef __CUDA_ARCH__
  return normcdfinvf(u);
#else
  return static_cast<float>(normal_quantile(static_cast<double>(u)));
#endif
}

template <class T, class Source>
HEDDLE_BOTH T unit_of(Source& source) {
  if constexpr (sizeof(T) == 4)
    return source.unit();
  else
    return source.wide();
}
HEDDLE_BOTH float exponential(float x) { return expf(x); }
HEDDLE_BOTH double exponential(double x) { return exp(x); }

template <class T>
struct Bits {
  using Number = T;
  static constexpr int kNumbers = 1;
  template <class Source>
  HEDDLE_BOTH void operator()(Source& source, T* out) const {
    *out = source.bits();
  }
};
template <class T>
struct Uniform {
  using Number = T;
  static constexpr int kNumbers = 1;
  template <class Source>
  HEDDLE_BOTH void operator()(Source& source, T* out) const {
    *out = unit_of<T>(source);
  }
};
template <class T, bool logarithmic>
struct Normal {
  using Number = T;
  static constexpr int kNumbers = 2;
  T mean, deviation;
  HEDDLE_BOTH T finished(T x) const {
    x = mean + deviation * x;
    return logarithmic ? exponential(x) : x;
  }
  template <class Source>
  HEDDLE_BOTH void operator()(Source& source, T* out) const {
    const T u = unit_of<T>(source), v = unit_of<T>(source);
    T pair[2];
    normal_pair(u, v, pair);
    out[0] = finished(pair[0]);
    out[1] = finished(pair[1]);
  }
};
// The normal number of one uniform number, as quasirandom points need it.
template <class T, bool logarithmic>
struct Quantile : Normal<T, logarithmic> {
  static constexpr int kNumbers = 1;
  template <class Source>
  HEDDLE_BOTH void operator()(Source& source, T* out) const {
    *out = this->finished(normal_quantile(unit_of<T>(source)));
  }
};
// The first number whose sum of probabilities reaches 1 - u.
struct Poisson {
  using Number = uint32_t;
  static constexpr int kNumbers = 1;
  const double* sums;
  uint32_t counts, lowest;
  template <class Source>
  HEDDLE_BOTH void operator()(Source& source, uint32_t* out) const {
    const double wanted = 1.0 - static_cast<double>(source.unit());
    uint32_t low = 0, high = counts - 1;
    while (low < high) {
      const uint32_t middle = (low + high) / 2;
      if (sums[middle] < wanted)
        low = middle + 1;
      else
        high = middle;
    }
    *out = lowest + low;
  }
};

// Calls work(distribution) with the distribution of the request for numbers of type T.
template <class T, bool quasi, class Work>
Status with_distribution(const Request& r, Work work) {
  if constexpr (sizeof(T) == 8 && T(0.5) == T(0)) {
    return work(Bits<T>{});
  } else if constexpr (T(0.5) == T(0)) {
    return r.kind == Kind::bits ? work(Bits<T>{}) : work(Poisson{r.sums, r.counts, r.lowest});
  } else {
    using Plain = std::conditional_t<quasi, Quantile<T, false>, Normal<T, false>>;
    using Logarithmic = std::conditional_t<quasi, Quantile<T, true>, Normal<T, true>>;
    const T mean = static_cast<T>(r.a), deviation = static_cast<T>(r.b);
    if (r.kind == Kind::uniform) return work(Uniform<T>{});
    if (r.kind == Kind::normal) return work(Plain{mean, deviation});
    return work(Logarithmic{mean, deviation});
  }
}

}  // namespace heddle::rand
