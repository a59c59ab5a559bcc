// Warp sharing (kaws): a warp may issue through another scheduler of its SM.
#include <gtest/gtest.h>

#include "sm/issue/issue.h"
#include "tests/sched/issue_bench.h"
#include "tests/sched/sm_run.h"
#include "tests/sm/guided_bench.h"

namespace heddle::sched {
namespace {

using isa::OpClass;
using isa::Space;
using sm::UnitClass;

config::SmSpec four_sub_cores() {
  config::SmSpec spec;
  spec.schedulers = 4;
  spec.sub_cores = true;
  spec.register_banks = 16;
  spec.sp_collectors = spec.sfu_collectors = spec.mem_collectors = {4, 4, 4};
  spec.generic_collectors.units = 0;
  return spec;
}

// The issue stage of an SM with four schedulers, each with latches and operand collectors of its
// own.
class SharingBench final : sm::Mechanisms, sm::Issuer {
 public:
  using Policies = std::vector<std::unique_ptr<sm::WarpScheduler>>;
  explicit SharingBench(const std::string& policy) : SharingBench(policies_of(policy)) {}
  explicit SharingBench(Policies policies) {
    for (std::size_t u = 0; u < sm::kUnitClasses; ++u) latches_.build(u, sm::LatchSet(4, true));
    policies_.emplace(std::move(policies));
    stage_.emplace(0, spec_, *policies_, table_, latches_);
    stage_->count_for(kernel_, false);
    policies_->attach(*this);
    for (std::uint32_t w = 0; w < kMaxWarpsPerSm; ++w) table_.age[w] = w;
  }
  // A ready warp whose next instruction needs this unit.
  void warp(int slot, UnitClass unit) {
    const WarpSlot w(slot);
    kernel_.timing = timing_.data();
    sm::Warp& warp = table_[w];
    warp.kernel = &kernel_;
    warp.buffered = 1;
    warp.buffer[0] = warp.next_pc = static_cast<Pc>(index(unit));
    table_.live.set(w);
    table_.refresh(w);
  }
  void age(int slot, std::uint32_t age) { table_.age[static_cast<std::size_t>(slot)] = age; }
  // The scheduler's operand collector of this unit holds an instruction; its latch is free.
  void occupy_collector(UnitClass unit, int scheduler) {
    occupy_latch(unit, scheduler);
    collector_.step(Cycle{now_});
    EXPECT_TRUE(latches_[static_cast<std::size_t>(index(unit))].has_room(scheduler));
  }
  void occupy_latch(UnitClass unit, int scheduler) {
    const sm::OpId id = pool_.take();
    pool_[id] = sm::Op{};
    pool_[id].timing = &timing_[static_cast<std::size_t>(index(unit))];
    pool_[id].scheduler = pool_[id].home = static_cast<std::uint8_t>(scheduler);
    pool_[id].sequence = id;
    latches_.put(static_cast<std::size_t>(index(unit)), id, scheduler);
  }
  // Only the latches and collectors of the schedulers `free` are free for this unit.
  void only_free(UnitClass unit, std::vector<int> free) {
    const auto each = [&](auto&& occupy) {
      for (int s = 0; s < 4; ++s)
        if (std::find(free.begin(), free.end(), s) == free.end()) occupy(s);
    };
    each([&](int s) { occupy_collector(unit, s); });
    each([&](int s) { occupy_latch(unit, s); });
  }
  struct Issued {
    int warp, through;
    friend bool operator==(const Issued&, const Issued&) = default;
  };
  std::vector<Issued> cycle() {
    issued_.clear();
    stage_->cycle(Cycle{now_++}, *this);
    return issued_;
  }
  sm::SmStats& stats = kernel_.stats;

 private:
  static Policies policies_of(const std::string& policy) {
    PolicyContext context;
    context.schedulers = 4;
    context.in_sm = std::make_shared<SharedState>();
    const auto parsed = parse_policy(policy);
    Policies policies;
    for (context.scheduler = 0; context.scheduler < 4; ++context.scheduler)
      policies.push_back(parsed->build(context));
    return policies;
  }
  void share_warps(const sm::WarpSharing& sharing) override {
    stage_->share_warps(sharing, collector_);
  }
  sm::ReexecutionQueue& reexecute_refused(std::uint32_t) override {
    throw std::logic_error("not asked for");
  }
  mem::CriticalPartition* partition_l1(const mem::CriticalPartition::Options&,
                                       mem::CriticalityJudge&) override {
    return nullptr;
  }
  void track_loaded_registers() override {}
  void issue(WarpSlot warp, int scheduler, int through, Cycle) override {
    EXPECT_EQ(scheduler, warp.index % 4);
    issued_.push_back({warp.index, through});
    occupy_latch(table_.timing_of(warp).unit, through);
  }
  const config::SmSpec spec_ = four_sub_cores();
  sm::KernelContext kernel_;
  // Instruction u needs unit class u.
  std::array<sm::InstructionTiming, sm::kUnitClasses> timing_ = [] {
    std::array<sm::InstructionTiming, sm::kUnitClasses> timing{};
    for (std::size_t u = 0; u < timing.size(); ++u) {
      timing[u].unit = static_cast<UnitClass>(u);
      timing[u].kinds = static_cast<std::uint8_t>(1u << u);
    }
    return timing;
  }();
  sm::WarpTable table_{kMaxWarpsPerSm};
  sm::OpPool pool_;
  sm::LatchSets latches_, units_;  // units_: without latches, so that collectors stay occupied
  sm::RegisterBanks registers_{spec_};
  sm::OperandCollector collector_{spec_, pool_, registers_, latches_, units_};
  std::optional<sm::WarpSchedulers> policies_;
  std::optional<sm::IssueStage> stage_;
  std::vector<Issued> issued_;
  std::uint64_t now_ = 0;
};

using Pairs = std::vector<SharingBench::Issued>;

// The paper's figure 3: no scheduler can issue a warp of its own.
void set_figure_3(SharingBench& bench) {
  for (const int slot : {0, 4, 6, 3, 7}) bench.warp(slot, UnitClass::mem);
  for (const int slot : {1, 2}) bench.warp(slot, UnitClass::sp);
  bench.warp(5, UnitClass::sfu);
  bench.only_free(UnitClass::mem, {1});
  bench.only_free(UnitClass::sfu, {2});
  bench.only_free(UnitClass::sp, {3});
}

// Vetoes every warp, shares all, and keeps which were ready in a slot that it lost.
class Veto final : public sm::WarpScheduler {
 public:
  explicit Veto(WarpMask& ready) : ready_(ready) {}
  void attach(sm::Mechanisms& machine) override { machine.share_warps({}); }
  sm::EventSet subscribed_events() const override { return sm::Event::no_issue; }
  WarpSlot pick(const sm::IssueView&) override { return {}; }
  void on_no_issue(const sm::NoIssue& event) override { ready_ = event.view.ready; }

 private:
  WarpMask& ready_;
};

config::GpuSpec sub_cores(std::uint32_t schedulers) {
  config::GpuSpec gpu = sm::test::gtx480();
  gpu.sm.schedulers = schedulers;
  gpu.sm.sub_cores = true;
  gpu.sm.units = gpu.sm.issue_latches =
      gpu.sm.dispatch_latches = {schedulers, 0, 0, schedulers, 1, 0};
  gpu.sm.issue_latches.mem = gpu.sm.dispatch_latches.mem = schedulers;
  gpu.sm.sp_collectors = gpu.sm.sfu_collectors =
      gpu.sm.mem_collectors = {schedulers, schedulers, schedulers};
  gpu.sm.writeback_latches = 8;
  gpu.sm.perfect_instruction_cache = true;
  return gpu;
}

// Warps that use the SFU alternate with others in slot order, so the schedulers' units are used
// unevenly.
SmRun uneven(const std::string& policy, std::uint32_t schedulers) {
  SmRun run{policy, sub_cores(schedulers), {}, {}};
  for (int round = 0; round < 10; ++round) {
    const auto r = static_cast<std::uint16_t>(4 + round);
    run.code.push_back(sm::test::make(OpClass::sfu, {1}, {r}));
    run.code.push_back(sm::test::make(OpClass::sfu, {2}, {static_cast<std::uint16_t>(r + 20)}));
    if (round % 3 == 0)
      run.code.push_back(sm::test::memory(OpClass::load, Space::global, {1}, {2}));
    run.code.push_back(sm::test::make(OpClass::fp_mad, {2, r}, {1}));
  }
  run.code.push_back(sm::test::exit());
  return run;
}

}  // namespace

TEST(WarpSharing, SolvesThePapersFigure3) {
  for (const std::string policy : {"kaws", "kaws:share_moment=after_issue"}) {
    SharingBench bench{policy};
    set_figure_3(bench);
    const Pairs issued = bench.cycle();
    EXPECT_EQ(issued.size(), 3u) << policy;
    for (const SharingBench::Issued expected : Pairs{{0, 1}, {5, 2}, {1, 3}})
      EXPECT_TRUE(std::find(issued.begin(), issued.end(), expected) != issued.end())
          << policy << expected.warp;
    EXPECT_EQ(bench.stats.shared_issues, 3u);
    EXPECT_EQ(bench.stats.slots[static_cast<std::size_t>(sm::SlotUse::issued)], 3u);
    EXPECT_EQ(bench.stats.slots[static_cast<std::size_t>(sm::SlotUse::pipeline)],
              1u);  // the scheduler without a shared warp
  }
}

// Scheduler 0 has two memory instructions and a free collector. One of them issues.
TEST(WarpSharing, AWarpThatLosesArbitrationIsNotStalled) {
  for (const bool before : {true, false}) {
    SharingBench bench{before ? "kaws:share=any_free"
                              : "kaws:share=any_free,share_moment=after_issue"};
    bench.warp(0, UnitClass::mem);
    bench.warp(4, UnitClass::mem);
    EXPECT_EQ(bench.cycle(), before ? (Pairs{{0, 0}}) : (Pairs{{0, 0}, {4, 1}})) << before;
    EXPECT_EQ(bench.stats.shared_issues, before ? 0u : 1u);
  }
}

// Scheduler 0's collector is occupied and its latch free. By section 3 of the paper its warp is
// stalled.
TEST(WarpSharing, ReadsTheCollectorsInsteadOfTheLatches) {
  for (const bool before : {true, false}) {
    SharingBench bench{before ? "kaws" : "kaws:share_moment=after_issue"};
    bench.warp(0, UnitClass::mem);
    for (const int s : {0, 2, 3}) bench.occupy_collector(UnitClass::mem, s);
    EXPECT_EQ(bench.cycle(), before ? (Pairs{{0, 1}}) : (Pairs{{0, 0}})) << before;
  }
}

TEST(WarpSharing, CountsFreeCollectorsInsteadOfFreeLatches) {
  SharingBench bench{"kaws"};
  bench.warp(0, UnitClass::mem);
  bench.occupy_collector(UnitClass::mem, 0);
  bench.occupy_latch(UnitClass::mem, 0);
  for (const int s : {2, 3}) bench.occupy_latch(UnitClass::mem, s);
  EXPECT_EQ(bench.cycle(), Pairs{});  // the collectors 1 to 3 are free
}

TEST(WarpSharing, ATakenLatchCountsAsATakenCollectorOnRequest) {
  SharingBench bench{"kaws:share_latch=yes"};
  bench.warp(0, UnitClass::mem);
  for (const int s : {0, 2, 3}) bench.occupy_latch(UnitClass::mem, s);
  EXPECT_EQ(bench.cycle(), (Pairs{{0, 1}}));
}

TEST(WarpSharing, ItsOwnSchedulerIssuesTheNextWarpInTheSameCycle) {
  SharingBench bench{"kaws"};
  bench.warp(0, UnitClass::mem);
  bench.warp(4, UnitClass::mem);
  for (const int s : {0, 2, 3}) bench.occupy_collector(UnitClass::mem, s);
  EXPECT_EQ(bench.cycle(), (Pairs{{0, 1}, {4, 0}}));
  EXPECT_EQ(bench.stats.slots[static_cast<std::size_t>(sm::SlotUse::issued)], 2u);
  EXPECT_EQ(bench.stats.slots[static_cast<std::size_t>(sm::SlotUse::idle)], 2u);
}

// The policy picked among the warps that had not been shared in this cycle.
TEST(WarpSharing, ALostSlotShowsAllReadyWarps) {
  std::array<WarpMask, 4> ready;
  SharingBench::Policies policies;
  for (WarpMask& one : ready) policies.push_back(std::make_unique<Veto>(one));
  SharingBench bench{std::move(policies)};
  bench.warp(0, UnitClass::mem);
  bench.warp(4, UnitClass::mem);
  for (const int s : {0, 2, 3}) bench.occupy_collector(UnitClass::mem, s);
  EXPECT_EQ(bench.cycle(), (Pairs{{0, 1}}));
  EXPECT_EQ(ready[0], WarpMask{0b10001});
}

TEST(WarpSharing, ASchedulerAcceptsOneWarpPerCycle) {
  SharingBench bench{"kaws"};
  bench.warp(0, UnitClass::sp);
  bench.warp(4, UnitClass::mem);
  bench.only_free(UnitClass::mem, {1});
  bench.only_free(UnitClass::sp, {1});
  EXPECT_EQ(bench.cycle(), (Pairs{{0, 1}}));
}

TEST(WarpSharing, SharingOffIssuesNothingInFigure3) {
  SharingBench bench{"kaws:sharing=off"};
  set_figure_3(bench);
  EXPECT_TRUE(bench.cycle().empty());
  EXPECT_EQ(bench.stats.slots[static_cast<std::size_t>(sm::SlotUse::pipeline)], 4u);
}

TEST(WarpSharing, IssuesTheOldestWarp) {
  SharingBench bench{"kaws"};
  bench.warp(0, UnitClass::mem);
  bench.warp(2, UnitClass::mem);
  bench.age(0, 70);
  bench.only_free(UnitClass::mem, {1});
  EXPECT_EQ(bench.cycle(), (Pairs{{2, 1}}));
}

TEST(WarpSharing, NeedsExactlyOneFreeSchedulerUnlessShareIsAnyFree) {
  for (const bool any : {false, true}) {
    SharingBench bench{any ? "kaws:share=any_free" : "kaws"};
    bench.warp(0, UnitClass::mem);
    bench.only_free(UnitClass::mem, {1, 3});
    EXPECT_EQ(bench.cycle(), any ? (Pairs{{0, 1}}) : Pairs{});
  }
}

TEST(WarpSharing, DoesNotUseASchedulerThatHasIssued) {
  for (const std::string policy : {"kaws", "kaws:share=any_free"}) {
    SharingBench bench{policy};
    bench.warp(0, UnitClass::mem);
    bench.warp(1, UnitClass::sp);
    bench.only_free(UnitClass::mem, {1});
    EXPECT_EQ(bench.cycle(), (Pairs{{1, 1}})) << policy;
    EXPECT_EQ(bench.stats.shared_issues, 0u);
  }
}

TEST(WarpSharing, DoesNotIssueAWarpThatALimiterVetoes) {
  for (const std::string policy : {"swl:warps=1+kaws", "swl:warps=2+kaws"}) {
    SharingBench bench{policy};
    bench.warp(3, UnitClass::sp);
    bench.warp(4, UnitClass::mem);
    bench.only_free(UnitClass::mem, {1});
    bench.only_free(UnitClass::sp, {});
    const bool vetoed = policy == "swl:warps=1+kaws";
    EXPECT_EQ(bench.cycle(), vetoed ? Pairs{} : (Pairs{{4, 1}})) << policy;
  }
}

TEST(WarpSharing, ReducesPipelineStallsWhenUnitsAreUsedUnevenly) {
  SmRun run = uneven("kaws:sharing=off", 4);
  run.warps = 5;
  const SmOutcome without = run_on_sm(run);
  run.policy = "kaws:share=any_free";
  const SmOutcome with = run_on_sm(run);
  EXPECT_GT(with.stats.shared_issues, 0u);
  EXPECT_EQ(without.stats.shared_issues, 0u);
  EXPECT_EQ(with.stats.thread_instructions, without.stats.thread_instructions);
  EXPECT_LT(with.stats.slots[static_cast<std::size_t>(sm::SlotUse::pipeline)],
            without.stats.slots[static_cast<std::size_t>(sm::SlotUse::pipeline)]);
}

TEST(WarpSharing, APenaltySlowsSharedInstructionsOnly) {
  SmRun run = uneven("kaws:share=any_free", 4);
  run.warps = 5;
  const SmOutcome free = run_on_sm(run);
  run.policy = "kaws:share=any_free,share_penalty=20";
  const SmOutcome dear = run_on_sm(run);
  EXPECT_GT(dear.cycles, free.cycles);
  EXPECT_GT(dear.stats.shared_issues, 0u);
  EXPECT_EQ(dear.stats.thread_instructions, free.stats.thread_instructions);
  run.policy = "kaws:sharing=off,share_penalty=20";
  const SmOutcome alone = run_on_sm(run);
  run.policy = "kaws:sharing=off";
  EXPECT_EQ(all_of(alone), all_of(run_on_sm(run)));
}

TEST(WarpSharing, WorksBetweenTheSubCoresOfACompilerGuidedCore) {
  SmRun run = uneven("kaws:share=any_free", 4);
  run.gpu = sm::test::guided(4);
  run.warps = 5;
  const SmOutcome shared = run_on_sm(run);
  EXPECT_GT(shared.stats.shared_issues, 0u);
  EXPECT_EQ(shared.stats.control_violations, 0u);
  run.policy = "kaws:sharing=off";
  EXPECT_EQ(shared.stats.thread_instructions, run_on_sm(run).stats.thread_instructions);
}

TEST(WarpSharing, DoesNothingWithOneScheduler) {
  EXPECT_EQ(all_of(run_on_sm(uneven("kaws", 1))), all_of(run_on_sm(uneven("kaws:sharing=off", 1))));
}

TEST(WarpSharing, WithoutSharingAndOrderKawsIsOldestFirst) {
  EXPECT_EQ(all_of(run_on_sm(uneven("kaws:order=off,sharing=off", 4))),
            all_of(run_on_sm(uneven("oldest", 4))));
}

}  // namespace heddle::sched
