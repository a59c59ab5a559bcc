// JSON as text, also when its texts are not UTF-8: names and arguments are bytes.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/text_bytes.h"

namespace heddle::config {

namespace detail {

template <class Json>
std::string dumped(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}
}  // namespace detail

// Appends what json_text() makes of it. Most texts have nothing to escape.
template <class Json>
void append_json_line(std::string& out, const Json& json) {
  const auto append_text = [&](const std::string& text) {
    const bool plain = std::all_of(text.begin(), text.end(),
                                   [](char c) { return c >= ' ' && c != '"' && c != '\\'; });
    if (plain)
      (out += '"').append(text) += '"';
    else
      out += detail::dumped(Json(text));
  };
  const auto append_list = [&](char open, const auto& members, char close, const auto& append_one) {
    out += open;
    for (const auto& one : members) append_one(one), out += ',';
    if (members.empty())
      out += close;
    else
      out.back() = close;
  };
  std::array<char, 64> number;
  switch (json.type()) {
    case Json::value_t::object:
      return append_list('{', json.template get_ref<const typename Json::object_t&>(), '}',
                         [&](const auto& member) {
                           append_text(member.first);
                           append_json_line(out += ':', member.second);
                         });
    case Json::value_t::array:
      return append_list('[', json.template get_ref<const typename Json::array_t&>(), ']',
                         [&](const Json& one) { append_json_line(out, one); });
    case Json::value_t::string: return append_text(json.template get_ref<const std::string&>());
    case Json::value_t::number_unsigned:
      out.append(
          number.data(),
          std::to_chars(number.begin(), number.end(), json.template get<std::uint64_t>()).ptr);
      return;
    case Json::value_t::number_float:
      if (const double value = json.template get<double>(); std::isfinite(value)) {
        out.append(number.data(), nlohmann::detail::to_chars(number.begin(), number.end(), value));
        return;
      }
      [[fallthrough]];
    default: out += detail::dumped(json);
  }
}

// For people and other programs: U+FFFD stands for bytes that are not UTF-8. indent: blanks of a
// level; -1: all in one line.
template <class Json>
std::string json_text(const Json& json, int indent = -1) {
  if (indent >= 0) return detail::dumped(json, indent);
  std::string line;
  append_json_line(line, json);
  return line;
}

// The same value with other texts and keys.
template <class Json>
Json with_texts(const Json& json, std::string (*change)(std::string_view)) {
  if (json.is_string()) return change(json.template get_ref<const std::string&>());
  if (!json.is_structured()) return json;
  Json changed = json.is_array() ? Json::array() : Json::object();
  if (json.is_array())
    for (const Json& one : json) changed.push_back(with_texts(one, change));
  else
    for (const auto& [key, value] : json.items()) changed[change(key)] = with_texts(value, change);
  return changed;
}

// For Heddle itself: reading gives the same bytes (base/text_bytes.h).
template <class Json>
std::string kept_json_text(const Json& json, int indent = -1) {
  return with_texts(json, encode_bytes).dump(indent);
}
template <class Json>
Json read_kept_json(const std::string& text) {
  return with_texts(Json::parse(text), decode_bytes);
}

}  // namespace heddle::config
