// Quasirandom numbers: Sobol's sequences in Gray code order.
#include <bit>
#include <cstdio>
#include <vector>

#include "curand/distributions.h"
#include "curand/joe_kuo.h"

namespace heddle::rand {
namespace {

constexpr unsigned kDimensions = 20000;  // of cuRAND's tables
constexpr int kPointsPerThread = 8;

template <class Word>
struct Point {
  Word x;
  HEDDLE_BOTH Word bits() const { return x; }
  HEDDLE_BOTH float unit() const { return scaled(static_cast<uint32_t>(x >> (8 * sizeof x - 32))); }
  HEDDLE_BOTH double wide() const {
    if constexpr (sizeof x == 4)
      return x * kUnitDouble + kUnitDouble;
    else
      return scaled53(x >> 11);
  }
};
template <class Word>
HEDDLE_BOTH Word point_at(const Word* vectors, uint64_t index) {
  Word x = 0;
  for (uint64_t gray = index ^ index >> 1; gray; gray >>= 1, ++vectors)
    if (gray & 1) x ^= *vectors;
  return x;
}

// A row of blocks for each dimension. A thread strides by a power of two, which changes two bits of
// the Gray code.
template <class Word, class Distribution>
__global__ void generate(const Word* vectors, uint64_t first, size_t n, Distribution distribution,
                         typename Distribution::Number* out) {
  constexpr int kBits = 8 * sizeof(Word);
  __shared__ Word own[kBits];
  if (threadIdx.x < kBits) own[threadIdx.x] = vectors[blockIdx.y * kBits + threadIdx.x];
  __syncthreads();
  out += blockIdx.y * n;
  const uint64_t stride = index_step();
  const int low = __ffsll(stride) - 1;
  size_t i = first_index();
  if (i >= n) return;
  Point<Word> point{point_at(own, first + i)};
  while (true) {
    distribution(point, out + i);
    const uint64_t before = first + i;
    i += stride;
    if (i >= n) return;
    point.x ^= own[low - 1] ^ own[__ffsll(~(before | (stride - 1))) - 1];
  }
}

// Polynomials over GF(2) whose root generates all 2^degree - 1 states.
bool is_primitive(unsigned polynomial, int degree) {
  unsigned state = 1, period = 0;
  do {
    state <<= 1;
    if (state >> degree) state ^= polynomial;
    ++period;
  } while (state != 1 && period < 1u << degree);
  return period == (1u << degree) - 1;
}
// `digits` of (m_k - 1) / 2 in k - 1 bits each.
uint64_t initial_number(const char* digits, int length, int k) {
  if (k == 1) return 1;
  uint64_t value = 0;
  const int from = (k - 1) * (k - 2) / 2;
  for (int bit = 0; bit < k - 1; ++bit) {
    const int at = from + bit;
    const char digit = digits[length - 1 - at / 4];
    const unsigned nibble = digit <= '9' ? digit - '0' : digit - 'a' + 10;
    value |= static_cast<uint64_t>(nibble >> at % 4 & 1) << bit;
  }
  return 2 * value + 1;
}
template <class Word>
void append_dimension(std::vector<Word>& vectors, unsigned polynomial, int degree,
                      const char* digits, int length) {
  constexpr int kBits = 8 * sizeof(Word);
  uint64_t m[kBits + 1];
  for (int k = 1; k <= kBits; ++k) {
    if (k <= degree) {
      m[k] = initial_number(digits, length, k);
    } else {
      m[k] = m[k - degree] ^ m[k - degree] << degree;
      for (int j = 1; j < degree; ++j)
        if (polynomial >> (degree - j) & 1) m[k] ^= m[k - j] << j;
    }
    vectors.push_back(static_cast<Word>(m[k] << (kBits - k)));
  }
}
// The direction vectors of Joe and Kuo; those of dimensions that Heddle does not have are 0.
template <class Word>
const std::vector<Word>& direction_vectors() {
  constexpr int kBits = 8 * sizeof(Word);
  static const std::vector<Word> vectors = [] {
    std::vector<Word> made;
    for (int i = 0; i < kBits; ++i) made.push_back(Word{1} << (kBits - 1 - i));
    append_dimension(made, 3, 1, "", 0);
    int degree = 2;
    for (const char* digits : kJoeKuo) {
      const int length = (degree * (degree - 1) / 2 + 3) / 4;
      for (unsigned p = 1u << degree; p < 2u << degree; ++p) {
        if (!is_primitive(p, degree)) continue;
        append_dimension(made, p, degree, digits, length);
        digits += length;
      }
      ++degree;
    }
    made.resize(static_cast<size_t>(kDimensions) * kBits);
    return made;
  }();
  return vectors;
}
unsigned known_dimensions() {
  const auto& vectors = direction_vectors<uint32_t>();
  unsigned known = kDimensions;
  while (vectors[(known - 1) * 32] == 0) --known;
  return known;
}
Status give_vectors(const void** out, const void* vectors, const char* name) {
  std::fprintf(stderr, "heddle: %s: dimensions from %u on are 0, Heddle's cuRAND has %u\n", name,
               known_dimensions(), known_dimensions());
  *out = vectors;
  return CURAND_STATUS_SUCCESS;
}
Status get_direction_vectors32(curandDirectionVectors32_t* vectors[],
                               curandDirectionVectorSet_t set) {
  if (set != CURAND_DIRECTION_VECTORS_32_JOEKUO6) return CURAND_STATUS_OUT_OF_RANGE;
  return give_vectors((const void**)vectors, direction_vectors<uint32_t>().data(),
                      "curandGetDirectionVectors32");
}
Status get_direction_vectors64(curandDirectionVectors64_t* vectors[],
                               curandDirectionVectorSet_t set) {
  if (set != CURAND_DIRECTION_VECTORS_64_JOEKUO6) return CURAND_STATUS_OUT_OF_RANGE;
  return give_vectors((const void**)vectors, direction_vectors<uint64_t>().data(),
                      "curandGetDirectionVectors64");
}
Status set_quasi_random_generator_dimensions(curandGenerator_t g, unsigned dimensions) {
  HEDDLE_NEED_GENERATOR(g);
  if (!is_quasi(g->type)) return CURAND_STATUS_TYPE_ERROR;
  if (dimensions == 0 || dimensions > kDimensions) return CURAND_STATUS_OUT_OF_RANGE;
  if (dimensions > known_dimensions()) {
    std::fprintf(stderr,
                 "heddle: curandSetQuasiRandomGeneratorDimensions: Heddle's cuRAND has %u of %u "
                 "dimensions\n",
                 known_dimensions(), kDimensions);
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  g->dimensions = dimensions;
  g->seeded = false;
  return CURAND_STATUS_SUCCESS;
}

template <class Word, class Distribution>
Status run(curandGenerator_t g, const Request& r, const Distribution& distribution) {
  constexpr int kBits = 8 * sizeof(Word);
  const size_t points = r.n / g->dimensions;
  auto* out = static_cast<typename Distribution::Number*>(r.out);
  const auto* vectors = static_cast<const Word*>(g->states);
  const uint64_t first = g->point;
  g->point += points;
  if (g->on_host) {
    for (unsigned d = 0; d < g->dimensions; ++d) {
      for (size_t i = 0; i < points; ++i) {
        Point<Word> point{point_at(vectors + d * kBits, first + i)};
        distribution(point, out++);
      }
    }
    return CURAND_STATUS_SUCCESS;
  }
  const dim3 grid(std::bit_ceil(blocks_for(ceil_div(points, kPointsPerThread), 64)), g->dimensions);
  generate<<<grid, kThreads, 0, g->stream>>>(vectors, first, points, distribution, out);
  return launched();
}

}  // namespace

template <class T>
Status generate_quasi(curandGenerator_t g, const Request& request) {
  if (request.n % g->dimensions) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  const bool is_wide = g->type == CURAND_RNG_QUASI_SOBOL64;
  if (!g->seeded) {
    const void* vectors = is_wide ? static_cast<const void*>(direction_vectors<uint64_t>().data())
                                  : direction_vectors<uint32_t>().data();
    const size_t bytes = static_cast<size_t>(g->dimensions) * (is_wide ? 512 : 128);
    if (const Status status = set_states(g, vectors, bytes)) return status;
    g->point = g->offset;
    g->seeded = true;
  }
  if (request.n == 0) return CURAND_STATUS_SUCCESS;
  return with_distribution<T, true>(request, [&](const auto& distribution) {
    if constexpr (sizeof(T) == 8 && T(0.5) == T(0))
      return run<uint64_t>(g, request, distribution);
    else if (is_wide)
      return run<uint64_t>(g, request, distribution);
    else
      return run<uint32_t>(g, request, distribution);
  });
}
template Status generate_quasi<uint32_t>(curandGenerator_t, const Request&);
template Status generate_quasi<uint64_t>(curandGenerator_t, const Request&);
template Status generate_quasi<float>(curandGenerator_t, const Request&);
template Status generate_quasi<double>(curandGenerator_t, const Request&);

}  // namespace heddle::rand

using namespace heddle::rand;
#include "libraries/curand_sobol_calls.inc"
