#include <gtest/gtest.h>

#include "sm/async_copies.h"
#include "tests/sm/bench.h"

namespace heddle::sm::test {
namespace {

using ptx::OpClass;
using ptx::Space;

std::uint64_t slots(const SmStats& s, SlotUse u) { return s.slots[static_cast<std::size_t>(u)]; }

TEST(Sm, RunsAWarpToItsEnd) {
  Bench b({make(OpClass::alu, {}, {1}), make(OpClass::alu, {1}, {2}), exit()});
  b.run();
  EXPECT_EQ(b.stats().warp_instructions, 3u);
  EXPECT_EQ(b.stats().thread_instructions, 96u);
  EXPECT_EQ(b.stats().ctas_finished, 1u);
  EXPECT_EQ(b.stats().scheduler_cycles, 2 * b.stats().cycles);
}

// From issue: enter a collector (1), read the operand (2), leave (3), unit (4); then the latency,
// the result latch and writeback.
TEST(Sm, DependentIssueWaitsForTheLatencyOfItsClass) {
  struct {
    OpClass c;
    std::uint64_t latency;
  } cases[] = {{OpClass::alu, 1},    {OpClass::int_add, 4},   {OpClass::int_max, 13},
               {OpClass::fp_mad, 5}, {OpClass::int_div, 145}, {OpClass::dp_add, 8},
               {OpClass::sfu, 8}};
  for (const auto& c : cases) {
    config::GpuSpec g = gtx480();
    g.sm.perfect_instruction_cache = true;
    Bench b({make(c.c, {5}, {1}), make(OpClass::alu, {1}, {2}), exit()}, {}, g);
    b.run();
    EXPECT_EQ(b.source.gap(0, 1), 4 + c.latency + 2) << static_cast<int>(c.c);
  }
}

TEST(Sm, IndependentInstructionsIssueInPairs) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  Bench b({make(OpClass::alu, {}, {1}), make(OpClass::alu, {}, {2}), make(OpClass::alu, {}, {3}),
           exit()},
          {}, g);
  b.run();
  EXPECT_EQ(b.source.gap(0, 1), 1u);
  EXPECT_EQ(b.source.gap(1, 2), 2u);  // two instructions per fetch, and a fetch takes two cycles
}

TEST(Sm, TwoSchedulersIssueInOneCycle) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  Bench b(
      std::vector<ptx::Instruction>(40, make(OpClass::alu)),
      [](WarpSlot, exec::Step& s) {
        if (s.pc == 39) s.next_pc = kNoPc;
      },
      g);
  b.run(16);
  std::map<std::uint64_t, int> per_cycle;
  for (const auto& i : b.source.issues) ++per_cycle[i.at];
  int most = 0;
  for (const auto& [cycle, n] : per_cycle) most = std::max(most, n);
  EXPECT_EQ(most, 2);
}

TEST(Sm, TakenBranchFlushesTheBufferAndFetchesAgain) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  const auto jump = [](WarpSlot, exec::Step& s) {
    if (s.pc == 0) s.next_pc = 3;
  };
  Bench b({make(OpClass::branch), make(OpClass::alu), make(OpClass::alu), exit()}, jump, g);
  b.run();
  EXPECT_EQ(b.stats().buffer_flushes, 1u);
  EXPECT_EQ(b.source.gap(0, 3), 3u);  // flush and fetch, decode, issue
}

TEST(Sm, AMachineThatIssuesTwiceFlushesInTheBranchsCycle) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  g.sm.max_issue = 2;
  const auto jump = [](WarpSlot, exec::Step& s) {
    if (s.pc == 0) s.next_pc = 3;
  };
  Bench b({make(OpClass::branch), make(OpClass::alu), make(OpClass::alu), exit()}, jump, g);
  b.run();
  EXPECT_EQ(b.stats().buffer_flushes, 1u);
  EXPECT_EQ(b.source.gap(0, 3), 2u);  // fetch, decode, issue
}

TEST(Sm, InstructionMissesGoToMemoryByLine) {
  Bench b(std::vector<ptx::Instruction>(22, make(OpClass::alu)), [](WarpSlot, exec::Step& s) {
    if (s.pc == 21) s.next_pc = kNoPc;
  });
  b.run(4);
  ASSERT_EQ(b.seen.size(), 2u);  // 22 instructions of 8 bytes: two lines
  EXPECT_EQ(b.seen[0].client, mem::Client::instruction);
  EXPECT_EQ(b.seen[0].bytes, 128u);
  EXPECT_EQ(b.stats().instruction.fetches, 2u);
}

TEST(Sm, LoadHitReturnsAfterTheHitLatency) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  Bench b({memory(OpClass::load, Space::global, {1}, {2}), make(OpClass::alu, {2}, {3}),
           memory(OpClass::load, Space::global, {3}, {4}), make(OpClass::alu, {4}, {5}), exit()},
          {}, g);
  b.run();
  EXPECT_EQ(b.stats().l1d.misses, 1u);
  EXPECT_EQ(b.stats().l1d.hits, 1u);
  EXPECT_EQ(b.source.gap(2, 3), 4 + 1 + 35u);
  EXPECT_GT(b.source.gap(0, 1), 100u + 35);
}

TEST(Sm, SharedLoadPaysConflictsBeforeItsLatency) {
  for (std::uint64_t degree : {1u, 2u, 8u}) {
    config::GpuSpec g = gtx480();
    g.sm.perfect_instruction_cache = true;
    Bench b(
        {memory(OpClass::load, Space::shared, {1}, {2}), make(OpClass::alu, {2}, {3}), exit()},
        [degree](WarpSlot, exec::Step& s) {
          for (std::size_t l = 0; l < kWarpSize; ++l) s.addresses[l] = 4 * degree * l;
        },
        g);
    b.run();
    EXPECT_EQ(b.source.gap(0, 1), 4 + 1 + 26 + 1 + (degree - 1));
    EXPECT_EQ(b.stats().shared_conflict_cycles, degree - 1);
  }
}

// A load whose guard holds in no lane goes the same way, without conflicts; a store takes no time.
TEST(Sm, ASharedLoadOfNoLaneTakesItsLatency) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  Bench b(
      {memory(OpClass::load, Space::shared, {1}, {2}), make(OpClass::alu, {2}, {3}), exit()},
      [](WarpSlot, exec::Step& s) {
        if (s.pc == 0) s.executed = LaneMask{};
      },
      g);
  b.run();
  EXPECT_EQ(b.source.gap(0, 1), 4 + 1 + 26 + 1u);
  EXPECT_EQ(b.stats().shared_cycles, 0u);
}

TEST(Sm, ParameterLoadsGoThroughTheConstantCache) {
  Bench b({memory(OpClass::load, Space::param, {}, {2}), make(OpClass::alu, {2}, {3}),
           memory(OpClass::load, Space::param, {3}, {4}), exit()});
  b.run(4);
  EXPECT_EQ(b.stats().constant.misses + b.stats().constant.pending_hits, 4u);
  EXPECT_EQ(b.stats().constant.hits, 4u);
  EXPECT_EQ(b.stats().constant.fetches, 1u);
  EXPECT_EQ(b.stats().loads[static_cast<std::size_t>(CountedSpace::param)], 8u);
}

TEST(Sm, StoresAreAcknowledgedBeforeTheCtaEnds) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  Bench b({memory(OpClass::store, Space::global, {1, 2}, {}), exit()}, {}, g, 300);
  EXPECT_GT(b.run(), 300u);
  ASSERT_EQ(b.seen.size(), 1u);
  EXPECT_EQ(b.seen[0].kind, mem::PacketKind::write);
  EXPECT_EQ(b.seen[0].bytes, 128u);
}

TEST(Sm, WarpWithAnAtomicWaitsForItsReturn) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  Bench b(
      {memory(OpClass::atomic, Space::global, {1, 2}, {3}), make(OpClass::alu, {}, {4}), exit()},
      {}, g, 200);
  b.run();
  EXPECT_GT(b.source.gap(0, 1), 200u);
  EXPECT_EQ(b.seen.size(), 4u);  // four sectors of eight lanes
  EXPECT_EQ(b.seen[0].kind, mem::PacketKind::atomic);
}

TEST(Sm, MemoryBarrierWaitsForStores) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  Bench b({memory(OpClass::store, Space::global, {1, 2}, {}), make(OpClass::memory_barrier),
           make(OpClass::alu), exit()},
          {}, g, 200);
  b.run();
  EXPECT_GT(b.source.gap(0, 2), 200u);
}

TEST(Sm, VolatileLoadsAreServedByTheL1OfAMachineThatSaysSo) {
  const auto hits = [](bool use_l1d, ptx::Ordering ordering, ptx::CacheOperator cache) {
    config::GpuSpec g = gtx480();
    g.sm.volatile_loads_use_l1d = use_l1d;
    ptx::Instruction load = memory(OpClass::load, Space::global, {1}, {2});
    load.ordering = ordering;
    load.cache = cache;
    Bench b({memory(OpClass::load, Space::global, {1}, {2}), make(OpClass::alu, {2}, {3}), load,
             exit()},
            {}, g);
    b.run();
    return b.stats().l1d.hits;
  };
  using ptx::CacheOperator, ptx::Ordering;
  for (const bool use : {false, true}) {
    EXPECT_EQ(hits(use, Ordering::volatile_, CacheOperator::none), use ? 1u : 0u);
    EXPECT_EQ(hits(use, Ordering::weak, CacheOperator::cv), use ? 1u : 0u);
    EXPECT_EQ(hits(use, Ordering::relaxed, CacheOperator::none), 0u);
    EXPECT_EQ(hits(use, Ordering::weak, CacheOperator::cg), 0u);
    EXPECT_EQ(hits(use, Ordering::weak, CacheOperator::none), 1u);
  }
}

// What the warp reads after a barrier has to come from L2 again where the machine says so; the next
// warp finds it.
TEST(Sm, MemoryBarrierEmptiesTheL1OfAMachineThatSaysSo) {
  for (const bool empties : {false, true}) {
    config::GpuSpec g = gtx480();
    g.sm.perfect_instruction_cache = true;
    g.sm.memory_barriers_empty_l1d = empties;
    Bench b(
        {memory(OpClass::load, Space::global, {1}, {2}), make(OpClass::memory_barrier),
         memory(OpClass::load, Space::global, {1}, {3}),
         memory(OpClass::load, Space::global, {1}, {4}), make(OpClass::alu, {3, 4}, {5}), exit()},
        {}, g, 200);
    b.run();
    EXPECT_EQ(b.stats().l1d.misses, empties ? 2u : 1u);
    EXPECT_EQ(b.stats().l1d.hits, empties ? 0u : 2u);
    EXPECT_EQ(b.stats().l1d.pending_hits, empties ? 1u : 0u);
    EXPECT_EQ(b.source.gap(2, 4) > 200, empties);
  }
}

// Two groups of one copy each, then a wait that allows `allowed`: how long after the copies it
// holds the next instruction.
std::uint64_t wait_for_copies(std::uint32_t allowed, bool all, bool commit_last,
                              std::uint32_t between) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  const auto form = [](OpClass c, ptx::Opcode o) {
    ptx::Instruction i = c == OpClass::load ? memory(c, Space::global, {1, 2}, {}) : make(c);
    i.opcode = o;
    if (c == OpClass::load) i.cache = ptx::CacheOperator::cg;
    return i;
  };
  std::vector<ptx::Instruction> code{form(OpClass::load, ptx::Opcode::cp_async),
                                     form(OpClass::alu, ptx::Opcode::cp_async_commit)};
  for (std::uint32_t n = 0; n < between; ++n) {
    code.push_back(make(OpClass::int_div, {5}, {5}));
  }
  code.push_back(form(OpClass::load, ptx::Opcode::cp_async));
  code.push_back(form(OpClass::alu, commit_last ? ptx::Opcode::cp_async_commit : ptx::Opcode::nop));
  code.push_back(form(OpClass::memory_barrier, ptx::Opcode::cp_async_wait));
  code.back().payload = ptx::CopyWait{allowed, all};
  const int wait = static_cast<int>(code.size()) - 1;
  code.push_back(make(OpClass::alu));
  code.push_back(exit());
  Bench b(code, {}, g, 400);
  b.run();
  return b.source.gap(wait, wait + 1);
}

TEST(Sm, AsynchronousCopiesAreWaitedForByTheirGroups) {
  const std::uint64_t none = wait_for_copies(2, false, true, 3),
                      older = wait_for_copies(1, false, true, 3),
                      both = wait_for_copies(0, false, true, 3);
  EXPECT_LT(none, 10u);
  EXPECT_GT(older, 10u);
  EXPECT_GT(both, older + 50);  // the divisions between the copies
  EXPECT_EQ(wait_for_copies(0, true, true, 3), both);
  // What has not been committed is in no group, but wait_all waits for it.
  EXPECT_EQ(wait_for_copies(0, false, false, 3), older);
  EXPECT_EQ(wait_for_copies(0, true, false, 3), both);
}

TEST(AsyncCopies, AGroupIsPendingUntilItAndAllBeforeItHaveCome) {
  AsyncCopies copies;
  const WarpSlot w(5);
  const auto finish = [&](std::uint32_t group, std::uint64_t sequence) {
    copies.finish(w, group, sequence, [](std::uint32_t) { FAIL(); });
  };
  EXPECT_FALSE(copies.pending(w));
  copies.commit(w);  // before the first copy
  EXPECT_FALSE(copies.pending(w, 0));
  const std::uint32_t first = copies.start(w);
  EXPECT_EQ(copies.start(w), first);
  EXPECT_FALSE(copies.pending(w, 0));
  EXPECT_TRUE(copies.pending(w));
  copies.commit(w);
  copies.commit(w);  // an empty group
  const std::uint32_t third = copies.start(w);
  copies.commit(w);
  EXPECT_TRUE(copies.pending(w, 2));
  EXPECT_FALSE(copies.pending(w, 3));
  finish(third, 9);  // overtakes
  EXPECT_TRUE(copies.pending(w, 0));
  finish(first, 7);
  EXPECT_TRUE(copies.pending(w, 2));
  finish(first, 7);
  EXPECT_FALSE(copies.pending(w, 0));
  EXPECT_FALSE(copies.pending(WarpSlot(6)));
}

TEST(AsyncCopies, AnArrivalFollowsTheCopiesThatStartedBeforeIt) {
  AsyncCopies copies;
  const WarpSlot w(5);
  EXPECT_FALSE(copies.put_off(w, 70, 1)) << "nothing to follow";
  std::vector<std::uint32_t> acted;
  const auto finish = [&](std::uint32_t group, std::uint64_t sequence) {
    copies.finish(w, group, sequence, [&](std::uint32_t handle) { acted.push_back(handle); });
  };
  const std::uint32_t group = copies.start(w);  // 2
  copies.start(w);                              // 3
  EXPECT_TRUE(copies.put_off(w, 71, 4));
  copies.start(w);  // 5
  EXPECT_TRUE(copies.put_off(w, 72, 6));
  finish(group, 5);
  finish(group, 2);
  EXPECT_TRUE(acted.empty());
  finish(group, 3);
  EXPECT_EQ(acted, (std::vector<std::uint32_t>{71, 72}));
  EXPECT_FALSE(copies.put_off(w, 73, 7));
}

TEST(InstructionTiming, MatricesTakeTheirUnitInProportionToTheirSize) {
  config::SmSpec spec = gtx480().sm;
  spec.units.tensor = 4;
  spec.tensor_latency = spec.tensor_interval = 64;
  const auto interval = [&](std::uint32_t m, std::uint32_t n, std::uint32_t k, ptx::Type type) {
    ptx::Instruction i = make(OpClass::tensor);
    i.opcode = ptx::Opcode::mma;
    i.source_type = type;
    ptx::Matrix matrix;
    matrix.m = static_cast<std::uint16_t>(m), matrix.n = static_cast<std::uint16_t>(n);
    matrix.k = static_cast<std::uint16_t>(k);
    i.payload = matrix;
    EXPECT_EQ(timing_of(i, spec).latency, 64u);
    return timing_of(i, spec).interval;
  };
  EXPECT_EQ(interval(16, 16, 16, ptx::Type::f16), 64u);
  EXPECT_EQ(interval(8, 32, 16, ptx::Type::s8), 32u);
  EXPECT_EQ(interval(16, 8, 8, ptx::Type::bf16), 16u);
  EXPECT_EQ(interval(16, 8, 4, ptx::Type::tf32), 16u);
  EXPECT_EQ(interval(8, 8, 4, ptx::Type::f64), 16u);
}

TEST(Sm, BarrierHoldsWarpsUntilTheLastCame) {
  std::vector<ptx::Instruction> code{make(OpClass::int_div, {}, {1}), make(OpClass::alu, {1}, {2}),
                                     make(OpClass::barrier), make(OpClass::alu), exit()};
  code[2].barrier = ptx::BarrierOp::sync;
  Bench b(code, [](WarpSlot w, exec::Step& s) {
    if (s.pc == 0 && w.index > 0) s.next_pc = 2;
  });
  b.run(8);
  std::uint64_t last_arrival = 0;
  for (int w = 0; w < 8; ++w) last_arrival = std::max(last_arrival, b.source.at(w, 2));
  for (int w = 0; w < 8; ++w) EXPECT_GE(b.source.at(w, 3), last_arrival);
  EXPECT_EQ(b.stats().barriers, 8u);
  EXPECT_GT(slots(b.stats(), SlotUse::barrier), 50u);
}

TEST(Sm, AVetoIsCountedAsThrottled) {
  class Never final : public RoundRobin {
   public:
    WarpSlot pick(const IssueView& v) override {
      return v.now < Cycle{500} ? WarpSlot::none : RoundRobin::pick(v);
    }
    Cycle wake_at(Cycle) const override { return Cycle{500}; }
  };
  const config::GpuSpec g = gtx480();
  Script source({make(OpClass::alu), exit()});
  mem::SmPort port(8, 8);
  config::GpuSpec perfect = g;
  perfect.sm.perfect_instruction_cache = true;
  Sm sm(0, perfect, port, [](int) { return std::make_unique<Never>(); });
  exec::Launch launch;
  launch.kernel = &source.kernel();
  launch.block = {32, 1, 1};
  sm.begin_kernel(launch, source, 1);
  sm.queue_cta(0, Cycle{0});
  sm.run(Cycle{0}, Cycle{1000});
  EXPECT_TRUE(sm.drained());
  EXPECT_GT(slots(sm.stats(), SlotUse::throttled), 490u);
  EXPECT_EQ(source.at(0, 0), 500u);
}

// A mix of everything, to compare ways of running it.
std::unique_ptr<Bench> mixture(const config::GpuSpec& machine = gtx480()) {
  std::vector<ptx::Instruction> code;
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
      default: code.push_back(memory(OpClass::load, Space::local, {r(0)}, {r(1)})); break;
    }
  }
  code.push_back(make(OpClass::barrier));
  code.back().barrier = ptx::BarrierOp::sync;
  code.push_back(exit());
  return std::make_unique<Bench>(
      code,
      [](WarpSlot w, exec::Step& s) {
        if (s.space == Space::global)
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

// A policy that subscribed to every cycle keeps the SM from skipping any.
class Restless final : public RoundRobin {
 public:
  EventSet subscribed_events() const override { return Event::cycle | Event::issue; }
};

TEST(Sm, SkippingIdleTimeChangesNoStatistic) {
  const auto skipping = mixture();
  const std::uint64_t end = skipping->run(6, 3, 8, 3);
  std::vector<std::uint64_t> numbers = all_numbers(skipping->stats());
  auto stepping = mixture();
  Sm* place = &stepping->sm;
  std::destroy_at(place);
  std::construct_at(place, 0, stepping->spec, stepping->port,
                    [](int) { return std::make_unique<Restless>(); });
  EXPECT_EQ(stepping->run(6, 3, 8, 3), end);
  EXPECT_EQ(all_numbers(stepping->stats()), numbers);
}

// Sub-cores, generic collectors, two issues per scheduler, sectored L1: what Pascal and later
// machines add.
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

TEST(Sm, SubCoreMachineRunsTheSameInstructionsInFewerCycles) {
  const auto plain = mixture(), sub = mixture(sub_core_machine());
  const std::uint64_t cycles = plain->run(6, 3, 4, 3);
  EXPECT_LT(sub->run(6, 3, 4, 3), cycles * 2);
  EXPECT_EQ(sub->stats().warp_instructions, plain->stats().warp_instructions);
  EXPECT_GT(sub->stats().second_issues, 0u);
  EXPECT_EQ(stats::total(sub->stats().slots), 4 * sub->stats().cycles);
}

TEST(Sm, HalfWarpMachineRunsTheSameInstructions) {
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

// 16 lines are read twice; hits tell how many of them the L1 kept.
std::uint64_t hits_with_shared_memory(std::uint32_t shared_bytes) {
  config::GpuSpec g = gtx480();
  g.sm.l1d.size_bytes = 4 * 2 * 128;
  g.sm.l1d.ways = 2;
  g.sm.l1d.set_index = config::SetIndex::linear;
  g.sm.unified_bytes = 4096;
  g.sm.shared_bytes = 3072;
  g.sm.shared_sizes = {0, 2048, 3072};
  std::vector<ptx::Instruction> code;
  for (std::uint16_t i = 0; i < 32; ++i)
    code.push_back(
        memory(OpClass::load, ptx::Space::global, {}, {static_cast<std::uint16_t>(i % 16)}));
  code.push_back(exit());
  Bench b(code, [](WarpSlot, exec::Step& s) { s.addresses.fill(0xC0000000 + s.pc % 16 * 128); }, g);
  b.source.kernel_ref().shared_bytes = shared_bytes;
  b.run();
  return b.stats().l1d.hits;
}

TEST(Sm, AUnifiedMemoryGivesTheL1WhatTheCtasLeave) {
  EXPECT_EQ(hits_with_shared_memory(0), 16u);     // 4 KiB: 32 lines
  EXPECT_EQ(hits_with_shared_memory(1000), 16u);  // 2 KiB of shared memory, 16 lines left
  EXPECT_EQ(hits_with_shared_memory(3000), 0u);   // 8 lines left: round and round, LRU keeps none
}

TEST(Sm, PerfectConstantsAskNobody) {
  config::GpuSpec g = gtx480();
  g.sm.perfect_constant_cache = g.sm.perfect_instruction_cache = true;
  Bench b(
      {memory(OpClass::load, ptx::Space::param, {}, {1}), make(OpClass::int_add, {1}, {2}), exit()},
      {}, g);
  b.run();
  EXPECT_TRUE(b.seen.empty());
  EXPECT_EQ(b.stats().constant.accesses, 0u);
}

TEST(Sm, ASecondInstructionGoesToAnotherKindOfUnitOnly) {
  config::GpuSpec g = gtx480();
  g.sm.max_issue = 2;
  g.sm.perfect_instruction_cache = true;
  Bench same({make(OpClass::int_add, {1}, {2}), make(OpClass::int_add, {3}, {4}), exit()}, {}, g);
  same.run();
  EXPECT_GT(same.source.gap(0, 1), 0u);
  Bench other({make(OpClass::int_add, {1}, {2}), make(OpClass::sfu, {3}, {4}), exit()}, {}, g);
  other.run();
  EXPECT_EQ(other.source.gap(0, 1), 0u);
  g.sm.dual_issue_different_units = false;
  Bench allowed({make(OpClass::int_add, {1}, {2}), make(OpClass::int_add, {3}, {4}), exit()}, {},
                g);
  allowed.run();
  EXPECT_EQ(allowed.source.gap(0, 1), 0u);
}

TEST(InstructionTiming, MultipliersOf24BitsTakeACycleMore) {
  const config::SmSpec spec = gtx480().sm;
  const auto timing = [&](ptx::Opcode opcode, OpClass c) {
    ptx::Instruction i = make(c);
    i.opcode = opcode;
    return timing_of(i, spec);
  };
  EXPECT_EQ(timing(ptx::Opcode::mul24, OpClass::int_mul).latency,
            timing(ptx::Opcode::mul, OpClass::int_mul).latency + 1);
  EXPECT_EQ(timing(ptx::Opcode::mul24, OpClass::int_mul).interval,
            timing(ptx::Opcode::mul, OpClass::int_mul).interval + 1);
  EXPECT_EQ(timing(ptx::Opcode::mad24, OpClass::int_mad).latency,
            timing(ptx::Opcode::mad, OpClass::int_mad).latency + 1);
}

TEST(InstructionTiming, EachClassHasItsPipeWhereTheMachineHasOne) {
  config::SmSpec few = gtx480().sm, many = few;
  many.units = {4, 4, 4, 4, 1, 4};
  struct {
    OpClass c;
    UnitClass own, fallback;
  } cases[] = {{OpClass::int_add, UnitClass::int_, UnitClass::sp},
               {OpClass::fp_mad, UnitClass::sp, UnitClass::sp},
               {OpClass::dp_add, UnitClass::dp, UnitClass::sfu},
               {OpClass::sfu, UnitClass::sfu, UnitClass::sfu},
               {OpClass::tensor, UnitClass::tensor, UnitClass::tensor},
               {OpClass::load, UnitClass::mem, UnitClass::mem}};
  for (const auto& c : cases) {
    EXPECT_EQ(timing_of(make(c.c), many).unit, c.own);
    EXPECT_EQ(timing_of(make(c.c), few).unit, c.fallback);
  }
}

TEST(Sm, LoopEventsSayEveryTripAndTheEnd) {
  struct Listener final : RoundRobin {
    explicit Listener(std::vector<int>* l) : log(l) {}
    EventSet subscribed_events() const override { return Event::loop | Event::issue; }
    void on_loop(const LoopEvent& e) override { log->push_back(e.begin ? 1 : 0); }
    std::vector<int>* log;
  };
  std::vector<ptx::Instruction> code{make(OpClass::alu), make(OpClass::alu), make(OpClass::branch),
                                     exit()};
  code[1].loop = code[2].loop = 0;
  code[1].loop_header = true;
  int trips = 0;
  Script source(code, [&](WarpSlot, exec::Step& s) {
    if (s.pc == 2 && ++trips < 3) s.next_pc = 1;
  });
  ptx::Loop loop;
  loop.header = 1;
  loop.ranges = {{1, 3}};
  source.kernel_ref().loops.push_back(loop);
  config::GpuSpec g = gtx480();
  g.sm.perfect_instruction_cache = true;
  std::vector<int> log;
  mem::SmPort port(8, 8);
  Sm sm(0, g, port, [&](int) { return std::make_unique<Listener>(&log); });
  exec::Launch launch;
  launch.kernel = &source.kernel();
  launch.block = {32, 1, 1};
  sm.begin_kernel(launch, source, 1);
  sm.queue_cta(0, Cycle{0});
  sm.run(Cycle{0}, Cycle{500});
  EXPECT_TRUE(sm.drained());
  EXPECT_EQ(log, (std::vector<int>{1, 1, 1, 0}));
}

TEST(Sm, CtaSlotsAreUsedAgain) {
  Bench b({make(OpClass::alu), exit()});
  b.run(2, 20, 4, 4);
  EXPECT_EQ(b.stats().ctas_started, 20u);
  EXPECT_EQ(b.stats().warps_finished, 40u);
  EXPECT_EQ(b.source.ended, 20);
}

}  // namespace
}  // namespace heddle::sm::test
