// Damaged PTX is refused with a place, or is whole; it never brings the reader down. bench/fuzz_ptx runs the same for longer.
#include <gtest/gtest.h>

#include "fuzz.h"
#include "ptx_text.h"

namespace heddle::ptx {
namespace {

// One kernel that holds many kinds of statements.
const std::string kMany = kHeader +
    ".file 1 \"a.cu\"\n.global .align 4 .u32 g[4] = {1, 2, 3, 4};\n.const .f32 c = 0f3f800000;\n.extern .shared .align 16 .b8 s[];\n"
    ".func (.param .b32 o) f(.param .b32 i) { .reg .b32 %a; ld.param.b32 %a, [i]; st.param.b32 [o], %a; ret; }\n" +
    kernel_text("L: .loc 1 3 4\n mov.u32 %r1, %tid.x; setp.lt.and.s32 %p1|%p2, %r1, 5, !%p3; @%p1 bra L;\n"
                "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r1; call.uni (y), f, (x); ld.param.b32 %r2, [y]; }\n"
                "T: .branchtargets L, M;\n brx.idx %r1, T;\nM: ld.global.v4.f32 {%f1,_,%f2,%f3}, [%rd1+-16];\n vadd4.u32.s32.u32 %r1.b20, %r2.b7654, %r3, %r4;\n"
                "lop3.or.b32 %r1|%p1, %r2, %r3, %r4, 0x80, %p2; cp.async.ca.shared.global [s], [%rd1], 4, %p1;\n"
                "mov.b64 {%r1, %r2}, %rd2; atom.global.add.f32 %f1, [%rd1], 0f3f800000; bar.red.popc.u32 %r1, 0, %p1; exit;")
        .substr(kHeader.size());

std::vector<std::string> texts() { return {program("reduce"), program("sgemm"), program("spmv"), program("vecadd"), kMany, kMany}; }

bool names_a_place(const std::string& message) {
  const std::size_t first = message.find("t.ptx:");
  return first != std::string::npos && first + 6 < message.size() && message[first + 6] >= '1' && message[first + 6] <= '9';
}

TEST(Fuzz, TheStartingTextsAreWhole) {
  for (const std::string& text : texts()) EXPECT_EQ(complaint(text), "");
}

TEST(Fuzz, EveryRefusalNamesItsPlace) {
  Mutator mutator(texts(), 2026);
  int refused = 0;
  for (int round = 0; round < 4000; ++round) {
    const std::string text = mutator.next(), message = complaint(text);
    if (message.empty()) continue;
    ++refused;
    ASSERT_TRUE(names_a_place(message)) << message << "\n" << text;
  }
  EXPECT_GT(refused, 2000);
}

TEST(Fuzz, ASurveyOfDamagedTextFindsTheFirstRefusalToo) {
  Mutator mutator(texts(), 7);
  for (int round = 0; round < 1500; ++round) {
    const std::string text = mutator.next();
    std::vector<std::string> refusals;
    const Module module = Module::survey(text, "t.ptx", refusals);
    try {
      Module::parse(text, "t.ptx");
    } catch (const UserError& first) {
      ASSERT_FALSE(refusals.empty()) << first.what();
    }
    for (const std::string& kernel : module.kernel_names()) {
      try {
        module.lower(kernel, place(module));
      } catch (const UserError&) {
      }
    }
  }
}

TEST(Survey, GoesOnBehindWhatItRefuses) {
  std::vector<std::string> refusals;
  const Module module = Module::survey(kernel_text("setmaxnreg.inc.sync.aligned.u32 64;\nadd.s32 %r1, %r2, 3;\nwmma.load.a %r1;\nbra NOWHERE;"), "t.ptx", refusals);
  ASSERT_EQ(refusals.size(), 3u);
  EXPECT_TRUE(refusals[0].starts_with("t.ptx:10:1: unsupported instruction 'setmaxnreg")) << refusals[0];
  EXPECT_TRUE(refusals[1].starts_with("t.ptx:12:1:")) << refusals[1];
  EXPECT_EQ(module.kernel_names(), std::vector<std::string>{"k"});
}

}  // namespace
}  // namespace heddle::ptx
