#include <gtest/gtest.h>

#include "ptx_text.h"

namespace heddle::ptx {
namespace {

std::vector<std::uint32_t> groups_of(const std::string& body) {
  std::vector<std::uint32_t> groups;
  for (const Loop& loop : lower_body(body).loops) groups.push_back(loop.marked_group);
  return groups;
}
using Groups = std::vector<std::uint32_t>;

std::string loop(const std::string& name, const std::string& inside = "") {
  return name + ":\n" + inside + "\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, %r2;\n@%p1 bra " +
         name + ";\n";
}
std::string begin(int warps) {
  return ".pragma \"heddle_ps_begin " + std::to_string(warps) + "\";\n";
}
const std::string kEnd = ".pragma \"heddle_ps_end\";\n";

}  // namespace

TEST(LoopMarks, BeginAndEndMarkTheLoopsBetweenThem) {
  EXPECT_EQ(groups_of(loop("A") + begin(4) + loop("B") + loop("C") + kEnd + loop("D") + "ret;"),
            (Groups{0, 4, 4, 0}));
}

TEST(LoopMarks, AnInnerPairDecidesAndOtherInnerLoopsHaveTheMarkOfTheOuterLoop) {
  const std::string inner = "mov.u32 %r3, 0;\n" + begin(2) + loop("B") + kEnd + loop("C");
  EXPECT_EQ(groups_of(begin(8) + loop("A", inner) + kEnd + "ret;"), (Groups{8, 2, 8}));
  EXPECT_EQ(groups_of(loop("A", inner) + "ret;"), (Groups{0, 2, 0}));
}

TEST(LoopMarks, AnEndMayBeMissingWhereThePathReturns) {
  EXPECT_EQ(groups_of(begin(4) + loop("A") + "ret;"), (Groups{4}));
}

TEST(LoopMarks, AnEarlyExitEndsTheInnerPair) {
  const std::string inner = "mov.u32 %r3, 0;\n" + begin(2) +
                            loop("B", "setp.eq.u32 %p2, %r1, %r3;\n@%p2 bra OUT;") + kEnd;
  EXPECT_EQ(groups_of(begin(8) + loop("A", inner) + "OUT:\n" + kEnd + loop("C") + "ret;"),
            (Groups{8, 2, 0}));
}

TEST(LoopMarks, AGuardMayStandBetweenTheBeginAndTheLoop) {
  EXPECT_EQ(
      groups_of(begin(4) + "@%p3 bra OUT;\n" + loop("A") + "OUT:\n" + kEnd + loop("B") + "ret;"),
      (Groups{4, 0}));
}

TEST(LoopMarks, ALabelOfADebuggerIsNoBranchTarget) {
  EXPECT_EQ(groups_of("$L__tmp1:\n" + begin(4) + loop("A") + kEnd + "ret;"), (Groups{4}));
  EXPECT_EQ(groups_of("bra T;\nT:\n" + begin(4) + "$L__tmp1:\n" + loop("A") + kEnd + "ret;"),
            (Groups{4}));
}

TEST(LoopMarks, APragmaAfterTheHeadersLabelMarksThatLoop) {
  const std::string mark = ".pragma \"heddle_ps_loop 6\";\n";
  EXPECT_EQ(groups_of(loop("A", mark + "mov.u32 %r3, 0;\n" + loop("B")) + loop("C") + "ret;"),
            (Groups{6, 6, 0}));
  EXPECT_EQ(groups_of(loop("A", ".pragma \"nounroll\", \"heddle_ps_loop 6\";\n") + "ret;"),
            (Groups{6}));
}

TEST(LoopMarks, AMistakeIsReportedWithItsPlace) {
  const auto check = [](const std::string& body, const std::string& message) {
    EXPECT_NE(body_complaint(body).find(message), std::string::npos) << body_complaint(body);
  };
  check(begin(4) + kEnd + loop("A") + "ret;", "t.ptx:10:9: 'heddle_ps_begin' marks no loop");
  check("@%p1 bra A;\n" + begin(4) + loop("A") + "ret;", "t.ptx:11:9: 'heddle_ps_begin' marks no");
  check(kEnd + loop("A") + "ret;", "t.ptx:10:9: 'heddle_ps_end' ends no heddle_ps_begin");
  check(loop("A") + kEnd + "ret;", "'heddle_ps_end' ends no heddle_ps_begin");
  check(".pragma \"heddle_ps_loop 4\";\n" + loop("A") + "ret;",
        "'heddle_ps_loop' does not follow the label of a loop's header");
  check(".pragma \"heddle_ps_begin\";\n" + loop("A"), "a group of warps has 1 to 1048576 warps");
  check(".pragma \"heddle_ps_begin 0\";\n" + loop("A"), "not '0'");
  check(".pragma \"heddle_ps_end 3\";\n" + loop("A"), "takes no number");
  check(".pragma \"heddle_ps_start 3\";\n" + loop("A"), "unknown pragma 'heddle_ps_start'");
  check(".pragma \"heddle_cta_direction z\";\nret;", "takes x, y, none or auto, not 'z'");
  EXPECT_NE(complaint(kHeader + ".pragma \"heddle_ps_end\";").find("belongs in the body"),
            std::string::npos);
  EXPECT_NE(complaint(kHeader + ".pragma \"heddle_cta_direction x\";").find("belongs to a kernel"),
            std::string::npos);
}

TEST(LoopMarks, TheMistakesMessageNamesTheCudaLine) {
  const std::string text =
      kHeader + ".visible .entry k() {\n.loc 1 7 3\n" + begin(4) + "ret;\n}\n.file 1 \"k.cu\"\n";
  EXPECT_NE(complaint(text).find("t.ptx:6:9:"), std::string::npos) << complaint(text);
  EXPECT_NE(complaint(text).find("(k.cu:7)"), std::string::npos) << complaint(text);
}

TEST(CtaDirectionHint, IsADirectiveOfTheKernelOrStandsInItsBody) {
  const auto hint = [](const std::string& directive, const std::string& body) {
    return lower_text(kHeader + ".visible .entry k()\n" + directive + "{" + body + "ret;\n}\n")
        .cta_direction_hint;
  };
  EXPECT_EQ(hint("", ""), CtaDirectionHint::absent);
  EXPECT_EQ(hint(".pragma \"heddle_cta_direction x\";\n", ""), CtaDirectionHint::x);
  EXPECT_EQ(hint("", ".pragma \"heddle_cta_direction y\";\n"), CtaDirectionHint::y);
  EXPECT_EQ(hint(".pragma \"heddle_cta_direction none\";\n", ""), CtaDirectionHint::none);
  EXPECT_EQ(hint(".pragma \"heddle_cta_direction auto\";\n", ""), CtaDirectionHint::automatic);
}

}  // namespace heddle::ptx
