// Where subsequences begin: skips of XORWOW and MRG32k3a by their recurrences.
#include <array>
#include <cstdlib>

#include "curand/sequences.h"

namespace heddle::rand {
namespace {

// Polynomials over GF(2) modulo the characteristic polynomial of XORWOW's 160-bit xorshift.
using Polynomial = std::array<uint32_t, 5>;
constexpr Polynomial kCharacteristic = {0x00060001, 0x08610030, 0x00062121, 0x0f3c0035,
                                        0x00000f0e};  // without x^160
Polynomial times_x(Polynomial p) {
  const bool carries = p[4] >> 31;
  for (int k = 4; k > 0; --k) p[k] = p[k] << 1 | p[k - 1] >> 31;
  p[0] <<= 1;
  if (carries)
    for (int k = 0; k < 5; ++k) p[k] ^= kCharacteristic[k];
  return p;
}
Polynomial product(Polynomial a, const Polynomial& b) {
  Polynomial sum{};
  for (int i = 0; i < 160; ++i) {
    if (b[i / 32] >> i % 32 & 1)
      for (int k = 0; k < 5; ++k) sum[k] ^= a[k];
    a = times_x(a);
  }
  return sum;
}
// x^(n 2^doublings).
Polynomial power(uint64_t n, int doublings) {
  Polynomial result{1}, factor{2};
  for (int i = 0; i < doublings; ++i) factor = product(factor, factor);
  for (; n; n >>= 1) {
    if (n & 1) result = product(result, factor);
    factor = product(factor, factor);
  }
  return result;
}
void skip(Xorwow& state, const Polynomial& by) {
  Xorwow sum{};
  sum.d = state.d;
  for (int i = 0; i < 160; ++i) {
    if (by[i / 32] >> i % 32 & 1)
      for (int k = 0; k < 5; ++k) sum.v[k] ^= state.v[k];
    state.bits();
  }
  state = sum;
}
Xorwow begin_xorwow(uint64_t seed, uint64_t offset) {
  const uint32_t t0 = 1099087573u * (static_cast<uint32_t>(seed) ^ 0xaad26b49u);
  const uint32_t t1 = 2591861531u * (static_cast<uint32_t>(seed >> 32) ^ 0xf7dcefddu);
  Xorwow state{{123456789u + t0, 362436069u ^ t0, 521288629u + t1, 88675123u ^ t1, 5783321u + t0},
               6615241u + t1 + t0};
  skip(state, power(offset, 0));
  state.d += 362437u * static_cast<uint32_t>(offset);
  return state;
}

template <uint32_t c>
struct Matrix {
  uint32_t m[3][3];
  Matrix operator*(const Matrix& other) const {
    Matrix r{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k)
          r.m[i][j] = reduced<c>(static_cast<uint64_t>(m[i][k]) * other.m[k][j] + r.m[i][j]);
    return r;
  }
  void apply(uint32_t (&v)[3]) const {
    uint32_t r[3] = {};
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) r[i] = reduced<c>(static_cast<uint64_t>(m[i][k]) * v[k] + r[i]);
    std::copy(r, r + 3, v);
  }
};
constexpr Matrix<209> kStep1 = {{{0, 1, 0}, {0, 0, 1}, {kMrg1 - 810728, 1403580, 0}}};
constexpr Matrix<22853> kStep2 = {{{0, 1, 0}, {0, 0, 1}, {kMrg2 - 1370589, 0, 527612}}};
template <uint32_t c>
Matrix<c> power(Matrix<c> step, uint64_t n, int doublings) {
  Matrix<c> result = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int i = 0; i < doublings; ++i) step = step * step;
  for (; n; n >>= 1) {
    if (n & 1) result = result * step;
    step = step * step;
  }
  return result;
}
Mrg begin_mrg(uint64_t seed, uint64_t offset) {
  Mrg s{{12345, 12345, 12345}, {12345, 12345, 12345}};
  if (seed) {
    const uint64_t x = (static_cast<uint32_t>(seed) ^ 0x55555555u) * 12345ull;
    const uint64_t y = (static_cast<uint32_t>(seed >> 32) ^ 0xaaaaaaaau) * 12345ull;
    s = {{reduced<209>(x), reduced<209>(y), reduced<209>(x)},
         {reduced<22853>(y), reduced<22853>(x), reduced<22853>(y)}};
  }
  power(kStep1, offset, 0).apply(s.a);
  power(kStep2, offset, 0).apply(s.b);
  return s;
}

}  // namespace

// Number n of an ordering is number n / count of subsequence n % count, or, for Philox, which gives
// four at a time, a number of group n / 4 / count of subsequence n / 4 % count.
Seeded seed_states(const curandGenerator_st& g) {
  const auto allocate = [](unsigned count, int words) {
    return static_cast<uint32_t*>(std::calloc(count, words * sizeof(uint32_t)));
  };
  if (g.type == CURAND_RNG_PSEUDO_PHILOX4_32_10) {
    const unsigned count = subsequences(g);
    const uint64_t group = g.offset / 4;
    Seeded s{count, static_cast<unsigned>(group % count), static_cast<unsigned>(g.offset % 4),
             allocate(count, Philox::kWords)};
    for (unsigned i = 0; s.states && i < count; ++i) {
      const uint64_t counter = group / count + (i < s.first);
      s.states[i] = static_cast<uint32_t>(counter);
      s.states[count + i] = static_cast<uint32_t>(counter >> 32);
    }
    return s;
  }
  const bool is_mrg = g.type == CURAND_RNG_PSEUDO_MRG32K3A;
  const unsigned count = subsequences(g);
  Seeded s{count, static_cast<unsigned>(g.offset % count), 0, allocate(count, Xorwow::kWords)};
  if (!s.states) return s;
  const auto keep = [&](auto state, unsigned i, auto step) {
    if (i < s.first) step(state);
    state.store(s.states, count, i);
  };
  if (is_mrg) {
    Mrg state = begin_mrg(g.seed, g.offset / count);
    const auto jump1 = power(kStep1, 1, 76);
    const auto jump2 = power(kStep2, 1, 76);
    for (unsigned i = 0; i < count; ++i) {
      keep(state, i, [](Mrg& m) { m.step(); });
      jump1.apply(state.a);
      jump2.apply(state.b);
    }
  } else {
    Xorwow state = begin_xorwow(g.seed, g.offset / count);
    const Polynomial jump = power(1, 67);
    for (unsigned i = 0; i < count; ++i) {
      keep(state, i, [](Xorwow& x) { x.bits(); });
      skip(state, jump);
    }
  }
  return s;
}

}  // namespace heddle::rand
