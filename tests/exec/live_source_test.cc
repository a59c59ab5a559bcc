#include <gtest/gtest.h>

#include "tests/exec/stepping.h"

namespace heddle::exec::test {
namespace {

// Reverses each CTA's part of an array through shared memory; each lane loops as often as its
// number; odd lanes take another path.
ptx::Kernel busy_kernel() {
  Builder b;
  const Operand in = b.element_address(0, 4), out = b.element_address(1, 4), counter = b.reg64();
  b.ld(Space::param, Type::u64, counter, {}, 16);
  b.kernel.parameter_bytes = 24;
  b.kernel.shared_bytes = 1024;
  const Operand tid = b.special(SpecialRegister::tid_x), n = b.special(SpecialRegister::ntid_x);
  const Operand v = b.reg32(), i = b.reg32(), at = b.reg32(), p = b.pred(), q = b.pred(),
                odd = b.reg32(), old = b.reg32();
  b.ld(Space::global, Type::u32, v, in);
  b.emit(Opcode::mov, Type::b32, {i}, {b.imm32(0)});
  const Pc header = b.here();
  b.emit(Opcode::add, Type::u32, {v}, {v, b.imm32(3)});
  b.emit(Opcode::add, Type::u32, {i}, {i, b.imm32(1)});
  b.setp(Compare::lt, Type::u32, p, i, tid);
  const Pc back = b.bra(p);
  b.bind(back, header, b.here());
  b.emit(Opcode::and_, Type::b32, {odd}, {tid, b.imm32(1)});
  b.setp(Compare::ne, Type::u32, q, odd, b.imm32(0));
  const Pc to_else = b.bra(q);
  b.emit(Opcode::mul, Type::u32, {v}, {v, b.imm32(5)});
  const Pc to_end = b.bra();
  const Pc other = b.here();
  b.emit(Opcode::xor_, Type::b32, {v}, {v, b.imm32(0xff)});
  const Pc end = b.here();
  b.bind(to_else, other, end);
  b.bind(to_end, end);
  b.emit(Opcode::shl, Type::b32, {at}, {tid, b.imm32(2)});
  b.st(Space::shared, Type::u32, at, v);
  b.bar();
  b.emit(Opcode::sub, Type::u32, {at}, {n, tid});
  b.emit(Opcode::shl, Type::b32, {at}, {at, b.imm32(2)});
  b.ld(Space::shared, Type::u32, v, at, -4);
  Instruction& atomic = b.emit(Opcode::atom, Type::u32, {old}, {counter, b.imm32(1)});
  atomic.space = Space::global;
  atomic.atomic = ptx::AtomicOp::add;
  atomic.op_class = ptx::OpClass::atomic;
  atomic.access_bytes = 4;
  b.st(Space::global, Type::u32, out, v);
  b.ld(Space::global, Type::u32, v, out);  // reads its own store
  b.emit(Opcode::add, Type::u32, {v}, {v, b.imm32(1)});
  b.st(Space::global, Type::u32, out, v);
  b.ret();
  return b.kernel;
}

TEST(LiveSource, StepsGiveTheResultsOfAFunctionalRun) {
  const ptx::Kernel kernel = busy_kernel();
  std::vector<std::uint32_t> input(300 * 4);
  for (std::uint32_t i = 0; i < input.size(); ++i) input[i] = i * 77;
  std::vector<std::uint32_t> results[2];
  std::uint32_t counters[2];
  FunctionalCounts counts[2];
  for (int way = 0; way < 2; ++way) {
    Bench bench;
    bench.array(input);
    const Address out = bench.array(std::vector<std::uint32_t>(input.size())),
                  counter = bench.array(std::vector<std::uint32_t>(1));
    const Launch launch = bench.launch(kernel, {6, 1, 1}, {200, 1, 1});
    counts[way] =
        way == 0 ? run_functionally(launch, bench.memory, {}) : run_by_steps(launch, bench.memory);
    results[way] = bench.read<std::uint32_t>(out, input.size());
    counters[way] = bench.read<std::uint32_t>(counter, 1)[0];
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(counters[0], 1200u);
  EXPECT_EQ(counters[1], 1200u);
  EXPECT_EQ(counts[0].warp_instructions, counts[1].warp_instructions);
  EXPECT_EQ(counts[0].thread_instructions, counts[1].thread_instructions);
  for (std::uint32_t cta = 0; cta < 6; ++cta) {
    for (std::uint32_t t = 0; t < 200; ++t) {
      const std::uint32_t from = 199 - t;
      std::uint32_t v = input[cta * 200 + from] + 3 * std::max(from, 1u);
      v = from % 2 ? v ^ 0xff : v * 5;
      ASSERT_EQ(results[0][cta * 200 + t], v + 1) << cta << " " << t;
    }
  }
}

// Stores the thread number, then loads it back, then waits.
ptx::Kernel store_then_load() {
  Builder b;
  const Operand at = b.element_address(0, 4), seen = b.element_address(1, 4), v = b.reg32();
  b.st(Space::global, Type::u32, at, b.imm32(7));
  b.ld(Space::global, Type::u32, v, at);
  b.st(Space::global, Type::u32, seen, v);
  b.ret();
  return b.kernel;
}

TEST(LiveSource, OtherSmsSeeStoresOnlyAfterSynchronising) {
  Bench bench;
  const Address data = bench.array(std::vector<std::uint32_t>(32)),
                seen = bench.array(std::vector<std::uint32_t>(32));
  const ptx::Kernel kernel = store_then_load();
  const Launch launch = bench.launch(kernel, {1, 1, 1}, {32, 1, 1});
  const auto sm = make_live_source(launch, bench.memory, {}, 1);
  const WarpSlot slot{0};
  sm->start_cta(0, 0, {&slot, 1});
  Step step;
  do sm->step(slot, Cycle{0}, step);
  while (!step.finished());
  EXPECT_EQ(bench.read<std::uint32_t>(data, 1)[0], 0u);  // the value that other SMs see
  EXPECT_EQ(bench.read<std::uint32_t>(seen, 1)[0], 0u);
  sm->synchronise();
  EXPECT_EQ(bench.read<std::uint32_t>(data, 32), std::vector<std::uint32_t>(32, 7));
  EXPECT_EQ(bench.read<std::uint32_t>(seen, 32),
            std::vector<std::uint32_t>(32, 7));  // the SM sees its own store at once
}

TEST(LiveSource, StepsReportAddressesMasksAndBranches) {
  Bench bench;
  bench.array(std::vector<std::uint32_t>(64));
  Builder b;
  const Operand at = b.element_address(0, 4), v = b.reg32(), p = b.pred();
  b.setp(Compare::lt, Type::u32, p, b.special(SpecialRegister::laneid), b.imm32(4));
  b.ld(Space::global, Type::u32, v, at).guard = p;
  const Pc branch = b.bra(p);
  b.emit(Opcode::nop, Type::none);
  b.bind(branch, b.here(), b.here());
  b.ret();
  const Launch launch = bench.launch(b.kernel, {1, 1, 1}, {20, 1, 1});
  const auto sm = make_live_source(launch, bench.memory, {}, 1);
  const WarpSlot slot{9};
  sm->start_cta(0, 0, {&slot, 1});
  Step step;
  while (step.pc == kNoPc || b.kernel.code[step.pc].opcode != Opcode::ld ||
         step.space != Space::global)
    sm->step(slot, Cycle{0}, step);
  EXPECT_EQ(step.active, LaneMask::first(20));
  EXPECT_EQ(step.executed, LaneMask::first(4));
  for (std::size_t l = 0; l < 4; ++l) EXPECT_EQ(step.addresses[l], kHeapBase + 4 * l);
  sm->step(slot, Cycle{0}, step);
  EXPECT_EQ(step.taken, LaneMask::first(4));
  EXPECT_EQ(step.fell_through, LaneMask{LaneMask::first(20).bits & ~0xfu});
  EXPECT_EQ(step.next_pc, branch + 1);
  sm->step(slot, Cycle{0}, step);
  EXPECT_EQ(step.executed, LaneMask{LaneMask::first(20).bits & ~0xfu});
  EXPECT_EQ(step.next_pc, branch + 2);
  sm->step(slot, Cycle{0}, step);
  EXPECT_EQ(step.executed, LaneMask::first(20));
  EXPECT_TRUE(step.finished());
  EXPECT_TRUE(sm->live_lanes(slot).none());
}

// Lane 31 falls through with lt, and branches with ge.
TEST(LiveSource, TheLanesThatTakeABranchRunFirstOrThoseWithoutTheHighestLane) {
  using Case = std::pair<Compare, bool>;
  for (const auto& [who, taken_first] : {Case{Compare::lt, true}, Case{Compare::ge, true},
                                         Case{Compare::lt, false}, Case{Compare::ge, false}}) {
    Bench bench;
    Builder b;
    const Operand p = b.pred();
    b.setp(who, Type::u32, p, b.special(SpecialRegister::laneid), b.imm32(4));
    const Pc branch = b.bra(p);
    b.emit(Opcode::nop, Type::none);
    const Pc to_end = b.bra();
    const Pc target = b.here();
    b.emit(Opcode::nop, Type::none);
    b.bind(branch, target, b.here());
    b.bind(to_end, b.here());
    b.ret();
    const Launch launch = bench.launch(b.kernel, {1, 1, 1}, {32, 1, 1});
    MachineView view;
    view.taken_lanes_first = taken_first;
    const auto sm = make_live_source(launch, bench.memory, view, 1);
    const WarpSlot slot{0};
    sm->start_cta(0, 0, {&slot, 1});
    Step step;
    std::vector<Pc> order;
    do {
      sm->step(slot, Cycle{0}, step);
      if (step.pc > branch) order.push_back(step.pc);
    } while (!step.finished());
    if (taken_first || who == Compare::lt)
      EXPECT_EQ(order, (std::vector<Pc>{target, branch + 1, to_end, target + 1}));
    else
      EXPECT_EQ(order, (std::vector<Pc>{branch + 1, to_end, target, target + 1}));
  }
}

}  // namespace
}  // namespace heddle::exec::test
