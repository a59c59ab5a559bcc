// One streaming multiprocessor: everything between a CTA's arrival and its end. It shares nothing
// with other SMs; it talks to memory through its SmPort only.
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
#include "sm/instruction_timing.h"
#include "sm/sm_stats.h"
#include "sm/warp_scheduler.h"

namespace heddle::sm {

class SmObserver;

class Sm {
 public:
  // make_scheduler(scheduler index) builds the policy object of each hardware scheduler.
  using SchedulerFactory = std::function<std::unique_ptr<WarpScheduler>(int scheduler)>;

  Sm(int id, const config::GpuSpec& spec, mem::SmPort& port,
     const SchedulerFactory& make_scheduler);
  ~Sm();
  Sm(const Sm&) = delete;
  Sm& operator=(const Sm&) = delete;

  // A kernel begins: the SM is empty. `source` executes it; ctas_per_sm is its residency limit
  // here. Caches stay as they were (constant and instruction caches included); L1D is flushed at
  // kernel end when the machine says so, the texture cache always. timing: of the kernel's
  // instructions, when somebody keeps it for several SMs.
  void begin_kernel(const exec::Launch& launch, exec::InstructionSource& source, int ctas_per_sm,
                    Cycle now = {}, std::span<const InstructionTiming> timing = {});
  void end_kernel(Cycle now);
  void last_cta_dispatched(Cycle now = {});

  // Between windows: CTAs this SM has room for, counting those already queued; a CTA starts at
  // cycle `at` (inside the next window, one CTA per cycle).
  int free_cta_slots() const;
  void queue_cta(std::uint64_t cta_linear, Cycle at);

  // Simulates core cycles [from, to). Idle stretches are skipped and accounted in bulk.
  void run(Cycle from, Cycle to);

  // It will run soon: what every cycle reads may come into the host's caches, which the other SMs
  // have filled since.
  void prefetch() const;

  // Whether some policy of this SM subscribed to `event`.
  bool has_subscriber(Event event) const;
  // Who watches from now on; none by default.
  void observe(SmObserver* observer);

  // No CTA is resident or queued, and no request of this SM is unanswered (stores included).
  bool drained() const;
  // The first cycle >= from at which something here can change without a reply from memory; never()
  // when only a reply or a new CTA can wake it. Called between windows; the engine may jump there.
  Cycle next_event(Cycle from) const;

  const SmStats& stats() const;
  // What the SM's policies tell about themselves.
  void report(PolicyReport& into, Cycle now) const;
  // For a hang's diagnosis: each live warp's pc, source line, active lanes and what it waits for;
  // one line each. turning: warps of which it is known that they go round for ever.
  std::vector<std::string> describe_warps(WarpMask livelocked = {}) const;
  WarpMask live_warps() const;
  WarpMask warps_at_barrier() const;
  // The CTAs that are here, for those who carry the kernel on without this SM; and the numbers of
  // those that were about to start.
  std::vector<exec::StartedCta> started_ctas() const;
  std::vector<std::uint64_t> queued_ctas() const;
  // CTAs that finished since the last call: (linear id, start, end).
  struct FinishedCta {
    std::uint64_t cta;
    Cycle start, end;
  };
  std::vector<FinishedCta> take_finished_ctas();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Largest number of CTAs of a launch that one SM holds, and what limits it. schedulers.md 11.1.
struct Occupancy {
  int ctas = 0;
  int warps = 0;
  const char* limiter = "";
};
Occupancy occupancy(const config::GpuSpec& spec, const exec::Launch& launch,
                    std::uint32_t registers_per_thread);
// Registers per thread once the compiler has spilled what keeps a whole CTA from an SM: at most
// `live` of them.
std::uint32_t registers_after_spilling(const config::GpuSpec& spec, const exec::Launch& launch,
                                       std::uint32_t live);

}  // namespace heddle::sm
