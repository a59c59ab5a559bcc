// Studies as products: grids, sizes, budgets, exclusions, and a located message for every mistake.
#include "lab/study_grid.h"

#include <gtest/gtest.h>

#include "lab/study.h"
#include "lab/study_row.h"
#include "tests/error_message.h"

namespace heddle::lab {
namespace {

using Names = std::vector<std::string>;

const std::string kHead = "title = \"t\"\ngpus = [\"g\"]\nschedulers = [\"lrr\", \"gto\"]\n";
const std::string kCase = "[[case]]\nname = \"c\"\nprogram = [\"p\", \"1\"]\n";

Study study_of(const std::string& text) { return read_study("s.toml", text); }

std::string error_of(const std::string& text) {
  return message_of([&] { study_of(text); });
}

Names names_of(const Study& study) {
  Names names;
  for (const StudyCase& one : study.cases) names.push_back(one.name);
  return names;
}

TEST(StudyGrid, CombinesEveryValueWithEveryOther) {
  const Study study = study_of(kHead + "[grid]\nb = [2, 4]\na = [\"x\", true]\n" + kCase);
  EXPECT_EQ(names_of(study),
            (Names{"c, b=2, a=x", "c, b=2, a=true", "c, b=4, a=x", "c, b=4, a=true"}));
  EXPECT_EQ(study.cases[2].run.overrides, (Names{"b=4", "a=x"}));
  using Parameters = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(study.cases[2].parameters, (Parameters{{"b", "4"}, {"a", "x"}}));
}

TEST(StudyGrid, ReadsRangesWithStepsAndFactors) {
  const Study study = study_of(kHead + "[grid]\na = {from = 16, to = 64, times = 2}\n" +
                               "b = {from = 0.5, to = 1, step = 0.25}\n" + kCase);
  ASSERT_EQ(study.cases.size(), 9u);
  EXPECT_EQ(study.cases[0].name, "c, a=16, b=0.5");
  EXPECT_EQ(study.cases[8].name, "c, a=64, b=1");
}

TEST(StudyGrid, ReadsVariantsOfSeveralParameters) {
  const Study study =
      study_of(kHead + "[grid]\nl1d = {small = [\"s=1\", \"w=2\"], large = [\"s=4\"]}\n" + kCase);
  EXPECT_EQ(names_of(study), (Names{"c, l1d=small", "c, l1d=large"}));
  EXPECT_EQ(study.cases[0].run.overrides, (Names{"s=1", "w=2"}));
}

TEST(StudyGrid, ACaseHasTheNameOfItsProgramUnlessItHasOne) {
  const Study study = study_of(kHead + "[[case]]\nprogram = [\"./x/p.hcap\", \"7\"]\n" + kCase);
  EXPECT_EQ(names_of(study), (Names{"p", "c"}));
}

TEST(StudyGrid, ChoosesTheCodeThatIsExecuted) {
  const Study study = study_of(kHead + "[grid]\nisa = [\"auto\", \"sass\"]\n" + kCase);
  EXPECT_EQ(names_of(study), (Names{"c, isa=auto", "c, isa=sass"}));
  EXPECT_TRUE(study.cases[1].run.overrides.empty());
  RunIdentity usual, machine_code;
  usual.run = study.cases[0].run, machine_code.run = study.cases[1].run;
  EXPECT_NE(usual.key(), machine_code.key());
  EXPECT_EQ(usual.changes(), Names{});
  EXPECT_EQ(machine_code.changes(), Names{"isa=sass"});
  EXPECT_NE(error_of(kHead + "[grid]\nisa = [\"avx\"]\n" + kCase).find("auto, ptx or sass"),
            std::string::npos);
}

TEST(StudyGrid, GivesSeedsToRunsAndNotToTheGpu) {
  const Study study = study_of(kHead + "[grid]\nseed = [1, 7]\n" + kCase);
  ASSERT_EQ(study.cases.size(), 2u);
  EXPECT_EQ(study.cases[1].run.seed, 7u);
  EXPECT_TRUE(study.cases[1].run.overrides.empty());
}

TEST(StudyGrid, IsReplacedByTheCasesOwnAxis) {
  const Study study =
      study_of(kHead + "[grid]\na = [1, 2]\nb = [3]\n" + kCase + "[case.grid]\na = [5]\n");
  EXPECT_EQ(names_of(study), (Names{"c, a=5, b=3"}));
}

TEST(Study, MakesACaseOfEveryProgramAndSize) {
  const Study study =
      study_of(kHead +
               "[[case]]\nprograms = [\"x/p\", \"q\"]\nsizes = [\"tiny\", \"small\"]\n"
               "group = \"k\"\nset = [\"a=1\"]\n");
  EXPECT_EQ(names_of(study), (Names{"p, tiny", "p, small", "q, tiny", "q, small"}));
  EXPECT_EQ(study.cases[1].run.program, (Names{"x/p", "small"}));
  EXPECT_EQ(study.cases[1].group, "k");
}

const std::string kTwoPrograms =
    "[[program]]\nname = \"A\"\nprogram = [\"x/a\", \"small\"]\nregisters = [\"k=20\"]\n"
    "[[program]]\nname = \"B\"\nprogram = [\"b\", \"4\"]\nfull = [\"8\"]\n";

TEST(Study, MakesACaseOfEveryCorun) {
  const Study study = study_of(
      kHead + kTwoPrograms + "[[case]]\ncoruns = [[\"A\", \"B\"], [\"B\", \"B\"]]\nonce = true\n");
  EXPECT_EQ(names_of(study), (Names{"A-B", "B-B"}));
  const StudyCase& first = study.cases[0];
  ASSERT_EQ(first.corun.size(), 2u);
  EXPECT_TRUE(first.run.program.empty());
  EXPECT_TRUE(first.once);
  EXPECT_EQ(first.corun[0].name, "A");
  EXPECT_EQ(first.corun[0].program, (Names{"x/a", "small"}));
  EXPECT_EQ(first.corun[1].full, (Names{"8"}));
  EXPECT_EQ(first.run.registers, (Names{"k=20"}));
  EXPECT_EQ(study.cases[1].corun[1].name, "B 2") << "names of statistics must differ";
  EXPECT_TRUE(study.cases[1].run.registers.empty());
}

TEST(Study, SamplesCoruns) {
  EXPECT_TRUE(study_of(kHead + "sample = true\n" + kTwoPrograms + "[[case]]\ncoruns = [[\"A\"]]\n")
                  .cases[0]
                  .sample);
}

TEST(Study, RefusesMistakesInCoruns) {
  const struct {
    std::string text, message;
  } mistakes[] = {
      {kTwoPrograms + "[[case]]\ncoruns = [[\"A\", \"C\"]]\n", "there is no [[program]] C"},
      {kTwoPrograms + "[[case]]\ncoruns = []\n", "coruns must be a list"},
      {kTwoPrograms + "[[case]]\nname = \"n\"\ncoruns = [[\"A\"]]\n", "name excludes coruns"},
      {kTwoPrograms + "[[case]]\ncoruns = [[\"A\"]]\nbudget = {cycles = 9}\n", "timed as a whole"},
      {kTwoPrograms + kCase + "once = true\n", "once is of coruns"},
      {kTwoPrograms + kTwoPrograms + kCase, "there are two programs A"},
      {"[[program]]\nname = \"A.B\"\nprogram = [\"a\"]\n" + kCase, "no point and no colon"},
  };
  for (const auto& [text, message] : mistakes)
    EXPECT_NE(error_of(kHead + text).find(message), std::string::npos) << error_of(kHead + text);
}

TEST(Study, CombinesSharePoliciesWithSchedulers) {
  const Study study = study_of(
      "shares = [\"leftover\", \"spatial:first=5\"]\n"
      "cta_schedulers = [\"rr\", \"mapped\"]\n" +
      kHead + kCase);
  EXPECT_EQ(study.rows,
            (Names{"lrr", "gto", "lrr + mapped", "gto + mapped", "lrr with spatial:first=5",
                   "gto with spatial:first=5", "lrr + mapped with spatial:first=5",
                   "gto + mapped with spatial:first=5"}));
  const StudyRow row = StudyRow::of(study.rows[7]);
  EXPECT_EQ(row.pair.scheduler, "gto");
  EXPECT_EQ(row.pair.cta_scheduler, "mapped");
  EXPECT_EQ(row.share, "spatial:first=5");
}

TEST(Study, OmitsExcludedRuns) {
  const Study study = study_of(kHead +
                               "[grid]\na = [1, 2]\n[[exclude]]\nscheduler = \"g*\"\n"
                               "grid = {a = [2]}\n" +
                               kCase + "expected = [\"gto > lrr\"]\n");
  EXPECT_EQ(study.cases[0].schedulers, (Names{"lrr", "gto"}));
  EXPECT_EQ(study.cases[1].schedulers, (Names{"lrr"}));
  EXPECT_EQ(study.cases[0].expectations.size(), 1u);
  EXPECT_TRUE(study.cases[1].expectations.empty()) << "gto is excluded there";
}

TEST(Study, ReadsBudgetsWithUnits) {
  const Study study =
      study_of(kHead + "[budget]\ncycles = 1000\ntime = \"1.5 min\"\nmemory = \"2GiB\"\n" + kCase +
               "[[case]]\nname = \"d\"\nprogram = [\"p\"]\n[case.budget]\ntime = \"2 h\"\n");
  EXPECT_EQ(study.cases[0].run.timed.limit_cycles, 1000u);
  EXPECT_EQ(study.cases[0].limits.seconds, 90);
  EXPECT_EQ(study.cases[0].limits.memory_bytes, std::uint64_t{2} << 30);
  EXPECT_EQ(study.cases[1].run.timed.limit_cycles, 0u);
  EXPECT_EQ(study.cases[1].limits.seconds, 7200);
}

TEST(Study, NamesTheLineOfEveryMistake) {
  const struct {
    std::string text, message;
  } mistakes[] = {
      {kHead + "[grid]\na = []\n" + kCase, "s.toml:5: a has no value"},
      {kHead + "[grid]\na = [1, 1]\n" + kCase, "s.toml:5: a has the value 1 twice"},
      {kHead + "[grid]\na = 3\n" + kCase, "s.toml:5: a must be a list"},
      {kHead + "[grid]\na = {from = 2, to = 1, step = 1}\n" + kCase, "s.toml:5: a must read {from"},
      {kHead + "[grid]\na = {from = 1, to = 2}\n" + kCase, "s.toml:5: a must read {from"},
      {kHead + "[grid]\na = {from = 1, to = 2, steps = 1}\n" + kCase, "s.toml:5: a range has"},
      {kHead + "[grid]\nseed = [\"x\"]\n" + kCase, "s.toml:5: a value of seed must be"},
      {kHead + "[budget]\ntime = \"10\"\n" + kCase, "s.toml:5: time must be a text"},
      {kHead + "[budget]\nmemory = \"10 MB\"\n" + kCase, "s.toml:5: memory must be a text"},
      {kHead + "[budget]\nmemory = \"1e19 GiB\"\n" + kCase, "s.toml:5: memory is too large"},
      {kHead + "[budget]\ntime = \"1e308 h\"\n" + kCase, "s.toml:5: time is too large"},
      {kHead + "[budget]\ncycles = 0\n" + kCase, "s.toml:5: cycles must be a whole number"},
      {kHead + "[[exclude]]\ngpu = \"h\"\n" + kCase, "s.toml:4: this [[exclude]] matches no run"},
      {kHead + "[[exclude]]\n" + kCase, "s.toml:4: an empty [[exclude]]"},
      {kHead + "[[case]]\nname = \"c\"\nprograms = [\"p\"]\n", "s.toml:5: name excludes programs"},
      {kHead + "[[case]]\nname = \"c\"\n", "s.toml:4: program must be a list"},
      {kHead + kCase + kCase, "s.toml:8: there are two cases c; give one of them a `name`"},
      {kHead + "sharez = 1\n" + kCase, "s.toml:4: there is no key sharez here"},
      {kHead + "[[case]\n", "s.toml:4:"},
      {"title = \"t\"\nschedulers = [\"lrr\"]\n" + kCase, "s.toml:3: gpus is missing"},
      {"schedulers = [\"lrr\"]\n" + kCase, "s.toml:1: title is missing"},
      {"title = 3\nschedulers = [\"lrr\"]\n" + kCase, "s.toml:1: title must be a text"},
      {"title = \"t\"\n" + kCase, "s.toml:1: schedulers must name at least one"},
      {"title = \"t\"\nschedulers = [1]\n" + kCase, "s.toml:2: schedulers must be a list"},
      {kHead, "s.toml:1: a study needs at least one [[case]]"},
      {kHead + "margin = 1.5\n" + kCase, "s.toml:4: margin must be a number from 0"},
      {kHead + "sample = true\nwatch = [\"details\"]\n" + kCase,
       "s.toml:4: sample: what watch names is not estimated; omit one of them"},
      {kHead + "watch = [\"loops\"]\n" + kCase,
       "s.toml:4: watch may name first_warp and details, not loops"},
      {kHead + "best_of = 3\n" + kCase, "s.toml:4: best_of must be a table"},
      {kHead + "[best_of]\ngto = [\"lrr\"]\n" + kCase, "s.toml:5: gto is already a scheduler"},
      {kHead + "grid = 3\n" + kCase, "s.toml:4: grid must be a table"},
      {kHead + "budget = 3\n" + kCase, "s.toml:4: budget must be a table"},
      {kHead + "[budget]\ncycle = 3\n" + kCase, "s.toml:5: there is no key cycle here"},
      {kHead + "[[exclude]]\nprogram = \"h\"\n" + kCase, "s.toml:5: there is no key program"},
      {kHead + "[[case]]\nname = \"c\"\n", "s.toml:4: program must be a list"},
      {kHead + "[[case]]\nprograms = []\n", "s.toml:5: programs must name at least one"},
      {kHead + kCase + "winners = [\"ccws\"]\n", "s.toml:7: winners must be schedulers"},
      {kHead + kCase + "expected = [\"gto lrr\"]\n", "s.toml:7: \"gto lrr\" must read"},
      {kHead + kCase + "expected = [\"gto > ccws\"]\n", "s.toml:7: \"gto > ccws\" must read"},
      {kHead + kCase + "[[case.finding]]\nexpected = \"gto > lrr\"\nreason = \"r\"\n",
       "s.toml:8: \"gto > lrr\" is not an expectation"},
      {kHead + kCase + "expected = [\"gto > lrr\"]\n[[case.finding]]\nexpected = \"gto > lrr\"\n",
       "s.toml:8: reason is missing"},
  };
  for (const auto& mistake : mistakes)
    EXPECT_EQ(error_of(mistake.text).substr(0, mistake.message.size()), mistake.message);
}

}  // namespace
}  // namespace heddle::lab
