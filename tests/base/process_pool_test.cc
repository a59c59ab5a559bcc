#include "base/process_pool.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <csignal>

namespace heddle {
namespace {

ChildCommand exit_with(std::size_t code) {
  return {{"/bin/sh", "-c", "exit " + std::to_string(code)}, {}, {}, {}};
}

TEST(ProcessPool, RunsWhatIsNotDoneAndNoMoreAtOnceThanAllowed) {
  ProcessGroup group;
  std::vector<int> codes(5, -1);
  std::vector<std::size_t> done;
  PoolWork work{5, 2, {}, {}, {}};
  work.command = [&](std::size_t n) -> std::optional<ChildCommand> {
    EXPECT_LT(group.running(), 2);
    return n == 1 ? std::nullopt : std::optional(exit_with(n));
  };
  work.ended = [&](std::size_t n, const ProcessGroup::Ended& e) { codes[n] = e.ending.exit_code; };
  work.waits = [&](std::size_t n) { done.push_back(n); };
  run_pool(group, work);
  EXPECT_EQ(codes, (std::vector<int>{0, -1, 2, 3, 4}));
  EXPECT_EQ(done, (std::vector<std::size_t>{1, 2, 3, 4}));
}

TEST(ProcessPool, StartsNothingAfterAnInterruption) {
  ProcessGroup group;
  int started = 0, ended = 0;
  PoolWork work{3, 1, {}, {}, {}};
  work.command = [&](std::size_t) {
    ++started;
    ::kill(::getpid(), SIGTERM);
    return std::optional(ChildCommand{{"/bin/sleep", "20"}, {}, {}, {}});
  };
  work.ended = [&](std::size_t, const ProcessGroup::Ended&) { ++ended; };
  run_pool(group, work);
  EXPECT_EQ(group.interrupted(), SIGTERM);
  EXPECT_EQ(started, 1);
  EXPECT_EQ(ended, 1);
}

TEST(ProcessPool, JobsOfTheUserGoBeforeTheMachines) {
  EXPECT_EQ(runs_at_once(3, 2), 3u);
  EXPECT_GE(runs_at_once(0, 1), 1u);
  EXPECT_EQ(runs_at_once(0, 1000000), 1u);
}

}  // namespace
}  // namespace heddle
