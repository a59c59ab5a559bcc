// State and helpers of the driver API. Most of its calls only translate to the runtime API.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cuda/driver/jit_options.h"
#include "cuda/process/api_call.h"
#include "ptx/module.h"

#pragma GCC visibility push(default)
#include "cuda.h"
#pragma GCC visibility pop

namespace heddle::cuda {

// PTX that cuLinkAddData collects.
struct Linking {
  JitOptions options;
  std::vector<std::string> texts;
  std::optional<ptx::Module> module;            // the texts, linked
  CUresult failed = CUDA_SUCCESS;               // an earlier call for it
  CUresult error_of_step = CUDA_ERROR_UNKNOWN;  // of a mistake that the present step finds
  double milliseconds = 0;                      // of the host, so far
  std::string image;                            // the result of cuLinkComplete
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

// Calls work() and translates its result. The runtime's last error does not change, and no context
// becomes current.
template <class Work>
CUresult driver(Work&& work) {
  CallingThread& thread = calling_thread();
  const cudaError_t error_before = thread.last_error;
  const bool nested = std::exchange(thread.in_driver_call, true);
  const CUresult result = result_of(work());
  thread.in_driver_call = nested;
  thread.last_error = error_before;
  return result;
}

inline void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

// Translates the driver's description of a copy. An error if an array does not exist.
cudaError_t described_copy(const Arrays& arrays, const CUDA_MEMCPY3D& described,
                           cudaMemcpy3DParms& copy);

}  // namespace heddle::cuda
