// Seeded damage to PTX: that of any text, and words are replaced with other words of PTX.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "ptx/forms/forms_table.h"
#include "tests/fuzz/mutations.h"

namespace heddle::fuzz {

class PtxMutator {
 public:
  explicit PtxMutator(std::vector<std::string> texts) : texts_(std::move(texts)) {
    using ptx::FormRow, ptx::FormSet;
    for (const FormRow& row : ptx::form_rows()) words_.emplace_back(row.mnemonic);
    for (const FormSet& set : ptx::form_sets()) {
      for (std::size_t at = 0; at < set.members.size();
           at = std::min(set.members.find('|', at), set.members.size() - 1) + 1) {
        words_.push_back("." + std::string(set.members.substr(at, set.members.find('|', at) - at)));
      }
    }
    std::istringstream words(
        "{ } ( ) [ ] ; , @ ! | + - < > _ %tid.x %clock64 .reg .param .shared .global .align .entry "
        ".func .loc .file .alias .branchtargets .section /* */ // \" 0x 0f3f800000 "
        "99999999999999999999 -1 %r1 %rd1 %f1 %p1 .pred .b64 .v4 1e999 call ret bra ((((((((");
    for (std::string word; words >> word;) words_.push_back(word);
  }

  std::string next(Random& random) const {
    std::string text = random.of(texts_);
    for (std::size_t n = random.below(6) + 1; n-- > 0;) damage(text, random);
    return text;
  }
  void damage(std::string& text, Random& random) const {
    if (text.empty()) return;
    const std::size_t at = random.below(text.size());
    switch (random.below(4)) {
      case 0: text.insert(at, random.of(words_) + " "); break;
      case 1: {  // replace a word
        const std::size_t first = text.find_first_of(".% \t", at),
                          last = text.find_first_of(".;, \t\n", first + 1);
        if (first != std::string::npos && last != std::string::npos)
          text.replace(first, last - first, random.of(words_));
        break;
      }
      default: damage_text(text, texts_, random); break;
    }
  }

 private:
  std::vector<std::string> texts_, words_;
};

}  // namespace heddle::fuzz
