#include "report/reproduction_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

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

// Without the row that has 1 by definition.
std::vector<std::size_t> shown_rows(const lab::Figure& figure) {
  std::vector<std::size_t> rows;
  for (std::size_t r = 0; r < figure.rows.size(); ++r)
    if (!figure.is_base(figure.rows[r])) rows.push_back(r);
  return rows;
}

std::string class_name(const lab::ProgramClass& one) {
  return one.name.empty() ? "mean" : one.name;
}

// Programs and classes of a figure, by their places.
struct Places {
  std::vector<std::size_t> cases, classes;
};

// One panel, or one for each class where it would have too many bars.
std::vector<Places> panels_of(const FigureResult& result) {
  constexpr std::size_t kMostBars = 80;
  const lab::Figure& figure = result.figure;
  Places all;
  for (std::size_t c = 0; c < result.cases.size(); ++c) all.cases.push_back(c);
  for (std::size_t c = 0; c < figure.classes.size(); ++c) all.classes.push_back(c);
  if (all.cases.size() * shown_rows(figure).size() <= kMostBars || figure.classes.size() == 1)
    return {all};
  std::vector<Places> panels;
  for (std::size_t c = 0; c < figure.classes.size(); ++c) {
    const std::vector<std::string>& cases = figure.classes[c].cases;
    if (cases.size() == result.cases.size()) {  // the mean of all is the last bar
      panels.back().classes.push_back(c);
      continue;
    }
    panels.push_back({{}, {c}});
    for (std::size_t i = 0; i < result.cases.size(); ++i)
      if (std::ranges::find(cases, result.cases[i]) != cases.end())
        panels.back().cases.push_back(i);
  }
  return panels;
}

Panel panel_of(const lab::Paper& paper, const FigureResult& result, const Places& places) {
  const lab::Figure& figure = result.figure;
  const ShownAs shown_as = figure.measure.shown_as;
  const bool ratio = shown_as == ShownAs::speed_up ||
                     (shown_as == ShownAs::ratio && figure.measure.over_statistic.empty());
  Panel panel{.values = {axis_text(paper, figure), ratio ? "times" : ""}};
  if (ratio) panel.baseline = 1;
  for (const std::size_t c : places.cases) panel.categories.push_back({result.cases[c]});
  for (const std::size_t c : places.classes)
    panel.categories.push_back({.name = class_name(figure.classes[c]), .mean = true});
  for (const std::size_t r : shown_rows(figure)) {
    const std::string& row = figure.rows[r];
    Panel::Series series{.name = paper.label_of(row), .colour = std::string(series_colour(r))};
    const auto add = [&](const std::string& name, std::optional<double> value) {
      series.values.push_back(value && std::isfinite(*value) ? value : std::nullopt);
      series.published.push_back(figure.published_for(row, name));
      if (series.published.back()) panel.published = "published";
    };
    for (const std::size_t c : places.cases) add(result.cases[c], result.values[r][c]);
    for (const std::size_t c : places.classes) add(figure.classes[c].name, result.means[r][c]);
    panel.series.push_back(std::move(series));
  }
  if (ratio)
    panel.values.scale =
        one_value_rules(panel) ? ChartAxis::Scale::log2 : ChartAxis::Scale::from_baseline;
  return panel;
}

Chart chart_of(const lab::Paper& paper, const FigureResult& result) {
  Chart chart{figure_heading(result.figure), {}};
  for (const Places& places : panels_of(result))
    chart.panels.push_back(panel_of(paper, result, places));
  return chart;
}

DocumentTable values_table(const lab::Paper& paper, const FigureResult& result) {
  const lab::Figure& figure = result.figure;
  DocumentTable table{"Values: " + axis_text(paper, figure) + ".", {{"program"}}, {}};
  const std::vector<std::size_t> rows = shown_rows(figure);
  for (const std::size_t r : rows) table.columns.push_back({paper.label_of(figure.rows[r]), true});
  for (std::size_t c = 0; c < result.cases.size(); ++c) {
    auto& cells = table.rows.emplace_back();
    cells.push_back(result.cases[c]);
    for (const std::size_t r : rows)
      cells.push_back(measured_text(result.values[r][c],
                                    figure.published_for(figure.rows[r], result.cases[c])));
  }
  for (std::size_t c = 0; c < figure.classes.size(); ++c) {
    auto& cells = table.rows.emplace_back();
    const lab::ProgramClass& one = figure.classes[c];
    cells.push_back(std::string(mean_name(figure.measure.mean)) +
                    (one.name.empty() ? "" : ", " + class_name(one)));
    for (const std::size_t r : rows)
      cells.push_back(
          measured_text(result.means[r][c], figure.published_for(figure.rows[r], one.name)));
  }
  return table;
}

DocumentTable claims_table(const FigureResult& result) {
  DocumentTable table{
      "",
      {{"the paper's claim"}, {"where"}, {"published", true}, {"measured", true}, {"verdict"}},
      {}};
  using enum lab::ClaimVerdict;
  for (const lab::ClaimVerdict verdict : {does_not_hold, holds_in_direction, holds, not_measured})
    for (const lab::ClaimResult& one : result.claims)
      if (one.verdict == verdict)
        table.rows.push_back({one.claim.text, one.claim.source, measured_text(one.claim.published),
                              measured_text(one.measured), verdict_words(one.verdict)});
  return table;
}

}  // namespace

DocumentTable readings_table(const FigureResult& result) {
  DocumentTable table{"In other readings of a single claim:",
                      {{"the paper's claim"}, {"reading"}, {"measured", true}, {"verdict"}},
                      {}};
  for (const lab::ClaimResult& one : result.claims)
    for (std::size_t i = 0; i < one.readings.size(); ++i)
      table.rows.push_back({one.claim.text, one.claim.readings[i].text,
                            measured_text(one.readings[i].measured),
                            verdict_words(one.readings[i].verdict)});
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
    if (one.verdict == lab::ClaimVerdict::holds_in_direction && !one.claim.reason.empty())
      section.notes.push_back(fmt::format("Why \"{}\" {}: {}", one.claim.text,
                                          verdict_words(one.verdict), one.claim.reason));
  return section;
}

// What does not hold, with its reason.
DocumentSection failures_section(const lab::Paper& paper,
                                 const std::vector<FigureResult>& figures) {
  DocumentSection section{"What does not hold", 2, {}, {}, {}, {}, {}};
  for (const FigureResult& figure : figures)
    for (const lab::ClaimResult& one : figure.claims)
      if (one.verdict == lab::ClaimVerdict::does_not_hold)
        section.notes.push_back(fmt::format(
            "{}, \"{}\": {}{}. {}",
            has_name(figure.figure) ? figure.figure.number : "Figure " + figure.figure.number,
            one.claim.text, measured_text(one.measured),
            one.claim.published ? ", published " + measured_text(one.claim.published) : "",
            reason_text(paper, one)));
  return section;
}

std::string held_text(const lab::HeldClaims& count) {
  return fmt::format("{} of {}", count.held, count.all);
}

// A row for each reading, with the claims that hold at least in direction.
DocumentTable outcomes_table(const lab::ProtocolResult& protocol) {
  using lab::ClaimPart;
  DocumentTable table{"Claims that hold at least in direction, by reading:",
                      {{"reading"},
                       {"value"},
                       {"source"},
                       {"all", true},
                       {"machine", true},
                       {"policy", true},
                       {"test", true}},
                      {}};
  const auto add = [&](const lab::ReadingOutcome& one) {
    const bool chosen = one.name == protocol.chosen;
    table.rows.push_back(
        {(one.name.empty() ? "default" : one.name) + std::string(chosen ? " (chosen)" : ""),
         one.parameter.empty() ? one.text : one.parameter + ": " + one.text, one.source,
         held_text(protocol.count(one)), held_text(protocol.count(one, ClaimPart::machine)),
         held_text(protocol.count(one, ClaimPart::policy)),
         held_text(protocol.count(one, ClaimPart::test))});
  };
  for (const lab::ReadingOutcome& one : protocol.outcomes) add(one);
  if (protocol.combined) add(*protocol.combined);
  return table;
}

}  // namespace

DocumentSection readings_section(const lab::Paper& paper, const lab::ProtocolResult& protocol) {
  DocumentSection section{"Readings", 2, {}, {}, {}, {}, {}};
  section.paragraphs.push_back(
      "Each reading changes one open parameter of the paper for the whole list. The claims about "
      "other policies than the paper's choose the machine; those about the paper's policies on "
      "programs with an even hash choose its parameters; the rest is the test, which chooses "
      "nothing.");
  const lab::ReadingOutcome* chosen = protocol.chosen_outcome();
  section.paragraphs.push_back(
      chosen ? fmt::format(
                   "Chosen: {}. It holds in {} claims, {} in the test; the default in {} and {}.",
                   protocol.chosen.empty() ? "the default" : protocol.chosen,
                   held_text(protocol.count(*chosen)),
                   held_text(protocol.count(*chosen, lab::ClaimPart::test)),
                   held_text(protocol.count(protocol.outcomes.front())),
                   held_text(protocol.count(protocol.outcomes.front(), lab::ClaimPart::test)))
             : fmt::format("Chosen: {}, which was not run: `heddle reproduce {} --reading {}`.",
                           protocol.chosen, paper.name, protocol.chosen));
  if (protocol.outcomes.size() > 1)
    section.paragraphs.push_back(fmt::format(
        "A choice gains by chance: over 1000 random halves of the claims the reading with the most "
        "claims of one half holds in {:.1f} % of that half and in {:.1f} % of the other one (5 to "
        "95 %: {:.1f} to {:.1f} %). In at least one of {} readings hold {} claims, an upper bound.",
        100 * protocol.optimism.mean_on_own_half, 100 * protocol.optimism.mean_on_other_half,
        100 * protocol.optimism.low, 100 * protocol.optimism.high, protocol.outcomes.size(),
        held_text(protocol.in_any)));
  if (!protocol.without_runs.empty())
    section.paragraphs.push_back(
        fmt::format("Readings that were not run: {}.", fmt::join(protocol.without_runs, ", ")));
  for (const lab::OpenParameter& one : paper.parameters)
    section.notes.push_back(
        fmt::format("{}: {} by default. {}", one.name, one.default_text, one.source));
  section.tables.push_back(outcomes_table(protocol));
  return section;
}

std::string claims_csv(const lab::Paper& paper, const std::vector<FigureResult>& figures,
                       const lab::ProtocolResult& protocol) {
  const auto quoted = [](std::string text) {
    for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2)
      text.insert(at, 1, '"');
    return '"' + text + '"';
  };
  const auto number = [](std::optional<double> value) {
    return value ? fmt::format("{:.6g}", *value) : std::string();
  };
  std::string text = "figure,claim,sentence,part,kind,direction,published,verdict";
  for (const lab::ReadingOutcome& one : protocol.outcomes)
    text += "," + quoted(one.name.empty() ? "default" : one.name);
  if (protocol.combined) text += "," + quoted(protocol.combined->name);
  std::size_t i = 0;
  for (const FigureResult& figure : figures)
    for (const lab::ClaimResult& one : figure.claims) {
      const ShownAs shown_as = one.claim.measure.shown_as;
      const bool is_effect = shown_as == ShownAs::speed_up || shown_as == ShownAs::ratio;
      text += fmt::format("\n{},{},{},{},{},{},{},{}", quoted(figure.figure.number),
                          quoted(one.claim.text), quoted(one.claim.sentence),
                          name_of(part_of(paper, one.claim)), is_effect ? "effect" : "value",
                          direction_text(one.claim.direction), number(one.claim.published),
                          verdict_words(one.verdict));
      for (const lab::ReadingOutcome& outcome : protocol.outcomes)
        text += "," + number(outcome.claims[i].measured);
      if (protocol.combined) text += "," + number(protocol.combined->claims[i].measured);
      ++i;
    }
  return text + "\n";
}

Document reproduction_document(const lab::Paper& paper, const std::vector<FigureResult>& figures,
                               const Provenance& origin,
                               const std::optional<lab::ProtocolResult>& protocol) {
  Document document{paper.title, paper.source, provenance(paper, origin), {}};
  document.paragraphs.insert(document.paragraphs.begin(),
                             claims_sentence(lab::count_claims(figures)) + ". " +
                                 sentences_sentence(lab::count_sentences(figures)) + ".");
  if (DocumentSection failures = failures_section(paper, figures); !failures.notes.empty())
    document.sections.push_back(std::move(failures));
  DocumentSection verdicts{"Verdicts", 2, {verdict_rule()}, {}, {}, {}, {}};
  if (const std::string by_threshold = threshold_sentence(figures); !by_threshold.empty())
    verdicts.paragraphs.push_back(by_threshold + ".");
  verdicts.tables.push_back(verdicts_table(figures));
  document.sections.push_back(std::move(verdicts));
  if (protocol) document.sections.push_back(readings_section(paper, *protocol));
  for (const FigureResult& result : figures) document.sections.push_back(section_of(paper, result));
  return document;
}

}  // namespace heddle::report
