#include "report/cost_text.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

lab::RunCost long_run() {
  lab::RunCost cost;
  cost.launches = cost.timed_launches = 12;
  cost.instructions = cost.timed_instructions = 600'000'000;
  cost.functional_seconds = 20;
  cost.probe_instructions = 500'000;
  cost.probe_seconds = 1;
  return cost;
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(CostText, SaysTheBasisAndBothTimes) {
  const std::string text = cost_text(long_run());
  EXPECT_TRUE(says(text, "functional pass: 12 launches, 600,000,000 warp instructions in 20 s"))
      << text;
  EXPECT_TRUE(says(text, "the first 500,000 warp instructions take 1 s here: 0.5 million")) << text;
  EXPECT_TRUE(says(text, "full run: about 20 min")) << text;
  EXPECT_TRUE(says(text, "sampled run: at most 20 min: every launch is timed")) << text;
}

TEST(CostText, SaysWhatASampledRunTimes) {
  lab::RunCost some = long_run();
  some.timed_launches = 3;
  some.timed_instructions = 1'000'000;
  const std::string text = cost_text(some);
  EXPECT_TRUE(says(text, "at most 42 s: 3 launches are timed, with 1,000,000 warp")) << text;
  some.whole = "kernels of the program launch kernels";
  EXPECT_TRUE(says(cost_text(some), "as the full run, because kernels")) << text;
}

}  // namespace
}  // namespace heddle::report
