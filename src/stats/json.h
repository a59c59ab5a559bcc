// A statistics struct as JSON and back, from its table: counters are numbers, breakdowns objects by
// bucket, histograms lists, groups objects.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "config/json_text.h"
#include "stats/fields.h"

namespace heddle::stats {

// An object that grows copies its members, as their names cannot be moved.
inline void reserve_members(nlohmann::ordered_json& object, std::size_t members) {
  object.get_ref<nlohmann::ordered_json::object_t&>().reserve(members);
}

// The members of a JSON object, whose names differ, so that none is looked for. Members between
// open() and close() are those of an object in it. JsonText has the same functions.
class JsonObject {
 public:
  explicit JsonObject(nlohmann::ordered_json& object) : open_{&object} {}
  void open(std::string_view name, std::size_t members = 0) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    reserve_members(object, members);
    add(name, std::move(object));
    open_.push_back(&open_.back()->back());
  }
  void close() { open_.pop_back(); }
  void add(std::string_view name, nlohmann::ordered_json value) {
    auto& object = open_.back()->get_ref<nlohmann::ordered_json::object_t&>();
    static_cast<nlohmann::ordered_json::object_t::Container&>(object).emplace_back(
        name, std::move(value));
  }

 private:
  std::vector<nlohmann::ordered_json*> open_;  // the innermost last
};

// The same as the text that config::json_text() makes of such an object, without the object.
class JsonText {
 public:
  void open(std::string_view name, std::size_t /*members*/ = 0) { (add_name(name)) += '{'; }
  void close() {
    end_list('}');
    text_ += ',';
  }
  template <class T>
  void add(std::string_view name, const T& value) {
    add_name(name);
    if constexpr (std::unsigned_integral<T> && !std::same_as<T, bool>) {
      add_number(value);
    } else if constexpr (requires { requires std::unsigned_integral<typename T::value_type>; }) {
      text_ += '[';
      for (const auto& one : value) {
        add_number(one);
        text_ += ',';
      }
      end_list(']');
    } else {
      config::append_json_line(text_, nlohmann::ordered_json(value));
    }
    text_ += ',';
  }
  std::string finish() {
    end_list('}');
    return std::move(text_);
  }

 private:
  std::string& add_name(std::string_view name) {
    text_ += '"';
    text_ += name;
    return text_ += "\":";
  }
  void add_number(std::uint64_t number) {
    std::array<char, 20> digits;
    text_.append(digits.data(), std::to_chars(digits.begin(), digits.end(), number).ptr);
  }
  void end_list(char end) {
    if (text_.back() == ',')
      text_.back() = end;
    else
      text_ += end;
  }

  std::string text_ = "{";
};

// Adds the members of a statistics struct whose names are accepted.
template <class Members, class S, class Accepts>
void put_members(Members& into, const S& values, const Accepts& accepts) {
  for_each_field<S>([&](const auto& field) {
    if (!accepts(field.name)) return;
    const auto& member = values.*(field.member);
    if constexpr (requires { field.buckets; }) {
      into.open(field.name, member.size());
      for (std::size_t i = 0; i < member.size(); ++i) into.add((*field.buckets)[i], member[i]);
      into.close();
    } else if constexpr (requires { field.unit; }) {
      into.add(field.name, member);
    } else {
      put_object(into, field.name, member);
    }
  });
}
template <class Members, class S>
void put_members(Members& into, const S& values) {
  put_members(into, values, [](std::string_view) { return true; });
}
template <class Members, class S>
void put_object(Members& into, std::string_view name, const S& values) {
  into.open(name, with_fields<S>([](const auto&... field) { return sizeof...(field); }));
  put_members(into, values);
  into.close();
}

template <class S>
nlohmann::ordered_json to_json(const S& values) {
  nlohmann::ordered_json into = nlohmann::ordered_json::object();
  reserve_members(into, with_fields<S>([](const auto&... field) { return sizeof...(field); }));
  JsonObject members(into);
  put_members(members, values);
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
