// A run.json that comes from anybody: every value in it may be missing or of another type.
#include <gtest/gtest.h>

#include <fstream>

#include "base/library_errors.h"
#include "base/temporary_folder.h"
#include "lab/json_input.h"
#include "report/study_page.h"
#include "tests/error_message.h"

namespace heddle::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kName = "runs/a/run.json";

Json sample() {
  Json launch = Json::parse(R"({
    "name": "_Z5saxpyPf", "display_name": "saxpy", "simulated": "timed", "grid": [8, 1, 1],
    "block": [64, 1, 1], "registers_per_thread": 16, "shared_bytes": 0, "start_cycle": 0,
    "last_cta_dispatched_at": 40, "cycles": 1000, "warp_instructions": 4000,
    "thread_instructions": 128000, "ipc": 128.0,
    "slots": {"issued": 300, "scoreboard": 600, "idle": 100},
    "l1d": {"accesses": 400, "hits": 100, "pending_hits": 20, "misses": 280, "hits_same_warp": 50,
            "hits_other_warp": 50, "reservation_fails": {"mshr_full": 3}},
    "l2": {"accesses": 280, "hits": 80, "misses": 200},
    "dram": {"reads": 200, "writes": 50, "row_hits": 150, "data_cycles": 500, "active_cycles": 900},
    "sm": {"cycles": 15000, "resident_warp_cycles": 90000, "coalesced_accesses": 400,
           "lsu_stalls": {"none": 5}, "accesses_per_instruction": [0, 100, 2]},
    "ctas": {"count": 8, "mean_cycles": 500.0, "last_cycles": 60},
    "occupancy": {"ctas_per_sm": 8, "warps_per_sm": 16, "limiter": "threads"},
    "rates": {"dram_bank_parallelism": 2.5, "dram_bandwidth": 0.5, "resident_warps": 12.0,
              "lanes_per_instruction": 32.0},
    "read_time": {"mean": 300.0, "network_down": 20.0, "l2": 80.0, "dram_queue": 50.0,
                  "dram": 120.0, "network_up": 30.0},
    "energy": {"static_nj": 6000000.0, "alu_nj": 2000000.0, "total_nj": 8000000.0},
    "cta_sharing": {"hits": 100, "own_cta": 60, "resident_cta": 30, "earlier_cta": 10},
    "policy": {"ccws": {"throttled": 7, "warps": {"lost": 2}}},
    "series": {"columns": ["from", "cycles", "slots.issued", "resident_warps"],
               "levels": ["resident_warps"], "rows": [[0, 500, 100, 5], [500, 500, 200, 6]]},
    "details": {
  "instructions" : [
    {
      "pc" : 1,
      "source" : "/src/saxpy.cu:4",
      "what" : "load global",
      "slots" : {"issued" : 100, "scoreboard" : 500},
      "accesses" : 400,
      "executions" : 10,
      "active_lanes" : 320,
      "l1d" : {"hit_same_warp" : 100, "miss_cold" : 280}
    },
    {"pc" : 2, "ptx_line" : 7, "what" : "compute", "slots" : {"issued" : 200}}
  ]}
  })");
  Json run = Json::parse(R"({
    "heddle": {"version": "0.1"}, "gpu": "gtx480", "scheduler": "gto", "cta_scheduler": "rr",
    "share": "leftover", "functional": false, "seed": 1,
    "configuration": {"hash": "12", "toml": "[sm]\nmax_threads = 1536\n"},
    "program": {"path": "./saxpy", "arguments": ["8"], "registers": {"saxpy": 16}, "exit_code": 0},
    "status": "completed", "elapsed_times": 0, "host": {"kernel_seconds": 0.5}
  })");
  run["totals"] = launch;
  run["totals"]["simulated"] = {
      {"timed", 1}, {"truncated", 0}, {"functional", 0}, {"timed_share", 1.0}};
  run["kernels"] = Json::array({launch});
  return run;
}

// As heddle report does. Empty when the page is made.
std::string refusal(const Json& run) {
  try {
    lab::check_run_json(run, kName);
    page_of_results("Runs", {{kName, run}}, {}, std::make_shared<SourceFiles>());
  } catch (const std::exception& error) {
    return describe_error(error);
  }
  return {};
}

void collect(const Json& json, const Json::json_pointer& at, std::vector<Json::json_pointer>& all) {
  all.push_back(at);
  if (json.is_object())
    for (const auto& [key, value] : json.items()) collect(value, at / key, all);
  if (json.is_array())
    for (std::size_t i = 0; i < json.size(); ++i) collect(json[i], at / i, all);
}

TEST(RunJson, ThatIsWholeIsShown) { EXPECT_EQ(refusal(sample()), ""); }

TEST(RunJson, WithAnotherTypeIsShownOrRefusedWithFileAndKey) {
  const Json whole = sample();
  std::vector<Json::json_pointer> places;
  collect(whole, Json::json_pointer(), places);
  ASSERT_GT(places.size(), 150u);
  const Json values[] = {nullptr,        -1,         1e300,           "text", true, Json::array(),
                         Json::object(), Json({{}}), Json({{"a", 1}})};
  for (std::size_t i = 0; i < places.size(); ++i)
    // Every place with some of the values, and every value at many places.
    for (std::size_t k = i % 3; k < std::size(values); k += 3) {
      Json changed = whole;
      changed[places[i]] = values[k];
      const std::string message = refusal(changed);
      EXPECT_TRUE(message.empty() || message.starts_with(kName))
          << places[i].to_string() << " is " << values[k] << ": " << message;
    }
}

TEST(RunJson, WithoutAValueIsShownOrRefusedWithFileAndKey) {
  const Json whole = sample();
  std::vector<Json::json_pointer> places;
  collect(whole, Json::json_pointer(), places);
  for (const Json::json_pointer& place : places) {
    if (place.empty()) continue;
    Json changed = whole;
    Json& parent = changed[place.parent_pointer()];
    if (parent.is_object())
      parent.erase(place.back());
    else
      parent.erase(std::stoul(place.back()));
    const std::string message = refusal(changed);
    EXPECT_TRUE(message.empty() || message.starts_with(kName))
        << "without " << place.to_string() << ": " << message;
  }
}

TEST(RunJson, NamesTheKey) {
  Json run = sample();
  run["kernels"] = {{"a", 1}};
  EXPECT_EQ(refusal(run), std::string(kName) + ": /kernels must be a list, but is an object");
  run = sample();
  run["kernels"][0]["cycles"] = "many";
  EXPECT_EQ(refusal(run),
            std::string(kName) + ": /kernels/0/cycles must be a whole number, but is a text");
}

TEST(RunJson, ThatIsNestedDeeplyIsRefused) {
  const std::string deep(100000, '[');
  const std::string message = message_of([&] { lab::parse_json("{\"totals\": " + deep, kName); });
  EXPECT_NE(message.find("are nested more than"), std::string::npos) << message;
}

TEST(RunJson, DoesNotBringFilesIntoThePage) {
  const TemporaryFolder folder;
  std::ofstream(folder.file("secret.cu")) << "\n\n\nTOP-SECRET\n";
  Json run = sample();
  run["program"]["path"] = folder.file("saxpy");
  run["kernels"][0]["details"]["instructions"][0]["source"] = folder.file("secret.cu") + ":4";
  const auto page = [&](const std::vector<std::string>& folders) {
    return page_of_results("Runs", {{kName, run}}, {}, std::make_shared<SourceFiles>(folders));
  };
  EXPECT_EQ(page({}).find("TOP-SECRET"), std::string::npos);
  const std::string named = page({folder.path().string()});
  EXPECT_NE(named.find("TOP-SECRET"), std::string::npos);
  EXPECT_NE(named.find("Source files on this page"), std::string::npos) << "not listed";
}

}  // namespace
}  // namespace heddle::report
