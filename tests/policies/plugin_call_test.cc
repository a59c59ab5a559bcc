#include "policies/plugin_call.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <stdexcept>

#include "tests/error_message.h"

namespace heddle::policies {
namespace {

const PluginPolicy kMine("scheduler", "mine", "/x/mine.so");

template <class Work>
std::string message_of_call(Work work) {
  return message_of([&] { kMine.call("pick()", work); });
}

TEST(PluginPolicy, NamesAnExceptionOfAPolicy) {
  EXPECT_EQ(kMine.call("pick()", [] { return 3; }), 3);
  EXPECT_EQ(message_of_call([] { throw std::runtime_error("it is confused"); }),
            "scheduler mine of plug-in /x/mine.so: pick(): it is confused");
  EXPECT_EQ(message_of_call([] { throw 7; }),
            "scheduler mine of plug-in /x/mine.so: pick(): an exception without a description");
  const Cycle now{1024};
  const ComponentScope scope("SM", 3, now);
  EXPECT_EQ(message_of_call([] { throw std::logic_error("no"); }),
            "scheduler mine of plug-in /x/mine.so: SM 3, cycle 1024: pick(): no");
}

TEST(PluginPolicy, DoesNotChangeAMistakeOfTheUser) {
  EXPECT_EQ(message_of_call([] { throw UserError("mine: no such file"); }), "mine: no such file");
}

TEST(PluginPolicy, KnowsTheInnermostCall) {
  const PluginPolicy other("CTA scheduler", "other", "b.so");
  EXPECT_EQ(PluginPolicy::describe_current_call(), "");
  kMine.call("attach()", [&] {
    EXPECT_EQ(other.call("dispatch()", [] { return PluginPolicy::describe_current_call(); }),
              "CTA scheduler other of plug-in b.so: dispatch(): ");
    EXPECT_EQ(PluginPolicy::describe_current_call(),
              "scheduler mine of plug-in /x/mine.so: attach(): ");
  });
  EXPECT_EQ(PluginPolicy::describe_current_call(), "");
}

void print_and_end(const std::string& message) {
  std::fputs(message.c_str(), stderr);
  ::_exit(5);
}

TEST(PluginPolicyDeathTest, NamesThePolicyWhenTheEndFails) {
  EXPECT_EXIT(
      {
        report_faults_of_plugins([](const std::string&) { std::abort(); });
        kMine.call("on_issue()", [] { ::raise(SIGFPE); });
      },
      testing::ExitedWithCode(2),
      "heddle: error: scheduler mine of plug-in /x/mine.so: on_issue\\(\\): Floating point "
      "exception");
}

TEST(PluginPolicyDeathTest, NamesASignalDuringACallOnly) {
  EXPECT_EXIT(
      {
        report_faults_of_plugins(print_and_end);
        kMine.call("on_issue()", [] { ::raise(SIGFPE); });
      },
      testing::ExitedWithCode(5),
      "/x/mine.so: on_issue\\(\\): signal 8 \\(Floating point exception");
  EXPECT_EXIT(
      {
        report_faults_of_plugins(print_and_end);
        ::raise(SIGFPE);
      },
      testing::KilledBySignal(SIGFPE), "");
}

TEST(PluginPolicyDeathTest, NamesACallThatDoesNotReturn) {
  EXPECT_EXIT(
      {
        report_faults_of_plugins(print_and_end, std::chrono::milliseconds{20});
        kMine.call("pick()", [] {
          for (volatile bool endless = true; endless;) continue;
        });
      },
      testing::ExitedWithCode(5),
      "/x/mine.so: pick\\(\\): it has not returned after 0.02 s of processor time");
}

// Processor time of this thread.
double seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

TEST(PluginPolicyDeathTest, LimitsACallAndNotTheSumOfCalls) {
  EXPECT_EXIT(
      {
        report_faults_of_plugins(print_and_end, std::chrono::milliseconds{50});
        for (const double start = seconds(); seconds() < start + 0.3;)
          kMine.call("pick()", [] { return seconds(); });
        for (const double start = seconds(); seconds() < start + 0.2;) continue;
        kMine.call("pick()", [] { return 1; });
        ::_exit(6);
      },
      testing::ExitedWithCode(6), "");
}

}  // namespace
}  // namespace heddle::policies
