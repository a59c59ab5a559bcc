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
                     {warp, issue, add, Timeline::kNone, 1'300'000, 1'301'000},
                     {warp, issue, add, Timeline::kNone, 1'400'000, 1'401'000}};
  timeline.ctas = {{1, timeline.add_name("k(int)"), 7, 1'000'000, 1'301'000, {2, 3}},
                   {1, timeline.add_name("later(int)"), 8, 1'400'000, 1'401'000, {3}}};
  return timeline;
}

TEST(WarpLog, HasARowPerIntervalAndTheShareOfEachState) {
  EXPECT_EQ(warp_log(two_warps(), 7, 1, 0), R"(
warp 1 of CTA 7 of k(int), in warp slot 3 of SM 1

  from     to  cycles  the warp            instruction                which needs
 1,000  1,001       1  issue               load, PTX line 7, k.cu:28
 1,001  1,300     299  waits for operands  compute, PTX line 8        load, PTX line 7, k.cu:28
 1,300  1,301       1  issue               compute, PTX line 8

 waits for operands 99.3 %, issue 0.7 %
)");
}

TEST(WarpLog, SaysWhenThereIsNoSuchWarp) {
  EXPECT_EQ(warp_log(two_warps(), 8, 2, 0),
            "\nwarp 2 of CTA 8 of later(int)\n\n its warps are 0 to 0\n");
  EXPECT_EQ(warp_log(two_warps(), 9, 0, 0),
            "\nwarp 0 of CTA 9\n\n the CTA was on no SM in these cycles\n");
}

}  // namespace
}  // namespace heddle::report
