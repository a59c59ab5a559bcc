#include "lab/reproduction/paper.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <sstream>

#include "base/diagnostics.h"
#include "lab/study_section.h"

namespace heddle::lab {
namespace fs = std::filesystem;
namespace {

using Texts = std::vector<std::string>;

constexpr const char* kPaperFile = "paper.toml";
// Sizes of the catalogue's programs; full is that of their papers.
constexpr const char *kSmallSize = "small", *kFullSize = "full";

// The keys that figures and claims have in common.
const Texts kMeasureKeys{"statistic", "kernel",         "over",    "over_case", "over_cases",
                         "over_each", "over_statistic", "against", "shown_as",  "mean",
                         "gpu",       "cases"};

Texts with(Texts keys, const Texts& more) {
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

template <class Value>
void read_choice(const StudySection& section, const char* key,
                 const std::vector<std::pair<std::string, Value>>& choices, Value& into) {
  const std::string text = section.text_or_empty(key);
  if (text.empty()) return;
  Texts names;
  for (const auto& [name, value] : choices) {
    if (name == text) {
      into = value;
      return;
    }
    names.push_back(name);
  }
  section.reject_key(key, fmt::format("{} must be one of {}", key, fmt::join(names, ", ")));
}

double number(const StudySection& section, const char* key) {
  const toml::node* node = section.find(key);
  const auto value = node ? node->value<double>() : std::nullopt;
  if (!value || !std::isfinite(*value))
    section.reject_key(key, fmt::format("{} must be a number", key));
  return *value;
}

// Reads what the section names over `base`: a claim has the measure of its figure by default.
Measure read_measure(const StudySection& section, Measure base) {
  const std::string statistic = section.text_or_empty("statistic");
  const Texts over_each = section.texts("over_each");
  if (!over_each.empty() && section.find("over"))
    section.reject_key("over_each", "over_each replaces over: give one of the two");
  const std::string over = over_each.empty() ? section.text_or_empty("over") : over_each.front();
  if (!over.empty()) {
    base.over = over;
    base.over_each = over_each;
  }
  if (!statistic.empty()) {
    base.statistic = statistic;
    base.shown_as = over.empty() ? ShownAs::value : ShownAs::ratio;
    if (over.empty()) {
      base.over.clear();
      base.over_each.clear();
    }
  }
  read_choice<ShownAs>(section, "shown_as",
                       {{"speed-up", ShownAs::speed_up},
                        {"ratio", ShownAs::ratio},
                        {"value", ShownAs::value},
                        {"difference", ShownAs::difference}},
                       base.shown_as);
  read_choice<Mean>(section, "mean",
                    {{"geometric", Mean::geometric},
                     {"arithmetic", Mean::arithmetic},
                     {"harmonic", Mean::harmonic},
                     {"maximum", Mean::maximum},
                     {"minimum", Mean::minimum},
                     {"median", Mean::median},
                     {"farthest", Mean::farthest}},
                    base.mean);
  if (const std::string other = section.text_or_empty("over_case"); !other.empty())
    base.over_case = other;
  if (section.find("over_cases")) base.over_cases = section.texts_by_name("over_cases");
  if (const std::string other = section.text_or_empty("over_statistic"); !other.empty())
    base.over_statistic = other;
  if (const std::string other = section.text_or_empty("against"); !other.empty())
    base.against = other;
  if (const std::string kernel = section.text_or_empty("kernel"); !kernel.empty())
    base.kernel = kernel;
  if (const std::string gpu = section.text_or_empty("gpu"); !gpu.empty()) base.gpu = gpu;
  if (Texts cases = section.texts("cases"); !cases.empty()) base.cases = std::move(cases);
  if (base.shown_as != ShownAs::value && base.over.empty())
    section.reject(section.table(), "over is missing");
  return base;
}

double read_within(const StudySection& section, const ClaimDirection& direction) {
  if (section.find("within") && direction.relation != Relation::near)
    section.reject_key("within", "within is of a direction with ~");
  return section.share("within", direction.within);
}

ClaimDirection read_direction(const StudySection& section) {
  std::istringstream words(section.text("direction"));
  std::string relation, than;
  ClaimDirection direction;
  words >> relation;
  bool read = true;
  if (relation == "favours" || relation == "neutral") {
    direction.relation = relation == "favours" ? Relation::favours : Relation::neutral;
  } else if (relation == "nearer") {
    direction.relation = Relation::nearer;
    read = static_cast<bool>(words >> direction.than >> than >> direction.rather) && than == "than";
  } else {
    direction.relation = relation == ">"   ? Relation::above
                         : relation == "<" ? Relation::below
                                           : Relation::near;
    read = (relation == ">" || relation == "<" || relation == "~") &&
           static_cast<bool>(words >> direction.than);
  }
  if (!read || words >> than)
    section.reject_key("direction",
                       "direction must be >, < or ~ and a number, as in \"> 1\", or favours, "
                       "neutral, or nearer A than B");
  direction.within = read_within(section, direction);
  return direction;
}

// A study is named by its file, without extension, from the paper's folder.
bool has_study(const Paper& paper, const std::string& study) {
  return fs::exists(fs::path(paper.folder) / (study + ".toml"));
}

Reading read_reading(const toml::table& table, const std::string& file, const Paper& paper,
                     const Claim& claim) {
  const Measure& of_claim = claim.measure;
  const StudySection section(table, file, with({"text", "study", "row", "within"}, kMeasureKeys));
  Reading reading{section.text("text"), section.text_or_empty("study"), {}, {}};
  if (section.find("within")) reading.within = read_within(section, claim.direction);
  if (!reading.study.empty() && !has_study(paper, reading.study))
    section.reject_key("study", "there is no " + reading.study + ".toml in " + paper.folder);
  reading.measure = read_measure(section, of_claim);
  // Another statistic is compared as that of the claim.
  if (!section.find("over") && !section.find("over_each") && !section.find("shown_as")) {
    reading.measure.over = of_claim.over;
    reading.measure.over_each = of_claim.over_each;
    reading.measure.shown_as = of_claim.shown_as;
  }
  if (const std::string row = section.text_or_empty("row"); !row.empty()) reading.measure.row = row;
  return reading;
}

Claim read_claim(const toml::table& table, const std::string& file, const Paper& paper,
                 const Figure& figure) {
  const StudySection section(table, file,
                             with({"text", "source", "sentence", "row", "direction", "within",
                                   "published", "reason", "reading"},
                                  kMeasureKeys));
  Claim claim;
  claim.text = section.text("text");
  claim.source = section.text("source");
  claim.reason = section.text_or_empty("reason");
  claim.sentence = section.text_or_empty("sentence");
  if (claim.sentence.empty()) claim.sentence = claim.text;
  claim.measure = read_measure(section, figure.measure);
  claim.measure.row = section.text("row");
  claim.direction = read_direction(section);
  if (section.find("published")) claim.published = number(section, "published");
  section.for_each_table("reading", [&](const toml::table& one) {
    claim.readings.push_back(read_reading(one, file, paper, claim));
  });
  return claim;
}

PublishedValue read_published(const toml::table& table, const std::string& file,
                              const Figure& figure) {
  const StudySection section(table, file, {"row", "case", "value", "source"});
  PublishedValue value{section.text("row"), section.text_or_empty("case"), number(section, "value"),
                       section.text("source")};
  if (std::find(figure.rows.begin(), figure.rows.end(), value.row) == figure.rows.end())
    section.reject_key("row", value.row + " is not a row of the figure");
  return value;
}

// A program with its arguments at the paper's size.
void enlarge(Texts& program, const Texts& full) {
  if (!full.empty()) {
    program.resize(1);
    program.insert(program.end(), full.begin(), full.end());
  } else if (program.size() > 1 && program.back() == kSmallSize) {
    program.back() = kFullSize;
  }
}

Figure read_figure(const toml::table& table, const std::string& file, const Paper& paper,
                   const std::string& gpu) {
  const StudySection section(
      table, file,
      with({"number", "title", "study", "rows", "note", "axis", "class", "published", "claim"},
           kMeasureKeys));
  Figure figure;
  figure.number = section.text("number");
  figure.title = section.text("title");
  figure.study = section.text("study");
  figure.note = section.text_or_empty("note");
  figure.axis = section.text_or_empty("axis");
  if (!has_study(paper, figure.study))
    section.reject_key("study", "there is no " + figure.study + ".toml in " + paper.folder);
  figure.rows = section.texts("rows");
  if (figure.rows.empty()) section.reject_key("rows", "rows is missing");
  Measure base;
  base.gpu = gpu;
  base.over = figure.rows.front();
  figure.measure = read_measure(section, base);
  section.for_each_table("class", [&](const toml::table& one) {
    const StudySection of_class(one, file, {"name", "cases"});
    figure.classes.push_back({of_class.text("name"), of_class.texts("cases")});
  });
  if (figure.classes.empty()) figure.classes = {{"", figure.measure.cases}};
  section.for_each_table("published", [&](const toml::table& one) {
    figure.published.push_back(read_published(one, file, figure));
  });
  section.for_each_table("claim", [&](const toml::table& one) {
    figure.claims.push_back(read_claim(one, file, paper, figure));
  });
  return figure;
}

}  // namespace

bool ClaimDirection::holds_for(double value, double threshold) const {
  const double margin = than == 1 ? kMargin : 0;
  switch (relation) {
    case Relation::above: return value > than + margin;
    case Relation::below: return value < than - margin;
    case Relation::favours: return value > 1 + threshold;
    case Relation::neutral: return std::abs(value - 1) <= threshold;
    case Relation::nearer: return std::abs(value - than) < std::abs(value - rather);
    case Relation::near: break;
  }
  return std::abs(value - than) <= within * (than == 0 ? 1 : std::abs(than));
}

std::optional<double> Figure::published_for(const std::string& row, const std::string& name) const {
  for (const PublishedValue& one : published)
    if (one.row == row && one.workload == name) return one.value;
  Measure bar = measure;
  bar.row = row;
  const auto of_class = std::ranges::find(classes, name, &ProgramClass::name);
  bar.cases = of_class == classes.end() ? Texts{name} : of_class->cases;
  for (const Claim& claim : claims) {
    if (bar.cases.size() == 1) bar.mean = claim.measure.mean;
    if (claim.published && claim.measure == bar) return claim.published;
  }
  return {};
}

bool Figure::is_base(const std::string& row) const {
  return (measure.shown_as == ShownAs::speed_up || measure.shown_as == ShownAs::ratio) &&
         row == measure.over && measure.over_case.empty() && measure.over_cases.empty() &&
         measure.over_statistic.empty() && measure.kernel.empty();
}

const std::string& Measure::other_case(const std::string& workload) const {
  if (!over_case.empty()) return over_case;
  const auto found = over_cases.find(workload);
  return found == over_cases.end() ? workload : found->second;
}

const std::string& Paper::label_of(const std::string& row) const {
  const auto found = labels.find(row);
  return found == labels.end() ? row : found->second;
}

Paper read_paper(const std::string& folder) {
  const std::string file = (fs::path(folder) / kPaperFile).string();
  const toml::table table = read_toml_file(file);
  const StudySection section(table, file,
                             {"title", "source", "gpu", "labels", "own", "parameter", "figure"});
  Paper paper;
  paper.folder = folder;
  paper.name = fs::path(folder).lexically_normal().filename().string();
  paper.title = section.text("title");
  paper.source = section.text("source");
  paper.labels = section.texts_by_name("labels");
  paper.own = section.texts("own");
  section.for_each_table("parameter", [&](const toml::table& one) {
    paper.parameters.push_back(read_parameter(one, file));
  });
  if (paper.parameters.size() > kMostParameters)
    section.reject(table, fmt::format("a paper has at most {} parameters", kMostParameters));
  const std::string gpu = section.text_or_empty("gpu");
  std::set<std::string> numbers;
  section.for_each_table("figure", [&](const toml::table& one) {
    paper.figures.push_back(read_figure(one, file, paper, gpu));
    if (!numbers.insert(paper.figures.back().number).second)
      section.reject(one, "there are two figures " + paper.figures.back().number);
  });
  if (paper.figures.empty()) section.reject(table, "there is no [[figure]]");
  return paper;
}

Study paper_study(const Paper& paper, const std::string& name, const std::string& size) {
  Study study = read_study((fs::path(paper.folder) / (name + ".toml")).lexically_normal());
  if (size == kSmallSize) return study;
  study.name += "-" + size;
  for (StudyCase& one : study.cases) {
    if (one.corun.empty()) enlarge(one.run.program, one.full);
    for (StudyProgram& program : one.corun) enlarge(program.program, program.full);
  }
  return study;
}

std::vector<std::string> studies_of(const Figure& figure) {
  Texts names{figure.study};
  for (const Claim& claim : figure.claims)
    for (const Reading& reading : claim.readings)
      if (!reading.study.empty() &&
          std::find(names.begin(), names.end(), reading.study) == names.end())
        names.push_back(reading.study);
  return names;
}

std::vector<std::string> list_papers(const std::string& experiments) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(experiments, ignored))
    if (fs::exists(entry.path() / kPaperFile)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace heddle::lab
