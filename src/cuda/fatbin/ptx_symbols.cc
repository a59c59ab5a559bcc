#include "cuda/fatbin/ptx_symbols.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <numeric>

#include "ptx/device_runtime.h"

namespace heddle::cuda {
namespace {

// Functions that device code may call without defining them.
constexpr std::array<std::string_view, 10> kProvided{"vprintf", "malloc", "free",   "__assertfail",
                                                     "_Znwm",   "_Znam",  "_ZdlPv", "_ZdaPv",
                                                     "_ZdlPvm", "_ZdaPvm"};

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%';
}

// Iterates over the statements outside of braces, without comments, strings and initial values.
class TopLevel {
 public:
  explicit TopLevel(std::string_view text) : text_(text) {}

  // The next statement up to its ';', '{' or '='; empty at the end.
  std::string_view next() {
    int depth = 0;
    std::size_t begin = std::string_view::npos;
    while (at_ < text_.size()) {
      if (skip_comment_or_string()) continue;
      const char c = text_[at_];
      if (c == '{') ++depth;
      if (c == '}' && depth > 0) --depth;
      const bool ends = c == ';' || c == '{' || c == '=';
      if (begin != std::string_view::npos && ends) return finish(begin, c);
      if (depth == 0 && begin == std::string_view::npos && c == '.') begin = at_;
      ++at_;
    }
    return {};
  }

 private:
  bool skip_comment_or_string() {
    if (text_.compare(at_, 2, "//") == 0) return jump(text_.find('\n', at_), 1);
    if (text_.compare(at_, 2, "/*") == 0) return jump(text_.find("*/", at_ + 2), 2);
    if (text_[at_] == '"') return jump(text_.find('"', at_ + 1), 1);
    return false;
  }
  bool jump(std::size_t to, std::size_t beyond) {
    at_ = to == std::string_view::npos ? text_.size() : to + beyond;
    return true;
  }
  // Moves at_ past the statement's body or initial value.
  std::string_view finish(std::size_t begin, char end) {
    const std::string_view statement = text_.substr(begin, at_ - begin);
    int depth = 0;
    while (at_ < text_.size()) {
      if (skip_comment_or_string()) continue;
      const char c = text_[at_++];
      if (c == '{') ++depth;
      if (c == '}' && --depth == 0 && end == '{') break;
      if (c == ';' && depth == 0) break;
    }
    return statement;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::vector<std::string_view> words(std::string_view statement) {
  std::vector<std::string_view> found;
  for (std::size_t i = 0; i < statement.size();) {
    if (!is_name(statement[i]) && statement[i] != '.' && statement[i] != '(' &&
        statement[i] != ')' && statement[i] != '[') {
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    if (is_name(statement[i]) || statement[i] == '.')
      while (end < statement.size() && is_name(statement[end])) ++end;
    found.push_back(statement.substr(i, end - i));
    i = end;
  }
  return found;
}

constexpr std::array<std::string_view, 4> kKinds{".entry", ".func", ".global", ".const"};

// The name that a function or variable statement declares. The text before the keyword may belong
// to directives without a terminator, such as .target.
std::string_view declared_name(const std::vector<std::string_view>& words, bool function) {
  int depth = 0;
  std::string_view last;
  auto at = std::find_first_of(words.begin(), words.end(), kKinds.begin(), kKinds.end());
  for (; at != words.end(); ++at) {
    const std::string_view word = *at;
    if (word == "[" && depth == 0) break;
    if (word == "(" && function && !last.empty()) break;
    if (word == "(") ++depth;
    if (word == ")") --depth;
    const bool number = std::isdigit(static_cast<unsigned char>(word[0]));
    if (depth == 0 && is_name(word[0]) && !number) last = word;
  }
  return last;
}

}  // namespace

PtxSymbols scan_symbols(std::string_view text) {
  PtxSymbols symbols;
  TopLevel statements(text);
  for (auto statement = statements.next(); !statement.empty(); statement = statements.next()) {
    const auto found = words(statement);
    const auto has = [&](std::string_view word) {
      return std::find(found.begin(), found.end(), word) != found.end();
    };
    const bool function = has(".func"), entry = has(".entry"),
               variable = has(".global") || has(".const");
    if (!entry && !function && !variable) continue;
    const std::string name{declared_name(found, function || entry)};
    if (name.empty()) continue;
    if (entry && !has(".extern")) {
      symbols.entries.insert(name);
      symbols.defined.insert(name);
    } else if (has(".extern")) {
      if (std::find(kProvided.begin(), kProvided.end(), name) == kProvided.end() &&
          !ptx::runtime_function(name))
        symbols.needed.insert(name);
    } else {
      if (variable) symbols.variables.insert(name);
      if (has(".visible") || has(".weak") || has(".common")) symbols.defined.insert(name);
    }
  }
  return symbols;
}

std::vector<std::vector<std::size_t>> group_by_need(const std::vector<PtxSymbols>& texts) {
  std::map<std::string, std::size_t, std::less<>> owner;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (const auto& name : texts[i].defined) owner.emplace(name, i);
  }
  std::vector<std::size_t> leader(texts.size());
  std::iota(leader.begin(), leader.end(), std::size_t{0});
  const auto lead = [&](std::size_t i) {
    while (leader[i] != i) i = leader[i];
    return i;
  };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (const auto& name : texts[i].needed) {
      const auto found = owner.find(name);
      if (found == owner.end()) continue;
      const std::size_t a = lead(i), b = lead(found->second);
      leader[std::max(a, b)] = std::min(a, b);
    }
  }
  std::map<std::size_t, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < texts.size(); ++i) groups[lead(i)].push_back(i);
  std::vector<std::vector<std::size_t>> result;
  for (auto& [first, members] : groups) result.push_back(std::move(members));
  return result;
}

}  // namespace heddle::cuda
