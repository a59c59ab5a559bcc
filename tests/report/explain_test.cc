#include "report/explain.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "lab/source_costs.h"
#include "report/series_csv.h"

namespace heddle::report {
namespace {

using Json = nlohmann::ordered_json;

Json instruction(const char* source, std::uint64_t issued, std::uint64_t scoreboard,
                 std::uint64_t accesses) {
  Json i{{"pc", 1},          {"ptx_line", 7},
         {"source", source}, {"what", accesses ? "load global" : "compute"},
         {"executions", 10}, {"active_lanes", 320}};
  if (accesses) {
    i["accesses"] = accesses;
    i["l1d"] = {{"hit_same_warp", accesses / 4}, {"miss_cold", accesses - accesses / 4}};
  }
  i["slots"] = {{"issued", issued}, {"scoreboard", scoreboard}};
  return i;
}

Json results() {
  Json kernel{{"name", "saxpy"},
              {"cycles", 1000},
              {"registers_per_thread", 12},
              {"shared_bytes", 0},
              {"last_cta_dispatched_at", 900},
              {"thread_instructions", 3200},
              {"warp_instructions", 100}};
  kernel["occupancy"] = {{"ctas_per_sm", 6}, {"warps_per_sm", 48}, {"limiter", "threads"}};
  kernel["ctas"] = {{"count", 90}, {"mean_cycles", 500.0}};
  kernel["slots"] = {{"issued", 100}, {"idle", 100}, {"scoreboard", 800}};
  kernel["l1d"] = {{"accesses", 400}, {"hits", 100}, {"pending_hits", 0}, {"misses", 300}};
  kernel["l2"] = kernel["l1d"];
  kernel["dram"] = {{"reads", 10}, {"writes", 0}, {"row_hits", 5}};
  kernel["rates"] = {
      {"dram_bank_parallelism", 2.0}, {"resident_warps", 40.0}, {"lanes_per_instruction", 32.0}};
  kernel["read_time"] = {{"mean", 500.0},       {"network_down", 50.0}, {"l2", 200.0},
                         {"dram_queue", 100.0}, {"dram", 100.0},        {"network_up", 50.0}};
  kernel["energy"] = {{"dram_read_nj", 2e6}, {"static_nj", 6e6}, {"total_nj", 8e6}};
  kernel["details"]["instructions"] = {instruction("no/such/saxpy.cu:4", 50, 700, 400),
                                       instruction("no/such/saxpy.cu:5", 30, 100, 0),
                                       instruction("no/such/saxpy.cu:4", 20, 0, 0)};
  Json all{{"gpu", "gtx480"}, {"scheduler", "gto"}, {"functional", false}, {"totals", kernel}};
  all["kernels"] = Json::array({kernel});
  return all;
}

lab::RunOutcome outcome() {
  lab::RunOutcome run;
  run.results = results();
  run.figures = lab::read_figures(run.results, 48);
  return run;
}

TEST(SourceCosts, AddUpTheInstructionsOfALine) {
  const auto lines = lab::source_costs(results(), "saxpy", *outcome().sources);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].place, "saxpy.cu:4");
  EXPECT_EQ(lines[0].all_slots(), 770u);
  EXPECT_EQ(lines[0].slots_of(sm::SlotUse::issued), 70u);
  EXPECT_EQ(lines[0].instruction, "load global");
  EXPECT_EQ(lines[0].l1d_hits, 100u);
  EXPECT_EQ(lines[1].all_slots(), 130u);
}

TEST(Explain, NamesTheLossTheLineAndTheLimit) {
  const std::string page = explain(outcome(), 110);
  for (const char* part :
       {"saxpy on gtx480 under gto: 1,000 cycles", "80.0 %", "Warps wait for memory: 88 %",
        "77.0 %  saxpy.cu:4", "40.0 accesses", "25 % of them hit in L1",
        "48 of 48 warps per SM, limited by threads", "takes 500 cycles", "8 mJ: static 75 %"})
    EXPECT_NE(page.find(part), std::string::npos) << part << "\n" << page;
}

TEST(Explain, OmitsPartsOfTheEnergyBelowHalfAPercent) {
  lab::RunOutcome run = outcome();
  for (Json* of : {&run.results["totals"], &run.results["kernels"][0]})
    (*of)["energy"] = {
        {"register_file_nj", 2e6}, {"l1d_nj", 1e3}, {"static_nj", 6e6}, {"total_nj", 8.001e6}};
  run.figures = lab::read_figures(run.results, 48);
  const std::string text = explain(run, 100);
  EXPECT_NE(text.find("mJ: static 75 %, register file 25 %\n"), std::string::npos) << text;
}

TEST(Explain, OfALineWithoutSourceHasThePlaceOnly) {
  lab::RunOutcome run = outcome();
  run.results["kernels"][0]["details"]["instructions"] =
      Json::array({instruction("", 100, 800, 0)});
  const std::string text = explain(run, 100);
  EXPECT_NE(text.find("  PTX line 7\n"), std::string::npos) << text;
}

TEST(Explain, NamesWhatCtasShare) {
  lab::RunOutcome run = outcome();
  for (Json* part : {&run.results["totals"], &run.results["kernels"][0]})
    (*part)["cta_sharing"] = {{"hits", 100},       {"own_cta", 60},   {"resident_cta", 30},
                              {"earlier_cta", 10}, {"same_row", 36},  {"same_column", 4},
                              {"distance_x", 5},   {"distance_y", 2}, {"pending_hits", 8}};
  run.results["cta_scheduler"] = "mapped";
  run.figures = lab::read_figures(run.results, 48);
  const std::string text = explain(run, 120);
  EXPECT_NE(text.find("saxpy on gtx480 under gto + mapped"), std::string::npos);
  EXPECT_NE(text.find("10.0 % hit on a line that another CTA brought in: 7.5 % of a resident CTA, "
                      "2.5 % of an earlier one"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("2.0 % are pending hits on a line that another CTA fetches"),
            std::string::npos);
  EXPECT_NE(text.find("Lines are shared by CTAs of a row up to 5 apart (90 % of these hits) and by "
                      "CTAs of a column up to 2 apart (10 %)"),
            std::string::npos)
      << text;
}

TEST(Explain, FitsOnAPage) {
  const std::string page = explain(outcome(), 110);
  EXPECT_LE(std::count(page.begin(), page.end(), '\n'), 50);
}

TEST(SeriesCsv, CombinesLaunchesWithDifferentColumns) {
  Json all = results();
  EXPECT_EQ(series_csv(all), "");
  all["kernels"].push_back(all["kernels"][0]);
  all["kernels"][0]["series"] = {{"columns", {"from", "cycles", "a"}}, {"rows", {{0, 5, 1}}}};
  all["kernels"][1]["series"] = {{"columns", {"from", "cycles", "b"}}, {"rows", {{0, 6, 2}}}};
  EXPECT_EQ(series_csv(all), "launch,kernel,from,cycles,a,b\n0,saxpy,0,5,1,0\n1,saxpy,0,6,0,2\n");
}

}  // namespace
}  // namespace heddle::report
