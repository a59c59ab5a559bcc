#include "report/series_csv.h"

#include <algorithm>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/demangle.h"

namespace heddle::report {

std::string series_csv(const nlohmann::ordered_json& results) {
  const auto& kernels = results.at("kernels");
  std::vector<std::string> columns;
  for (const auto& kernel : kernels) {
    if (!kernel.contains("series")) continue;
    for (const auto& name : kernel["series"]["columns"])
      if (std::find(columns.begin(), columns.end(), name.get<std::string>()) == columns.end())
        columns.push_back(name);
  }
  if (columns.empty()) return {};
  std::string text = "launch,kernel";
  for (const std::string& name : columns) text += "," + name;
  text += "\n";
  for (std::size_t launch = 0; launch < kernels.size(); ++launch) {
    if (!kernels[launch].contains("series")) continue;
    const auto& series = kernels[launch]["series"];
    std::vector<std::size_t> place(columns.size(),
                                   columns.size());  // of each column in this launch's rows
    for (std::size_t c = 0; c < series["columns"].size(); ++c)
      place[static_cast<std::size_t>(
          std::find(columns.begin(), columns.end(), series["columns"][c].get<std::string>()) -
          columns.begin())] = c;
    for (const auto& row : series["rows"]) {
      text += std::to_string(launch) + "," + plain_name(kernels[launch].value("name", ""));
      for (const std::size_t c : place)
        text += "," + (c < row.size() ? std::to_string(row[c].get<std::uint64_t>()) : "0");
      text += "\n";
    }
  }
  return text;
}

}  // namespace heddle::report
