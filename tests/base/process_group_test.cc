#include "base/process_group.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/diagnostics.h"
#include "base/temporary_folder.h"

namespace heddle {
namespace {

using std::chrono::milliseconds;

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

ChildCommand shell(const std::string& script) { return {{"/bin/sh", "-c", script}, {}, {}, {}}; }

TEST(Processes, ReturnExitCodeAndSignal) {
  ProcessGroup group;
  group.start(shell("exit 7"));
  EXPECT_EQ(group.wait_any().ending.exit_code, 7);
  group.start(shell("kill -SEGV $$"));
  const Ending ending = group.wait_any().ending;
  EXPECT_EQ(ending.signal, SIGSEGV);
  EXPECT_NE(describe(ending).find("signal 11"), std::string::npos);
}

TEST(Processes, TakeEnvironmentAndOutputFiles) {
  const TemporaryFolder folder;
  ChildCommand command = shell("echo $HEDDLE_COLOUR; echo wrong >&2");
  command.environment["HEDDLE_COLOUR"] = "green";
  command.stdout_path = folder.file("out");
  command.stderr_path = folder.file("err");
  ProcessGroup group;
  group.start(command);
  group.wait_any();
  EXPECT_EQ(text_of(folder.file("out")), "green\n");
  EXPECT_EQ(text_of(folder.file("err")), "wrong\n");
}

TEST(Processes, AreIdentifiedWhenTheyEnd) {
  ProcessGroup group;
  const pid_t slow = group.start(shell("sleep 0.2; exit 1")), quick = group.start(shell("exit 2"));
  const auto first = group.wait_any(), second = group.wait_any();
  EXPECT_NE(first.pid, second.pid);
  for (const auto& ended : {first, second})
    EXPECT_EQ(ended.ending.exit_code, ended.pid == slow ? 1 : 2);
  EXPECT_NE(slow, quick);
  EXPECT_EQ(group.running(), 0);
}

TEST(Processes, AreWaitedForAsLongAsTheLimitSays) {
  ProcessGroup group;
  group.start(shell("sleep 0.2"));
  int waits = 1;
  while (!group.wait_any_for(milliseconds(900))) ++waits;
  EXPECT_LT(waits, 20);
}

// As in a sweep, whose workers run co-runs.
TEST(Processes, OfAGroupWithinAGroupAreInterrupted) {
  ProcessGroup outer, inner;
  inner.start({{"/bin/sleep", "20"}, {}, {}, {}});
  kill(getpid(), SIGTERM);
  EXPECT_EQ(inner.wait_any().ending.signal, SIGTERM);
  EXPECT_EQ(inner.interrupted(), SIGTERM);
}

TEST(Processes, ThatCannotStartAreAUserError) {
  ProcessGroup group;
  EXPECT_THROW(group.start({{"/nonexistent/program"}, {}, {}, {}}), UserError);
}

// A process that has ended may wait for its parent.
bool runs(pid_t process) {
  std::string id, name, state;
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  return stat >> id >> name >> state && state != "Z" && state != "X";
}

template <class Condition>
bool becomes_true(Condition condition) {
  for (int i = 0; i < 3000 && !condition(); ++i) std::this_thread::sleep_for(milliseconds(10));
  return condition();
}

TEST(Processes, ReadADescriptor) {
  const TemporaryFolder folder;
  std::ofstream(folder.file("input")) << "one\n";
  ChildCommand command = shell("read -r line; test \"$line\" = one");
  command.input = std::make_shared<const Descriptor>(
      ::open(folder.file("input").c_str(), O_RDONLY | O_CLOEXEC));
  ProcessGroup group;
  group.start(command);
  EXPECT_EQ(group.wait_any().ending.exit_code, 0);
}

TEST(Processes, AreKilledWhenTheProcessThatStartedThemIs) {
  const TemporaryFolder folder;
  const pid_t middle = ::fork();
  if (middle == 0) {
    ProcessGroup group;
    std::ofstream(folder.file("child"))
        << group.start({{"/bin/sleep", "1000"}, {}, {}, {}}) << "\n";
    ::pause();
  }
  ASSERT_TRUE(becomes_true([&] { return text_of(folder.file("child")).ends_with('\n'); }));
  const pid_t child = std::stoi(text_of(folder.file("child")));
  EXPECT_TRUE(runs(child));
  ::kill(middle, SIGKILL);
  ::waitpid(middle, nullptr, 0);
  EXPECT_TRUE(becomes_true([&] { return !runs(child); }));
}

TEST(Processes, ThatIgnoreASignalAreKilled) {
  const TemporaryFolder folder;
  ChildCommand command = shell("trap '' TERM HUP; echo ready; while :; do sleep 1; done");
  command.stdout_path = folder.file("out");
  ::signal(SIGHUP, SIG_DFL);  // below nohup it is ignored
  for (const int signal : {SIGTERM, SIGHUP}) {
    ProcessGroup group({milliseconds(10), milliseconds(20), milliseconds(20)});
    group.start(command);
    ASSERT_TRUE(becomes_true([&] { return text_of(folder.file("out")) == "ready\n"; }));
    ::kill(::getpid(), signal);
    EXPECT_EQ(group.wait_any().ending.signal, SIGKILL);
    EXPECT_EQ(group.interrupted(), signal);
    std::filesystem::remove(folder.file("out"));
  }
}

TEST(Processes, WithARunControlAreAskedThroughItFirst) {
  const TemporaryFolder folder;
  RunControl::create(folder.file("control"));
  const RunControl seen(folder.file("control"));
  ProcessGroup group({milliseconds(50), milliseconds(100), milliseconds(100)});
  ChildCommand command = shell("trap '' INT; echo ready; while :; do sleep 1; done");
  command.stdout_path = folder.file("out");
  command.control = folder.file("control");
  group.start(command);
  ASSERT_TRUE(becomes_true([&] { return text_of(folder.file("out")) == "ready\n"; }));
  EXPECT_EQ(seen.stop().signal, 0);
  ::kill(::getpid(), SIGINT);
  while (!group.interrupted()) EXPECT_FALSE(group.wait_any_for(milliseconds(10)));
  EXPECT_EQ(seen.stop().signal, SIGINT);
  EXPECT_FALSE(seen.stop().at_once);
  EXPECT_EQ(group.wait_any().ending.signal, SIGKILL);
  EXPECT_TRUE(seen.stop().at_once);
}

// A shell may end before the program that it has started in the background.
TEST(Processes, HaveEndedWhenThoseThatUseTheDeviceHave) {
  const TemporaryFolder folder;
  const std::string path = folder.file("control");
  RunControl::create(path);
  const pid_t user = ::fork();
  if (user == 0) {
    RunControl control(path);
    control.begin_use();
    control.begin_launches();
    ::pause();
  }
  ASSERT_TRUE(becomes_true([&] { return RunControl(path).launching_users() == 1; }));
  ProcessGroup group;
  ChildCommand command = shell("exit 3");
  command.control = path;
  group.start(command);
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(group.wait_any_for(milliseconds(20)));
  ::kill(user, SIGKILL);
  ::waitpid(user, nullptr, 0);
  const ProcessGroup::Ended ended = group.wait_any();
  EXPECT_EQ(ended.ending.exit_code, 3);
  EXPECT_EQ(ended.users, 1u);
  EXPECT_EQ(ended.launching_users, 1u);
}

}  // namespace
}  // namespace heddle
