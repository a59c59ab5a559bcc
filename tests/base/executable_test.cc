#include "base/executable.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/temporary_folder.h"

namespace heddle {
namespace {

TEST(Executable, PathIsAbsoluteAndNamesThisProgram) {
  EXPECT_TRUE(executable_path().is_absolute());
  EXPECT_EQ(executable_path().filename(), "base_test");
}

class Path : public ::testing::Test {
 protected:
  Path() { unsetenv("PATH"); }
  ~Path() override { setenv("PATH", path_.c_str(), 1); }

 private:
  const std::string path_ = std::getenv("PATH");
};

TEST_F(Path, WithoutItTheSystemsFoldersAreSearched) {
  EXPECT_EQ(find_in_path("sh"), "/bin/sh");
  EXPECT_EQ(find_in_path("no-such-program"), "");
}

TEST_F(Path, TheFirstFileThatCanBeExecutedCounts) {
  const TemporaryFolder folder;
  const std::string program = folder.file("sh");
  setenv("PATH", (folder.path().string() + ":/bin").c_str(), 1);
  std::ofstream(program) << "";
  EXPECT_EQ(find_in_path("sh"), "/bin/sh");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  EXPECT_EQ(find_in_path("sh"), program);
  std::filesystem::remove(program);
  std::filesystem::create_directory(program);
  EXPECT_EQ(find_in_path("sh"), "/bin/sh") << "a folder is no program";
}

TEST_F(Path, AnEmptyFolderIsTheCurrentOne) {
  const auto start = std::filesystem::current_path();
  setenv("PATH", ":/nowhere", 1);
  std::filesystem::current_path("/bin");
  EXPECT_EQ(find_in_path("sh"), "./sh");
  std::filesystem::current_path(start);
  setenv("PATH", "", 1);
  EXPECT_EQ(find_in_path("sh"), "");
}

}  // namespace
}  // namespace heddle
