#include "sass/ptx_fields.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace heddle::sass
