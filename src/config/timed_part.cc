#include "config/timed_part.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "base/demangle.h"
#include "base/diagnostics.h"

namespace heddle::config {
namespace {

constexpr std::uint64_t kNoEnd = std::numeric_limits<std::uint64_t>::max();
constexpr std::string_view kDots = "..";

[[noreturn]] void reject(const std::string& text, const std::string& why) {
  throw UserError("--kernels " + text + ": " + why +
                  "; give launch numbers, ranges and names, such as 3,5..7,bfs*");
}

std::uint64_t number(const std::string& text, std::string_view word) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size())
    reject(text, "'" + std::string(word) + "' is not a launch number");
  if (value == 0) reject(text, "launches are numbered from 1");
  return value;
}

bool is_number(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_name(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_$*?:<>()& ~[]").find(c) != std::string_view::npos;
  });
}

bool matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = std::string_view::npos, resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p, ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace

KernelSelection::KernelSelection(const std::string& text) : text_(text) {
  bool everything = false;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    const std::string_view word = std::string_view(text).substr(start, comma - start);
    start = comma + 1;
    const std::size_t dots = word.find(kDots);
    if (word.empty()) reject(text, text.empty() ? "it selects nothing" : "there is an empty item");
    if (word == "all") {
      everything = true;
    } else if (dots != std::string_view::npos) {
      const std::string_view from = word.substr(0, dots), to = word.substr(dots + kDots.size());
      if (from.empty() && to.empty()) reject(text, "a range needs at least one end");
      ranges_.emplace_back(from.empty() ? 1 : number(text, from),
                           to.empty() ? kNoEnd : number(text, to));
      if (ranges_.back().first > ranges_.back().second)
        reject(text, "'" + std::string(word) + "' has its ends in the wrong order");
    } else if (is_number(word)) {
      const std::uint64_t launch = number(text, word);
      ranges_.emplace_back(launch, launch);
    } else if (is_name(word)) {
      patterns_.emplace_back(word);
    } else {
      reject(text, "'" + std::string(word) + "' is neither a number nor the name of a kernel");
    }
  }
  if (everything) ranges_.clear(), patterns_.clear();
}

bool KernelSelection::contains(std::uint64_t launch, const std::string& name) const {
  if (all()) return true;
  for (const auto& [first, last] : ranges_)
    if (launch >= first && launch <= last) return true;
  if (patterns_.empty()) return false;
  const std::array<std::string, 3> names{name, demangle(name), plain_name(name)};
  return std::any_of(patterns_.begin(), patterns_.end(), [&](const std::string& pattern) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& one) { return matches(pattern, one); });
  });
}

}  // namespace heddle::config
