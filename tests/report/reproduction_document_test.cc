#include "report/reproduction_document.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

using lab::ClaimVerdict;

lab::ClaimResult claim(const std::string& text, double measured, ClaimVerdict verdict) {
  lab::ClaimResult one;
  one.claim.text = text;
  one.claim.source = "section 1";
  one.measured = measured;
  one.verdict = verdict;
  return one;
}

void add_reading(lab::ClaimResult& one, const std::string& text, double measured,
                 ClaimVerdict verdict) {
  one.claim.readings.push_back({text, "", {}, {}});
  one.readings.push_back({measured, verdict});
}

lab::FigureResult figure() {
  lab::FigureResult result;
  result.figure.number = "11";
  result.figure.title = "Speed";
  result.figure.rows = {"lrr"};
  result.figure.measure.over = "gto";
  result.figure.published = {{"lrr", "SC", 4.3, "text"}};
  result.cases = {"SC", "LPS"};
  result.values = {{4.8, std::nullopt}};
  result.means = {std::nullopt};
  result.claims = {claim("RR is faster", 4.8, ClaimVerdict::holds),
                   claim("RR hits more", 0.05, ClaimVerdict::does_not_hold),
                   claim("RR is fair", 1, ClaimVerdict::holds)};
  add_reading(result.claims[0], "700 MHz", 4.1, ClaimVerdict::holds);
  add_reading(result.claims[1], "a larger cache", 1.2, ClaimVerdict::holds_in_direction);
  add_reading(result.claims[1], "700 MHz", 0.9, ClaimVerdict::does_not_hold);
  result.claims[1].claim.reason = "The cache is small.";
  return result;
}

TEST(ReproductionDocument, ReadingsAreATableOfClaimsByReading) {
  const DocumentTable table = readings_table(figure());
  ASSERT_EQ(table.columns.size(), 3u);
  EXPECT_EQ(table.columns[1].name, "700 MHz");
  EXPECT_EQ(table.columns[2].name, "a larger cache");
  using Row = std::vector<std::string>;
  ASSERT_EQ(table.rows.size(), 2u) << "a claim without readings has no row";
  EXPECT_EQ(table.rows[0], (Row{"RR is faster", "4.10, holds", ""}));
  EXPECT_EQ(table.rows[1],
            (Row{"RR hits more", "0.90, does not hold", "1.20, holds in direction"}));
}

TEST(ReproductionDocument, ShowsPublishedBesideMeasuredAndReasons) {
  lab::Paper paper;
  paper.name = "p";
  paper.title = "Paper";
  paper.labels = {{"lrr", "RR"}, {"gto", "GTO"}};
  const Provenance origin{.size = "small", .date = "2026-11-24", .a_figure = "11", .runs = 3};
  const MarkdownPage page = markdown_of(reproduction_document(paper, {figure()}, origin));
  const auto has = [&](const char* text) { return page.markdown.find(text) != std::string::npos; };
  EXPECT_TRUE(has("Made by `heddle reproduce p` with Heddle"));
  EXPECT_TRUE(has("Values: speed-up over GTO."));
  EXPECT_TRUE(has("| program | RR |\n|---|---:|\n| SC | 4.80 (4.30) |\n| LPS | - |\n"));
  EXPECT_TRUE(has("| RR hits more | section 1 | - | 0.0500 | does not hold |\n"));
  EXPECT_TRUE(has("- Why \"RR hits more\" does not hold: The cache is small.\n"));
  EXPECT_TRUE(has("3 claims: 2 hold, 0 hold in direction, 1 do not hold"));
  EXPECT_TRUE(has("![Figure 11: Speed](p-figure-11.svg)"));
  ASSERT_EQ(page.pictures.size(), 1u);
  EXPECT_EQ(page.pictures[0].first, "p-figure-11.svg");
}

TEST(ReproductionDocument, SaysWhatRanInPlaceOfHeddlesPrograms) {
  lab::Paper paper;
  paper.name = "p";
  Provenance origin{.size = "paper", .date = "2026-11-24", .a_figure = "11", .runs = 3};
  origin.without_runs = {"12", "14"};
  origin.programs = {{"PATH", "rodinia/pathfinder"}, {"LPS", ""}};
  const Document document = reproduction_document(paper, {figure()}, origin);
  ASSERT_EQ(document.paragraphs.size(), 5u);
  EXPECT_NE(document.paragraphs[1].find("`heddle reproduce p --size paper`"), std::string::npos);
  EXPECT_EQ(document.paragraphs[3], "Figures that were not run: 12, 14.");
  EXPECT_EQ(document.paragraphs[4],
            "Original programs: PATH is rodinia/pathfinder. Programs of Heddle: LPS.");
}

}  // namespace
}  // namespace heddle::report
