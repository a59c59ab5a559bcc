#include "sched/framework/policy_text.h"

#include <algorithm>
#include <utility>

#include "base/diagnostics.h"

namespace heddle::sched {
namespace {

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> pieces{""};
  for (const char c : text) {
    if (c == at)
      pieces.emplace_back();
    else
      pieces.back() += c;
  }
  return pieces;
}

std::string_view key_of(std::string_view parameter) {
  return parameter.substr(0, parameter.find('='));
}

// The number of "K0=" at the start of the text, and the length of that; no number: -1.
std::pair<int, std::size_t> kernel_at(std::string_view text) {
  if (!text.starts_with('K')) return {-1, 0};
  const std::size_t end = text.find_first_not_of("0123456789", 1);
  if (end == std::string_view::npos || end == 1 || end > 4 || text[end] != '=') return {-1, 0};
  return {std::stoi(std::string(text.substr(1, end - 1))), end + 1};
}

// "key=value", or a policy of a kernel but the first.
bool continues_policy(std::string_view piece) {
  if (const int kernel = kernel_at(piece).first; kernel >= 0) return kernel > 0;
  const auto equals = piece.find('=');
  return equals != std::string_view::npos && piece.find(':') > equals;
}

}  // namespace

std::string PolicyPart::text() const {
  std::string text = name;
  for (std::size_t i = 0; i < parameters.size(); ++i) text += (i ? "," : ":") + parameters[i];
  return text;
}

bool PolicyPart::has(std::string_view key) const {
  return std::any_of(parameters.begin(), parameters.end(),
                     [&](const std::string& parameter) { return key_of(parameter) == key; });
}

void PolicyPart::set(const std::string& key, const std::string& value) {
  for (std::string& parameter : parameters)
    if (key_of(parameter) == key) {
      parameter = key + "=" + value;
      return;
    }
  parameters.push_back(key + "=" + value);
}

void PolicyPart::remove(std::string_view key) {
  std::erase_if(parameters, [&](const std::string& parameter) { return key_of(parameter) == key; });
}

std::vector<PolicyPart> split_policy(const std::string& text) {
  std::vector<PolicyPart> parts;
  for (const std::string& piece : split(text, '+')) {
    const std::size_t colon = piece.find(':');
    parts.push_back({piece.substr(0, colon), {}});
    if (colon != std::string::npos) parts.back().parameters = split(piece.substr(colon + 1), ',');
  }
  return parts;
}

std::string join_policy(const std::vector<PolicyPart>& parts) {
  std::string text;
  for (const PolicyPart& part : parts) text += (text.empty() ? "" : "+") + part.text();
  return text;
}

bool is_per_kernel(const std::string& text) { return kernel_at(text).first >= 0; }

std::vector<std::string> split_per_kernel(const std::string& text) {
  std::vector<std::string> policies;
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto [number, skip] = kernel_at(rest);
    if (number != static_cast<int>(policies.size()))
      throw UserError("scheduler " + text + ": expected K" + std::to_string(policies.size()) +
                      "=POLICY; the numbers of kernels go 0, 1, 2, ...");
    rest.remove_prefix(skip);
    std::size_t end = 0;
    do end = rest.find(',', end + (end > 0));
    while (end != std::string_view::npos && kernel_at(rest.substr(end + 1)).first < 0);
    policies.emplace_back(rest.substr(0, end));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return policies;
}

std::string join_per_kernel(const std::vector<std::string>& policies) {
  std::string text;
  for (std::size_t i = 0; i < policies.size(); ++i)
    text += (i ? ",K" : "K") + std::to_string(i) + "=" + policies[i];
  return text;
}

std::vector<std::string> split_policy_list(const std::string& text) {
  std::string spaceless = text;
  std::erase(spaceless, ' ');
  std::vector<std::string> policies;
  for (std::string& piece : split(spaceless, ',')) {
    if (continues_policy(piece) && !policies.empty())
      policies.back() += "," + piece;
    else
      policies.push_back(std::move(piece));
  }
  return policies;
}

}  // namespace heddle::sched
