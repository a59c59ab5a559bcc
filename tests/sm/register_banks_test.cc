#include "sm/issue/register_banks.h"

#include <gtest/gtest.h>

#include "tests/sm/bench.h"

namespace heddle::sm::test {
namespace {

using isa::OpClass;

// With 16 banks.
InstructionTiming writing(std::vector<std::uint16_t> registers) {
  return timing_of(make(OpClass::load, {}, std::move(registers)), gtx480().sm);
}

TEST(RegisterBanks, RegistersOfAWarpFollowOneAnotherFromABankOfItsOwn) {
  const RegisterBanks banks(gtx480().sm);
  EXPECT_EQ(banks.count(), 16);
  EXPECT_EQ(banks.of(WarpSlot(0), 0)(3), 3);
  EXPECT_EQ(banks.of(WarpSlot(2), 0)(3), 5);
  EXPECT_EQ(banks.of(WarpSlot(2), 1)(3), 5);
  EXPECT_EQ(banks.of(WarpSlot(14), 0)(3), 1);
}

TEST(RegisterBanks, ASubCoreHasItsShareOfTheBanks) {
  config::SmSpec spec = gtx480().sm;
  spec.schedulers = 2;
  spec.sub_cores = true;
  const RegisterBanks banks(spec);
  EXPECT_EQ(banks.of(WarpSlot(2), 0)(7), 1);
  EXPECT_EQ(banks.of(WarpSlot(2), 1)(7), 9);
}

TEST(RegisterBanks, AResultOccupiesItsBankForTheStep) {
  RegisterBanks banks(gtx480().sm);
  EXPECT_TRUE(banks.write(WarpSlot(0), 0, writing({2})));
  EXPECT_FALSE(banks.write(WarpSlot(0), 0, writing({18})));
  EXPECT_TRUE(banks.write(WarpSlot(0), 0, writing({19})));
  EXPECT_EQ(banks.written(), 0b1100u);
  EXPECT_EQ(banks.end_step(), 0b1100u);
  EXPECT_EQ(banks.written(), 0u);
  EXPECT_TRUE(banks.write(WarpSlot(0), 0, writing({18})));
}

TEST(RegisterBanks, ResultsOfOneInstructionMayShareABank) {
  RegisterBanks banks(gtx480().sm);
  EXPECT_TRUE(banks.write(WarpSlot(0), 0, writing({1, 17})));
  EXPECT_FALSE(banks.write(WarpSlot(0), 0, writing({33})));
}

}  // namespace
}  // namespace heddle::sm::test
