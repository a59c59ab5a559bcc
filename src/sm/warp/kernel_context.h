// A kernel on one SM: its code, its addresses, what its CTAs use, and its statistics. Every warp
// refers to the context of its kernel. An SM holds CTAs of several kernels at once.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/instruction_source.h"
#include "isa/kernel.h"
#include "sm/count/sm_stats.h"
#include "sm/warp/address_space.h"
#include "sm/warp/instruction_timing.h"

namespace heddle::sm {

// What one CTA occupies of an SM.
struct CtaResources {
  int warps = 1;
  std::uint64_t registers = 0, shared_bytes = 0;
};

struct alignas(64) KernelContext {
  int index = 0;        // number of the kernel among those that run on the GPU
  bool active = false;  // between the kernel's start and its end
  const isa::Kernel* kernel = nullptr;
  exec::InstructionSource* source = nullptr;  // executes its instructions
  // By pc.
  const isa::Instruction* code = nullptr;
  const InstructionTiming* timing = nullptr;
  std::size_t code_size = 0;
  std::uint64_t code_base = 0;  // address of pc 0
  // Added to every address of the kernel: 0 for program 0 (base/address_layout.h).
  std::uint64_t address_space = 0;
  LocalLayout layout;
  CtaResources cta;
  int most_ctas = 0;             // limit of resident CTAs
  int resident = 0, queued = 0;  // CTAs
  std::uint64_t numbers = 0;     // bit per number among its resident CTAs that is in use
  // Warp instructions that its warps may issue before they pause: in all, and left. See
  // Sm::set_quota().
  static constexpr std::uint64_t kNoQuota = ~std::uint64_t{0};
  std::uint64_t quota = kNoQuota, quota_left = kNoQuota;
  // Since SmState::attribute_cycles(): the cycles in which the kernel issued, and the number of the
  // last one (IssueStage::cycles_).
  std::uint64_t cycles_with_issue = 0, last_issue = 0;
  SmStats stats;                              // what happened for this kernel
  std::vector<InstructionTiming> own_timing;  // where the caller of begin_kernel passes none

  int ctas() const { return resident + queued; }
};

}  // namespace heddle::sm
