// The parts of an SM and how they meet. sm.cc advances them; sm_issue.cc carries out what the
// schedulers decide; sm_cta.cc keeps the books of CTAs and warps.
#pragma once

#include <array>
#include <vector>

#include "sm/address_space.h"
#include "sm/async_copies.h"
#include "sm/barrier.h"
#include "sm/fetch.h"
#include "sm/issue.h"
#include "sm/load_store_unit.h"
#include "sm/loop_tracker.h"
#include "sm/mechanisms.h"
#include "sm/memory_issue.h"
#include "sm/observer.h"
#include "sm/operand_collector.h"
#include "sm/pipeline.h"
#include "sm/sm.h"
#include "sm/warp_table.h"

namespace heddle::sm {

struct Sm::Impl final : LsuListener, Issuer, mem::CacheListener, Mechanisms {
  Impl(int id, const config::GpuSpec& spec, mem::SmPort& port,
       const SchedulerFactory& make_scheduler);

  // sm.cc: time.
  void run(Cycle from, Cycle to);
  void cycle(Cycle now);
  void take_reply(Cycle now);
  void notify_l1_pressure(Cycle at);
  void skip(Cycle from, std::uint64_t cycles);
  void count_cycles(Cycle from, std::uint64_t cycles);
  void report_passed_cycles(Cycle first, std::uint64_t cycles);
  bool core_may_rest() const;
  bool core_still_rests(Cycle now) const;
  bool lsu_can_be_fed() const;
  bool lsu_rests(Cycle now) const;
  Cycle next_event(Cycle from) const;
  bool drained() const;
  void collect_stats();

  // sm_issue.cc: what an instruction does when it issues and when it ends.
  void issue(WarpSlot w, int scheduler, int through, Cycle now) override;
  void track_control(WarpSlot w, Pc pc, Cycle now);
  void track_loops(WarpSlot w, Pc pc);
  void reach_barrier(WarpSlot w);
  void open_barrier(int cta, const BarrierUnit::Release& release);
  void finish_memory_barrier(WarpSlot w);
  void wait_for_copies(WarpSlot w, const ptx::Instruction& i);
  void finish_waiting_for_copies(WarpSlot w);
  void end_warp(WarpSlot w);
  void complete(OpId id) override;
  void stores_changed(WarpSlot w, std::int32_t sectors) override;
  void reexecution_changed() override { disturbed = true; }
  void l1_accessed(WarpSlot warp, Pc pc, Address address, bool load,
                   const mem::Access& access) override;
  void on_eviction(const mem::Eviction& eviction) override;

  // sm.cc: what policies ask for.
  void share_warps(SharingRule rule, std::uint32_t penalty_cycles) override {
    schedulers.share_warps(rule);
    collector.delay_foreign(penalty_cycles);
  }
  ReexecutionQueue& reexecute_refused(std::uint32_t entries) override {
    return lsu.reexecute_refused(entries);
  }
  mem::CriticalPartition* partition_l1(const mem::CriticalPartition::Options& options,
                                       mem::CriticalityJudge& judge) override;

  // sm_cta.cc: CTAs.
  void begin_kernel(const exec::Launch& launch, exec::InstructionSource& source, int ctas_per_sm,
                    Cycle now, std::span<const InstructionTiming> known_timing);
  void divide_unified_memory(std::uint64_t shared_bytes);
  void start_cta(std::uint64_t linear, Cycle now);
  void start_warp(WarpSlot w, int cta);
  void warp_done(WarpSlot w, Cycle now);
  std::vector<std::string> describe_warps(WarpMask turning) const;
  std::vector<exec::StartedCta> started_ctas() const;

  struct Cta {
    std::uint64_t linear = 0;
    Cycle start;
    int warps_left = 0;
    bool resident = false;
  };
  struct QueuedCta {
    std::uint64_t linear;
    Cycle at;
  };

  const int id;
  const config::GpuSpec spec;
  mem::SmPort& port;
  SmStats stats;
  OpPool pool;
  WarpTable warps;
  LatchSets issued, gathered;  // before the collectors; before the units
  OperandCollector collector;
  ExecutionUnits units;
  LoadStoreUnit lsu;
  FrontEnd front;
  IssueStage schedulers;
  MemoryIssue memory;
  BarrierUnit barriers;
  AsyncCopies copies;

  exec::InstructionSource* source = nullptr;
  const ptx::Kernel* kernel = nullptr;
  std::vector<InstructionTiming> own_timing;  // when nobody keeps it for several SMs
  std::span<const InstructionTiming> timing;
  exec::Step step;
  std::uint64_t next_sequence = 0;
  std::uint32_t next_age = 0;
  int warps_per_cta = 1, resident_ctas = 0;
  std::vector<Cta> ctas;          // by slot
  std::vector<QueuedCta> queued;  // in order of start
  std::vector<FinishedCta> finished;
  LoopTracker loops;  // for loop events
  SmObserver* observer = nullptr;
  Cycle clock;                  // the cycle that runs, or ran last
  L1Pressure pressure{-1, -1};  // as last told
  bool core_rests = false;      // all but the load/store unit is stuck until something disturbs it
  bool disturbed = false;       // since the last whole cycle
  bool resting = true;          // nothing will move before next_event()
};

}  // namespace heddle::sm
