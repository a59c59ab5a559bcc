// The re-execution queue.
#include <gtest/gtest.h>

#include <map>

#include "sm/lsu/reexecution.h"
#include "sm/policy/mechanisms.h"
#include "tests/sm/bench.h"

namespace heddle::sm::test {
namespace {

using isa::OpClass;
using isa::Space;

QueuedAccess access_of(int warp, OpId op = 0) {
  return {Cycle{}, {{0, WarpSlot(warp)}, 0}, {}, op, false, Space::global};
}

struct ReexecutionLog {
  std::vector<L1Access> accesses;
  std::map<std::pair<int, Pc>, int> order;  // of a warp's instructions after the coalescer
  std::vector<WarpEvent> exits;
};

// Round robin that requests a queue of so many entries (0: none) and allows only some warps to
// miss.
class Requeuing final : public RoundRobin {
 public:
  Requeuing(ReexecutionLog& log, std::uint32_t entries, WarpMask may_miss)
      : log_(log), entries_(entries), may_miss_(may_miss) {}
  void attach(Mechanisms& machine) override {
    if (entries_) machine.reexecute_refused(entries_).let_miss(may_miss_);
  }
  EventSet subscribed_events() const override {
    return Event::issue | Event::coalesced | Event::l1_access | Event::warp;
  }
  void on_coalesced(const Coalesced& e) override {
    log_.order.emplace(std::pair{static_cast<int>(e.warp.index), e.pc},
                       static_cast<int>(log_.order.size()));
  }
  void on_l1_access(const L1Access& e) override { log_.accesses.push_back(e); }
  void on_warp(const WarpEvent& e) override {
    if (!e.launch) log_.exits.push_back(e);
  }

 private:
  ReexecutionLog& log_;
  std::uint32_t entries_;
  WarpMask may_miss_;
};

struct Outcome {
  ReexecutionLog log;
  SmStats stats;
  std::uint64_t cycles;
};

config::GpuSpec one_mshr(std::uint32_t mshrs = 1) {
  config::GpuSpec g = gtx480();
  g.sm.schedulers = 1;
  g.sm.perfect_instruction_cache = true;
  g.sm.l1d.mshr_entries = mshrs;
  return g;
}

Outcome run(std::uint32_t entries, const std::vector<isa::Instruction>& code,
            const Script::Behave& behave, int warps, const config::GpuSpec& g,
            WarpMask may_miss = WarpMask::all()) {
  Outcome out;
  Bench bench(code, behave, g, 400,
              [&](int) { return std::make_unique<Requeuing>(out.log, entries, may_miss); });
  out.cycles = bench.run(warps);
  out.stats = bench.stats();
  return out;
}

// Warp 0 brings line X in and waits for it. Then all load: 0 line Y, 1 line Z, 2 line X again.
const std::vector<isa::Instruction> kLoads{
    memory(OpClass::load, Space::global, {1}, {2}), make(OpClass::alu, {2}, {3}),
    memory(OpClass::load, Space::global, {3}, {4}), make(OpClass::alu, {4}, {5}), exit()};
void loads(WarpSlot w, exec::Step& step) {
  const std::uint64_t line = step.pc == 0   ? 0
                             : w.index == 2 ? 0
                                            : 10u + static_cast<std::uint64_t>(w.index);
  step.addresses.fill(0xC0000000 + 128 * line);
}

// Scattered loads and stores of many warps over few lines.
std::vector<isa::Instruction> traffic() {
  std::vector<isa::Instruction> code;
  for (std::uint16_t round = 0; round < 6; ++round) {
    code.push_back(
        memory(OpClass::load, Space::global, {1}, {static_cast<std::uint16_t>(10 + round)}));
    code.push_back(memory(OpClass::store, Space::global, {1, 2}, {}));
    code.push_back(make(OpClass::alu, {static_cast<std::uint16_t>(10 + round)}, {3}));
  }
  code.push_back(exit());
  return code;
}
void scatter(WarpSlot w, exec::Step& step) {
  for (std::size_t lane = 0; lane < kWarpSize; ++lane)
    step.addresses[lane] =
        0xC0000000 +
        128 * ((lane * 7 + static_cast<std::uint64_t>(w.index) * 3 + step.pc * 5) % 40);
}

std::uint64_t exit_of(const ReexecutionLog& log, int warp) {
  for (const WarpEvent& e : log.exits)
    if (e.warp == WarpSlot(warp)) return e.now.value;
  return 0;
}

}  // namespace

TEST(ReexecutionQueue, KeepsTheOrderOfAWarpAndTriesWarpsInRoundRobin) {
  ReexecutionQueue q(2);
  q.put(access_of(5, 1));
  q.put(access_of(3, 2));
  q.put(access_of(5, 3));
  EXPECT_EQ(q.head(), WarpSlot(5));
  EXPECT_FALSE(q.has_room(WarpSlot(7)));  // both entries are taken
  EXPECT_TRUE(q.has_room(WarpSlot(3)));
  q.rotate_refused(0);
  EXPECT_EQ(q.next().op, 2u);
  q.pop_accepted();
  EXPECT_EQ(q.next().op, 1u);
  q.pop_accepted();
  EXPECT_EQ(q.next().op, 3u);
  q.pop_accepted();
  EXPECT_TRUE(q.empty());
  EXPECT_TRUE(q.has_room(WarpSlot(7)));
}

TEST(ReexecutionQueue, TriesEveryEntryOnceUntilSomethingChanges) {
  ReexecutionQueue q(4);
  q.put(access_of(0));
  q.put(access_of(1));
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(q.can_progress(9));
    q.rotate_refused(9);
  }
  EXPECT_FALSE(q.can_progress(9));
  EXPECT_TRUE(q.can_progress(10));
  q.let_miss(WarpMask::only(WarpSlot(1)));
  EXPECT_TRUE(q.can_progress(9));
}

TEST(ReexecutionQueue, AnAccessThatEntersOrIsServedIsAChange) {
  ReexecutionQueue q(4);
  q.put(access_of(0));
  q.put(access_of(0));
  EXPECT_EQ(q.changes(), 2u);
  q.rotate_refused(9);
  EXPECT_EQ(q.changes(), 2u);
  q.pop_accepted();
  EXPECT_EQ(q.changes(), 3u);
}

TEST(ReexecutionQueue, RemembersAbsentLinesForFirstAccessesOnly) {
  ReexecutionQueue queue(4);
  queue.put(access_of(2, 10));
  queue.put(access_of(2, 11));
  EXPECT_FALSE(queue.known_absent(7));
  queue.note_absent(7);
  EXPECT_TRUE(queue.known_absent(7));
  EXPECT_FALSE(queue.known_absent(8));  // the contents of the cache have changed
  queue.pop_accepted();
  EXPECT_FALSE(queue.known_absent(7));  // another access
}

TEST(ReexecutionQueue, AcceptsNothingWhenClosed) {
  ReexecutionQueue q(4);
  q.close(true);
  EXPECT_FALSE(q.has_room(WarpSlot(0)));
  q.close(false);
  EXPECT_TRUE(q.has_room(WarpSlot(0)));
}

TEST(Reexecution, AHitOvertakesARefusedAccess) {
  const Outcome without = run(0, kLoads, loads, 3, one_mshr()),
                with = run(8, kLoads, loads, 3, one_mshr());
  EXPECT_GT(exit_of(without.log, 2), exit_of(with.log, 2) + 300);  // it waits for an MSHR
  EXPECT_GT(with.stats.reexecution_queued, 0u);
  EXPECT_EQ(with.stats.reexecution_queued, with.stats.reexecuted);
  EXPECT_EQ(with.stats.thread_instructions, without.stats.thread_instructions);
}

TEST(Reexecution, EveryQueuedAccessIsServedOnceAndInTheOrderOfItsWarp) {
  for (const std::uint32_t entries : {1u, 2u, 32u}) {
    for (const std::uint32_t mshrs : {1u, 3u}) {
      const Outcome out = run(entries, traffic(), scatter, 12, one_mshr(mshrs));
      EXPECT_GT(out.stats.reexecution_queued, 0u);
      EXPECT_EQ(out.stats.reexecution_queued, out.stats.reexecuted);
      EXPECT_GE(out.stats.reexecution_tries, out.stats.reexecuted);
      EXPECT_LE(out.stats.reexecution_tries, out.cycles) << "more than one try in a cycle";
      EXPECT_EQ(out.stats.l1d.accesses, out.stats.coalesced_accesses);
      std::map<int, int> last;
      for (const L1Access& a : out.log.accesses) {
        if (a.outcome == L1Outcome::reservation_fail) continue;
        const int place = out.log.order.at({a.warp.index, a.pc});
        EXPECT_LE(last[a.warp.index], place) << "warp " << a.warp.index;
        last[a.warp.index] = place;
      }
    }
  }
}

TEST(Reexecution, QueuedStoresAreOutstandingUntilTheyAreWritten) {
  for (const auto access : {config::L1AccessPath::queued, config::L1AccessPath::direct}) {
    config::GpuSpec g = one_mshr(3);
    g.sm.l1d_access = access;
    const Outcome out = run(8, traffic(), scatter, 12, g);
    EXPECT_GT(out.stats.reexecution_queued, 0u);
    EXPECT_EQ(out.stats.reexecution_queued, out.stats.reexecuted);
    EXPECT_EQ(out.stats.warps_finished, 12u);
  }
}

TEST(Reexecution, WithDirectAccessACycleServesANewOrAQueuedAccess) {
  config::GpuSpec g = one_mshr(3);
  g.sm.l1d_access = config::L1AccessPath::direct;
  ReexecutionLog log;
  Bench bench(traffic(), scatter, g, 400,
              [&](int) { return std::make_unique<Requeuing>(log, 8, WarpMask::all()); });
  SmStats before;
  bench.before_window = [&](std::uint64_t now) {
    const SmStats after = bench.stats();
    EXPECT_TRUE(after.reexecution_queued == before.reexecution_queued ||
                after.reexecution_tries == before.reexecution_tries)
        << now;
    before = after;
  };
  bench.run(12);
  EXPECT_GT(before.reexecution_queued, 0u);
}

TEST(Reexecution, WarpsThatMayNotMissAreServedWhenTheyHit) {
  // Only warp 0 may miss. The first loads of the other warps hit the line that it brings in.
  const std::vector<isa::Instruction> code{memory(OpClass::load, Space::global, {1}, {2}),
                                           make(OpClass::alu, {2}, {3}), exit()};
  const auto same = [](WarpSlot, exec::Step& step) { step.addresses.fill(0xC0000000); };
  const Outcome out = run(8, code, same, 4, one_mshr(8), WarpMask::only(WarpSlot(0)));
  EXPECT_EQ(out.stats.hits_under_saturation, 3u);
  EXPECT_EQ(out.stats.l1d.misses, 1u);
  EXPECT_EQ(out.stats.l1d.pending_hits, 0u);
}

TEST(Reexecution, WithoutARequestThereIsNoQueue) {
  const Outcome without = run(0, traffic(), scatter, 12, one_mshr(3));
  EXPECT_EQ(without.stats.reexecution_queued, 0u);
  EXPECT_EQ(without.stats.reexecution_tries, 0u);
}

}  // namespace heddle::sm::test
