#include "sm/issue/operand_collector.h"

#include <gtest/gtest.h>

#include "tests/sm/bench.h"

namespace heddle::sm::test {
namespace {

using isa::OpClass;

struct CollectorBench {
  config::SmSpec spec;
  OpPool pool;
  LatchSets in, out;
  RegisterBanks registers;
  OperandCollector collector;
  std::vector<InstructionTiming> timings;
  explicit CollectorBench(const config::SmSpec& s = gtx480().sm)
      : spec(s), registers(spec), collector(spec, pool, registers, in, out) {
    for (std::size_t u = 0; u < kUnitClasses; ++u)
      in.build(u, LatchSet(2, false)), out.build(u, LatchSet(2, false));
    timings.reserve(8);
  }
  OpId put(const isa::Instruction& i, int warp) {
    timings.push_back(timing_of(i, spec));
    const OpId id = pool.take();
    pool[id].instruction = &i;
    pool[id].timing = &timings.back();
    pool[id].warp = WarpSlot(warp);
    pool[id].sequence = id;
    in.put(0, id, 0);
    return id;
  }
  int steps_until_out(int count = 1) {
    for (int s = 1; s < 50; ++s) {
      collector.step(Cycle{static_cast<std::uint64_t>(s)});
      while (!out[0].empty()) {
        out.take(0, out[0].oldest(pool));
        --count;
      }
      if (count <= 0) return s;
    }
    return -1;
  }
};

TEST(OperandCollector, PassesAnInstructionWithoutSourcesInTwoSteps) {
  CollectorBench b;
  const auto i = make(OpClass::alu, {}, {1});
  b.put(i, 0);
  EXPECT_EQ(b.steps_until_out(), 2);
}
TEST(OperandCollector, ReadsOneOperandOfEveryBankPerStep) {
  const auto apart = make(OpClass::fp_mad, {1, 2, 3}, {4}),
             two_together = make(OpClass::fp_mad, {1, 2, 17}, {4});
  CollectorBench b, c;
  b.put(apart, 0);
  EXPECT_EQ(b.steps_until_out(), 3);
  c.put(two_together, 0);
  EXPECT_EQ(c.steps_until_out(), 4);
}
TEST(OperandCollector, SinglePortedReadsOneOperandPerStep) {
  config::SmSpec spec = gtx480().sm;
  spec.single_ported_collectors = true;
  CollectorBench b(spec);
  const auto i = make(OpClass::fp_mad, {1, 2, 3}, {4});
  b.put(i, 0);
  EXPECT_EQ(b.steps_until_out(), 5);
}
// Of two banks that could serve a collector, the one at the diagonal, bank = collector - step, or
// the next one below it serves first. Collector 0 needs banks 1 and 2, collector 1 then bank 2.
TEST(OperandCollector, SinglePortedReadsFollowADiagonalThatMovesEveryStep) {
  config::SmSpec spec = gtx480().sm;
  spec.single_ported_collectors = true;
  const auto two = make(OpClass::alu, {1, 2}, {4}), one = make(OpClass::alu, {2}, {5});
  for (std::uint64_t first = 0; first < 32; ++first) {
    CollectorBench b(spec);
    b.put(two, 0);
    b.collector.step_once(Cycle{}, first);
    b.put(one, 0);
    int left = 2;
    std::uint64_t step = first;
    while (left > 0) {
      b.collector.step_once(Cycle{}, ++step);
      for (; !b.out[0].empty(); --left) b.out.take(0, b.out[0].oldest(b.pool));
    }
    const bool bank_1_first = (first + 1) % 16 == 15;
    EXPECT_EQ(step - first, bank_1_first ? 4u : 3u) << first;
  }
}
TEST(OperandCollector, TwoReadsOfOneBankAreServedOneAfterTheOther) {
  CollectorBench b;
  const auto i = make(OpClass::alu, {1}, {2}), j = make(OpClass::alu, {17}, {2});
  b.put(i, 0);
  b.put(j, 0);
  EXPECT_EQ(b.steps_until_out(2), 4);
  CollectorBench c;
  c.put(i, 0);
  c.put(i, 1);  // the register of another warp is in another bank
  EXPECT_EQ(c.steps_until_out(2), 3);
}
TEST(OperandCollector, CollectorsDispatchInRoundRobin) {
  CollectorBench b;
  const auto i = make(OpClass::alu, {}, {1});
  std::vector<OpId> put, dispatched;
  // The latch holds two instructions, so later ones wait in their collectors until one is taken.
  for (int n = 0; n < 6; ++n) {
    put.push_back(b.put(i, n));
    for (int s = 0; s < 4; ++s) b.collector.step(Cycle{1});
    if (n < 3) continue;
    dispatched.push_back(b.out.take(0, b.out[0].oldest(b.pool)));
  }
  b.collector.step(Cycle{1});
  for (; !b.out[0].empty(); b.collector.step(Cycle{1})) {
    dispatched.push_back(b.out.take(0, b.out[0].oldest(b.pool)));
  }
  EXPECT_EQ(dispatched, put);
}
TEST(OperandCollector, AWriteOccupiesItsBankForTheStep) {
  CollectorBench b;
  const auto i = make(OpClass::alu, {1}, {2}), writer = make(OpClass::alu, {}, {17});
  b.put(i, 0);
  b.collector.step(Cycle{1});
  EXPECT_TRUE(b.registers.write(WarpSlot(0), 0, timing_of(writer, b.spec)));
  EXPECT_FALSE(b.registers.write(WarpSlot(0), 0, timing_of(writer, b.spec)));
  b.collector.step(Cycle{2});
  b.collector.step(Cycle{3});
  EXPECT_TRUE(b.out[0].empty());
  b.collector.step(Cycle{4});
  EXPECT_FALSE(b.out[0].empty());
}
// Fewer collectors than waiting instructions; every collector accepts every class.
std::vector<OpClass> entered(std::vector<OpClass> waiting) {
  config::SmSpec s = gtx480().sm;
  s.units = {1, 1, 1, 1, 1, 1};
  s.sp_collectors = s.sfu_collectors = s.mem_collectors = {0, 1, 1};
  s.generic_collectors = {2, 4, 4};
  CollectorBench b(s);
  std::vector<isa::Instruction> instructions;
  for (const OpClass c : waiting) instructions.push_back(make(c, {}, {1}));
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    b.timings.push_back(timing_of(instructions[i], s));
    const OpId id = b.pool.take();
    b.pool[id].timing = &b.timings.back();
    b.pool[id].sequence = id;
    b.in.put(static_cast<std::size_t>(index(b.timings.back().unit)), id, 0);
  }
  b.collector.step(Cycle{1});
  b.collector.step(Cycle{2});
  std::vector<OpClass> out;
  for (std::size_t u = 0; u < kUnitClasses; ++u)
    while (!b.out[u].empty()) out.push_back(waiting[b.out.take(u, b.out[u].oldest(b.pool))]);
  return out;
}
TEST(OperandCollector, MemoryInstructionsEnterBeforeOlderIntegerInstructions) {
  EXPECT_EQ(entered({OpClass::int_add, OpClass::load, OpClass::fp_add}),
            (std::vector{OpClass::fp_add, OpClass::load}));
  EXPECT_EQ(entered({OpClass::int_add, OpClass::dp_add, OpClass::sfu}),
            (std::vector{OpClass::dp_add, OpClass::sfu}));
}
TEST(OperandCollector, APortAcceptsOneInstructionOfEveryClassBeforeTheNextPort) {
  EXPECT_EQ(entered({OpClass::fp_add, OpClass::fp_mul, OpClass::load}),
            (std::vector{OpClass::fp_add, OpClass::load}));
}

// Two sub-cores with one collector per unit class each.
struct SubCoreBench : CollectorBench {
  static config::SmSpec two() {
    config::SmSpec s = gtx480().sm;
    s.schedulers = 2;
    s.sub_cores = true;
    s.sp_collectors = s.sfu_collectors = s.mem_collectors = {2, 2, 2};
    return s;
  }
  SubCoreBench() : CollectorBench(two()) {
    for (std::size_t u = 0; u < kUnitClasses; ++u)
      in.build(u, LatchSet(2, true)), out.build(u, LatchSet(2, true));
  }
  OpId put(const isa::Instruction& i, int scheduler, int home) {
    timings.push_back(timing_of(i, spec));
    const OpId id = pool.take();
    pool[id] = Op{};
    pool[id].instruction = &i;
    pool[id].timing = &timings.back();
    pool[id].warp = WarpSlot(home);
    pool[id].scheduler = static_cast<std::uint8_t>(scheduler);
    pool[id].home = static_cast<std::uint8_t>(home);
    pool[id].sequence = id;
    in.put(0, id, scheduler);
    return id;
  }
  void steps(int count) {
    for (int s = 0; s < count; ++s) collector.step(Cycle{now++});
  }
  std::uint64_t now = 1;
};

TEST(OperandCollector, ASchedulerUsesItsOwnCollectors) {
  SubCoreBench b;
  const auto i = make(OpClass::alu, {}, {1});
  b.out.put(0, b.pool.take(), 0);  // its unit is busy
  b.put(i, 0, 0);
  b.steps(3);
  b.put(i, 1, 1);
  b.steps(3);
  EXPECT_FALSE(b.out[0].has_room(1));  // the instruction of the other scheduler was dispatched
  b.put(i, 0, 0);
  b.steps(3);
  EXPECT_FALSE(b.in[0].has_room(0));  // waits, although the other scheduler's collector is free
}
TEST(OperandCollector, SaysWhichSchedulersHaveAFreeCollector) {
  SubCoreBench b;
  const auto sp = static_cast<std::size_t>(index(UnitClass::sp)),
             int_ = static_cast<std::size_t>(index(UnitClass::int_)),
             sfu = static_cast<std::size_t>(index(UnitClass::sfu));
  EXPECT_TRUE(b.collector.has_free(sp, 0));
  b.out.put(0, b.pool.take(), 0);  // its unit is busy
  const auto i = make(OpClass::alu, {}, {1});
  b.put(i, 0, 0);
  b.steps(1);
  EXPECT_FALSE(b.collector.has_free(sp, 0));
  EXPECT_FALSE(b.collector.has_free(int_, 0));  // served by the same collectors
  EXPECT_TRUE(b.collector.has_free(sp, 1));
  EXPECT_TRUE(b.collector.has_free(sfu, 0));
}
TEST(OperandCollector, SaysWhetherEveryCollectorServesAllSchedulers) {
  EXPECT_TRUE(CollectorBench().collector.serves_alike());
  EXPECT_FALSE(SubCoreBench().collector.serves_alike());
}
TEST(OperandCollector, ASharedWarpReadsTheBanksOfItsOwnScheduler) {
  for (const int writing_home : {0, 1}) {
    SubCoreBench b;
    const auto i = make(OpClass::alu, {3}, {1}), writer = make(OpClass::alu, {}, {3});
    b.put(i, 0, 1);
    b.steps(1);
    EXPECT_TRUE(b.registers.write(WarpSlot(1), writing_home, timing_of(writer, b.spec)));
    b.steps(2);
    EXPECT_EQ(b.out[0].has_room(0),
              writing_home == 1);  // only a result for its own sub-core's registers delays it
  }
}

TEST(OperandCollector, OperandsOfASharedWarpArriveLaterByThePenalty) {
  const auto steps_of = [](std::uint32_t penalty, int home, std::vector<std::uint16_t> reads) {
    SubCoreBench b;
    b.collector.delay_foreign(penalty);
    const auto i = make(OpClass::alu, reads, {1});
    b.put(i, 0, home);
    for (int step = 1; step < 50; ++step) {
      b.steps(1);
      if (!b.out[0].has_room(0)) return step;
      EXPECT_FALSE(b.collector.stuck());
    }
    return -1;
  };
  const std::vector<std::uint16_t> two{2, 3};
  const int own = steps_of(0, 0, two);
  EXPECT_EQ(steps_of(0, 1, two), own);
  EXPECT_EQ(steps_of(1, 1, two), own + 1);
  EXPECT_EQ(steps_of(5, 1, two), own + 5);
  EXPECT_EQ(steps_of(5, 0, two), own);                // its own scheduler
  EXPECT_EQ(steps_of(5, 1, {}), steps_of(0, 0, {}));  // no operands
}

}  // namespace
}  // namespace heddle::sm::test
