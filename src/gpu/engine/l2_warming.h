// Lets the accesses of CTAs that are not timed go through the L2 functionally, so that the next
// timed launch finds there about what it would find in a run of the whole program, dirty data
// included.
#pragma once

#include <vector>

#include "exec/state/launch.h"
#include "gpu/engine/hardware.h"
#include "gpu/engine/running_kernel.h"
#include "gpu/engine/window_clock.h"
#include "sm/lsu/coalescer.h"

namespace heddle::gpu {

class L2Warming final : public exec::AccessListener {
 public:
  L2Warming(const Hardware& hardware, WindowClock& clock);

  // The last CTAs of the launch, which is about to run functionally while the GPU is idle: several
  // waves. Its code and its parameters come into the L2, too, and its code into the SMs.
  exec::LastCtas begin(const QueuedKernel& k, int ctas_per_sm);
  // What DRAM would have done for these CTAs.
  const mem::DramBursts& dram() const { return dram_; }

  // Not of local memory and constants.
  void accessed(const isa::Instruction& instruction, const exec::Step& step) override;

 private:
  void fetch_code_and_parameters(const exec::Launch& launch);
  void access_all(mem::PacketKind kind, bool whole_lines);

  const Hardware& hardware_;
  WindowClock& clock_;
  sm::CoalescingRules sectors_;
  bool loads_fill_lines_;  // of the L1
  std::uint64_t address_space_ = 0;
  mem::DramBursts dram_;
  std::vector<sm::MemoryAccess> accesses_;  // of one instruction
  std::vector<Address> loaded_;             // by place: what an L1 would hold of the last loads
};

}  // namespace heddle::gpu
