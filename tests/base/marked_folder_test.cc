#include "base/marked_folder.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/temporary_folder.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

class MarkedFolder : public testing::Test {
 protected:
  MarkedFolder() {
    fs::create_directories(folder_ / "below");
    std::ofstream(folder_ / "below" / "file") << "content";
  }
  const TemporaryFolder parent_;
  const fs::path folder_ = parent_.path() / "folder";
};

TEST_F(MarkedFolder, IsRemovedWithAllThatItHolds) {
  mark_folder(folder_, "submission a");
  EXPECT_TRUE(remove_marked_folder(folder_, "submission a"));
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(MarkedFolder, StaysWithoutAMark) {
  EXPECT_FALSE(remove_marked_folder(folder_, "submission a"));
  EXPECT_TRUE(fs::exists(folder_ / "below" / "file"));
}

TEST_F(MarkedFolder, StaysWithTheMarkOfAnotherPurpose) {
  mark_folder(folder_, "submission b");
  EXPECT_FALSE(remove_marked_folder(folder_, "submission a"));
  EXPECT_TRUE(fs::exists(folder_ / "below" / "file"));
}

TEST_F(MarkedFolder, IsNotReachedThroughALink) {
  mark_folder(folder_, "submission a");
  const fs::path link = parent_.path() / "link";
  fs::create_directory_symlink(folder_, link);
  EXPECT_FALSE(remove_marked_folder(link, "submission a"));
  EXPECT_TRUE(fs::exists(folder_ / "below" / "file"));
}

TEST_F(MarkedFolder, DoesNotIncludeWhatItsLinksLeadTo) {
  const fs::path outside = parent_.path() / "outside";
  fs::create_directory(outside);
  std::ofstream(outside / "file") << "content";
  fs::create_directory_symlink(outside, folder_ / "link");
  mark_folder(folder_, "submission a");
  EXPECT_TRUE(remove_marked_folder(folder_, "submission a"));
  EXPECT_TRUE(fs::exists(outside / "file"));
}

TEST_F(MarkedFolder, HasItsMarkInAFileNotBehindALink) {
  mark_folder(folder_, "submission a");
  fs::rename(folder_ / ".made-by-heddle", parent_.path() / "mark");
  fs::create_symlink(parent_.path() / "mark", folder_ / ".made-by-heddle");
  EXPECT_FALSE(is_marked_folder(folder_, "submission a"));
}

}  // namespace
}  // namespace heddle
