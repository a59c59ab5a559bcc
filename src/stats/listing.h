// The names, units and meanings of a statistics struct, from its table.
#pragma once

#include <string>
#include <vector>

#include "stats/fields.h"

namespace heddle::stats {

struct FieldInfo {
  std::string key;  // "l1d.hits"
  std::string unit;
  std::string meaning;
  std::vector<std::string> buckets;  // of a breakdown
};

// prefix: "" or ending in a dot.
template <class S>
std::vector<FieldInfo> list_fields(const std::string& prefix = {}) {
  std::vector<FieldInfo> list;
  for_each_field<S>([&](const auto& field) {
    const std::string key = prefix + std::string(field.name);
    if constexpr (requires { field.unit; }) {
      list.push_back({key, std::string(to_string(field.unit)), std::string(field.meaning), {}});
      if constexpr (requires { field.buckets; })
        list.back().buckets.assign(field.buckets->begin(), field.buckets->end());
    } else {
      using Inner = std::remove_cvref_t<decltype(S{}.*(field.member))>;
      for (auto& inner : list_fields<Inner>(key + ".")) list.push_back(std::move(inner));
    }
  });
  return list;
}

}  // namespace heddle::stats
