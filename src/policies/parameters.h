// Typed parameters of a policy. A policy declares a plain struct of options with one table that
// names every member once, with range, unit, meaning and source. Parsing of "key=value,key=value",
// checks, lists and canonical texts are derived from the table.
//
//   struct Options {
//     std::uint32_t run = 8;
//     static auto parameters() {
//       return std::make_tuple(number("run", &Options::run, 1u, 1024u, "issues",
//                                     "most issues in a row", "Someone, HPCA 2012"));
//     }
//   };
#pragma once

#include <charconv>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "policies/policy_info.h"

namespace heddle::policies {

// An integer or floating-point number from `lowest` to `highest`.
template <class Options, class T>
struct NumberParameter {
  std::string_view name;
  T Options::* member;
  T lowest, highest;
  std::string_view unit, meaning, source;
};
template <class Options, class T>
constexpr auto number(std::string_view name, T Options::* member, std::type_identity_t<T> lowest,
                      std::type_identity_t<T> highest, std::string_view unit,
                      std::string_view meaning, std::string_view source) {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
  return NumberParameter<Options, T>{name, member, lowest, highest, unit, meaning, source};
}

// One of several words: an enum (or bool) with the values 0, 1, ... in the order of the words.
template <class Options, class T>
struct ChoiceParameter {
  std::string_view name;
  T Options::* member;
  std::vector<std::string> words;
  std::string_view meaning, source;
};
template <class Options, class T>
auto choice(std::string_view name, T Options::* member, std::vector<std::string> words,
            std::string_view meaning, std::string_view source) {
  return ChoiceParameter<Options, T>{name, member, std::move(words), meaning, source};
}

// A file that an earlier run wrote. The path must not contain ',' or '+', which end a parameter and
// a policy. The value kAutomaticFile, or the parameter's name without a value, requests a run that
// writes the file; the verbs of src/lab do that run and insert the path.
inline constexpr std::string_view kAutomaticFile = "auto";
template <class Options>
struct FileParameter {
  std::string_view name;
  std::string Options::* member;
  std::string_view meaning, source;
};
template <class Options>
auto file(std::string_view name, std::string Options::* member, std::string_view meaning,
          std::string_view source) {
  return FileParameter<Options>{name, member, meaning, source};
}

// A parameter without its type.
struct PolicyParameter {
  ParameterInfo info;  // value: the default
  // Stores a value. False, and no change, when the text is not a value of this parameter.
  std::function<bool(void* options, std::string_view text)> assign;
  std::function<std::string(const void* options)> print;
  bool value_optional = false;  // the name without a value means kAutomaticFile
};

// Parses "key=value,key=value" into options. A UserError names the policy, the parameter and the
// allowed values. kind: what messages call the policy.
void parse_parameters(const std::string& policy, const std::vector<PolicyParameter>& parameters,
                      std::string_view text, void* options, std::string_view kind);
// "policy:key=value,...": every parameter that differs from its default, in the order of the table.
std::string canonical_text(const std::string& policy,
                           const std::vector<PolicyParameter>& parameters, const void* options);

namespace detail {

template <class T>
std::string print_number(T value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

template <class Options, class T>
PolicyParameter erase(const NumberParameter<Options, T>& row) {
  PolicyParameter parameter;
  parameter.info = {std::string(row.name),
                    std::string(row.unit),
                    print_number(row.lowest) + ".." + print_number(row.highest),
                    print_number(Options{}.*row.member),
                    std::string(row.meaning),
                    std::string(row.source)};
  parameter.assign = [row](void* options, std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return false;
    if (!(value >= row.lowest && value <= row.highest)) return false;
    static_cast<Options*>(options)->*row.member = value;
    return true;
  };
  parameter.print = [row](const void* options) {
    return print_number(static_cast<const Options*>(options)->*row.member);
  };
  return parameter;
}

template <class Options, class T>
PolicyParameter erase(const ChoiceParameter<Options, T>& row) {
  const auto word_of = [row](const Options& options) {
    return row.words.at(static_cast<std::size_t>(options.*row.member));
  };
  PolicyParameter parameter;
  std::string range;
  for (const auto& word : row.words) range += (range.empty() ? "" : "|") + word;
  parameter.info = {std::string(row.name),  "", range, word_of(Options{}), std::string(row.meaning),
                    std::string(row.source)};
  parameter.assign = [row](void* options, std::string_view text) {
    for (std::size_t i = 0; i < row.words.size(); ++i) {
      if (row.words[i] != text) continue;
      static_cast<Options*>(options)->*row.member = static_cast<T>(i);
      return true;
    }
    return false;
  };
  parameter.print = [word_of](const void* options) {
    return word_of(*static_cast<const Options*>(options));
  };
  return parameter;
}

// Paths are made absolute: the program that reads the file may run in another directory.
template <class Options>
PolicyParameter erase(const FileParameter<Options>& row) {
  PolicyParameter parameter;
  parameter.info = {std::string(row.name),
                    "",
                    "FILE|" + std::string(kAutomaticFile),
                    Options{}.*row.member,
                    std::string(row.meaning),
                    std::string(row.source)};
  parameter.assign = [row](void* options, std::string_view text) {
    if (text.empty()) return false;
    static_cast<Options*>(options)->*row.member =
        text == kAutomaticFile ? std::string(text)
                               : std::filesystem::absolute(text).lexically_normal().string();
    return true;
  };
  parameter.value_optional = true;
  parameter.print = [row](const void* options) {
    return static_cast<const Options*>(options)->*row.member;
  };
  return parameter;
}

}  // namespace detail

// The rows of Options::parameters(), in order.
template <class Options>
std::vector<PolicyParameter> parameters_of() {
  return std::apply(
      [](const auto&... row) { return std::vector<PolicyParameter>{detail::erase(row)...}; },
      Options::parameters());
}

}  // namespace heddle::policies

// The names that the sources of policies use.
namespace heddle::sched {
using policies::choice;
using policies::file;
using policies::kAutomaticFile;
using policies::number;
}  // namespace heddle::sched
