#include "tests/trace/trace_text.h"

#include <gtest/gtest.h>

#include "tests/error_message.h"
#include "trace/traced_launch.h"

namespace heddle::trace {
namespace {

const Lines kLines{"0000 ffffffff 1 R1 MOV 0 0 ",
                   "0010 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7fb0fc400000 4 ",
                   "0020 00000000 0 BRA 0 0 ", "0030 ffffffff 0 EXIT 0 0 "};

std::string refusal(const std::string& path) {
  return message_of([&] { read_launch(path); }, "");
}

class ReadLaunch : public testing::Test {
 protected:
  std::string text(const std::string& content) {
    return write_file(folder.file("kernel-1.traceg"), content);
  }
  void refuses(const std::string& content, const std::string& reason) {
    const std::string said = refusal(text(content));
    EXPECT_NE(said.find(reason), std::string::npos) << said;
  }

  TemporaryFolder folder;
};

TEST_F(ReadLaunch, AllVersionsAndFilesOfALaunchSayTheSame) {
  const auto check = [](const std::string& path) {
    const auto launch = read_launch(path);
    EXPECT_EQ(launch->warp_instructions(), 4u) << path;
    EXPECT_EQ(launch->thread_instructions(), 96u) << path;
    EXPECT_EQ(launch->kernel()->instructions.size(), 4u) << path;
    EXPECT_EQ(launch->kernel()->registers_per_thread, 12u) << path;
    EXPECT_EQ(launch->kernel()->shared_bytes, 512u) << path;
  };
  const std::vector<std::string> tails{"", "", "", "", "", "0 0 ", "0 0 NoVal "};
  for (int version = 3; version <= 6; ++version) {
    Lines lines = kLines;
    for (std::string& line : lines) line += tails[static_cast<std::size_t>(version)];
    check(text(head(version) + cta("0,0,0\ncluster id = 0,0,0", warp(0, lines))));
  }
  const std::string plain = head(4) + cta("0,0,0", warp(0, kLines));
  check(write_file(folder.file("kernel-1.traceg.xz"), xz(plain)));
  check(write_file(folder.file("kernel-1.tracez"), binary(head(4), kLines)));
}

TEST_F(ReadLaunch, SourceLinesAreThoseOfTheTrace) {
  std::string with = head(5);
  with.replace(with.find("lineinfo = 0"), 12, "lineinfo = 1");
  const auto launch = read_launch(
      text(with + cta("0,0,0",
                      warp(0, {"12 0000 ffffffff 1 R1 MOV 0 0 0", "0 0010 ffffffff 0 EXIT 0 0"}))));
  const TracedKernel& kernel = *launch->kernel();
  EXPECT_EQ(kernel.source_lines.at(kernel.instructions[0].source).line, 12u);
  EXPECT_EQ(kernel.instructions[1].source, 0u);
}

TEST_F(ReadLaunch, RefusesWithThePlace) {
  refuses("", "no 'accelsim tracer version'");
  refuses(head(7), "tracer version 7");
  refuses(head(4), "thread block 0,0,0 is missing");
  refuses(head(4) + cta("1,0,0", ""), "is not in the grid");
  refuses(head(4) + cta("0,0,0", warp(0, kLines)) + cta("0,0,0", ""), "is there twice");
  refuses(head(4) + cta("0,0,0", warp(1, kLines)), "the block has 1 warps");
  refuses(head(4) + "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 2\n" + kLines[0],
          "inside of a thread block");
  refuses(head(4) + cta("0,0,0", "warp = 0\ninsts = 2\n" + kLines[0] + "\n"),
          "has 1 instructions, its head says 2");
  refuses(head(4) + cta("0,0,0", "warp = 0\ninsts = 1\n" + kLines[0] + "\n" + kLines[1] + "\n"),
          "more than the 1 instructions");
  refuses(head(4) + "0000 ffffffff 0 NOP 0 0\n", ":16: an instruction is in no warp");
  refuses(launch_of({"0000 ffffffff 0 FOO 0 0 "}), "the instruction FOO is not known");
  refuses(launch_of({"0000 ffffffff 1 R1 LDG.E 1 R2 4 7 0x0 "}), "kind of addresses");
  refuses(launch_of({"0000 ffffffff 1 R1 LDG.E 1 R2 4 2 0x0 4 "}), "difference is missing");
  refuses(head(4, "(1,1,1)", "(64,1,1)") +
              cta("0,0,0", warp(0, kLines) + warp(1, {"0010 ffffffff 0 EXIT 0 0 "})),
          "begins with another instruction");
}

TEST_F(ReadLaunch, RefusesDamagedBinaryFiles) {
  const std::string good = binary(head(4), kLines);
  for (std::size_t cut = 1; cut < good.size(); cut += 37) {
    const std::string path =
        write_file(folder.file("kernel-1.tracez"), good.substr(0, good.size() - cut));
    EXPECT_NE(refusal(path), "") << cut;
  }
  std::string far = good;
  far[far.size() - 2] = 1;  // the index is beyond the end
  EXPECT_NE(refusal(write_file(folder.file("kernel-1.tracez"), far)), "");
}

}  // namespace
}  // namespace heddle::trace
