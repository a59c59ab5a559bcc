#include "lab/sample/pass.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"

namespace heddle::lab {
namespace {

TEST(SamplePass, RefusesWhatASampleDoesNotHave) {
  const auto refuses = [](auto change) {
    RunRequest request;
    request.program = {"/bin/true"};
    change(request);
    EXPECT_THROW(plan_sample(request), UserError);
    EXPECT_EQ(request.sample, nullptr);
  };
  refuses([](RunRequest& r) { r.functional = true; });
  refuses([](RunRequest& r) { r.timed.skip = 1; });
  refuses([](RunRequest& r) { r.from_launch = 2; });
  refuses([](RunRequest& r) { r.watch.details = true; });
  refuses([](RunRequest& r) { r.watch.interval = 100; });
  refuses([](RunRequest& r) { r.watch.timeline_path = "t"; });
  refuses([](RunRequest& r) { r.warp_logs.push_back({}); });
  refuses([](RunRequest& r) { r.watch.first_warp = true; });
}

}  // namespace
}  // namespace heddle::lab
