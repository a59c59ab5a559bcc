#include "report/kernel_labels.h"

#include <map>

#include "report/text_table.h"

namespace heddle::report {
namespace {

constexpr int kMostColumns = 26;

// Without the first namespace; the same name when it has none. "(anonymous namespace)" has no "::"
// inside.
std::string without_namespace(const std::string& name) {
  const std::size_t colons = name.find("::");
  return colons == std::string::npos ? name : name.substr(colons + 2);
}

std::string label_of(const std::string& name) {
  if (display_width(name) <= kMostColumns) return name;
  std::string inner = without_namespace(name);
  while (display_width("…::" + inner) > kMostColumns && without_namespace(inner) != inner)
    inner = without_namespace(inner);
  return inner == name ? name : "…::" + inner;
}

}  // namespace

std::vector<std::string> kernel_labels(const std::vector<std::string>& names) {
  std::vector<std::string> labels;
  std::map<std::string, std::string> owners;  // of a label; empty: different names have it
  for (const std::string& name : names) {
    labels.push_back(label_of(name));
    const auto [owner, added] = owners.try_emplace(labels.back(), name);
    if (!added && owner->second != name) owner->second.clear();
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (owners[labels[i]].empty()) labels[i] = names[i];
  return labels;
}

}  // namespace heddle::report
