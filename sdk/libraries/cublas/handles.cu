// Handles, modes, copies between host and device, texts.
#include <cstdlib>
#include <new>

#include "cublas/handle.h"

namespace heddle::blas {
namespace {

Status create(cublasHandle_t* h) {
  HEDDLE_NEED(h);
  auto* made = new (std::nothrow) cublasContext;
  if (!made) return CUBLAS_STATUS_ALLOC_FAILED;
  int device = 0, major = 0, minor = 0;
  const bool known =
      cudaGetDevice(&device) == cudaSuccess &&
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) == cudaSuccess &&
      cudaDeviceGetAttribute(&made->sms, cudaDevAttrMultiProcessorCount, device) == cudaSuccess;
  made->capability = major * 10 + minor;
  if (!known || cudaMalloc(&made->scratch, kScratchBytes) != cudaSuccess) {
    delete made;
    return known ? CUBLAS_STATUS_ALLOC_FAILED : CUBLAS_STATUS_NOT_INITIALIZED;
  }
  *h = made;
  return CUBLAS_STATUS_SUCCESS;
}
Status destroy(cublasHandle_t h) {
  HEDDLE_NEED_HANDLE(h);
  cudaFree(h->scratch);
  delete h;
  return CUBLAS_STATUS_SUCCESS;
}
Status get_version(cublasHandle_t, int* version) {
  HEDDLE_NEED(version);
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}
Status get_property(libraryPropertyType type, int* value) {
  HEDDLE_NEED(value && type >= MAJOR_VERSION && type <= PATCH_LEVEL);
  constexpr int parts[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
  *value = parts[type];
  return CUBLAS_STATUS_SUCCESS;
}
size_t get_cudart_version() { return CUDART_VERSION; }

Status set_stream(cublasHandle_t h, cudaStream_t stream) {
  HEDDLE_NEED_HANDLE(h);
  h->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}
// The kernels need no memory of the user, so a workspace is only checked.
Status set_workspace(cublasHandle_t h, void* workspace, size_t bytes) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED((!bytes || workspace) && reinterpret_cast<uintptr_t>(workspace) % 256 == 0);
  return CUBLAS_STATUS_SUCCESS;
}
template <class T>
Status give(cublasHandle_t h, T* out, T cublasContext::* member) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(out);
  *out = h->*member;
  return CUBLAS_STATUS_SUCCESS;
}
template <class T>
Status keep(cublasHandle_t h, T value, T cublasContext::* member, bool valid) {
  HEDDLE_NEED_HANDLE(h);
  HEDDLE_NEED(valid);
  h->*member = value;
  return CUBLAS_STATUS_SUCCESS;
}
Status get_stream(cublasHandle_t h, cudaStream_t* stream) {
  return give(h, stream, &cublasContext::stream);
}
Status set_pointer_mode(cublasHandle_t h, cublasPointerMode_t mode) {
  return keep(h, mode, &cublasContext::pointer_mode,
              mode == CUBLAS_POINTER_MODE_HOST || mode == CUBLAS_POINTER_MODE_DEVICE);
}
Status get_pointer_mode(cublasHandle_t h, cublasPointerMode_t* mode) {
  return give(h, mode, &cublasContext::pointer_mode);
}
Status set_math_mode(cublasHandle_t h, cublasMath_t mode) {
  constexpr int kModes = CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION - 1;
  return keep(h, mode, &cublasContext::math,
              (mode & kModes) <= CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH);
}
Status get_math_mode(cublasHandle_t h, cublasMath_t* mode) {
  return give(h, mode, &cublasContext::math);
}
Status set_atomics_mode(cublasHandle_t h, cublasAtomicsMode_t mode) {
  return keep(h, mode, &cublasContext::atomics,
              mode == CUBLAS_ATOMICS_NOT_ALLOWED || mode == CUBLAS_ATOMICS_ALLOWED);
}
Status get_atomics_mode(cublasHandle_t h, cublasAtomicsMode_t* mode) {
  return give(h, mode, &cublasContext::atomics);
}
Status set_sm_count_target(cublasHandle_t h, int count) {
  return keep(h, count, &cublasContext::sm_count_target, count >= 0);
}
Status get_sm_count_target(cublasHandle_t h, int* count) {
  return give(h, count, &cublasContext::sm_count_target);
}

// Copies of strided vectors and of matrices with leading dimensions.
Status copy(int64_t rows, int64_t columns, int64_t bytes, const void* from, int64_t from_ld,
            void* to, int64_t to_ld, cudaMemcpyKind kind, cudaStream_t stream, bool waits) {
  HEDDLE_NEED(rows >= 0 && columns >= 0 && bytes > 0 && holds(from_ld, rows) && holds(to_ld, rows));
  if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
  HEDDLE_NEED(from && to);
  const size_t to_pitch = to_ld * bytes, from_pitch = from_ld * bytes, width = rows * bytes;
  const cudaError_t error =
      waits ? cudaMemcpy2D(to, to_pitch, from, from_pitch, width, columns, kind)
            : cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, columns, kind, stream);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}
Status set_vector(int64_t n, int64_t bytes, const void* x, int64_t incx, void* y, int64_t incy) {
  return copy(1, n, bytes, x, incx, y, incy, cudaMemcpyHostToDevice, nullptr, true);
}
Status get_vector(int64_t n, int64_t bytes, const void* x, int64_t incx, void* y, int64_t incy) {
  return copy(1, n, bytes, x, incx, y, incy, cudaMemcpyDeviceToHost, nullptr, true);
}
Status set_matrix(int64_t rows, int64_t columns, int64_t bytes, const void* a, int64_t lda, void* b,
                  int64_t ldb) {
  return copy(rows, columns, bytes, a, lda, b, ldb, cudaMemcpyHostToDevice, nullptr, true);
}
Status get_matrix(int64_t rows, int64_t columns, int64_t bytes, const void* a, int64_t lda, void* b,
                  int64_t ldb) {
  return copy(rows, columns, bytes, a, lda, b, ldb, cudaMemcpyDeviceToHost, nullptr, true);
}
Status set_vector_async(int64_t n, int64_t bytes, const void* x, int64_t incx, void* y,
                        int64_t incy, cudaStream_t stream) {
  return copy(1, n, bytes, x, incx, y, incy, cudaMemcpyHostToDevice, stream, false);
}
Status get_vector_async(int64_t n, int64_t bytes, const void* x, int64_t incx, void* y,
                        int64_t incy, cudaStream_t stream) {
  return copy(1, n, bytes, x, incx, y, incy, cudaMemcpyDeviceToHost, stream, false);
}
Status set_matrix_async(int64_t rows, int64_t columns, int64_t bytes, const void* a, int64_t lda,
                        void* b, int64_t ldb, cudaStream_t stream) {
  return copy(rows, columns, bytes, a, lda, b, ldb, cudaMemcpyHostToDevice, stream, false);
}
Status get_matrix_async(int64_t rows, int64_t columns, int64_t bytes, const void* a, int64_t lda,
                        void* b, int64_t ldb, cudaStream_t stream) {
  return copy(rows, columns, bytes, a, lda, b, ldb, cudaMemcpyDeviceToHost, stream, false);
}

const char* get_status_name(cublasStatus_t status) {
  switch (status) {
#define HEDDLE_STATUS(name) \
  case name: return #name;
#include "libraries/cublasStatus_t.inc"
#undef HEDDLE_STATUS
  }
  return "CUBLAS_STATUS_UNKNOWN";
}
const char* get_status_string(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS: return "success";
    case CUBLAS_STATUS_NOT_INITIALIZED: return "the library was not initialized";
    case CUBLAS_STATUS_ALLOC_FAILED: return "the resource allocation failed";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "an unsupported value or parameter was passed to the function";
    case CUBLAS_STATUS_ARCH_MISMATCH:
      return "the function requires an architectural feature absent from the device";
    case CUBLAS_STATUS_MAPPING_ERROR: return "an access to GPU memory space failed";
    case CUBLAS_STATUS_EXECUTION_FAILED: return "the function failed to launch on the GPU";
    case CUBLAS_STATUS_INTERNAL_ERROR: return "an internal operation failed";
    case CUBLAS_STATUS_NOT_SUPPORTED: return "the functionality requested is not supported";
    case CUBLAS_STATUS_LICENSE_ERROR: return "the functionality requires a license";
  }
  return "unknown error";
}

}  // namespace
}  // namespace heddle::blas

using namespace heddle::blas;
#include "libraries/cublas_handles_calls.inc"
