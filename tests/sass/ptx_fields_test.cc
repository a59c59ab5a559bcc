#include "sass/ptx_fields.h"

#include <gtest/gtest.h>

#include "sass/decode.h"
#include "sass/encoding/table.h"

namespace heddle::sass {
namespace {

KernelInstruction atomic(AtomicType type, Atomic operation) {
  KernelInstruction i;
  for (const EncodingForm& form : all_forms())
    if (form.name == "ATOMG" && form.code == 0x3a8) i.code.form = &form;
  i.code.opcode = i.code.form->opcode;
  for (std::size_t n = 0; n < i.code.form->modifiers.size(); ++n) {
    if (i.code.form->modifiers[n].kind == ModifierKind::AtomicType)
      i.code.modifiers[n] = static_cast<std::uint8_t>(type);
    if (i.code.form->modifiers[n].kind == ModifierKind::Atomic)
      i.code.modifiers[n] = static_cast<std::uint8_t>(operation);
  }
  set_ptx_fields(i);
  return i;
}

TEST(PtxFields, AtomicsHaveTheOperationAndTypeOfPtx) {
  const KernelInstruction add = atomic(AtomicType::F32_FTZ_RN, Atomic::ADD);
  EXPECT_EQ(add.opcode, ptx::Opcode::atom);
  EXPECT_EQ(add.atomic, ptx::AtomicOp::add);
  EXPECT_EQ(add.type, ptx::Type::f32);
  EXPECT_EQ(atomic(AtomicType::S64, Atomic::MIN).type, ptx::Type::s64);
  EXPECT_EQ(atomic(AtomicType::U32_, Atomic::EXCH).atomic, ptx::AtomicOp::exch);
  EXPECT_EQ(atomic(AtomicType::U32_, Atomic::SAFEADD).atomic, ptx::AtomicOp::none);
}

// QGMMA.64x40x32.F16.E5M2.E4M3 with -A
TEST(PtxFields, AProductOfAWarpgroupHasShapeTypesAndSigns) {
  KernelInstruction i;
  i.code = std::get<Instruction>(decode({0x00800000041879f3, 0x000fe6000f801118}, 90, 0));
  set_ptx_fields(i);
  ASSERT_EQ(i.opcode, ptx::Opcode::wgmma);
  const auto& product = i.as<ptx::Wgmma>();
  EXPECT_EQ(product.n, 40);
  EXPECT_EQ(product.k, 32);
  EXPECT_EQ(i.type, ptx::Type::f16);
  EXPECT_EQ(i.source_type, ptx::Type::e5m2);
  EXPECT_EQ(product.type_b, ptx::Type::e4m3);
  EXPECT_TRUE(product.negate_a);
  EXPECT_FALSE(product.negate_b);
}

// HGMMA.SP.64x8x32.F32
TEST(PtxFields, ASparseProductHasNone) {
  KernelInstruction i;
  i.code = std::get<Instruction>(decode({0x08001c00041879f0, 0x000fe6000f800a18}, 90, 0));
  set_ptx_fields(i);
  EXPECT_EQ(i.opcode, ptx::Opcode::nop);
}

}  // namespace
}  // namespace heddle::sass
