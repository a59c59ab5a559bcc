// The tables of claims (PAPER.csv): every verdict follows from what was measured by the rule that
// the pages print, written here a second time; of the papers' lists with random values, and of the
// tables beside the pages of docs/reproductions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <random>
#include <sstream>

#include "lab/process.h"
#include "lab/reproduction/paper.h"
#include "report/reproduction_document.h"

namespace heddle::report {
namespace {

namespace fs = std::filesystem;
using Row = std::map<std::string, std::string>;

const fs::path kPages = fs::path(HEDDLE_SOURCE_DIR) / "docs/reproductions";

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells{""};
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quoted && line.compare(i, 2, "\"\"") == 0)
      cells.back() += line[i++];
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += line[i];
  }
  return cells;
}

std::vector<Row> rows_of(const std::string& table) {
  std::istringstream lines(table);
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> columns = cells_of(line);
  std::vector<Row> rows;
  while (std::getline(lines, line)) {
    const std::vector<std::string> cells = cells_of(line);
    Row& row = rows.emplace_back();
    for (std::size_t i = 0; i < columns.size(); ++i) row[columns[i]] = cells.at(i);
  }
  return rows;
}

bool has_direction(const std::string& text, double value) {
  if (text == "favours") return value > 1.05;
  if (text == "neutral") return std::abs(value - 1) <= 0.05;
  std::istringstream words(text);
  std::string relation, word;
  double than = 0, second = 0;
  words >> relation >> than >> word >> second;
  if (relation == "nearer") return std::abs(value - than) < std::abs(value - second);
  if (relation == "~") return std::abs(value - than) <= second * (than == 0 ? 1 : std::abs(than));
  const double margin = than == 1 ? 0.01 : 0;
  return relation == ">" ? value > than + margin : value < than - margin;
}

std::string verdict_of(const Row& row, const std::string& reading) {
  if (row.at(reading).empty()) return "not measured";
  const double value = std::stod(row.at(reading));
  if (!has_direction(row.at("direction"), value)) return "does not hold";
  if (row.at("published").empty() || row.at("direction").starts_with("~")) return "holds";
  const double published = std::stod(row.at("published"));
  const double margin = row.at("kind") == "effect" ? std::max(0.02, 0.25 * std::abs(published - 1))
                                                   : 0.1 * std::abs(published);
  return std::abs(value - published) <= margin ? "holds" : "holds in direction";
}

lab::Paper paper_of(const std::string& name) {
  return lab::read_paper((fs::path(HEDDLE_SOURCE_DIR) / "experiments" / name).string());
}

std::vector<std::string> papers_with_tables() {
  std::vector<std::string> papers;
  for (const auto& file : fs::directory_iterator(kPages))
    if (file.path().extension() == ".csv") papers.push_back(file.path().stem().string());
  return papers;
}

void check_verdicts(const std::vector<Row>& rows) {
  for (const Row& row : rows)
    EXPECT_EQ(verdict_of(row, "default"), row.at("verdict"))
        << row.at("figure") << ": " << row.at("claim") << ", " << row.at("default");
}

// The claims of the paper, with values around what decides each.
std::vector<lab::FigureResult> results_of(const lab::Paper& paper, std::mt19937& random) {
  std::vector<lab::FigureResult> results;
  for (const lab::Figure& figure : paper.figures) {
    lab::FigureResult& result = results.emplace_back();
    result.figure = figure;
    for (const lab::Claim& claim : figure.claims) {
      lab::ClaimResult& one = result.claims.emplace_back();
      one.claim = claim;
      const double centre =
          random() % 2 && claim.published ? *claim.published : claim.direction.than;
      // As the table has it, so that both rules see the same number.
      const double value = centre + (random() % 2001 / 1000.0 - 1) * 0.3 * centre;
      if (random() % 10) one.measured = std::stod(fmt::format("{:.6g}", value));
      one.verdict = lab::judge(claim, one.measured);
    }
  }
  return results;
}

TEST(StoredClaims, OfEveryListHaveTheVerdictsOfThePrintedRule) {
  std::mt19937 random(3);
  for (const char* name : {"ipaws", "daws", "kaws", "ctamap", "lfws"}) {
    const lab::Paper paper = paper_of(name);
    for (int round = 0; round < 5; ++round) {
      const auto results = results_of(paper, random);
      const auto protocol = lab::follow_protocol(
          paper, results, [](const std::string&) { return std::vector<lab::FigureResult>(); });
      check_verdicts(rows_of(claims_csv(paper, results, protocol)));
    }
  }
}

TEST(StoredClaims, BesideThePagesHaveTheVerdictsAndCountsOfThePages) {
  for (const std::string& paper : papers_with_tables()) {
    const std::vector<Row> rows = rows_of(lab::read_file((kPages / (paper + ".csv")).string()));
    check_verdicts(rows);
    std::map<std::string, int> counts;
    for (const Row& row : rows) ++counts[row.at("verdict")];
    const std::string sentence =
        std::to_string(counts["holds"]) + " hold, " + std::to_string(counts["holds in direction"]) +
        " hold in direction, " + std::to_string(counts["does not hold"]) + " do not hold";
    EXPECT_NE(lab::read_file((kPages / (paper + ".md")).string()).find(sentence), std::string::npos)
        << paper << ": " << sentence;
  }
}

TEST(StoredClaims, AreThoseOfTheListAndHaveReasonsWhereTheyDoNotHold) {
  for (const std::string& name : papers_with_tables()) {
    const lab::Paper paper = paper_of(name);
    const std::vector<Row> rows = rows_of(lab::read_file((kPages / (name + ".csv")).string()));
    std::size_t i = 0;
    for (const lab::Figure& figure : paper.figures)
      for (const lab::Claim& claim : figure.claims) {
        ASSERT_LT(i, rows.size()) << name;
        EXPECT_EQ(rows[i].at("claim"), claim.text) << name;
        EXPECT_EQ(rows[i].at("direction"), direction_text(claim.direction)) << claim.text;
        EXPECT_FALSE(rows[i].at("verdict") == "does not hold" && claim.reason.empty())
            << "no reason, nor what was tried: " << claim.text;
        ++i;
      }
    EXPECT_EQ(i, rows.size()) << name;
  }
}

}  // namespace
}  // namespace heddle::report
