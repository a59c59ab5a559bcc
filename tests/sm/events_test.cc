// The events that policies receive, and what they can read in them.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/sm/bench.h"

namespace heddle::sm::test {
namespace {

using isa::OpClass;
using isa::Space;

struct Log {
  std::vector<L1Access> accesses;
  std::vector<L1Evict> evictions;
  std::vector<L1Pressure> pressures;
  std::vector<Coalesced> coalesced;
  std::vector<WarpEvent> warps;
  std::uint64_t no_issue_cycles = 0, pipeline_with_candidate = 0, pipeline = 0;
  std::uint64_t contradictions = 0;  // lost slots whose use is not that of the view
  int second_issue_questions = 0;
  int picks_to_veto = 0;
  std::uint64_t l1_loads_seen = 0;  // picks in which a warp's head is an L1 load
};

class Listener final : public RoundRobin {
 public:
  explicit Listener(Log& log, bool allows_second = true)
      : log_(log), allows_second_(allows_second) {}
  EventSet subscribed_events() const override {
    using E = Event;
    return E::issue | E::no_issue | E::coalesced | E::l1_access | E::l1_evict | E::l1_pressure |
           E::warp;
  }
  WarpSlot pick(const IssueView& view) override {
    log_.l1_loads_seen += view.head_is_load.any();
    if (log_.picks_to_veto > 0) return --log_.picks_to_veto, WarpSlot{};
    return RoundRobin::pick(view);
  }
  bool may_issue_second(WarpSlot, const isa::Instruction&) override {
    ++log_.second_issue_questions;
    return allows_second_;
  }
  void on_no_issue(const NoIssue& e) override {
    log_.no_issue_cycles += e.cycles;
    log_.contradictions += e.reason != use_of(e.view);
    if (e.reason != SlotUse::pipeline) return;
    log_.pipeline += e.cycles;
    if (e.view.oldest(e.view.ready & ~e.view.issuable)) log_.pipeline_with_candidate += e.cycles;
  }
  Cycle wake_at(Cycle now) const override { return now; }
  // The use of a slot of a policy that picks what it can, by its view.
  static SlotUse use_of(const IssueView& v) {
    if (v.issuable.any()) return SlotUse::throttled;
    if (v.ready.any()) return SlotUse::pipeline;
    if (v.valid.any()) return SlotUse::scoreboard;
    if (v.live.none()) return SlotUse::idle;
    if ((v.live & ~v.waiting).any()) return SlotUse::instruction_buffer_empty;
    return SlotUse::barrier;
  }
  void on_l1_access(const L1Access& e) override { log_.accesses.push_back(e); }
  void on_l1_evict(const L1Evict& e) override { log_.evictions.push_back(e); }
  bool on_l1_pressure(const L1Pressure& e) override { return log_.pressures.push_back(e), false; }
  void on_coalesced(const Coalesced& e) override { log_.coalesced.push_back(e); }
  void on_warp(const WarpEvent& e) override { log_.warps.push_back(e); }

 private:
  Log& log_;
  bool allows_second_;
};

config::GpuSpec quick() {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  return g;
}

// Each lane accesses another line: 32 accesses per instruction.
Script::Behave scattered(std::uint64_t stride_of_warps) {
  return [=](WarpSlot w, exec::Step& step) {
    for (std::size_t lane = 0; lane < kWarpSize; ++lane)
      step.addresses[lane] =
          0xC0000000 +
          (lane + static_cast<std::uint64_t>(w.index) * stride_of_warps + 64 * step.pc) * 128;
  };
}

Log run(std::vector<isa::Instruction> code, Script::Behave behave, int warps, config::GpuSpec g,
        SmStats* stats = nullptr, bool allows_second = true, int picks_to_veto = 0) {
  Log log;
  log.picks_to_veto = picks_to_veto;
  Bench bench(std::move(code), std::move(behave), g, 100,
              [&](int) { return std::make_unique<Listener>(log, allows_second); });
  bench.run(warps);
  if (stats) *stats = bench.stats();
  return log;
}

}  // namespace

TEST(Events, NoIssueEventsContainTheViewOfTheSlot) {
  SmStats stats;
  const Log log = run({memory(OpClass::load, Space::global, {1}, {2}),
                       memory(OpClass::load, Space::global, {1}, {3}), exit()},
                      scattered(1000), 8, quick(), &stats);
  std::uint64_t empty =
      stats.scheduler_cycles - stats.slots[static_cast<std::size_t>(SlotUse::issued)];
  EXPECT_EQ(log.no_issue_cycles, empty);
  EXPECT_GT(log.pipeline, 0u);
  EXPECT_EQ(log.pipeline_with_candidate, log.pipeline);
  EXPECT_EQ(log.contradictions, 0u);
}

TEST(Events, NoIssueEventsAfterAVetoContainTheViewOfTheirOwnSlot) {
  for (const int vetoes : {1, 2, 5, 40}) {
    SmStats stats;
    const Log log =
        run({memory(OpClass::load, Space::global, {1}, {2}), make(OpClass::alu, {2}, {3}), exit()},
            scattered(1000), 8, quick(), &stats, true, vetoes);
    EXPECT_GT(slots(stats, SlotUse::throttled), 0u);
    EXPECT_EQ(log.contradictions, 0u) << vetoes;
  }
}

TEST(Events, EveryCoalescedAccessReachesTheL1Once) {
  const Log log =
      run({memory(OpClass::load, Space::global, {1}, {2}), exit()}, scattered(1000), 4, quick());
  ASSERT_EQ(log.coalesced.size(), 4u);
  for (const Coalesced& c : log.coalesced) {
    EXPECT_EQ(c.accesses, 32);
    EXPECT_EQ(c.lanes, 32);
    EXPECT_TRUE(c.load && c.cached);
  }
  const auto answered =
      std::count_if(log.accesses.begin(), log.accesses.end(),
                    [](const L1Access& a) { return a.outcome != L1Outcome::reservation_fail; });
  EXPECT_EQ(answered, 4 * 32);
}

TEST(Events, AtomicsBypassTheL1) {
  const Log log = run({memory(OpClass::atomic, Space::global, {1}, {2}), exit()}, {}, 1, quick());
  ASSERT_EQ(log.coalesced.size(), 1u);
  EXPECT_FALSE(log.coalesced[0].cached);
  EXPECT_TRUE(log.accesses.empty());
}

TEST(Events, TextureFetchesBypassTheL1AndAreNoL1Loads) {
  const Log log = run({memory(OpClass::load, Space::texture, {1}, {2}), exit()}, {}, 1, quick());
  ASSERT_EQ(log.coalesced.size(), 1u);
  EXPECT_FALSE(log.coalesced[0].cached);
  EXPECT_TRUE(log.accesses.empty());
  EXPECT_EQ(log.l1_loads_seen, 0u);
  EXPECT_GT(
      run({memory(OpClass::load, Space::global, {1}, {2}), exit()}, {}, 1, quick()).l1_loads_seen,
      0u);
}

TEST(Events, AHitNamesTheWarpThatBroughtTheLineIn) {
  const Log log = run(
      {memory(OpClass::load, Space::global, {1}, {2}), make(OpClass::alu, {2}, {3}),
       memory(OpClass::load, Space::global, {3}, {4}), exit()},
      [](WarpSlot, exec::Step& s) { s.addresses.fill(0xC0000000); }, 2, quick());
  int hits = 0;
  for (const L1Access& a : log.accesses) {
    EXPECT_FALSE(a.local);
    if (a.outcome != L1Outcome::hit) continue;
    ++hits;
    EXPECT_EQ(a.owner, WarpSlot(0));
  }
  EXPECT_EQ(hits, 2);
}

TEST(Events, AnEvictionNamesTheOwnerOfTheLine) {
  config::GpuSpec g = quick();
  g.sm.l1d.size_bytes = 1024;  // 8 lines
  g.sm.l1d.set_index = config::SetIndex::linear;
  const Log log = run({memory(OpClass::load, Space::global, {1}, {2}), make(OpClass::alu, {2}, {3}),
                       memory(OpClass::load, Space::global, {3}, {4}), exit()},
                      scattered(0), 1, g);
  EXPECT_FALSE(log.evictions.empty());
  for (const L1Evict& e : log.evictions) EXPECT_EQ(e.owner, WarpSlot(0));
}

TEST(Events, L1EventsMarkLocalAccesses) {
  const Log log = run({memory(OpClass::load, Space::local, {1}, {2}), exit()}, {}, 1, quick());
  ASSERT_FALSE(log.accesses.empty());
  for (const L1Access& a : log.accesses) EXPECT_TRUE(a.local);
}

TEST(Events, L1PressureIsReportedWhenItChanges) {
  config::GpuSpec g = quick();
  g.sm.schedulers = 1;  // every scheduler would get the event
  const Log log =
      run({memory(OpClass::load, Space::global, {1}, {2}), exit()}, scattered(1000), 4, g);
  ASSERT_GT(log.pressures.size(), 2u);
  for (std::size_t i = 1; i < log.pressures.size(); ++i) {
    EXPECT_TRUE(log.pressures[i].mshr_free != log.pressures[i - 1].mshr_free ||
                log.pressures[i].miss_queue_free != log.pressures[i - 1].miss_queue_free);
  }
  EXPECT_LT(std::min_element(log.pressures.begin(), log.pressures.end(),
                             [](const auto& a, const auto& b) { return a.mshr_free < b.mshr_free; })
                ->mshr_free,
            8);
}

TEST(Events, WarpEventsReportAgeAndTime) {
  const Log log = run({make(OpClass::alu), exit()}, {}, 3, quick());
  ASSERT_EQ(log.warps.size(), 6u);
  for (std::uint32_t w = 0; w < 3; ++w) {
    EXPECT_TRUE(log.warps[w].launch);
    EXPECT_EQ(log.warps[w].age, w);
    EXPECT_FALSE(log.warps[w + 3].launch);
    EXPECT_GT(log.warps[w + 3].now, log.warps[w].now);
  }
}

// Records the events of warps, CTAs and kernels in order.
class EventRecorder final : public RoundRobin {
 public:
  EventRecorder(std::string& events, int scheduler)
      : events_(events), name_(std::to_string(scheduler)) {}
  EventSet subscribed_events() const override {
    using E = Event;
    return E::issue | E::branch | E::barrier | E::warp | E::cta | E::kernel;
  }
  void on_branch(const Branch& e) override {
    record("b" + std::to_string(e.taken.count()) + "/" + std::to_string(e.fell_through.count()));
  }
  void on_barrier(const BarrierEvent& e) override {
    record((e.enter ? "in" : "out") + std::to_string(e.warp.index));
  }
  void on_warp(const WarpEvent& e) override {
    record((e.launch ? "w" : "x") + std::to_string(e.warp.index));
  }
  void on_cta(const CtaEvent& e) override {
    record((e.launch ? "C" : "D") + std::to_string(e.cta) + "*" + std::to_string(e.warps));
  }
  void on_kernel(const KernelEvent& e) override {
    record(e.what == KernelEvent::What::start ? "start"
           : e.what == KernelEvent::What::end ? "end"
                                              : "last");
  }

 private:
  void record(const std::string& what) { events_ += name_ + what + " "; }
  std::string& events_;
  std::string name_;
};

std::string record_events(std::vector<isa::Instruction> code, int warps, int ctas,
                          std::uint32_t schedulers, Script::Behave behave = {}) {
  std::string events;
  config::GpuSpec g = quick();
  g.sm.schedulers = schedulers;
  Bench bench(std::move(code), std::move(behave), g, 100,
              [&](int s) { return std::make_unique<EventRecorder>(events, s); });
  bench.run(warps, ctas, 1, 1);
  return events;
}

TEST(Events, WarpEventsAreSentToTheWarpsSchedulerAndCtaEventsToAll) {
  EXPECT_EQ(record_events({make(OpClass::alu), exit()}, 2, 2, 2),
            "0start 1start 0C0*2 1C0*2 0w0 1w1 0x0 1x1 0D0*2 1D0*2 0C1*2 1C1*2 0w0 1w1 0x0 1x1 "
            "0D1*2 1D1*2 0end 1end ");
}

TEST(Events, ABarrierReportsEachArrivalAndThenEachRelease) {
  isa::Instruction barrier = make(OpClass::barrier);
  barrier.barrier = isa::BarrierOp::sync;
  const std::string events = record_events({barrier, make(OpClass::alu), exit()}, 3, 1, 1);
  EXPECT_NE(events.find("0in0 0in1 0in2 0out0 0out1 0out2 0x"), std::string::npos) << events;
}

TEST(Events, ABranchEventContainsTheLanesOfBothPaths) {
  const std::string events =
      record_events({make(OpClass::branch), exit()}, 1, 1, 1, [](WarpSlot, exec::Step& step) {
        if (step.pc != 0) return;
        step.taken = LaneMask::first(5);
        step.fell_through = ~LaneMask::first(5);
      });
  EXPECT_NE(events.find("0b5/27"), std::string::npos) << events;
}

TEST(Events, TheDispatchOfTheLastCtaIsReportedToEveryScheduler) {
  std::string events;
  mem::SmPort port(16, 16);
  Sm sm(0, quick(), port, [&](int s) { return std::make_unique<EventRecorder>(events, s); });
  sm.last_cta_dispatched();
  EXPECT_EQ(events, "0last 1last ");
}

TEST(Events, APolicyMayForbidTheSecondIssueOfASlot) {
  config::GpuSpec g = quick();
  g.sm.max_issue = 2;
  g.sm.dual_issue_different_units = false;
  SmStats with, without;
  const std::vector<isa::Instruction> code{make(OpClass::alu, {}, {1}), make(OpClass::alu, {}, {2}),
                                           make(OpClass::alu, {}, {3}), exit()};
  EXPECT_GT(run(code, {}, 1, g, &with).second_issue_questions, 0);
  run(code, {}, 1, g, &without, false);
  EXPECT_GT(with.second_issues, 0u);
  EXPECT_EQ(without.second_issues, 0u);
}

TEST(Events, ALoopEventIsSentForEveryIterationAndForTheEnd) {
  struct LoopListener final : RoundRobin {
    explicit LoopListener(std::vector<int>* l) : log(l) {}
    EventSet subscribed_events() const override { return Event::loop | Event::issue; }
    void on_loop(const LoopEvent& e) override { log->push_back(e.begin ? 1 : 0); }
    std::vector<int>* log;
  };
  std::vector<isa::Instruction> code{make(OpClass::alu), make(OpClass::alu), make(OpClass::branch),
                                     exit()};
  code[1].loop = code[2].loop = 0;
  code[1].loop_header = true;
  int trips = 0;
  Script source(code, [&](WarpSlot, exec::Step& s) {
    if (s.pc == 2 && ++trips < 3) s.next_pc = 1;
  });
  isa::Loop loop;
  loop.header = 1;
  loop.ranges = {{1, 3}};
  source.kernel_ref().loops.push_back(loop);
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  std::vector<int> log;
  mem::SmPort port(8, 8);
  Sm sm(0, g, port, [&](int) { return std::make_unique<LoopListener>(&log); });
  exec::Launch launch;
  launch.kernel = &source.kernel();
  launch.block = {32, 1, 1};
  sm.begin_kernel(launch, source, 1);
  sm.queue_cta(0, Cycle{0});
  sm.run(Cycle{0}, Cycle{500});
  EXPECT_TRUE(sm.drained());
  EXPECT_EQ(log, (std::vector<int>{1, 1, 1, 0}));
}

}  // namespace heddle::sm::test
