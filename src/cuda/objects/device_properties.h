// The simulated GPU as CUDA programs see it: properties, attributes and limits of launches.
#pragma once

#include <cstddef>
#include <optional>

#include "config/gpu_spec.h"
#include "driver_types.h"

namespace heddle::cuda {

// Limits of launches. They follow from the compute capability, as listed in the CUDA programming
// guide, and from the size of the SM.
struct BlockLimits {
  std::uint32_t threads = 1024, x = 1024, y = 1024, z = 64;
  std::uint64_t grid_x = 2147483647, grid_y = 65535, grid_z = 65535;
  std::size_t shared_bytes = 49152;         // by default
  std::size_t shared_bytes_opt_in = 49152;  // after cudaFuncSetAttribute
};
BlockLimits block_limits(const config::GpuSpec& gpu);

// May kernels use the host's addresses of registered memory? Before compute capability 6.0 a GPU
// has fewer bits of addresses than the host.
bool can_use_host_addresses(const config::GpuSpec& gpu);

cudaDeviceProp device_properties(const config::GpuSpec& gpu);

// cudaDeviceProp of CUDA 12. The structure of CUDA 11 ends before hostRegisterSupported.
struct DevicePropertiesOf12 {
  char name[256];
  cudaUUID_t uuid;
  char luid[8];
  unsigned luidDeviceNodeMask;
  std::size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  std::size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
  std::size_t totalConstMem;
  int major, minor;
  std::size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory,
      computeMode, maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture2D[2],
      maxTexture2DMipmap[2], maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3],
      maxTexture3DAlt[3], maxTextureCubemap, maxTexture1DLayered[2], maxTexture2DLayered[3],
      maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2], maxSurface3D[3],
      maxSurface1DLayered[2], maxSurface2DLayered[3], maxSurfaceCubemap,
      maxSurfaceCubemapLayered[2];
  std::size_t surfaceAlignment;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver,
      asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize,
      persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported,
      globalL1CacheSupported, localL1CacheSupported;
  std::size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID,
      hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio, pageableMemoryAccess,
      concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem,
      cooperativeLaunch, cooperativeMultiDeviceLaunch;
  std::size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost,
      maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
  std::size_t reservedSharedMemPerBlock;
  int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported,
      timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
  unsigned gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  unsigned memoryPoolSupportedHandleTypes;
  int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers,
      reserved[63];
};
DevicePropertiesOf12 older_properties(const cudaDeviceProp& properties);

// None for an unknown attribute.
std::optional<int> device_attribute(const config::GpuSpec& gpu, cudaDeviceAttr attribute);

}  // namespace heddle::cuda
