#include "lab/workloads.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include "base/diagnostics.h"
#include "config/preset_folder.h"

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

}  // namespace

std::vector<Workload> list_workloads() {
  const std::string folder = config::data_folder("workloads");
  if (folder.empty()) throw UserError("there is no folder of workloads near the heddle executable");
  std::vector<Workload> list;
  try {
    const toml::table catalogue = toml::parse_file(folder + "/catalogue.toml");
    if (const auto* rows = catalogue["workload"].as_array())
      for (const auto& row : *rows)
        if (const auto* table = row.as_table()) list.push_back(workload_of(*table));
  } catch (const toml::parse_error& error) {
    throw UserError({folder + "/catalogue.toml", static_cast<int>(error.source().begin.line), 0},
                    std::string(error.description()));
  }
  return list;
}

}  // namespace heddle::lab
