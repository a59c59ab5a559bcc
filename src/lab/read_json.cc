#include "lab/read_json.h"

#include <simdjson.h>

#include <cstdint>
#include <string>

namespace heddle::lab {
namespace {

using nlohmann::ordered_json;
namespace dom = simdjson::dom;

ordered_json value_of(const dom::element& element) {
  switch (element.type()) {
    case dom::element_type::OBJECT: {
      const dom::object members = element;
      ordered_json json = ordered_json::object();
      auto& into = json.get_ref<ordered_json::object_t&>();
      into.reserve(members.size());
      // Without a search for the same key before each.
      for (const auto& [key, value] : members) into.emplace_back(std::string(key), value_of(value));
      return json;
    }
    case dom::element_type::ARRAY: {
      const dom::array elements = element;
      ordered_json json = ordered_json::array();
      auto& into = json.get_ref<ordered_json::array_t&>();
      into.reserve(elements.size());
      for (const dom::element& one : elements) into.push_back(value_of(one));
      return json;
    }
    case dom::element_type::INT64: {
      // Unsigned from 0 on, as nlohmann's parser has it.
      const std::int64_t number = element;
      return number < 0 ? ordered_json(number) : ordered_json(static_cast<std::uint64_t>(number));
    }
    case dom::element_type::UINT64: return static_cast<std::uint64_t>(element);
    case dom::element_type::DOUBLE: return static_cast<double>(element);
    case dom::element_type::STRING: return std::string(std::string_view(element));
    case dom::element_type::BOOL: return static_cast<bool>(element);
    case dom::element_type::NULL_VALUE: break;
  }
  return nullptr;
}

}  // namespace

ordered_json read_json(std::string_view text) {
  thread_local dom::parser parser;
  dom::element root;
  if (parser.parse(text.data(), text.size()).get(root) != simdjson::SUCCESS)
    return ordered_json(ordered_json::value_t::discarded);
  return value_of(root);
}

}  // namespace heddle::lab
