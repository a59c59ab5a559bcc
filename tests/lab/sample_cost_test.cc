#include "lab/sample/cost.h"

#include <gtest/gtest.h>

namespace heddle::lab {
namespace {

// Ten million instructions at a million a second, and a second of the host; a tenth is timed in a
// sampled run, after a functional pass of two seconds, half of them the host's.
TEST(RunCost, IsThatOfTimedAndFunctionalInstructionsAndOfTheHost) {
  RunCost cost;
  cost.instructions = 10'000'000;
  cost.timed_instructions = 1'000'000;
  cost.functional_seconds = 2;
  cost.host_seconds = 1;
  cost.probe_instructions = 500'000;
  cost.probe_seconds = 0.5;
  EXPECT_DOUBLE_EQ(cost.instructions_per_second(), 1e6);
  EXPECT_DOUBLE_EQ(cost.full_seconds(), 11);
  EXPECT_DOUBLE_EQ(cost.sampled_seconds(), 2 + 1 + 0.9 + 1);
}

}  // namespace
}  // namespace heddle::lab
