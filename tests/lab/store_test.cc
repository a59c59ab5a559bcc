// The results store: what is kept, what is refused, what two stores have in common.
#include "lab/store/results_store.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "config/config.h"
#include "lab/store/schema.h"
#include "lab/store/store_comparison.h"
#include "lab/store/store_writer.h"
#include "tests/error_message.h"

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;

SweepTask task_of(const std::string& scheduler, const std::string& simulator = "sim1") {
  SweepTask task;
  task.identity.program = "p";
  task.identity.arguments = {"tiny"};
  task.identity.run.gpu = "gtx480";
  task.identity.configuration_hash = config::hash(config::load_gpu("gtx480"));
  task.identity.run.scheduler = scheduler;
  task.identity.run.cta_scheduler = "rr";
  task.identity.run.share = "leftover";
  task.identity.simulator_hash = simulator;
  task.identity.version = "1.0";
  task.key = task.identity.key();
  return task;
}

RunRecord record_of(std::int64_t cycles) {
  RunRecord record;
  record.host = "h";
  record.started = "2026-01-31T12:00:00Z";
  record.wall_seconds = 2;
  record.results["totals"] = {{"launches", 1},
                              {"simulated", {{"timed", 1}, {"timed_share", 1.0}}},
                              {"cycles", cycles},
                              {"warp_instructions", 10},
                              {"thread_instructions", 320},
                              {"slots", {{"issued", 10}, {"idle", 5}}},
                              {"sm", {{"active_lanes", {0, 7}}}},
                              {"rates", {{"l1d_hits", 0.1}}},
                              {"policy", {{"records", {{{"a", 1}}}}, {"name", "text"}}}};
  record.results["kernels"] = ordered_json::array();
  record.results["kernels"].push_back({{"display_name", "walk(int)"},
                                       {"simulated", "timed"},
                                       {"grid", {4, 1, 1}},
                                       {"block", {256, 1, 1}},
                                       {"registers_per_thread", 15},
                                       {"shared_bytes", 0},
                                       {"cycles", cycles},
                                       {"warp_instructions", 10},
                                       {"thread_instructions", 320},
                                       {"slots", {{"issued", 10}}},
                                       {"l1d", {{"hits", 3}, {"evictions", 2}}}});
  return record;
}

// Stores in a folder of their own.
class StoreTest : public testing::Test {
 protected:
  std::string path(const std::string& name = "s.sqlite") { return folder_.file(name); }
  void fill(const std::string& file, const std::vector<std::pair<SweepTask, RunRecord>>& runs) {
    StoreWriter writer(file);
    for (const auto& [task, record] : runs) writer.put_run(task, record);
  }
  TemporaryFolder folder_;
};

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(StoreTest, KeepsEveryNumberOfTheTotalsUnderItsFullName) {
  fill(path(), {{task_of("gto"), record_of(100)}});
  const ResultsStore store(path());
  const auto values = store.values(1);
  EXPECT_EQ(values.size(), 11u) << "texts and lists of records are not statistics";
  EXPECT_EQ(values.at("cycles"), 100);
  EXPECT_EQ(values.at("slots.idle"), 5);
  EXPECT_EQ(values.at("sm.active_lanes.1"), 7);
  EXPECT_EQ(values.at("rates.l1d_hits"), 0.1);
  for (const StoredStatistic& statistic : store.statistics())
    if (statistic.name == "slots.idle") {
      EXPECT_EQ(statistic.unit, "slots");
      EXPECT_TRUE(mentions(statistic.meaning, ": idle"));
    }
}

TEST_F(StoreTest, KeepsLaunchesWithTheirLeadingStatistics) {
  fill(path(), {{task_of("gto"), record_of(100)}});
  const ResultsStore store(path());
  const auto kernels = store.kernels(1);
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].launch, 1);
  EXPECT_EQ(kernels[0].name, "walk(int)");
  EXPECT_EQ(kernels[0].grid, "4x1x1");
  const auto values = store.kernel_values(kernels[0].id);
  EXPECT_EQ(values.at("l1d.hits"), 3);
  EXPECT_FALSE(values.contains("l1d.evictions"));
}

TEST_F(StoreTest, CountsARunOnce) {
  fill(path(), {{task_of("gto"), record_of(100)}, {task_of("gto"), record_of(999)}});
  std::vector<StoredRun> runs;
  ResultsStore(path()).for_each_run({}, [&](const StoredRun& run) { runs.push_back(run); });
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].cycles, 100);
}

TEST_F(StoreTest, ReplacesAFailedRun) {
  RunRecord failed;
  failed.status = RunStatus::time_limit;
  failed.problem = "too long";
  fill(path(), {{task_of("gto"), failed}});
  EXPECT_EQ(ResultsStore(path()).run(1)->record.status, RunStatus::time_limit);
  fill(path(), {{task_of("gto"), record_of(100)}});
  int runs = 0;
  ResultsStore(path()).for_each_run({}, [&](const StoredRun& run) {
    ++runs;
    EXPECT_TRUE(run.completed());
    EXPECT_EQ(run.record.problem, "");
  });
  EXPECT_EQ(runs, 1) << "the run that failed was replaced";
}

TEST_F(StoreTest, KeepsTheParametersOfTheGpu) {
  fill(path(), {{task_of("gto"), record_of(100)}, {task_of("lrr"), record_of(100)}});
  const auto kept = ResultsStore(path()).configuration(task_of("gto").identity.configuration_hash);
  ASSERT_TRUE(kept);
  const ordered_json parameters = ordered_json::parse(kept->parameters);
  EXPECT_EQ(parameters.at("sm.l1d.ways"), 4);
  EXPECT_EQ(parameters.at("sm.l1d.size"), "16KiB");
}

TEST_F(StoreTest, FiltersRunsByPatterns) {
  fill(path(), {{task_of("gto"), record_of(100)}, {task_of("swl:warps=2"), record_of(80)}});
  std::vector<std::string> found;
  RunFilter filter;
  filter.scheduler = "swl:*";
  ResultsStore(path()).for_each_run(
      filter, [&](const StoredRun& run) { found.push_back(run.identity.run.scheduler); });
  EXPECT_EQ(found, std::vector<std::string>{"swl:warps=2"});
}

TEST_F(StoreTest, HasOneWriter) {
  const StoreWriter first(path());
  EXPECT_TRUE(
      mentions(message_of([&] { StoreWriter second(path()); }), "another heddle sweep writes it"));
}

TEST_F(StoreTest, IsReadWhileItIsWritten) {
  StoreWriter writer(path());
  writer.put_run(task_of("gto"), record_of(100));
  EXPECT_EQ(ResultsStore(path()).run(1)->cycles, 100);
}

TEST_F(StoreTest, OfANewerVersionIsRefused) {
  fill(path(), {});
  {
    Database database(path(), Database::Access::write);
    database.execute("PRAGMA user_version = 99");
  }
  const std::string message = "its version is 99, this Heddle reads versions up to 3";
  EXPECT_TRUE(mentions(message_of([&] { ResultsStore store(path()); }), message));
  EXPECT_TRUE(mentions(message_of([&] { StoreWriter store(path()); }), message));
}

// A later version of the schema, as a newer Heddle would have it.
const char* const kLaterSteps[] = {
    schema_steps()[0], schema_steps()[1], schema_steps()[2],
    "ALTER TABLE runs ADD COLUMN note TEXT; "
    "CREATE VIEW notes AS SELECT key, IFNULL(note, 'none') AS note FROM runs"};

std::string text_of(Database& database, const char* query) {
  Statement statement(database, query);
  return statement.step() ? statement.text(0) : "no row";
}

TEST_F(StoreTest, OfAnOlderVersionIsBroughtToTheLastOneAndKeepsItsRuns) {
  fill(path(), {{task_of("gto"), record_of(100)}});
  Database database(path(), Database::Access::write);
  prepare_schema(database, kLaterSteps);
  EXPECT_EQ(text_of(database, "PRAGMA user_version"), "4");
  EXPECT_EQ(text_of(database, "SELECT note FROM notes"), "none");
  EXPECT_EQ(text_of(database, "SELECT cycles FROM runs"), "100");
  prepare_schema(database, kLaterSteps);
  check_schema(database, kLaterSteps);
}

TEST_F(StoreTest, KeepsTheErrorBarsOfASampledRun) {
  RunRecord record = record_of(100);
  record.results["sample"]["estimates"] = {{{"statistic", "cycles"}, {"value", 100}, {"bar", 2.5}}};
  fill(path(), {{task_of("gto"), record}, {task_of("lrr"), record_of(90)}});
  const ResultsStore store(path());
  EXPECT_EQ(store.bars(1), (std::map<std::string, double>{{"cycles", 2.5}}));
  EXPECT_TRUE(store.bars(2).empty());
}

// In version 1 the cycles of a run were those of its launches added up.
TEST_F(StoreTest, OfVersion1GetsElapsedCycles) {
  const auto launches = [](std::vector<std::pair<int, int>> times, std::int64_t launches) {
    RunRecord record = record_of(0);
    ordered_json& kernels = record.results["kernels"];
    const ordered_json one = kernels[0];
    kernels.clear();
    std::int64_t sum = 0;
    for (const auto& [start, cycles] : times) {
      kernels.push_back(one);
      kernels.back()["start_cycle"] = start;
      kernels.back()["cycles"] = cycles;
      sum += cycles;
    }
    ordered_json& totals = record.results["totals"];
    totals["launches"] = launches;
    totals["cycles"] = sum + 100 * (launches - std::ssize(times));
    totals["ipc"] = 1;
    totals["energy"] = {{"static_nj", 10.0 * totals["cycles"].get<double>()},
                        {"total_nj", 10.0 * totals["cycles"].get<double>() + 5}};
    return record;
  };
  fill(path(), {{task_of("overlap"), launches({{0, 100}, {10, 20}, {50, 90}, {200, 60}}, 4)},
                {task_of("in turn"), launches({{0, 100}, {100, 30}}, 2)},
                {task_of("not all kept"), launches({{0, 100}, {0, 100}}, 3)}});
  Database database(path(), Database::Access::write);
  database.execute("DROP TABLE estimates; PRAGMA user_version = 1");
  prepare_schema(database);
  const ResultsStore store(path());
  EXPECT_EQ(store.run(1)->cycles, 200);  // 0 to 140 and 200 to 260
  const auto values = store.values(1);
  EXPECT_EQ(values.at("cycles"), 200);
  EXPECT_DOUBLE_EQ(values.at("ipc"), 320.0 / 200);
  EXPECT_DOUBLE_EQ(values.at("energy.static_nj"), 2000);
  EXPECT_DOUBLE_EQ(values.at("energy.total_nj"), 2005);
  EXPECT_EQ(store.run(2)->cycles, 130);
  EXPECT_EQ(store.values(2).at("ipc"), 1);
  EXPECT_EQ(store.run(3)->cycles, 300);
}

TEST_F(StoreTest, OfAnOlderVersionIsNotReadBeforeASweepHasChangedIt) {
  fill(path(), {});
  Database database(path(), Database::Access::read);
  EXPECT_TRUE(mentions(message_of([&] { check_schema(database, kLaterSteps); }),
                       "its version is 3, this Heddle reads version 4; repeat its sweep"));
}

TEST_F(StoreTest, KeepsItsVersionWhenAStepFails) {
  fill(path(), {{task_of("gto"), record_of(100)}});
  const char* const steps[] = {kLaterSteps[0], kLaterSteps[1], kLaterSteps[2], kLaterSteps[3],
                               "CREATE TABLE runs(a)"};
  {
    Database database(path(), Database::Access::write);
    EXPECT_TRUE(mentions(message_of([&] { prepare_schema(database, steps); }), "already exists"));
    EXPECT_EQ(text_of(database, "SELECT COUNT(*) FROM sqlite_schema WHERE name = 'notes'"), "0");
  }
  EXPECT_EQ(ResultsStore(path()).run(1)->cycles, 100);
}

TEST_F(StoreTest, ANewOneTakesAllSteps) {
  Database database(path(), Database::Access::write);
  prepare_schema(database, kLaterSteps);
  EXPECT_EQ(text_of(database, "PRAGMA user_version"), "4");
  EXPECT_EQ(text_of(database, "SELECT COUNT(*) FROM notes"), "0");
}

TEST_F(StoreTest, RefusesOtherFiles) {
  EXPECT_TRUE(mentions(message_of([&] { ResultsStore store(path("none")); }), "no such file"));
  EXPECT_TRUE(mentions(message_of([&] { StoreWriter store(folder_.file("")); }), "Is a directory"));
  EXPECT_TRUE(mentions(message_of([&] { StoreWriter store(path("a/b")); }), "No such file"));
  write_file_atomically(path("text"),
                        "This is a text, and long enough to have a header of 100 "
                        "bytes, which SQLite reads before it says anything at all.");
  EXPECT_TRUE(mentions(message_of([&] { ResultsStore store(path("text")); }), "not an SQLite"));
  {
    Database database(path("foreign"), Database::Access::write);
    database.execute("CREATE TABLE t(a)");
  }
  EXPECT_TRUE(
      mentions(message_of([&] { StoreWriter store(path("foreign")); }), "no results store"));
  EXPECT_TRUE(
      mentions(message_of([&] { ResultsStore store(path("foreign")); }), "no results store"));
}

// Somebody else's view would run in every query, and a trigger at every change.
TEST_F(StoreTest, WithDefinitionsOfOthersIsRefused) {
  const auto problem_after = [&](const std::string& sql) {
    std::filesystem::remove(path());
    fill(path(), {{task_of("gto"), record_of(100)}});
    Database(path(), Database::Access::write).execute(sql);
    const std::string reading = message_of([&] { ResultsStore store(path()); });
    EXPECT_EQ(message_of([&] { StoreWriter store(path()); }), reading) << sql;
    return reading;
  };
  EXPECT_EQ(problem_after("ANALYZE"), "no error");  // tables of SQLite itself
  EXPECT_TRUE(mentions(problem_after("CREATE VIEW mine AS SELECT 1"), "view mine is not one of"));
  EXPECT_TRUE(mentions(problem_after("CREATE TRIGGER t AFTER INSERT ON runs BEGIN SELECT 1; END"),
                       "trigger t is not one of"));
  EXPECT_TRUE(mentions(problem_after("DROP VIEW study_runs"), "view study_runs is missing"));
  EXPECT_TRUE(mentions(
      problem_after("DROP VIEW run_statistics; CREATE VIEW run_statistics AS WITH RECURSIVE n(x) "
                    "AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT x AS run_id FROM n"),
      "view run_statistics is not that of Heddle"));
}

TEST_F(StoreTest, AViewReadsNoVirtualTable) {
  Database database(path(), Database::Access::write);
  database.execute("CREATE VIEW mine AS SELECT * FROM pragma_user_version");
  EXPECT_TRUE(mentions(message_of([&] { database.execute("SELECT * FROM mine"); }),
                       "unsafe use of virtual table"));
}

TEST_F(StoreTest, WithOtherJsonNamesTheColumn) {
  fill(path(), {{task_of("gto"), record_of(100)}});
  Database(path(), Database::Access::write).execute("UPDATE runs SET arguments = '{\"a\": 1}'");
  EXPECT_TRUE(mentions(message_of([&] { ResultsStore(path()).run(1); }),
                       "store " + path() + ", column arguments"));
}

TEST_F(StoreTest, ComparesStoresBitForBit) {
  RunRecord other = record_of(100);
  other.results["totals"]["rates"]["l1d_hits"] = 0.1 + 1e-18;
  fill(path("a"), {{task_of("gto"), record_of(100)}, {task_of("lrr"), record_of(100)}});
  fill(path("b"), {{task_of("gto"), other}, {task_of("lrr"), record_of(100)}});
  EXPECT_EQ(compare_stores({path("a"), {}}, {path("b"), {}}).equal, 2u) << "0.1 + 1e-18 is 0.1";
  other.results["totals"]["rates"]["l1d_hits"] = 0.10000000000000002;
  fill(path("c"), {{task_of("gto"), other}});
  const StoreComparison comparison = compare_stores({path("a"), {}}, {path("c"), {}});
  EXPECT_EQ(comparison.pairs, 1u);
  EXPECT_EQ(comparison.only_before, 1u);
  ASSERT_EQ(comparison.differences.size(), 1u);
  EXPECT_EQ(comparison.differences[0].statistics, 1u);
  EXPECT_EQ(comparison.differences[0].statistic, "rates.l1d_hits");
}

TEST_F(StoreTest, ComparesTwoVersionsInOneStore) {
  fill(path(), {{task_of("gto", "aa11"), record_of(100)}, {task_of("gto", "bb22"), record_of(90)}});
  const StoreComparison comparison = compare_stores({path(), "aa"}, {path(), "bb22"});
  ASSERT_EQ(comparison.differences.size(), 1u);
  EXPECT_EQ(comparison.differences[0].before_cycles, 100);
  EXPECT_EQ(comparison.differences[0].after_cycles, 90);
  EXPECT_TRUE(mentions(message_of([&] { compare_stores({path(), "cc"}, {path(), "bb"}); }),
                       "no run of version cc"));
}

TEST_F(StoreTest, ComparesNoStoreOfALaterVersion) {
  for (const char* name : {"now", "later"}) fill(path(name), {{task_of("gto"), record_of(100)}});
  Database(path("later"), Database::Access::write).execute("PRAGMA user_version = 99");
  const StoreSide now{path("now"), {}}, later{path("later"), {}};
  const std::string message = "its version is 99";
  EXPECT_TRUE(mentions(message_of([&] { compare_stores(now, later); }), message));
  EXPECT_TRUE(mentions(message_of([&] { compare_stores(later, now); }), message));
}

}  // namespace
}  // namespace heddle::lab
