// A reproduced paper as a document: what reproduction_page() words as Markdown, for HTML.
#include <fmt/format.h>

#include "report/reproduction_page.h"

namespace heddle::report {
namespace {

using lab::FigureResult;

DocumentTable values_of(const lab::Paper& paper, const FigureResult& result) {
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

DocumentTable claims_of(const FigureResult& result) {
  DocumentTable table{
      "",
      {{"the paper's claim"}, {"where"}, {"published", true}, {"measured", true}, {"verdict"}},
      {}};
  for (const lab::ClaimResult& one : result.claims)
    table.rows.push_back({one.claim.text, one.claim.source, measured_text(one.claim.published),
                          measured_text(one.measured), verdict_words(one.verdict)});
  return table;
}

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

}  // namespace

Document reproduction_document(const lab::Paper& paper, const std::vector<FigureResult>& figures,
                               const std::string& provenance) {
  Document document{paper.title, paper.source, {}, {}};
  document.paragraphs = {claims_sentence(lab::count_claims(figures)) + ".", provenance};
  DocumentSection verdicts{"Verdicts", 2, {verdict_rule()}, {}, {}, {}, {}};
  verdicts.tables.push_back(verdicts_table(figures));
  document.sections.push_back(std::move(verdicts));
  for (const FigureResult& result : figures) {
    DocumentSection section{figure_heading(result.figure), 2, {}, {}, {}, {}, {}};
    if (!result.figure.note.empty()) section.paragraphs.push_back(result.figure.note);
    section.chart = bars_of(paper, result);
    section.chart->title.clear();  // the heading says it
    if (!result.claims.empty()) section.tables.push_back(claims_of(result));
    for (const lab::ClaimResult& one : result.claims)
      for (std::size_t i = 0; i < one.readings.size(); ++i)
        section.notes.push_back(fmt::format("In another reading of the paper: {}, {}: {}, {}",
                                            one.claim.text, one.claim.readings[i].text,
                                            measured_text(one.readings[i].measured),
                                            verdict_words(one.readings[i].verdict)));
    for (const lab::ClaimResult& one : result.claims)
      if (const std::string reason = reason_text(paper, one); !reason.empty())
        section.notes.push_back(
            fmt::format("Why \"{}\" {}: {}", one.claim.text, verdict_words(one.verdict), reason));
    section.tables.push_back(values_of(paper, result));
    document.sections.push_back(std::move(section));
  }
  return document;
}

}  // namespace heddle::report
