// What a profiling run found out about a program's loads, for daws-profiled: which loops use their
// lines again, which of their loads diverge, which repeat each other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "ptx/kernel.h"
#include "sched/limiters/footprints.h"

namespace heddle::sched {

struct ProfiledLoad {
  Pc pc = kNoPc;
  std::uint32_t ptx_line = 0;
  bool diverged = false;
  std::uint32_t group = 0;  // loads of a loop with the same number touch the same lines
  std::uint64_t executions = 0, scattered = 0;  // scattered: those that took more than two accesses
  SourceLocation where;
};

struct ProfiledLoop {
  Pc pc = kNoPc;  // of its header
  std::uint32_t ptx_line = 0;
  std::string source;
  bool local = false;
  std::uint64_t
      accesses = 0,
      own = 0;  // own: those that found, or had lost, a line that the same warp had brought in
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
  std::string path;  // where it was read from
  std::string program, arguments, gpu, scheduler;
  std::vector<ProfiledKernel> kernels;

  std::string to_toml() const;
  static LoadProfile read(const std::string& path);  // UserError, located
  // The classified loads of loops with locality. UserError when the profile is not of this kernel.
  LoadTable table_of(const ptx::Kernel& kernel) const;
};

// By Pc: for a global or local load in a loop the first load of that loop with the same base
// register and a displacement in the same line, kNoPc for all other instructions.
std::vector<Pc> repeated_loads(const ptx::Kernel& kernel, std::uint32_t line_bytes);

}  // namespace heddle::sched
