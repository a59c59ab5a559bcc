// Seeded mutations of PTX: pieces of a text are deleted, duplicated or exchanged with other texts;
// words are replaced with other words of PTX.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "ptx/forms/forms_table.h"

namespace heddle::ptx {

class Mutator {
 public:
  Mutator(std::vector<std::string> texts, std::uint64_t seed)
      : texts_(std::move(texts)), random_(seed) {
    for (const FormRow& row : form_rows()) words_.emplace_back(row.mnemonic);
    for (const FormSet& set : form_sets()) {
      for (std::size_t at = 0; at < set.members.size();
           at = std::min(set.members.find('|', at), set.members.size() - 1) + 1) {
        words_.push_back("." + std::string(set.members.substr(at, set.members.find('|', at) - at)));
      }
    }
    for (const char* w : {"{",
                          "}",
                          "(",
                          ")",
                          "[",
                          "]",
                          ";",
                          ",",
                          "@",
                          "!",
                          "|",
                          "+",
                          "-",
                          "<",
                          ">",
                          "_",
                          "%tid.x",
                          "%clock64",
                          ".reg",
                          ".param",
                          ".shared",
                          ".global",
                          ".align",
                          ".entry",
                          ".func",
                          ".loc",
                          ".file",
                          ".alias",
                          ".branchtargets",
                          ".section",
                          "/*",
                          "*/",
                          "//",
                          "\"",
                          "0x",
                          "0f3f800000",
                          "99999999999999999999",
                          "-1",
                          "%r1",
                          "%rd1",
                          "%f1",
                          "%p1",
                          ".pred",
                          ".b64",
                          ".v4",
                          "1e999",
                          "call",
                          "ret",
                          "bra"}) {
      words_.emplace_back(w);
    }
  }

  std::string next() {
    std::string text = texts_[below(texts_.size())];
    for (std::size_t n = below(6) + 1; n-- > 0;) mutate(text);
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return n ? random_() % n : 0; }
  std::size_t line_start(const std::string& text, std::size_t at) {
    return at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  }

  void mutate(std::string& text) {
    if (text.empty()) return;
    const std::size_t at = below(text.size());
    switch (below(8)) {
      case 0: text[at] = static_cast<char>(random_()); break;
      case 1: text.erase(at, below(12) + 1); break;
      case 2: text.insert(at, words_[below(words_.size())] + " "); break;
      case 3: text.insert(at, text.substr(below(text.size()), below(40))); break;
      case 4: {  // replace a word
        const std::size_t first = text.find_first_of(".% \t", at),
                          last = text.find_first_of(".;, \t\n", first + 1);
        if (first != std::string::npos && last != std::string::npos)
          text.replace(first, last - first, words_[below(words_.size())]);
        break;
      }
      case 5: {  // insert a line of another text
        const std::string& other = texts_[below(texts_.size())];
        const std::size_t from = line_start(other, below(other.size()));
        text.insert(line_start(text, at), other.substr(from, other.find('\n', from) - from + 1));
        break;
      }
      case 6:
        text.erase(line_start(text, at),
                   std::min(text.find('\n', at), text.size()) - line_start(text, at));
        break;
      default: text.resize(at); break;
    }
  }

  std::vector<std::string> texts_, words_;
  std::mt19937_64 random_;
};

}  // namespace heddle::ptx
