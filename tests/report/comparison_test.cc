#include <gtest/gtest.h>

#include <functional>
#include <sstream>

#include "report/comparison_report.h"
#include "report/comparison_sentence.h"
#include "report/policy_sentences.h"
#include "report/text_table.h"
#include "tests/lab/contestants.h"

namespace heddle::report {
namespace {

using lab::Comparison;
using lab::contestant;
using lab::figures;
using lab::ordered_json;
using lab::two;
using Names = std::vector<std::string>;

bool includes(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ComparisonReport, MarksTheWinnerAndExplainsIt) {
  const std::string text =
      comparison_report(two(contestant("lrr", {{"k", figures(2000, 20, 900)}}),
                            contestant("gto", {{"k", figures(1500, 60, 400)}})),
                        120);
  EXPECT_TRUE(includes(text, "*  gto")) << text;
  EXPECT_TRUE(includes(text, "1.333")) << text;
  EXPECT_TRUE(includes(text, "gto takes 25.0 % fewer cycles than lrr")) << text;
  EXPECT_TRUE(
      includes(text, "lrr loses 46 % of its issue slots to scoreboard (warps wait for operands in"))
      << text;
  EXPECT_FALSE(includes(text, "\033")) << "no colour codes";
}

TEST(ComparisonReport, HasAKernelTableOnlyWhenWinnersDiffer) {
  const auto fast = figures(1000, 60, 400), slow = figures(2000, 20, 900);
  const std::string differ = comparison_report(two(contestant("lrr", {{"a", fast}, {"b", slow}}),
                                                   contestant("gto", {{"a", slow}, {"b", fast}})),
                                               120);
  EXPECT_TRUE(includes(differ, "cycles by kernel")) << differ;
  const std::string agree = comparison_report(two(contestant("lrr", {{"a", slow}, {"b", slow}}),
                                                  contestant("gto", {{"a", fast}, {"b", fast}})),
                                              120);
  EXPECT_FALSE(includes(agree, "cycles by kernel")) << agree;
}

TEST(ComparisonReport, NamesTheEstimatesThatMayBeAsFastAsTheBest) {
  // gto is the best with 900 to 1,100 cycles.
  const auto text = [](const std::vector<std::pair<std::string, std::uint64_t>>& others) {
    Comparison comparison = two(contestant("gto", {{"k", figures(1000, 60, 400)}}),
                                contestant("srr", {{"k", figures(5000, 60, 400)}}));
    for (const auto& [name, cycles] : others)
      comparison.contestants.push_back(contestant(name, {{"k", figures(cycles, 60, 400)}}));
    for (lab::Contestant& one : comparison.contestants) one.outcome.figures.cycles_bar = 100;
    return comparison_report(comparison, 120);
  };
  EXPECT_TRUE(includes(text({{"lrr", 1201}}), "no error bar reaches that of the best"));
  EXPECT_TRUE(includes(text({{"lrr", 1200}}), "the error bar of lrr reaches that of gto"));
  EXPECT_TRUE(includes(text({{"lrr", 1200}, {"owl", 1100}}),
                       "the error bars of lrr, owl reach that of gto"));
}

TEST(ComparisonReport, StatesThatNothingDiffers) {
  const auto same = figures(1000, 60, 400);
  EXPECT_TRUE(
      includes(comparison_report(
                   two(contestant("lrr", {{"a", same}}), contestant("gto", {{"a", same}})), 120),
               "same number of cycles"));
}

TEST(ComparisonReport, StatesThatNoSchedulerMattersBelowOnePercent) {
  const std::string text = comparison_report(two(contestant("lrr", {{"k", figures(1000, 20, 400)}}),
                                                 contestant("gto", {{"k", figures(995, 20, 395)}})),
                                             120);
  EXPECT_TRUE(includes(text, "No scheduler matters here")) << text;
}

TEST(ComparisonReport, CallsDramBandwidthTheLimitOnlyWhenMostOfItIsUsed) {
  const auto text = [](double bandwidth) {
    auto lrr = figures(1000, 20, 1400), gto = figures(995, 20, 1395);
    for (auto* one : {&lrr, &gto}) (*one)["rates"]["dram_bandwidth"] = bandwidth;
    return comparison_report(two(contestant("lrr", {{"k", lrr}}), contestant("gto", {{"k", gto}})),
                             120);
  };
  EXPECT_TRUE(includes(text(0.9), "DRAM bandwidth is the limit (90 % of it is")) << text(0.9);
  EXPECT_TRUE(includes(text(0.1), "each loses about 57 % of its issue slots")) << text(0.1);
}

TEST(ComparisonReport, FitsRowsIntoTheWidth) {
  auto busy = figures(123456789, 20, 900);
  busy["slots"] = {
      {"issued", 10}, {"instruction_buffer_empty", 400}, {"scoreboard", 300}, {"pipeline", 200}};
  const std::string text =
      comparison_report(two(contestant("lrr", {{"k", busy}}),
                            contestant("youngest", {{"k", figures(100000000, 60, 400)}})),
                        100);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 100) << line;
  EXPECT_TRUE(includes(text, "  buffer empty 44 %\n")) << text;
  EXPECT_TRUE(
      includes(comparison_report(
                   two(contestant("lrr", {{"k", busy}}), contestant("gto", {{"k", busy}})), 120),
               "buffer empty 44 %, scoreboard 33 %\n"));
}

TEST(ComparisonReport, ListsLostSlotsBelowANarrowTable) {
  auto busy = figures(123456789, 20, 900);
  busy["slots"] = {{"issued", 10}, {"instruction_buffer_empty", 400}, {"scoreboard", 300}};
  const std::string text =
      comparison_report(two(contestant("lrr", {{"k", busy}}),
                            contestant("youngest + mapped", {{"k", figures(100000000, 60, 400)}})),
                        80);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 80) << line;
  EXPECT_TRUE(includes(text, "issue slots lost to\n")) << text;
  EXPECT_TRUE(includes(text, "\n    lrr                buffer empty 56 %, scoreboard 42 %\n"))
      << text;
}

TEST(ComparisonSentence, NamesTheThrottlingPolicy) {
  const SchedulerFigures gto{"gto",
                             contestant("gto", {{"k", figures(1000, 20, 400)}}).figures().total};
  auto slots = figures(2000, 20, 400);
  slots["slots"]["throttled"] = 3000;
  const SchedulerFigures srr{"srr", contestant("srr", {{"k", slots}}).figures().total};
  const std::string text = comparison_sentence(gto, srr, {"lrr", "oldest"});
  EXPECT_TRUE(includes(text,
                       "srr loses 67 % of its issue slots to throttled (the policy vetoes issuable "
                       "warps), gto none"))
      << text;
  EXPECT_TRUE(includes(text, "lrr and oldest are within 1 % of gto")) << text;
}

SchedulerFigures with_figures(const std::string& scheduler,
                              const std::function<void(ordered_json&)>& change,
                              std::uint64_t cycles = 1000) {
  ordered_json kernel = figures(cycles, 20, 400);
  change(kernel);
  return {scheduler, contestant(scheduler, {{"k", kernel}}).figures().total};
}

TEST(PolicySentences, StartWithTheTopicsOfTheBetterScheduler) {
  const SchedulerFigures gto = with_figures("gto", [](ordered_json& k) {
    k["l1d"]["hits_same_warp"] = 15, k["l1d"]["hits_other_warp"] = 5,
    k["last_cta_dispatched_at"] = 900;
  });
  const SchedulerFigures lrr = with_figures(
      "lrr",
      [](ordered_json& k) {
        k["l1d"]["hits_same_warp"] = 5, k["l1d"]["hits_other_warp"] = 15,
        k["last_cta_dispatched_at"] = 900;
      },
      2000);
  const Names sentences = policy_sentences(gto, lrr);
  ASSERT_EQ(sentences.size(), 3u);
  EXPECT_EQ(
      sentences[0],
      "More hits are on lines that the warp itself brought in: 15.0 % of L1 accesses under gto, "
      "5.0 % under lrr.");
  EXPECT_TRUE(includes(sentences[1],
                       "The tail is shorter: 100 cycles pass after the last CTA starts under "
                       "gto, 1,100 under lrr"))
      << sentences[1];
  EXPECT_TRUE(includes(sentences[2], "Fewer hits are on lines of other warps, though"))
      << sentences[2];
  EXPECT_EQ(policy_sentences(lrr, gto)[0],
            "More hits are on lines that another warp brought in: 15.0 % of L1 accesses under lrr, "
            "5.0 % under gto.");
}

TEST(PolicySentences, CompareHitsOnLinesOfOtherCtasUnderACtaScheduler) {
  SchedulerFigures rr{"gto", {}}, mapped{"gto + mapped", {}};
  for (SchedulerFigures* one : {&rr, &mapped}) {
    one->figures.l1d.accesses = 100;
    one->figures.ctas.sharing.emplace();
  }
  mapped.figures.ctas.sharing->resident_cta = 20;
  mapped.figures.ctas.sharing->earlier_cta = 5;
  rr.figures.ctas.sharing->resident_cta = 10;
  const auto sentences = policy_sentences(mapped, rr);
  ASSERT_FALSE(sentences.empty());
  EXPECT_EQ(sentences[0],
            "More hits are on lines that another CTA brought in: 25.0 % of L1 accesses under gto + "
            "mapped, 10.0 % under gto.");
}

TEST(PolicySentences, UseTheCountersOfACtaScheduler) {
  const SchedulerFigures rr = with_figures("gto", [](ordered_json&) {});
  const SchedulerFigures lcs = with_figures("gto + lcs:decides=each_sm", [](ordered_json& k) {
    k["policy"] = {{"lcs", {{"decisions", 15}, {"limits_below_maximum", 4}}}};
  });
  EXPECT_EQ(policy_sentences(lcs, rr),
            Names{"gto + lcs:decides=each_sm decided 15 limits of CTAs, 4 of them below what fits "
                  "an SM."});
}

TEST(PolicySentences, AreEmptyWhenNothingDiffers) {
  const SchedulerFigures gto = with_figures("gto", [](ordered_json&) {}),
                         lrr = with_figures("lrr", [](ordered_json&) {});
  EXPECT_TRUE(policy_sentences(gto, lrr).empty());
}

TEST(PolicySentences, UseTheCountersOfPolicies) {
  const SchedulerFigures ccws = with_figures("ccws:k_throttle=16+lrr", [](ordered_json& k) {
    k["policy"] = {{"ccws", {{"lost_locality_hits", 7}, {"vetoed_loads", 3}}}};
  });
  const SchedulerFigures ipaws = with_figures("ipaws", [](ordered_json& k) {
    k["policy"]["ipaws"] = {
        {"phase_cycles", {{"adapt", 20}, {"greedy", 0}, {"recover", 5}, {"round_robin", 75}}},
        {"round_robin_kernels", 2},
        {"greedy_kernels", 0},
        {"decisions", {{{"sm", 1}}}}};
  });
  const Names sentences = policy_sentences(ccws, ipaws);
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_TRUE(includes(sentences[0],
                       "found 7 misses on lines that the warp had lost (7.00 % of L1 accesses); "
                       "for these it vetoed 3 loads"))
      << sentences[0];
  EXPECT_EQ(sentences[1],
            "ipaws chose round robin; its phases adapt and recover took 25.0 % of the time.");
}

TEST(PolicySentences, ReportSaturationAsReservationFailures) {
  const SchedulerFigures swl = with_figures("swl:warps=4", [](ordered_json& k) {
    k["l1d"]["reservation_fails"] = {{"mshr_full", 50}, {"port_busy", 1000}};
  });
  const SchedulerFigures gto = with_figures(
      "gto",
      [](ordered_json& k) {
        k["l1d"]["reservation_fails"] = {{"mshr_full", 300}, {"miss_queue_full", 100}};
      },
      2000);
  const Names sentences = policy_sentences(swl, gto);
  ASSERT_FALSE(sentences.empty());
  EXPECT_TRUE(includes(sentences[0],
                       "Memory is less saturated: 0.50 reservation failures per L1 access under "
                       "swl:warps=4, 4.00 under gto"))
      << sentences[0];
}

TEST(ComparisonReport, NamesWinnersOfKernelsWhenColumnsDoNotFit) {
  Comparison many;
  for (int i = 0; i < 12; ++i)
    many.contestants.push_back(
        contestant("policy-" + std::to_string(i),
                   {{"a", figures(1000000 + 1000u * static_cast<unsigned>(i), 60, 400)},
                    {"b", figures(2000000 - 1000u * static_cast<unsigned>(i), 20, 900)}}));
  const std::string text = comparison_report(many, 100);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 100) << line;
  EXPECT_TRUE(includes(text, "fewest cycles")) << text;
}

TEST(ComparisonReport, GivesTheReasonOfAFailure) {
  lab::Contestant failing = contestant("gto", {{"k", figures(10, 60, 0)}});
  failing.outcome.ending.exit_code = 1;
  const Comparison comparison = two(contestant("lrr", {{"k", figures(2000, 20, 900)}}), failing);
  EXPECT_TRUE(includes(comparison_report(comparison, 120), "gto: FAILED, exit code 1"));
}

}  // namespace
}  // namespace heddle::report
