// What belongs to which kernel: the statistics of SMs, of the memory system and of policies.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/engine/cta_dispatch.h"
#include "gpu/engine/hardware.h"
#include "gpu/engine/running_kernels.h"
#include "gpu/engine/share_epochs.h"
#include "gpu/engine/window_clock.h"
#include "mem/memory_stats.h"
#include "sm/policy/policy_report.h"

namespace heddle::gpu {

// A whole in proportion to the weights, rounded down; the first part gets the remainder too.
std::vector<std::uint64_t> divide(std::uint64_t whole, std::span<const std::uint64_t> weights);

class KernelLedger {
 public:
  KernelLedger(Hardware& hardware, WindowClock& clock, RunningKernels& running,
               const CtaDispatch& dispatch, const ShareEpochs& share);
  // KernelResult::first_warp is counted from now on.
  void watch_first_warps() { watches_first_warps_ = true; }

  // The launch has a number and is about to run.
  void begin_kernel(RunningKernel& k);
  // It runs.
  void kernel_began();
  // After a window.
  void record_first_warps();
  // Before launches end: what the memory system has counted belongs to the kernels that ran.
  void attribute_memory();
  enum class End { complete, truncated };
  // The SMs have caught up. Truncated launches still run.
  void end_kernel(RunningKernel& k, End how);
  // What has been counted for a launch that runs, without records of policies. The SMs have caught
  // up.
  KernelResult result_so_far(const RunningKernel& k);
  // Of all SMs, since the last call: when no launch remains.
  sm::CycleStats take_repeated_cycles();

  // Counters: since the device was built.
  sm::PolicyReport policy_report(sm::PolicyReport::Contents contents,
                                 int kernel = sm::PolicyReport::kAllKernels) const;
  // Of launches that have not ended.
  std::uint64_t thread_instructions_running() const {
    return hardware_.thread_instructions() - instructions_ended_;
  }

 private:
  void attribute_policies(const sm::PolicyReport::Values& undivided, RunningKernel* ending);

  Hardware& hardware_;
  WindowClock& clock_;
  RunningKernels& running_;
  const CtaDispatch& dispatch_;
  const ShareEpochs& share_;
  mem::MemoryStats memory_attributed_;            // the part of the memory's that kernels have
  sm::PolicyReport::Values policies_attributed_;  // the same of the policies' counters
  sm::CycleStats repeated_taken_;                 // by take_repeated_cycles()
  bool programs_overlapped_ = false;      // launches of several programs ran at once since then
  std::uint64_t instructions_ended_ = 0;  // thread instructions of launches that have ended
  bool watches_first_warps_ = false;
};

}  // namespace heddle::gpu
