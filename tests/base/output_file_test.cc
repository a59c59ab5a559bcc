#include "base/output_file.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "base/input_file.h"
#include "base/temporary_folder.h"
#include "tests/error_message.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

std::size_t files_in(const fs::path& folder) {
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder))
    files += entry.path().filename() != ".made-by-heddle";
  return files;
}

std::string error_of(const std::string& path) {
  return message_of([&] { write_file_atomically(path, "text"); }, "");
}

class OutputFiles : public testing::Test {
 protected:
  const TemporaryFolder folder_;
};

TEST_F(OutputFiles, AreUnchangedUntilTheyAreComplete) {
  const std::string path = folder_.file("a");
  write_file_atomically(path, "old");
  {
    OutputFile file(path);
    file.write("new");
    EXPECT_EQ(read_file(path), "old");
  }
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(files_in(folder_.path()), 1u);
  write_file_atomically(path, "new");
  EXPECT_EQ(read_file(path), "new");
}

TEST_F(OutputFiles, DoNotOverwriteAFileWithTheTemporaryName) {
  const std::string path = folder_.file("a"),
                    other = path + "." + std::to_string(getpid()) + ".part";
  std::ofstream(other) << "of the user";
  write_file_atomically(path, "text");
  EXPECT_EQ(read_file(path), "text");
  EXPECT_EQ(read_file(other), "of the user");
}

TEST_F(OutputFiles, FollowLinks) {
  fs::create_symlink("real", folder_.path() / "link");
  write_file_atomically(folder_.file("real"), "old");
  write_file_atomically(folder_.file("link"), "new");
  EXPECT_TRUE(fs::is_symlink(folder_.path() / "link"));
  EXPECT_EQ(read_file(folder_.file("real")), "new");
}

TEST_F(OutputFiles, AFullDeviceIsAnErrorAndStaysADevice) {
  EXPECT_EQ(error_of("/dev/full"), "cannot write /dev/full: No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  EXPECT_EQ(error_of("/dev/null"), "");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputFiles, NameThePathAndTheReason) {
  EXPECT_EQ(error_of(folder_.path().string()),
            "cannot write " + folder_.path().string() + ": it is a folder");
  std::ofstream(folder_.file("file")) << "";
  EXPECT_NE(error_of(folder_.file("file/below")).find(folder_.file("file")), std::string::npos);
}

}  // namespace
}  // namespace heddle
