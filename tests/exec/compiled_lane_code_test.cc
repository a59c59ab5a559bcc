#include "exec/compiled/lane_code.h"

#include "tests/exec/compiled_bench.h"

namespace heddle::exec::test {
namespace {

struct LaneCodeTest : testing::Test {
  ptx::Kernel kernel;
  DecodedKernel decoded = [this] {
    DecodedKernel d;
    d.kernel = &kernel;
    d.predicate_rows = 4;
    return d;
  }();
  LaneCode code{decoded};
  DecodedInstruction r = [] {
    DecodedInstruction i;
    i.guard = {4, 0};
    return i;
  }();
  int keep(std::uint32_t row, bool wide = false) {
    r.dst[0] = row;
    const int first = code.begin_result(wide);
    code.end_result(r, first, wide);
    return first;
  }
};

TEST_F(LaneCodeTest, KeepsTheTwoRowsThatWereWrittenLast) {
  code.begin_block(true);
  code.begin_instruction(r);
  const int a = keep(0), b = keep(128);
  EXPECT_NE(a, b);
  EXPECT_EQ(code.value({0, 0, 4, true}, 1, 0).getIdx(), a + 1);
  EXPECT_EQ(code.value({128, 0, 4, true}, 2, 0).getIdx(), b + 2);
  EXPECT_EQ(keep(256), a);
  EXPECT_EQ(code.value({0, 0, 4, true}, 1, 3).getIdx(), 3);
}

TEST_F(LaneCodeTest, AWideRowReplacesBothAndTheRowsThatItOverlaps) {
  code.begin_block(true);
  code.begin_instruction(r);
  keep(0);
  EXPECT_EQ(keep(128, true), 8);
  EXPECT_EQ(code.value({128, 0, 8, true}, 7, 0, true).getIdx(), 15);
  EXPECT_EQ(code.value({128, 0, 4, true}, 0, 2).getIdx(), 2);
  keep(256);
  EXPECT_EQ(code.value({128, 0, 8, true}, 7, 0, true).getIdx(), 0);
}

TEST_F(LaneCodeTest, ForgetsAddressesWhenTheirBaseChanges) {
  code.begin_block(true);
  code.begin_instruction(r);
  EXPECT_EQ(code.find_addresses(128, true), -1);
  const int slot = code.keep_addresses(128, true);
  EXPECT_EQ(code.find_addresses(128, true), slot);
  EXPECT_EQ(code.find_addresses(128, false), -1);
  keep(256);
  EXPECT_EQ(code.find_addresses(128, true), -1);
}

TEST_F(LaneCodeTest, AGuardOrInactiveLanesMaskResults) {
  code.begin_block(true);
  code.begin_instruction(r);
  EXPECT_TRUE(code.all_lanes());
  r.guard = {2, 0};
  code.begin_instruction(r);
  EXPECT_TRUE(code.has_guard());
  r.guard = {4, 0};
  code.begin_block(false);
  code.begin_instruction(r);
  EXPECT_FALSE(code.has_guard());
  EXPECT_FALSE(code.all_lanes());
}

}  // namespace
}  // namespace heddle::exec::test
