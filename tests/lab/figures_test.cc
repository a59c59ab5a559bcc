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

// All that launches count, and the sums and weights of means.
std::vector<double> counted(const KernelFigures& k) {
  std::vector<double> all;
  const auto count = [&](auto... counters) { (all.push_back(static_cast<double>(counters)), ...); };
  const auto mean = [&](const auto&... means) { (count(means.sum, means.weight), ...); };
  count(k.launches, k.cycles, k.thread_instructions, k.warp_instructions);
  for (const CacheFigures& c : {k.l1d, k.l2})
    count(c.accesses, c.hits, c.pending_hits, c.misses, c.hits_same_warp, c.hits_other_warp,
          c.memory_reservation_fails);
  count(k.dram.reads, k.dram.writes, k.dram.row_hits);
  mean(k.dram.bank_parallelism, k.dram.bandwidth);
  count(k.coalescing.accesses, k.coalescing.instructions);
  count(k.ctas.count, k.ctas.cycles, k.ctas.last_cycles);
  count(k.resident.sm_cycles, k.resident.warp_cycles);
  mean(k.resident.warps, k.lanes_per_instruction);
  const ReadTimeFigures& r = k.read_time;
  mean(r.all, r.network_down, r.l2, r.dram_queue, r.dram, r.network_up);
  count(k.energy.total_nj, k.energy.parts_nj.at(0).second);
  return all;
}

TEST(Figures, EveryCounterOfTwoEqualLaunchesIsTwiceThatOfOne) {
  ordered_json launch = figures(10, 1, 2);
  for (const char* cache : {"l1d", "l2"})
    launch[cache] = {{"accesses", 9},
                     {"hits", 3},
                     {"pending_hits", 2},
                     {"misses", 4},
                     {"hits_same_warp", 1},
                     {"hits_other_warp", 2},
                     {"reservation_fails", {{"mshr_full", 5}}}};
  launch["dram"]["writes"] = 6;
  launch["sm"] = {{"cycles", 8},
                  {"resident_warp_cycles", 21},
                  {"coalesced_accesses", 7},
                  {"accesses_per_instruction", {1, 2}}};
  launch["ctas"] = {{"count", 4}, {"mean_cycles", 2.5}, {"last_cycles", 3}};
  launch["rates"] = {{"dram_bank_parallelism", 2.0},
                     {"dram_bandwidth", 0.5},
                     {"resident_warps", 11.0},
                     {"lanes_per_instruction", 32.0}};
  launch["read_time"] = {{"mean", 90.0},       {"network_down", 8.0}, {"l2", 30.0},
                         {"dram_queue", 12.0}, {"dram", 33.0},        {"network_up", 7.0}};
  launch["energy"] = {{"l2_nj", 5.0}, {"total_nj", 5.0}};
  const std::vector<double>
      one = counted(contestant("lrr", {{"a", launch}}).figures().kernels[0]),
      two = counted(contestant("lrr", {{"a", launch}, {"a", launch}}).figures().kernels[0]);
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_GT(one[i], 0) << i;
    EXPECT_DOUBLE_EQ(two[i], 2 * one[i]) << i;
  }
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
