// The load classification of a profiling run (heddle profile), for daws-profiled: the loops that
// reuse lines, the loads that diverge, and the loads that touch the same lines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "isa/kernel.h"
#include "sched/limiters/footprints.h"

namespace heddle::sched {

struct ProfiledLoad {
  Pc pc = kNoPc;
  std::uint32_t ptx_line = 0;
  bool diverged = false;
  std::uint32_t group = 0;  // loads of a loop with the same number touch the same lines
  std::uint64_t executions = 0;
  std::uint64_t scattered = 0;  // executions with more than two accesses
  SourceLocation where;
};

struct ProfiledLoop {
  Pc pc = kNoPc;  // of the header
  std::uint32_t ptx_line = 0;
  std::string source;
  bool local = false;  // more than half of the accesses are `own`
  std::uint64_t accesses = 0;
  std::uint64_t own = 0;  // hits and misses on a line that the same warp had brought in
  std::vector<ProfiledLoad> loads;
  SourceLocation where;
};

struct ProfiledKernel {
  std::string name;  // as in the module (mangled)
  std::uint64_t instructions = 0;
  std::vector<ProfiledLoop> loops;
  SourceLocation where;
};

struct LoadProfile {
  std::string path;  // of the file, when it was read
  std::string program, arguments, gpu, scheduler;
  std::vector<ProfiledKernel> kernels;

  std::string to_toml() const;
  // Throws a UserError with the place in the file.
  static LoadProfile read(const std::string& path);
  // The loads of loops with locality. UserError when the profile does not match the kernel.
  LoadTable table_of(const isa::Kernel& kernel) const;
};

// By pc. For a global or local load in a loop: the first load of that loop with the same base
// register and a displacement in the same line. For all other instructions: kNoPc.
std::vector<Pc> repeated_loads(const isa::Kernel& kernel, std::uint32_t line_bytes);

}  // namespace heddle::sched
