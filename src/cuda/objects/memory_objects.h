// What a program creates in memory with the CUDA API.
#pragma once

#include <cstdint>
#include <string>

#include "cuda/objects/arrays.h"
#include "cuda/objects/host_memory.h"
#include "cuda/objects/pools.h"
#include "cuda/objects/textures.h"

namespace heddle::cuda {

struct MemoryObjects {
  HostMemory host;
  Arrays arrays;
  Textures textures;
  Pools pools;
  std::uint64_t allocations = 0;  // named so far

  // The name of an allocation in diagnostics: the call and a running number.
  std::string name_allocation(const char* call) {
    return std::string(call) + " #" + std::to_string(++allocations);
  }
};

}  // namespace heddle::cuda
