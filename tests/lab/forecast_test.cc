// The remaining time of a sweep, by hand.
#include "lab/sweep/forecast.h"

#include <gtest/gtest.h>

namespace heddle::lab {
namespace {

TEST(RemainingTime, DividesExpectedTimesAmongJobs) {
  RemainingTime time;
  for (const double seconds : {10.0, 10.0, 20.0}) time.add(seconds);
  EXPECT_DOUBLE_EQ(*time.estimate(2, {}), 20);
}

TEST(RemainingTime, IsAtLeastThatOfTheLongestRun) {
  RemainingTime time;
  time.add(100);
  time.add(4);
  time.start("a", 100);
  EXPECT_DOUBLE_EQ(*time.estimate(4, {{"a", 30}}), 70);
}

TEST(RemainingTime, IsUnknownBeforeThreeRunsHaveEnded) {
  RemainingTime time;
  for (int i = 0; i < 5; ++i) time.add({});
  EXPECT_FALSE(time.estimate(1, {}));
  for (const char* key : {"a", "b", "c"}) {
    time.start(key, {});
    time.finish(key, 2);
  }
  EXPECT_DOUBLE_EQ(*time.estimate(1, {}), 4);  // two runs of two seconds
}

TEST(RemainingTime, IsCorrectedByFinishedRuns) {
  RemainingTime time;
  for (int i = 0; i < 4; ++i) time.add(10);
  for (const char* key : {"a", "b", "c"}) {
    time.start(key, 10);
    time.finish(key, 15);  // this machine is slower than the one that measured 10 s
  }
  EXPECT_DOUBLE_EQ(*time.estimate(1, {}), 15);
}

TEST(RemainingTime, CountsAKilledRunAgain) {
  RemainingTime time;
  time.add(10);
  time.start("a", 10);
  time.put_back("a");
  EXPECT_DOUBLE_EQ(*time.estimate(1, {}), 10);
}

}  // namespace
}  // namespace heddle::lab
