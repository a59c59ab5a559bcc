// The pseudorandom sequences: XORWOW (Marsaglia 2003), MRG32k3a (L'Ecuyer 1999) and Philox 4x32-10
// (Salmon et al. 2011). A generator has many subsequences of which each gives `kBatch` numbers in a
// batch (0: as many as the distribution makes at a time).
#pragma once
#include "curand/distributions.h"

namespace heddle::rand {

// States of subsequences: word k of subsequence i is at k * count + i.
struct Xorwow {
  static constexpr int kWords = 6, kBatch = 0;
  uint32_t v[5], d;
  HEDDLE_BOTH void load(const uint32_t* words, unsigned count, unsigned i, uint64_t) {
    for (int k = 0; k < 5; ++k) v[k] = words[k * count + i];
    d = words[5 * count + i];
  }
  HEDDLE_BOTH void store(uint32_t* words, unsigned count, unsigned i) const {
    for (int k = 0; k < 5; ++k) words[k * count + i] = v[k];
    words[5 * count + i] = d;
  }
  HEDDLE_BOTH uint32_t bits() {
    const uint32_t t = v[0] ^ v[0] >> 2;
    for (int k = 0; k < 4; ++k) v[k] = v[k + 1];
    v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
    d += 362437;
    return v[4] + d;
  }
  HEDDLE_BOTH float unit() { return scaled(bits()); }
  HEDDLE_BOTH double wide() {
    const uint64_t low = bits();
    return scaled53(low ^ static_cast<uint64_t>(bits()) << 21);
  }
};

constexpr uint32_t kMrg1 = 4294967087u, kMrg2 = 4294944443u;  // 2^32 - 209, 2^32 - 22853
// x modulo 2^32 - c.
template <uint32_t c>
HEDDLE_BOTH uint32_t reduced(uint64_t x) {
  x = (x >> 32) * c + static_cast<uint32_t>(x);
  x = (x >> 32) * c + static_cast<uint32_t>(x);
  return static_cast<uint32_t>(x >= (1ull << 32) - c ? x - ((1ull << 32) - c) : x);
}
struct Mrg {
  static constexpr int kWords = 6, kBatch = 0;
  uint32_t a[3], b[3];
  HEDDLE_BOTH void load(const uint32_t* words, unsigned count, unsigned i, uint64_t) {
    for (int k = 0; k < 3; ++k) a[k] = words[k * count + i];
    for (int k = 0; k < 3; ++k) b[k] = words[(3 + k) * count + i];
  }
  HEDDLE_BOTH void store(uint32_t* words, unsigned count, unsigned i) const {
    for (int k = 0; k < 3; ++k) words[k * count + i] = a[k];
    for (int k = 0; k < 3; ++k) words[(3 + k) * count + i] = b[k];
  }
  HEDDLE_BOTH uint32_t step() {  // 1 ... 2^32 - 209
    const uint32_t x = reduced<209>(1403580ull * a[1] + reduced<209>((kMrg1 - 810728ull) * a[0]));
    const uint32_t y =
        reduced<22853>(527612ull * b[2] + reduced<22853>((kMrg2 - 1370589ull) * b[0]));
    a[0] = a[1], a[1] = a[2], a[2] = x;
    b[0] = b[1], b[1] = b[2], b[2] = y;
    return x > y ? x - y : x - y + kMrg1;
  }
  HEDDLE_BOTH uint32_t bits() { return static_cast<uint32_t>(step() * 1.000000048662); }
  HEDDLE_BOTH float unit() { return static_cast<float>(wide()); }
  HEDDLE_BOTH double wide() { return step() * 2.3283065498378288e-10; }
};

struct Philox {
  static constexpr int kWords = 2, kBatch = 4;
  uint32_t counter[4], key[2], x[4];
  int used = 0;
  HEDDLE_BOTH void load(const uint32_t* words, unsigned count, unsigned i, uint64_t seed) {
    counter[0] = words[i];
    counter[1] = words[count + i];
    counter[2] = i;
    counter[3] = 0;
    key[0] = static_cast<uint32_t>(seed);
    key[1] = static_cast<uint32_t>(seed >> 32);
  }
  HEDDLE_BOTH void store(uint32_t* words, unsigned count, unsigned i) const {
    words[i] = counter[0];
    words[count + i] = counter[1];
  }
  HEDDLE_BOTH void refill() {
    for (int k = 0; k < 4; ++k) x[k] = counter[k];
    uint32_t k0 = key[0], k1 = key[1];
#pragma unroll
    for (int round = 0; round < 10; ++round) {
      const uint64_t p = static_cast<uint64_t>(0xd2511f53u) * x[0];
      const uint64_t q = static_cast<uint64_t>(0xcd9e8d57u) * x[2];
      x[0] = static_cast<uint32_t>(q >> 32) ^ x[1] ^ k0;
      x[1] = static_cast<uint32_t>(q);
      x[2] = static_cast<uint32_t>(p >> 32) ^ x[3] ^ k1;
      x[3] = static_cast<uint32_t>(p);
      k0 += 0x9e3779b9u;
      k1 += 0xbb67ae85u;
    }
    if (++counter[0] == 0) ++counter[1];
  }
  HEDDLE_BOTH uint32_t bits() {
    if (used % 4 == 0) refill();
    return x[used++ % 4];
  }
  HEDDLE_BOTH float unit() { return scaled(bits()); }
  HEDDLE_BOTH double wide() {
    const uint64_t low = bits();
    return scaled53(low ^ static_cast<uint64_t>(bits()) << 21);
  }
};

// Which numbers one call makes: those of `batches` batches, which begin at subsequence `first`. The
// first `part` numbers of the first batch were used before.
struct Batches {
  uint32_t* states;
  uint64_t seed;
  unsigned count, first, part;
  size_t batches, n;
};
// The batches of one subsequence. A batch that is not used up is made again by the next call.
template <class Sequence, class Distribution>
HEDDLE_BOTH void make_batches(const Batches& t, unsigned index, const Distribution& distribution,
                              typename Distribution::Number* out) {
  constexpr int kBatch = Sequence::kBatch ? Sequence::kBatch : Distribution::kNumbers;
  const unsigned i = (t.first + index) % t.count;
  Sequence sequence;
  sequence.load(t.states, t.count, i, t.seed);
  for (size_t batch = index; batch < t.batches; batch += t.count) {
    typename Distribution::Number numbers[kBatch];
#pragma unroll
    for (int k = 0; k < kBatch; k += Distribution::kNumbers) distribution(sequence, numbers + k);
#pragma unroll
    for (int k = 0; k < kBatch; ++k) {
      const size_t at = batch * kBatch + k - t.part;  // huge for those that were used before
      if (at < t.n) out[at] = numbers[k];
    }
    if ((batch + 1) * kBatch <= t.part + t.n) sequence.store(t.states, t.count, i);
  }
}

// How many subsequences an ordering has.
inline unsigned subsequences(const curandGenerator_st& g) {
  if (g.type == CURAND_RNG_PSEUDO_PHILOX4_32_10) return 65536;
  const bool is_legacy = g.ordering == CURAND_ORDERING_PSEUDO_LEGACY;
  return g.type == CURAND_RNG_PSEUDO_MRG32K3A && !is_legacy ? 81920 : 4096;
}

// States at a generator's seed and offset, on the host.
struct Seeded {
  unsigned count;        // of subsequences
  unsigned first, part;  // where the offset is
  uint32_t* states;      // malloc
};
Seeded seed_states(const curandGenerator_st& g);

}  // namespace heddle::rand
