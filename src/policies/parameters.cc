#include "policies/parameters.h"

#include <algorithm>

#include "base/diagnostics.h"

namespace heddle::policies {
namespace {

// policy: with its kind.
const PolicyParameter& find_parameter(const std::string& policy,
                                      const std::vector<PolicyParameter>& parameters,
                                      const std::string& key) {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const PolicyParameter& p) { return p.info.name == key; });
  if (found != parameters.end()) return *found;
  if (parameters.empty())
    throw UserError(policy + " takes no parameters, but \"" + key + "\" was given");
  std::string known;
  std::vector<std::string> names;
  for (const auto& p : parameters) {
    known += (known.empty() ? "" : ", ") + p.info.name;
    names.push_back(p.info.name);
  }
  throw UserError(policy + " has no parameter \"" + key + "\"" + did_you_mean(key, names) +
                  "\n  its parameters: " + known);
}

}  // namespace

void parse_parameters(const std::string& name, const std::vector<PolicyParameter>& parameters,
                      std::string_view text, void* options, std::string_view kind) {
  const std::string policy = std::string(kind) + " " + name;
  std::vector<std::string> given;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    const std::string_view item = text.substr(start, comma - start);
    const std::size_t equals = item.find('=');
    const bool alone = std::any_of(
        parameters.begin(), parameters.end(),
        [&](const PolicyParameter& p) { return p.value_optional && p.info.name == item; });
    if (!alone && (equals == std::string_view::npos || equals == 0)) {
      throw UserError(policy + ": expected parameter=value, found \"" + std::string(item) + "\"");
    }
    const std::string key{item.substr(0, equals)},
        value{alone ? kAutomaticFile : item.substr(equals + 1)};
    const PolicyParameter& parameter = find_parameter(policy, parameters, key);
    if (std::find(given.begin(), given.end(), key) != given.end()) {
      throw UserError(policy + ": " + key + " is given twice");
    }
    given.push_back(key);
    if (!parameter.assign(options, value)) {
      const std::string unit = parameter.info.unit.empty() ? "" : " " + parameter.info.unit;
      throw UserError(policy + ": " + key + "=" + value +
                      " is not possible; allowed: " + parameter.info.range + unit);
    }
    start = comma + 1;
  }
}

std::string canonical_text(const std::string& policy,
                           const std::vector<PolicyParameter>& parameters, const void* options) {
  std::string text = policy;
  char separator = ':';
  for (const auto& parameter : parameters) {
    const std::string value = parameter.print(options);
    if (value == parameter.info.value) continue;
    text += separator + parameter.info.name + "=" + value;
    separator = ',';
  }
  return text;
}

}  // namespace heddle::policies
