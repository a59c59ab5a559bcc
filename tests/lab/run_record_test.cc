#include "lab/store/run_record.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

RunIdentity identity() {
  RunIdentity id;
  id.program = "p";
  id.arguments = {"tiny"};
  id.run.scheduler = "gto";
  return id;
}

TEST(RunKey, ChangesWithEverythingThatDeterminesTheResult) {
  const RunIdentity base = identity();
  std::vector<RunIdentity> others(11, base);
  others[0].program_hash = "x";
  others[1].arguments = {"small"};
  others[2].input_hash = "x";
  others[3].configuration_hash = "x";
  others[4].run.scheduler = "lrr";
  others[5].run.cta_scheduler = "mapped";
  others[6].run.share = "spatial";
  others[7].plugin_hashes = {"x"};
  others[8].run.seed = 2;
  others[9].run.timed.limit_cycles = 5;
  others[10].simulator_hash = "x";
  for (std::size_t i = 0; i < others.size(); ++i) EXPECT_NE(others[i].key(), base.key()) << i;
  RunIdentity same = base;
  same.program = "another/name";
  same.run.gpu = "a_file_with_the_same_parameters.toml";
  EXPECT_EQ(same.key(), base.key());
}

// FNV-1a of {"key_version":1,"simulator":"sim","program":"prog",...}, computed apart from Heddle:
// a store of an earlier version is still found.
TEST(RunKey, IsThatOfEarlierVersions) {
  RunIdentity id;
  id.simulator_hash = "sim";
  id.program_hash = "prog";
  id.arguments = {"tiny"};
  id.configuration_hash = "conf";
  id.run.scheduler = "gto";
  id.plugin_hashes = {"plug"};
  id.run.seed = 3;
  id.run.timed.limit_cycles = 50;
  id.run.watch.cta_sharing = true;
  EXPECT_EQ(id.key(), "79920d8e522191cd2aa38925bf659785");
  id.run.registers = {"b=2", "a=1"};
  id.run.watch.first_warp = true;
  id.corun = {"A", "B"};
  EXPECT_EQ(id.key(), "b3b5129b241a7ecb3108bda99816f356");
}

TEST(ContentHash, IsFnv1aOf128Bits) {
  // The test vectors of the FNV-1a draft (draft-eastlake-fnv), appendix C.
  EXPECT_EQ(content_hash(""), "6c62272e07bb014262b821756295c58d");
  EXPECT_EQ(content_hash("a"), "d228cb696f1a8caf78912b704e4a8964");
}

TEST(SweepTask, SurvivesItsFile) {
  SweepTask task;
  task.identity = identity();
  task.key = task.identity.key();
  task.limits = {1.5, 1000};
  task.plugins = {"/p.so"};
  const auto again = ordered_json(task).get<SweepTask>();
  EXPECT_EQ(ordered_json(again), ordered_json(task));
  EXPECT_EQ(again.identity.key(), task.key);
}

// Sweeps of earlier versions left these fields out of the tasks in their queues.
TEST(SweepTask, ReadsOneOfAnEarlierVersion) {
  SweepTask task;
  task.identity = identity();
  ordered_json json = task;
  json.erase("corun");
  json.erase("corun_folder");
  for (const char* newer : {"corun", "once", "registers", "first_warp"})
    json["identity"].erase(newer);
  EXPECT_EQ(ordered_json(json.get<SweepTask>()), ordered_json(task));
  json["identity"].erase("seed");
  EXPECT_THROW(static_cast<void>(json.get<SweepTask>()), ordered_json::exception);
}

TEST(SweepTask, AsksForWhatItsIdentityStates) {
  SweepTask task;
  task.identity = identity();
  task.identity.arguments = {"tiny", "8"};
  task.identity.run.watch.first_warp = true;
  task.program_path = "/programs/p";
  task.plugins = {"/p.so"};
  const RunRequest request = task.request();
  EXPECT_EQ(request.program, (std::vector<std::string>{"/programs/p", "tiny", "8"}));
  EXPECT_EQ(request.plugins, task.plugins);
  EXPECT_EQ(request.scheduler, "gto");
  EXPECT_TRUE(request.watch.first_warp);
}

TEST(RunRecord, SurvivesItsFile) {
  RunRecord record;
  record.status = RunStatus::time_limit;
  record.problem = "too long";
  record.exit_code = 137;
  record.peak_memory_bytes = 5;
  record.results = {{"totals", {{"cycles", 3}}}};
  const auto again = ordered_json(record).get<RunRecord>();
  EXPECT_EQ(ordered_json(again), ordered_json(record));
  EXPECT_EQ(again.status, RunStatus::time_limit);
}

TEST(RunRecord, RefusesAnUnknownStatus) {
  ordered_json json = RunRecord();
  json["status"] = "asleep";
  EXPECT_THROW(static_cast<void>(json.get<RunRecord>()), UserError);
}

}  // namespace
}  // namespace heddle::lab
