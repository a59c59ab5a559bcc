// The best static limit of every kernel of a program, as found by trying them (heddle best-swl) and
// used by swl:best=FILE.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/types.h"

namespace heddle::sched {

struct KernelLimit {
  std::string name;  // as in the module (mangled)
  Dim3 grid;
  std::uint64_t launches = 0;
  std::uint32_t warps = 0;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> cycles;  // by limit, all launches together
};

struct StaticLimits {
  std::string path;  // where they were read from
  std::string program, arguments, gpu;
  std::vector<KernelLimit> kernels;

  std::string to_toml() const;
  static StaticLimits read(const std::string& path);  // UserError, located
  // Of the kernel launched with this grid; where that grid was not searched, of the kernel's
  // launches that took longest. UserError when the kernel is not there at all.
  std::uint32_t limit_of(const std::string& kernel, const Dim3& grid) const;
};

}  // namespace heddle::sched
