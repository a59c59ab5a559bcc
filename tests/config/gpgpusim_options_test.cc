#include "config/gpgpusim_options.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/temporary_folder.h"

namespace heddle::config {
namespace {

class GpgpuSimFiles : public ::testing::Test {
 protected:
  std::string write(const std::string& text) {
    std::ofstream(folder_.file("file")) << text;
    return folder_.file("file");
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(GpgpuSimFiles, AnOptionHasOneWordAndTheLastOneCounts) {
  const GpgpuSimOptions options = read_gpgpu_sim_options(write("# -a 1\n-b 2 # 3\n-c -4\n-b 5\n"));
  ASSERT_EQ(options.size(), 2u);
  EXPECT_EQ(options.at("-b").text, "5");
  EXPECT_EQ(options.at("-b").where.line, 4);
  EXPECT_EQ(options.at("-c").text, "-4") << "a value may begin with a minus";
}

TEST_F(GpgpuSimFiles, QuotesJoinWordsAndLines) {
  const GpgpuSimOptions options = read_gpgpu_sim_options(write("-a \"x:\n  y:\n z\" -b \"w\"\n"));
  EXPECT_EQ(options.at("-a").text, "x:y:z");
  EXPECT_EQ(options.at("-a").where.line, 1);
  EXPECT_EQ(options.at("-b").text, "w");
}

TEST_F(GpgpuSimFiles, LinesOfANetworkNameValues) {
  const GpgpuSimOptions options =
      read_intersim_options(write("// k = 1;\n  k = 27; // of\nrate = {1,2};\nnothing\n"));
  ASSERT_EQ(options.size(), 2u);
  EXPECT_EQ(options.at("k").text, "27");
  EXPECT_EQ(options.at("k").where.line, 2);
  EXPECT_EQ(options.at("rate").text, "{1,2}");
}

TEST(Split, KeepsEmptyParts) {
  EXPECT_EQ(split("a:b,c", ":,"), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(split(":", ":"), (std::vector<std::string>{"", ""}));
  EXPECT_EQ(split("", ":"), (std::vector<std::string>{""}));
}

TEST_F(GpgpuSimFiles, SlashesBeginAComment) {
  const GpgpuSimOptions options =
      read_gpgpu_sim_options(write("// -a 1\n  //-b 2\n-c http://d # e\n"));
  ASSERT_EQ(options.size(), 1u);
  EXPECT_EQ(options.at("-c").text, "http://d");
}

TEST_F(GpgpuSimFiles, AreRecognisedByTheirFirstLine) {
  const auto kind = [&](const std::string& text) { return gpgpu_sim_file(write(text)); };
  EXPECT_EQ(kind("# comment\n\n  -gpgpu_n_clusters 15\n"), GpgpuSimFile::options);
  EXPECT_EQ(kind("// comment\n-power_simulation_enabled 0\n"), GpgpuSimFile::options);
  EXPECT_EQ(kind("-trace_a 1\n-gpgpu_n_mem 6\n"), GpgpuSimFile::options);
  EXPECT_EQ(kind("-trace_a 4,1\n-specialized_unit_1 1,4\n"), GpgpuSimFile::trace_options);
  EXPECT_EQ(kind("//52*1 fly\n\nuse_map = 0;\n"), GpgpuSimFile::network);
  EXPECT_EQ(kind("flit_size   = 32; // bytes\n"), GpgpuSimFile::network);
  for (const char* other : {"", "# -gpgpu_n_mem 6\n", "base = \"gtx480\"\n", "- 1\n", "-1 = 2\n",
                            "clusters = 15 # = ;\n", "a;b = c\n"})
    EXPECT_EQ(kind(other), GpgpuSimFile::other) << other;
}

}  // namespace
}  // namespace heddle::config
