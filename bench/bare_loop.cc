#include "bare_loop.h"

#include <immintrin.h>
#include <sys/resource.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace heddle::bench {
namespace {

constexpr int kLanes = 32, kVectors = kLanes / 8;

struct alignas(64) Row {
  std::array<float, kLanes> lane;
};

enum class Op : std::uint8_t { multiply_add, add, multiply, maximum, count };
struct Step {
  Op op;
  std::uint8_t to, a, b, c;
};

template <class F>
inline void each(Row* rows, const Step& step, F f) {
  const float *a = rows[step.a].lane.data(), *b = rows[step.b].lane.data(),
              *c = rows[step.c].lane.data();
  float* to = rows[step.to].lane.data();
  __m256 result[kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v)
    result[v] = f(_mm256_load_ps(a + v * 8), _mm256_load_ps(b + v * 8), _mm256_load_ps(c + v * 8));
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) _mm256_store_ps(to + v * 8, result[v]);
}

using Handler = void (*)(Row*, const Step&);
constexpr std::array<Handler, static_cast<std::size_t>(Op::count)> kHandlers = {
    [](Row* r, const Step& s) {
      each(r, s, [](__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); });
    },
    [](Row* r, const Step& s) {
      each(r, s, [](__m256 a, __m256 b, __m256) { return _mm256_add_ps(a, b); });
    },
    [](Row* r, const Step& s) {
      each(r, s, [](__m256 a, __m256 b, __m256) { return _mm256_mul_ps(a, b); });
    },
    [](Row* r, const Step& s) {
      each(r, s, [](__m256 a, __m256 b, __m256) { return _mm256_max_ps(a, b); });
    },
};

double user_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
}

}  // namespace

double bare_loop_speed() {
  constexpr int kRows = 64, kSteps = 256;
  std::vector<Row> rows(kRows);
  for (int r = 0; r < kRows; ++r) rows[r].lane.fill(1.0f / static_cast<float>(r + 2));
  std::vector<Step> program(kSteps);
  std::uint32_t state = 1;
  const auto below = [&state](std::uint32_t bound) {
    state = state * 1664525u + 1013904223u;
    return static_cast<std::uint8_t>((state >> 16) % bound);
  };
  for (Step& step : program) {
    step = {static_cast<Op>(below(4)), static_cast<std::uint8_t>(32 + below(32)), below(32),
            below(32), below(kRows)};
  }
  const double start = user_seconds();
  std::uint64_t done = 0;
  double seconds = 0;
  while (seconds < 0.5) {
    for (int repeat = 0; repeat < 1000; ++repeat) {
      for (const Step& step : program)
        kHandlers[static_cast<std::size_t>(step.op)](rows.data(), step);
    }
    done += std::uint64_t{1000} * kSteps;
    seconds = user_seconds() - start;
  }
  volatile float kept = rows[40].lane[3];  // keeps the compiler from removing the loop
  (void)kept;
  return static_cast<double>(done) / seconds * 1e-6;
}

}  // namespace heddle::bench
