// The C++ forms of the runtime API: typed pointers, symbols and kernels by name instead of const
// void*.
#pragma once

#include "cuda_runtime_api.h"

#if defined(__CUDA__)
// clang compiles kernel<<<grid, block, shared, stream>>> to a call of this function.
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid_shape, dim3 block_shape,
                                                size_t shared_bytes = 0, void* stream = 0);
#endif

#define HEDDLE_API   \
  template <class T> \
  static inline cudaError_t

HEDDLE_API cudaMalloc(T** pointer, size_t size) {
  return ::cudaMalloc((void**)(void*)pointer, size);
}
HEDDLE_API cudaMallocAsync(T** pointer, size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync((void**)(void*)pointer, size, stream);
}
HEDDLE_API cudaMallocHost(T** pointer, size_t size, unsigned int = 0) {
  return ::cudaMallocHost((void**)(void*)pointer, size);
}
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

// A symbol may be named by a string, as before CUDA 5.0. For a char pointer these overloads are
// preferred over the templates.
static inline cudaError_t cudaMemcpyToSymbol(const char* symbol, const void* source, size_t count,
                                             size_t offset = 0,
                                             enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void*)symbol, source, count, offset, kind);
}
static inline cudaError_t cudaMemcpyFromSymbol(void* target, const char* symbol, size_t count,
                                               size_t offset = 0,
                                               enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(target, (const void*)symbol, count, offset, kind);
}
static inline cudaError_t cudaGetSymbolAddress(void** pointer, const char* symbol) {
  return ::cudaGetSymbolAddress(pointer, (const void*)symbol);
}
template <int n>
static inline cudaError_t cudaMemcpyToSymbol(const char (&symbol)[n], const void* source,
                                             size_t count, size_t offset = 0,
                                             enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void*)symbol, source, count, offset, kind);
}
HEDDLE_API cudaMemcpyToSymbol(const T& symbol, const void* source, size_t count, size_t offset = 0,
                              enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void*)&symbol, source, count, offset, kind);
}
HEDDLE_API cudaMemcpyToSymbolAsync(const T& symbol, const void* source, size_t count,
                                   size_t offset = 0,
                                   enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                   cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync((const void*)&symbol, source, count, offset, kind, stream);
}
HEDDLE_API cudaMemcpyFromSymbol(void* target, const T& symbol, size_t count, size_t offset = 0,
                                enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(target, (const void*)&symbol, count, offset, kind);
}
HEDDLE_API cudaMemcpyFromSymbolAsync(void* target, const T& symbol, size_t count, size_t offset = 0,
                                     enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                     cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(target, (const void*)&symbol, count, offset, kind, stream);
}
template <class Pointee, class T>
static inline cudaError_t cudaGetSymbolAddress(Pointee** pointer, const T& symbol) {
  return ::cudaGetSymbolAddress((void**)(void*)pointer, (const void*)&symbol);
}
HEDDLE_API cudaGetSymbolSize(size_t* size, const T& symbol) {
  return ::cudaGetSymbolSize(size, (const void*)&symbol);
}

HEDDLE_API cudaLaunchKernel(T* kernel, dim3 grid_shape, dim3 block_shape, void** arguments,
                            size_t shared_bytes = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void*)kernel, grid_shape, block_shape, arguments, shared_bytes,
                            stream);
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
HEDDLE_API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T* kernel, int block_size,
                                                         size_t shared_bytes) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void*)kernel, block_size,
                                                         shared_bytes);
}
HEDDLE_API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T* kernel,
                                                                  int block_size,
                                                                  size_t shared_bytes,
                                                                  unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void*)kernel,
                                                                  block_size, shared_bytes, flags);
}
HEDDLE_API cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, T* kernel, int blocks,
                                                     int block_size) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void*)kernel, blocks,
                                                     block_size);
}
HEDDLE_API cudaOccupancyMaxActiveClusters(int* clusters, T* kernel,
                                          const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxActiveClusters(clusters, (const void*)kernel, config);
}
HEDDLE_API cudaOccupancyMaxPotentialClusterSize(int* blocks, T* kernel,
                                                const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxPotentialClusterSize(blocks, (const void*)kernel, config);
}
HEDDLE_API cudaLaunchCooperativeKernel(T* kernel, dim3 grid_shape, dim3 block_shape,
                                       void** arguments, size_t shared_bytes = 0,
                                       cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel((const void*)kernel, grid_shape, block_shape, arguments,
                                       shared_bytes, stream);
}
HEDDLE_API cudaMallocFromPoolAsync(T** pointer, size_t size, cudaMemPool_t pool,
                                   cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)(void*)pointer, size, pool, stream);
}
HEDDLE_API cudaGetKernel(cudaKernel_t* handle, T* kernel) {
  return ::cudaGetKernel(handle, (const void*)kernel);
}
HEDDLE_API cudaLaunch(T* kernel) { return ::cudaLaunch((const void*)kernel); }
template <class T>
static inline cudaError_t cudaSetupArgument(T argument, size_t offset) {
  return ::cudaSetupArgument(&argument, sizeof(T), offset);
}
template <class... Parameters, class... Arguments>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                             void (*kernel)(Parameters...),
                                             Arguments&&... arguments) {
  return [&](Parameters... values) {
    void* pointers[] = {(void*)&values..., nullptr};
    return ::cudaLaunchKernelExC(config, (const void*)kernel, pointers);
  }(static_cast<Arguments&&>(arguments)...);
}

#if defined(__CUDA__)
// Texture and surface references.
template <class T, int d, enum cudaTextureReadMode mode>
struct texture;
template <class T, int d>
struct surface;
#define HEDDLE_TEXTURE_API                                 \
  template <class T, int d, enum cudaTextureReadMode mode> \
  static inline cudaError_t
HEDDLE_TEXTURE_API cudaBindTexture(size_t* offset, const texture<T, d, mode>& reference,
                                   const void* pointer, const cudaChannelFormatDesc& format,
                                   size_t size = 0xffffffffu) {
  return ::cudaBindTexture(offset, (const textureReference*)&reference, pointer, &format, size);
}
HEDDLE_TEXTURE_API cudaBindTexture(size_t* offset, const texture<T, d, mode>& reference,
                                   const void* pointer, size_t size = 0xffffffffu) {
  return ::cudaBindTexture(offset, (const textureReference*)&reference, pointer,
                           &((const textureReference*)&reference)->channelDesc, size);
}
HEDDLE_TEXTURE_API cudaBindTexture2D(size_t* offset, const texture<T, d, mode>& reference,
                                     const void* pointer, const cudaChannelFormatDesc& format,
                                     size_t width, size_t height, size_t pitch) {
  return ::cudaBindTexture2D(offset, (const textureReference*)&reference, pointer, &format, width,
                             height, pitch);
}
HEDDLE_TEXTURE_API cudaBindTexture2D(size_t* offset, const texture<T, d, mode>& reference,
                                     const void* pointer, size_t width, size_t height,
                                     size_t pitch) {
  return ::cudaBindTexture2D(offset, (const textureReference*)&reference, pointer,
                             &((const textureReference*)&reference)->channelDesc, width, height,
                             pitch);
}
HEDDLE_TEXTURE_API cudaBindTextureToArray(const texture<T, d, mode>& reference,
                                          cudaArray_const_t array,
                                          const cudaChannelFormatDesc& format) {
  return ::cudaBindTextureToArray((const textureReference*)&reference, array, &format);
}
HEDDLE_TEXTURE_API cudaBindTextureToMipmappedArray(const texture<T, d, mode>& reference,
                                                   cudaMipmappedArray_const_t array) {
  return ::cudaBindTextureToMipmappedArray((const textureReference*)&reference, array,
                                           &((const textureReference*)&reference)->channelDesc);
}
HEDDLE_TEXTURE_API cudaBindTextureToMipmappedArray(const texture<T, d, mode>& reference,
                                                   cudaMipmappedArray_const_t array,
                                                   const cudaChannelFormatDesc& format) {
  return ::cudaBindTextureToMipmappedArray((const textureReference*)&reference, array, &format);
}
HEDDLE_TEXTURE_API cudaBindTextureToArray(const texture<T, d, mode>& reference,
                                          cudaArray_const_t array) {
  return ::cudaBindTextureToArray((const textureReference*)&reference, array,
                                  &((const textureReference*)&reference)->channelDesc);
}
HEDDLE_TEXTURE_API cudaUnbindTexture(const texture<T, d, mode>& reference) {
  return ::cudaUnbindTexture((const textureReference*)&reference);
}
HEDDLE_TEXTURE_API cudaGetTextureAlignmentOffset(size_t* offset,
                                                 const texture<T, d, mode>& reference) {
  return ::cudaGetTextureAlignmentOffset(offset, (const textureReference*)&reference);
}
HEDDLE_TEXTURE_API cudaGetTextureReference(const textureReference** found,
                                           const texture<T, d, mode>& reference) {
  return ::cudaGetTextureReference(found, (const void*)&reference);
}
#undef HEDDLE_TEXTURE_API
template <class T, int d>
static inline cudaError_t cudaBindSurfaceToArray(const surface<T, d>& reference,
                                                 cudaArray_const_t array) {
  return ::cudaBindSurfaceToArray((const surfaceReference*)&reference, array, 0);
}
template <class T, int d>
static inline cudaError_t cudaBindSurfaceToArray(const surface<T, d>& reference,
                                                 cudaArray_const_t array,
                                                 const cudaChannelFormatDesc& format) {
  return ::cudaBindSurfaceToArray((const surfaceReference*)&reference, array, &format);
}
#endif
#undef HEDDLE_API

static inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}
