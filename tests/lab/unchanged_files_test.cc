// Results are kept under hashes of files, so the files must not change while a sweep runs.
#include "lab/sweep/unchanged_files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "lab/process.h"
#include "tests/error_message.h"

namespace heddle::lab {
namespace {

class UnchangedFilesTest : public testing::Test {
 protected:
  UnchangedFilesTest() {
    for (const char* name : {"simulator", "program", "plugin.so"}) write(name, name);
    task_.program_path = folder_.file("program");
    task_.plugins = {folder_.file("plugin.so")};
    task_.identity.simulator_hash = content_hash("simulator");
    task_.identity.program_hash = content_hash("program");
    task_.identity.plugin_hashes = {content_hash("plugin.so")};
  }
  void write(const std::string& name, const std::string& text) {
    write_file_atomically(folder_.file(name), text);
  }
  std::string message() {
    return message_of([&] { files_.check(task_); });
  }

  TemporaryFolder folder_;
  SweepTask task_;
  UnchangedFiles files_{folder_.file("simulator")};
};

TEST_F(UnchangedFilesTest, AcceptsWhatThePlanHasSeen) {
  EXPECT_EQ(message(), "no error");
  EXPECT_EQ(message(), "no error");
}

TEST_F(UnchangedFilesTest, AcceptsAFileThatWasReplacedByAnEqualOne) {
  EXPECT_EQ(message(), "no error");
  write("simulator", "simulator");
  EXPECT_EQ(message(), "no error");
}

TEST_F(UnchangedFilesTest, RefusesEachFileThatHasChangedSince) {
  for (const auto& [name, what] :
       {std::pair("simulator", "the simulator"), std::pair("program", "the program"),
        std::pair("plugin.so", "the plug-in")}) {
    EXPECT_EQ(message(), "no error");
    write(name, "other");
    EXPECT_EQ(message(), std::string(what) + " " + folder_.file(name) +
                             " has changed since the sweep began; repeat the command");
    write(name, name);
  }
}

TEST_F(UnchangedFilesTest, RefusesAMissingFile) {
  std::filesystem::remove(folder_.file("program"));
  EXPECT_NE(message().find("the program"), std::string::npos);
}

}  // namespace
}  // namespace heddle::lab
