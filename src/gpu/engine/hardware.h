// The SMs, their ports and the memory system of a GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "config/gpu_spec.h"
#include "gpu/engine/running_kernels.h"
#include "mem/memory_system.h"
#include "mem/sm_port.h"
#include "sched/catalogue.h"
#include "sm/sm.h"

namespace heddle::gpu {

class Hardware {
 public:
  // Atomics act through the sources of the kernels that run. Keeps references to all but `seed`.
  // sides: whether SMs and the memory system run at the same time.
  Hardware(const config::GpuSpec& spec, const sched::Policy& warps, std::uint64_t seed,
           const RunningKernels& running, mem::SmPort::Sides sides);
  ~Hardware();

  const config::GpuSpec& spec() const { return spec_; }
  std::size_t sms() const { return sms_.size(); }
  sm::Sm& sm(std::size_t i) const { return *sms_[i]; }
  const std::vector<mem::SmPort*>& ports() const { return ports_; }
  std::vector<sm::WindowedSm*> windowed_sms() const;
  mem::MemorySystem& memory() const { return *memory_; }
  // All SMs have run the window.
  void end_window() { policy_state_->end_window(); }

  // Of all SMs.
  sm::SmStats stats() const;                               // since the device was built
  sm::SmStats kernel_stats(int kernel) const;              // since the kernel began
  std::uint64_t warp_instructions(int kernel) const;       // the same
  std::uint64_t thread_instructions() const;               // since the device was built
  std::optional<sm::CtaSharingStats> cta_sharing() const;  // of the kernel that began last

 private:
  class Atomics;

  const config::GpuSpec& spec_;
  const sched::Policy& policy_;
  std::unique_ptr<Atomics> atomics_;
  std::vector<std::unique_ptr<mem::SmPort>> owned_ports_;
  std::vector<mem::SmPort*> ports_;
  std::unique_ptr<mem::MemorySystem> memory_;
  // What the schedulers of several SMs share.
  std::shared_ptr<sched::SharedState> policy_state_ = std::make_shared<sched::SharedState>();
  std::vector<std::unique_ptr<sm::Sm>> sms_;
};

// Lines of the L1 data cache.
std::uint32_t l1_lines(const config::GpuSpec& spec);

}  // namespace heddle::gpu
