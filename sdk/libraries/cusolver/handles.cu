// Handles, modes, and parameters of iterations.
#include <new>

#include "cusolver/handle.h"

namespace heddle::solver {
namespace {

template <class Made, class Content>
Status make(Made* made, const Content& content) {
  HEDDLE_NEED(made);
  auto* const copy = new (std::nothrow) Content(content);
  if (!copy) return CUSOLVER_STATUS_ALLOC_FAILED;
  *made = reinterpret_cast<Made>(copy);
  return CUSOLVER_STATUS_SUCCESS;
}
template <class Content, class Opaque>
Status remove(Opaque opaque) {
  HEDDLE_NEED(opaque);
  delete reinterpret_cast<Content*>(opaque);
  return CUSOLVER_STATUS_SUCCESS;
}
template <class T>
Status give(cusolverDnHandle_t h, T* out, T cusolverDnContext::* member) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(out);
  *out = h->*member;
  return CUSOLVER_STATUS_SUCCESS;
}

Status create(cusolverDnHandle_t* h) {
  HEDDLE_NEED(h);
  cublasHandle_t blas;
  if (cublasCreate(&blas) != CUBLAS_STATUS_SUCCESS) return CUSOLVER_STATUS_NOT_INITIALIZED;
  return make(h, cusolverDnContext{nullptr, blas});
}
Status destroy(cusolverDnHandle_t h) {
  HEDDLE_NEED_HANDLE(h);
  cublasDestroy(h->blas);
  return remove<cusolverDnContext>(h);
}
Status set_stream(cusolverDnHandle_t h, cudaStream_t stream) {
  HEDDLE_NEED_HANDLE(h);
  h->stream = stream;
  cublasSetStream(h->blas, stream);
  return CUSOLVER_STATUS_SUCCESS;
}
Status get_stream(cusolverDnHandle_t h, cudaStream_t* stream) {
  return give(h, stream, &cusolverDnContext::stream);
}
Status set_deterministic_mode(cusolverDnHandle_t h, cusolverDeterministicMode_t mode) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(mode == CUSOLVER_DETERMINISTIC_RESULTS ||
              mode == CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS);
  h->determinism = mode;
  return CUSOLVER_STATUS_SUCCESS;
}
Status get_deterministic_mode(cusolverDnHandle_t h, cusolverDeterministicMode_t* mode) {
  return give(h, mode, &cusolverDnContext::determinism);
}
Status set_math_mode(cusolverDnHandle_t h, cusolverMathMode_t mode) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(mode == CUSOLVER_DEFAULT_MATH || mode == CUSOLVER_FP32_EMULATED_BF16X9_MATH);
  h->math = mode;
  return CUSOLVER_STATUS_SUCCESS;
}
Status get_math_mode(cusolverDnHandle_t h, cusolverMathMode_t* mode) {
  return give(h, mode, &cusolverDnContext::math);
}
Status get_version(int* version) {
  HEDDLE_NEED(version);
  *version = CUSOLVER_VERSION;
  return CUSOLVER_STATUS_SUCCESS;
}
Status get_property(libraryPropertyType type, int* value) {
  HEDDLE_NEED(value && type >= MAJOR_VERSION && type <= PATCH_LEVEL);
  constexpr int parts[] = {CUSOLVER_VER_MAJOR, CUSOLVER_VER_MINOR, CUSOLVER_VER_PATCH};
  *value = parts[type];
  return CUSOLVER_STATUS_SUCCESS;
}

struct Options {
  cusolverAlgMode_t algorithm = CUSOLVER_ALG_0;
};
Status create_params(cusolverDnParams_t* params) { return make(params, Options{}); }
Status destroy_params(cusolverDnParams_t params) { return remove<Options>(params); }
// There is one algorithm of each factorisation.
Status set_adv_options(cusolverDnParams_t params, cusolverDnFunction_t, cusolverAlgMode_t mode) {
  HEDDLE_NEED(params && mode >= CUSOLVER_ALG_0 && mode <= CUSOLVER_ALG_2);
  reinterpret_cast<Options*>(params)->algorithm = mode;
  return CUSOLVER_STATUS_SUCCESS;
}

template <class Info>
Status set_tolerance(Info info, double tolerance) {
  HEDDLE_NEED(info);
  reinterpret_cast<Iterations*>(info)->tolerance = std::max(0.0, tolerance);
  return CUSOLVER_STATUS_SUCCESS;
}
template <class Info>
Status set_sweeps(Info info, int sweeps) {
  HEDDLE_NEED(info && sweeps >= 0);
  reinterpret_cast<Iterations*>(info)->sweeps = sweeps;
  return CUSOLVER_STATUS_SUCCESS;
}
template <class Info>
Status set_sorts(Info info, int sorts) {
  HEDDLE_NEED(info);
  reinterpret_cast<Iterations*>(info)->sorts = sorts != 0;
  return CUSOLVER_STATUS_SUCCESS;
}
template <class Info, class T>
Status give(cusolverDnHandle_t h, Info info, T* out, T Iterations::* member) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(info && out);
  *out = reinterpret_cast<Iterations*>(info)->*member;
  return CUSOLVER_STATUS_SUCCESS;
}
#define HEDDLE_ITERATIONS(name, Info)                                                            \
  Status create_##name##_info(Info* made) { return make(made, Iterations{}); }                   \
  Status destroy_##name##_info(Info info) { return remove<Iterations>(info); }                   \
  Status x##name##_set_tolerance(Info info, double value) { return set_tolerance(info, value); } \
  Status x##name##_set_max_sweeps(Info info, int sweeps) { return set_sweeps(info, sweeps); }    \
  Status x##name##_set_sort_eig(Info info, int sorts) { return set_sorts(info, sorts); }         \
  Status x##name##_get_residual(cusolverDnHandle_t h, Info info, double* residual) {             \
    return give(h, info, residual, &Iterations::residual);                                       \
  }                                                                                              \
  Status x##name##_get_sweeps(cusolverDnHandle_t h, Info info, int* sweeps) {                    \
    return give(h, info, sweeps, &Iterations::executed);                                         \
  }
HEDDLE_ITERATIONS(syevj, syevjInfo_t)
HEDDLE_ITERATIONS(gesvdj, gesvdjInfo_t)

}  // namespace
}  // namespace heddle::solver

using namespace heddle::solver;
#include "libraries/cusolver_handles_calls.inc"
