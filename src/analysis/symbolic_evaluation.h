// Symbolic execution of a kernel's entry for all threads of a launch: the address of every access
// as a quasi-affine form, under the condition on which it executes.
#pragma once

#include <string>
#include <vector>

#include "analysis/affine_form.h"
#include "analysis/launch_analysis.h"
#include "ptx/kernel.h"

namespace heddle::analysis {

// An address that a kernel accesses, in its loops' counters.
struct SymbolicAccess {
  Pc pc = kNoPc;
  ptx::Space space = ptx::Space::global;
  bool store = false;
  std::uint32_t bytes = 0;  // of one lane
  std::uint16_t loop = ptx::Loop::kNone;
  bool affine = false;
  std::string reason;                      // why it is not affine
  Form address;                            // affine only
  ConditionId condition = Forms::kAlways;  // on which it executes; unknown parts may not hold
};

// The counter of a loop is 0 in the iteration that enters it and grows by 1.
struct SymbolicLoop {
  bool counted = false;  // the last iteration is known
  AtomId counter = 0;
  Form last;           // counted: number of the last iteration that begins
  std::string reason;  // why it is not counted
  bool reached = false;
};

struct SymbolicKernel {
  Forms forms;
  std::vector<SymbolicAccess> accesses;  // ascending pc
  std::vector<SymbolicLoop> loops;       // as Kernel::loops
  std::string not_analysed;
};

SymbolicKernel evaluate_symbolically(const ptx::Kernel& kernel, const LaunchShape& launch);

}  // namespace heddle::analysis
