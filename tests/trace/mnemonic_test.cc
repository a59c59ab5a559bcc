#include "trace/mnemonic.h"

#include <gtest/gtest.h>

#include "trace/format_error.h"

namespace heddle::trace {
namespace {

using isa::OpClass;
using isa::Space;

TEST(Mnemonic, ClassesAreThoseOfPtxForTheSameOperation) {
  EXPECT_EQ(read_mnemonic("FFMA").op_class, OpClass::fp_fma);
  EXPECT_EQ(read_mnemonic("IMAD.MOV.U32").op_class, OpClass::int_mad);
  EXPECT_EQ(read_mnemonic("MUFU.RCP").op_class, OpClass::sfu);
  EXPECT_EQ(read_mnemonic("LOP3.LUT").op_class, OpClass::alu);
  EXPECT_EQ(read_mnemonic("UIADD3").op_class, OpClass::int_add);
  EXPECT_EQ(read_mnemonic("BRA").op_class, OpClass::branch);
}

TEST(Mnemonic, ModifiersOfAccessesDecideBytesAndCache) {
  const Mnemonic load = read_mnemonic("LDG.E.128.CONSTANT");
  EXPECT_EQ(load.op_class, OpClass::load);
  EXPECT_EQ(load.space, Space::global);
  EXPECT_EQ(load.access_bytes * load.vector, 16);
  EXPECT_EQ(load.registers.written, 4);
  EXPECT_EQ(load.registers.address, 2);
  EXPECT_EQ(load.cache, isa::CacheOperator::nc);
  EXPECT_EQ(read_mnemonic("STS.U16").access_bytes, 2);
  EXPECT_EQ(read_mnemonic("LDS").access_bytes, 4);
  EXPECT_EQ(read_mnemonic("LDG.E.STRONG.GPU").ordering, isa::Ordering::relaxed);
  EXPECT_EQ(read_mnemonic("ULDC.64").space, Space::constant);
}

// HMMA.16816: A has 16 x 16 elements of 16 bits in 32 lanes, so 4 registers.
TEST(Mnemonic, MatricesHaveTheRegistersOfTheirShape) {
  const Mnemonic m = read_mnemonic("HMMA.16816.F32");
  EXPECT_EQ(m.op_class, OpClass::tensor);
  EXPECT_EQ(m.matrix_work, 16u * 8 * 16 * 16);
  EXPECT_EQ(m.registers.first, 4);
  EXPECT_EQ(m.registers.second, 2);
  EXPECT_EQ(m.registers.written, 4);
  EXPECT_EQ(read_mnemonic("HMMA.16816.F16").registers.written, 2);
  EXPECT_EQ(read_mnemonic("IMMA.16832.S8.S8").matrix_work, 16u * 8 * 32 * 8);
  EXPECT_EQ(read_mnemonic("HMMA.SP.16832.F32").matrix_work, 16u * 8 * 16 * 16);
  EXPECT_EQ(read_mnemonic("HMMA.SP.16832.F32").registers.first, 4);
  EXPECT_EQ(read_mnemonic("QMMA.16832.F32.E4M3.E4M3").matrix_work, 16u * 8 * 32 * 8);
  EXPECT_EQ(read_mnemonic("HGMMA.64x128x16.F32").matrix_work, 64u * 128 * 16 * 16 / 4);
}

TEST(Mnemonic, OperandsOf64BitsHaveTwoRegisters) {
  struct Row {
    const char* name;
    int written, first, second, third;
  };
  const Row rows[] = {
      {"IMAD", 1, 1, 1, 1},        {"IMAD.WIDE.U32", 2, 1, 1, 2}, {"DFMA", 2, 2, 2, 2},
      {"DADD", 2, 2, 2, 2},        {"CS2R", 2, 1, 1, 1},          {"CS2R.32", 1, 1, 1, 1},
      {"F2F.F64.F32", 2, 1, 1, 1}, {"F2F.F32.F64", 1, 2, 1, 1},   {"I2F.F64", 2, 1, 1, 1},
      {"I2F.F32.S32", 1, 1, 1, 1}, {"DEPBAR.LE", 1, 1, 1, 1}};
  for (const Row& row : rows) {
    const Mnemonic::Widths w = read_mnemonic(row.name).registers;
    EXPECT_EQ(w.written, row.written) << row.name;
    EXPECT_EQ(w.first, row.first) << row.name;
    EXPECT_EQ(w.second, row.second) << row.name;
    EXPECT_EQ(w.third, row.third) << row.name;
  }
}

TEST(Mnemonic, CopiesAreCommittedAndAwaited) {
  EXPECT_EQ(read_mnemonic("LDGDEPBAR").copy, isa::CopyStep::commit);
  EXPECT_EQ(read_mnemonic("DEPBAR.LE").copy, isa::CopyStep::wait);
}

TEST(Mnemonic, BarriersArriveWaitOrReduce) {
  EXPECT_EQ(read_mnemonic("BAR.SYNC.DEFER_BLOCKING").barrier, isa::BarrierOp::sync);
  EXPECT_EQ(read_mnemonic("BAR.ARV").barrier, isa::BarrierOp::arrive);
  EXPECT_EQ(read_mnemonic("BAR.RED.OR.DEFER_BLOCKING").barrier, isa::BarrierOp::red_or);
  EXPECT_EQ(read_mnemonic("WARPSYNC").barrier, isa::BarrierOp::warp_sync);
}

TEST(Mnemonic, TheUnknownAndWhatNeedsValuesIsRefusedByName) {
  for (const char* name : {"FOO.BAR", "", "UTMALDG.2D", "UBLKCP", "UCGABAR_WAIT", "HMMA.F32"})
    EXPECT_THROW(read_mnemonic(name), FormatError) << name;
  try {
    read_mnemonic("UTMALDG.2D");
  } catch (const FormatError& error) {
    EXPECT_NE(std::string(error.what()).find("UTMALDG cannot be replayed"), std::string::npos);
  }
}

}  // namespace
}  // namespace heddle::trace
