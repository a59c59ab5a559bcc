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
  result.figure.classes = {{}};
  result.means = {{std::nullopt}};
  result.claims = {claim("RR is faster", 4.8, ClaimVerdict::holds),
                   claim("RR hits more", 0.05, ClaimVerdict::does_not_hold),
                   claim("RR is fair", 1, ClaimVerdict::holds)};
  add_reading(result.claims[0], "700 MHz", 4.1, ClaimVerdict::holds);
  add_reading(result.claims[1], "a larger cache", 1.2, ClaimVerdict::holds_in_direction);
  add_reading(result.claims[1], "700 MHz", 0.9, ClaimVerdict::does_not_hold);
  result.claims[1].claim.reason = "The cache is small.";
  return result;
}

TEST(ReproductionDocument, AReadingOfAClaimIsARow) {
  const DocumentTable table = readings_table(figure());
  using Row = std::vector<std::string>;
  ASSERT_EQ(table.rows.size(), 3u) << "a claim without readings has no row";
  EXPECT_EQ(table.rows[0], (Row{"RR is faster", "700 MHz", "4.10", "holds"}));
  EXPECT_EQ(table.rows[2], (Row{"RR hits more", "700 MHz", "0.90", "does not hold"}));
}

TEST(ReproductionDocument, ShowsPublishedBesideMeasuredAndReasons) {
  lab::Paper paper;
  paper.name = "p";
  paper.title = "Paper";
  paper.labels = {{"lrr", "RR"}, {"gto", "GTO"}};
  const Provenance origin{.how = {}, .date = "2026-11-24", .a_figure = "11", .runs = 3};
  const MarkdownPage page = markdown_of(reproduction_document(paper, {figure()}, origin));
  const auto has = [&](const char* text) { return page.markdown.find(text) != std::string::npos; };
  EXPECT_TRUE(has("Made by `heddle reproduce p` with Heddle"));
  EXPECT_TRUE(has("Values: speed-up over GTO."));
  EXPECT_TRUE(has("| program | RR |\n|---|---:|\n| SC | 4.80 (4.30) |\n| LPS | - |\n"));
  EXPECT_TRUE(has("| RR hits more | section 1 | - | 0.0500 | does not hold |\n"));
  EXPECT_TRUE(has("- Figure 11, \"RR hits more\": 0.0500. The cache is small.\n"));
  EXPECT_LT(page.markdown.find("## What does not hold"), page.markdown.find("## Verdicts"));
  EXPECT_TRUE(has("3 claims: 2 hold, 0 hold in direction, 1 do not hold"));
  EXPECT_TRUE(has("![Figure 11: Speed](p-figure-11.svg)"));
  ASSERT_EQ(page.pictures.size(), 1u);
  EXPECT_EQ(page.pictures[0].first, "p-figure-11.svg");
}

TEST(ReproductionDocument, SaysWhatRanInPlaceOfHeddlesPrograms) {
  lab::Paper paper;
  paper.name = "p";
  Provenance origin{.how = {"paper", false}, .date = "2026-11-24", .a_figure = "11", .runs = 3};
  origin.without_runs = {"12", "14"};
  origin.programs = {{"PATH", "rodinia/pathfinder"}, {"LPS", ""}};
  const Document document = reproduction_document(paper, {figure()}, origin);
  ASSERT_EQ(document.paragraphs.size(), 5u);
  EXPECT_NE(document.paragraphs[1].find("`heddle reproduce p --size paper`"), std::string::npos);
  EXPECT_EQ(document.paragraphs[3], "Figures that were not run: 12, 14.");
  EXPECT_EQ(document.paragraphs[4],
            "Original programs: PATH is rodinia/pathfinder. Programs of Heddle: LPS.");
}

lab::ProtocolResult protocol() {
  using enum ClaimVerdict;
  lab::ProtocolResult result;
  result.outcomes = {
      {"", "", "the default", "", false, {{4.8, holds}, {0.05, does_not_hold}, {1, holds}}},
      {"large", "cache", "64 KiB", "a file", false, {{4, holds}, {2, holds}, {1, holds}}}};
  result.without_runs = {"small"};
  result.chosen = "large";
  result.parts = {lab::ClaimPart::machine, lab::ClaimPart::machine, lab::ClaimPart::test};
  result.in_any = {3, 3};
  return result;
}

TEST(ReproductionDocument, ReadingsHaveTheirCountsByPart) {
  lab::Paper paper;
  paper.name = "p";
  const DocumentSection section = readings_section(paper, protocol());
  EXPECT_NE(section.paragraphs.at(1).find("Chosen: large. It holds in 3 of 3 claims, 1 of 1 in the "
                                          "test; the default in 2 of 3 and 1 of 1."),
            std::string::npos);
  EXPECT_EQ(section.paragraphs.at(3), "Readings that were not run: small.");
  using Row = std::vector<std::string>;
  EXPECT_EQ(section.tables.at(0).rows.at(1), (Row{"large (chosen)", "cache: 64 KiB", "a file",
                                                  "3 of 3", "2 of 2", "0 of 0", "1 of 1"}));
}

TEST(ReproductionDocument, TheTableOfClaimsHasWhatEachReadingMeasured) {
  const std::string csv = claims_csv({}, {figure()}, protocol());
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "figure,claim,sentence,part,kind,direction,published,verdict,\"default\",\"large\"");
  EXPECT_NE(csv.find("\n\"11\",\"RR hits more\",\"\",machine,effect,> 1,,does not hold,0.05,2\n"),
            std::string::npos)
      << csv;
}

}  // namespace
}  // namespace heddle::report
