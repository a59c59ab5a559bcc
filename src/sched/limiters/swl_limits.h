// The best static limit of a program, and of each of its kernels. heddle best-swl finds and writes
// them; swl:best=FILE and swl:best_per_kernel=FILE read them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/types.h"

namespace heddle::sched {

// Pairs of a limit and the core cycles in which a launch was active under it.
using LimitCycles = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

struct KernelLimit {
  std::string name;  // as in the module (mangled)
  Dim3 grid;
  std::uint64_t launches = 0;
  std::uint32_t warps = 0;  // the best limit
  LimitCycles cycles;
};

struct StaticLimits {
  std::string path;  // of the file, when it was read
  std::string program, arguments, gpu;
  std::uint32_t warps = 0;  // the best limit of the program
  LimitCycles cycles;       // of the program
  std::vector<KernelLimit> kernels;

  std::string to_toml() const;
  // Throws a UserError with the place in the file.
  static StaticLimits read(const std::string& path);
  // The limit of the kernel with this grid. For a grid that was not searched: the limit of the
  // kernel's longest launches. UserError when the kernel is not in the file.
  std::uint32_t limit_of(const std::string& kernel, const Dim3& grid) const;
};

}  // namespace heddle::sched
