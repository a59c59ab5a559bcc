// The C++ forms of the runtime API: typed pointers, symbols and kernels by name instead of const void*.
#pragma once

#include "cuda_runtime_api.h"

#if defined(__CUDA__)
// clang turns kernel<<<grid, block, shared, stream>>> into a call of this.
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0, void* stream = 0);
#endif

#define HEDDLE_API template <class T> static inline cudaError_t

HEDDLE_API cudaMalloc(T** pointer, size_t size) { return ::cudaMalloc((void**)(void*)pointer, size); }
HEDDLE_API cudaMallocAsync(T** pointer, size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync((void**)(void*)pointer, size, stream);
}
HEDDLE_API cudaMallocHost(T** pointer, size_t size, unsigned int = 0) { return ::cudaMallocHost((void**)(void*)pointer, size); }
HEDDLE_API cudaHostAlloc(T** pointer, size_t size, unsigned int flags) {
  return ::cudaHostAlloc((void**)(void*)pointer, size, flags);
}
HEDDLE_API cudaMallocManaged(T** pointer, size_t size, unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void**)(void*)pointer, size, flags);
}
HEDDLE_API cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch((void**)(void*)pointer, pitch, width, height);
}
HEDDLE_API cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return ::cudaHostGetDevicePointer((void**)(void*)device, host, flags);
}

HEDDLE_API cudaMemcpyToSymbol(const T& symbol, const void* source, size_t count, size_t offset = 0,
                              enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void*)&symbol, source, count, offset, kind);
}
HEDDLE_API cudaMemcpyToSymbolAsync(const T& symbol, const void* source, size_t count, size_t offset = 0,
                                   enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync((const void*)&symbol, source, count, offset, kind, stream);
}
HEDDLE_API cudaMemcpyFromSymbol(void* target, const T& symbol, size_t count, size_t offset = 0,
                                enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(target, (const void*)&symbol, count, offset, kind);
}
HEDDLE_API cudaMemcpyFromSymbolAsync(void* target, const T& symbol, size_t count, size_t offset = 0,
                                     enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(target, (const void*)&symbol, count, offset, kind, stream);
}
HEDDLE_API cudaGetSymbolAddress(void** pointer, const T& symbol) { return ::cudaGetSymbolAddress(pointer, (const void*)&symbol); }
HEDDLE_API cudaGetSymbolSize(size_t* size, const T& symbol) { return ::cudaGetSymbolSize(size, (const void*)&symbol); }

HEDDLE_API cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void*)kernel, grid, block, arguments, shared_bytes, stream);
}
HEDDLE_API cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, T* kernel) {
  return ::cudaFuncGetAttributes(attributes, (const void*)kernel);
}
HEDDLE_API cudaFuncSetAttribute(T* kernel, enum cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute((const void*)kernel, attribute, value);
}
HEDDLE_API cudaFuncSetCacheConfig(T* kernel, enum cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig((const void*)kernel, config);
}
HEDDLE_API cudaFuncSetSharedMemConfig(T* kernel, enum cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig((const void*)kernel, config);
}
HEDDLE_API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T* kernel, int block_size, size_t shared_bytes) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void*)kernel, block_size, shared_bytes);
}
#undef HEDDLE_API

static inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) { return ::cudaEventCreateWithFlags(event, flags); }
