// cuRAND: the sequences of both sides, distributions, settings and errors. Sums and numbers are
// those of host generators of NVIDIA's cuRAND 10.4.
#include <curand.h>
#include <curand_kernel.h>

#include <cstring>

#include "conformance.h"

#define OK(call) EXPECT((call) == CURAND_STATUS_SUCCESS)

// An array where the generator makes its numbers.
template <class T>
struct Numbers {
  bool on_host;
  std::vector<T> host;
  T* data;
  Numbers(bool on_host, size_t n) : on_host(on_host), host(n) {
    data = host.data();
    if (!on_host) cudaMalloc(&data, n * sizeof(T));
  }
  Numbers(const Numbers&) = delete;
  ~Numbers() {
    if (!on_host) cudaFree(data);
  }
  const std::vector<T>& get() {
    if (!on_host) cudaMemcpy(host.data(), data, host.size() * sizeof(T), cudaMemcpyDeviceToHost);
    return host;
  }
  // Every number's bits, weighted by its place.
  std::uint64_t sum() {
    std::uint64_t sum = 0, place = 0;
    for (const T& x : get()) {
      std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t> bits;
      std::memcpy(&bits, &x, sizeof x);
      sum += ++place * bits;
    }
    return sum;
  }
};

struct Sequence {
  curandRngType_t type;
  curandOrdering_t ordering;
  unsigned long long seed, offset;
  size_t n;
  unsigned dimensions;
  std::uint64_t sums[3];  // integers, floats, doubles
};
constexpr auto XORWOW = CURAND_RNG_PSEUDO_XORWOW, MRG = CURAND_RNG_PSEUDO_MRG32K3A,
               PHILOX = CURAND_RNG_PSEUDO_PHILOX4_32_10;
constexpr auto SOBOL32 = CURAND_RNG_QUASI_SOBOL32, SOBOL64 = CURAND_RNG_QUASI_SOBOL64;
constexpr auto DEFAULT = CURAND_ORDERING_PSEUDO_DEFAULT, LEGACY = CURAND_ORDERING_PSEUDO_LEGACY;
constexpr auto QUASI = CURAND_ORDERING_QUASI_DEFAULT;
constexpr Sequence kSequences[] = {
    {XORWOW, DEFAULT, 1234, 0, 9000, 1, {0x138b0f7b497e2b7, 0x978994f762f6d3, 0x91f871ca2f4c4b8f}},
    {XORWOW,
     DEFAULT,
     0x10000000007,
     123456789012,
     5000,
     1,
     {0x6127f3e39e7125, 0x2ec75bf47d6880, 0x967c7d3efa3b7d5e}},
    {MRG, DEFAULT, 1234, 0, 90000, 1, {0x78a4fd62eec92098, 0x3b2b6514c04ebb3e, 0x58102d8d7ffe4506}},
    {MRG, LEGACY, 0, 54321, 6000, 1, {0x8a708fa2c1a183, 0x4356a81200ea3c, 0x424008a779a184ec}},
    {PHILOX,
     DEFAULT,
     1234,
     0,
     300000,
     1,
     {0x3b5b715b96885161, 0x9170c2056af74670, 0xb9ffdba8db6fae3f}},
    {PHILOX,
     DEFAULT,
     0x8000000000000001,
     17179870187,
     2000,
     1,
     {0xef2ef5b6b41d3, 0x77b4a87046c68, 0xcdb46120223f407a}},
    {SOBOL32, QUASI, 0, 0, 3000, 3, {0x22551803000000, 0x10d5a04f880fde, 0xe5a12a7e17000000}},
    {SOBOL32,
     QUASI,
     0,
     1000003,
     1111,
     1111,
     {0x4cdfd43914000, 0x24f9ff475e970, 0x5e8ec394f9200000}},
    {SOBOL64, QUASI, 0, 77, 3000, 30, {0xdc00000000000000, 0x10d65383d60000, 0x907ac000007e7e3c}},
};

curandGenerator_t make(const Sequence& s, bool on_host) {
  curandGenerator_t g = nullptr;
  OK(on_host ? curandCreateGeneratorHost(&g, s.type) : curandCreateGenerator(&g, s.type));
  OK(curandSetGeneratorOrdering(g, s.ordering));
  if (s.type < CURAND_RNG_QUASI_DEFAULT)
    OK(curandSetPseudoRandomGeneratorSeed(g, s.seed));
  else
    OK(curandSetQuasiRandomGeneratorDimensions(g, s.dimensions));
  OK(curandSetGeneratorOffset(g, s.offset));
  return g;
}

void test_sequence(const Sequence& s, bool on_host) {
  curandGenerator_t g = make(s, on_host);
  if (s.type == SOBOL64) {
    Numbers<unsigned long long> wide(on_host, s.n);
    OK(curandGenerateLongLong(g, wide.data, s.n));
    EXPECT(wide.sum() == s.sums[0]);
  } else {
    Numbers<unsigned> words(on_host, s.n);
    OK(curandGenerate(g, words.data, s.n));
    EXPECT(words.sum() == s.sums[0]);
  }
  OK(curandSetGeneratorOffset(g, s.offset));
  Numbers<float> floats(on_host, s.n);
  if (s.dimensions == 1) {  // in two calls, which go on where the one before ended
    OK(curandGenerateUniform(g, floats.data, 1003));
    OK(curandGenerateUniform(g, floats.data + 1003, s.n - 1003));
  } else {
    OK(curandGenerateUniform(g, floats.data, s.n));
  }
  EXPECT(floats.sum() == s.sums[1]);
  OK(curandSetGeneratorOffset(g, s.offset));
  Numbers<double> doubles(on_host, s.n);
  OK(curandGenerateUniformDouble(g, doubles.data, s.n));
  EXPECT(doubles.sum() == s.sums[2]);
  OK(curandDestroyGenerator(g));
}

// Six numbers from offset 10 on, seed 99: normal and logarithmic-normal, floats and doubles.
struct Normals {
  curandRngType_t type;
  double values[4][6];
};
constexpr Normals kNormals[] = {
    {XORWOW,
     {{-0.93627435, -0.618114173, 2.57938981, 0.238592371, 0.579578876, -1.33791292},
      {0.39208588, 0.538959861, 13.1890879, 1.26946092, 1.78528643, 0.26239273},
      {-0.528736438, -0.748448655, 0.42551026, 1.64698486, 1.14428423, 0.59641828},
      {0.589349179, 0.473099925, 1.53037111, 5.1913037, 3.14019289, 1.81560415}}},
    {MRG,
     {{1.51120162, 0.52909261, -0.204111919, -0.395317882, 1.72230637, 1.22043252},
      {4.53217363, 1.69739139, 0.815371096, 0.673465908, 5.59742355, 3.38865304},
      {1.51120165, 0.529092656, -0.204111851, -0.395317938, 1.72230635, 1.2204325},
      {4.53217362, 1.69739149, 0.815371166, 0.673465885, 5.59742319, 3.38865302}}},
    {PHILOX,
     {{0.206707537, 0.336778581, -0.601318061, 0.0012882906, 0.557697415, -1.00639594},
      {1.22962284, 1.40042889, 0.548088729, 1.00128913, 1.74664605, 0.365534008},
      {-0.405624628, -1.01360037, 0.367373205, -0.662942836, 0.531274445, 0.812056188},
      {0.666560329, 0.362910014, 1.4439367, 0.515332562, 1.70109888, 2.25253486}}},
    {SOBOL32,
     {{1.53412044, -0.15731068, -0.488776416, -1.53412044, 0.15731068, -0.887146533},
      {4.63724518, 0.854438543, 0.613376439, 0.215645283, 1.17035913, 0.411829233},
      {1.53412055, -0.157310684, -0.488776411, -1.53412054, 0.157310685, -0.887146559},
      {4.63724549, 0.854438557, 0.613376456, 0.215645258, 1.17035917, 0.411829208}}},
};
void test_normals(const Normals& wanted, bool on_host) {
  const bool quasi = wanted.type >= CURAND_RNG_QUASI_DEFAULT;
  const Sequence s{wanted.type, quasi ? QUASI : DEFAULT, 99, 10, 6, 2, {}};
  curandGenerator_t g = make(s, on_host);
  Numbers<float> floats[2] = {{on_host, 6}, {on_host, 6}};
  Numbers<double> doubles[2] = {{on_host, 6}, {on_host, 6}};
  OK(curandGenerateNormal(g, floats[0].data, 6, 0, 1));
  OK(curandSetGeneratorOffset(g, 10));
  OK(curandGenerateLogNormal(g, floats[1].data, 6, 0, 1));
  OK(curandSetGeneratorOffset(g, 10));
  OK(curandGenerateNormalDouble(g, doubles[0].data, 6, 0, 1));
  OK(curandSetGeneratorOffset(g, 10));
  OK(curandGenerateLogNormalDouble(g, doubles[1].data, 6, 0, 1));
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 2; ++k) {
      EXPECT(std::abs(floats[k].get()[i] - wanted.values[k][i]) <
             2e-6 * (1 + std::abs(wanted.values[k][i])));
      EXPECT(std::abs(doubles[k].get()[i] - wanted.values[2 + k][i]) < 1e-8 * 6);
    }
  }
  OK(curandSetGeneratorOffset(g, 10));
  OK(curandGenerateNormalDouble(g, doubles[1].data, 6, 3, 0.5));
  for (int i = 0; i < 6; ++i)
    EXPECT(std::abs(doubles[1].get()[i] - (3 + 0.5 * doubles[0].host[i])) < 1e-12);
  OK(curandDestroyGenerator(g));
}

void test_poisson(curandRngType_t type, double lambda, bool on_host) {
  curandGenerator_t g = make({type, DEFAULT, 7, 0, 0, 1, {}}, on_host);
  constexpr int kCount = 8000;
  Numbers<unsigned> numbers(on_host, kCount);
  OK(curandGeneratePoisson(g, numbers.data, kCount, lambda));
  double sum = 0, squares = 0;
  for (const unsigned x : numbers.get()) {
    sum += x;
    squares += (x - lambda) * (x - lambda);
  }
  // Five standard deviations of the mean and of the variance.
  EXPECT(std::abs(sum / kCount - lambda) < 5 * std::sqrt(lambda / kCount));
  EXPECT(std::abs(squares / kCount - lambda) <
         5 * std::sqrt((lambda + 2 * lambda * lambda) / kCount));
  OK(curandDestroyGenerator(g));
}

// Each subsequence knows how many of its numbers are used, whatever they became.
void test_mixed_calls() {
  curandGenerator_t g = make({XORWOW, DEFAULT, 1234, 0, 0, 1, {}}, false);
  Numbers<unsigned> all(false, 12000), words(false, 10);
  Numbers<double> doubles(false, 100);
  Numbers<float> normals(false, 8192);
  OK(curandGenerate(g, all.data, 12000));
  OK(curandSetGeneratorOffset(g, 0));
  OK(curandGenerateUniformDouble(g, doubles.data, 100));
  OK(curandGenerateNormal(g, normals.data, 8192, 0, 1));  // all subsequences twice
  OK(curandGenerate(g, words.data, 10));
  for (int i = 0; i < 10; ++i) EXPECT(words.get()[i] == all.get()[8192 + 100 + i]);
  OK(curandDestroyGenerator(g));
}

// Generators of kernels make the numbers of the host API.
template <class State, class Word>
__global__ void plain_points(const Word* vectors, Word* words, double* doubles) {
  State state;
  curand_init(vectors, Word{5}, &state);
  for (int i = 0; i < 40; ++i) words[i] = curand(&state);
  skipahead(Word{1000}, &state);
  for (int i = 0; i < 40; ++i) doubles[i] = curand_uniform_double(&state);
}
template <class State, class Word>
__global__ void scrambled_points(const Word* vectors, Word* words) {
  State state;
  curand_init(vectors, Word{0xabcdef}, Word{5}, &state);
  for (int i = 0; i < 40; ++i) words[i] = curand(&state);
}
template <class State, class Scrambled, class Word, class Vectors>
void test_points(curandRngType_t type, Vectors* vectors) {
  curandGenerator_t g = make({type, QUASI, 0, 5, 0, 2, {}}, false);
  Numbers<Word> host(false, 80), words(false, 40), own(false, 64);
  Numbers<double> host_doubles(false, 80), doubles(false, 40);
  if constexpr (sizeof(Word) == 4)
    OK(curandGenerate(g, host.data, 80));
  else
    OK(curandGenerateLongLong(g, host.data, 80));
  OK(curandSetGeneratorOffset(g, 1045));
  OK(curandGenerateUniformDouble(g, host_doubles.data, 80));
  cudaMemcpy(own.data, vectors[1], sizeof(Vectors), cudaMemcpyHostToDevice);
  plain_points<State><<<1, 1>>>(own.data, words.data, doubles.data);
  for (int i = 0; i < 40; ++i) EXPECT(words.get()[i] == host.get()[40 + i]);
  for (int i = 0; i < 40; ++i) EXPECT(doubles.get()[i] == host_doubles.get()[40 + i]);
  scrambled_points<Scrambled><<<1, 1>>>(own.data, words.data);
  for (int i = 0; i < 40; ++i) EXPECT(words.get()[i] == (host.get()[40 + i] ^ 0xabcdef));
  OK(curandDestroyGenerator(g));
}
template <class State>
__global__ void subsequences(unsigned* words, double* doubles) {
  State state;
  curand_init(1234, threadIdx.x, 0, &state);
  words[threadIdx.x] = curand(&state);
  curand_init(1234, threadIdx.x, 0, &state);
  doubles[threadIdx.x] = curand_uniform_double(&state);
}
template <class State>
void test_subsequences(curandRngType_t type) {
  curandGenerator_t g = make({type, DEFAULT, 1234, 0, 0, 1, {}}, false);
  Numbers<unsigned> host(false, 8), words(false, 8);
  Numbers<double> host_doubles(false, 8), doubles(false, 8);
  OK(curandGenerate(g, host.data, 8));
  OK(curandSetGeneratorOffset(g, 0));
  OK(curandGenerateUniformDouble(g, host_doubles.data, 8));
  subsequences<State><<<1, 8>>>(words.data, doubles.data);
  EXPECT(words.get() == host.get());
  EXPECT(doubles.get() == host_doubles.get());
  OK(curandDestroyGenerator(g));
}
void test_kernel_generators() {
  test_subsequences<curandStateXORWOW_t>(XORWOW);
  test_subsequences<curandStateMRG32k3a_t>(MRG);
  curandDirectionVectors32_t* vectors32 = nullptr;
  curandDirectionVectors64_t* vectors64 = nullptr;
  OK(curandGetDirectionVectors32(&vectors32, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
  OK(curandGetDirectionVectors64(&vectors64, CURAND_DIRECTION_VECTORS_64_JOEKUO6));
  test_points<curandStateSobol32_t, curandStateScrambledSobol32_t, unsigned>(SOBOL32, vectors32);
  test_points<curandStateSobol64_t, curandStateScrambledSobol64_t, unsigned long long>(SOBOL64,
                                                                                       vectors64);
}

void test_errors() {
  curandGenerator_t g = nullptr;
  Numbers<unsigned> words(false, 16);
  auto* wide = reinterpret_cast<unsigned long long*>(words.data);
  auto* floats = reinterpret_cast<float*>(words.data);
  EXPECT(curandGenerate(nullptr, words.data, 1) == CURAND_STATUS_NOT_INITIALIZED);
  EXPECT(curandCreateGenerator(&g, curandRngType_t(7)) == CURAND_STATUS_TYPE_ERROR);
  EXPECT(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_MTGP32) == CURAND_STATUS_TYPE_ERROR);
  OK(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT));
  EXPECT(curandGenerateLongLong(g, wide, 2) == CURAND_STATUS_TYPE_ERROR);
  EXPECT(curandSetQuasiRandomGeneratorDimensions(g, 2) == CURAND_STATUS_TYPE_ERROR);
  EXPECT(curandGenerateNormal(g, floats, 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  EXPECT(curandGeneratePoisson(g, words.data, 4, 0) == CURAND_STATUS_OUT_OF_RANGE);
  EXPECT(curandSetGeneratorOrdering(g, QUASI) == CURAND_STATUS_OUT_OF_RANGE);
  EXPECT(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_SEEDED) ==
         CURAND_STATUS_OUT_OF_RANGE);
  OK(curandGenerateSeeds(g));
  OK(curandDestroyGenerator(g));
  OK(curandCreateGenerator(&g, CURAND_RNG_QUASI_DEFAULT));
  EXPECT(curandSetPseudoRandomGeneratorSeed(g, 1) == CURAND_STATUS_TYPE_ERROR);
  EXPECT(curandSetQuasiRandomGeneratorDimensions(g, 0) == CURAND_STATUS_OUT_OF_RANGE);
  EXPECT(curandSetQuasiRandomGeneratorDimensions(g, 1112) == CURAND_STATUS_OUT_OF_RANGE);
  OK(curandSetQuasiRandomGeneratorDimensions(g, 3));
  EXPECT(curandGenerate(g, words.data, 4) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  OK(curandDestroyGenerator(g));
  curandDirectionVectors32_t* vectors = nullptr;
  EXPECT(curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_64_JOEKUO6) ==
         CURAND_STATUS_OUT_OF_RANGE);
  OK(curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
  EXPECT(vectors[0][0] == 1u << 31 && vectors[1][1] == 3u << 30 && vectors[1111][0] == 0);
  int version = 0;
  OK(curandGetVersion(&version));
  EXPECT(version == CURAND_VERSION);
}

int main() {
  for (const bool on_host : {true, false}) {
    for (const Sequence& s : kSequences) test_sequence(s, on_host);
    for (const Normals& n : kNormals) test_normals(n, on_host);
    for (const double lambda : {0.5, 10.0, 5000.0}) test_poisson(XORWOW, lambda, on_host);
    test_poisson(PHILOX, 70, on_host);
  }
  test_mixed_calls();
  test_kernel_generators();
  test_errors();
  return verdict();
}
