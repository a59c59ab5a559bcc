// Surveys: reading their data, and what a matrix of speed-ups says about policies.
#include "lab/reproduction/survey.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "lab/workloads.h"
#include "sched/catalogue.h"
#include "tests/error_message.h"

namespace heddle::lab {
namespace {

// Three programs under a baseline, a greedy, a throttling and an oracle policy.
const SpeedupMatrix kMatrix{{"lrr", "gto", "ccws", "oracle"},
                            {"A", "B", "C"},
                            {{1, 2.0, 1.00, 4}, {1, 0.5, 1.00, 4}, {1, 1.0, 1.01, 4}}};
const Ranked kRanked{true, true, true, false};

TEST(SurveyScores, CountWhereAPolicyIsFastestNearAndAlone) {
  const auto scores = policy_scores(kMatrix, kRanked);
  ASSERT_EQ(scores.size(), 4u);
  EXPECT_EQ(scores[0].fastest, 1u);    // B, with ccws
  EXPECT_EQ(scores[0].near_best, 2u);  // B, and C within 2 %
  EXPECT_EQ(scores[0].alone, 0u);
  EXPECT_EQ(scores[1].fastest, 1u);    // A
  EXPECT_EQ(scores[1].near_best, 2u);  // A and C
  EXPECT_EQ(scores[1].alone, 1u);
  EXPECT_EQ(scores[2].fastest, 2u);
  EXPECT_EQ(scores[2].near_best, 2u);
  EXPECT_DOUBLE_EQ(scores[1].least, 0.5);
  EXPECT_NEAR(scores[1].mean, 1.0, 1e-12);
}

TEST(SurveyScores, AnOracleHasAMeanButDoesNotCompete) {
  const auto scores = policy_scores(kMatrix, kRanked);
  EXPECT_NEAR(scores[3].mean, 4, 1e-12);
  EXPECT_EQ(scores[3].fastest + scores[3].near_best + scores[3].alone, 0u);
  EXPECT_NEAR(best_per_program(kMatrix, kRanked), std::cbrt(2 * 1 * 1.01), 1e-12);
}

TEST(SurveyScores, TheLossIsTheDistanceFromTheBestPerProgram) {
  const auto scores = policy_scores(kMatrix, kRanked);
  EXPECT_NEAR(scores[0].loss, 1 - 1 / std::cbrt(2.02), 1e-12);
}

TEST(SurveyScores, TheBestPairNeedNotHaveTheBestSinglePolicy) {
  const auto single = best_set(kMatrix, kRanked, 1), pair = best_set(kMatrix, kRanked, 2);
  EXPECT_EQ(single, (std::vector<std::size_t>{2}));
  EXPECT_EQ(pair, (std::vector<std::size_t>{1, 2}));
  EXPECT_NEAR(best_of_set(kMatrix, pair), best_per_program(kMatrix, kRanked), 1e-12);
}

TEST(SurveyScores, AProgramIsSensitiveWhenRankedPoliciesDifferByMoreThanTwoPercent) {
  EXPECT_EQ(sensitive_programs(kMatrix, kRanked), 2u);  // A and B
}

class SurveyFile : public ::testing::Test {
 protected:
  std::string error_of(const std::string& text) {
    write_file_atomically(folder_.file("survey.toml"), text);
    write_file_atomically(folder_.file("runs.toml"),
                          "title = \"T\"\ngpus = [\"gtx480\"]\nschedulers = [\"lrr\", \"gto\"]\n"
                          "[[case]]\nname = \"A\"\nprogram = [\"a\", \"tiny\"]\n");
    return message_of([&] {
      read_survey(std::filesystem::path(folder_.file("survey.toml")).parent_path().string());
    });
  }
  TemporaryFolder folder_;
};

TEST_F(SurveyFile, NamesPartsAndRowsOfTheirStudies) {
  const std::string head = "title = \"T\"\nbaseline = \"lrr\"\n";
  const std::string part = "[[part]]\nsize = \"tiny\"\nstudy = \"runs\"\n";
  EXPECT_EQ(error_of(head + part), "no error");
  EXPECT_NE(error_of(head).find("there is no [[part]]"), std::string::npos);
  EXPECT_NE(error_of(head + part + part).find("two parts of size tiny"), std::string::npos);
  EXPECT_NE(error_of("title = \"T\"\nbaseline = \"ccws\"\n" + part).find("ccws is not a row"),
            std::string::npos);
  EXPECT_NE(error_of("oracles = [\"best\"]\n" + head + part).find("best is not a row"),
            std::string::npos);
  EXPECT_NE(error_of(head + "[[part]]\nsize = \"tiny\"\nstudy = \"other\"\n")
                .find("there is no other.toml"),
            std::string::npos);
}

// The survey that Heddle comes with stays complete when a program or a policy is added.
TEST(SurveyOfAll, HasEveryProgramAndEveryScheduler) {
  const std::string folder = HEDDLE_SOURCE_DIR "/experiments";
  EXPECT_EQ(list_surveys(folder), (std::vector<std::string>{"all", "machine-code"}));
  const Survey survey = read_survey(folder + "/all");
  std::string left_out;
  for (const LeftOut& one : survey.left_out) left_out += " " + one.what + " ";
  const Study study = part_study(survey, survey.parts.front());
  for (const Workload& workload : list_workloads())
    EXPECT_TRUE(std::any_of(study.cases.begin(), study.cases.end(), [&](const StudyCase& one) {
      return one.workload == workload.name;
    })) << workload.name;
  for (const policies::PolicyInfo& policy : sched::list_policies())
    EXPECT_TRUE(std::find(study.rows.begin(), study.rows.end(), policy.name) != study.rows.end() ||
                left_out.find(" " + policy.name + " ") != std::string::npos)
        << policy.name;
}

}  // namespace
}  // namespace heddle::lab
