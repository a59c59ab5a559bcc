#include "lab/study_grid.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::lab {
namespace {

class AxisReader {
 public:
  AxisReader(const StudySection& section, const std::string& name)
      : section_(section), axis_{name, {}} {}

  GridAxis read(const toml::node& node) {
    if (const toml::array* list = node.as_array()) {
      for (const toml::node& item : *list) add(item, text_of(item));
    } else if (const toml::table* table = node.as_table()) {
      if (table->contains("from"))
        read_range(*table);
      else
        read_variants(*table);
    } else {
      section_.reject(node, axis_.name + " must be a list, a range or a table of variants");
    }
    if (axis_.values.empty()) section_.reject(node, axis_.name + " has no value");
    return std::move(axis_);
  }

 private:
  std::string text_of(const toml::node& item) const {
    if (const auto text = item.value_exact<std::string>(); text && !text->empty()) return *text;
    if (const auto number = item.value_exact<std::int64_t>()) return fmt::format("{}", *number);
    if (const auto number = item.value_exact<double>()) return fmt::format("{}", *number);
    if (const auto flag = item.value_exact<bool>()) return *flag ? "true" : "false";
    section_.reject(item, "a value of " + axis_.name + " must be a text, a number or a boolean");
  }

  void add(const toml::node& at, const std::string& label, std::vector<std::string> overrides) {
    for (const GridValue& other : axis_.values)
      if (other.label == label)
        section_.reject(at, fmt::format("{} has the value {} twice", axis_.name, label));
    if (axis_.values.size() == kMaxAxisValues)
      section_.reject(at, fmt::format("{} has more than {} values", axis_.name, kMaxAxisValues));
    axis_.values.push_back({label, std::move(overrides)});
  }
  void add(const toml::node& at, const std::string& value) {
    if (axis_.name == kSeedAxis) {
      if (value.empty() || value.size() > 18 ||
          value.find_first_not_of("0123456789") != std::string::npos)
        section_.reject(at, "a value of seed must be a whole number");
      add(at, value, {});
    } else if (axis_.name == kIsaAxis) {
      if (config::CodeKind kind; !from_string(value, kind))
        section_.reject(at, "a value of isa must be auto, ptx or sass");
      add(at, value, {});
    } else {
      add(at, value, {axis_.name + "=" + value});
    }
  }

  // {from = A, to = B, step = S} or {from = A, to = B, times = F}, B included.
  void read_range(const toml::table& table) {
    const auto number = [&](const char* key) {
      const auto value = table.get(key) ? table.get(key)->value<double>() : std::nullopt;
      if (table.get(key) && !value)
        section_.reject(*table.get(key), fmt::format("{} of {} must be a number", key, axis_.name));
      return value;
    };
    for (const auto& [key, value] : table)
      if (key != "from" && key != "to" && key != "step" && key != "times")
        section_.reject(value, fmt::format("a range has from, to, and step or times, not {}",
                                           std::string(key.str())));
    const auto from = number("from"), to = number("to"), step = number("step"),
               times = number("times");
    if (!to || !step == !times || *from > *to || (step && *step <= 0) ||
        (times && (*times <= 1 || *from <= 0)))
      section_.reject(table, fmt::format("{} must read {{from = 16, to = 64, step = 16}} or "
                                         "{{from = 16, to = 64, times = 2}}",
                                         axis_.name));
    const double tolerance = 1e-9 * std::max(1.0, *to);
    double value = *from;
    for (std::size_t i = 0; value <= *to + tolerance; ++i) {
      add(table, fmt::format("{:.12g}", value));
      value = step ? *from + static_cast<double>(i + 1) * *step : value * *times;
    }
  }

  // {small = ["key=value", ...], large = [...]}
  void read_variants(const toml::table& table) {
    for (const auto& [label, value] : in_file_order(table))
      add(*value, label, section_.texts_of(*value, axis_.name + "." + label));
  }

  const StudySection& section_;
  GridAxis axis_;
};

}  // namespace

std::vector<GridAxis> read_grid(const StudySection& section) {
  const toml::node* node = section.find("grid");
  if (!node) return {};
  const toml::table* table = node->as_table();
  if (!table) section.reject(*node, "grid must be a table of parameters and their values");
  std::vector<GridAxis> axes;
  for (const auto& [name, value] : in_file_order(*table)) {
    if (value->is_table() && value->as_table()->empty())
      section.reject(*value, name + " has no value");
    axes.push_back(AxisReader(section, name).read(*value));
  }
  return axes;
}

std::vector<GridAxis> merged(std::vector<GridAxis> axes, const std::vector<GridAxis>& others) {
  for (const GridAxis& other : others) {
    const auto same = std::find_if(axes.begin(), axes.end(),
                                   [&](const GridAxis& axis) { return axis.name == other.name; });
    if (same != axes.end())
      *same = other;
    else
      axes.push_back(other);
  }
  return axes;
}

void for_each_point(const std::vector<GridAxis>& axes,
                    const std::function<void(const GridPoint&)>& use) {
  std::vector<std::size_t> at(axes.size(), 0);
  while (true) {
    GridPoint point;
    for (std::size_t i = 0; i < axes.size(); ++i)
      point.emplace_back(&axes[i], &axes[i].values[at[i]]);
    use(point);
    std::size_t i = axes.size();
    while (i > 0 && ++at[i - 1] == axes[i - 1].values.size()) at[--i] = 0;
    if (i == 0) return;
  }
}

}  // namespace heddle::lab
