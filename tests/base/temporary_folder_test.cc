#include "base/temporary_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/marked_folder.h"
#include "tests/error_message.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFolder, ExistsAsLongAsTheObject) {
  fs::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    std::ofstream(folder.file("a")) << "text";
    EXPECT_TRUE(fs::exists(path / "a"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, SaysWhereItCannotBeCreated) {
  for (const char* nowhere : {"/nonexistent", ""}) {
    setenv("TMPDIR", nowhere, 1);
    const std::string message = message_of([&] { const TemporaryFolder folder; });
    EXPECT_NE(message.find(std::string("TMPDIR is '") + nowhere + "'"), std::string::npos)
        << message;
  }
  unsetenv("TMPDIR");
}

class AbandonedFolders : public testing::Test {
 protected:
  AbandonedFolders() {
    for (const char* name : {"heddle-aaaaaa", "heddle-other-name", "data"})
      fs::create_directory(parent_.path() / name);
    std::ofstream(parent_.file("heddle-aaaaaa/run.json")) << "{}";
    mark_folder(parent_.path() / "heddle-aaaaaa", "temporary folder");
  }
  bool exists(const char* name) const { return fs::exists(parent_.path() / name); }

  const TemporaryFolder parent_;
};

TEST_F(AbandonedFolders, AreRemovedWithTheirFiles) {
  remove_abandoned_folders(parent_.path(), std::chrono::seconds(0));
  EXPECT_FALSE(exists("heddle-aaaaaa"));
}

TEST_F(AbandonedFolders, StayWhileTheyAreYoung) {
  remove_abandoned_folders(parent_.path(), std::chrono::hours(1));
  EXPECT_TRUE(exists("heddle-aaaaaa"));
}

TEST_F(AbandonedFolders, DoNotIncludeOtherNames) {
  remove_abandoned_folders(parent_.path(), std::chrono::seconds(0));
  EXPECT_TRUE(exists("heddle-other-name"));
  EXPECT_TRUE(exists("data"));
}

TEST_F(AbandonedFolders, DoNotIncludeFoldersOfTheUser) {
  const fs::path own = parent_.path() / "heddle-kmeans";
  fs::create_directory(own);
  std::ofstream(own / "run.json") << "a week of results";
  fs::copy(parent_.path() / "heddle-aaaaaa", parent_.path() / "heddle-bbbbbb");
  remove_abandoned_folders(parent_.path(), std::chrono::seconds(0));
  EXPECT_TRUE(fs::exists(own / "run.json"));
  EXPECT_TRUE(exists("heddle-bbbbbb")) << "a copy carries the mark of another folder";
}

TEST_F(AbandonedFolders, DoNotIncludeWhatALinkLeadsTo) {
  fs::rename(parent_.path() / "heddle-aaaaaa", parent_.path() / "data" / "kept");
  fs::create_directory_symlink(parent_.path() / "data" / "kept", parent_.path() / "heddle-aaaaaa");
  remove_abandoned_folders(parent_.path(), std::chrono::seconds(0));
  EXPECT_TRUE(exists("data/kept/run.json"));
}

TEST_F(AbandonedFolders, DoNotIncludeTheFolderOfAnObject) {
  setenv("TMPDIR", parent_.path().c_str(), 1);
  const TemporaryFolder inner;
  unsetenv("TMPDIR");
  ASSERT_EQ(inner.path().parent_path(), parent_.path());
  remove_abandoned_folders(parent_.path(), std::chrono::seconds(0));
  EXPECT_TRUE(fs::exists(inner.path()));
}

}  // namespace
}  // namespace heddle
