// State and helpers of the driver API. Most of its calls only translate to the runtime API.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cuda/process/api_call.h"

#pragma GCC visibility push(default)
#include "cuda.h"
#pragma GCC visibility pop

namespace heddle::cuda {

// PTX that cuLinkAddData collects.
struct Linking {
  std::vector<std::string> texts;
  std::string image;  // the result of cuLinkComplete
};

// A launch before CUDA 4: the function stores its block size and parameters until cuLaunch.
struct OldLaunch {
  dim3 block;
  std::size_t shared_bytes = 0;
  std::vector<std::uint8_t> parameters;
};

// A texture reference stores its settings and becomes a texture when memory is bound to it.
struct Reference {
  std::uint64_t handle = 0;
  cudaChannelFormatDesc format{};
  cudaTextureDesc description{};
  unsigned flags = 0;
  cudaResourceDesc resource{};
  bool bound = false;
};

// Memory of cuMemCreate. Without references the handle is invalid, but mapped memory stays.
struct PhysicalBlock {
  std::shared_ptr<exec::PhysicalMemory> held;
  std::weak_ptr<exec::PhysicalMemory> memory;
  CUmemAllocationProp properties{};
  unsigned references = 0;
};

struct DriverState {
  std::set<const Registry::Binary*> modules;
  std::map<const Linking*, std::unique_ptr<Linking>> linkings;
  std::map<CUfunction, OldLaunch> old_launches;
  std::map<std::uint64_t, Reference> references;  // by handle
  std::map<CUmemGenericAllocationHandle, PhysicalBlock> physical_blocks;
};
DriverState& driver_state();

// The codes are equal, except for a few that only the runtime has.
CUresult result_of(cudaError_t error);

// Calls work() and translates its result. The runtime's last error does not change.
// CUDA_ERROR_NOT_INITIALIZED before cuInit.
template <class Work>
CUresult driver(Work&& work) {
  const cudaError_t before = last_error();
  const CUresult result = result_of(work());
  last_error() = before;
  return result;
}

inline void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

// Translates the driver's description of a copy. An error if an array does not exist.
cudaError_t described_copy(Session& session, const CUDA_MEMCPY3D& described,
                           cudaMemcpy3DParms& copy);

}  // namespace heddle::cuda
