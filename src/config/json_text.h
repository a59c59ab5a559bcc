// JSON as text, also when its texts are not UTF-8: names and arguments are bytes.
#pragma once

#include <string>
#include <string_view>

#include "base/text_bytes.h"

namespace heddle::config {

// For people and other programs: U+FFFD stands for bytes that are not UTF-8. indent: blanks of a
// level; -1: all in one line.
template <class Json>
std::string json_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
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
