#include "lab/figures.h"

#include <gtest/gtest.h>

#include "tests/lab/contestants.h"

namespace heddle::lab {
namespace {

TEST(Figures, PendingHitsAreNotHits) {
  EXPECT_DOUBLE_EQ((CacheFigures{100, 20, 30, 50}.hit_rate()), 0.2);
}

// A failure of the cache itself, and one of a cause that this version does not know, do not count.
TEST(Figures, MemoryFailuresAreThoseOfFullMshrsAndMissQueues) {
  ordered_json launch = figures(10, 1, 2);
  launch["l1d"]["reservation_fails"] = {{"no_replaceable_way", 1}, {"mshr_full", 2},
                                        {"merge_full", 4},         {"miss_queue_full", 8},
                                        {"port_busy", 16},         {"another", 32}};
  const Contestant one = contestant("lrr", {{"a", launch}});
  EXPECT_EQ(one.figures().kernels.at(0).l1d.memory_reservation_fails, 14u);
}

TEST(Figures, LaunchesOfOneKernelAddUp) {
  const Contestant one = contestant("lrr", {{"_Z3runPf", figures(10, 1, 2)},
                                            {"other", figures(1, 1, 1)},
                                            {"_Z3runPf", figures(20, 2, 3)}});
  const auto& kernels = one.figures().kernels;
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].name, "run");
  EXPECT_EQ(kernels[0].launches, 2u);
  EXPECT_EQ(kernels[0].cycles, 30u);
  EXPECT_EQ(kernels[0].slots_of(sm::SlotUse::scoreboard), 5u);
}

// "a" runs from 0 to 100 and from 50 to 150, "b" from 120 to 200.
TEST(Figures, CyclesOfLaunchesThatOverlapCountOnce) {
  ordered_json first = figures(100, 1, 2), second = first, other = figures(80, 1, 2);
  first["start_cycle"] = 0, second["start_cycle"] = 50, other["start_cycle"] = 120;
  first["last_cta_dispatched_at"] = 40, second["last_cta_dispatched_at"] = 10;
  other["last_cta_dispatched_at"] = 0;
  for (ordered_json* launch : {&first, &second})
    (*launch)["energy"] = {{"l2_nj", 5.0}, {"static_nj", 300.0}, {"total_nj", 305.0}};
  Contestant one = contestant("lrr", {{"a", first}, {"a", second}, {"b", other}});
  one.outcome.results["totals"]["cycles"] = 200;
  const RunFigures run = read_figures(one.outcome.results);
  EXPECT_EQ(run.kernels[0].cycles, 150u);
  EXPECT_EQ(run.kernels[0].launch_cycles, 200u);
  EXPECT_EQ(run.kernels[0].ctas.tail_cycles, 110u);  // 40 to 100 and 60 to 150
  EXPECT_DOUBLE_EQ(run.kernels[0].ipc(), 64000.0 / 150);
  EXPECT_DOUBLE_EQ(run.kernels[0].energy.parts_nj[1].second, 450);  // 3 nJ a cycle
  EXPECT_DOUBLE_EQ(run.kernels[0].energy.total_nj, 460);
  EXPECT_EQ(run.kernels[1].cycles, 80u);
  EXPECT_EQ(run.total.cycles, 200u);
  EXPECT_EQ(run.total.launch_cycles, 280u);
  EXPECT_EQ(run.total.ctas.tail_cycles, 160u);
  EXPECT_TRUE(run.total.overlap());
  EXPECT_FALSE(run.kernels[1].overlap());
}

TEST(Figures, LaunchesThatWereNotTimedAreLeftOut) {
  ordered_json timed = figures(10, 1, 2), functional = figures(20, 1, 2), totals = timed;
  timed["name"] = "a", timed["simulated"] = "timed";
  functional["name"] = "b", functional["simulated"] = "functional";
  totals["simulated"] = {{"timed", 1}, {"truncated", 0}, {"functional", 1}, {"timed_share", 0.5}};
  const ordered_json results{{"totals", totals}, {"kernels", {timed, functional}}};
  const RunFigures run = read_figures(results);
  ASSERT_EQ(run.kernels.size(), 1u);
  EXPECT_EQ(run.kernels[0].name, "a");
  EXPECT_EQ(run.functional_launches, 1u);
  EXPECT_DOUBLE_EQ(run.timed_share, 0.5);
  EXPECT_EQ(included_results(results).at("kernels").size(), 1u);
}

TEST(Figures, MeansAreWeightedByCycles) {
  ordered_json one = figures(100, 1, 2), other = figures(300, 1, 2);
  one["rates"]["resident_warps"] = 8.0;
  other["rates"]["resident_warps"] = 16.0;
  const auto run = contestant("lrr", {{"a", one}, {"a", other}}).figures();
  EXPECT_DOUBLE_EQ(run.kernels[0].resident.warps.value(), 14.0);
}

TEST(Figures, LostSlotsAreSortedByCount) {
  const auto lost = lost_slots(contestant("lrr", {{"a", figures(10, 1, 900)}}).figures().total);
  ASSERT_EQ(lost.size(), 2u);
  EXPECT_EQ(lost[0].first, sm::SlotUse::scoreboard);
  EXPECT_EQ(lost[1].first, sm::SlotUse::idle);
}

}  // namespace
}  // namespace heddle::lab
