// One streaming multiprocessor (SM). It shares nothing with other SMs and exchanges packets with
// the memory system through its SmPort only. src/sm/README.md lists its parts.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/types.h"
#include "config/gpu_spec.h"
#include "exec/state/launch.h"
#include "mem/sm_port.h"
#include "sm/count/cta_sharing.h"
#include "sm/count/sm_stats.h"
#include "sm/lsu/remote_unit.h"
#include "sm/policy/warp_scheduler.h"
#include "sm/warp/cta_counters.h"
#include "sm/warp/instruction_timing.h"
#include "sm/warp/kernel_context.h"
#include "sm/windowed_sm.h"

namespace heddle::sm {

class SmObserver;

// How a kernel runs on an SM.
struct KernelPlace {
  int number = 0;  // among the kernels that run on the GPU
  std::uint32_t registers_per_thread = 0;
  // Of the kernel's instructions, when the caller keeps it for several SMs.
  std::span<const InstructionTiming> timing = {};
  // What policies learn of the launch (KernelEvent).
  analysis::LaunchAnalysis* analysis = nullptr;
  analysis::Direction cta_direction = analysis::Direction::none;
};

class Sm final : public WindowedSm {
 public:
  // make_scheduler(index) builds the policy of each hardware scheduler.
  using SchedulerFactory = std::function<std::unique_ptr<WarpScheduler>(int scheduler)>;

  Sm(int id, const config::GpuSpec& spec, mem::SmPort& port,
     const SchedulerFactory& make_scheduler);
  ~Sm() override;
  Sm(const Sm&) = delete;
  Sm& operator=(const Sm&) = delete;

  // A kernel begins, alone or beside others. `source` executes the instructions; ctas_per_sm is the
  // limit of resident CTAs. Caches keep their contents across kernels, with two exceptions at a
  // kernel's end: the texture cache is emptied, and the L1D where flush_l1d_at_kernel_end is set,
  // unless CTAs of other kernels are resident.
  void begin_kernel(const exec::Launch& launch, exec::InstructionSource& source, int ctas_per_sm,
                    Cycle now = {}, const KernelPlace& place = {});
  // The kernel's code comes into the instruction cache, without time. Returns its address.
  std::uint64_t warm_code(const isa::Kernel& kernel, AddressSpace space);
  // None of its CTAs is resident or queued.
  void end_kernel(Cycle now, int kernel = 0);
  void last_cta_dispatched(Cycle now = {}, int kernel = 0);

  // Between windows: how many CTAs of the kernel fit beside those that are resident or queued. A
  // queued CTA starts in cycle `at` (inside the next window, one CTA per cycle).
  int free_cta_slots(int kernel = 0) const;
  void queue_cta(std::uint64_t cta_linear, Cycle at, int kernel = 0);
  // CTAs of the kernel that are resident or queued.
  int ctas(int kernel) const;
  bool has_ctas() const override;

  void run(Cycle from, Cycle to) override;
  void prefetch() const override;

  // Whether a policy of this SM subscribed to `event`.
  bool has_subscriber(Event event) const;
  // The observer from now on; null for none.
  void observe(SmObserver* observer);
  // Counts which CTAs share lines, from the next kernel on.
  void watch_cta_sharing();

  bool drained() const override;
  Cycle next_event(Cycle from) const override;

  // Since the SM was built.
  SmStats stats() const;
  // Of the kernel, which has begun and has not ended, since it began.
  SmStats kernel_stats(int kernel) const;
  std::uint64_t thread_instructions() const;  // of stats()
  // How much the cycles of kernel_stats() of all kernels exceed those of stats(), because cycles
  // with CTAs of several kernels count for each of them.
  CycleStats repeated_cycles() const;
  // Of the kernel that began last; null unless it is counted.
  const CtaSharingStats* cta_sharing() const;
  // The statistics of the SM's policies.
  void report(PolicyReport& into, Cycle now) const;
  // For the diagnosis of a hang, one line for each resident warp: pc, source line, active lanes and
  // what it waits for. livelocked: warps that are known to repeat the same state for ever.
  std::vector<std::string> describe_warps(WarpMask livelocked = {}) const;  // of all kernels
  WarpMask live_warps(int kernel = 0) const;
  WarpMask warps_at_barrier(int kernel = 0) const;
  // The resident CTAs and the linear ids of the queued CTAs, for the functional execution of the
  // rest of the kernel.
  std::vector<exec::StartedCta> started_ctas(int kernel = 0) const;
  std::vector<std::uint64_t> queued_ctas(int kernel = 0) const;
  std::vector<FinishedCta> take_finished_ctas() override;

  // For share policies, between windows. After so many warp instructions the kernel's warps do not
  // issue until it gets its next quota: by this call, or when all kernels with CTAs on the SM have
  // used theirs. kNoQuota: no limit.
  static constexpr std::uint64_t kNoQuota = KernelContext::kNoQuota;
  void set_quota(int kernel, std::uint64_t instructions);
  struct Issued {
    std::uint64_t warp_instructions, thread_instructions;
  };
  Issued issued(int kernel) const;  // since the kernel began

  // Between windows, after run() up to this cycle: warps whose calls of the device runtime have
  // returned continue.
  void resume_calls();

  // For the network of a GPC, between windows: the accesses to other CTAs of a cluster that have
  // left since the last call, their answers in order of time, and the barrier of the cluster that
  // opens for a CTA in cycle `at`.
  std::vector<RemoteRequest> take_remote_requests();
  void answer_remote(const RemoteRequest& request, Cycle at);
  void open_cluster_barrier(std::uint64_t cta, Cycle at, int kernel);

  // For CTA schedulers. What they need counted is said once, before the first kernel.
  void count(const CtaCounting& wanted);
  // Between windows, after run() up to this cycle: the warps of a paused CTA do not issue until it
  // resumes. A CTA that is not resident is ignored. When all resident CTAs are paused the oldest
  // resumes, so that an SM with CTAs always has one that runs.
  void set_paused(std::uint64_t cta, bool paused, int kernel = 0);
  std::vector<ResidentCta> resident_ctas(int kernel = 0) const;  // by start
  WarpStates take_warp_states();                                 // since the last call

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heddle::sm
