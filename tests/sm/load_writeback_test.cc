#include "sm/lsu/load_writeback.h"

#include <gtest/gtest.h>

#include "tests/sm/lsu_bench.h"

namespace heddle::sm {
namespace {

using test::kGlobalLoad;
using Which = LsuCaches::Which;

const isa::Instruction kSharedLoad = test::memory(isa::OpClass::load, isa::Space::shared, {}, {2});

// The units whose data it writes, in cycle 100.
struct WritebackBench : test::LsuBench {
  explicit WritebackBench(config::Core core = config::Core::collector, bool loose_atomics = false)
      : writeback(spec_with(core, loose_atomics), {shared, caches, bypass, remote}, registers,
                  context) {
    at(100);
  }
  static config::SmSpec spec_with(config::Core core, bool loose_atomics) {
    config::SmSpec spec;
    spec.core = core;
    spec.flow.loose_atomics = loose_atomics;
    return spec;
  }
  OpId start_with(const isa::Instruction& instruction, std::vector<std::uint64_t> lines = {}) {
    const OpId id = start(instruction, std::move(lines));
    timings.push_back(timing_of(instruction, spec));
    ops[id].timing = &timings.back();
    return id;
  }
  OpId load_shared() {
    const OpId id = start_with(kSharedLoad);
    shared.dispatch(ops[id], id, Cycle{0}, stats());
    return id;
  }
  OpId load_past_the_l1() {
    const OpId id = start_with(kGlobalLoad, {5});
    ops[id].pending = 4;  // sectors
    bypass.dispatch(ops[id], id, stats());
    bypass.take_reply(sent().at(0));
    return id;
  }
  // A sector for each line, all of which the L1 has.
  OpId load_from_the_l1(const std::vector<std::uint64_t>& lines) {
    const OpId id = start_with(kGlobalLoad, lines);
    for (const std::uint64_t line : lines) {
      mem::Request request;
      request.address = Address{line * mem::kLineBytes};
      request.bytes = 32;
      request.tag = id;
      at(context.now.value + 1);  // a fill occupies the port
      caches.access(Which::l1d, request, context.step, stats());
      caches.send_misses(port, context);
      for (const mem::Packet& reply : sent()) caches.fill(reply, context);
    }
    return id;
  }
  // The loads that complete in the next cycle.
  std::vector<OpId> completed_in_a_cycle() {
    log.completed.clear();
    registers.end_step();
    writeback.cycle();
    return log.completed;
  }

  std::deque<InstructionTiming> timings;
  RegisterBanks registers{spec};
  SharedMemoryUnit shared{spec};
  BypassUnit bypass{port, context};
  RemoteUnit remote{1, context};
  LoadWriteback writeback;
};

using Ids = std::vector<OpId>;

TEST(LoadWriteback, WritesOneLoadPerCycleAndServesTheUnitsInTurn) {
  WritebackBench b;
  EXPECT_EQ(b.completed_in_a_cycle(), Ids{});
  EXPECT_FALSE(b.writeback.is_waiting());
  const OpId from_l1 = b.load_from_the_l1({1}), past_l1 = b.load_past_the_l1(),
             shared = b.load_shared(), again = b.load_shared();
  EXPECT_EQ(b.completed_in_a_cycle(), Ids{});  // chooses the first
  EXPECT_TRUE(b.writeback.is_waiting());
  EXPECT_EQ(b.completed_in_a_cycle(), Ids{shared});
  EXPECT_EQ(b.completed_in_a_cycle(), Ids{past_l1});
  EXPECT_EQ(b.completed_in_a_cycle(), Ids{from_l1});
  EXPECT_EQ(b.completed_in_a_cycle(), Ids{again});
  EXPECT_FALSE(b.writeback.is_waiting());
}

TEST(LoadWriteback, ALoadWaitsForTheBankOfItsRegister) {
  WritebackBench b;
  const OpId id = b.load_shared();
  b.completed_in_a_cycle();
  b.registers.end_step();
  EXPECT_TRUE(b.registers.write(b.ops[id].warp, 0, *b.ops[id].timing));
  b.writeback.cycle();
  EXPECT_TRUE(b.log.completed.empty());
  EXPECT_TRUE(b.writeback.is_waiting());
  EXPECT_EQ(b.completed_in_a_cycle(), Ids{id});
}

// The collector core writes with the data of every access.
TEST(LoadWriteback, ACompilerGuidedCoreWritesALoadOnce) {
  for (const auto core : {config::Core::collector, config::Core::compiler_guided}) {
    WritebackBench b(core);
    const OpId id = b.load_from_the_l1({1, 2, 3});
    int cycles = 1;
    while (b.completed_in_a_cycle().empty() && b.writeback.is_waiting()) ++cycles;
    EXPECT_EQ(cycles, core == config::Core::collector ? 4 : 2);
    EXPECT_EQ(b.log.completed, Ids{id});
  }
}

TEST(LoadWriteback, ALoadFromAnotherCtaHasItsDataWithTheAnswer) {
  WritebackBench b;
  const OpId id = b.start_with(kSharedLoad);
  b.ops[id].remote_sectors = 1;
  EXPECT_TRUE(b.remote.dispatch(b.ops[id], id, b.stats()));
  b.remote.answer(b.remote.take_requests().at(0), Cycle{101});
  b.completed_in_a_cycle();
  EXPECT_FALSE(b.writeback.is_waiting());
  b.at(101);
  b.completed_in_a_cycle();
  EXPECT_TRUE(b.writeback.is_waiting());
  EXPECT_EQ(b.completed_in_a_cycle(), Ids{id});
}

TEST(LoadWriteback, DataThatArriveLaterAreNotThere) {
  WritebackBench b;
  b.load_shared();
  b.at(1);
  EXPECT_LT(b.context.now, b.shared.next_result());
  b.completed_in_a_cycle();
  EXPECT_FALSE(b.writeback.is_waiting());
}

TEST(LoadWriteback, ALooseAtomicIsAnsweredWhenItsLastDataAreChosen) {
  WritebackBench b(config::Core::collector, true);
  const OpId atomic = b.load_past_the_l1();
  b.completed_in_a_cycle();
  EXPECT_EQ(b.log.answers, Ids{atomic});
  EXPECT_EQ(b.completed_in_a_cycle(), Ids{atomic});
  WritebackBench strict;
  strict.load_past_the_l1();
  strict.completed_in_a_cycle();
  EXPECT_EQ(strict.log.answers, Ids{});
}

}  // namespace
}  // namespace heddle::sm
