#include "base/own_threads.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <latch>
#include <thread>

#include "base/descriptor.h"

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

TEST(OwnThreads, DescriptorsOfASeparatedThreadAreItsOwn) {
  const Descriptor program(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  joinable_own_thread([&] {
    ASSERT_TRUE(separate_descriptors());
    EXPECT_EQ(::fcntl(program.number(), F_GETFD), -1);
    while (::open("/dev/zero", O_RDONLY | O_CLOEXEC) < program.number()) {}
    ::close(program.number());
  }).join();
  EXPECT_EQ(::write(program.number(), "x", 1), 1);
}

}  // namespace
}  // namespace heddle
