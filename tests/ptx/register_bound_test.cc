// .maxnreg, and the reserved shared memory that special registers name.
#include <gtest/gtest.h>

#include "ptx_text.h"

namespace heddle::ptx {
namespace {

const std::string kSum =
    kRegisters +
    "ld.param.u64 %rd1, [a]; ld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1]; ld.global.v4.f32 "
    "{%f5,%f6,%f7,%f8}, [%rd1+16];\n"
    "add.f32 %f1, %f1, %f5; add.f32 %f2, %f2, %f6; add.f32 %f3, %f3, %f7; add.f32 %f4, %f4, %f8;\n"
    "st.global.v4.f32 [%rd1], {%f1,%f2,%f3,%f4}; ret;";

Kernel bounded(const std::string& directive) {
  return lower_text(kHeader + ".visible .entry k(.param .u64 a, .param .u32 n) " + directive +
                    " {" + kSum + "\n}\n");
}

TEST(RegisterBound, LimitsTheNumberThatOccupancyUses) {
  const auto free = bounded("").registers_per_thread;
  EXPECT_GT(free, 8u);
  EXPECT_EQ(bounded(".maxnreg 8").registers_per_thread, 8u);
  EXPECT_EQ(bounded(".maxnreg 200").registers_per_thread, free);
}

TEST(BlockBound, OfReqntidIsAShapeAndOfMaxntidANumber) {
  EXPECT_EQ(bounded("").max_threads, 0u);
  EXPECT_EQ(bounded(".maxntid 8, 4").max_threads, 32u);
  EXPECT_FALSE(bounded(".maxntid 8, 4").required_block);
  const Kernel exact = bounded(".reqntid 8, 4");
  EXPECT_EQ(exact.max_threads, 32u);
  EXPECT_EQ(exact.required_block, (Dim3{8, 4, 1}));
  EXPECT_THROW(bounded(".maxntid 8 .reqntid 8"), UserError);
  EXPECT_THROW(bounded(".reqntid 0"), UserError);
  EXPECT_THROW(bounded(".reqntid 8, 1, 1, 1"), UserError);
}

TEST(ReservedShared, IsAKilobyteAfterTheKernelsOwnMemory) {
  const std::string own = ".shared .align 4 .b8 s[100];\n";
  const Kernel without = lower_body(own + "mov.u32 %r1, s; ret;");
  const Kernel with = lower_body(
      own +
      "mov.u32 %r1, s; mov.u32 %r2, %reserved_smem_offset_begin; mov.u32 %r3, "
      "%reserved_smem_offset_1;\n"
      "mov.u32 %r4, %reserved_smem_offset_end; mov.u32 %r5, %reserved_smem_offset_cap; ret;");
  EXPECT_EQ(without.shared_bytes, 100u);
  EXPECT_EQ(with.shared_bytes, 112u + 1024);
  const auto value = [&](std::size_t pc) {
    return with.constants[with.code[pc].src[0].row * std::size_t{32}];
  };
  EXPECT_EQ(value(1), 112u);
  EXPECT_GE(value(2), 112u);
  EXPECT_LE(value(2) + 288, 112u + 1024);  // as much as cooperative groups use
  EXPECT_EQ(value(3), 112u + 1024);
  EXPECT_EQ(value(4), 1024u);
}

}  // namespace
}  // namespace heddle::ptx
