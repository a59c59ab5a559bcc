#include "lab/workloads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/diagnostics.h"
#include "config/preset_folder.h"
#include "lab/study_section.h"

namespace heddle::lab {
namespace {

std::string numbers(const toml::node* list) {
  std::string text;
  if (const auto* array = list ? list->as_array() : nullptr)
    for (const auto& item : *array)
      text += fmt::format("{}{}", text.empty() ? "" : " ", item.value_or(std::int64_t{0}));
  return text;
}

Workload workload_of(const toml::table& table) {
  const auto text = [&](const char* key) { return table[key].value_or(std::string{}); };
  Workload workload{text("name"), text("title"), text("pattern"), text("expectation"), {}, {}};
  if (const auto* papers = table["papers"].as_array())
    for (const auto& paper : *papers) workload.papers.push_back(paper.value_or(std::string{}));
  if (const auto* sizes = table["sizes"].as_table())
    for (const char* size : {"tiny", "small", "full"})
      workload.sizes.emplace_back(size, numbers(sizes->get(size)));
  return workload;
}

std::string without_case_and_spaces(const std::string& text) {
  std::string key;
  for (const unsigned char c : text)
    if (!std::isspace(c)) key += static_cast<char>(std::tolower(c));
  return key;
}

}  // namespace

bool is_measured_by(const Workload& workload, const std::string& paper) {
  const std::string wanted = without_case_and_spaces(paper);
  return std::any_of(workload.papers.begin(), workload.papers.end(), [&](const std::string& name) {
    return !wanted.empty() && without_case_and_spaces(name).starts_with(wanted);
  });
}

std::vector<Workload> list_workloads() {
  const std::string folder = config::data_folder("workloads");
  if (folder.empty()) throw UserError("there is no folder of workloads near the heddle executable");
  std::vector<Workload> list;
  for (const char* name : {"/catalogue.toml", "/suites.toml"}) {
    const std::string file = folder + name;
    const toml::table catalogue = read_toml_file(file);
    if (const auto* rows = catalogue["workload"].as_array())
      for (const auto& row : *rows)
        if (const auto* table = row.as_table()) list.push_back(workload_of(*table));
  }
  return list;
}

}  // namespace heddle::lab
