#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/diagnostics.h"
#include "lab/arguments.h"
#include "lab/compare.h"
#include "lab/comparison_report.h"
#include "lab/explanation.h"
#include "lab/facts.h"
#include "lab/text_table.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;
using Names = std::vector<std::string>;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

ordered_json figures(std::uint64_t cycles, std::uint64_t hits, std::uint64_t scoreboard) {
  return {{"cycles", cycles},
          {"thread_instructions", 32000},
          {"warp_instructions", 1000},
          {"l1d", {{"accesses", 100}, {"hits", hits}, {"pending_hits", 0}, {"misses", 100 - hits}}},
          {"dram", {{"reads", 1000 - 5 * hits}, {"writes", 0}, {"row_hits", 100}}},
          {"slots", {{"issued", 1000}, {"idle", 50}, {"scoreboard", scoreboard}}}};
}

Contestant contestant(const std::string& scheduler,
                      const std::vector<std::pair<std::string, ordered_json>>& kernels) {
  Contestant result;
  result.scheduler = scheduler;
  result.output = "PASS\n";
  ordered_json totals = kernels[0].second;
  std::uint64_t cycles = 0;
  for (const auto& [name, values] : kernels) {
    ordered_json kernel = values;
    kernel["name"] = name;
    cycles += values["cycles"].get<std::uint64_t>();
    result.outcome.results["kernels"].push_back(kernel);
  }
  totals["cycles"] = cycles;
  result.outcome.results["totals"] = totals;
  return result;
}

Comparison two(const Contestant& first, const Contestant& second) {
  Comparison comparison;
  comparison.contestants = {first, second};
  return comparison;
}

TEST(SplitSchedulers, KeepsParametersWithTheirPolicy) {
  EXPECT_EQ(split_schedulers("lrr,gto"), (Names{"lrr", "gto"}));
  EXPECT_EQ(split_schedulers("ccws:k=8,base=100,gto"), (Names{"ccws:k=8,base=100", "gto"}));
  EXPECT_EQ(split_schedulers("lrr, swl:warps=4+lrr"), (Names{"lrr", "swl:warps=4+lrr"}));
}

TEST(SplitSchedulers, AllNamesTheWholeCatalogue) {
  const Names all = split_schedulers("all");
  EXPECT_NE(std::find(all.begin(), all.end(), "gto"), all.end());
  EXPECT_NE(std::find(all.begin(), all.end(), "lrr"), all.end());
}

TEST(SplitSchedulers, RefusesDoublesAndEmptyNames) {
  EXPECT_THROW(split_schedulers("lrr,lrr"), UserError);
  EXPECT_THROW(split_schedulers("lrr,,gto"), UserError);
}

TEST(Winner, IsTheOneWithTheFewestCycles) {
  const Comparison comparison = two(contestant("lrr", {{"k", figures(2000, 20, 900)}}),
                                    contestant("gto", {{"k", figures(1500, 60, 400)}}));
  EXPECT_EQ(comparison.best()->scheduler, "gto");
  EXPECT_EQ(comparison.worst()->scheduler, "lrr");
  EXPECT_FALSE(comparison.failed());
}

TEST(Winner, CannotBeAProgramThatFailed) {
  Contestant failing = contestant("gto", {{"k", figures(10, 60, 0)}});
  failing.outcome.ending.exit_code = 1;
  const Comparison comparison = two(contestant("lrr", {{"k", figures(2000, 20, 900)}}), failing);
  EXPECT_EQ(comparison.best()->scheduler, "lrr");
  EXPECT_TRUE(comparison.failed());
  EXPECT_TRUE(contains(comparison_report(comparison, 120), "gto: FAILED, exit code 1"));
}

TEST(Report, MarksTheWinnerAndExplainsIt) {
  const std::string text =
      comparison_report(two(contestant("lrr", {{"k", figures(2000, 20, 900)}}),
                            contestant("gto", {{"k", figures(1500, 60, 400)}})),
                        120);
  EXPECT_TRUE(contains(text, "*  gto")) << text;
  EXPECT_TRUE(contains(text, "1.333")) << text;
  EXPECT_TRUE(contains(text, "gto takes 25.0 % fewer cycles than lrr")) << text;
  EXPECT_TRUE(contains(
      text, "lrr loses 46 % of its issue slots to the scoreboard (operands still in flight)"))
      << text;
  EXPECT_FALSE(contains(text, "\033")) << "no colour codes";
}

TEST(Report, ShowsKernelsOnlyWhereTheWinnersDiffer) {
  const auto fast = figures(1000, 60, 400), slow = figures(2000, 20, 900);
  const std::string differ = comparison_report(two(contestant("lrr", {{"a", fast}, {"b", slow}}),
                                                   contestant("gto", {{"a", slow}, {"b", fast}})),
                                               120);
  EXPECT_TRUE(contains(differ, "cycles by kernel")) << differ;
  const std::string agree = comparison_report(two(contestant("lrr", {{"a", slow}, {"b", slow}}),
                                                  contestant("gto", {{"a", fast}, {"b", fast}})),
                                              120);
  EXPECT_FALSE(contains(agree, "cycles by kernel")) << agree;
}

TEST(Report, SaysSoWhenNothingDiffers) {
  const auto same = figures(1000, 60, 400);
  EXPECT_TRUE(
      contains(comparison_report(
                   two(contestant("lrr", {{"a", same}}), contestant("gto", {{"a", same}})), 120),
               "same number of cycles"));
}

TEST(Report, SaysThatNoSchedulerMattersBelowOnePercent) {
  const std::string text = comparison_report(two(contestant("lrr", {{"k", figures(1000, 20, 400)}}),
                                                 contestant("gto", {{"k", figures(995, 20, 395)}})),
                                             120);
  EXPECT_TRUE(contains(text, "No scheduler matters here")) << text;
}

TEST(Report, KeepsEveryRowOnOneLineOfAHundredColumns) {
  auto busy = figures(123456789, 20, 900);
  busy["slots"] = {
      {"issued", 10}, {"instruction_buffer_empty", 400}, {"scoreboard", 300}, {"pipeline", 200}};
  const std::string text =
      comparison_report(two(contestant("lrr", {{"k", busy}}),
                            contestant("youngest", {{"k", figures(100000000, 60, 400)}})),
                        100);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 100) << line;
  EXPECT_TRUE(contains(text, "  buffer empty 44 %\n")) << text;
  EXPECT_TRUE(
      contains(comparison_report(
                   two(contestant("lrr", {{"k", busy}}), contestant("gto", {{"k", busy}})), 120),
               "buffer empty 44 %, scoreboard 33 %\n"));
}

TEST(Explanation, CallsThrottlingWhatItIs) {
  const Named gto{"gto",
                  total_facts(contestant("gto", {{"k", figures(1000, 20, 400)}}).outcome.results)};
  auto slots = figures(2000, 20, 400);
  slots["slots"]["throttled"] = 3000;
  const Named srr{"srr", total_facts(contestant("srr", {{"k", slots}}).outcome.results)};
  const std::string text = explain(gto, srr, {"lrr", "oldest"});
  EXPECT_TRUE(contains(text,
                       "srr loses 67 % of its issue slots to throttling (a warp could issue but "
                       "the policy held it back), gto none"))
      << text;
  EXPECT_TRUE(contains(text, "lrr and oldest are within 1 % of gto")) << text;
}

Named named(const std::string& scheduler, const std::function<void(ordered_json&)>& change,
            std::uint64_t cycles = 1000) {
  ordered_json kernel = figures(cycles, 20, 400);
  change(kernel);
  return {scheduler, total_facts(contestant(scheduler, {{"k", kernel}}).outcome.results)};
}

TEST(Arguments, ThoseOfTheWinnerComeFirst) {
  const Named gto = named("gto", [](ordered_json& k) {
    k["l1d"]["hits_same_warp"] = 15, k["l1d"]["hits_other_warp"] = 5,
    k["last_cta_dispatched_at"] = 900;
  });
  const Named lrr = named(
      "lrr",
      [](ordered_json& k) {
        k["l1d"]["hits_same_warp"] = 5, k["l1d"]["hits_other_warp"] = 15,
        k["last_cta_dispatched_at"] = 900;
      },
      2000);
  const Names said = arguments(gto, lrr);
  ASSERT_EQ(said.size(), 3u);
  EXPECT_EQ(said[0],
            "Warps find more of their own lines still in the L1: 15.0 % of L1 accesses under gto, "
            "5.0 % under lrr.");
  EXPECT_TRUE(contains(said[1],
                       "The tail is shorter: 100 cycles pass after the last CTA's dispatch under "
                       "gto, 1,100 under lrr"))
      << said[1];
  EXPECT_TRUE(contains(said[2], "in spite of fewer hits on other warps' lines")) << said[2];
  EXPECT_EQ(arguments(lrr, gto)[0],
            "Warps meet on lines that another brought in: 15.0 % of L1 accesses under lrr, 5.0 % "
            "under gto.");
}

TEST(Arguments, SayNothingWhereNothingDiffers) {
  const Named gto = named("gto", [](ordered_json&) {}), lrr = named("lrr", [](ordered_json&) {});
  EXPECT_TRUE(arguments(gto, lrr).empty());
}

TEST(Arguments, UseWhatThePolicyCounted) {
  const Named ccws = named("ccws:k_throttle=16+lrr", [](ordered_json& k) {
    k["policy"] = {{"ccws", {{"lost_locality_hits", 7}, {"vetoed_loads", 3}}}};
  });
  const Named ipaws = named("ipaws", [](ordered_json& k) {
    k["policy"]["ipaws"] = {
        {"phase_cycles", {{"adapt", 20}, {"greedy", 0}, {"recover", 5}, {"round_robin", 75}}},
        {"round_robin_kernels", 2},
        {"greedy_kernels", 0},
        {"decisions", {{{"sm", 1}}}}};
  });
  const Names said = arguments(ccws, ipaws);
  ASSERT_EQ(said.size(), 2u);
  EXPECT_TRUE(contains(said[0],
                       "caught 7 misses on lines that the warp had lost (7.00 % of L1 accesses), "
                       "for which it held 3 loads back"))
      << said[0];
  EXPECT_EQ(said[1], "ipaws chose round robin; adapting and recovering took 25.0 % of its time.");
}

TEST(Arguments, CallSaturationByItsCause) {
  const Named swl = named("swl:warps=4", [](ordered_json& k) {
    k["l1d"]["reservation_fails"] = {{"mshr_full", 50}, {"port_busy", 1000}};
  });
  const Named gto = named(
      "gto",
      [](ordered_json& k) {
        k["l1d"]["reservation_fails"] = {{"mshr_full", 300}, {"miss_queue_full", 100}};
      },
      2000);
  const Names said = arguments(swl, gto);
  ASSERT_FALSE(said.empty());
  EXPECT_TRUE(contains(said[0],
                       "Memory is less saturated: for want of MSHRs or places in the miss queue "
                       "the L1 turns 0.50 tries away per access under "
                       "swl:warps=4, 4.00 under gto"))
      << said[0];
}

TEST(Report, NamesWinnersOfKernelsWhereManySchedulersHaveNoRoom) {
  Comparison many;
  for (int i = 0; i < 12; ++i)
    many.contestants.push_back(
        contestant("policy-" + std::to_string(i),
                   {{"a", figures(1000000 + 1000u * static_cast<unsigned>(i), 60, 400)},
                    {"b", figures(2000000 - 1000u * static_cast<unsigned>(i), 20, 900)}}));
  const std::string text = comparison_report(many, 100);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 100) << line;
  EXPECT_TRUE(contains(text, "fewest cycles")) << text;
}

TEST(Facts, AnAccessThatWaitedForMemoryIsNoHit) {
  EXPECT_DOUBLE_EQ((HitCounts{100, 20, 30, 50}.hit_rate()), 0.2);
}

TEST(Facts, LaunchesOfOneKernelAddUp) {
  const Contestant one = contestant("lrr", {{"_Z3runPf", figures(10, 1, 2)},
                                            {"other", figures(1, 1, 1)},
                                            {"_Z3runPf", figures(20, 2, 3)}});
  const auto kernels = kernel_facts(one.outcome.results);
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].name, "run");
  EXPECT_EQ(kernels[0].launches, 2u);
  EXPECT_EQ(kernels[0].cycles, 30u);
  EXPECT_EQ(kernels[0].slots_of("scoreboard"), 5u);
}

}  // namespace
}  // namespace heddle::lab
