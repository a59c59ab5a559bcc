// Part of curand_kernel.h: Sobol's sequences in Gray code order, from direction vectors that the
// program gives, and their distributions. Scrambled ones begin at a constant instead of 0.
#pragma once

namespace heddle {
template <class Word>
struct Sobol {
  Word i, x, c;
  Word direction_vectors[8 * sizeof(Word)];
};
template <class Word>
static __device__ __forceinline__ void skip_points(Word n, Sobol<Word>* state) {
  state->i += n;
  state->x = state->c;
  const Word gray = state->i ^ state->i >> 1;
  for (unsigned int k = 0; k < 8 * sizeof(Word); ++k)
    if (gray >> k & 1) state->x ^= state->direction_vectors[k];
}
template <class Word>
static __device__ __forceinline__ void init_sobol(const Word* vectors, Word constant, Word offset,
                                                  Sobol<Word>* state) {
  for (unsigned int k = 0; k < 8 * sizeof(Word); ++k) state->direction_vectors[k] = vectors[k];
  state->i = 0;
  state->c = constant;
  skip_points(offset, state);
}
template <class Word>
static __device__ __forceinline__ Word next_point(Sobol<Word>* state) {
  const Word x = state->x;
  const int changed = __ffsll(~static_cast<unsigned long long>(state->i));
  if (changed <= static_cast<int>(8 * sizeof(Word)))
    state->x ^= state->direction_vectors[changed - 1];
  ++state->i;
  return x;
}
static __device__ __forceinline__ float unit(unsigned int x) {
  return x * CURAND_2POW32_INV + CURAND_2POW32_INV / 2.0f;
}
static __device__ __forceinline__ float unit(unsigned long long x) {
  return unit(static_cast<unsigned int>(x >> 32));
}
static __device__ __forceinline__ double wide_unit(unsigned int x) {
  return x * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE;
}
static __device__ __forceinline__ double wide_unit(unsigned long long x) {
  return static_cast<double>(x >> 11) * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0;
}
}  // namespace heddle

#define HEDDLE_SOBOL(State, Word)                                                            \
  struct State : heddle::Sobol<Word> {};                                                     \
  typedef State State##_t;                                                                   \
  QUALIFIERS Word curand(State* s) { return heddle::next_point(s); }                         \
  QUALIFIERS void skipahead(Word n, State* s) { heddle::skip_points<Word>(n, s); }           \
  QUALIFIERS float curand_uniform(State* s) { return heddle::unit(curand(s)); }              \
  QUALIFIERS double curand_uniform_double(State* s) { return heddle::wide_unit(curand(s)); } \
  QUALIFIERS float curand_normal(State* s) { return normcdfinvf(curand_uniform(s)); }        \
  QUALIFIERS double curand_normal_double(State* s) {                                         \
    return normcdfinv(curand_uniform_double(s));                                             \
  }                                                                                          \
  QUALIFIERS float curand_log_normal(State* s, float mean, float deviation) {                \
    return expf(mean + deviation * curand_normal(s));                                        \
  }                                                                                          \
  QUALIFIERS double curand_log_normal_double(State* s, double mean, double deviation) {      \
    return exp(mean + deviation * curand_normal_double(s));                                  \
  }
#define HEDDLE_PLAIN_SOBOL(State, Word)                                     \
  HEDDLE_SOBOL(State, Word)                                                 \
  QUALIFIERS void curand_init(const Word* vectors, Word offset, State* s) { \
    heddle::init_sobol<Word>(vectors, 0, offset, s);                        \
  }
#define HEDDLE_SCRAMBLED_SOBOL(State, Word)                                                \
  HEDDLE_SOBOL(State, Word)                                                                \
  QUALIFIERS void curand_init(const Word* vectors, Word constant, Word offset, State* s) { \
    heddle::init_sobol<Word>(vectors, constant, offset, s);                                \
  }
HEDDLE_PLAIN_SOBOL(curandStateSobol32, unsigned int)
HEDDLE_PLAIN_SOBOL(curandStateSobol64, unsigned long long)
HEDDLE_SCRAMBLED_SOBOL(curandStateScrambledSobol32, unsigned int)
HEDDLE_SCRAMBLED_SOBOL(curandStateScrambledSobol64, unsigned long long)
#undef HEDDLE_SCRAMBLED_SOBOL
#undef HEDDLE_PLAIN_SOBOL
#undef HEDDLE_SOBOL
