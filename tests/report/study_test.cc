#include "lab/study.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/diagnostics.h"
#include "lab/process.h"
#include "lab/sweep.h"
#include "report/store_report.h"
#include "report/study_table.h"
#include "tests/error_message.h"

namespace heddle::report {
using namespace lab;

namespace {

const char* const kHead =
    "title = \"t\"\ngpus = [\"g\", \"h\"]\nschedulers = [\"lrr\", \"gto\"]\n[best_of]\n\"swl, "
    "best\" = [\"swl:warps=2\", \"swl:warps=4\"]\n";

Study study_of(const std::string& text) {
  const TemporaryFolder folder;
  write_file_atomically(folder.file("s.toml"), text);
  return read_study(folder.file("s.toml"));
}

std::string error_of(const std::string& text) {
  return message_of([&] { study_of(text); });
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string one_case(const std::string& rest) {
  return std::string(kHead) + "[[case]]\nname = \"c\"\nprogram = [\"p\", \"1\"]\n" + rest;
}

// lrr 1000 cycles, gto 500, swl 400 and 800, in every case.
SweepResult measured(const Study& study) {
  SweepResult result;
  CaseResult one;
  one.cycles = {{"lrr", 1000}, {"gto", 500}, {"swl:warps=2", 400}, {"swl:warps=4", 800}};
  result.cases.assign(study.cases.size(), one);
  return result;
}

// A store may say anything.
TEST(Durations, HaveATextWhateverTheyAre) {
  EXPECT_EQ(duration_text(90), "90 s");
  EXPECT_EQ(duration_text(std::numeric_limits<double>::infinity()), "inf s");
  EXPECT_EQ(duration_text(1e300), "1e+300 s");
}

}  // namespace

TEST(Study, CombinesEverySchedulerWithEveryCtaScheduler) {
  const std::string head =
      "title = \"t\"\ngpus = [\"g\"]\nschedulers = [\"gto\", \"ps\"]\n"
      "cta_schedulers = [\"rr\", \"mapped\"]\n";
  const std::string first =
      "[[case]]\nname = \"c\"\nprogram = [\"p\"]\n"
      "expected = [\"ps + mapped > gto + mapped > gto\"]\n";
  const Study study = study_of(head + first +
                               "[[case]]\nname = \"d\"\nprogram = [\"q\"]\n"
                               "cta_schedulers = [\"rr\", \"lcs\"]\n");
  using Names = std::vector<std::string>;
  EXPECT_EQ(study.cases[0].schedulers, (Names{"gto", "ps", "gto + mapped", "ps + mapped"}));
  EXPECT_EQ(study.cases[0].expectations[0].names, (Names{"ps + mapped", "gto + mapped", "gto"}));
  EXPECT_EQ(study.cases[1].schedulers, (Names{"gto", "ps", "gto + lcs", "ps + lcs"}));
  EXPECT_EQ(study.rows,
            (Names{"gto", "ps", "gto + mapped", "ps + mapped", "gto + lcs", "ps + lcs"}));
}

TEST(Study, HasOneCasePerGpu) {
  const Study study = study_of(one_case("also = [\"ccws\"]\n"));
  EXPECT_EQ(study.name, "s");
  ASSERT_EQ(study.cases.size(), 2u);
  EXPECT_EQ(study.cases[1].name, "c on h");
  EXPECT_EQ(study.cases[1].schedulers,
            (std::vector<std::string>{"lrr", "gto", "swl:warps=2", "swl:warps=4", "ccws"}));
  EXPECT_EQ(study.rows, (std::vector<std::string>{"lrr", "gto", "swl, best", "ccws"}));
  EXPECT_EQ(study_of(one_case("gpus = [\"k\"]\n")).cases.at(0).name, "c");
}

TEST(Study, ErrorsHaveALineNumber) {
  EXPECT_TRUE(
      mentions(error_of(one_case("expected = [\"gto > ccws\"]\n")), "s.toml:9: \"gto > ccws\""));
  EXPECT_TRUE(
      mentions(error_of(one_case("winner = [\"gto\"]\n")), "s.toml:9: there is no key winner"));
  EXPECT_TRUE(mentions(error_of(std::string(kHead)), "at least one"));
  EXPECT_TRUE(mentions(error_of(one_case("expected = [\"gto > lrr\"]\n[[case.finding]]\nexpected = "
                                         "\"lrr > gto\"\nreason = \"r\"\n")),
                       "not an expectation of this case"));
  EXPECT_TRUE(mentions(error_of("title = "), "s.toml:1:"));
}

TEST(Study, JudgesEveryPairOfNeighbours) {
  const Study study = study_of(
      one_case("gpus = [\"g\"]\nexpected = [\"swl, best > gto > lrr\", \"gto > swl, best\", "
               "\"gto ~ lrr\", \"gto ~ gto\", \"gto > gto\"]\n"));
  const SweepResult result = measured(study);
  std::vector<ExpectationVerdict> verdicts;
  for (const Expectation& expectation : study.cases[0].expectations)
    verdicts.push_back(judge(study, result, 0, expectation));
  using enum ExpectationVerdict;
  EXPECT_EQ(verdicts, (std::vector<ExpectationVerdict>{holds, fails, fails, holds, fails}));
  SweepResult nothing;
  nothing.cases.resize(1);
  EXPECT_EQ(judge(study, nothing, 0, study.cases[0].expectations[0]), unknown);
}

// gto 500 ± 60 is not surely slower than swl's 400 ± 60; lrr 1000 is.
TEST(StudyTable, SaysWhereTheBarsOfEstimatesOverlap) {
  const Study study = study_of(one_case("expected = [\"swl, best > gto\", \"gto > lrr\"]\n"));
  SweepResult result = measured(study);
  for (CaseResult& one : result.cases) one.bars = {{"gto", 60}, {"swl:warps=2", 60}};
  const auto& expected = study.cases[0].expectations;
  EXPECT_EQ(judge(study, result, 0, expected[0]), ExpectationVerdict::unknown);
  EXPECT_EQ(judge(study, result, 0, expected[1]), ExpectationVerdict::holds);
  const std::string table = study_table(study, result);
  EXPECT_TRUE(mentions(table, "2.00 ±0.24? |")) << table;
  EXPECT_TRUE(mentions(table, "**2.50** ±0.38 |")) << table;
  EXPECT_TRUE(mentions(table, "error bar of estimates")) << table;
  EXPECT_FALSE(mentions(study_table(study, measured(study)), "±"));
}

TEST(StudyTable, MarksWinnersAndGivesReasonsForFailedExpectations) {
  const Study study =
      study_of(one_case("gpus = [\"g\"]\nwinners = [\"gto\"]\nexpected = [\"gto > lrr\", \"gto > "
                        "swl, best\"]\n[[case.finding]]\nexpected = \"gto > swl, "
                        "best\"\nreason = \"The cache.\"\n"));
  const std::string table = study_table(study, measured(study));
  EXPECT_TRUE(mentions(table, "| `gto` | 2.00 ← |\n")) << table;
  EXPECT_TRUE(mentions(table, "| `swl, best` | **2.50** |\n")) << table;
  EXPECT_TRUE(mentions(table, "- c: `gto > lrr` (2.000, 1.000)\n")) << table;
  EXPECT_TRUE(mentions(table, "- c: `gto > swl, best` (2.000, 2.500). The cache.\n")) << table;
}

TEST(StudyTable, ReplacesOnlyTheTextBetweenItsMarks) {
  EXPECT_EQ(put_into_page("a\n<!-- sweep s -->\nold\n<!-- end of sweep s -->\nb\n", "s", "new\n"),
            "a\n<!-- sweep s -->\n\nnew\n\n<!-- end of sweep s -->\nb\n");
  EXPECT_THROW(put_into_page("a\n", "s", "new\n"), UserError);
}

}  // namespace heddle::report
