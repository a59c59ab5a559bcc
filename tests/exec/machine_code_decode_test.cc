#include "exec/machine_code/decode.h"

#include "tests/exec/machine_code_kernel.h"

namespace heddle::exec::machine_test {
namespace {

TEST(MachineDecode, ZeroRegistersAreRowsOfZerosAndRowsThatNobodyReads) {
  MachineCode form("IADD3", 0x210);
  sass::KernelInstruction add = plain("IADD3");
  add.code.form = form.instruction.form;
  add.code.operands[3].index = 4;  // Rd, Pu, Pv, Ra
  const sass::Kernel kernel = machine_kernel({add, plain("EXIT")});
  const auto decoded = decode_machine_code(kernel);
  const DecodedInstruction& r = decoded->code[0];
  EXPECT_GE(r.dst[0], decoded->register_rows * 128);  // RZ
  EXPECT_EQ(r.src[0].base, 0);
  EXPECT_EQ(r.src[0].offset, 4u * 128);
  EXPECT_EQ(r.src[1].base, 1);
  EXPECT_EQ(r.src[1].offset, 0u);
}

TEST(MachineDecode, WordsOfBankZeroAreFilledByTheLaunch) {
  sass::KernelInstruction move = plain("MOV");
  move.code.form = MachineCode("MOV", 0xa02).instruction.form;
  move.code.operands[1].kind = sass::OperandKind::constant;
  move.code.operands[1].value = 0x4;  // blockDim.y
  move.code.operands[0].index = 1;
  const sass::Kernel kernel = machine_kernel({move, plain("EXIT")});
  GlobalMemory memory(1 << 20);
  ASSERT_EQ(decode_machine_code(kernel)->launch_words.size(), 1u);
  MachineRun run(kernel, memory);
  run.step();
  EXPECT_EQ(run.reg(1)[0], 1u);
}

// Where the operands of a copy OP [UR8], [UR4] are: rows of registers from that of UR4 on.
struct CopyOperands {
  explicit CopyOperands(const char* name, int to = -1, int from = -1) {
    sass::KernelInstruction copy = plain(name);
    copy.code.operands[0].uniform = 8;
    copy.code.operands[1].uniform = 4;
    if (to >= 0) copy.code.modifiers[0] = static_cast<std::uint8_t>(to);
    if (from >= 0) copy.code.modifiers[1] = static_cast<std::uint8_t>(from);
    const sass::Kernel kernel = machine_kernel({copy, plain("EXIT")});
    r = decode_machine_code(kernel)->code[0];
    const auto& global = r.src[ptx::CopySource::global];
    const auto& shared = r.src[ptx::CopySource::shared];
    first = std::min(global.offset, shared.offset);
  }
  // "8" for a word of UR8, "8:9" for a pair, "" for no operand.
  std::string place(const RowSource& s) const {
    if (!s.present) return "";
    const auto number = (s.offset - first) / 128 + 4;
    return std::to_string(number) + (s.pair ? ":" + std::to_string(number + 1) : "");
  }
  std::string at(std::size_t source) const { return place(r.src[source]); }

  DecodedInstruction r;
  std::uint32_t first = 0;
};

TEST(MachineDecode, ABulkCopyHasItsBarrierAndCoordinatesBehindTheAddress) {
  using Source = ptx::CopySource;
  const CopyOperands load("UTMALDG");
  EXPECT_EQ(load.at(Source::global), "4:5");
  EXPECT_EQ(load.at(Source::shared), "8");
  EXPECT_EQ(load.at(Source::mbarrier), "9");
  EXPECT_EQ(load.place(load.r.machine.extra), "10");
  EXPECT_EQ(load.at(Source::bytes), "");
  const CopyOperands store("UTMASTG");
  EXPECT_EQ(store.at(Source::global), "4:5");
  EXPECT_EQ(store.at(Source::shared), "8");
  EXPECT_EQ(store.at(Source::mbarrier), "");
  EXPECT_EQ(store.place(store.r.machine.extra), "9");
  const int shared = static_cast<int>(sass::BulkPlace::S),
            global = static_cast<int>(sass::BulkPlace::G);
  const CopyOperands from_global("UBLKCP", shared, global);
  EXPECT_EQ(from_global.at(Source::global), "4:5");
  EXPECT_EQ(from_global.at(Source::shared), "8");
  EXPECT_EQ(from_global.at(Source::mbarrier), "9");
  EXPECT_NE(from_global.at(Source::bytes), "");
  const CopyOperands to_cluster("UBLKCP", shared, shared);
  EXPECT_EQ(to_cluster.at(Source::global), "4");
  EXPECT_EQ(to_cluster.at(Source::mbarrier), "9");
  const CopyOperands to_global("UBLKCP", global, shared);
  EXPECT_EQ(to_global.at(Source::global), "8:9");
  EXPECT_EQ(to_global.at(Source::shared), "4");
  EXPECT_EQ(to_global.at(Source::mbarrier), "");
}

}  // namespace
}  // namespace heddle::exec::machine_test
