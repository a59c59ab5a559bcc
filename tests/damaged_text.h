// Small damage to a text, everywhere in it.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <string>

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "base/fnv.h"
#include "tests/recorded.h"

namespace heddle {

// The text without each of its words, and with each word replaced by the one before it; `use` gets
// the word's line, from 1 on, and the damaged text.
inline void for_each_damage(const std::string& text,
                            const std::function<void(std::size_t, const std::string&)>& use) {
  static const std::regex kWord(R"([.\w$%@:]+|"[^"]*"|\n|[^\s\w])");
  std::string before;
  std::size_t line = 1;
  for (std::sregex_iterator word(text.begin(), text.end(), kWord), end; word != end; ++word) {
    const std::string own = word->str(),
                      head = text.substr(0, static_cast<std::size_t>(word->position())),
                      tail = word->suffix();
    use(line, head + tail);
    if (before != own) use(line, head + before + tail);
    line += static_cast<std::size_t>(std::count(own.begin(), own.end(), '\n'));
    before = own;
  }
}

// What `path` is called in messages does not matter.
inline std::string without(std::string text, const std::string& path) {
  for (std::size_t at; (at = text.find(path)) != std::string::npos;) text.erase(at, path.size());
  return text;
}

// What `meaning_of` makes of each damaged text, or why it refuses it, is recorded in parts of ten
// lines in `records`, below tests/, as "NAME from line 010". every: of how many damaged texts one
// is read.
inline void check_damage(const std::string& records, const std::string& name,
                         const std::string& text, const std::string& path,
                         const std::function<std::string(const std::string&)>& meaning_of,
                         int every = 1) {
  constexpr std::size_t kLines = 10;
  std::map<std::size_t, Fnv64> parts;
  int n = 0;
  for_each_damage(text, [&](std::size_t line, const std::string& damaged) {
    if (n++ % every != 0) return;
    std::string meaning;
    try {
      meaning = meaning_of(damaged);
    } catch (const UserError& refusal) {
      meaning = refusal.what();
    }
    parts[line / kLines].add(without(meaning, path));
  });
  for (const auto& [part, hash] : parts)
    check_recorded_text(
        records, fmt::format("{} from line {:03}", name, std::max<std::size_t>(1, part * kLines)),
        fmt::format("{:016x}", hash.value()));
}

}  // namespace heddle
