#include "sass/control_flow.h"

#include <gtest/gtest.h>

#include "sass/decode.h"
#include "sass/timing_fields.h"

namespace heddle::sass {
namespace {

KernelInstruction decoded(std::uint64_t low, std::uint64_t high) {
  KernelInstruction i;
  i.code = std::get<Instruction>(decode({low, high}, 80, 0));
  set_timing_fields(i, {});
  return i;
}
KernelInstruction nop() { return decoded(0x0000000000007918, 0x000fc00000000000); }
KernelInstruction exit() { return decoded(0x000000000000794d, 0x000fea0003800000); }
KernelInstruction branch_if_p0(Pc target) {
  KernelInstruction i = decoded(0x0000000000000947, 0x000fea0003800000);
  i.target = target;
  return i;
}

TEST(ControlFlow, ABackwardBranchClosesALoop) {
  Kernel kernel;
  kernel.code = {nop(), nop(), branch_if_p0(1), exit()};
  kernel.segments = {{"k", kCodeBase, 0, 4}};
  kernel.first_system_call = 4;
  mark_control_flow(kernel, {});
  ASSERT_EQ(kernel.loops.size(), 1u);
  EXPECT_EQ(kernel.loops[0].header, 1u);
  EXPECT_EQ(kernel.code[2].loop, 0);
  EXPECT_EQ(kernel.code[3].loop, isa::kNoLoop);
}

TEST(ControlFlow, ABranchReconvergesAtItsPostDominator) {
  Kernel kernel;
  kernel.code = {branch_if_p0(2), nop(), exit()};
  kernel.segments = {{"k", kCodeBase, 0, 3}};
  kernel.first_system_call = 3;
  mark_control_flow(kernel, {});
  EXPECT_EQ(kernel.code[0].reconvergence, 2u);
}

}  // namespace
}  // namespace heddle::sass
