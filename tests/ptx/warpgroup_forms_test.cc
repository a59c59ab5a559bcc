#include <gtest/gtest.h>

#include "ptx/forms/forms.h"

namespace heddle::ptx {
namespace {

InstructionForm product(const std::string& shape_and_types) {
  InstructionForm form;
  EXPECT_EQ(decode_form("wgmma.mma_async.sync.aligned." + shape_and_types, form), "");
  return form;
}
std::string refusal_of(const std::string& shape_and_types) {
  InstructionForm form;
  return decode_form("wgmma.mma_async.sync.aligned." + shape_and_types, form);
}

TEST(WarpgroupForms, AProductHasItsShapeAndTypes) {
  const InstructionForm form = product("m64n96k32.f32.e4m3.e5m2");
  const auto& wgmma = form.prototype.as<Wgmma>();
  EXPECT_EQ(wgmma.n, 96u);
  EXPECT_EQ(wgmma.k, 32u);
  EXPECT_EQ(form.prototype.type, Type::f32);
  EXPECT_EQ(form.prototype.source_type, Type::e4m3);
  EXPECT_EQ(wgmma.type_b, Type::e5m2);
  EXPECT_EQ(form.prototype.op_class, OpClass::tensor);
}

TEST(WarpgroupForms, AccumulatorsOfHalvesArePacked) {
  EXPECT_EQ(product("m64n256k16.f32.f16.f16").operands[0].elements, 128u);
  EXPECT_EQ(product("m64n256k16.f16.f16.f16").operands[0].elements, 64u);
  EXPECT_EQ(product("m64n8k256.s32.b1.b1.and.popc").operands[0].elements, 4u);
}

TEST(WarpgroupForms, AIsFourRegistersOrADescriptor) {
  const OperandShape a = product("m64n8k8.f32.tf32.tf32").operands[1];
  EXPECT_EQ(a.elements, 4u);
  EXPECT_TRUE(a.or_descriptor);
}

TEST(WarpgroupForms, IntegersHaveFewerShapes) {
  product("m64n40k16.f32.bf16.bf16");
  product("m64n24k32.s32.s8.u8");
  EXPECT_NE(refusal_of("m64n40k32.s32.s8.u8"), "");
  EXPECT_NE(refusal_of("m64n12k16.f32.f16.f16"), "");
  EXPECT_NE(refusal_of("m64n264k16.f32.f16.f16"), "");
}

}  // namespace
}  // namespace heddle::ptx
