// Runs launches on a GPU, timed: starts those that wait, gives them CTAs, advances SMs and memory
// system window by window, and ends launches. Its parts decide; the engine puts them in order.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/types.h"
#include "config/gpu_spec.h"
#include "exec/state/launch.h"
#include "gpu/cta/cta_policy.h"
#include "gpu/engine/cluster_network.h"
#include "gpu/engine/cta_dispatch.h"
#include "gpu/engine/cta_epochs.h"
#include "gpu/engine/device_calls.h"
#include "gpu/engine/hang_detection.h"
#include "gpu/engine/hardware.h"
#include "gpu/engine/kernel_ledger.h"
#include "gpu/engine/l2_warming.h"
#include "gpu/engine/launch_queue.h"
#include "gpu/engine/run_limits.h"
#include "gpu/engine/running_kernels.h"
#include "gpu/engine/share_epochs.h"
#include "gpu/engine/wave_sampling.h"
#include "gpu/engine/window_clock.h"
#include "gpu/share/share_policy.h"
#include "sched/catalogue.h"

namespace heddle::gpu {

class Engine {
 public:
  struct Policies {
    const sched::Policy& warps;
    const CtaPolicy& ctas;
    const SharePolicy& share;
  };
  Engine(const config::GpuSpec& spec, const Policies& policies, std::uint64_t seed,
         const WindowClock::Threads& threads, std::uint32_t programs = 1);

  // Queues a launch for the hardware. At most gpu.concurrent_kernels launches run at once; the
  // others wait, in the order of their priorities and of these calls. A nested launch is queued
  // when its time has come.
  void begin(QueuedKernel kernel) { queue_.add(std::move(kernel)); }
  bool busy() const { return !queue_.idle() || !running_.empty(); }
  bool busy(std::uint32_t program) const;
  // What serves the program's calls of CUDA's device runtime, until the next call.
  void set_nested(std::uint32_t program, NestedLaunches* nested) {
    device_calls_.set_program(program, nested);
  }
  // The programs that have not ended, for the share policy and for sampling.
  void set_programs(const std::vector<std::uint32_t>& present) {
    share_.programs_changed(present);
    waves_.set_programs(present);
  }

  // after_window is called after every window; it may be empty.
  using AfterWindow = std::function<void()>;
  // Runs until a launch has ended, or until a window ends at until.time or later. Returns the
  // launches that have ended, with the timed part of their results. Throws exec::Interrupted on a
  // stop request, exec::KernelFault on a hang. At a limit all launches that run are truncated:
  // their results hold what was timed, the rest has been computed without timing, and no other
  // launch can be timed.
  std::vector<QueuedKernel> advance(const Until& until, const AfterWindow& after_window);
  const RunningKernels& running() const { return running_; }

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
  void watch_first_warp() { ledger_.watch_first_warps(); }
  // When it is enabled, not all waves of the CTAs of a launch are timed (KernelResult::steady).
  WaveSampling& wave_sampling() { return waves_; }
  // Of a launch that is about to run functionally: the CTAs that warm the L2. None while launches
  // run.
  exec::LastCtas warming_ctas(const QueuedKernel& kernel, int ctas_per_sm) {
    return busy() ? exec::LastCtas{} : warming_.begin(kernel, ctas_per_sm);
  }

  Cycle now() const { return clock_.now(); }
  // Wall-clock time in which launches were finished without timing.
  std::chrono::steady_clock::duration untimed_time() const { return untimed_time_; }
  mem::MemorySystem& memory_system() { return hardware_.memory(); }
  const Hardware& hardware() const { return hardware_; }
  // Counters: since the device was built.
  sm::PolicyReport policy_report(sm::PolicyReport::Contents contents) const {
    return ledger_.policy_report(contents);
  }

 private:
  void release_nested(Cycle until);
  void start_queued();
  void start(QueuedKernel kernel);
  bool may_start(const QueuedKernel& kernel) const;
  Cycle window_end() const;
  void run_window(Cycle to);
  void end_complete(std::vector<QueuedKernel>& ended, const exec::StopRequest* stop);
  void end(RunningKernel& k, KernelLedger::End how);
  exec::FunctionalCounts finish(RunningKernel& k, const exec::StopRequest* stop,
                                const exec::LastCtas& last = {});
  void finish_omitted(RunningKernel& k, const exec::StopRequest* stop);
  std::vector<QueuedKernel> truncate(const exec::StopRequest* stop);

  RunningKernels running_;
  Hardware hardware_;
  WindowClock clock_;
  ClusterNetwork cluster_network_;
  LaunchQueue queue_;
  ShareEpochs share_;
  CtaDispatch dispatch_;
  CtaEpochs cta_epochs_;
  KernelLedger ledger_;
  HangDetection hangs_;
  DeviceCalls device_calls_;
  WaveSampling waves_;
  L2Warming warming_;
  KernelWatcher* watcher_ = nullptr;
  bool truncated_ = false;
  std::chrono::steady_clock::duration untimed_time_{};
};

}  // namespace heddle::gpu
