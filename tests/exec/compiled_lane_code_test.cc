#include "exec/compiled/lane_code.h"

#include <set>

#include "tests/exec/compiled_bench.h"

namespace heddle::exec::test {
namespace {

struct LaneCodeTest : testing::Test {
  ptx::Kernel kernel;
  DecodedKernel decoded = [this] {
    DecodedKernel d;
    d.kernel = &kernel;
    d.predicate_rows = 4;
    d.register_rows = 8;
    d.code.resize(8);
    for (DecodedInstruction& i : d.code) i.flow = Flow::host;  // reads what it wants
    return d;
  }();
  std::vector<char> leads = std::vector<char>(8, 0);
  DecodedInstruction r = [] {
    DecodedInstruction i;
    i.guard = {4, 0};
    return i;
  }();
  LaneCode code{decoded, RowUses(decoded, leads)};

  void begin(bool all_active = true) {
    code.begin_block(all_active);
    code.begin_instruction(r, 0);
  }
  int keep(std::uint32_t row, bool wide = false) {
    r.dst[0] = row;
    const int first = code.begin_result(wide);
    code.end_result(r, first, wide);
    return first;
  }
};

TEST_F(LaneCodeTest, KeepsThreeRows) {
  begin();
  const int a = keep(0), b = keep(128), c = keep(256);
  EXPECT_EQ(std::set({a, b, c}), std::set({4, 8, 12}));
  EXPECT_EQ(code.value({0, 0, 4, true}, 1, 0).getIdx(), a + 1);
  EXPECT_EQ(code.value({128, 0, 4, true}, 2, 0).getIdx(), b + 2);
  EXPECT_EQ(code.value({384, 0, 4, true}, 1, 3).getIdx(), 3);
}

TEST_F(LaneCodeTest, AWideRowReplacesTwoAndTheRowsThatItOverlaps) {
  begin();
  keep(0);
  EXPECT_EQ(keep(128, true), 8);
  EXPECT_EQ(code.value({128, 0, 8, true}, 7, 0, true).getIdx(), 15);
  EXPECT_EQ(code.value({128, 0, 4, true}, 0, 2).getIdx(), 2);
  keep(256);
  EXPECT_EQ(code.value({128, 0, 8, true}, 7, 0, true).getIdx(), 0);
}

TEST_F(LaneCodeTest, TemporariesReplaceTheFirstRow) {
  begin();
  EXPECT_EQ(keep(0), 4);
  code.use_temporaries();
  EXPECT_EQ(code.value({0, 0, 4, true}, 1, 0).getIdx(), 0);
  EXPECT_NE(keep(128), 4);
}

TEST_F(LaneCodeTest, ForgetsAddressesWhenTheirBaseChanges) {
  begin();
  KnownAddresses& known = code.known_addresses();
  known.keep(3, 128, true);
  EXPECT_EQ(known.find(128, true), 3);
  keep(256);
  EXPECT_EQ(known.find(128, true), -1);
}

TEST_F(LaneCodeTest, AGuardOrInactiveLanesMaskResults) {
  begin();
  EXPECT_TRUE(code.all_lanes());
  r.guard = {2, 0};
  begin();
  EXPECT_TRUE(code.has_guard());
  r.guard = {4, 0};
  begin(false);
  EXPECT_FALSE(code.has_guard());
  EXPECT_FALSE(code.all_lanes());
}

}  // namespace
}  // namespace heddle::exec::test
