// Code for targets before sm_70: each branch executes its warp-synchronous instruction alone, and a
// warning names the place.
#include <gtest/gtest.h>

#include "ptx/module.h"
#include "tests/exec/stepping.h"

namespace heddle::exec::test {
namespace {

struct Result {
  std::vector<std::uint32_t> words;
  std::vector<LaunchWarning> warnings;
};

// A shuffle with this member mask in both branches, which halves of two warps take.
Result shuffle_in_branches(const std::string& target, const std::string& mask, bool by_steps) {
  const ptx::Module module = ptx::Module::parse(
      ".version 8.0\n.target " + target +
          "\n.address_size 64\n.visible .entry k(.param .u64 out) {\n.reg .pred %p; .reg .b32 "
          "%r<9>; .reg .b64 %rd<9>;\nmov.u32 %r1, %tid.x; ld.param.u64 %rd1, [out]; mul.wide.u32 "
          "%rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2; and.b32 %r2, %r1, 16; setp.eq.u32 %p, %r2, "
          "0; selp.b32 %r4, 0xffff, 0xffff0000, %p;\n@%p bra LOW;\nshfl.sync.bfly.b32 %r3, %r1, "
          "16, 31, " +
          mask + ";\nbra END;\nLOW: shfl.sync.bfly.b32 %r3, %r1, 16, 31, " + mask +
          ";\nEND: st.global.u32 [%rd1], %r3;\nret;\n}\n",
      "branches.ptx");
  const ptx::Kernel kernel = module.lower("k", {});
  Bench bench;
  const Address out = bench.array(std::vector<std::uint32_t>(64));
  DeviceServices services;
  Launch launch = bench.launch(kernel, {1, 1, 1}, {64, 1, 1});
  launch.services = &services;
  if (by_steps)
    run_by_steps(launch, bench.memory);
  else
    run_functionally(launch, bench.memory, {});
  return {bench.read<std::uint32_t>(out, 64), services.warnings};
}

class LoneLanes : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Sources, LoneLanes, testing::Bool(),
                         [](const auto& how) { return how.param ? "steps" : "functional"; });

TEST_P(LoneLanes, AreReportedOncePerPlaceBeforeSm70) {
  const Result result = shuffle_in_branches("sm_60", "-1", GetParam());
  for (std::uint32_t t = 0; t < 64; ++t) EXPECT_EQ(result.words[t], 0u) << t;
  ASSERT_EQ(result.warnings.size(), 1u);
  const std::string& text = result.warnings[0].text;
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "heddle: warning: each branch executes shfl.sync alone: its target has no independent "
            "thread scheduling");
  EXPECT_NE(text.find("k  (branches.ptx:10)"), std::string::npos) << text;
  EXPECT_NE(text.find("0x0000ffff execute it without lanes 0xffff0000"), std::string::npos) << text;
}

TEST_P(LoneLanes, AreThoseThatNameOthersOnly) {
  EXPECT_TRUE(shuffle_in_branches("sm_60", "%r4", GetParam()).warnings.empty());
}

TEST_P(LoneLanes, DoNotExistFromSm70On) {
  const Result result = shuffle_in_branches("sm_70", "-1", GetParam());
  for (std::uint32_t t = 0; t < 64; ++t) EXPECT_EQ(result.words[t], t ^ 16) << t;
  EXPECT_TRUE(result.warnings.empty());
}

}  // namespace
}  // namespace heddle::exec::test
