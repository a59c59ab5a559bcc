#include "ptx/forms/forms.h"

#include <gtest/gtest.h>

namespace heddle::ptx {
namespace {

InstructionForm decoded(const std::string& name) {
  InstructionForm form;
  EXPECT_EQ(decode_form(name, form), "") << name;
  return form;
}
std::string refused(const std::string& name) {
  InstructionForm form;
  return decode_form(name, form);
}

TEST(Forms, ModifiersMayBeInAnyOrder) {
  EXPECT_TRUE(decoded("add.sat.s32").prototype.sat);
  EXPECT_TRUE(decoded("add.s32.sat").prototype.sat);
}

TEST(Forms, AModifierFillsOneSlot) {
  EXPECT_EQ(refused("add.s32.s32"), "this combination of modifiers is not supported");
  EXPECT_EQ(decoded("cvt.s32.s32").operands.size(), 2u);
}

TEST(Forms, ARefusalNamesTheModifierOrTheFamily) {
  EXPECT_EQ(refused("add.e4m3x2"), "'.e4m3x2' is not supported with add");
  EXPECT_EQ(refused("multimem.red"), "multimem instructions are not supported");
  EXPECT_EQ(refused("ad.s32").find("no such instruction is known; did you mean"), 0u);
}

TEST(Forms, TheCachePolicyIsAnOperandOnlyWithItsModifier) {
  EXPECT_EQ(decoded("ld.global.u32").operands.size(), 2u);
  EXPECT_EQ(decoded("ld.global.L2::cache_hint.u32").operands.size(), 3u);
}

TEST(Forms, ABarrierWithoutATypeHasWords) {
  EXPECT_EQ(decoded("bar.sync").prototype.type, Type::u32);
  EXPECT_EQ(decoded("bar.red.and.pred").prototype.type, Type::pred);
  EXPECT_EQ(decoded("ret").prototype.type, Type::none);
}

TEST(Payloads, FollowTheOpcode) {
  EXPECT_EQ(decoded("shfl.sync.bfly.b32").prototype.as<ShflMode>(), ShflMode::bfly);
  EXPECT_EQ(decoded("testp.subnormal.f32").prototype.as<TestProperty>(), TestProperty::subnormal);
  EXPECT_TRUE(decoded("dp4a.s32.u32").prototype.as<DotProduct>().signed_a);
  EXPECT_FALSE(decoded("dp4a.s32.u32").prototype.as<DotProduct>().signed_b);
  EXPECT_EQ(decoded("vmad.s32.s32.u32.shr15").prototype.as<Video>().shift, 15);
  const Mbarrier wait = decoded("mbarrier.try_wait.parity.shared.b64").prototype.as<Mbarrier>();
  EXPECT_EQ(wait.op, MbarrierOp::wait);
  EXPECT_TRUE(wait.by_parity);
  const Matrix matrix =
      decoded("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc").prototype.as<Matrix>();
  EXPECT_EQ(matrix.k, 256);
  EXPECT_TRUE(matrix.columns_b);
}

TEST(Payloads, ReadingAnotherOpcodesPayloadIsAViolation) {
  EXPECT_DEATH(decoded("add.s32").prototype.as<ShflMode>(),
               "a payload was read that the opcode does not have");
}

}  // namespace
}  // namespace heddle::ptx
