// A statistics struct as JSON and back, from its table: counters are numbers, breakdowns objects by
// bucket, histograms lists, groups objects.
#pragma once

#include <nlohmann/json.hpp>

#include <string_view>
#include <utility>

#include "stats/fields.h"

namespace heddle::stats {

// An object that grows copies its members, as their names cannot be moved.
inline void reserve_members(nlohmann::ordered_json& object, std::size_t members) {
  object.get_ref<nlohmann::ordered_json::object_t&>().reserve(members);
}

// Adds a member whose name the object does not have, so that it is not looked for.
inline void append(nlohmann::ordered_json& into, std::string_view name,
                   nlohmann::ordered_json value) {
  auto& object = into.get_ref<nlohmann::ordered_json::object_t&>();
  static_cast<nlohmann::ordered_json::object_t::Container&>(object).emplace_back(name,
                                                                                 std::move(value));
}

namespace detail {

template <class S>
void put(nlohmann::ordered_json& into, const S& values, const Counter<S>& field) {
  append(into, field.name, values.*(field.member));
}

template <class S, std::size_t N>
void put(nlohmann::ordered_json& into, const S& values, const Breakdown<S, N>& field) {
  nlohmann::ordered_json buckets = nlohmann::ordered_json::object();
  reserve_members(buckets, N);
  for (std::size_t i = 0; i < N; ++i)
    append(buckets, (*field.buckets)[i], (values.*(field.member))[i]);
  append(into, field.name, std::move(buckets));
}

template <class S, std::size_t N>
void put(nlohmann::ordered_json& into, const S& values, const Histogram<S, N>& field) {
  append(into, field.name, values.*(field.member));
}

}  // namespace detail

template <class S>
nlohmann::ordered_json to_json(const S& values) {
  nlohmann::ordered_json into = nlohmann::ordered_json::object();
  reserve_members(into, with_fields<S>([](const auto&... field) { return sizeof...(field); }));
  for_each_field<S>([&](const auto& field) {
    if constexpr (requires { field.unit; })
      detail::put(into, values, field);
    else
      append(into, field.name, to_json(values.*(field.member)));
  });
  return into;
}

// Other members of the object are ignored. Throws what nlohmann::json throws when one is missing.
template <class S>
void read_json(const nlohmann::ordered_json& from, S& values) {
  for_each_field<S>([&](const auto& field) {
    const nlohmann::ordered_json& source = from.at(std::string(field.name));
    auto& member = values.*(field.member);
    if constexpr (requires { field.buckets; }) {
      for (std::size_t i = 0; i < member.size(); ++i)
        source.at(std::string((*field.buckets)[i])).get_to(member[i]);
    } else if constexpr (requires { field.unit; }) {
      source.get_to(member);
    } else {
      read_json(source, member);
    }
  });
}

}  // namespace heddle::stats
