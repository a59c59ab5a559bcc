#include "base/own_threads.h"

#include <gtest/gtest.h>

#include <latch>
#include <thread>

namespace heddle {
namespace {

TEST(OwnThreads, ThreadsOfTheSimulatorDoNotCount) {
  EXPECT_TRUE(only_own_threads());
  std::latch marked(1), seen(1);
  std::thread own([&] {
    mark_own_thread();
    marked.count_down();
    seen.wait();
  });
  marked.wait();
  EXPECT_TRUE(only_own_threads());
  seen.count_down();
  own.join();
}

TEST(OwnThreads, OtherThreadsCount) {
  std::latch begun(1), seen(1);
  std::thread other([&] {
    begun.count_down();
    seen.wait();
  });
  begun.wait();
  EXPECT_FALSE(only_own_threads());
  seen.count_down();
  other.join();
}

}  // namespace
}  // namespace heddle
