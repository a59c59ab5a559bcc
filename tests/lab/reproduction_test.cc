// A paper's figures and claims as data: reading them, and their verdicts.
#include "lab/reproduction/paper.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>

#include "base/diagnostics.h"
#include "config/config.h"
#include "lab/reproduction/measures.h"
#include "lab/reproduction/needed_runs.h"
#include "lab/reproduction/reproduction.h"
#include "lab/store/store_writer.h"
#include "lab/sweep/corun_task.h"
#include "tests/error_message.h"

namespace heddle::lab {
namespace {

constexpr const char* kPaperHead = "title = \"T\"\nsource = \"S\"\ngpu = \"gtx480\"\n";
constexpr const char* kOneFigure =
    "[[figure]]\nnumber = \"1\"\ntitle = \"F\"\nstudy = \"runs\"\nrows = [\"gto\", \"lrr\"]\n";

class Reproduction : public ::testing::Test {
 protected:
  Paper read(const std::string& text) {
    write_file_atomically(folder_.file("paper.toml"), text);
    write_file_atomically(folder_.file("runs.toml"), "");
    return read_paper(std::filesystem::path(folder_.file("paper.toml")).parent_path().string());
  }
  std::string error_of(const std::string& text) {
    return message_of([&] { read(text); });
  }
  TemporaryFolder folder_;
};

TEST_F(Reproduction, AFigureShowsSpeedUpsOverItsFirstRowByDefault) {
  const Paper paper = read(std::string(kPaperHead) + kOneFigure);
  ASSERT_EQ(paper.figures.size(), 1u);
  const Measure& measure = paper.figures[0].measure;
  EXPECT_EQ(measure.statistic, "cycles");
  EXPECT_EQ(measure.over, "gto");
  EXPECT_EQ(measure.gpu, "gtx480");
  EXPECT_EQ(measure.shown_as, ShownAs::speed_up);
  EXPECT_EQ(measure.mean, Mean::geometric);
}

TEST_F(Reproduction, AClaimHasTheMeasureOfItsFigureUnlessItNamesAnother) {
  const Paper paper = read(std::string(kPaperHead) + kOneFigure +
                           "mean = \"harmonic\"\ncases = [\"A\"]\n"
                           "[[figure.claim]]\ntext = \"C\"\nsource = \"s\"\nrow = \"lrr\"\n"
                           "direction = \"> 1\"\npublished = 1.5\n"
                           "[[figure.claim]]\ntext = \"D\"\nsource = \"s\"\nrow = \"lrr\"\n"
                           "direction = \"~ 0.5\"\nstatistic = \"l1d.hits / l1d.accesses\"\n");
  const auto& claims = paper.figures[0].claims;
  ASSERT_EQ(claims.size(), 2u);
  EXPECT_EQ(claims[0].measure.row, "lrr");
  EXPECT_EQ(claims[0].measure.over, "gto");
  EXPECT_EQ(claims[0].measure.mean, Mean::harmonic);
  EXPECT_EQ(claims[0].measure.cases, std::vector<std::string>{"A"});
  EXPECT_EQ(claims[0].published, 1.5);
  EXPECT_EQ(claims[1].measure.shown_as, ShownAs::value);
  EXPECT_EQ(claims[1].direction.relation, Relation::near);
  EXPECT_EQ(claims[1].direction.than, 0.5);
}

TEST_F(Reproduction, AClaimOverEachOfSeveralRowsNamesNoOther) {
  const std::string claim = std::string(kPaperHead) + kOneFigure +
                            "[[figure.claim]]\ntext = \"C\"\nsource = \"s\"\nrow = \"lrr\"\n"
                            "direction = \"> 1\"\nover_each = [\"two-level\", \"lpi\"]\n";
  const Measure measure = read(claim).figures[0].claims[0].measure;
  EXPECT_EQ(measure.over, "two-level");
  EXPECT_EQ(measure.over_each, (std::vector<std::string>{"two-level", "lpi"}));
  EXPECT_EQ(measure.shown_as, ShownAs::speed_up);
  EXPECT_NE(error_of(claim + "over = \"gto\"\n").find("over_each replaces over"),
            std::string::npos);
}

TEST_F(Reproduction, CasesAreComparedWithTheOnesThatTheFigureNames) {
  const std::string figure = std::string(kPaperHead) + kOneFigure;
  const Measure measure = read(figure + "over_cases = {\"A, large\" = \"A\"}\n").figures[0].measure;
  EXPECT_EQ(measure.other_case("A, large"), "A");
  EXPECT_EQ(measure.other_case("B"), "B");
  EXPECT_NE(error_of(figure + "over_cases = {A = 1}\n")
                .find("paper.toml:9: over_cases must be a table of texts"),
            std::string::npos);
}

TEST_F(Reproduction, MistakesAreNamedWithTheirLines) {
  EXPECT_NE(error_of(kPaperHead).find("there is no [[figure]]"), std::string::npos);
  EXPECT_NE(error_of(std::string(kPaperHead) + kOneFigure + "speed = 1\n").find("paper.toml:9"),
            std::string::npos);
  EXPECT_NE(error_of(std::string(kPaperHead) + kOneFigure +
                     "[[figure.claim]]\ntext = \"C\"\nsource = \"s\"\nrow = \"lrr\"\n"
                     "direction = \">1\"\n")
                .find("direction must be"),
            std::string::npos);
  EXPECT_NE(error_of(std::string(kPaperHead) + kOneFigure +
                     "[[figure.published]]\nrow = \"ccws\"\nvalue = 1\nsource = \"s\"\n")
                .find("ccws is not a row of the figure"),
            std::string::npos);
  EXPECT_NE(error_of(std::string(kPaperHead) + kOneFigure + kOneFigure).find("two figures 1"),
            std::string::npos);
}

TEST_F(Reproduction, AReadingHasTheMeasureOfItsClaimUnlessItNamesAnother) {
  const Paper paper =
      read(std::string(kPaperHead) + kOneFigure +
           "[[figure.claim]]\ntext = \"C\"\nsource = \"s\"\nrow = \"lrr\"\ncases = [\"A\"]\n"
           "direction = \"> 1\"\n[[figure.claim.reading]]\ntext = \"R\"\ngpu = \"ipaws\"\n");
  const Claim& claim = paper.figures.at(0).claims.at(0);
  ASSERT_EQ(claim.readings.size(), 1u);
  EXPECT_EQ(claim.readings[0].measure.row, "lrr");
  EXPECT_EQ(claim.readings[0].measure.cases, std::vector<std::string>{"A"});
  EXPECT_EQ(claim.readings[0].measure.gpu, "ipaws");
  EXPECT_EQ(studies_of(paper.figures[0]), std::vector<std::string>{"runs"});
  EXPECT_NE(error_of(std::string(kPaperHead) + kOneFigure +
                     "[[figure.claim]]\ntext = \"C\"\nsource = \"s\"\nrow = \"lrr\"\n"
                     "direction = \"> 1\"\n[[figure.claim.reading]]\ntext = \"R\"\n"
                     "study = \"none\"\n")
                .find("there is no none.toml"),
            std::string::npos);
}

TEST_F(Reproduction, AReadingsOtherStatisticIsComparedAsThatOfItsClaim) {
  const auto reading_of = [&](const std::string& keys) {
    return read(std::string(kPaperHead) + kOneFigure +
                "[[figure.claim]]\ntext = \"C\"\nsource = \"s\"\nrow = \"lrr\"\nover = \"gto\"\n"
                "statistic = \"l1d.hits\"\nshown_as = \"difference\"\ndirection = \"~ 0\"\n"
                "[[figure.claim.reading]]\ntext = \"R\"\nstatistic = \"l2.hits\"\n" +
                keys)
        .figures.at(0)
        .claims.at(0)
        .readings.at(0)
        .measure;
  };
  const Measure measure = reading_of("");
  EXPECT_EQ(measure.statistic, "l2.hits");
  EXPECT_EQ(measure.over, "gto");
  EXPECT_EQ(measure.shown_as, ShownAs::difference);
  EXPECT_EQ(reading_of("shown_as = \"value\"\n").shown_as, ShownAs::value);
}

TEST_F(Reproduction, DirectionsAreReadAsTheFileSays) {
  const auto direction_of = [&](const std::string& text) {
    return read(std::string(kPaperHead) + kOneFigure +
                "[[figure.claim]]\ntext = \"C\"\nsource = \"s\"\nrow = \"lrr\"\ndirection = \"" +
                text + "\"\n")
        .figures.at(0)
        .claims.at(0)
        .direction;
  };
  EXPECT_EQ(direction_of("favours").relation, Relation::favours);
  EXPECT_EQ(direction_of("neutral").relation, Relation::neutral);
  EXPECT_EQ(direction_of("nearer 24 than 48").than, 24);
  EXPECT_EQ(direction_of("nearer 24 than 48").rather, 48);
  for (const char* wrong : {"nearer 24", "favours 1", "> 1 2", "above 1"})
    EXPECT_THROW(direction_of(wrong), UserError) << wrong;
}

TEST_F(Reproduction, APapersSizeIsFullOrWhatTheCaseGives) {
  Paper paper = read(std::string(kPaperHead) + kOneFigure);
  write_file_atomically(folder_.file("runs.toml"),
                        "title = \"T\"\ngpus = [\"gtx480\"]\nschedulers = [\"gto\"]\n"
                        "[[case]]\nname = \"A\"\nprogram = [\"bfs\", \"small\"]\n"
                        "[[case]]\nname = \"B\"\nprogram = [\"bfs\", \"64\", \"6\"]\n"
                        "full = [\"full\"]\nregisters = [\"expand=20\"]\n");
  const Study small = paper_study(paper, "runs", "small"),
              full = paper_study(paper, "runs", "paper");
  EXPECT_EQ(small.cases.at(1).run.program, (std::vector<std::string>{"bfs", "64", "6"}));
  EXPECT_EQ(small.cases[1].run.registers, std::vector<std::string>{"expand=20"});
  EXPECT_EQ(full.cases.at(0).run.program, (std::vector<std::string>{"bfs", "full"}));
  EXPECT_EQ(full.cases.at(1).run.program, (std::vector<std::string>{"bfs", "full"}));
  EXPECT_NE(small.name, full.name);

  write_file_atomically(folder_.file("runs.toml"),
                        "title = \"T\"\ngpus = [\"gtx480\"]\nschedulers = [\"gto\"]\n"
                        "[[program]]\nname = \"A\"\nprogram = [\"bfs\", \"small\"]\n"
                        "[[program]]\nname = \"B\"\nprogram = [\"bfs\", \"64\"]\nfull = [\"99\"]\n"
                        "[[case]]\ncoruns = [[\"A\", \"B\"]]\n");
  const Study corun = paper_study(paper, "runs", "paper");
  EXPECT_EQ(corun.cases.at(0).corun.at(0).program, (std::vector<std::string>{"bfs", "full"}));
  EXPECT_EQ(corun.cases[0].corun[1].program, (std::vector<std::string>{"bfs", "99"}));
}

// Details and hits until the first warp ends are not estimated. Only a figure of these hits needs
// them, and its runs are measured whole.
TEST_F(Reproduction, SampledRunsAreAStudyOfTheirOwn) {
  const Paper paper = read(std::string(kPaperHead) + kOneFigure);
  Paper of_first_warp = paper;
  of_first_warp.figures.at(0).measure.statistic = "first_warp.l1d.hits";
  const auto study_with = [&](const char* watch, bool sample, const Paper& of) {
    write_file_atomically(folder_.file("runs.toml"),
                          "title = \"T\"\ngpus = [\"gtx480\"]\nschedulers = [\"gto\"]\n" +
                              std::string(watch) +
                              "[[case]]\nname = \"A\"\nprogram = [\"bfs\", \"small\"]\n");
    Study ran;
    lab::Reproduction(of, {}, PaperRuns{"small", sample}, {})
        .run({}, [&](const Study& study, const SweepOptions&) {
          ran = study;
          return SweepResult();
        });
    return ran;
  };
  const Study whole = study_with("", false, paper), sampled = study_with("", true, paper);
  EXPECT_FALSE(whole.cases.at(0).sample);
  EXPECT_TRUE(sampled.cases.at(0).sample);
  EXPECT_NE(whole.name, sampled.name);
  EXPECT_FALSE(study_with("watch = [\"details\"]\n", true, paper).cases.at(0).sample);

  const char* const first_warp = "watch = [\"first_warp\"]\n";
  EXPECT_TRUE(study_with(first_warp, true, paper).cases.at(0).sample);
  EXPECT_FALSE(study_with(first_warp, true, paper).cases[0].run.watch.first_warp);
  EXPECT_TRUE(study_with(first_warp, false, paper).cases[0].run.watch.first_warp);
  const Study hits = study_with(first_warp, true, of_first_warp);
  EXPECT_FALSE(hits.cases.at(0).sample);
  EXPECT_TRUE(hits.cases[0].run.watch.first_warp);
  EXPECT_EQ(hits.name, whole.name);
}

// A run whose launches take the given cycles; the second kernel is another one.
RunRecord launches_of(const std::vector<std::int64_t>& cycles) {
  RunRecord record;
  record.host = "h";
  record.started = "2026-01-31T12:00:00Z";
  std::int64_t sum = 0;
  record.results["kernels"] = nlohmann::ordered_json::array();
  for (const std::int64_t one : cycles) {
    sum += one;
    record.results["kernels"].push_back(
        {{"display_name", one == 70 ? "other<int>(int*)" : "walk(int)"},
         {"simulated", "timed"},
         {"grid", {4, 1, 1}},
         {"block", {256, 1, 1}},
         {"registers_per_thread", 15},
         {"shared_bytes", 0},
         {"occupancy", {{"ctas_per_sm", 6}, {"warps_per_sm", 48}, {"limiter", "threads"}}},
         {"cycles", one},
         {"warp_instructions", 10},
         {"thread_instructions", 320},
         {"l1d", {{"hits", one}, {"accesses", 100}}},
         {"policy",
          {{"ipaws",
            {{"phase_cycles", {{"adapt", 3}}},
             {"decisions",
              {{{"decides", 0}, {"of_interest", 1}},
               {{"decides", 1}, {"of_interest", one / 10}, {"choice", "greedy"}}}}}}}}});
  }
  // Of two runs that differ in hits beyond the L1 but not in their slots.
  record.results["totals"] = {
      {"rates", {{"l2_hits", sum == 210 ? 0.5 : 0.9}}},
      {"launches", cycles.size()},
      {"cycles", sum},
      {"warp_instructions", 10},
      {"thread_instructions", 320},
      {"slots", {{"issued", 10}, {"idle", 30}, {"barrier", 60}, {"throttled", 0}}}};
  return record;
}

SweepTask run_under(const std::string& scheduler) {
  SweepTask task;
  task.identity.program = "p";
  task.identity.run.gpu = "gtx480";
  task.identity.configuration_hash = config::hash(config::load_gpu("gtx480"));
  task.identity.run.scheduler = scheduler;
  task.identity.run.cta_scheduler = "rr";
  task.identity.run.share = "leftover";
  task.key = task.identity.key();
  return task;
}

TEST_F(Reproduction, AClaimMaySayHowNearIsNear) {
  const std::string claim =
      std::string(kPaperHead) + kOneFigure +
      "[[figure.claim]]\ntext = \"C\"\nsource = \"s\"\nrow = \"lrr\"\nwithin = 0.25\n";
  EXPECT_EQ(read(claim + "direction = \"~ 2\"\n").figures[0].claims[0].direction.within, 0.25);
  EXPECT_NE(error_of(claim + "direction = \"> 2\"\n").find("within is of a direction with ~"),
            std::string::npos);
  const std::string reading = "[[figure.claim.reading]]\ntext = \"R\"\ngpu = \"ipaws\"\n";
  const auto within_of = [&](const std::string& key) {
    return read(claim + "direction = \"~ 2\"\n" + reading + key)
        .figures[0]
        .claims[0]
        .readings[0]
        .within;
  };
  EXPECT_EQ(within_of(""), std::nullopt);
  EXPECT_EQ(within_of("within = 0.5\n"), 0.5);
  const std::string above = std::string(kPaperHead) + kOneFigure +
                            "[[figure.claim]]\ntext = \"C\"\nsource = \"s\"\nrow = \"lrr\"\n"
                            "direction = \"> 2\"\n";
  EXPECT_NE(error_of(above + reading + "within = 0.5\n").find("within is of a direction with ~"),
            std::string::npos);
}

// A program of a co-run: alone it has 8 instructions a cycle.
Corun corun_of(double ipc) {
  Corun corun;
  CorunProgram program;
  program.ipc = ipc;
  program.cycles = 500;
  program.progress = ipc / 8;
  program.repetitions = 2;
  program.results = launches_of({100, 70}).results;
  CorunProgram alone = program;
  alone.ipc = 8;
  CorunProgram other = program;
  other.results = launches_of({300}).results;
  corun.alone = {alone, alone};
  corun.shared.push_back({"even", {program, other}, {}, {}, 1000, 0, 0});
  corun.shared[0].metrics.stp = 2 * ipc / 8;
  return corun;
}

TEST_F(Reproduction, ValuesMayBeThoseOfAProgramOfACorun) {
  const std::string file = folder_.file("s.sqlite");
  SweepTask task = run_under("swl:warps=6+gto");
  {
    StoreWriter writer(file);
    RunRecord record = launches_of({1});
    record.results = kept_results(corun_of(6), {"KMN", "BLK"});
    writer.put_run(task, record);
    writer.database().execute(
        "INSERT INTO studies(id, name, title, file, document, options, baseline, margin, near, "
        "swept) VALUES(1, 'runs', 'T', 'f', 'd', '{}', 'gto', 0, 0, 't')");
    writer.database().execute(
        "INSERT INTO cases(id, study_id, ordinal, name, workload, gpu, parameters, winners) "
        "VALUES(1, 1, 0, 'KMN-BLK', 'KMN-BLK', 'gtx480', '{}', '[]')");
    writer.database().execute("INSERT INTO case_runs VALUES(1, 'gto', '" + task.key + "')");
  }
  const ResultsStore store(file);
  StudyValues values(store, "runs");
  Measure measure;
  measure.row = "gto";
  measure.shown_as = ShownAs::value;
  const auto value_of = [&](const std::string& workload, const std::string& statistic,
                            const std::string& kernel = "") {
    measure.statistic = statistic;
    measure.kernel = kernel;
    return values.value(measure, workload);
  };
  EXPECT_EQ(value_of("KMN-BLK", "stp"), 1.5);
  EXPECT_EQ(value_of("KMN-BLK", "cycles"), 1000) << "until every program has ended once";
  EXPECT_EQ(value_of("KMN-BLK", "launches"), 3);
  EXPECT_EQ(value_of("KMN-BLK: KMN", "ipc"), 6);
  EXPECT_EQ(value_of("KMN-BLK: KMN", "cycles"), 500) << "of one repetition";
  EXPECT_EQ(value_of("KMN-BLK: KMN", "progress"), 0.75);
  EXPECT_EQ(value_of("KMN-BLK: KMN", "ipc / alone.ipc"), 0.75);
  EXPECT_EQ(value_of("KMN-BLK: BLK", "slots.issued"), 10);
  EXPECT_FALSE(value_of("KMN-BLK: SC", "ipc"));
  EXPECT_EQ(value_of("KMN-BLK: KMN", "cycles", "longest"), 100);
  EXPECT_EQ(value_of("KMN-BLK: KMN", "cycles", "other"), 70);
  EXPECT_EQ(value_of("KMN-BLK: BLK", "cycles", "walk"), 300);
  EXPECT_EQ(value_of("KMN-BLK", "scheduler.warps"), 6) << "the limit of swl";
  EXPECT_FALSE(value_of("KMN-BLK", "scheduler.arps"));
  measure.cases = {"KMN-BLK: KMN", "KMN-BLK: BLK"};
  measure.statistic = "cycles";
  measure.kernel = "longest";
  for (const auto& [mean, expected] :
       {std::pair{Mean::maximum, 300}, {Mean::minimum, 100}, {Mean::arithmetic, 200}}) {
    measure.mean = mean;
    EXPECT_EQ(values.mean(measure), expected);
  }
  for (const StoredStatistic& one : store.statistics())
    if (one.name == "programs.BLK.slots.issued") EXPECT_EQ(one.unit, "slots");
}

TEST_F(Reproduction, ValuesAreThoseOfRunsOrOfTheirLongestLaunches) {
  const std::string file = folder_.file("s.sqlite");
  {
    StoreWriter writer(file);
    RunRecord first = launches_of({100, 70, 40});
    first.results = kept_results(first.results);  // as a sweep does
    writer.put_run(run_under("gto"), first);
    writer.put_run(run_under("lrr"), launches_of({200, 70}));
    writer.put_run(run_under("ccws"), launches_of({30, 90, 40}));
    writer.database().execute(
        "INSERT INTO studies(id, name, title, file, document, options, baseline, margin, near, "
        "swept) VALUES(1, 'runs', 'T', 'f', 'd', '{}', 'gto', 0, 0, 't')");
    writer.database().execute(
        "INSERT INTO cases(id, study_id, ordinal, name, workload, gpu, parameters, winners) "
        "VALUES(1, 1, 0, 'A', 'A', 'gtx480', '{}', '[]'), (2, 1, 1, 'B', 'B', 'gtx480', '{}', "
        "'[]')");
    for (const auto& [one_case, row] :
         {std::pair{"1", "gto"}, {"1", "ccws"}, {"2", "lrr"}, {"2", "gto"}})
      writer.database().execute(std::string("INSERT INTO case_runs VALUES(") + one_case + ", '" +
                                row + "', '" + run_under(row).key + "')");
  }
  const ResultsStore store(file);
  StudyValues values(store, "runs");
  Measure measure;
  measure.row = "gto";
  measure.shown_as = ShownAs::value;
  const auto value_of = [&](const std::string& statistic, const std::string& kernel) {
    measure.statistic = statistic;
    measure.kernel = kernel;
    return values.value(measure, "A");
  };
  EXPECT_EQ(value_of("cycles", ""), 210);
  EXPECT_EQ(value_of("cycles", "longest"), 100);
  EXPECT_EQ(value_of("cycles", "other"), 70);
  EXPECT_FALSE(value_of("cycles", "none"));
  EXPECT_EQ(value_of("l1d.hits / l1d.accesses", "other"), 0.7);
  EXPECT_EQ(value_of("occupancy.warps_per_sm", "longest"), 48);
  EXPECT_EQ(value_of("policy.ipaws.decisions.of_interest", "walk"), 10)
      << "of the decision that the SMs followed";
  EXPECT_EQ(value_of("slots.issued + slots.idle / slots.issued + slots.idle + slots.barrier", ""),
            0.4);
  EXPECT_FALSE(value_of("slots.issued + slots.none", ""));
  measure.statistic = "slots.throttled";
  measure.kernel.clear();
  measure.cases = {"A", "A"};
  for (const Mean mean : {Mean::geometric, Mean::harmonic, Mean::arithmetic}) {
    measure.mean = mean;
    EXPECT_EQ(values.mean(measure), 0) << "a share of 0 is measured";
  }

  measure.shown_as = ShownAs::ratio;
  measure.over = "lrr";
  EXPECT_FALSE(value_of("cycles", "")) << "A has no run under lrr";
  measure.over = "ccws";
  EXPECT_EQ(value_of("cycles", "longest"), 70 / 90.0) << "of the second launch, which gto also has";
  measure.over = "lrr";
  measure.over_case = "B";
  EXPECT_EQ(value_of("cycles", "longest"), 0.5);
  measure.over_statistic = "slots.throttled";
  EXPECT_EQ(value_of("cycles", ""), std::numeric_limits<double>::infinity()) << "a ratio to 0";
  EXPECT_EQ(value_of("slots.throttled", ""), 1) << "0 and 0 are equal";
  measure.over_statistic = "slots.issued + slots.idle + slots.barrier";
  EXPECT_EQ(value_of("cycles", ""), 2.1) << "210 cycles by the 100 slots of the other run";
  measure.over_statistic.clear();
  measure.shown_as = ShownAs::difference;
  EXPECT_EQ(value_of("cycles", ""), -60) << "210 less 270";

  Claim claim;
  claim.measure = measure;
  claim.measure.kernel.clear();
  claim.measure.statistic = "cycles";
  claim.measure.shown_as = ShownAs::speed_up;
  claim.measure.cases = {"A"};
  const Evidence evidence = evidence_against(claim, values);
  EXPECT_EQ(evidence.workload, "A");
  EXPECT_TRUE(evidence.cases.empty()) << "one case needs no list";
  EXPECT_EQ(evidence.own_cycles, 210);
  EXPECT_EQ(evidence.other_cycles, 270);
  ASSERT_EQ(evidence.statistics.size(), 1u) << "the issue slots are alike";
  EXPECT_EQ(evidence.statistics[0].name, "L2 hits");
  EXPECT_EQ(evidence.statistics[0].own, 0.5);
  EXPECT_EQ(evidence.statistics[0].other, 0.9);

  claim.measure.statistic = "cycles";
  claim.measure.shown_as = ShownAs::ratio;
  claim.measure.over = "gto";
  claim.measure.over_case.clear();
  claim.measure.over_statistic = "slots.issued + slots.idle";
  claim.measure.against = "lrr";
  claim.measure.cases = {"B"};
  claim.measure.mean = Mean::arithmetic;
  EXPECT_DOUBLE_EQ(values.mean(claim.measure).value_or(0), 210.0 / 270) << "of means of shares";
  EXPECT_EQ(evidence_against(claim, values).other_cycles, 270) << "of the row that it is against";

  claim.measure.against.clear();
  claim.measure.over_statistic.clear();
  claim.measure.shown_as = ShownAs::speed_up;
  claim.measure.over_each = {"gto", "lrr"};
  claim.direction.relation = Relation::below;
  EXPECT_DOUBLE_EQ(values.mean(claim.measure).value_or(0), (1 + 270.0 / 210) / 2)
      << "over gto and over lrr";
  EXPECT_EQ(evidence_against(claim, values).other, "lrr") << "which speaks against the claim";
}

TEST(NeededRuns, AreThoseOfBarsClaimsAndReadings) {
  Study study;
  study.best_of = {{"best", {"swl:warps=2", "swl:warps=4"}}};
  for (const char* workload : {"A", "B", "A, large", "C-D"}) {
    StudyCase& one = study.cases.emplace_back();
    one.workload = workload;
  }
  Figure figure;
  figure.study = "runs";
  figure.rows = {"lrr", "best"};
  figure.measure.over = "gto";
  figure.measure.cases = {"A", "C-D: C"};
  Claim claim;
  claim.measure = figure.measure;
  claim.measure.row = "daws";
  claim.measure.cases = {"A, large"};
  claim.measure.over_cases = {{"A, large", "A"}};
  claim.readings.push_back({"other", "others", claim.measure, {}});
  claim.readings.back().measure.row = "ccws";
  figure.claims = {claim};

  const NeededRuns needed(study, "runs", {figure});
  EXPECT_TRUE(needed.contains("A", "lrr"));
  EXPECT_TRUE(needed.contains("A", "gto"));
  EXPECT_TRUE(needed.contains("A", "swl:warps=4")) << "of best_of";
  EXPECT_TRUE(needed.contains("C-D", "lrr")) << "of a program of a co-run";
  EXPECT_TRUE(needed.contains("A, large", "daws"));
  EXPECT_TRUE(needed.contains("A", "daws")) << "with which the large one is compared";
  EXPECT_FALSE(needed.contains("B", "lrr")) << "no figure has it";
  EXPECT_FALSE(needed.contains("A, large", "lrr"));
  EXPECT_FALSE(needed.contains("A, large", "ccws")) << "of another study";

  const NeededRuns others(study, "others", {figure});
  EXPECT_TRUE(others.contains("A, large", "ccws"));
  EXPECT_TRUE(others.contains("A, large", "gto"));
  EXPECT_FALSE(others.contains("A", "lrr"));
}

TEST(Claims, ThatHoldOnlyInAReadingAreCounted) {
  ClaimResult one;
  one.verdict = ClaimVerdict::does_not_hold;
  EXPECT_FALSE(one.holds_in_a_reading());
  one.readings = {{0.9, ClaimVerdict::does_not_hold}, {1.1, ClaimVerdict::holds_in_direction}};
  EXPECT_TRUE(one.holds_in_a_reading());
  FigureResult figure;
  figure.claims = {one};
  EXPECT_EQ(count_claims({figure}).does_not_hold, 1u);
  EXPECT_EQ(count_claims({figure}).hold_in_a_reading, 1u);
  one.verdict = ClaimVerdict::holds;
  EXPECT_FALSE(one.holds_in_a_reading());
}

// The papers that Heddle comes with can be read, and each figure has a study.
TEST(Papers, OfTheExperimentsAreWellFormed) {
  const std::string folder = HEDDLE_SOURCE_DIR "/experiments";
  const auto papers = list_papers(folder);
  EXPECT_EQ(papers, (std::vector<std::string>{"ctamap", "daws", "ipaws", "kaws", "lfws"}));
  for (const std::string& name : papers) {
    const Paper paper = read_paper(folder + "/" + name);
    for (const Figure& figure : paper.figures) {
      const Study study = paper_study(paper, figure.study, "small");
      // A row of the study, or one of its best_of.
      const auto check_row = [&](const Study& in, const std::string& row) {
        bool found = std::find(in.rows.begin(), in.rows.end(), row) != in.rows.end();
        for (const StudyCase& one : in.cases)
          found |=
              std::find(one.schedulers.begin(), one.schedulers.end(), row) != one.schedulers.end();
        EXPECT_TRUE(found) << name << ", figure " << figure.number << ": " << in.name
                           << " has no row " << row;
      };
      // A case of the study, or a program of a co-run.
      const auto check_cases = [&](const Study& in, const Measure& measure) {
        for (const std::string& wanted : measure.cases) {
          bool found = false;
          for (const StudyCase& one : in.cases) {
            found |= one.workload == wanted;
            for (const StudyProgram& program : one.corun)
              found |= one.workload + kProgramSeparator + program.name == wanted;
          }
          EXPECT_TRUE(found) << name << ", figure " << figure.number << ": " << in.name
                             << " has no case " << wanted;
        }
      };
      check_cases(study, figure.measure);
      for (const std::string& row : figure.rows) check_row(study, row);
      for (const Claim& claim : figure.claims) {
        check_row(study, claim.measure.row);
        check_cases(study, claim.measure);
        for (const Reading& reading : claim.readings) {
          const Study other =
              paper_study(paper, reading.study.empty() ? figure.study : reading.study, "small");
          check_row(other, reading.measure.row);
          check_cases(other, reading.measure);
        }
      }
    }
  }
}

}  // namespace
}  // namespace heddle::lab
