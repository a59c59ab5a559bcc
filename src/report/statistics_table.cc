#include "report/statistics_table.h"

#include <fmt/format.h>

#include <cmath>

#include "report/kernel_labels.h"
#include "report/text_table.h"

namespace heddle::report {
namespace {

constexpr double kLargeValue = 1000;  // from here on without fraction

std::string value_text(const nlohmann::ordered_json& value) {
  if (value.is_number_integer()) return grouped(value.get<std::uint64_t>());
  if (value.is_number_float()) {
    const auto number = value.get<double>();
    return number < kLargeValue ? fmt::format("{:.4g}", number)
                                : grouped(static_cast<std::uint64_t>(std::llround(number)));
  }
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return "-";
  std::string entries;  // of a histogram: those that are not 0
  for (std::size_t i = 0; i < value.size(); ++i)
    if (value[i] != 0)
      entries += fmt::format("{}{}: {}", entries.empty() ? "" : ", ", i, value_text(value[i]));
  return entries.empty() ? "0" : entries;
}

}  // namespace

std::string statistics_table(const std::vector<stats::FieldInfo>& statistics,
                             const std::vector<lab::KernelStatistics>& kernels, int width) {
  using enum Align;
  TextTable table({{"statistic", left}, {"unit", left}, {"kernel", left}, {"value", right}});
  const auto labels = kernel_labels(kernels, &lab::KernelStatistics::kernel);
  for (const stats::FieldInfo& field : statistics)
    for (std::size_t k = 0; k < labels.size(); ++k)
      table.add_row({field.key, field.unit, labels[k], value_text(kernels[k].value(field.key))});
  return "\n" + table.text("  ", width);
}

}  // namespace heddle::report
