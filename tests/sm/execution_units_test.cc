// The arithmetic units alone, with latches before them and a list of results after them: exact
// cycles from latency and interval.
#include "sm/issue/execution_units.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tests/sm/bench.h"

namespace heddle::sm {
namespace {

using isa::OpClass;
using test::gtx480;

isa::Instruction of_class(OpClass c) {
  isa::Instruction i;
  i.op_class = c;
  return i;
}

// Latches of any width; units accept their instructions as soon as possible.
class PipeBench {
 public:
  explicit PipeBench(const config::SmSpec& s, std::uint32_t latches = 32, bool partitioned = false)
      : spec(s), units(spec, pool, sets) {
    for (std::size_t u = 0; u < kUnitClasses; ++u) sets.build(u, LatchSet(latches, partitioned));
  }
  OpId put(OpClass c, int scheduler = 0) {
    const auto [at, fresh] = timings.try_emplace(c, timing_of(of_class(c), spec));
    const OpId id = pool.take();
    pool[id].timing = &at->second;
    pool[id].sequence = sequence++;
    pool[id].scheduler = static_cast<std::uint8_t>(scheduler);
    sets.put(static_cast<std::size_t>(index(at->second.unit)), id, scheduler);
    return id;
  }
  // One cycle: writes back results, then accepts instructions.
  void step() {
    units.take_results(now, [&](OpId id) { done[id] = now.value; });
    units.accept(now);
    ++now;
  }
  void run() {
    do step();
    while (!units.idle() || sets.filled());
  }
  std::uint64_t gap(OpId first, OpId then) const { return done.at(then) - done.at(first); }

  config::SmSpec spec;
  OpPool pool;
  LatchSets sets;
  ExecutionUnits units;
  std::map<OpClass, InstructionTiming> timings;
  std::map<OpId, std::uint64_t> done;
  Cycle now;
  std::uint64_t sequence = 0;
};

struct Pipe {
  OpClass op;
  std::uint32_t latency, interval;
};

// Every class with the values of its table, by position: ADD, MAX, MUL, MAD, DIV, SHFL.
std::vector<Pipe> pipes_of(const config::SmSpec& s) {
  std::vector<Pipe> all;
  const auto add = [&](OpClass first, const config::LatencySpec& table, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      all.push_back({static_cast<OpClass>(static_cast<std::size_t>(first) + i), table.latency[i],
                     table.interval[i]});
  };
  add(OpClass::int_add, s.int_op, 6);
  add(OpClass::fp_add, s.fp_op, 5);
  add(OpClass::dp_add, s.dp_op, 5);
  all.push_back({OpClass::sfu, s.sfu_latency, s.sfu_interval});
  return all;
}

// A machine with one unit per class in which all latencies and intervals differ.
config::SmSpec distinct() {
  config::SmSpec s = gtx480().sm;
  s.units = {1, 1, 1, 1, 1, 1};
  s.writeback_latches = 8;
  std::uint32_t figure = 3;
  for (config::LatencySpec* table : {&s.int_op, &s.fp_op, &s.dp_op})
    for (std::size_t i = 0; i < table->latency.size(); ++i)
      table->interval[i] = figure, table->latency[i] = 50 + 3 * figure, ++figure;
  s.sfu_interval = figure, s.sfu_latency = 50 + 3 * figure;
  return s;
}

TEST(ExecutionUnits, AResultIsWrittenBackItsDelayAfterTheLatency) {
  for (const std::uint32_t delay : {0u, 2u, 16u}) {
    config::SmSpec s = distinct();
    s.writeback_delay = delay;
    for (const Pipe& pipe : pipes_of(s)) {
      PipeBench b(s);
      const OpId op = b.put(pipe.op);
      b.run();
      EXPECT_EQ(b.done.at(op), pipe.latency + delay) << static_cast<int>(pipe.op);
    }
  }
}

TEST(ExecutionUnits, ResultsOfOneUnitAreAnIntervalApart) {
  for (const Pipe& pipe : pipes_of(distinct())) {
    PipeBench b(distinct());
    const OpId first = b.put(pipe.op), second = b.put(pipe.op), third = b.put(pipe.op);
    b.run();
    EXPECT_EQ(b.gap(first, second), pipe.interval) << static_cast<int>(pipe.op);
    EXPECT_EQ(b.gap(second, third), pipe.interval) << static_cast<int>(pipe.op);
  }
}

TEST(ExecutionUnits, UnitsOfOneClassWorkInParallel) {
  config::SmSpec s = distinct();
  s.units.sp = 2;
  PipeBench b(s);
  const OpId first = b.put(OpClass::fp_mul), second = b.put(OpClass::fp_mul),
             third = b.put(OpClass::fp_mul);
  b.run();
  EXPECT_EQ(b.gap(first, second), 0u);
  EXPECT_EQ(b.gap(first, third), s.fp_op.interval[2]);
}

TEST(ExecutionUnits, UnitsOfDifferentClassesWorkInParallel) {
  const config::SmSpec s = distinct();
  PipeBench b(s);
  const std::vector<Pipe> one_each = {{OpClass::int_add, s.int_op.latency[0], 0},
                                      {OpClass::fp_add, s.fp_op.latency[0], 0},
                                      {OpClass::dp_add, s.dp_op.latency[0], 0},
                                      {OpClass::sfu, s.sfu_latency, 0}};
  std::vector<OpId> ops;
  for (const Pipe& pipe : one_each) ops.push_back(b.put(pipe.op));
  b.run();
  for (std::size_t i = 0; i < ops.size(); ++i)
    EXPECT_EQ(b.done.at(ops[i]), one_each[i].latency + s.writeback_delay);
}

TEST(ExecutionUnits, InstructionsWithoutAUnitOfTheirOwnShareAnother) {
  config::SmSpec s = distinct();
  s.units.int_ = s.units.dp = 0;  // integers use SP, double precision uses the SFU
  PipeBench b(s);
  const OpId integer = b.put(OpClass::int_add), single = b.put(OpClass::fp_add),
             special = b.put(OpClass::sfu), twice = b.put(OpClass::dp_add);
  b.run();
  EXPECT_EQ(b.done.at(single), s.int_op.interval[0] + s.fp_op.latency[0] + s.writeback_delay);
  EXPECT_EQ(b.done.at(integer), s.int_op.latency[0] + s.writeback_delay);
  EXPECT_EQ(b.done.at(special), s.sfu_latency + s.writeback_delay);
  EXPECT_EQ(b.done.at(twice), s.sfu_interval + s.dp_op.latency[0] + s.writeback_delay);
}

TEST(ExecutionUnits, AnInstructionWaitsForAFreeResultBus) {
  config::SmSpec s = distinct();
  s.writeback_latches = 1;
  s.int_op.latency[0] = s.fp_op.latency[0] = 60;
  PipeBench b(s);
  const OpId single = b.put(OpClass::fp_add), integer = b.put(OpClass::int_add);
  b.run();
  EXPECT_EQ(b.done.at(single), 60 + s.writeback_delay);
  EXPECT_EQ(b.gap(single, integer), 1u);
}

TEST(ExecutionUnits, ASubCoresInstructionWaitsForItsOwnUnit) {
  config::SmSpec s = distinct();
  s.units.sp = 2;
  PipeBench b(s, 2, true);
  const OpId first = b.put(OpClass::fp_mul, 0);
  b.step();
  const OpId second = b.put(OpClass::fp_mul, 0);
  b.step();
  const OpId other = b.put(OpClass::fp_mul, 1);
  b.run();
  EXPECT_EQ(b.gap(first, second), s.fp_op.interval[2]);
  EXPECT_EQ(b.gap(first, other), 2u);  // its unit was free
}

TEST(ExecutionUnits, TheOldestOfALatchSetIsAcceptedFirst) {
  PipeBench b(distinct());
  std::vector<OpId> ops;
  for (int i = 0; i < 5; ++i) ops.push_back(b.put(OpClass::fp_add));
  b.run();
  for (std::size_t i = 1; i < ops.size(); ++i) EXPECT_LT(b.done.at(ops[i - 1]), b.done.at(ops[i]));
}

// Compared with a model that searches a list of all acceptances. A unit is free when its last
// acceptance is an interval ago. It accepts when a bus is free in the cycle of the result and no
// other result of the unit is due then.
TEST(RandomExecutionUnits, AcceptInTheCyclesOfTheReferenceModel) {
  std::mt19937 draw(11);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(draw() % n); };
  for (int round = 0; round < 60; ++round) {
    config::SmSpec s = gtx480().sm;
    s.units = {1 + below(3), below(2), below(3), 1 + below(2), 1, 0};
    s.writeback_latches = 1 + below(4);
    s.writeback_delay = below(4);
    for (config::LatencySpec* table : {&s.int_op, &s.fp_op, &s.dp_op})
      for (std::size_t i = 0; i < table->latency.size(); ++i)
        table->interval[i] = 1 + below(6), table->latency[i] = table->interval[i] + below(12);
    s.sfu_interval = 1 + below(8), s.sfu_latency = s.sfu_interval + below(20);
    const std::vector<Pipe> pipes = pipes_of(s);

    struct Waiting {
      OpId op;
      InstructionTiming timing;
    };
    struct Accepted {
      UnitClass unit;
      std::uint32_t place;
      std::uint64_t at, due;
      InstructionTiming timing;
    };
    PipeBench b(s);
    std::vector<Waiting> waiting;
    std::vector<Accepted> history;
    std::map<OpId, std::uint64_t> expected;
    for (std::uint64_t now = 0; now < 300; ++now) {
      for (std::uint32_t n = now < 120 ? below(3) : 0; n > 0 && waiting.size() < 20; --n) {
        const Pipe& pipe = pipes[below(static_cast<std::uint32_t>(pipes.size()))];
        waiting.push_back({b.put(pipe.op), timing_of(of_class(pipe.op), s)});
      }
      b.step();
      for (UnitClass unit : {UnitClass::sp, UnitClass::dp, UnitClass::int_, UnitClass::sfu})
        for (std::uint32_t place = 0; place < count_of(s.units, unit); ++place) {
          const auto next = std::find_if(waiting.begin(), waiting.end(),
                                         [&](const Waiting& w) { return w.timing.unit == unit; });
          if (next == waiting.end()) continue;
          const std::uint64_t due = now + next->timing.latency + s.writeback_delay;
          bool free = true;
          std::uint32_t due_then = 0;
          for (const Accepted& a : history) {
            const bool own = a.unit == unit && a.place == place;
            free &= !own || (a.at + a.timing.interval <= now && a.due != due);
            due_then += a.due == due;
          }
          if (!free || due_then >= s.writeback_latches) continue;
          history.push_back({unit, place, now, due, next->timing});
          expected[next->op] = due;
          waiting.erase(next);
        }
    }
    EXPECT_TRUE(waiting.empty());
    EXPECT_EQ(b.done, expected) << "round " << round;
  }
}

}  // namespace
}  // namespace heddle::sm
