// What the driver API's functions do around their work. Most of them are the runtime API's under
// other names.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cuda/process/api.h"

#pragma GCC visibility push(default)
#include "cuda.h"
#pragma GCC visibility pop

namespace heddle::cuda {

// PTX that cuLinkAddData collects.
struct Linking {
  std::vector<std::string> texts;
  std::string image;  // what cuLinkComplete hands out
};

// A launch in the way of CUDA before 4: a function keeps its block's shape and its parameters until
// cuLaunch.
struct OldLaunch {
  dim3 block;
  std::size_t shared_bytes = 0;
  std::vector<std::uint8_t> parameters;
};

// A texture reference collects its settings and becomes a texture when something is bound to it.
struct Reference {
  std::uint64_t handle = 0;
  cudaChannelFormatDesc format{};
  cudaTextureDesc description{};
  unsigned flags = 0;
  cudaResourceDesc resource{};
  bool bound = false;
};

// Memory that cuMemCreate made. Its handle is gone at no reference, what it mapped stays.
struct Created {
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
  std::map<CUmemGenericAllocationHandle, Created> created;
};
DriverState& driver_state();

// The driver's codes are the runtime's but for a few that only the runtime knows.
CUresult result_of(cudaError_t error);

// Calls work() and translates; the runtime's last error stays as it was. CUDA_ERROR_NOT_INITIALIZED
// before cuInit.
template <class Work>
CUresult driver(Work&& work) {
  const cudaError_t before = last_error();
  const CUresult result = result_of(work());
  last_error() = before;
  return result;
}

inline void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

// A copy as the driver describes it, as the runtime does. An array that is none is an error.
cudaError_t described_copy(Session& session, const CUDA_MEMCPY3D& described,
                           cudaMemcpy3DParms& copy);

}  // namespace heddle::cuda
