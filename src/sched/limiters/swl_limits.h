// The best static limit of every kernel of a program. heddle best-swl finds and writes them;
// swl:best=FILE reads them.
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
  std::uint32_t warps = 0;  // the best limit
  // Limit and core cycles of all launches under it.
  std::vector<std::pair<std::uint32_t, std::uint64_t>> cycles;
};

struct StaticLimits {
  std::string path;  // of the file, when it was read
  std::string program, arguments, gpu;
  std::vector<KernelLimit> kernels;

  std::string to_toml() const;
  // Throws a UserError with the place in the file.
  static StaticLimits read(const std::string& path);
  // The limit of the kernel with this grid. For a grid that was not searched: the limit of the
  // kernel's longest launches. UserError when the kernel is not in the file.
  std::uint32_t limit_of(const std::string& kernel, const Dim3& grid) const;
};

}  // namespace heddle::sched
