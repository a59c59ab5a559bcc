// Instructions of several threads, as `heddle check` sees them.
#include <gtest/gtest.h>

#include "exec/check/checker.h"
#include "ptx/module.h"
#include "tests/exec/builder.h"

namespace heddle::exec::test {
namespace {

// The note of the first finding when 16 lanes of a warp execute a shuffle; the others wait.
std::string shuffle_note(bool upper_half, const std::string& shuffle) {
  const config::CheckSpec spec{.enabled = true};
  Bench bench;
  Checker checker{spec, bench.memory};
  const ptx::Module module = ptx::Module::parse(
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() {\n"
      ".reg .pred %p; .reg .b32 %l, %r;\n"
      "mov.u32 %l, %laneid; setp." +
          std::string(upper_half ? "lt" : "ge") + ".u32 %p, %l, 16; @%p bra END;\nshfl.sync." +
          shuffle + ", " + (upper_half ? "0xffff0000" : "0xffff") +
          ";\nEND: bar.warp.sync -1; ret;\n}\n",
      "shuffle.ptx");
  const ptx::Kernel kernel = module.lower("k", {});
  run_functionally(bench.launch(kernel, {1, 1, 1}, {32, 1, 1}), bench.memory, {}, nullptr,
                   &checker);
  return checker.findings().empty() ? "" : checker.findings().front().note;
}

TEST(CtaCheck, AShuffleReadsFromALaneOfItsSegmentThatExecutesIt) {
  const auto lower = [](const std::string& shuffle) { return shuffle_note(false, shuffle); };
  const auto upper = [](const std::string& shuffle) { return shuffle_note(true, shuffle); };
  // 0x1800 makes segments of 8 lanes; the last five bits are the clamp.
  EXPECT_EQ(upper("up.b32 %r, %l, 1, 0"), "it reads from lane 15");
  EXPECT_EQ(upper("up.b32 %r, %l, 1, 0x1800"), "");
  EXPECT_EQ(lower("up.b32 %r, %l, 1, 0"), "");
  EXPECT_EQ(lower("down.b32 %r, %l, 1, 31"), "it reads from lane 16");
  EXPECT_EQ(lower("down.b32 %r, %l, 1, 0x181f"), "");
  EXPECT_EQ(lower("down.b32 %r, %l, 1, 15"), "");
  EXPECT_EQ(lower("bfly.b32 %r, %l, 16, 31"), "it reads from lane 16");
  EXPECT_EQ(upper("bfly.b32 %r, %l, 16, 31"), "it reads from lane 0");
  EXPECT_EQ(lower("bfly.b32 %r, %l, 16, 15"), "");
  EXPECT_EQ(lower("idx.b32 %r, %l, 20, 31"), "it reads from lane 20");
  EXPECT_EQ(lower("idx.b32 %r, %l, 20, 0x181f"), "");
  EXPECT_EQ(lower("idx.b32 %r, %l, 20, 19"), "");
}

}  // namespace
}  // namespace heddle::exec::test
