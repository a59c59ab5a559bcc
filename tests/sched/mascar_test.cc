#include <gtest/gtest.h>

#include "sm/lsu/reexecution.h"
#include "sm/policy/mechanisms.h"
#include "tests/sched/issue_bench.h"
#include "tests/sched/sm_run.h"

namespace heddle::sched {
namespace {

constexpr sm::L1Pressure kCalm{32, 8}, kFull{0, 8};

// An SM that provides a re-execution queue only.
struct Machine final : sm::Mechanisms {
  void share_warps(const sm::WarpSharing&) override {}
  sm::ReexecutionQueue& reexecute_refused(std::uint32_t entries) override {
    if (!queue) queue.emplace(entries);
    return *queue;
  }
  mem::CriticalPartition* partition_l1(const mem::CriticalPartition::Options&,
                                       mem::CriticalityJudge&) override {
    return nullptr;
  }
  void refuse(WarpSlot w) { queue->put({{}, {{0, w}, 0}, {}, 0, false, isa::Space::global}); }
  std::optional<sm::ReexecutionQueue> queue;
  void track_loaded_registers() override {}
};

struct QueueBench {
  explicit QueueBench(const std::string& policy, int count) : bench(policy, warps(count)) {
    bench.policy().attach(machine);
    bench.policy().on_l1_pressure(kFull);
  }
  Machine machine;
  IssueBench bench;
};

// Every lane accesses a different line in a small L1, so that memory is saturated most of the time.
SmRun saturating(const std::string& policy) {
  SmRun run{policy, sm::test::gtx480(), {}, [](WarpSlot w, exec::Step& step) {
              for (std::size_t lane = 0; lane < kWarpSize; ++lane)
                step.addresses[lane] =
                    0xC0000000 +
                    128 * ((lane + static_cast<std::uint64_t>(w.index) * 16 + step.pc * 8) % 400);
            }};
  run.gpu.sm.l1d.mshr_entries = 16;
  for (std::uint16_t round = 0; round < 8; ++round) {
    run.code.push_back(sm::test::memory(isa::OpClass::load, isa::Space::global, {1},
                                        {static_cast<std::uint16_t>(10 + round)}));
    run.code.push_back(sm::test::make(isa::OpClass::alu, {1}, {2}));
    run.code.push_back(
        sm::test::make(isa::OpClass::alu, {static_cast<std::uint16_t>(10 + round)}, {3}));
    if (round % 4 != 1)
      run.code.push_back(sm::test::memory(isa::OpClass::store, isa::Space::global, {1, 2}, {}));
    if (round % 4 == 1) {
      run.code.push_back(sm::test::make(isa::OpClass::barrier));
      run.code.back().barrier = isa::BarrierOp::sync;
    }
  }
  run.code.push_back(sm::test::exit());
  return run;
}

}  // namespace

TEST(Mascar, PrefersMemoryInstructionsWhileMemoryIsNotSaturated) {
  IssueBench bench{"mascar", warps(4)};
  bench.policy().on_l1_pressure(kCalm);
  bench.long_heads(ready(2, 3));
  EXPECT_EQ(bench.issue(warps(4)), warp(2));
  EXPECT_EQ(bench.issue(warps(4)), warp(3));
  EXPECT_EQ(bench.issue(warps(4)), warp(2));
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(0));
}

TEST(Mascar, PrefersArithmeticAndHasOneOwnerWhileMemoryIsSaturated) {
  IssueBench bench{"mascar", warps(3)};
  bench.policy().on_l1_pressure(kFull);
  bench.long_heads(ready(0, 1));
  EXPECT_EQ(bench.issue(warps(3)), warp(2));
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(0));      // becomes the owner
  EXPECT_EQ(bench.issue(ready(1)), WarpSlot::none);  // not the owner
  EXPECT_EQ(bench.issue(ready(0, 1)), warp(0));
  bench.policy().on_l1_pressure(kCalm);
  EXPECT_EQ(bench.issue(ready(1)), warp(1));
}

TEST(Mascar, TheNextWarpBecomesOwnerWhenTheOwnerWaitsForItsData) {
  IssueBench bench{"mascar", warps(3)};
  bench.policy().on_l1_pressure(kFull);
  bench.long_heads(warps(3));
  EXPECT_EQ(bench.issue(warps(3)), warp(0));
  EXPECT_EQ(bench.issue(ready(1, 2)), WarpSlot::none);
  bench.wait_for_long(ready(0));
  EXPECT_EQ(bench.issue(ready(1, 2)), warp(1));
  EXPECT_EQ(bench.issue(ready(2)), WarpSlot::none);
}

TEST(Mascar, WithOrderGtoTheWarpThatIssuedLastComesFirst) {
  IssueBench bench{"mascar:order=gto", warps(3)};
  EXPECT_EQ(bench.issue(ready(1, 2)), warp(1));
  EXPECT_EQ(bench.issue(warps(3)), warp(1));
  EXPECT_EQ(bench.visited_before(warps(3), warp(2)), ready(0, 1));
  bench.exit(warp(1));
  bench.launch(warp(1));
  EXPECT_EQ(bench.issue(warps(3)), warp(0));
}

TEST(Mascar, AnOwnerIsReleasedAtABarrierAndAtItsEnd) {
  IssueBench bench{"mascar", warps(3)};
  bench.policy().on_l1_pressure(kFull);
  bench.long_heads(warps(3));
  EXPECT_EQ(bench.issue(ready(0)), warp(0));
  bench.enter_barrier(warp(0));
  EXPECT_EQ(bench.issue(ready(1)), warp(1));
  bench.exit(warp(1));
  EXPECT_EQ(bench.issue(ready(2)), warp(2));
}

TEST(Mascar, AnOwnerIsReleasedAfterGuardCyclesWithoutIssue) {
  IssueBench bench{"mascar:guard=5", warps(2)};
  bench.policy().on_l1_pressure(kFull);
  bench.long_heads(warps(2));
  EXPECT_EQ(bench.issue(warps(2)), warp(0));
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(bench.issue(ready(1)), WarpSlot::none);
    EXPECT_EQ(bench.policy().wake_at(bench.now()), Cycle{5});
  }
  EXPECT_EQ(bench.issue(ready(1)), warp(1));
  sm::PolicyReport report;
  bench.policy().report_statistics(report, bench.now());
  for (const auto& [name, value] : report.counters()) {
    if (name == "mascar.guard_releases") {
      EXPECT_EQ(value, 1u);
    }
  }
}

// Warp 0 misses, warp 1 hits, warp 2 computes.
TEST(Mascar, LoadsOfOtherWarpsMayHitWhileTheOwnerWaitsInTheQueue) {
  QueueBench b{"mascar", 3};
  b.bench.long_heads(ready(0, 1));
  EXPECT_EQ(b.bench.issue(warps(3)), warp(2));
  EXPECT_EQ(b.bench.issue(ready(0, 1)), warp(0));
  EXPECT_TRUE(b.machine.queue->may_miss(warp(0)));
  EXPECT_FALSE(b.machine.queue->may_miss(warp(1)));
  b.machine.refuse(warp(0));
  EXPECT_EQ(b.bench.issue(ready(1)), warp(1));
  b.bench.wait_for_long(ready(0));
  b.bench.idle(3);
  EXPECT_TRUE(b.machine.queue->may_miss(warp(0)));  // its access goes to memory first
  b.machine.queue->pop_accepted();
  b.bench.idle(1);
  EXPECT_FALSE(b.machine.queue->may_miss(warp(0)));
}

TEST(Mascar, AWarpWithAnEntryIssuesNoFurtherMemoryInstruction) {
  QueueBench b{"mascar:entries=2", 4};
  b.bench.long_heads(warps(4));
  EXPECT_EQ(b.bench.issue(ready(0)), warp(0));
  b.machine.refuse(warp(1));
  EXPECT_EQ(b.bench.issue(ready(1, 2)), warp(2));
  EXPECT_EQ(b.bench.issue(ready(1)), WarpSlot::none);
  EXPECT_EQ(b.bench.policy().wake_at(b.bench.now()), Cycle{1000});
  b.machine.refuse(warp(2));
  EXPECT_EQ(b.bench.policy().wake_at(b.bench.now()), b.bench.now());
  EXPECT_EQ(b.bench.issue(ready(2, 3)), WarpSlot::none);  // the queue is full
  b.machine.queue->pop_accepted();
  EXPECT_EQ(b.bench.policy().wake_at(b.bench.now()), b.bench.now());
  EXPECT_EQ(b.bench.issue(ready(3)), warp(3));
}

TEST(Mascar, AFullQueueReleasesAnOwnerWithoutAnEntry) {
  QueueBench b{"mascar:entries=1", 3};
  b.bench.long_heads(warps(3));
  EXPECT_EQ(b.bench.issue(ready(0)), warp(0));
  b.machine.refuse(warp(2));
  b.bench.idle(1);
  EXPECT_FALSE(b.machine.queue->may_miss(warp(0)));
  EXPECT_TRUE(b.machine.queue->may_miss(warp(2)));
}

TEST(Mascar, TheWarpAtTheHeadOfTheQueueIsTheNextOwner) {
  QueueBench b{"mascar", 4};
  b.bench.long_heads(warps(4));
  EXPECT_EQ(b.bench.issue(ready(0)), warp(0));
  b.machine.refuse(warp(3));
  b.bench.wait_for_long(ready(0));
  b.bench.idle(1);
  EXPECT_TRUE(b.machine.queue->may_miss(warp(3)));
  EXPECT_EQ(b.bench.issue(ready(1, 3)), warp(3));
  b.bench.policy().on_l1_pressure(kCalm);
  EXPECT_TRUE(b.machine.queue->may_miss(warp(1)));
}

TEST(Mascar, ItsQueueIsClosedWhileThePolicyIsSuspended) {
  QueueBench b{"mascar", 2};
  b.bench.policy().set_suspended(true);
  EXPECT_TRUE(b.machine.queue->closed());
  EXPECT_TRUE(b.machine.queue->may_miss(warp(1)));
  b.bench.policy().set_suspended(false);
  EXPECT_FALSE(b.machine.queue->may_miss(warp(1)));
}

TEST(Mascar, NeverSaturatesWithMoreMshrsThanItCanUse) {
  SmRun run = saturating("mascar");
  run.gpu.sm.l1d.mshr_entries = 4096;
  run.gpu.sm.l1d.miss_queue = 4096;
  for (const std::string policy : {"mascar", "mascar:reexec=off"}) {
    run.policy = policy;
    const SmOutcome out = run_on_sm(run);
    EXPECT_EQ(out.stats.hits_under_saturation, 0u) << policy;
    EXPECT_EQ(out.stats.slots[static_cast<std::size_t>(sm::SlotUse::throttled)], 0u) << policy;
  }
  EXPECT_GT(run_on_sm(saturating("mascar:reexec=off"))
                .stats.slots[static_cast<std::size_t>(sm::SlotUse::throttled)],
            0u);
}

TEST(Mascar, WithoutSchedAndReexecIsLooseRoundRobin) {
  EXPECT_EQ(all_of(run_on_sm(saturating("mascar:sched=off,reexec=off"))),
            all_of(run_on_sm(saturating("lrr"))));
}

TEST(Mascar, EveryVariantExecutesTheSameInstructionsAndAccesses) {
  const SmOutcome plain = run_on_sm(saturating("lrr"));
  for (const std::string policy :
       {"mascar", "mascar:sched=off", "mascar:reexec=off", "mascar:entries=1",
        "mascar:sat_margin=16", "mascar:order=gto", "mascar:sat_margin=256,entries=2",
        "mascar:sat_margin=256,entries=1", "ipaws:greedy=mascar", "ipaws:greedy=mascar_lrr"}) {
    const SmOutcome out = run_on_sm(saturating(policy));
    EXPECT_EQ(out.stats.thread_instructions, plain.stats.thread_instructions) << policy;
    EXPECT_EQ(out.stats.l1d.accesses, plain.stats.l1d.accesses) << policy;
    EXPECT_EQ(out.stats.ctas_finished, 6u) << policy;
  }
  EXPECT_GT(run_on_sm(saturating("mascar")).stats.hits_under_saturation, 0u);
}

TEST(Mascar, ReportsSaturatedCyclesAndSubscribesToEmptySlotsOnlyInThem) {
  IssueBench bench{"mascar", warps(2)};
  sm::WarpScheduler& policy = bench.policy();
  const auto has_subscriber = [&] {
    return policy.subscribed_events().contains(sm::Event::no_issue);
  };
  const auto saturated = [&](std::uint64_t now) {
    sm::PolicyReport report;
    policy.report_statistics(report, Cycle{now});
    std::uint64_t cycles = 0;
    for (const auto& [name, value] : report.counters())
      if (name == "mascar.saturated_cycles") cycles = value;
    return cycles;
  };
  EXPECT_FALSE(has_subscriber());
  EXPECT_TRUE(policy.on_l1_pressure({0, 8, Cycle{10}}));
  EXPECT_FALSE(policy.on_l1_pressure({1, 8, Cycle{12}}));  // changes nothing
  EXPECT_TRUE(has_subscriber());
  EXPECT_EQ(saturated(15), 5u);
  EXPECT_TRUE(policy.on_l1_pressure({32, 8, Cycle{20}}));
  EXPECT_FALSE(has_subscriber());
  EXPECT_EQ(saturated(30), 10u);
  EXPECT_TRUE(policy.on_l1_pressure({0, 8, Cycle{40}}));
  EXPECT_EQ(saturated(42), 12u);
}

}  // namespace heddle::sched
