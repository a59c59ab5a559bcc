#include "base/run_control.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "base/diagnostics.h"
#include "base/temporary_folder.h"

namespace heddle {
namespace {

TEST(RunControls, PassARequestToEveryProcess) {
  const TemporaryFolder folder;
  RunControl::create(folder.file("control"));
  RunControl owner(folder.file("control"));
  const RunControl user(folder.file("control"));
  EXPECT_EQ(user.owner(), ::getpid());
  EXPECT_EQ(user.stop().signal, 0);
  const std::uint32_t seen = user.notifications();
  std::thread request([&] { owner.request_stop({SIGTERM, true}); });
  while (user.notifications() == seen) user.wait(seen, std::chrono::milliseconds(1000));
  request.join();
  EXPECT_EQ(user.stop().signal, SIGTERM);
  EXPECT_TRUE(user.stop().at_once);
}

TEST(RunControls, ListProcessesThatUseTheDevice) {
  const TemporaryFolder folder;
  RunControl::create(folder.file("control"));
  RunControl control(folder.file("control"));
  EXPECT_TRUE(control.running_users().empty());
  for (int i = 0; i < 100; ++i) control.begin_use();  // a process that executes itself again
  EXPECT_EQ(control.running_users(), std::vector<pid_t>{::getpid()});
  EXPECT_EQ(control.users(), 100u);
  EXPECT_EQ(control.launching_users(), 0u);
}

TEST(RunControls, RefuseDamagedFiles) {
  const TemporaryFolder folder;
  EXPECT_THROW(RunControl(folder.file("missing")), UserError);
  std::ofstream(folder.file("short")) << "short";
  EXPECT_THROW(RunControl(folder.file("short")), UserError);
}

}  // namespace
}  // namespace heddle
