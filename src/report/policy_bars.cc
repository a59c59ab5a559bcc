#include "report/policy_bars.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/demangle.h"
#include "report/text_table.h"
#include "sched/catalogue.h"

namespace heddle::report {
namespace {

using nlohmann::ordered_json;

std::vector<policies::Bar> bars_of(const policies::BarChart& chart, const ordered_json& statistic) {
  std::vector<policies::Bar> bars;
  if (chart.bar_of_record) {
    for (const ordered_json& record : statistic)
      bars.push_back(
          chart.bar_of_record([&](const char* name) { return record.at(name).get<double>(); }));
    return bars;
  }
  double whole = 0;
  for (const auto& [bucket, count] : statistic.items()) whole += count.get<double>();
  for (const auto& [bucket, count] : statistic.items())
    if (whole > 0)
      bars.push_back({bucket, count.get<double>(),
                      fmt::format("{}, {:.0f} %", grouped(count.get<std::uint64_t>()),
                                  100 * count.get<double>() / whole)});
  return bars;
}

}  // namespace

std::vector<BarPicture> policy_bars(const ordered_json& results, std::size_t max_pictures) {
  std::vector<BarPicture> pictures;
  for (const ordered_json& kernel : results.at("kernels"))
    for (const sched::PolicyEntry& policy : sched::PolicyEntry::catalogue())
      for (const policies::BarChart& chart : policy.presentation.bars) {
        const ordered_json::json_pointer where("/policy/" + policy.name + "/" + chart.statistic);
        if (pictures.size() == max_pictures || !kernel.contains(where)) continue;
        const std::string title =
            plain_name(kernel.value("name", "")) + ": " + policy.name + ", " + chart.title;
        BarPicture picture{title, chart.note, bars_of(chart, kernel.at(where))};
        if (!picture.bars.empty()) pictures.push_back(std::move(picture));
      }
  return pictures;
}

}  // namespace heddle::report
