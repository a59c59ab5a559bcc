#include "report/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/diagnostics.h"
#include "report/glossary.h"
#include "report/page_template.h"
#include "report/palette.h"
#include "sm/policy/slot_use.h"

namespace heddle::report {
namespace {

using nlohmann::ordered_json;

constexpr const char* kSpeedUp = "speed_up";  // the page computes it
// Terms of docs/glossary.md that the page explains.
const std::vector<std::string> kWords{
    "speed-up", "geometric mean", "policy", "CTA",         "warp, lane", "SM",
    "IPC",      "issue slot",     "L1, L2", "pending hit", "row hit"};
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
// Labels of dimensions; those of parameters are their names.
const std::map<std::string, std::string> kLabels{
    {"workload", "Workload"}, {"gpu", "GPU"}, {"policy", "Policy"}};
constexpr std::size_t kPolicy = 2;  // its place among the dimensions
constexpr std::array<std::string_view, 3> kKindNames{"run", "comparison", "study"};

// Integers in full, fractions with seven digits: a page is not the place of exact results.
ordered_json number(double value) {
  constexpr double kLargestInteger = 9007199254740992.0;  // 2^53
  if (!std::isfinite(value)) return nullptr;
  if (value == std::floor(value) && std::fabs(value) < kLargestInteger)
    return static_cast<std::int64_t>(value);
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 7)
          .ptr;
  double rounded = value;
  std::from_chars(text.data(), end, rounded);
  return rounded;
}

bool any_finite(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

ordered_json column(const std::vector<double>& values) {
  const auto present = static_cast<std::size_t>(
      std::count_if(values.begin(), values.end(), [](double v) { return std::isfinite(v); }));
  if (present == values.size() &&
      std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); }))
    return {{"all", values.empty() ? ordered_json(nullptr) : number(values.front())}};
  ordered_json list = ordered_json::array(), at = ordered_json::array();
  const bool sparse = 2 * present < values.size();
  for (std::size_t run = 0; run < values.size(); ++run) {
    if (sparse && !std::isfinite(values[run])) continue;
    list.push_back(number(values[run]));
    if (sparse) at.push_back(run);
  }
  if (!sparse) return list;
  return {{"at", std::move(at)}, {"values", std::move(list)}};
}

ordered_json slot_uses() {
  ordered_json list = ordered_json::array();
  for (const sm::SlotUse use : kStackOrder) {
    const sm::SlotUseInfo& info = sm::info(use);
    list.push_back({{"key", info.name},
                    {"label", info.label},
                    {"phrase", info.phrase},
                    {"colour", look_of(use).colour},
                    {"ink", ink_on(look_of(use).colour)}});
  }
  return list;
}

// The shares of issue slots among the values of a run.
void add_slot_shares(std::map<std::string, double>& values) {
  std::map<std::string, double> shares;
  double all = 0;
  for (const std::string_view use : sm::kSlotUseNames)
    if (const auto found = values.find(fmt::format("slots.{}", use)); found != values.end()) {
      shares[fmt::format("slot_shares.{}", use)] = found->second;
      all += found->second;
    }
  if (all == 0) return;
  for (const auto& [key, slots] : shares) values[key] = slots / all;
}

}  // namespace

int ReportPage::Dictionary::place_of(const std::string& text) {
  const auto [place, added] = places.emplace(text, static_cast<int>(values.size()));
  if (added) values.push_back(text);
  return place->second;
}

void ReportPage::Dictionary::add(std::size_t run, const std::string& text) {
  of.resize(run, -1);
  of.push_back(place_of(text));
}

ordered_json ReportPage::Dictionary::json(std::size_t runs) const {
  std::vector<int> all = of;
  all.resize(runs, -1);
  return {{"values", values}, {"of", all}};
}

ReportPage::Dictionary& ReportPage::named(Dictionaries& list, const std::string& name) {
  for (auto& [known, dictionary] : list)
    if (known == name) return dictionary;
  return list.emplace_back(name, Dictionary{}).second;
}

ReportPage::ReportPage(Kind kind, std::string title) : kind_(kind), title_(std::move(title)) {}

void ReportPage::declare_slot_shares() {
  for (const sm::SlotUse use : kStackOrder)
    declare_statistic(fmt::format("slot_shares.{}", sm::info(use).name), "ratio",
                      fmt::format("share of the issue slots: {}", sm::info(use).phrase));
}

void ReportPage::add_fact(const std::string& name, const std::string& text) {
  if (!text.empty()) facts_.emplace_back(name, text);
}

void ReportPage::add_expectation(const std::string& name, const std::string& text,
                                 const std::string& verdict, const std::string& reason) {
  expectations_.push_back(
      {{"case", name}, {"text", text}, {"verdict", verdict}, {"reason", reason}});
}

void ReportPage::add_best_row(const std::string& name, const std::vector<std::string>& policies) {
  best_rows_.push_back({{"name", name}, {"policies", policies}});
}

void ReportPage::declare_statistic(const std::string& key, const std::string& unit,
                                   const std::string& meaning) {
  check_invariant(runs_ == 0, "a statistic was declared after the first run");
  if (statistic_places_.emplace(key, statistics_.size()).second)
    statistics_.push_back({key, unit, meaning, {}, {}});
}

void ReportPage::add_run(PageRun run) {
  if (runs_ == 0) declare_slot_shares();
  add_slot_shares(run.values);
  const auto add = [this](Dictionaries& list, const std::string& name, const std::string& text) {
    named(list, name).add(runs_, text);
  };
  add(dimensions_, "workload", run.workload);
  add(dimensions_, "gpu", run.gpu);
  add(dimensions_, "policy", run.policy);
  for (const auto& [name, value] : run.parameters) add(dimensions_, name, value);
  for (const auto& [name, text] : run.facts)
    if (!text.empty()) add(run_facts_, name, text);
  if (!run.configuration.empty()) add(texts_, "configuration", run.configuration);
  if (!run.explanation.empty()) add(texts_, "explanation", run.explanation);
  if (!run.problem.empty()) problems_[std::to_string(runs_)] = run.problem;
  if (!run.details.is_null()) details_[std::to_string(runs_)] = std::move(run.details);
  for (Statistic& statistic : statistics_) {
    statistic.values.push_back(kNone);
    statistic.bars.push_back(kNone);
  }
  for (const auto& [key, value] : run.values)
    if (const auto place = statistic_places_.find(key); place != statistic_places_.end())
      statistics_[place->second].values.back() = value;
  for (const auto& [key, bar] : run.bars)
    if (const auto place = statistic_places_.find(key); place != statistic_places_.end())
      statistics_[place->second].bars.back() = bar;
  estimated_runs_ += !run.bars.empty();
  ++runs_;
}

ordered_json ReportPage::dimensions() const {
  ordered_json list = ordered_json::array();
  for (auto [key, dictionary] : dimensions_) {
    const auto known = kLabels.find(key);
    ordered_json one = {{"key", key}, {"label", known == kLabels.end() ? key : known->second}};
    // Runs without the parameter have the empty text.
    dictionary.of.resize(runs_, -1);
    if (std::find(dictionary.of.begin(), dictionary.of.end(), -1) != dictionary.of.end()) {
      const int none = static_cast<int>(dictionary.values.size());
      std::replace(dictionary.of.begin(), dictionary.of.end(), -1, none);
      dictionary.values.emplace_back();
    }
    one.update(dictionary.json(runs_));
    list.push_back(std::move(one));
  }
  return list;
}

// name: of the field with the name of each.
ordered_json ReportPage::by_name(const char* name, const Dictionaries& list) const {
  ordered_json all = ordered_json::array();
  for (const auto& [text, dictionary] : list) {
    all.push_back({{name, text}});
    all.back().update(dictionary.json(runs_));
  }
  return all;
}

ordered_json ReportPage::statistics() const {
  ordered_json list = ordered_json::array();
  for (const Statistic& one : statistics_) {
    if (!any_finite(one.values)) continue;
    list.push_back({{"key", one.key},
                    {"unit", one.unit},
                    {"meaning", one.meaning},
                    {"values", column(one.values)}});
    if (any_finite(one.bars)) list.back()["bars"] = column(one.bars);
  }
  return list;
}

void ReportPage::check_references(const ordered_json& dimensions) const {
  std::vector<std::string> known;
  for (const ordered_json& dimension : dimensions) known.push_back(dimension["key"]);
  for (const std::string& column : references_.columns)
    if (std::find(known.begin(), known.end(), column) == known.end())
      throw UserError(fmt::format("{}: there is no dimension '{}'; the runs have {}",
                                  references_.name, column, fmt::join(known, ", ")));
  if (references_.statistic != kSpeedUp && !statistic_places_.contains(references_.statistic))
    throw UserError(fmt::format("{}: there is no statistic '{}'; heddle list stats names them",
                                references_.name, references_.statistic));
}

std::vector<std::string> ReportPage::findings() const {
  std::vector<std::string> all = findings_;
  if (estimated_runs_ > 0)
    all.push_back(fmt::format(
        "Figures of {} are estimates of sampled runs. ± and lines at bars are error bars with 95 % "
        "confidence.",
        estimated_runs_ == runs_ ? "all runs"
                                 : fmt::format("{} of {} runs", estimated_runs_, runs_)));
  return all;
}

ordered_json ReportPage::data() const {
  ordered_json data = {{"format", 1},
                       {"kind", kKindNames[static_cast<std::size_t>(kind_)]},
                       {"title", title_},
                       {"subtitle", subtitle_},
                       {"heddle", HEDDLE_VERSION},
                       {"baseline", baseline_},
                       {"runs", runs_},
                       {"missing", missing_},
                       {"facts", facts_},
                       {"findings", findings()},
                       {"dimensions", dimensions()},
                       {"statistics", statistics()},
                       {"slots", slot_uses()},
                       {"words", glossary_rows(kWords)}};
  ordered_json looks = ordered_json::object();
  for (const std::string& policy : dimensions_[kPolicy].second.values) {
    const PolicyLook look = look_of_policy(policy);
    looks[policy] = {{"colour", look.colour}, {"variant", look.variant}};
  }
  data["looks"] = std::move(looks);
  data["problems"] = problems_.is_null() ? ordered_json::object() : problems_;
  data["run_facts"] = by_name("name", run_facts_);
  data["texts"] = by_name("key", texts_);
  data["details"] = details_.is_null() ? ordered_json::object() : details_;
  data["expectations"] = expectations_.is_null() ? ordered_json::array() : expectations_;
  data["best_rows"] = best_rows_.is_null() ? ordered_json::array() : best_rows_;
  data["references"] = nullptr;
  if (references_.rows.empty()) return data;
  check_references(data["dimensions"]);
  ordered_json rows = ordered_json::array();
  for (const auto& [texts, value] : references_.rows) {
    ordered_json row = texts;
    row.push_back(value);
    rows.push_back(std::move(row));
  }
  data["references"] = {{"name", "published " + references_.statistic},
                        {"statistic", references_.statistic},
                        {"columns", references_.columns},
                        {"rows", std::move(rows)}};
  return data;
}

std::string ReportPage::html() const { return page_of(title_, data()); }

}  // namespace heddle::report
