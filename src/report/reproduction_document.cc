#include "report/reproduction_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "report/palette.h"
#include "report/reproduction_words.h"

namespace heddle::report {

using lab::FigureResult;
using lab::ShownAs;

namespace {

// "Table 2" is a name, "11" and "16 (a)" are numbers of figures.
bool has_name(const lab::Figure& figure) {
  return !std::isdigit(static_cast<unsigned char>(figure.number.front()));
}

// "ipaws-figure-11.svg", "ipaws-figure-16-a.svg", "kaws-table-2.svg".
std::string picture_name(const lab::Paper& paper, const lab::Figure& figure) {
  std::string name = paper.name + (has_name(figure) ? "-" : "-figure-") + figure.number + ".svg";
  std::erase_if(name, [](char c) { return c == '(' || c == ')'; });
  for (char& c : name)
    c = c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

std::string figure_heading(const lab::Figure& figure) {
  return (has_name(figure) ? "" : "Figure ") + figure.number + ": " + figure.title;
}

Chart chart_of(const lab::Paper& paper, const FigureResult& result) {
  const lab::Figure& figure = result.figure;
  const ShownAs shown_as = figure.measure.shown_as;
  const bool ratio = shown_as == ShownAs::speed_up || shown_as == ShownAs::ratio;
  Panel panel{.values = {axis_text(paper, figure.measure), ratio ? "times" : ""}};
  if (ratio) panel.baseline = 1;
  if (!figure.published.empty()) panel.published = "published";
  for (const std::string& name : result.cases) panel.categories.push_back({name});
  panel.categories.push_back({.name = "mean", .mean = true});
  for (std::size_t r = 0; r < figure.rows.size(); ++r) {
    Panel::Series series{.name = paper.label_of(figure.rows[r]),
                         .colour = std::string(series_colour(r)),
                         .values = result.values[r]};
    series.values.push_back(result.means[r]);
    if (!figure.published.empty()) {
      for (const std::string& name : result.cases)
        series.published.push_back(figure.published_for(figure.rows[r], name));
      series.published.push_back(figure.published_for(figure.rows[r], ""));
    }
    panel.series.push_back(std::move(series));
  }
  if (ratio && one_value_rules(panel)) panel.values.scale = Axis::Scale::log2;
  return {figure_heading(figure), {panel}};
}

DocumentTable values_table(const lab::Paper& paper, const FigureResult& result) {
  const lab::Figure& figure = result.figure;
  DocumentTable table{"Values: " + axis_text(paper, figure.measure) + ".", {{"program"}}, {}};
  for (const std::string& row : figure.rows) table.columns.push_back({paper.label_of(row), true});
  for (std::size_t c = 0; c < result.cases.size(); ++c) {
    auto& cells = table.rows.emplace_back();
    cells.push_back(result.cases[c]);
    for (std::size_t r = 0; r < figure.rows.size(); ++r)
      cells.push_back(measured_text(result.values[r][c],
                                    figure.published_for(figure.rows[r], result.cases[c])));
  }
  auto& means = table.rows.emplace_back();
  means.push_back(mean_name(figure.measure.mean));
  for (std::size_t r = 0; r < figure.rows.size(); ++r)
    means.push_back(measured_text(result.means[r], figure.published_for(figure.rows[r], "")));
  return table;
}

DocumentTable claims_table(const FigureResult& result) {
  DocumentTable table{
      "",
      {{"the paper's claim"}, {"where"}, {"published", true}, {"measured", true}, {"verdict"}},
      {}};
  for (const lab::ClaimResult& one : result.claims)
    table.rows.push_back({one.claim.text, one.claim.source, measured_text(one.claim.published),
                          measured_text(one.measured), verdict_words(one.verdict)});
  return table;
}

}  // namespace

DocumentTable readings_table(const FigureResult& result) {
  DocumentTable table{"In other readings of the paper:", {{"the paper's claim"}}, {}};
  const auto column_of = [&](const std::string& reading) {
    std::size_t column = 1;
    while (column < table.columns.size() && table.columns[column].name != reading) ++column;
    if (column == table.columns.size()) table.columns.push_back({reading, true});
    return column;
  };
  for (const lab::ClaimResult& one : result.claims) {
    if (one.readings.empty()) continue;
    auto& cells = table.rows.emplace_back();
    cells.push_back(one.claim.text);
    for (std::size_t i = 0; i < one.readings.size(); ++i) {
      const std::size_t column = column_of(one.claim.readings[i].text);
      cells.resize(std::max(cells.size(), column + 1));
      cells[column] = fmt::format("{}, {}", measured_text(one.readings[i].measured),
                                  verdict_words(one.readings[i].verdict));
    }
  }
  for (auto& cells : table.rows) cells.resize(table.columns.size());
  return table;
}

namespace {

// A table of all claims' verdicts, by figure: what was reproduced, at a glance.
DocumentTable verdicts_table(const std::vector<FigureResult>& figures) {
  DocumentTable table{"",
                      {{"figure"},
                       {"holds", true},
                       {"holds in direction", true},
                       {"does not hold", true},
                       {"not measured", true}},
                      {}};
  for (const FigureResult& figure : figures) {
    const lab::ClaimCounts counts = lab::count_claims({figure});
    if (counts.all() == 0) continue;
    table.rows.push_back({figure_heading(figure.figure), fmt::format("{}", counts.holds),
                          fmt::format("{}", counts.holds_in_direction),
                          fmt::format("{}", counts.does_not_hold),
                          fmt::format("{}", counts.not_measured)});
  }
  return table;
}

DocumentSection section_of(const lab::Paper& paper, const FigureResult& result) {
  DocumentSection section{figure_heading(result.figure), 2, {}, {}, {}, {}, {}};
  if (!result.figure.note.empty()) section.paragraphs.push_back(result.figure.note);
  section.chart = chart_of(paper, result);
  section.picture = picture_name(paper, result.figure);
  if (!result.claims.empty()) section.tables.push_back(claims_table(result));
  if (DocumentTable readings = readings_table(result); !readings.rows.empty())
    section.tables.push_back(std::move(readings));
  section.tables.push_back(values_table(paper, result));
  for (const lab::ClaimResult& one : result.claims)
    if (const std::string reason = reason_text(paper, one); !reason.empty())
      section.notes.push_back(
          fmt::format("Why \"{}\" {}: {}", one.claim.text, verdict_words(one.verdict), reason));
  return section;
}

}  // namespace

Document reproduction_document(const lab::Paper& paper, const std::vector<FigureResult>& figures,
                               const Provenance& origin) {
  Document document{paper.title, paper.source, provenance(paper, origin), {}};
  document.paragraphs.insert(document.paragraphs.begin(),
                             claims_sentence(lab::count_claims(figures)) + ".");
  DocumentSection verdicts{"Verdicts", 2, {verdict_rule()}, {}, {}, {}, {}};
  verdicts.tables.push_back(verdicts_table(figures));
  document.sections.push_back(std::move(verdicts));
  for (const FigureResult& result : figures) document.sections.push_back(section_of(paper, result));
  return document;
}

}  // namespace heddle::report
