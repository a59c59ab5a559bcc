#include "base/source_files.h"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "base/temporary_folder.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

class SourceFile : public testing::Test {
 protected:
  SourceFile() {
    fs::create_directories(folder_.path() / "app" / "src");
    fs::create_directories(folder_.path() / "home");
    write("app/src/a.cu", "one\n  two\n\nfour");
    write("home/secret.cu", "secret");
    write("app/notes.txt", "secret");
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.file(name)) << text;
  }
  SourceFiles of_app() const { return SourceFiles({folder_.file("app")}); }

  const TemporaryFolder folder_;
};

TEST_F(SourceFile, BelowAFolderIsReadByLine) {
  SourceFiles files = of_app();
  const std::string name = folder_.file("app/src/a.cu");
  EXPECT_EQ(files.line(name, 1), "one");
  EXPECT_EQ(files.line(name, 2), "two");
  EXPECT_EQ(files.line(name, 3), "");
  EXPECT_EQ(files.line(name, 4), "four");
  for (const int none : {-1, 0, 5, 1 << 30}) EXPECT_EQ(files.line(name, none), "");
  EXPECT_EQ(files.line("src/a.cu", 4), "four");
  EXPECT_EQ(files.shown().size(), 2u);
  EXPECT_TRUE(files.refused().empty());
}

TEST_F(SourceFile, OutsideOfTheFoldersIsRefused) {
  SourceFiles files = of_app();
  const std::string dots = folder_.file("app/../home/secret.cu");
  EXPECT_EQ(files.line(dots, 1), "");
  EXPECT_EQ(files.line("../home/secret.cu", 1), "");
  EXPECT_EQ(files.refused(), (std::vector<std::string>{"../home/secret.cu", dots}));
  EXPECT_TRUE(SourceFiles({folder_.file("home")}).text(dots).has_value());
}

TEST_F(SourceFile, BehindALinkOutOfTheFolderIsRefused) {
  fs::create_symlink(folder_.file("home/secret.cu"), folder_.file("app/link.cu"));
  fs::create_directory_symlink(folder_.file("home"), folder_.file("app/folder"));
  SourceFiles files = of_app();
  EXPECT_EQ(files.line(folder_.file("app/link.cu"), 1), "");
  EXPECT_EQ(files.line(folder_.file("app/folder/secret.cu"), 1), "");
  EXPECT_EQ(files.refused().size(), 2u);
}

TEST_F(SourceFile, IsNoOtherKindOfFile) {
  ASSERT_EQ(mkfifo(folder_.file("app/pipe.cu").c_str(), 0600), 0);
  SourceFiles files = of_app();
  for (const std::string& name :
       {folder_.file("app/pipe.cu"), folder_.file("app/notes.txt"), folder_.file("app/src"),
        std::string("/proc/self/environ"), std::string("/dev/zero")})
    EXPECT_FALSE(files.text(name).has_value()) << name;
  SourceFiles root({"/"});
  EXPECT_FALSE(root.text("/dev/zero").has_value());
  EXPECT_FALSE(root.text("/proc/self/environ").has_value());
}

TEST_F(SourceFile, HasABoundedSize) {
  write("app/large.cu", std::string(SourceFiles::kMaxBytes + 1, 'x'));
  write("app/just.cu", std::string(SourceFiles::kMaxBytes, 'x'));
  SourceFiles files = of_app();
  EXPECT_FALSE(files.text(folder_.file("app/large.cu")).has_value());
  EXPECT_TRUE(files.text(folder_.file("app/just.cu")).has_value());
}

TEST_F(SourceFile, ThatIsMissingIsNotRefused) {
  SourceFiles files = of_app();
  EXPECT_EQ(files.line(folder_.file("home/none.cu"), 1), "");
  EXPECT_TRUE(files.refused().empty());
}

}  // namespace
}  // namespace heddle
