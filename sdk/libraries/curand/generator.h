// The generator of cuRAND's host API and what its calls share.
#pragma once
#include <curand.h>

#include "shared/launches.h"

struct curandGenerator_st {
  curandRngType_t type = CURAND_RNG_PSEUDO_XORWOW;
  bool on_host = false;  // made by curandCreateGeneratorHost
  cudaStream_t stream = nullptr;
  curandOrdering_t ordering = CURAND_ORDERING_PSEUDO_DEFAULT;
  uint64_t seed = 0, offset = 0;
  unsigned dimensions = 1;

  // Where the next number comes from. Pseudorandom generators: `part` numbers of the batch of
  // subsequence `subsequence` are used. Quasirandom ones: the index of the point.
  bool seeded = false;
  void* states = nullptr;  // on the side where the numbers are; direction vectors for Sobol
  unsigned subsequence = 0, part = 0;
  uint64_t point = 0;
};

namespace heddle::rand {

using Status = curandStatus_t;

inline bool is_quasi(curandRngType_t type) { return type >= CURAND_RNG_QUASI_DEFAULT; }

// What is generated; `a` and `b` are mean and deviation.
enum class Kind { bits, bits64, uniform, normal, log_normal, poisson };
struct Request {
  Kind kind;
  void* out;
  size_t n;
  double a = 0, b = 1;
  // Poisson: sums of probabilities of the `counts` numbers from `lowest` on.
  const double* sums = nullptr;
  unsigned counts = 0, lowest = 0;
};

// Numbers of one type; the calls have checked their arguments.
template <class T>
Status generate_pseudo(curandGenerator_t g, const Request& request);
template <class T>
Status generate_quasi(curandGenerator_t g, const Request& request);

// Copies what the host computed to where the generator works.
Status set_states(curandGenerator_t g, const void* from, size_t bytes);

inline Status launched() {
  return cudaPeekAtLastError() == cudaSuccess ? CURAND_STATUS_SUCCESS
                                              : CURAND_STATUS_LAUNCH_FAILURE;
}

#define HEDDLE_NEED_GENERATOR(g) \
  if (!(g)) return CURAND_STATUS_NOT_INITIALIZED

}  // namespace heddle::rand
