// Launches from device code, and the calls of CUDA's device runtime. Clang 19 rejects
// kernel<<<...>>>(...) in device code; the compile driver writes
//   __heddle_nested::launch<decltype(kernel), kernel>(grid, block, ...)(arguments...)
// in its place. A constant expression may name a kernel in device code.
#pragma once

#if defined(__CUDA__) && defined(__clang__) && defined(__cplusplus)

#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
#define cudaStreamGraphTailLaunch ((cudaStream_t)0x0100000000000000)
#define cudaStreamGraphFireAndForget ((cudaStream_t)0x0200000000000000)
#define cudaStreamGraphFireAndForgetAsSibling ((cudaStream_t)0x0300000000000000)

// These have the names of CUDA's first generation. The second one's ("__cudaCDP2...") mean the
// same.
extern "C" {
__device__ void* cudaGetParameterBuffer(size_t alignment, size_t bytes);
__device__ void* cudaGetParameterBufferV2(void* kernel, dim3 grid_shape, dim3 cta_shape,
                                          unsigned int shared_bytes);
__device__ cudaError_t cudaLaunchDevice(void* kernel, void* parameters, dim3 grid_shape,
                                        dim3 cta_shape, unsigned int shared_bytes,
                                        cudaStream_t stream);
__device__ cudaError_t cudaLaunchDeviceV2(void* parameters, cudaStream_t stream);
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);
__device__ cudaError_t cudaDeviceSynchronize(void);
__device__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
__device__ cudaError_t cudaStreamDestroy(cudaStream_t stream);
__device__ cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                           unsigned int flags);
__device__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
__device__ cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
__device__ cudaError_t cudaEventDestroy(cudaEvent_t event);
__device__ cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes,
                                       enum cudaMemcpyKind kind, cudaStream_t stream);
__device__ cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from,
                                         size_t from_pitch, size_t width, size_t height,
                                         enum cudaMemcpyKind kind, cudaStream_t stream);
__device__ cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms* copy, cudaStream_t stream);
__device__ cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream);
__device__ cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width,
                                         size_t height, cudaStream_t stream);
__device__ cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr to, int value,
                                         struct cudaExtent extent, cudaStream_t stream);
__device__ cudaError_t cudaMalloc(void** memory, size_t bytes);
__device__ cudaError_t cudaFree(void* memory);
__device__ cudaError_t cudaGetLastError(void);
__device__ cudaError_t cudaPeekAtLastError(void);
__device__ const char* cudaGetErrorString(cudaError_t error);
__device__ const char* cudaGetErrorName(cudaError_t error);
__device__ cudaError_t cudaGetDeviceCount(int* count);
__device__ cudaError_t cudaGetDevice(int* device);
__device__ cudaError_t cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr attribute,
                                              int device);
__device__ cudaError_t cudaDeviceGetLimit(size_t* value, enum cudaLimit limit);
__device__ cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes,
                                             const void* kernel);
__device__ cudaError_t cudaRuntimeGetVersion(int* version);
__device__ cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream);
}

// The device graph whose node the kernel is; null for kernels of other graphs and of none.
static inline __device__ cudaGraphExec_t cudaGetCurrentGraphExec(void) {
  unsigned long long handle;
  asm("mov.u64 %0, %%current_graph_exec;" : "=l"(handle));
  return (cudaGraphExec_t)handle;
}

namespace __heddle_nested {

// Parameters are placed as in PTX: each at a multiple of its alignment.
inline __device__ void pack(char*, size_t) {}
template <class First, class... Rest>
__device__ void pack(char* buffer, size_t offset, const First& first, const Rest&... rest) {
  offset = (offset + alignof(First) - 1) / alignof(First) * alignof(First);
  __builtin_memcpy(buffer + offset, __builtin_addressof(first), sizeof(First));
  pack(buffer, offset + sizeof(First), rest...);
}

template <class Function, Function* kernel>
struct launch;

template <class... Parameters, void (*kernel)(Parameters...)>
struct launch<void(Parameters...), kernel> {
  __host__ __device__ launch(dim3 grid_shape, dim3 cta_shape, size_t shared_bytes = 0,
                             cudaStream_t stream = 0)
      : grid_(grid_shape), block_(cta_shape), shared_bytes_(shared_bytes), stream_(stream) {}

  __host__ __device__ void operator()(Parameters... parameters) const {
#if defined(__CUDA_ARCH__)
    void* const buffer = cudaGetParameterBufferV2(reinterpret_cast<void*>(address), grid_, block_,
                                                  static_cast<unsigned int>(shared_bytes_));
    if (!buffer) return;
    pack(static_cast<char*>(buffer), 0, parameters...);
    cudaLaunchDeviceV2(buffer, stream_);
#else
    kernel<<<grid_, block_, shared_bytes_, stream_>>>(parameters...);
#endif
  }

 private:
  static constexpr void (*address)(Parameters...) = kernel;
  dim3 grid_, block_;
  size_t shared_bytes_;
  cudaStream_t stream_;
};

}  // namespace __heddle_nested

#endif
