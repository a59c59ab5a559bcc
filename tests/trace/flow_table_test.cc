#include "trace/flow_table.h"

#include <gtest/gtest.h>

#include "tests/trace/trace_text.h"
#include "trace/traced_launch.h"

namespace heddle::trace {
namespace {

std::shared_ptr<const TracedKernel> kernel_of(const Lines& lines) {
  const TemporaryFolder folder;
  return read_launch(write_file(folder.file("k.traceg"), head(4) + cta("0,0,0", warp(0, lines))))
      ->kernel();
}

// 0x20 branches back to 0x10 twice, then falls through.
TEST(FlowTable, ABranchBackIsALoop) {
  Lines lines{"0000 ffffffff 1 R1 MOV 0 0 "};
  for (const char* mask : {"ffffffff", "0000ffff", "00000000"}) {
    lines.push_back("0010 ffffffff 1 R2 IADD3 1 R2 0 ");
    lines.push_back(fmt::format("0020 {} 0 BRA 0 0 ", mask));
  }
  lines.push_back("0030 ffffffff 0 EXIT 0 0 ");
  const auto kernel = kernel_of(lines);
  ASSERT_EQ(kernel->loops.size(), 1u);
  EXPECT_EQ(kernel->loops[0].header, 1u);
  EXPECT_EQ(kernel->loops[0].back_edges, std::vector<Pc>{2});
  EXPECT_EQ(kernel->instructions[1].loop, 0);
  EXPECT_TRUE(kernel->instructions[1].loop_header);
  EXPECT_EQ(kernel->instructions[3].loop, isa::kNoLoop);
  EXPECT_EQ(kernel->instructions[2].target, 1u);
}

// The lower lanes jump over 0x20; the others run first and wait at 0x40.
TEST(FlowTable, PathsOfADivergentBranchMeetBehindBoth) {
  const auto kernel = kernel_of({"0000 ffffffff 0 BSSY 0 0 ", "0010 0000ffff 0 BRA 0 0 ",
                                 "0020 ffff0000 0 BRA 0 0 ", "0040 ffff0000 0 BSYNC 0 0 ",
                                 "0030 0000ffff 1 R1 MOV 0 0 ", "0040 0000ffff 0 BSYNC 0 0 ",
                                 "0050 ffffffff 0 EXIT 0 0 "});
  EXPECT_EQ(kernel->instructions[1].target, 3u);
  EXPECT_EQ(kernel->instructions[1].reconvergence, 4u);
  EXPECT_TRUE(kernel->loops.empty());
}

}  // namespace
}  // namespace heddle::trace
