#include "lab/kernel_statistics.h"

#include <algorithm>
#include <utility>

#include "base/demangle.h"
#include "base/diagnostics.h"
#include "energy/energy.h"
#include "gpu/launch_totals.h"
#include "gpu/results_json.h"
#include "lab/figures.h"
#include "lab/statistics_list.h"

namespace heddle::lab {

using nlohmann::ordered_json;

namespace {

ordered_json::json_pointer path_of(std::string key) {
  std::replace(key.begin(), key.end(), '.', '/');
  return ordered_json::json_pointer("/" + key);
}

// The statistics that a launch or the totals have as a value of their own.
std::vector<stats::FieldInfo> statistics_of_kernels(const std::vector<std::string>& plugins) {
  std::vector<stats::FieldInfo> list = list_statistics(plugins);
  std::erase_if(list, [](const stats::FieldInfo& field) {
    return field.key.starts_with("details.") || field.key == "series";
  });
  return list;
}

// `field`, or its parts when it is a breakdown.
void add_parts(const stats::FieldInfo& field, std::vector<stats::FieldInfo>& into) {
  if (field.buckets.empty()) into.push_back(field);
  for (const std::string& bucket : field.buckets)
    into.push_back({field.key + "." + bucket, field.unit, field.meaning, {}});
}

}  // namespace

ordered_json KernelStatistics::value(const std::string& key) const {
  const ordered_json::json_pointer path = path_of(key);
  return statistics.contains(path) ? statistics.at(path) : ordered_json();
}

std::vector<stats::FieldInfo> select_statistics(const std::vector<std::string>& names,
                                                const std::vector<std::string>& plugins) {
  if (names.empty()) return {};
  const std::vector<stats::FieldInfo> all = statistics_of_kernels(plugins);
  std::vector<stats::FieldInfo> parts, selected;
  std::vector<std::string> known;
  for (const stats::FieldInfo& field : all) {
    known.push_back(field.key);
    if (!field.buckets.empty()) add_parts(field, parts);
  }
  for (const stats::FieldInfo& part : parts) known.push_back(part.key);
  for (const std::string& name : names) {
    const auto is_named = [&](const stats::FieldInfo& field) { return field.key == name; };
    if (const auto whole = std::find_if(all.begin(), all.end(), is_named); whole != all.end())
      add_parts(*whole, selected);
    else if (const auto part = std::find_if(parts.begin(), parts.end(), is_named);
             part != parts.end())
      selected.push_back(*part);
    else if (name.starts_with("details.") || name == "series")
      throw UserError("--stats " + name +
                      ": is a table for each launch, in run.json only (--out, --details and "
                      "--interval)");
    else
      throw UserError("there is no statistic '" + name + "'" + did_you_mean(name, known) +
                      " (heddle list stats)");
  }
  return selected;
}

std::vector<KernelStatistics> statistics_by_kernel(const ordered_json& results,
                                                   const config::GpuSpec& gpu) {
  struct Kernel {
    std::string name;
    const ordered_json* first;  // launch
    gpu::LaunchTotals totals;
  };
  std::vector<Kernel> kernels;
  for (const ordered_json& launch : results.at("kernels")) {
    if (!is_included(results, launch)) continue;
    const std::string name = plain_name(launch.value("name", ""));
    auto same = std::find_if(kernels.begin(), kernels.end(),
                             [&](const Kernel& kernel) { return kernel.name == name; });
    if (same == kernels.end()) same = kernels.insert(same, {name, &launch, {}});
    same->totals.add(gpu::kernel_from_json(launch));
  }
  std::vector<KernelStatistics> rows;
  for (const Kernel& kernel : kernels) {
    ordered_json row = kernel.totals.json(gpu);
    energy::put_energy(row, gpu, kernel.totals.sum());
    // Only a launch has an occupancy.
    if (kernel.totals.launches() == 1) row.merge_patch(*kernel.first);
    rows.push_back({kernel.name, std::move(row)});
  }
  if (rows.size() > 1) rows.push_back({"total", results.at("totals")});
  return rows;
}

}  // namespace heddle::lab
