// The numbers of a statistics struct with their full names, in the order of its table: "l1d.hits",
// "slots.idle", "active_lanes.32".
#pragma once

#include <string>

#include "stats/fields.h"

namespace heddle::stats {

// Calls f(name, value) for each. prefix: "" or ending in a dot.
template <class S, class F>
void flatten(const S& values, F&& f, const std::string& prefix = {}) {
  for_each_field<S>([&](const auto& field) {
    const std::string key = prefix + std::string(field.name);
    const auto& member = values.*(field.member);
    if constexpr (requires { field.buckets; }) {
      for (std::size_t i = 0; i < member.size(); ++i)
        f(key + "." + std::string((*field.buckets)[i]), member[i]);
    } else if constexpr (requires { member.size(); }) {
      for (std::size_t i = 0; i < member.size(); ++i) f(key + "." + std::to_string(i), member[i]);
    } else if constexpr (requires { field.unit; }) {
      f(key, member);
    } else {
      flatten(member, f, key + ".");
    }
  });
}

}  // namespace heddle::stats
