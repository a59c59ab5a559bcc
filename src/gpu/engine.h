// Advances SMs and the memory system through time in windows. A window is as long as a packet takes
// through an unloaded network, so nothing that an SM does in a window can reach another SM or the
// memory system within it. SMs and memory system may therefore run a window in any order or at
// once; they exchange packets between windows. Several threads share the work; their number changes
// no result.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/types.h"
#include "config/gpu_spec.h"
#include "exec/state/launch.h"
#include "gpu/analysis_cache.h"
#include "gpu/cta/cta_policy.h"
#include "gpu/kernel_result.h"
#include "gpu/nested/nested_launches.h"
#include "gpu/running_kernel.h"
#include "gpu/share/share_policy.h"
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
  struct Policies {
    const sched::Policy& warps;
    const CtaPolicy& ctas;
    const SharePolicy& share;
  };
  Engine(const config::GpuSpec& spec, const Policies& policies, std::uint64_t seed,
         const Threads& threads, std::uint32_t programs = 1);
  ~Engine();

  // Queues a launch for the hardware. At most gpu.concurrent_kernels launches run at once; the
  // others wait, in the order of their priorities and of these calls. A nested launch is queued
  // when its time has come.
  void begin(QueuedKernel kernel);
  bool busy() const { return !queued_.empty() || !running_.empty() || !later_.empty(); }
  // What serves the program's calls of CUDA's device runtime, until the next call.
  void set_nested(std::uint32_t program, NestedLaunches* nested);
  bool busy(std::uint32_t program) const;
  // The programs that have not ended, for the share policy.
  void set_programs(std::vector<std::uint32_t> present);

  struct Until {
    const exec::StopRequest* stop = nullptr;
    // Of the launches that run, from first_start() on; 0: no limit.
    std::uint64_t cycles = 0, thread_instructions = 0;
    Cycle time = Cycle::never();
  };
  // after_window is called after every window; it may be empty. ended is called for every launch
  // that has ended, with the timed part of its result.
  using AfterWindow = std::function<void()>;
  // Runs until a launch has ended, or until a window ends at until.time or later. Returns the
  // launches that have ended. Throws exec::Interrupted on a stop request, exec::KernelFault on a
  // hang. At a limit all launches that run are truncated: their results hold what was timed, the
  // rest has been computed without timing, and no other launch can be timed.
  std::vector<QueuedKernel> advance(const Until& until, const AfterWindow& after_window);
  // The launches that run, by start.
  const std::vector<std::unique_ptr<RunningKernel>>& running() const { return running_; }
  std::size_t queued() const { return queued_.size(); }
  Cycle first_start() const;  // of the launches that run; never() when none does

  // The observers of the SMs (one each) and of the memory system from now on.
  void observe(const std::vector<sm::SmObserver*>& sms, mem::MemoryObserver* memory);
  // Called when a launch starts on the hardware and when it has ended.
  struct KernelWatcher {
    virtual ~KernelWatcher() = default;
    virtual void kernel_started(const RunningKernel& kernel) = 0;
    virtual void kernel_ended(RunningKernel& kernel) = 0;
  };
  void watch(KernelWatcher* watcher) { watcher_ = watcher; }

  // Counts which CTAs share lines in the L1 (KernelResult::cta_sharing) from now on.
  void watch_cta_sharing();
  // Counts until the first warp of a launch ends (KernelResult::first_warp) from now on.
  void watch_first_warp() { watches_first_warp_ = true; }

  Cycle now() const { return now_; }
  mem::MemorySystem& memory_system() { return *memory_system_; }
  sm::SmStats sm_totals() const;                            // since the device was built
  sm::SmStats kernel_totals(const RunningKernel& k) const;  // since the kernel began
  // Counters: since the device was built.
  sm::PolicyReport policy_report(sm::PolicyReport::Contents contents,
                                 int kernel = sm::PolicyReport::kAllKernels) const;

 private:
  class Atomics;
  class WindowWork;
  class RunningLaunch;
  // The state of an SM after the last cycle that it has run. An SM with nothing to do in a window
  // is not run; it catches up later.
  struct alignas(64) SmProgress {
    Cycle ran_until;
    Cycle next_event;  // without replies; never() when only a reply can wake the SM
    bool has_ctas = false;
    bool drained = true;
    std::vector<sm::Sm::FinishedCta> finished;
  };

  void run_window(Cycle to);
  void run_sm(std::size_t i, Cycle to);
  void update_progress(std::size_t i);
  Cycle window_end() const;
  void exchange_packets(Cycle to);
  void synchronise(std::size_t sm);

  // engine_kernels.cc: the start and the end of launches.
  void start_queued();
  void queue_nested(Cycle until);
  void queue(QueuedKernel kernel);
  void start(QueuedKernel kernel);
  bool complete(const RunningKernel& k) const;
  void end_complete(std::vector<QueuedKernel>& ended);
  void end(RunningKernel& k, bool truncated);
  std::vector<QueuedKernel> truncate(const exec::StopRequest* stop);
  bool may_start(const QueuedKernel& kernel) const;
  int number_for(std::uint32_t program) const;
  CtaScheduler& cta_scheduler(int number);
  CtaScheduler& cooperative_scheduler(int number);
  void kernels_changed();
  sm::Sm::RepeatedCycles take_repeated_cycles();
  void record_first_warps();
  void attribute_memory();
  void attribute_policies(const sm::PolicyReport::Values& undivided, RunningKernel* ending);
  void end_share_epoch();
  void add_memory_figures(std::vector<SharedEpoch>& epochs);
  void set_quotas();

  // engine_ctas.cc: what CTA schedulers see and do.
  void begin_cta_scheduling(RunningKernel& k);
  void dispatch_ctas(Cycle to);
  void dispatch_ctas(RunningKernel& k, Cycle to);
  void place_cta(RunningKernel& k, const Placement& placement);
  void announce_last_cta(RunningKernel& k);
  void record_finished_ctas(std::size_t i);
  int room_for(const RunningKernel& k, std::size_t sm) const;
  bool can_start_cta(const RunningKernel& k, std::size_t sm) const;
  bool can_start_cta(std::size_t sm) const;
  void ask_cta_schedulers_again();

  std::optional<sm::CtaSharingStats> cta_sharing() const;  // of the kernel that began last
  // engine_epochs.cc: what CTA schedulers need to be counted, and what they ask of SMs.
  class CtaRequests;
  void count_for_cta_schedulers();
  CtaControl* cta_control(int number) const;
  void begin_epochs();
  void serve_cta_schedulers();
  void end_epoch();

  // engine_nested.cc: launches from kernels.
  void serve_device_calls();
  NestedLaunches* nested_of(const QueuedKernel& kernel) const;
  void resume_callers();
  void return_unstarted();
  std::string describe_unstarted() const;

  // engine_limits.cc: launches that are truncated or hang.
  bool reached(const Until& until) const;
  void finish_untimed(RunningKernel& k, const exec::StopRequest* stop);
  bool deadlocked() const;
  void start_hang_watch(RunningKernel& k);
  void look_for_hangs();
  std::string describe_warps(int max_warps) const;

  const config::GpuSpec& spec_;
  std::uint32_t programs_;  // that share the device
  std::vector<std::unique_ptr<mem::SmPort>> ports_;
  std::vector<QueuedKernel> queued_;                     // in the order in which they start
  std::multimap<Cycle, QueuedKernel> later_;             // nested launches whose time will come
  std::vector<NestedLaunches*> nested_;                  // by program
  std::vector<std::unique_ptr<RunningKernel>> running_;  // in the order in which they get CTAs
  std::vector<RunningKernel*> by_number_;                // null: the number is free
  std::unique_ptr<Atomics> atomics_;
  std::unique_ptr<mem::MemorySystem> memory_system_;
  // What the schedulers of several SMs share.
  std::shared_ptr<sched::SharedState> policy_state_ = std::make_shared<sched::SharedState>();
  std::vector<std::unique_ptr<sm::Sm>> sms_;
  std::vector<SmProgress> progress_;  // one per SM
  std::vector<Cycle> wake_cycle_;     // one per SM: its next event or reply, between windows
  // One per number of a running kernel; it goes on with the next kernel of that number.
  std::function<std::unique_ptr<CtaScheduler>()> make_cta_scheduler_;
  std::vector<std::unique_ptr<CtaScheduler>> cta_schedulers_;
  std::function<std::unique_ptr<CtaScheduler>()> make_cooperative_;
  std::vector<std::unique_ptr<CtaScheduler>> cooperative_schedulers_;
  std::vector<std::shared_ptr<CtaRequests>> cta_requests_;
  Needs needs_;  // of the CTA schedulers
  Cycle epoch_began_, next_epoch_ = Cycle::never();
  std::unique_ptr<ShareScheduler> share_;
  ShareNeeds share_needs_;
  Cycle share_epoch_began_, share_epoch_end_ = Cycle::never();  // while several kernels run
  std::uint64_t share_data_cycles_ = 0;                         // of the DRAM, at its start
  KernelWatcher* watcher_ = nullptr;
  AnalysisCache analyses_;

  Cycle now_;
  mem::MemoryStats memory_attributed_;  // the part of the memory's statistics that kernels have
  sm::PolicyReport::Values policies_attributed_;  // the same of the policies' counters
  sm::Sm::RepeatedCycles repeated_taken_;         // by take_repeated_cycles()
  std::uint64_t instructions_ended_ = 0;          // thread instructions of launches that have ended
  bool truncated_ = false, watches_first_warp_ = false;
  std::vector<int> free_slots_;  // scratch memory of dispatch_ctas
  std::vector<Placement> placements_;
  std::vector<Cycle> next_start_;  // by SM: the first cycle without a start in this window
  WorkBalance balance_;
  std::unique_ptr<WindowWork> work_;
  WorkerTeam team_;  // last: its threads use the other members
};

}  // namespace heddle::gpu
