// Advances SMs and memory through time in windows. Inside a window nothing that one SM does can
// reach another, or the memory system, and the other way round: the window is as long as a packet
// takes through an unloaded network. So SMs and the memory system may run a window in any order or
// at once; what they have made meets between windows. Threads share them; their number changes no
// result.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/types.h"
#include "config/gpu_spec.h"
#include "exec/livelock/livelock_detector.h"
#include "exec/state/launch.h"
#include "gpu/cta/cta_dispatcher.h"
#include "gpu/kernel_result.h"
#include "gpu/work_balance.h"
#include "gpu/worker_team.h"
#include "mem/memory_system.h"
#include "mem/sm_port.h"
#include "sched/catalogue.h"
#include "sm/sm.h"

namespace heddle::gpu {

class Engine {
 public:
  struct Threads {
    std::uint32_t count;
    bool share_always;
  };  // see RunSpec
  Engine(const config::GpuSpec& spec, const sched::Policy& policy, std::uint64_t seed,
         const Threads& threads, exec::GlobalMemory& memory);
  ~Engine();

  // Runs one launch to its end and fills the timed part of `result`. after_window is called after
  // every window; it may be empty. exec::Interrupted when asked to stop. At a limit the launch is
  // cut: what was timed so far stands in `result`, the rest of the launch has been computed without
  // timing, and no other launch can be timed.
  using AfterWindow = std::function<void()>;
  struct Until {
    const exec::StopRequest* stop = nullptr;
    std::uint64_t cycles = 0, thread_instructions = 0;  // of this launch; 0: no limit
  };
  void run(const exec::Launch& launch, int ctas_per_sm, KernelResult& result, const Until& until,
           const AfterWindow& after_window);

  // Who watches the SMs (one each) and the memory side from now on.
  void observe(const std::vector<sm::SmObserver*>& sms, mem::MemoryObserver* memory);

  Cycle now() const { return now_; }
  mem::MemorySystem& memory_system() { return *memory_system_; }
  sm::SmStats sm_totals() const;  // since the device was built
  sm::PolicyReport policy_report(
      sm::PolicyReport::Contents asks) const;  // counters: since the device was built
  std::uint64_t warp_instructions() const;     // since the device was built
  std::uint64_t thread_instructions() const;

 private:
  class Atomics;
  class WindowWork;
  // An SM as the engine saw it after its last cycle run. SMs with nothing to do in a window are
  // left out of it; they catch up later.
  struct alignas(64) Seat {
    Cycle ran_until;
    Cycle next;  // the next cycle with something to do, but for replies; never() while only those
                 // can wake it
    int free_slots = 0;
    bool drained = true;
    std::vector<sm::Sm::FinishedCta> finished;
  };

  void start(const exec::Launch& launch, int ctas_per_sm);
  void place_ctas(Cycle to, CtaTimes& times);
  void run_window(Cycle to);
  void run_sm(std::size_t i, Cycle to);
  void look_at(std::size_t i);
  Cycle window_end() const;
  void meet(Cycle to, CtaTimes& times);
  void collect_finished(Seat& seat, CtaTimes& times);
  bool drained() const;
  bool stuck() const;
  bool reached(const Until& until, std::uint64_t instructions_before) const;
  void finish_untimed(const exec::Launch& launch, KernelResult& result,
                      const exec::StopRequest* stop);
  void look_for_hang(const exec::Launch& launch);
  void watch(bool on);
  bool turns_for_ever() const;
  bool all_turn_or_wait() const;
  WarpMask turning(std::size_t sm) const;
  std::string standing(int most) const;  // where warps stand, at most so many
  [[noreturn]] void report_deadlock(const exec::Launch& launch, const std::string& what,
                                    const std::string& more = {}) const;

  const config::GpuSpec& spec_;
  exec::GlobalMemory& memory_;
  std::vector<std::unique_ptr<mem::SmPort>> ports_;
  std::vector<std::unique_ptr<exec::InstructionSource>>
      sources_;                                // one per SM, for the running launch
  std::vector<sm::InstructionTiming> timing_;  // of the running kernel
  std::unique_ptr<Atomics> atomics_;
  std::unique_ptr<mem::MemorySystem> memory_system_;
  std::shared_ptr<sched::SharedState> policy_state_ =
      std::make_shared<sched::SharedState>();  // what schedulers of several SMs share
  std::vector<std::unique_ptr<sm::Sm>> sms_;
  std::vector<Seat> seats_;  // one per SM
  std::vector<Cycle> wake_;  // one per SM, between windows: the next cycle with something to do
  std::unique_ptr<CtaDispatcher> dispatcher_;

  Cycle now_;
  Cycle launch_cycle_, last_cta_end_;
  bool announced_last_cta_ = false;
  bool cut_ = false;
  std::vector<exec::LivelockDetector> watches_;  // one per SM, while a hang is suspected
  bool suspected_ = false;                       // in this launch
  bool watched_host_ = false;                    // the host could write when the watch began
  Cycle next_look_, watched_until_;
  std::vector<int> free_slots_;  // scratch of place_ctas
  std::vector<CtaDispatcher::Placement> placements_;
  WorkBalance balance_;
  std::unique_ptr<WindowWork> work_;
  WorkerTeam team_;  // last: its threads use the rest
};

}  // namespace heddle::gpu
