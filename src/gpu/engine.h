// Advances SMs and memory through time in windows. Inside a window an SM and the memory system do not see each other: the window is
// as long as an unloaded reply takes through the network, so nothing that one side does in it could reach the other. SMs are
// therefore independent of each other within a window and may run in any order, or at once.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/types.h"
#include "config/gpu_spec.h"
#include "exec/launch.h"
#include "gpu/cta/cta_dispatcher.h"
#include "gpu/kernel_result.h"
#include "mem/memory_system.h"
#include "mem/sm_port.h"
#include "sched/catalogue.h"
#include "sm/sm.h"

namespace heddle::gpu {

class Engine {
 public:
  Engine(const config::GpuSpec& spec, const sched::Policy& policy, std::uint64_t seed, exec::GlobalMemory& memory);
  ~Engine();

  // Runs one launch to its end and fills the timed part of `result`. after_window is called after every window; it may be empty.
  using AfterWindow = std::function<void()>;
  void run(const exec::Launch& launch, int ctas_per_sm, KernelResult& result, const AfterWindow& after_window);

  Cycle now() const { return now_; }
  mem::MemorySystem& memory_system() { return *memory_system_; }
  std::uint64_t warp_instructions() const;    // since the device was built
  std::uint64_t thread_instructions() const;

 private:
  class Atomics;

  void start(const exec::Launch& launch, int ctas_per_sm);
  void place_ctas(Cycle to, CtaTimes& times);
  Cycle window_end() const;
  void collect_finished(CtaTimes& times);
  bool drained() const;
  bool stuck() const;
  [[noreturn]] void report_deadlock(const exec::Launch& launch) const;
  sm::SmStats sm_totals() const;

  const config::GpuSpec& spec_;
  exec::GlobalMemory& memory_;
  std::vector<std::unique_ptr<mem::SmPort>> ports_;
  std::vector<std::unique_ptr<exec::InstructionSource>> sources_;  // one per SM, for the running launch
  std::unique_ptr<Atomics> atomics_;
  std::unique_ptr<mem::MemorySystem> memory_system_;
  std::shared_ptr<sched::SharedState> policy_state_ = std::make_shared<sched::SharedState>();  // what schedulers of several SMs share
  std::vector<std::unique_ptr<sm::Sm>> sms_;
  std::unique_ptr<CtaDispatcher> dispatcher_;

  Cycle now_;
  Cycle launch_cycle_, last_cta_end_;
  bool announced_last_cta_ = false;
  std::vector<int> free_slots_;                            // scratch of place_ctas
  std::vector<CtaDispatcher::Placement> placements_;
};

}  // namespace heddle::gpu
