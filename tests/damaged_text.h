// Small damage to a text, everywhere in it.
#pragma once

#include <algorithm>
#include <functional>
#include <regex>
#include <string>

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

}  // namespace heddle
