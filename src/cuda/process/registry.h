// What the program's object files register at start.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "base/types.h"
#include "cuda/fatbin/fat_binary.h"

namespace heddle::cuda {

// Filled before main, before the device exists.
struct Registry {
  struct Binary {
    const FatBinaryWrapper* wrapper;  // null for a module of the driver API
    std::string name = {};            // in messages; empty: the program's
  };
  struct Symbol {
    const Binary* binary;
    std::string name;
    std::uint64_t bytes;
  };
  struct Managed {
    const Binary* binary;
    void** host;
    std::string name;
  };
  std::deque<Binary> binaries;              // their addresses are handles
  std::map<const void*, Symbol> kernels;    // by host function
  std::map<const void*, Symbol> variables;  // by host variable
  std::map<const void*, Symbol> textures;   // texture and surface references, by host object
  std::vector<Managed> managed;             // host pointers to __managed__ variables
};

struct PlacedVariable {
  Address address;
  std::uint64_t bytes = 0;
};

}  // namespace heddle::cuda
