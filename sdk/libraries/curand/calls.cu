// Generators, their settings and requests.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#include "curand/generator.h"

namespace heddle::rand {

Status set_states(curandGenerator_t g, const void* from, size_t bytes) {
  if (g->on_host) {
    std::free(g->states);
    g->states = std::malloc(bytes);
    if (!g->states) return CURAND_STATUS_ALLOCATION_FAILED;
    std::memcpy(g->states, from, bytes);
    return CURAND_STATUS_SUCCESS;
  }
  cudaFree(g->states);
  g->states = nullptr;
  if (cudaMalloc(&g->states, bytes) != cudaSuccess) return CURAND_STATUS_ALLOCATION_FAILED;
  const cudaError_t error =
      cudaMemcpyAsync(g->states, from, bytes, cudaMemcpyHostToDevice, g->stream);
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

namespace {

const char* absent_generator(curandRngType_t type) {
  switch (type) {
    case CURAND_RNG_PSEUDO_MTGP32: return "MTGP32";
    case CURAND_RNG_PSEUDO_MT19937: return "MT19937";
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32: return "scrambled Sobol32";
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64: return "scrambled Sobol64";
    default: return nullptr;
  }
}
Status create(curandGenerator_t* g, curandRngType_t type, bool on_host, const char* call) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  if (const char* name = absent_generator(type)) {
    std::fprintf(stderr, "heddle: %s: Heddle's cuRAND does not have %s generators\n", call, name);
    return CURAND_STATUS_TYPE_ERROR;
  }
  if (type == CURAND_RNG_PSEUDO_DEFAULT) type = CURAND_RNG_PSEUDO_XORWOW;
  if (type == CURAND_RNG_QUASI_DEFAULT) type = CURAND_RNG_QUASI_SOBOL32;
  if (type != CURAND_RNG_PSEUDO_XORWOW && type != CURAND_RNG_PSEUDO_MRG32K3A &&
      type != CURAND_RNG_PSEUDO_PHILOX4_32_10 && type != CURAND_RNG_QUASI_SOBOL32 &&
      type != CURAND_RNG_QUASI_SOBOL64)
    return CURAND_STATUS_TYPE_ERROR;
  int device = 0;
  if (!on_host && cudaGetDevice(&device) != cudaSuccess) return CURAND_STATUS_INITIALIZATION_FAILED;
  *g = new (std::nothrow) curandGenerator_st;
  if (!*g) return CURAND_STATUS_ALLOCATION_FAILED;
  (*g)->type = type;
  (*g)->on_host = on_host;
  if (is_quasi(type)) (*g)->ordering = CURAND_ORDERING_QUASI_DEFAULT;
  return CURAND_STATUS_SUCCESS;
}
Status create_generator(curandGenerator_t* g, curandRngType_t type) {
  return create(g, type, false, "curandCreateGenerator");
}
Status create_generator_host(curandGenerator_t* g, curandRngType_t type) {
  return create(g, type, true, "curandCreateGeneratorHost");
}
Status destroy_generator(curandGenerator_t g) {
  HEDDLE_NEED_GENERATOR(g);
  if (g->on_host)
    std::free(g->states);
  else
    cudaFree(g->states);
  delete g;
  return CURAND_STATUS_SUCCESS;
}
Status get_version(int* version) {
  if (!version) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
Status get_property(libraryPropertyType type, int* value) {
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL) return CURAND_STATUS_OUT_OF_RANGE;
  constexpr int parts[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
  *value = parts[type];
  return CURAND_STATUS_SUCCESS;
}

Status set_stream(curandGenerator_t g, cudaStream_t stream) {
  HEDDLE_NEED_GENERATOR(g);
  g->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
template <class T>
Status keep(curandGenerator_t g, T value, T curandGenerator_st::* member) {
  g->*member = value;
  g->seeded = false;
  return CURAND_STATUS_SUCCESS;
}
Status set_pseudo_random_generator_seed(curandGenerator_t g, uint64_t seed) {
  HEDDLE_NEED_GENERATOR(g);
  if (is_quasi(g->type)) return CURAND_STATUS_TYPE_ERROR;
  return keep(g, seed, &curandGenerator_st::seed);
}
Status set_generator_offset(curandGenerator_t g, uint64_t offset) {
  HEDDLE_NEED_GENERATOR(g);
  return keep(g, offset, &curandGenerator_st::offset);
}
// Orderings for which NVIDIA documents no sequence are the default one.
Status set_generator_ordering(curandGenerator_t g, curandOrdering_t ordering) {
  HEDDLE_NEED_GENERATOR(g);
  const bool is_pseudo =
      ordering >= CURAND_ORDERING_PSEUDO_BEST && ordering <= CURAND_ORDERING_PSEUDO_DYNAMIC;
  if (is_quasi(g->type) ? ordering != CURAND_ORDERING_QUASI_DEFAULT : !is_pseudo)
    return CURAND_STATUS_OUT_OF_RANGE;
  if (ordering == CURAND_ORDERING_PSEUDO_SEEDED) {
    std::fputs(
        "heddle: curandSetGeneratorOrdering: Heddle's cuRAND does not have "
        "CURAND_ORDERING_PSEUDO_SEEDED\n",
        stderr);
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  return keep(g, ordering, &curandGenerator_st::ordering);
}

template <class T>
Status request(curandGenerator_t g, const Request& r) {
  HEDDLE_NEED_GENERATOR(g);
  if (r.n && !r.out) return CURAND_STATUS_OUT_OF_RANGE;
  return is_quasi(g->type) ? generate_quasi<T>(g, r) : generate_pseudo<T>(g, r);
}
Status generate_seeds(curandGenerator_t g) {
  return request<uint32_t>(g, {Kind::bits, nullptr, 0});
}
Status generate(curandGenerator_t g, unsigned* out, size_t n) {
  HEDDLE_NEED_GENERATOR(g);
  if (g->type == CURAND_RNG_QUASI_SOBOL64) return CURAND_STATUS_TYPE_ERROR;
  return request<uint32_t>(g, {Kind::bits, out, n});
}
Status generate_long_long(curandGenerator_t g, unsigned long long* out, size_t n) {
  HEDDLE_NEED_GENERATOR(g);
  if (g->type != CURAND_RNG_QUASI_SOBOL64) return CURAND_STATUS_TYPE_ERROR;
  return generate_quasi<uint64_t>(g, {Kind::bits64, out, n});
}
Status generate_uniform(curandGenerator_t g, float* out, size_t n) {
  return request<float>(g, {Kind::uniform, out, n});
}
Status generate_uniform_double(curandGenerator_t g, double* out, size_t n) {
  return request<double>(g, {Kind::uniform, out, n});
}
Status generate_normal(curandGenerator_t g, float* out, size_t n, float mean, float deviation) {
  return request<float>(g, {Kind::normal, out, n, mean, deviation});
}
Status generate_normal_double(curandGenerator_t g, double* out, size_t n, double mean,
                              double deviation) {
  return request<double>(g, {Kind::normal, out, n, mean, deviation});
}
Status generate_log_normal(curandGenerator_t g, float* out, size_t n, float mean, float deviation) {
  return request<float>(g, {Kind::log_normal, out, n, mean, deviation});
}
Status generate_log_normal_double(curandGenerator_t g, double* out, size_t n, double mean,
                                  double deviation) {
  return request<double>(g, {Kind::log_normal, out, n, mean, deviation});
}
// Sums of probabilities of the counts within 12 deviations of the mean, which the generator
// searches.
Status generate_poisson(curandGenerator_t g, unsigned* out, size_t n, double lambda) {
  HEDDLE_NEED_GENERATOR(g);
  constexpr double kLargest = 400000;
  if (!(lambda > 0 && lambda <= kLargest)) return CURAND_STATUS_OUT_OF_RANGE;
  const double spread = 12 * std::sqrt(lambda) + 12;
  const auto lowest = static_cast<unsigned>(std::max(0.0, lambda - spread));
  std::vector<double> sums(static_cast<size_t>(lambda + spread) + 1 - lowest);
  double sum = 0;
  for (size_t i = 0; i < sums.size(); ++i) {
    const double count = static_cast<double>(lowest + i);
    sums[i] = sum += std::exp(count * std::log(lambda) - lambda - std::lgamma(count + 1));
  }
  Request r{Kind::poisson, out, n};
  r.counts = static_cast<unsigned>(sums.size());
  r.lowest = lowest;
  const size_t bytes = sums.size() * sizeof(double);
  const Workspace table(g->on_host ? 0 : bytes, g->stream);
  r.sums = g->on_host ? sums.data() : table.as<double>();
  if (!r.sums) return CURAND_STATUS_ALLOCATION_FAILED;
  if (!g->on_host)
    cudaMemcpyAsync(table.as<double>(), sums.data(), bytes, cudaMemcpyHostToDevice, g->stream);
  return request<uint32_t>(g, r);
}

}  // namespace
}  // namespace heddle::rand

using namespace heddle::rand;
#include "libraries/curand_calls.inc"
