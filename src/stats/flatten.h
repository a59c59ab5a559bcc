// The numbers of a statistics struct with their full names, in the order of its table: "l1d.hits",
// "slots.idle", "active_lanes.32".
#pragma once

#include <string>
#include <string_view>

#include "stats/fields.h"

namespace heddle::stats {

// Calls f(name, value) for each; the name is valid until f returns. prefix: "" or ending in a dot.
template <class S, class F>
void flatten(const S& values, F&& f, const std::string& prefix = {}) {
  std::string key = prefix;  // one text for all names
  const auto with_suffix = [&](std::string_view suffix, const auto& act) {
    const std::size_t size = key.size();
    key += suffix;
    act();
    key.resize(size);
  };
  for_each_field<S>([&](const auto& field) {
    with_suffix(field.name, [&] {
      const auto& member = values.*(field.member);
      if constexpr (requires { field.buckets; }) {
        key += ".";
        for (std::size_t i = 0; i < member.size(); ++i)
          with_suffix((*field.buckets)[i], [&] { f(key, member[i]); });
      } else if constexpr (requires { member.size(); }) {
        key += ".";
        for (std::size_t i = 0; i < member.size(); ++i)
          with_suffix(std::to_string(i), [&] { f(key, member[i]); });
      } else if constexpr (requires { field.unit; }) {
        f(key, member);
      } else {
        flatten(member, f, key + ".");
      }
    });
  });
}

}  // namespace heddle::stats
