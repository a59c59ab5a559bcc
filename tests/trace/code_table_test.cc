#include "trace/code_table.h"

#include <gtest/gtest.h>

#include "trace/format_error.h"

namespace heddle::trace {
namespace {

KernelHeader header() {
  KernelHeader h;
  h.name = "k";
  h.registers = 16;
  h.architecture = 80;
  return h;
}

TEST(CodeTable, InstructionsAreAtTheirAddresses) {
  const KernelHeader h = header();
  CodeTable table(h);
  EXPECT_EQ(table.read("0000 ffffffff 1 R1 MOV 0 0 ").number, 0u);
  EXPECT_EQ(table.read("0030 ffffffff 1 R4 LDG.E.64 1 R2 8 1 0x7f 8 ").number, 1u);
  EXPECT_EQ(table.read("0000 0000000f 1 R1 MOV 0 0 ").number, 0u);
  const auto kernel = table.finish("m");
  ASSERT_EQ(kernel->instructions.size(), 4u);
  EXPECT_EQ(kernel->pcs, (std::vector<Pc>{0, 3}));
  const isa::Instruction& load = kernel->instructions[3];
  EXPECT_EQ(load.op_class, isa::OpClass::load);
  EXPECT_EQ(load.write_count, 2);  // R4 and R5
  EXPECT_EQ(load.read_count, 2);   // R2 and R3, the address
  EXPECT_EQ(load.not_values, 3u);
  EXPECT_EQ(load.base_register, load.reads[0]);
}

// A function that the kernel calls has addresses of its own from 0 on.
TEST(CodeTable, AnotherInstructionAtAnAddressFollowsTheCode) {
  const KernelHeader h = header();
  CodeTable table(h);
  table.read("0000 ffffffff 1 R1 MOV 0 0 ");
  table.read("0010 ffffffff 0 CALL.REL.NOINC 0 0 ");
  EXPECT_EQ(table.read("0000 ffffffff 1 R1 MOV 1 R3 0 ").number, 2u);
  EXPECT_EQ(table.finish("m")->pcs, (std::vector<Pc>{0, 1, 2}));
}

TEST(CodeTable, RegistersHaveDenseNumbersAndZeroNone) {
  const KernelHeader h = header();
  CodeTable table(h);
  table.read("0000 ffffffff 1 UR4 UMOV 1 UR63 0 0 0 NoVal");
  table.read("0010 ffffffff 1 R10 IMAD 3 R10 UR4 R255 0 0 0 NoVal");
  const auto kernel = table.finish("m");
  EXPECT_EQ(kernel->architectural_registers, 2u);
  EXPECT_EQ(kernel->register_names, (std::vector<std::uint16_t>{4, 10}));
  EXPECT_EQ(kernel->instructions[1].read_count, 2);
  EXPECT_EQ(kernel->instructions[0].read_count, 0);
}

TEST(CodeTable, WaitsForCopiesOnlyWhereThereAreSome) {
  const KernelHeader h = header();
  CodeTable without(h), with(h);
  for (CodeTable* table : {&without, &with}) {
    table->read("0000 ffffffff 0 DEPBAR.LE 0 0 1 ");
    table->set_immediates(0, 1, 1, 0);
  }
  with.read("0010 ffffffff 0 LDGDEPBAR 0 0 0 ");
  EXPECT_EQ(without.finish("m")->instructions[0].copy, isa::CopyStep::none);
  const isa::Instruction wait = with.finish("m")->instructions[0];
  EXPECT_EQ(wait.copy, isa::CopyStep::wait);
  EXPECT_EQ(wait.groups_left, 1u);
}

TEST(CodeTable, TheImmediatesOfABarrierAreItsNumberAndThreads) {
  const KernelHeader h = header();
  const auto barrier = [&](int count, std::int64_t first, std::int64_t second) {
    CodeTable table(h);
    table.read("0000 ffffffff 0 BAR.SYNC 0 0");
    table.set_immediates(0, count, first, second);
    const auto b = table.finish("m")->barriers[0];
    return std::pair<int, int>(b.id, b.threads);
  };
  EXPECT_EQ(barrier(0, 0, 0), std::pair(0, 0));
  EXPECT_EQ(barrier(1, 2, 0), std::pair(2, 0));
  EXPECT_EQ(barrier(2, 3, 64), std::pair(3, 64));
  EXPECT_EQ(barrier(1, 64, 0), std::pair(1, 64));  // only the threads
  EXPECT_EQ(barrier(2, 99, 5), std::pair(0, 0));
}

TEST(CodeTable, RefusesLinesThatAreNoInstructions) {
  const KernelHeader h = header();
  for (const char* line :
       {"", "zz ffffffff 0 NOP 0 0", "0008 ffffffff 0 NOP 0 0", "0000 1ffffffff 0 NOP 0 0",
        "0000 ffffffff 99 NOP 0 0", "0000 ffffffff 1 X3 NOP 0 0", "0000 ffffffff 1 R300 MOV 0 0",
        "0000 ffffffff 0", "99999990 ffffffff 0 NOP 0 0"}) {
    CodeTable table(h);
    EXPECT_THROW(table.read(line), FormatError) << line;
  }
}

}  // namespace
}  // namespace heddle::trace
