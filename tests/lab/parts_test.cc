#include "lab/parts/parts.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/diagnostics.h"
#include "base/temporary_folder.h"

namespace heddle::lab {
namespace {

TEST(RunInParts, RefusesWhatPartsDoNotHave) {
  const TemporaryFolder folder;
  const auto refuses = [&](auto change) {
    PartsRequest request;
    request.run.program = {"/bin/true"};
    request.parts = 2;
    request.folder = folder.file("parts");
    change(request.run);
    EXPECT_THROW(run_in_parts(request, {}, ""), UserError);
    EXPECT_FALSE(std::filesystem::exists(request.folder));
  };
  refuses([](RunRequest& r) { r.functional = true; });
  refuses([](RunRequest& r) { r.timed.skip = 1; });
  refuses([](RunRequest& r) { r.timed.limit_cycles = 1; });
  refuses([](RunRequest& r) { r.from_launch = 2; });
  refuses([](RunRequest& r) { r.watch.details = true; });
  refuses([](RunRequest& r) { r.watch.interval = 100; });
  refuses([](RunRequest& r) { r.watch.timeline_path = "t"; });
  refuses([](RunRequest& r) { r.warp_logs.push_back({}); });
  refuses([](RunRequest& r) { r.threads = 2; });
  refuses([](RunRequest& r) { r.scheduler = "swl:best"; });
}

// A folder of the user's stays as it is.
TEST(RunInParts, RefusesAFolderOfOthers) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("parts"));
  std::ofstream(folder.file("parts/mine")) << "text";
  PartsRequest request;
  request.run.program = {"/bin/true"};
  request.folder = folder.file("parts");
  EXPECT_THROW(run_in_parts(request, {}, ""), UserError);
  EXPECT_TRUE(std::filesystem::exists(folder.file("parts/mine")));
}

}  // namespace
}  // namespace heddle::lab
