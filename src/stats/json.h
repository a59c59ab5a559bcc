// A statistics struct as JSON, from its table: counters are numbers, breakdowns objects by bucket,
// histograms lists, groups objects.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

#include "stats/fields.h"

namespace heddle::stats {

namespace detail {

template <class S>
void put(nlohmann::ordered_json& into, const S& values, const Counter<S>& field) {
  into[std::string(field.name)] = values.*(field.member);
}

template <class S, std::size_t N>
void put(nlohmann::ordered_json& into, const S& values, const Breakdown<S, N>& field) {
  nlohmann::ordered_json buckets = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < N; ++i)
    buckets[std::string((*field.buckets)[i])] = (values.*(field.member))[i];
  into[std::string(field.name)] = std::move(buckets);
}

template <class S, std::size_t N>
void put(nlohmann::ordered_json& into, const S& values, const Histogram<S, N>& field) {
  into[std::string(field.name)] = values.*(field.member);
}

}  // namespace detail

template <class S>
nlohmann::ordered_json to_json(const S& values) {
  nlohmann::ordered_json into = nlohmann::ordered_json::object();
  for_each_field<S>([&](const auto& field) {
    if constexpr (requires { field.unit; })
      detail::put(into, values, field);
    else
      into[std::string(field.name)] = to_json(values.*(field.member));
  });
  return into;
}

}  // namespace heddle::stats
