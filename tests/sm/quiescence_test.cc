// Windows and skipped cycles change no statistic.
#include <gtest/gtest.h>

#include "tests/sm/guided_bench.h"

namespace heddle::sm::test {
namespace {

using isa::OpClass;
using isa::Space;

// A mixture of instructions of many kinds; every sixth loads from `last`.
std::unique_ptr<Bench> mixture(const config::GpuSpec& machine = gtx480(),
                               Space last = Space::local) {
  std::vector<isa::Instruction> code;
  for (int i = 0; i < 30; ++i) {
    const auto r = [i](int k) { return static_cast<std::uint16_t>((i * 7 + k) % 50 + 1); };
    switch (i % 6) {
      case 0: code.push_back(memory(OpClass::load, Space::global, {r(0)}, {r(1)})); break;
      case 1: code.push_back(make(OpClass::fp_mad, {r(0), r(1), r(2)}, {r(3)})); break;
      case 2: code.push_back(memory(OpClass::load, Space::shared, {r(0)}, {r(1)})); break;
      case 3:
        code.push_back(make(i % 4 == 1 ? OpClass::int_div : OpClass::alu, {r(0)}, {r(1)}));
        break;
      case 4: code.push_back(memory(OpClass::store, Space::global, {r(0), r(3)}, {})); break;
      default: code.push_back(memory(OpClass::load, last, {r(0)}, {r(1)})); break;
    }
  }
  code.push_back(make(OpClass::barrier));
  code.back().barrier = isa::BarrierOp::sync;
  code.push_back(exit());
  return std::make_unique<Bench>(
      code,
      [](WarpSlot w, exec::Step& s) {
        if (s.space == Space::global || s.space == Space::texture)
          for (std::size_t l = 0; l < kWarpSize; ++l)
            s.addresses[l] =
                0xC0000000 +
                (s.pc * 977 + static_cast<unsigned>(w.index) * 131 + l * (s.pc % 5)) * 64 % 65536;
      },
      machine);
}

std::vector<std::uint64_t> all_numbers(const SmStats& s) {
  std::vector<std::uint64_t> v;
  const auto collect = [&](const auto& self, const auto& t) -> void {
    using T = std::remove_cvref_t<decltype(t)>;
    stats::for_each_field<T>([&](const auto& f) {
      const auto& m = t.*(f.member);
      using M = std::remove_cvref_t<decltype(m)>;
      if constexpr (std::is_same_v<M, std::uint64_t>)
        v.push_back(m);
      else if constexpr (requires { m.size(); })
        v.insert(v.end(), m.begin(), m.end());
      else
        self(self, m);
    });
  };
  collect(collect, s);
  return v;
}

TEST(Sm, StatisticsDoNotDependOnTheWindow) {
  // Windows shorter than the memory's latency see the same replies at the same time.
  const auto one = mixture(), sixteen = mixture(), long_one = mixture();
  const std::uint64_t end = one->run(6, 3, 1, 3);
  EXPECT_EQ(sixteen->run(6, 3, 16, 3), end);
  EXPECT_EQ(long_one->run(6, 3, 90, 3), end);
  EXPECT_EQ(all_numbers(sixteen->stats()), all_numbers(one->stats()));
  EXPECT_EQ(all_numbers(long_one->stats()), all_numbers(one->stats()));
  EXPECT_EQ(stats::total(one->stats().slots), 2 * one->stats().cycles);
}

// An SM skips no cycle when a policy subscribes to every cycle.
class EveryCycle final : public RoundRobin {
 public:
  EventSet subscribed_events() const override { return Event::cycle | Event::issue; }
};

void check_that_skipping_changes_nothing(const config::GpuSpec& machine, Space last) {
  const auto skipping = mixture(machine, last);
  const std::uint64_t end = skipping->run(6, 3, 8, 3);
  std::vector<std::uint64_t> numbers = all_numbers(skipping->stats());
  auto stepping = mixture(machine, last);
  Sm* place = &stepping->sm;
  std::destroy_at(place);
  std::construct_at(place, 0, stepping->spec, stepping->port,
                    [](int) { return std::make_unique<EveryCycle>(); });
  EXPECT_EQ(stepping->run(6, 3, 8, 3), end);
  EXPECT_EQ(all_numbers(stepping->stats()), numbers);
}

TEST(Sm, SkippingQuiescentCyclesChangesNoStatistic) {
  check_that_skipping_changes_nothing(gtx480(), Space::local);
}

// The L1 refuses accesses most of the time, while the other caches can serve theirs.
TEST(Sm, SkippingCyclesInWhichTheL1RefusesChangesNoStatistic) {
  config::GpuSpec g = gtx480();
  g.sm.l1d.mshr_entries = 2;
  g.sm.l1d.hit_latency = 4;
  for (const config::L1AccessPath access :
       {config::L1AccessPath::queued, config::L1AccessPath::direct}) {
    g.sm.l1d_access = access;
    for (const Space last : {Space::texture, Space::param})
      check_that_skipping_changes_nothing(g, last);
  }
}

// Subscribes to lost slots from the first change of the L1's free entries on, which occurs while
// the core is quiescent.
class LateSubscriber final : public RoundRobin {
 public:
  EventSet subscribed_events() const override {
    const EventSet own = Event::issue | Event::l1_pressure;
    return since_ == Cycle::never() ? own : own | Event::no_issue;
  }
  bool on_l1_pressure(const L1Pressure& event) override {
    if (since_ != Cycle::never() || event.mshr_free > 32) return false;
    since_ = event.now;
    return true;
  }
  void on_no_issue(const NoIssue& event) override {
    EXPECT_GE(event.first, since_);
    slots_seen += event.cycles;
  }
  std::uint64_t slots_seen = 0;

 private:
  Cycle since_ = Cycle::never();
};

TEST(Sm, NoLostSlotFromBeforeASubscriptionReachesAPolicy) {
  for (const config::GpuSpec& machine : {gtx480(), guided(2)}) {
    std::vector<LateSubscriber*> policies;
    Bench bench(
        {memory(OpClass::load, Space::global, {1}, {2}), make(OpClass::alu, {2}, {3}), exit()},
        [](WarpSlot w, exec::Step& s) {
          for (std::size_t l = 0; l < kWarpSize; ++l)
            s.addresses[l] = 0xC0000000 + (static_cast<unsigned>(w.index) * 32 + l) * 128;
        },
        machine, 300,
        [&](int) {
          auto policy = std::make_unique<LateSubscriber>();
          policies.push_back(policy.get());
          return policy;
        });
    bench.run(4);
    for (const LateSubscriber* policy : policies) EXPECT_GT(policy->slots_seen, 0u);
  }
}

// The features of Pascal and later machines: sub-cores, generic collectors, dual issue, a sectored
// L1.
config::GpuSpec sub_core_machine() {
  config::GpuSpec g = gtx480();
  g.sm.sub_cores = true;
  g.sm.schedulers = 4;
  g.sm.max_issue = 2;
  g.sm.units = {4, 0, 0, 4, 1};
  g.sm.issue_latches = g.sm.dispatch_latches = {4, 0, 0, 4, 4};
  g.sm.writeback_latches = 8;
  g.sm.sp_collectors = g.sm.sfu_collectors = g.sm.mem_collectors = {0, 0, 0};
  g.sm.generic_collectors = {8, 8, 8};
  g.sm.register_bank_ports = 2;
  g.sm.coalescing_arch = 61;
  g.sm.fetch_throughput = 8;
  g.sm.l1d.filling = config::Filling::sectors;
  g.sm.l1d.banks = 2;
  return g;
}

TEST(Sm, ASubCoreMachineExecutesTheSameInstructions) {
  const auto plain = mixture(), sub = mixture(sub_core_machine());
  const std::uint64_t cycles = plain->run(6, 3, 4, 3);
  EXPECT_LT(sub->run(6, 3, 4, 3), cycles * 2);
  EXPECT_EQ(sub->stats().warp_instructions, plain->stats().warp_instructions);
  EXPECT_GT(sub->stats().second_issues, 0u);
  EXPECT_EQ(stats::total(sub->stats().slots), 4 * sub->stats().cycles);
}

TEST(Sm, AHalfWarpMachineExecutesTheSameInstructions) {
  config::GpuSpec g = gtx480();
  g.sm.coalescing_arch = 13;
  g.sm.shared = {16, 2, 3};
  g.sm.schedulers = 1;
  g.sm.writeback_latches = 1;
  const auto half = mixture(g);
  half->run(6, 3, 4, 3);
  EXPECT_EQ(half->stats().warp_instructions, 576u);
  EXPECT_EQ(half->stats().scheduler_cycles, half->stats().cycles);
}

}  // namespace
}  // namespace heddle::sm::test
