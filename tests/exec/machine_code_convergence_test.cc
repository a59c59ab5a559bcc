#include <bit>

#include "exec/machine_code/layout.h"
#include "sass/decode.h"
#include "tests/exec/machine_code_kernel.h"

namespace heddle::exec::machine_test {
namespace {

using Trace = std::vector<std::pair<Pc, std::uint32_t>>;
constexpr std::uint32_t kAll = ~0u;

class Convergence : public testing::Test {
 protected:
  GlobalMemory memory{1 << 20};
};

TEST_F(Convergence, LanesThatTakeABranchRunFirstAndMeetAtBsync) {
  const sass::Kernel kernel = machine_kernel(
      {plain("BSSY"), guarded(plain("BRA", 3), 0), plain("NOP"), plain("BSYNC"), plain("EXIT")});
  MachineRun run(kernel, memory);
  run.predicate(0) = 0xff;
  EXPECT_EQ(run.trace(),
            (Trace{{0, kAll}, {1, kAll}, {3, 0xff}, {2, ~0xffu}, {3, ~0xffu}, {4, kAll}}));
}

TEST_F(Convergence, BsyncDoesNotWaitForLanesThatHaveEnded) {
  const sass::Kernel kernel =
      machine_kernel({plain("BSSY"), guarded(plain("EXIT"), 0), plain("BSYNC"), plain("EXIT")});
  MachineRun run(kernel, memory);
  run.predicate(0) = 0xf0;
  EXPECT_EQ(run.trace(), (Trace{{0, kAll}, {1, kAll}, {2, ~0xf0u}, {3, ~0xf0u}}));
}

TEST_F(Convergence, TheLastLanesToEndLetTheWaitingOnesContinue) {
  const sass::Kernel kernel = machine_kernel(
      {plain("BSSY"), guarded(plain("BRA", 3), 0), plain("EXIT"), plain("BSYNC"), plain("EXIT")});
  MachineRun run(kernel, memory);
  run.predicate(0) = 1;
  EXPECT_EQ(run.trace(), (Trace{{0, kAll}, {1, kAll}, {3, 1}, {2, ~1u}, {4, 1}}));
}

sass::KernelInstruction with_barrier(std::string_view form, std::uint8_t barrier) {
  sass::KernelInstruction i = plain(form);
  for (sass::Operand& o : i.code.operands)
    if (o.kind == sass::OperandKind::barrier) o.index = barrier;
  return i;
}

// Lanes 0 to 7 wait at B1 for lanes 8 to 15, which wait at B0 for the others, which end last.
TEST_F(Convergence, LanesBelowOthersThatStillWaitContinueWhenTheirsHaveEnded) {
  const sass::Kernel kernel = machine_kernel(
      {with_barrier("BSSY", 0), guarded(plain("BRA", 3), 0), plain("EXIT"), with_barrier("BSSY", 1),
       guarded(plain("BRA", 7), 1), with_barrier("BREAK", 0), plain("BRA", 8),
       with_barrier("BSYNC", 0), with_barrier("BSYNC", 1), plain("EXIT")});
  MachineRun run(kernel, memory);
  run.predicate(0) = 0xffff, run.predicate(1) = 0xff00;
  EXPECT_EQ(run.trace(), (Trace{{0, kAll},
                                {1, kAll},
                                {3, 0xffff},
                                {4, 0xffff},
                                {7, 0xff00},
                                {5, 0xff},
                                {6, 0xff},
                                {8, 0xff},
                                {2, 0xffff0000},
                                {8, 0xff00},
                                {9, 0xffff}}));
}

TEST_F(Convergence, BsyncDoesNotWaitForLanesThatLeftByBreak) {
  const sass::Kernel kernel =
      machine_kernel({plain("BSSY"), guarded(plain("BREAK"), 0), guarded(plain("BRA", 4), 0),
                      plain("BSYNC"), plain("EXIT")});
  MachineRun run(kernel, memory);
  run.predicate(0) = 3;
  EXPECT_EQ(run.trace(), (Trace{{0, kAll}, {1, kAll}, {2, kAll}, {4, 3}, {3, ~3u}, {4, ~3u}}));
}

TEST_F(Convergence, WarpsyncMeetsAtDifferentPlaces) {
  const sass::Kernel kernel = machine_kernel({guarded(plain("BRA", 3), 0), plain("WARPSYNC.ALL"),
                                              plain("EXIT"), plain("WARPSYNC.ALL"), plain("EXIT")});
  MachineRun run(kernel, memory);
  run.predicate(0) = 0xffff;
  EXPECT_EQ(run.trace(),
            (Trace{{0, kAll}, {3, 0xffff}, {1, 0xffff0000}, {2, 0xffff0000}, {4, 0xffff}}));
}

sass::KernelInstruction with_register(std::string_view form, std::uint8_t reg) {
  sass::KernelInstruction i = plain(form);
  for (sass::Operand& o : i.code.operands)
    if (o.kind == sass::OperandKind::reg || o.kind == sass::OperandKind::uniform) o.index = reg;
  return i;
}

TEST_F(Convergence, WarpsyncSeparatesLanesWithDifferentMembers) {
  const sass::Kernel kernel =
      machine_kernel({with_register("WARPSYNC", 2), plain("NOP"), plain("EXIT")});
  MachineRun run(kernel, memory);
  for (std::size_t l = 0; l < 32; ++l) run.reg(2)[l] = l < 8 ? 0xff : 0xffffff00;
  EXPECT_EQ(
      run.trace(),
      (Trace{{0, kAll}, {1, 0xff}, {2, 0xff}, {0, 0xffffff00}, {1, 0xffffff00}, {2, 0xffffff00}}));
}

// @!P0 BRA.DIV UR2, 3: the predicate is R2UR's.
TEST_F(Convergence, BraDivIsTakenByAllWhereLanesHaveDifferentMasks) {
  sass::KernelInstruction branch = guarded(with_register("BRA.DIV", 2), 0, true);
  branch.target = 2;
  const sass::Kernel kernel = machine_kernel({branch, plain("EXIT"), plain("NOP"), plain("EXIT")});
  for (const std::uint32_t differing : {0u, 0xffff0000u}) {
    MachineRun run(kernel, memory);
    run.predicate(0) = differing;
    auto* const mask = run.reg(static_cast<int>(RegisterLayout(kernel).uniform(2)));
    std::fill_n(mask, 32, kAll);
    EXPECT_EQ(run.trace(),
              differing ? (Trace{{0, kAll}, {2, kAll}, {3, kAll}}) : (Trace{{0, kAll}, {1, kAll}}));
  }
}

TEST_F(Convergence, NanosleepLetsOtherLanesRun) {
  const sass::Kernel kernel = machine_kernel(
      {guarded(plain("BRA", 2), 0), plain("EXIT"), plain("NANOSLEEP"), plain("EXIT")});
  MachineRun run(kernel, memory);
  run.predicate(0) = 0xff;
  EXPECT_EQ(run.trace(), (Trace{{0, kAll}, {2, 0xff}, {1, ~0xffu}, {3, 0xff}}));
}

// BAR.SYNC R2, R2.
TEST_F(Convergence, ARegisterHoldsABarrierAndItsThreads) {
  sass::KernelInstruction both = plain("BAR.SYNC");
  both.code = MachineCode("BAR.SYNC", 0x31d).instruction;
  both.code.guard = {};
  both.code.operands[0].index = both.code.operands[1].index = 2;
  const sass::Kernel packed = machine_kernel({both, plain("EXIT")});
  MachineRun run(packed, memory);
  std::fill_n(run.reg(2), 32, 64u << 16 | 5);
  const Step step = run.step();
  EXPECT_EQ(step.barrier_id, 5u);
  EXPECT_EQ(step.barrier_threads, 64u);
}

TEST_F(Convergence, ALoopOfSomeLanesLetsTheOthersRun) {
  const sass::Kernel kernel =
      machine_kernel({guarded(plain("BRA", 0), 0), plain("EXIT")});  // P0 never changes
  MachineRun run(kernel, memory);
  run.predicate(0) = 1;
  bool others_ended = false;
  for (int n = 0; n < 200 && !others_ended; ++n) {
    run.step();
    others_ended = run.warp().live == 1;
  }
  EXPECT_TRUE(others_ended);
}

TEST_F(Convergence, TheWarpArrivesAtABarrierWhenAllItsLanesAreThere) {
  const sass::Kernel kernel =
      machine_kernel({guarded(plain("BRA", 2), 0), plain("NOP"), plain("BAR.SYNC"), plain("EXIT")});
  MachineRun run(kernel, memory);
  run.predicate(0) = 0xff;
  run.step();
  EXPECT_TRUE(run.step().deferred);  // lanes 0 to 7 wait
  run.step();
  const Step arrival = run.step();
  EXPECT_FALSE(arrival.deferred);
  EXPECT_EQ(run.warp().stack.active(), kAll);
}

TEST_F(Convergence, ReturnsGoToTheAddressOfEachLane) {
  sass::KernelInstruction ret = plain("RET.REL");
  ret.code.operands[1].index = 2;  // R2, R3: an offset from the label, address 0
  const sass::Kernel kernel = machine_kernel({ret, plain("NOP"), plain("EXIT"), plain("EXIT")});
  MachineRun run(kernel, memory);
  for (std::size_t l = 0; l < 32; ++l) run.reg(2)[l] = l < 4 ? 0x20 : 0x30, run.reg(3)[l] = 0;
  EXPECT_EQ(run.trace(), (Trace{{0, kAll}, {2, 0xf}, {3, ~0xfu}}));
}

TEST_F(Convergence, AnUnknownInstructionIsRefusedWhenItIsReached) {
  sass::KernelInstruction unknown = plain("NOP");
  unknown.code.form = nullptr;
  sass::Kernel kernel = machine_kernel({plain("EXIT"), plain("EXIT")});
  kernel.code[1] = unknown;
  kernel.refusals[1] = "opcode 0x123 of sm_80";
  MachineRun run(kernel, memory);
  EXPECT_NO_THROW(run.trace());
  sass::Kernel guarded = kernel;
  guarded.code[0].code.guard = {false, 0, false};
  MachineRun reaching(guarded, memory);
  reaching.predicate(0) = 0;
  reaching.step();
  EXPECT_THROW(reaching.step(), KernelFault);
}

sass::KernelInstruction decoded(std::uint64_t high, std::uint64_t low) {
  sass::KernelInstruction i = plain("EXIT");
  i.code = std::get<sass::Instruction>(sass::decode({low, high}, 80, 0));
  return i;
}

// What ptxas makes of a gradient: the lanes of a quad that do not run are helpers.
TEST_F(Convergence, BmovOfTheRunningLanesWithPquadLetsTheOthersOfAQuadExecute) {
  const auto add = decoded(0x001fc40000002006, 0x000000cc07067822);  // R6 += R7 in lanes 1 and 3
  const sass::Kernel kernel = machine_kernel(
      {guarded(plain("EXIT"), 0, true), decoded(0x000fe20000000000, 0x000000001a0f7f55),
       decoded(0x000fe40000100000, 0x000000001a0f7f56), add,
       decoded(0x000fe40000000000, 0x000000001a0f7f56), add, plain("EXIT")});
  MachineRun run(kernel, memory);
  run.predicate(0) = 0b1'0001'0010;  // one lane of each of three quads
  for (std::uint32_t l = 0; l < 32; ++l) {
    run.reg(6)[l] = std::bit_cast<std::uint32_t>(1.0f);
    run.reg(7)[l] = std::bit_cast<std::uint32_t>(2.0f);
  }
  for (int n = 0; n < 6; ++n) run.step();
  const auto value = [&](int lane) { return std::bit_cast<float>(run.reg(6)[lane]); };
  EXPECT_EQ(value(0), 1);
  EXPECT_EQ(value(1), 5);  // twice: it runs
  EXPECT_EQ(value(3), 3);  // once: it helps
  EXPECT_EQ(value(5), 3);
  EXPECT_EQ(value(9), 3);
  EXPECT_EQ(value(13), 1);
}

}  // namespace
}  // namespace heddle::exec::machine_test
