// Advances SMs and the memory system through time in windows. A window is as long as a packet takes
// through an unloaded network, so nothing that an SM does in a window can reach another SM or the
// memory system within it. SMs and memory system may therefore run a window in any order or at
// once; they exchange packets between windows. Several threads share the work; their number changes
// no result.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/types.h"
#include "config/gpu_spec.h"
#include "exec/livelock/hang_watch.h"
#include "exec/state/launch.h"
#include "gpu/analysis_cache.h"
#include "gpu/cta/cta_policy.h"
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
  Engine(const config::GpuSpec& spec, const sched::Policy& policy, const CtaPolicy& cta_policy,
         std::uint64_t seed, const Threads& threads, exec::GlobalMemory& memory);
  ~Engine();

  // Runs one launch to its end and fills the timed part of `result`. after_window is called after
  // every window; it may be empty. Throws exec::Interrupted on a stop request, exec::KernelFault on
  // a hang. At a limit the launch is truncated: `result` holds what was timed, the rest of the
  // launch has been computed without timing, and no other launch can be timed.
  using AfterWindow = std::function<void()>;
  struct Placing {
    int ctas_per_sm = 1;                                   // most resident CTAs of an SM
    analysis::Direction hint = analysis::Direction::none;  // see KernelStart::hint_direction
  };
  struct Until {
    const exec::StopRequest* stop = nullptr;
    std::uint64_t cycles = 0, thread_instructions = 0;  // of this launch; 0: no limit
  };
  void run(const exec::Launch& launch, const Placing& placing, KernelResult& result,
           const Until& until, const AfterWindow& after_window);

  // The observers of the SMs (one each) and of the memory system from now on.
  void observe(const std::vector<sm::SmObserver*>& sms, mem::MemoryObserver* memory);

  // Counts which CTAs share lines in the L1 (KernelResult::cta_sharing) from now on.
  void watch_cta_sharing();

  Cycle now() const { return now_; }
  mem::MemorySystem& memory_system() { return *memory_system_; }
  sm::SmStats sm_totals() const;  // since the device was built
  // Counters: since the device was built.
  sm::PolicyReport policy_report(sm::PolicyReport::Contents contents) const;
  std::uint64_t warp_instructions() const;  // since the device was built
  std::uint64_t thread_instructions() const;

 private:
  class Atomics;
  class WindowWork;
  class RunningLaunch;
  // The state of an SM after the last cycle that it has run. An SM with nothing to do in a window
  // is not run; it catches up later.
  struct alignas(64) SmProgress {
    Cycle ran_until;
    Cycle next_event;  // without replies; never() when only a reply can wake the SM
    int free_cta_slots = 0;
    bool drained = true;
    std::vector<sm::Sm::FinishedCta> finished;
  };

  void start(const exec::Launch& launch, const Placing& placing);
  void announce_last_cta();
  void run_window(Cycle to);
  void run_sm(std::size_t i, Cycle to);
  void update_progress(std::size_t i);
  Cycle window_end() const;
  void exchange_packets(Cycle to, CtaTimes& times);
  bool drained() const;

  // engine_ctas.cc: what the CTA scheduler sees and does.
  void begin_cta_scheduling(const exec::Launch& launch, const Placing& placing);
  void dispatch_ctas(Cycle to, CtaTimes& times);
  void place_cta(const Placement& placement, CtaTimes& times);
  void record_finished_ctas(std::size_t i, CtaTimes& times);
  std::optional<sm::CtaSharingStats> cta_sharing() const;  // of the running launch
  bool can_start_cta(std::size_t i) const;
  // engine_epochs.cc: what the CTA scheduler needs to be counted, and what it asks of SMs.
  class CtaRequests;
  void count_for_cta_scheduler();
  CtaControl* cta_control();
  void begin_epochs();
  void serve_cta_scheduler();
  void end_epoch();
  SmEpoch epoch_of(std::size_t i);

  bool all_placed() const { return cta_scheduler_->exhausted(); }

  // engine_limits.cc: a launch that is truncated or hangs.
  bool reached(const Until& until, std::uint64_t instructions_before) const;
  void finish_untimed(const exec::Launch& launch, KernelResult& result,
                      const exec::StopRequest* stop);
  bool deadlocked() const;
  void start_hang_watch(const exec::Launch& launch);
  void look_for_hang();
  std::string describe_warps(int max_warps) const;

  const config::GpuSpec& spec_;
  exec::GlobalMemory& memory_;
  std::vector<std::unique_ptr<mem::SmPort>> ports_;
  std::vector<std::unique_ptr<exec::InstructionSource>>
      sources_;                                // one per SM, for the running launch
  std::vector<sm::InstructionTiming> timing_;  // of the running kernel
  std::unique_ptr<Atomics> atomics_;
  std::unique_ptr<mem::MemorySystem> memory_system_;
  // What the schedulers of several SMs share.
  std::shared_ptr<sched::SharedState> policy_state_ = std::make_shared<sched::SharedState>();
  std::vector<std::unique_ptr<sm::Sm>> sms_;
  std::vector<SmProgress> progress_;  // one per SM
  std::vector<Cycle> wake_cycle_;     // one per SM: its next event or reply, between windows
  std::unique_ptr<CtaScheduler> cta_policy_scheduler_, cooperative_scheduler_;
  CtaScheduler* cta_scheduler_;  // of the running launch
  // The last dispatch() placed nothing: the next one waits for an event that may change that.
  bool declined_ = false;
  std::vector<bool> placed_;  // by CTA of the running launch
  std::uint64_t ctas_placed_ = 0;
  Needs needs_;  // of the CTA scheduler
  std::shared_ptr<CtaRequests> cta_requests_;
  Cycle epoch_began_, next_epoch_ = Cycle::never();
  AnalysisCache analyses_;
  std::shared_ptr<analysis::LaunchAnalysis> analysis_;  // of the running launch

  Cycle now_;
  Cycle launch_cycle_, last_cta_end_;
  std::uint64_t last_placed_cta_ = 0;
  bool announced_last_cta_ = false;
  bool truncated_ = false;
  std::unique_ptr<exec::TimedHangWatch> hang_watch_;  // of the running launch
  std::vector<int> free_slots_;                       // scratch memory of dispatch_ctas
  std::vector<Placement> placements_;
  WorkBalance balance_;
  std::unique_ptr<WindowWork> work_;
  WorkerTeam team_;  // last: its threads use the other members
};

}  // namespace heddle::gpu
