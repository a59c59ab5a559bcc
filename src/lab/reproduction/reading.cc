#include "lab/reproduction/reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/diagnostics.h"

namespace heddle::lab {
namespace {

using Texts = std::vector<std::string>;

std::map<std::string, Texts> read_lists_by_name(const StudySection& section, const char* key) {
  const toml::node* node = section.find(key);
  if (!node) return {};
  if (!node->is_table())
    section.reject(*node, fmt::format("{} must be a table of lists of texts", key));
  std::map<std::string, Texts> lists;
  for (const auto& [name, list] : *node->as_table())
    lists[std::string(name.str())] = section.texts_of(list, std::string(name.str()));
  return lists;
}

ReadingValue read_value(const toml::table& table, const std::string& file) {
  const StudySection section(table, file,
                             {"name", "text", "source", "set", "gpus", "options", "programs",
                              "full", "registers", "statistics"});
  ReadingValue value;
  value.name = section.text("name");
  if (value.name.find(kReadingSeparator) != std::string::npos)
    section.reject_key("name", "the name of a value has no +");
  value.text = section.text("text");
  value.source = section.text("source");
  value.set = section.texts("set");
  value.gpus = section.texts_by_name("gpus");
  value.options = section.texts_by_name("options");
  value.statistics = section.texts_by_name("statistics");
  value.programs = read_lists_by_name(section, "programs");
  value.full = read_lists_by_name(section, "full");
  value.registers = read_lists_by_name(section, "registers");
  return value;
}

// Whether the text has the policy's name at a place, and not a longer name.
bool names_policy(const std::string& row, std::size_t at, const std::string& policy) {
  const auto ends = [](char c, std::string_view marks) {
    return marks.find(c) != std::string_view::npos;
  };
  const std::size_t after = at + policy.size();
  return row.compare(at, policy.size(), policy) == 0 && (at == 0 || ends(row[at - 1], "+=, ")) &&
         (after == row.size() || ends(row[after], ":+, "));
}

// The row with the option in every policy of the name that does not give it.
std::string with_option(std::string row, const std::string& policy, const std::string& option) {
  const std::string key = option.substr(0, option.find('=') + 1);
  for (std::size_t at = 0; at + policy.size() <= row.size(); ++at) {
    if (!names_policy(row, at, policy)) continue;
    const std::size_t after = at + policy.size();
    const std::size_t end = std::min(row.find_first_of("+ ", after), row.size());
    if (row.substr(after, end - after).find(key) != std::string::npos) continue;
    const bool has_options = after < row.size() && row[after] == ':';
    row.insert(has_options ? after + 1 : after, has_options ? option + "," : ":" + option);
  }
  return row;
}

std::string with_options(std::string row, const ReadingValue& value) {
  for (const auto& [policy, option] : value.options)
    row = with_option(std::move(row), policy, option);
  return row;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// Rows keep their names; what runs under them has the options.
void change_rows(Study& study, const ReadingValue& value) {
  for (auto& [row, members] : study.best_of)
    for (std::string& member : members) member = with_options(member, value);
  for (const std::string& row : study.rows) {
    const std::string changed = with_options(row, value);
    const bool is_best = std::any_of(study.best_of.begin(), study.best_of.end(),
                                     [&](const auto& best) { return best.first == row; });
    if (changed != row && !is_best) study.best_of.emplace_back(row, Texts{changed});
  }
  for (StudyCase& one : study.cases)
    for (std::string& scheduler : one.schedulers) scheduler = with_options(scheduler, value);
}

template <class Map>
const typename Map::mapped_type* value_of(const Map& map, const std::string& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

void change_case(StudyCase& one, const ReadingValue& value, bool full) {
  if (const auto* gpu = value_of(value.gpus, one.run.gpu)) one.run.gpu = *gpu;
  one.run.overrides.insert(one.run.overrides.end(), value.set.begin(), value.set.end());
  if (const auto* program = value_of(full ? value.full : value.programs, one.workload))
    one.run.program = *program;
  if (const auto* registers = value_of(value.registers, one.workload))
    one.run.registers = *registers;
}

}  // namespace

OpenParameter read_parameter(const toml::table& table, const std::string& file) {
  const StudySection section(table, file, {"name", "default", "source", "of_policy", "value"});
  OpenParameter parameter{section.text("name"),
                          section.text("default"),
                          section.text("source"),
                          section.flag("of_policy"),
                          {}};
  section.for_each_table(
      "value", [&](const toml::table& one) { parameter.values.push_back(read_value(one, file)); });
  if (parameter.values.empty()) section.reject(table, "a parameter has a [[parameter.value]]");
  return parameter;
}

PaperReading::PaperReading(const std::vector<OpenParameter>& parameters, const std::string& name)
    : name_(name) {
  for (std::size_t from = 0; from < name.size();) {
    const std::size_t end = std::min(name.find(kReadingSeparator, from), name.size());
    const std::string one = name.substr(from, end - from);
    from = end + 1;
    Texts known;
    const std::size_t before = values_.size();
    for (const OpenParameter& parameter : parameters)
      for (const ReadingValue& value : parameter.values) {
        known.push_back(value.name);
        if (value.name == one) values_.push_back(value);
      }
    if (values_.size() == before)
      throw UserError(
          fmt::format("the paper has no reading {}; readings: {}", one, fmt::join(known, ", ")));
  }
}

void PaperReading::apply_to(Study& study, bool full) const {
  if (is_default()) return;
  study.name += "@" + name_;
  for (const ReadingValue& value : values_) {
    change_rows(study, value);
    for (StudyCase& one : study.cases) change_case(one, value, full);
  }
}

void PaperReading::apply_to(Measure& measure) const {
  for (const ReadingValue& value : values_) {
    if (const auto* gpu = value_of(value.gpus, measure.gpu)) measure.gpu = *gpu;
    for (const auto& [from, to] : value.statistics) replace_all(measure.statistic, from, to);
  }
}

}  // namespace heddle::lab
