// Random numbers in kernels: XORWOW (Marsaglia 2003), Philox 4x32-10 (Salmon et al. 2011), MRG32k3a
// (L'Ecuyer 1999) and Sobol's sequences. Subsequences are as far apart as cuRAND's: 2^67 numbers of
// XORWOW, 2^76 of MRG32k3a, 2^66 of Philox.
#pragma once
#define CURAND_KERNEL_H_

#include "cuda_runtime.h"
#include "curand.h"

// Host compilers read the states, too.
struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandState;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

#if defined(__CUDA__)
#include "heddle/xorwow_jumps.h"
#define QUALIFIERS static __forceinline__ __device__
#define CURAND_2POW32_INV 2.3283064e-10f
#define CURAND_2POW32_INV_DOUBLE 2.3283064365386963e-10
#define CURAND_2PI 6.2831855f

// XORWOW.
QUALIFIERS unsigned int curand(curandStateXORWOW* state) {
  const unsigned int t = state->v[0] ^ state->v[0] >> 2;
  state->v[0] = state->v[1];
  state->v[1] = state->v[2];
  state->v[2] = state->v[3];
  state->v[3] = state->v[4];
  state->v[4] = (state->v[4] ^ state->v[4] << 4) ^ (t ^ t << 1);
  state->d += 362437;
  return state->v[4] + state->d;
}
namespace heddle {
// The state after 2^k steps, without the counter d.
static __device__ __noinline__ void xorwow_jump(curandStateXORWOW* state, unsigned int k) {
  unsigned int sum[5] = {}, d = state->d;
  for (unsigned int i = 0; i < 160; ++i) {
    const unsigned int chosen = 0u - (xorwow_jumps[k][i / 32] >> i % 32 & 1u);
#pragma unroll
    for (int word = 0; word < 5; ++word) sum[word] ^= state->v[word] & chosen;
    curand(state);
  }
#pragma unroll
  for (int word = 0; word < 5; ++word) state->v[word] = sum[word];
  state->d = d;
}
}  // namespace heddle
QUALIFIERS void skipahead(unsigned long long n, curandStateXORWOW* state) {
  const unsigned int steps = static_cast<unsigned int>(n & 127);
  for (unsigned int i = 0; i < steps; ++i) curand(state);
  unsigned int k = 7;
  for (unsigned long long rest = n >> 7; rest; rest >>= 1, ++k) {
    if (rest & 1) heddle::xorwow_jump(state, k);
  }
  state->d += 362437u * static_cast<unsigned int>(n - steps);
}
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStateXORWOW* state) {
  for (unsigned int k = 67; n; n >>= 1, ++k) {
    if (n & 1) heddle::xorwow_jump(state, k);
  }
}
QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStateXORWOW* state) {
  const unsigned int s0 = static_cast<unsigned int>(seed) ^ 0xaad26b49u,
                     s1 = static_cast<unsigned int>(seed >> 32) ^ 0xf7dcefddu;
  const unsigned int t0 = 1099087573u * s0, t1 = 2591861531u * s1;
  state->d = 6615241u + t1 + t0;
  state->v[0] = 123456789u + t0;
  state->v[1] = 362436069u ^ t0;
  state->v[2] = 521288629u + t1;
  state->v[3] = 88675123u ^ t1;
  state->v[4] = 5783321u + t0;
  skipahead_sequence(subsequence, state);
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
  skipahead(offset, state);
}

// Philox.
namespace heddle {
static __device__ __forceinline__ uint4 philox(uint4 c, uint2 key) {
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const unsigned int high0 = __umulhi(0xd2511f53u, c.x), low0 = 0xd2511f53u * c.x;
    const unsigned int high1 = __umulhi(0xcd9e8d57u, c.z), low1 = 0xcd9e8d57u * c.z;
    c = make_uint4(high1 ^ c.y ^ key.x, low1, high0 ^ c.w ^ key.y, low0);
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return c;
}
static __device__ __forceinline__ void advance(uint4& c, unsigned long long n) {
  const unsigned long long low = (static_cast<unsigned long long>(c.y) << 32 | c.x) + n;
  const bool carry = low < n;
  c.x = static_cast<unsigned int>(low);
  c.y = static_cast<unsigned int>(low >> 32);
  if (carry && ++c.z == 0) ++c.w;
}
}  // namespace heddle
QUALIFIERS uint4 curand4(curandStatePhilox4_32_10* state) {
  const uint4 before = state->output;
  heddle::advance(state->ctr, 1);
  state->output = heddle::philox(state->ctr, state->key);
  switch (state->STATE) {
    case 1: return make_uint4(before.y, before.z, before.w, state->output.x);
    case 2: return make_uint4(before.z, before.w, state->output.x, state->output.y);
    case 3: return make_uint4(before.w, state->output.x, state->output.y, state->output.z);
    default: return before;
  }
}
QUALIFIERS unsigned int curand(curandStatePhilox4_32_10* state) {
  const unsigned int words[4] = {state->output.x, state->output.y, state->output.z,
                                 state->output.w};
  const unsigned int result = words[state->STATE++ & 3];
  if (state->STATE == 4) {
    heddle::advance(state->ctr, 1);
    state->output = heddle::philox(state->ctr, state->key);
    state->STATE = 0;
  }
  return result;
}
QUALIFIERS void skipahead(unsigned long long n, curandStatePhilox4_32_10* state) {
  state->STATE += static_cast<unsigned int>(n & 3);
  n /= 4;
  if (state->STATE > 3) {
    ++n;
    state->STATE -= 4;
  }
  heddle::advance(state->ctr, n);
  state->output = heddle::philox(state->ctr, state->key);
}
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* state) {
  const unsigned long long high =
      (static_cast<unsigned long long>(state->ctr.w) << 32 | state->ctr.z) + n;
  state->ctr.z = static_cast<unsigned int>(high);
  state->ctr.w = static_cast<unsigned int>(high >> 32);
  state->output = heddle::philox(state->ctr, state->key);
}
QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStatePhilox4_32_10* state) {
  state->ctr = make_uint4(0, 0, static_cast<unsigned int>(subsequence),
                          static_cast<unsigned int>(subsequence >> 32));
  state->key = make_uint2(static_cast<unsigned int>(seed), static_cast<unsigned int>(seed >> 32));
  state->STATE = 0;
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
  skipahead(offset, state);
}

// MRG32k3a: two recurrences of order 3.
namespace heddle {
constexpr unsigned long long kM1 = 4294967087ull, kM2 = 4294944443ull;
struct Matrix {
  unsigned long long a[3][3];
};
static __device__ inline Matrix product(const Matrix& x, const Matrix& y, unsigned long long m) {
  Matrix r;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      unsigned long long sum = 0;
      for (int k = 0; k < 3; ++k) sum = (sum + x.a[i][k] * y.a[k][j] % m) % m;
      r.a[i][j] = sum;
    }
  }
  return r;
}
// state = one^n state, n counted in steps of 2^`log_step`.
static __device__ inline void jump(unsigned int (&state)[3], Matrix one, unsigned long long n,
                                   int log_step, unsigned long long m) {
  for (int i = 0; i < log_step; ++i) one = product(one, one, m);
  for (; n > 0; n >>= 1) {
    if (n & 1) {
      unsigned int next[3];
      for (int i = 0; i < 3; ++i) {
        unsigned long long sum = 0;
        for (int k = 0; k < 3; ++k) sum = (sum + one.a[i][k] * state[k] % m) % m;
        next[i] = static_cast<unsigned int>(sum);
      }
      for (int i = 0; i < 3; ++i) state[i] = next[i];
    }
    one = product(one, one, m);
  }
}
static __device__ inline void jump(curandStateMRG32k3a* state, unsigned long long n, int log_step) {
  if (n == 0) return;
  jump(state->s1, Matrix{{{0, 1, 0}, {0, 0, 1}, {kM1 - 810728, 1403580, 0}}}, n, log_step, kM1);
  jump(state->s2, Matrix{{{0, 1, 0}, {0, 0, 1}, {kM2 - 1370589, 0, 527612}}}, n, log_step, kM2);
}
}  // namespace heddle
// 1 ... m1, as the recurrence gives it.
QUALIFIERS unsigned int heddle_mrg_step(curandStateMRG32k3a* state) {
  const unsigned long long p1 =
      (1403580ull * state->s1[1] + (heddle::kM1 - 810728ull) * state->s1[0] % heddle::kM1) %
      heddle::kM1;
  const unsigned long long p2 =
      (527612ull * state->s2[2] + (heddle::kM2 - 1370589ull) * state->s2[0] % heddle::kM2) %
      heddle::kM2;
  state->s1[0] = state->s1[1];
  state->s1[1] = state->s1[2];
  state->s1[2] = static_cast<unsigned int>(p1);
  state->s2[0] = state->s2[1];
  state->s2[1] = state->s2[2];
  state->s2[2] = static_cast<unsigned int>(p2);
  return static_cast<unsigned int>(p1 > p2 ? p1 - p2 : p1 + heddle::kM1 - p2);
}
QUALIFIERS unsigned int curand(curandStateMRG32k3a* state) {
  return static_cast<unsigned int>(heddle_mrg_step(state) * 1.000000048662);
}
QUALIFIERS void skipahead(unsigned long long n, curandStateMRG32k3a* state) {
  heddle::jump(state, n, 0);
}
QUALIFIERS void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a* state) {
  heddle::jump(state, n, 76);
}
QUALIFIERS void skipahead_sequence(unsigned long long n, curandStateMRG32k3a* state) {
  heddle::jump(state, n, 127);
}
QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStateMRG32k3a* state) {
  for (int i = 0; i < 3; ++i) state->s1[i] = state->s2[i] = 12345u;
  if (seed) {
    const unsigned long long x1 = static_cast<unsigned int>(seed) ^ 0x55555555u,
                             x2 = static_cast<unsigned int>(seed >> 32) ^ 0xaaaaaaaau;
    state->s1[0] = static_cast<unsigned int>(x1 * state->s1[0] % heddle::kM1);
    state->s1[1] = static_cast<unsigned int>(x2 * state->s1[1] % heddle::kM1);
    state->s1[2] = static_cast<unsigned int>(x1 * state->s1[2] % heddle::kM1);
    state->s2[0] = static_cast<unsigned int>(x2 * state->s2[0] % heddle::kM2);
    state->s2[1] = static_cast<unsigned int>(x1 * state->s2[1] % heddle::kM2);
    state->s2[2] = static_cast<unsigned int>(x2 * state->s2[2] % heddle::kM2);
  }
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
  heddle::jump(state, subsequence, 76);
  heddle::jump(state, offset, 0);
}

#include "heddle/curand_distributions.h"
#include "heddle/curand_sobol.h"
#undef QUALIFIERS

// MTGP32 needs tables of cuRAND's host library: using it is an error at its line.
typedef struct curandStateMtgp32 curandStateMtgp32_t __attribute__((
    unavailable("Heddle has no MTGP32 generators: their tables come from cuRAND's host library")));
#endif
