#include "lab/study_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/diagnostics.h"

namespace heddle::lab {
namespace {

template <class Parse>
toml::table parsed(const std::string& file, Parse parse) {
  try {
    return parse();
  } catch (const toml::parse_error& error) {
    throw UserError({file, static_cast<int>(error.source().begin.line),
                     static_cast<int>(error.source().begin.column)},
                    std::string(error.description()));
  }
}

}  // namespace

toml::table read_toml_file(const std::string& file) {
  return parsed(file, [&] { return toml::parse_file(file); });
}

toml::table parse_toml(const std::string& document, const std::string& file) {
  return parsed(file, [&] { return toml::parse(document, file); });
}

std::vector<std::pair<std::string, const toml::node*>> in_file_order(const toml::table& table) {
  struct Entry {
    std::uint32_t line, column;
    std::pair<std::string, const toml::node*> value;
  };
  std::vector<Entry> entries;
  for (const auto& [key, value] : table) {
    const toml::source_position at = key.source().begin;
    entries.push_back({at.line, at.column, {std::string(key.str()), &value}});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  std::vector<std::pair<std::string, const toml::node*>> ordered;
  for (Entry& entry : entries) ordered.push_back(std::move(entry.value));
  return ordered;
}

StudySection::StudySection(const toml::table& table, const std::string& file, const Texts& known)
    : table_(table), file_(file) {
  for (const auto& [key, value] : table) {
    const std::string name(key.str());
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw UserError(
        {file_, static_cast<int>(key.source().begin.line), 0},
        fmt::format("there is no key {} here; known keys: {}", name, fmt::join(known, ", ")));
  }
}

void StudySection::reject(const toml::node& at, const std::string& why) const {
  throw UserError({file_, static_cast<int>(at.source().begin.line), 0}, why);
}

void StudySection::reject_key(const char* key, const std::string& why) const {
  reject(at(key), why);
}

const toml::node& StudySection::at(const char* key) const {
  const toml::node* node = find(key);
  return node ? *node : static_cast<const toml::node&>(table_);
}

std::string StudySection::text(const char* key) const {
  if (!find(key)) reject(table_, fmt::format("{} is missing", key));
  return text_or_empty(key);
}

std::string StudySection::text_or_empty(const char* key) const {
  const toml::node* node = find(key);
  if (!node) return {};
  const auto value = node->value<std::string>();
  if (!value || value->empty()) reject(*node, fmt::format("{} must be a text", key));
  return *value;
}

StudySection::Texts StudySection::texts(const char* key) const {
  const toml::node* node = find(key);
  return node ? texts_of(*node, key) : Texts{};
}

StudySection::Texts StudySection::texts_of(const toml::node& node, const std::string& key) const {
  const toml::array* array = node.as_array();
  Texts list;
  if (!array) reject(node, key + " must be a list of texts");
  for (const toml::node& item : *array) {
    const auto value = item.value<std::string>();
    if (!value || value->empty()) reject(item, key + " must be a list of texts");
    list.push_back(*value);
  }
  return list;
}

std::map<std::string, std::string> StudySection::texts_by_name(const char* key) const {
  const toml::node* node = find(key);
  if (!node) return {};
  const std::string problem = std::string(key) + " must be a table of texts";
  if (!node->is_table()) reject(*node, problem);
  std::map<std::string, std::string> texts;
  for (const auto& [name, value] : *node->as_table()) {
    const auto text = value.value<std::string>();
    if (!text) reject(value, problem);
    texts[std::string(name.str())] = *text;
  }
  return texts;
}

double StudySection::share(const char* key, double otherwise) const {
  const toml::node* node = find(key);
  if (!node) return otherwise;
  const auto value = node->value<double>();
  if (!value || !(*value >= 0 && *value < 1))
    reject(*node, fmt::format("{} must be a number from 0 to below 1", key));
  return *value;
}

bool StudySection::flag(const char* key) const {
  const toml::node* node = find(key);
  if (!node) return false;
  const auto value = node->value_exact<bool>();
  if (!value) reject(*node, fmt::format("{} must be true or false", key));
  return *value;
}

std::uint64_t StudySection::count(const char* key) const {
  const toml::node* node = find(key);
  if (!node) return 0;
  const auto value = node->value_exact<std::int64_t>();
  if (!value || *value < 1) reject(*node, fmt::format("{} must be a whole number from 1", key));
  return static_cast<std::uint64_t>(*value);
}

double StudySection::quantity(const char* key, const std::vector<UnitSize>& units) const {
  const toml::node* node = find(key);
  if (!node) return 0;
  const std::string text = node->value_or(std::string());
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(
      text.data() + text.size() == end ? "" : std::string(end).substr(*end == ' ' ? 1 : 0));
  constexpr double kLimit = 0x1p63;  // of the store's integers
  for (const UnitSize& one : units) {
    if (error != std::errc{} || !(number > 0) || unit != one.name) continue;
    if (number * one.size < kLimit) return number * one.size;
    reject(*node, fmt::format("{} is too large: at most {:.3g} {} are possible", key,
                              kLimit / one.size, unit));
  }
  std::string names;
  for (const UnitSize& one : units) names += (names.empty() ? "" : ", ") + std::string(one.name);
  reject(*node, fmt::format("{} must be a text with a number and a unit ({}), such as \"10 {}\"",
                            key, names, units[1].name));
}

double StudySection::seconds(const char* key) const {
  return quantity(key, {{"s", 1}, {"min", 60}, {"h", 3600}});
}

std::uint64_t StudySection::bytes(const char* key) const {
  constexpr double kKibi = 1024;
  return static_cast<std::uint64_t>(
      quantity(key, {{"MiB", kKibi * kKibi}, {"GiB", kKibi * kKibi * kKibi}}));
}

}  // namespace heddle::lab
