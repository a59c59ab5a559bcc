#include "cuda/objects/device_properties.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/types.h"

namespace heddle::cuda {
namespace {

constexpr std::size_t kConstantBytes = 65536;
constexpr std::size_t kMaxShared = 49152;  // per block, unless cudaFuncSetAttribute allows more
constexpr int kLargest = std::numeric_limits<int>::max();

int khz(double mhz) { return static_cast<int>(std::lround(mhz * 1000)); }

int l2_bytes(const config::GpuSpec& gpu) {
  const std::uint64_t bytes = gpu.memory.l2.size_bytes * gpu.memory.slices();
  return static_cast<int>(std::min<std::uint64_t>(bytes, kLargest));
}

int bus_bits(const config::GpuSpec& gpu) {
  return static_cast<int>(gpu.memory.channels * gpu.memory.dram.bus_bytes * gpu.memory.dram.chips *
                          8);
}

// Double precision runs at 1/n of single precision.
int single_to_double_ratio(const config::GpuSpec& gpu) {
  return static_cast<int>(std::max<std::uint32_t>(
      1, gpu.sm.dp_op.interval[0] / std::max<std::uint32_t>(1, gpu.sm.fp_op.interval[0])));
}

void set_textures(cudaDeviceProp& p) {
  p.maxTexture1D = p.maxTexture1DMipmap = 65536;
  p.maxTexture1DLinear = 1 << 27;
  p.maxTexture2D[0] = p.maxTexture2DMipmap[0] = 65536;
  p.maxTexture2D[1] = p.maxTexture2DMipmap[1] = 65536;
  p.maxTexture2DLinear[0] = p.maxTexture2DLinear[1] = 65000;
  p.maxTexture2DLinear[2] = 1 << 20;
  std::fill_n(p.maxTexture3D, 3, 4096);
  p.maxTexture1DLayered[0] = 16384;
  p.maxTexture1DLayered[1] = 2048;
  p.maxTexture2DLayered[0] = p.maxTexture2DLayered[1] = 16384;
  p.maxTexture2DLayered[2] = 2048;
}

}  // namespace

BlockLimits block_limits(const config::GpuSpec& gpu) {
  BlockLimits limits;
  if (gpu.compute_major < 2) {
    limits.threads = limits.x = limits.y = 512;
    limits.grid_z = 1;
  }
  if (gpu.compute_major < 3) limits.grid_x = 65535;
  limits.threads = std::min(limits.threads, gpu.sm.max_threads);
  limits.shared_bytes = std::min<std::size_t>(kMaxShared, gpu.sm.shared_bytes);
  limits.shared_bytes_opt_in = gpu.compute_major >= 7 ? gpu.sm.shared_bytes : limits.shared_bytes;
  return limits;
}

bool can_use_host_addresses(const config::GpuSpec& gpu) { return gpu.compute_major >= 6; }

cudaDeviceProp device_properties(const config::GpuSpec& gpu) {
  const BlockLimits limits = block_limits(gpu);
  cudaDeviceProp p{};
  std::strncpy(p.name, ("Heddle " + gpu.name).c_str(), sizeof p.name - 1);
  std::memcpy(p.uuid.bytes, "heddle", 6);
  p.totalGlobalMem = gpu.memory_bytes;
  p.sharedMemPerBlock = limits.shared_bytes;
  p.sharedMemPerBlockOptin = limits.shared_bytes_opt_in;
  p.sharedMemPerMultiprocessor = gpu.sm.shared_bytes;
  p.regsPerBlock = p.regsPerMultiprocessor = static_cast<int>(gpu.sm.registers);
  p.warpSize = kWarpSize;
  p.memPitch = kLargest;
  p.maxThreadsPerBlock = static_cast<int>(limits.threads);
  p.maxThreadsDim[0] = static_cast<int>(std::min(limits.x, limits.threads));
  p.maxThreadsDim[1] = static_cast<int>(std::min(limits.y, limits.threads));
  p.maxThreadsDim[2] = static_cast<int>(limits.z);
  p.maxGridSize[0] = static_cast<int>(limits.grid_x);
  p.maxGridSize[1] = static_cast<int>(limits.grid_y);
  p.maxGridSize[2] = static_cast<int>(limits.grid_z);
  p.totalConstMem = kConstantBytes;
  p.major = static_cast<int>(gpu.compute_major);
  p.minor = static_cast<int>(gpu.compute_minor);
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.surfaceAlignment = 512;
  set_textures(p);
  p.multiProcessorCount = static_cast<int>(gpu.sms());
  p.asyncEngineCount = 1;
  p.deviceOverlap = 1;
  p.unifiedAddressing = 1;
  p.memoryBusWidth = bus_bits(gpu);
  p.l2CacheSize = l2_bytes(gpu);
  p.maxThreadsPerMultiProcessor = static_cast<int>(gpu.sm.max_threads);
  p.maxBlocksPerMultiProcessor = static_cast<int>(gpu.sm.max_ctas);
  p.globalL1CacheSupported = !gpu.sm.global_loads_skip_l1d;
  p.localL1CacheSupported = 1;
  p.clockRate = khz(gpu.clocks.core_mhz);
  p.memoryClockRate = khz(gpu.clocks.dram_mhz);
  p.computeMode = cudaComputeModeDefault;
  p.canMapHostMemory = p.managedMemory = p.concurrentManagedAccess = p.hostRegisterSupported =
      p.memoryPoolsSupported = 1;
  p.canUseHostPointerForRegisteredMem = can_use_host_addresses(gpu);
  p.concurrentKernels = p.streamPrioritiesSupported = 1;
  p.cooperativeLaunch = gpu.compute_major >= 6;
  p.clusterLaunch = gpu.compute_major >= 9 && gpu.cluster_network.gpcs > 0;
  p.maxSurface1D = 32768;
  p.maxSurface2D[0] = p.maxSurface2D[1] = 65536;
  std::fill_n(p.maxSurface3D, 3, 4096);
  p.pciBusID = 1;
  p.singleToDoublePrecisionPerfRatio = single_to_double_ratio(gpu);
  return p;
}

DevicePropertiesOf12 older_properties(const cudaDeviceProp& p) {
  DevicePropertiesOf12 old{};
  old.uuid = p.uuid;
#define HEDDLE_SAME(member) std::memcpy(&old.member, &p.member, sizeof old.member);
  HEDDLE_SAME(name)
  HEDDLE_SAME(luid)
  HEDDLE_SAME(maxThreadsDim)
  HEDDLE_SAME(maxGridSize)
  HEDDLE_SAME(maxTexture2D)
  HEDDLE_SAME(maxTexture2DMipmap)
  HEDDLE_SAME(maxTexture2DLinear)
  HEDDLE_SAME(maxTexture2DGather)
  HEDDLE_SAME(maxTexture3D)
  HEDDLE_SAME(maxTexture3DAlt)
  HEDDLE_SAME(maxTexture1DLayered)
  HEDDLE_SAME(maxTexture2DLayered)
  HEDDLE_SAME(maxTextureCubemapLayered)
  HEDDLE_SAME(maxSurface2D)
  HEDDLE_SAME(maxSurface3D)
  HEDDLE_SAME(maxSurface1DLayered)
  HEDDLE_SAME(maxSurface2DLayered)
  HEDDLE_SAME(maxSurfaceCubemapLayered)
  HEDDLE_SAME(luidDeviceNodeMask)
  HEDDLE_SAME(totalGlobalMem)
  HEDDLE_SAME(sharedMemPerBlock)
  HEDDLE_SAME(regsPerBlock)
  HEDDLE_SAME(warpSize)
  HEDDLE_SAME(memPitch)
  HEDDLE_SAME(maxThreadsPerBlock)
  HEDDLE_SAME(clockRate)
  HEDDLE_SAME(totalConstMem)
  HEDDLE_SAME(major)
  HEDDLE_SAME(minor)
  HEDDLE_SAME(textureAlignment)
  HEDDLE_SAME(texturePitchAlignment)
  HEDDLE_SAME(deviceOverlap)
  HEDDLE_SAME(multiProcessorCount)
  HEDDLE_SAME(kernelExecTimeoutEnabled)
  HEDDLE_SAME(integrated)
  HEDDLE_SAME(canMapHostMemory)
  HEDDLE_SAME(computeMode)
  HEDDLE_SAME(maxTexture1D)
  HEDDLE_SAME(maxTexture1DMipmap)
  HEDDLE_SAME(maxTexture1DLinear)
  HEDDLE_SAME(maxTextureCubemap)
  HEDDLE_SAME(maxSurface1D)
  HEDDLE_SAME(maxSurfaceCubemap)
  HEDDLE_SAME(surfaceAlignment)
  HEDDLE_SAME(concurrentKernels)
  HEDDLE_SAME(ECCEnabled)
  HEDDLE_SAME(pciBusID)
  HEDDLE_SAME(pciDeviceID)
  HEDDLE_SAME(pciDomainID)
  HEDDLE_SAME(tccDriver)
  HEDDLE_SAME(asyncEngineCount)
  HEDDLE_SAME(unifiedAddressing)
  HEDDLE_SAME(memoryClockRate)
  HEDDLE_SAME(memoryBusWidth)
  HEDDLE_SAME(l2CacheSize)
  HEDDLE_SAME(persistingL2CacheMaxSize)
  HEDDLE_SAME(maxThreadsPerMultiProcessor)
  HEDDLE_SAME(streamPrioritiesSupported)
  HEDDLE_SAME(globalL1CacheSupported)
  HEDDLE_SAME(localL1CacheSupported)
  HEDDLE_SAME(sharedMemPerMultiprocessor)
  HEDDLE_SAME(regsPerMultiprocessor)
  HEDDLE_SAME(managedMemory)
  HEDDLE_SAME(isMultiGpuBoard)
  HEDDLE_SAME(multiGpuBoardGroupID)
  HEDDLE_SAME(hostNativeAtomicSupported)
  HEDDLE_SAME(singleToDoublePrecisionPerfRatio)
  HEDDLE_SAME(pageableMemoryAccess)
  HEDDLE_SAME(concurrentManagedAccess)
  HEDDLE_SAME(computePreemptionSupported)
  HEDDLE_SAME(canUseHostPointerForRegisteredMem)
  HEDDLE_SAME(cooperativeLaunch)
  HEDDLE_SAME(cooperativeMultiDeviceLaunch)
  HEDDLE_SAME(sharedMemPerBlockOptin)
  HEDDLE_SAME(pageableMemoryAccessUsesHostPageTables)
  HEDDLE_SAME(directManagedMemAccessFromHost)
  HEDDLE_SAME(maxBlocksPerMultiProcessor)
  HEDDLE_SAME(accessPolicyMaxWindowSize)
  HEDDLE_SAME(reservedSharedMemPerBlock)
  HEDDLE_SAME(hostRegisterSupported)
  HEDDLE_SAME(sparseCudaArraySupported)
  HEDDLE_SAME(hostRegisterReadOnlySupported)
  HEDDLE_SAME(timelineSemaphoreInteropSupported)
  HEDDLE_SAME(memoryPoolsSupported)
  HEDDLE_SAME(gpuDirectRDMASupported)
  HEDDLE_SAME(gpuDirectRDMAFlushWritesOptions)
  HEDDLE_SAME(gpuDirectRDMAWritesOrdering)
  HEDDLE_SAME(memoryPoolSupportedHandleTypes)
  HEDDLE_SAME(deferredMappingCudaArraySupported)
  HEDDLE_SAME(ipcEventSupported)
  HEDDLE_SAME(clusterLaunch)
  HEDDLE_SAME(unifiedFunctionPointers)
#undef HEDDLE_SAME
  return old;
}

// CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED; the runtime API has no name for it.
constexpr auto kVirtualMemoryManagement = static_cast<cudaDeviceAttr>(102);

std::optional<int> device_attribute(const config::GpuSpec& gpu, cudaDeviceAttr attribute) {
  const cudaDeviceProp p = device_properties(gpu);
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: return p.maxThreadsPerBlock;
    case cudaDevAttrMaxBlockDimX: return p.maxThreadsDim[0];
    case cudaDevAttrMaxBlockDimY: return p.maxThreadsDim[1];
    case cudaDevAttrMaxBlockDimZ: return p.maxThreadsDim[2];
    case cudaDevAttrMaxGridDimX: return p.maxGridSize[0];
    case cudaDevAttrMaxGridDimY: return p.maxGridSize[1];
    case cudaDevAttrMaxGridDimZ: return p.maxGridSize[2];
    case cudaDevAttrMaxSharedMemoryPerBlock: return static_cast<int>(p.sharedMemPerBlock);
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return static_cast<int>(p.sharedMemPerBlockOptin);
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return static_cast<int>(p.sharedMemPerMultiprocessor);
    case cudaDevAttrTotalConstantMemory: return static_cast<int>(p.totalConstMem);
    case cudaDevAttrWarpSize: return p.warpSize;
    case cudaDevAttrMaxPitch: return kLargest;
    case cudaDevAttrMaxRegistersPerBlock: return p.regsPerBlock;
    case cudaDevAttrMaxRegistersPerMultiprocessor: return p.regsPerMultiprocessor;
    case cudaDevAttrClockRate: return p.clockRate;
    case cudaDevAttrMemoryClockRate: return p.memoryClockRate;
    case cudaDevAttrGlobalMemoryBusWidth: return p.memoryBusWidth;
    case cudaDevAttrL2CacheSize: return p.l2CacheSize;
    case cudaDevAttrTextureAlignment: return static_cast<int>(p.textureAlignment);
    case cudaDevAttrTexturePitchAlignment: return static_cast<int>(p.texturePitchAlignment);
    case cudaDevAttrSurfaceAlignment: return static_cast<int>(p.surfaceAlignment);
    case cudaDevAttrGpuOverlap: return p.deviceOverlap;
    case cudaDevAttrAsyncEngineCount: return p.asyncEngineCount;
    case cudaDevAttrMultiProcessorCount: return p.multiProcessorCount;
    case cudaDevAttrMaxThreadsPerMultiProcessor: return p.maxThreadsPerMultiProcessor;
    case cudaDevAttrMaxBlocksPerMultiprocessor: return p.maxBlocksPerMultiProcessor;
    case cudaDevAttrComputeCapabilityMajor: return p.major;
    case cudaDevAttrComputeCapabilityMinor: return p.minor;
    case cudaDevAttrUnifiedAddressing: return p.unifiedAddressing;
    case cudaDevAttrGlobalL1CacheSupported: return p.globalL1CacheSupported;
    case cudaDevAttrLocalL1CacheSupported: return p.localL1CacheSupported;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio: return p.singleToDoublePrecisionPerfRatio;
    case cudaDevAttrMaxTexture1DWidth: return p.maxTexture1D;
    case cudaDevAttrMaxTexture1DLinearWidth: return p.maxTexture1DLinear;
    case cudaDevAttrMaxTexture2DWidth: return p.maxTexture2D[0];
    case cudaDevAttrMaxTexture2DHeight: return p.maxTexture2D[1];
    case cudaDevAttrMaxTexture3DWidth: return p.maxTexture3D[0];
    case cudaDevAttrMaxTexture3DHeight: return p.maxTexture3D[1];
    case cudaDevAttrMaxTexture3DDepth: return p.maxTexture3D[2];
    case cudaDevAttrCanMapHostMemory: return p.canMapHostMemory;
    case cudaDevAttrManagedMemory: return p.managedMemory;
    case cudaDevAttrCanUseHostPointerForRegisteredMem: return p.canUseHostPointerForRegisteredMem;
    case cudaDevAttrConcurrentManagedAccess: return p.concurrentManagedAccess;
    case cudaDevAttrHostRegisterSupported: return p.hostRegisterSupported;
    case cudaDevAttrMemoryPoolsSupported: return p.memoryPoolsSupported;
    case cudaDevAttrConcurrentKernels: return p.concurrentKernels;
    case cudaDevAttrStreamPrioritiesSupported: return p.streamPrioritiesSupported;
    case cudaDevAttrCooperativeLaunch: return p.cooperativeLaunch;
    case cudaDevAttrClusterLaunch: return p.clusterLaunch;
    case cudaDevAttrPciBusId: return p.pciBusID;
    default: break;
  }
  if (attribute == kVirtualMemoryManagement) return 1;
  // Features that the simulated GPU does not have.
  const bool known = attribute > 0 && attribute <= cudaDevAttrOnlyPartialHostNativeAtomicSupported;
  return known ? std::optional<int>(0) : std::nullopt;
}

}  // namespace heddle::cuda
