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

KernelInstruction of_bits(std::uint64_t low, std::uint64_t high) {
  KernelInstruction i;
  i.code = std::get<Instruction>(decode({low, high}, 90, 0));
  set_ptx_fields(i);
  return i;
}

TEST(PtxFields, AtomicsOfSm90HaveTypesOfTheirOwn) {
  // ATOMG.E.MIN.S64
  const KernelInstruction smallest = of_bits(0xffffd00a020479a8, 0x00016800089ee7c8);
  EXPECT_EQ(smallest.atomic, ptx::AtomicOp::min);
  EXPECT_EQ(smallest.type, ptx::Type::s64);
  // ATOMG.E.EXCH.128
  EXPECT_NE(of_bits(0x00004008020879a8, 0x004ea8000c1ee9c8).opcode, ptx::Opcode::atom);
}

TEST(PtxFields, BulkCopiesHaveTheirPlacesOperationAndType) {
  // UBLKCP.S.G.MULTICAST
  const KernelInstruction copy = of_bits(0x00000004100073ba, 0x0003d80008000a07);
  EXPECT_EQ(copy.opcode, ptx::Opcode::bulk_load);
  EXPECT_EQ(copy.atomic, ptx::AtomicOp::none);
  EXPECT_TRUE(copy.as<ptx::BulkCopy>().multicast);
  EXPECT_FALSE(copy.as<ptx::BulkCopy>().from_shared);
  // UBLKRED.G.S.MIN.S64
  const KernelInstruction smallest = of_bits(0x00000010040073bb, 0x0003d80008860407);
  EXPECT_EQ(smallest.opcode, ptx::Opcode::bulk_store);
  EXPECT_EQ(smallest.atomic, ptx::AtomicOp::min);
  EXPECT_EQ(smallest.type, ptx::Type::s64);
  // UBLKRED.S.S.INC
  const KernelInstruction counts = of_bits(0x00000012040073bb, 0x0003d80009800607);
  EXPECT_EQ(counts.opcode, ptx::Opcode::bulk_load);
  EXPECT_EQ(counts.atomic, ptx::AtomicOp::inc);
  EXPECT_TRUE(counts.as<ptx::BulkCopy>().from_shared);
  // UTMAREDG.2D.ADD
  const KernelInstruction tensor = of_bits(0x00000008140073b6, 0x0003f00008008000);
  EXPECT_EQ(tensor.opcode, ptx::Opcode::bulk_store);
  EXPECT_EQ(tensor.atomic, ptx::AtomicOp::add);
  EXPECT_EQ(tensor.as<ptx::BulkCopy>().dimensions, 2);
}

TEST(PtxFields, ARemoteStoreIsABulkCopyFromRegisters) {
  // STAS.128, REDAS.MIN.S32
  const KernelInstruction store = of_bits(0x000000040c007dbd, 0x0007e8000c000c3f);
  EXPECT_EQ(store.opcode, ptx::Opcode::bulk_load);
  EXPECT_TRUE(store.as<ptx::BulkCopy>().from_registers);
  EXPECT_EQ(store.atomic, ptx::AtomicOp::none);
  const KernelInstruction smallest = of_bits(0x000000000c007dbe, 0x0007e8000880033f);
  EXPECT_EQ(smallest.atomic, ptx::AtomicOp::min);
  EXPECT_EQ(smallest.type, ptx::Type::s32);
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

// HGMMA.SP.64x8x32.F32 R24, gdesc[UR4], R24, !UP0, R28, 0x1, gsb0
TEST(PtxFields, ASparseProductHasTheSelectorOfItsMetadata) {
  KernelInstruction i;
  i.code = std::get<Instruction>(decode({0x08011c00041879f0, 0x000fe6000f800a18}, 90, 0));
  set_ptx_fields(i);
  ASSERT_EQ(i.opcode, ptx::Opcode::wgmma);
  EXPECT_TRUE(i.as<ptx::Wgmma>().sparse);
  EXPECT_EQ(i.as<ptx::Wgmma>().selector, 1);
  EXPECT_EQ(i.as<ptx::Wgmma>().k, 32);
}

}  // namespace
}  // namespace heddle::sass
