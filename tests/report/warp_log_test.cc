#include "report/warp_log.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

using stats::Timeline;

Timeline two_warps() {
  Timeline timeline;
  timeline.add_track("SM 0");
  const auto sm = timeline.add_track("SM 1");
  const auto other = timeline.add_track("warp 2", sm), warp = timeline.add_track("warp 3", sm);
  const auto issue = timeline.add_name("issue"), wait = timeline.add_name("waits for operands"),
             add = timeline.add_name("compute, PTX line 8"),
             load = timeline.add_name("load, PTX line 7, /home/k.cu:28");
  timeline.slices = {{warp, issue, load, Timeline::kNone, 1'000'000, 1'001'000},
                     {other, issue, load, Timeline::kNone, 1'001'000, 1'002'000},
                     {warp, wait, add, load, 1'001'000, 1'300'000},
                     {warp, issue, add, Timeline::kNone, 1'300'000, 1'301'000}};
  return timeline;
}

TEST(WarpLog, HasARowPerIntervalAndTheShareOfEachState) {
  EXPECT_EQ(warp_log(two_warps(), 1, 3, 0), R"(
SM 1, warp slot 3

  from     to  cycles  the warp            instruction                which needs
 1,000  1,001       1  issue               load, PTX line 7, k.cu:28
 1,001  1,300     299  waits for operands  compute, PTX line 8        load, PTX line 7, k.cu:28
 1,300  1,301       1  issue               compute, PTX line 8

 waits for operands 99.3 %, issue 0.7 %
)");
}

TEST(WarpLog, SaysWhenTheSlotWasEmpty) {
  EXPECT_EQ(warp_log(two_warps(), 0, 3, 0), "\nSM 0, warp slot 3\n\n no warp was in this slot\n");
}

}  // namespace
}  // namespace heddle::report
