#include "base/shared_log.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <string>

#include "base/diagnostics.h"
#include "base/temporary_folder.h"

namespace heddle {
namespace {

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  return text.substr(0, text.find('\0'));
}

TEST(SharedLog, HoldsWhatAProcessAppendedBeforeItWasKilled) {
  const TemporaryFolder folder;
  std::string expected;
  for (int i = 0; i < 20'000; ++i) expected += "line " + std::to_string(i) + "\n";
  const pid_t child = fork();
  if (child == 0) {
    SharedLog log(folder.file("log"));
    for (int i = 0; i < 20'000; ++i) log.append("line " + std::to_string(i) + "\n");
    ::raise(SIGKILL);
  }
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(content_of(folder.file("log")) == expected);
}

TEST(SharedLog, MakesNoFileWithoutAText) {
  const TemporaryFolder folder;
  { const SharedLog log(folder.file("log")); }
  EXPECT_NE(::access(folder.file("log").c_str(), F_OK), 0);
}

TEST(SharedLog, NamesAFileThatCannotBeWritten) {
  SharedLog log("/nonexistent/log");
  EXPECT_THROW(log.append("x"), UserError);
}

}  // namespace
}  // namespace heddle
