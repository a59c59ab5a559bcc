// A paper's figures and claims as data: reading them, and their verdicts.
#include "lab/reproduction/paper.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/diagnostics.h"
#include "lab/process.h"
#include "lab/reproduction/measures.h"

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
    try {
      read(text);
    } catch (const UserError& error) {
      return error.what();
    }
    return "no error";
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
  EXPECT_EQ(claims[1].direction.relation, '~');
  EXPECT_EQ(claims[1].direction.than, 0.5);
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

TEST(ClaimVerdicts, DependOnDirectionAndPublishedValue) {
  Claim claim;
  claim.direction = {'>', 1.0};
  claim.published = 1.5;
  EXPECT_EQ(judge(claim, {}), ClaimVerdict::not_measured);
  EXPECT_EQ(judge(claim, 1.40), ClaimVerdict::holds);  // effect 0.40 of 0.50: a quarter is 0.125
  EXPECT_EQ(judge(claim, 1.35), ClaimVerdict::holds_in_direction);
  EXPECT_EQ(judge(claim, 3.0), ClaimVerdict::holds_in_direction);
  EXPECT_EQ(judge(claim, 1.005), ClaimVerdict::does_not_hold);  // within the margin of 1
  claim.published = 1.03;
  EXPECT_EQ(judge(claim, 1.012), ClaimVerdict::holds);  // within 2 points
  EXPECT_EQ(judge(claim, 1.06), ClaimVerdict::holds_in_direction);
  claim.published.reset();
  EXPECT_EQ(judge(claim, 1.02), ClaimVerdict::holds);
  claim.direction = {'<', 1.0};
  EXPECT_EQ(judge(claim, 0.995), ClaimVerdict::does_not_hold);
  claim.direction = {'~', 1.0};
  EXPECT_EQ(judge(claim, 1.04), ClaimVerdict::holds);
  EXPECT_EQ(judge(claim, 0.94), ClaimVerdict::does_not_hold);
  claim.measure.shown_as = ShownAs::value;
  claim.direction = {'>', 0.0};
  claim.published = 0.40;
  EXPECT_EQ(judge(claim, 0.43), ClaimVerdict::holds);
  EXPECT_EQ(judge(claim, 0.30), ClaimVerdict::holds_in_direction);
}

// The papers that Heddle comes with can be read, and each figure has a study.
TEST(Papers, OfTheExperimentsAreWellFormed) {
  const std::string folder = HEDDLE_SOURCE_DIR "/experiments";
  const auto papers = list_papers(folder);
  EXPECT_EQ(papers, (std::vector<std::string>{"ctamap", "daws", "ipaws", "kaws", "lfws"}));
  for (const std::string& name : papers) {
    const Paper paper = read_paper(folder + "/" + name);
    for (const Figure& figure : paper.figures) {
      const Study study = figure_study(paper, figure, "small");
      for (const std::string& row : figure.rows)
        EXPECT_NE(std::find(study.rows.begin(), study.rows.end(), row), study.rows.end())
            << name << ", figure " << figure.number << ": the study has no row " << row;
    }
  }
}

}  // namespace
}  // namespace heddle::lab
