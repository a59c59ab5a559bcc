// The last column of every table of docs/glossary.md names words that are not used. They are
// searched for as whole words in names, comments, messages and pages: `camelCase`, `snake_case` and
// `kebab-case` are split first.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/tidy/source_tree.h"

namespace heddle::tidy {
namespace {

using Phrase = std::vector<std::string>;  // lower-case words

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

Phrase words_of(std::string_view text) {
  Phrase words;
  char before = 0;
  for (const char c : text) {
    if (is_letter(c)) {
      if (!is_letter(before) || (is_lower(before) && is_upper(c))) words.emplace_back();
      words.back() += static_cast<char>(is_upper(c) ? c - 'A' + 'a' : c);
    }
    before = c;
  }
  return words;
}

// GoogleTest's, the compiler's and PTX's own names.
std::string without_foreign_names(const std::string& line) {
  static const std::regex names("EXPECT_|__builtin_expect|expect_tx|EXPECT");
  return line.find("xpect") == std::string::npos && line.find("EXPECT") == std::string::npos
             ? line
             : std::regex_replace(line, names, "");
}

struct Forbidden {
  std::set<std::string> words;
  std::vector<Phrase> phrases;  // of several words
};

Forbidden forbidden_words() {
  Forbidden forbidden;
  const std::regex quoted("`([^`]+)`");
  for (const SourceFile& page : read_texts({"docs/glossary.md"}))
    for (std::string line : page.lines) {
      if (!line.starts_with("|")) continue;
      line.erase(line.find_last_not_of(" ") + 1);
      line.erase(line.find_last_not_of("|") + 1);
      const std::string cell = line.substr(line.rfind('|') + 1);
      for (std::sregex_iterator match(cell.begin(), cell.end(), quoted), end; match != end;
           ++match) {
        const Phrase phrase = words_of((*match)[1].str());
        if (phrase.size() == 1)
          forbidden.words.insert(phrase.front());
        else
          forbidden.phrases.push_back(phrase);
      }
    }
  return forbidden;
}

// The forbidden words of a line, with blanks between them; empty when there are none.
std::string found_in(const std::string& line, const Forbidden& forbidden) {
  const Phrase words = words_of(without_foreign_names(line));
  std::string found;
  for (const std::string& word : words)
    if (forbidden.words.contains(word)) found += word + " ";
  for (const Phrase& phrase : forbidden.phrases)
    if (std::search(words.begin(), words.end(), phrase.begin(), phrase.end()) != words.end())
      for (const std::string& word : phrase) found += word + " ";
  return found;
}

bool is_exempt(const SourceFile& file) {
  return file.path == "docs/glossary.md" || file.path == "CHANGELOG.md" ||
         file.path == "tests/tidy/words_test.cc" || file.in("tests/golden/perfetto.proto");
}

TEST(Words, AreSplitAtEveryJoint) {
  EXPECT_EQ(words_of("kMaxWarps, list_of-IDs"), (Phrase{"k", "max", "warps", "list", "of", "ids"}));
  EXPECT_EQ(words_of("the SM's"), (Phrase{"the", "sm", "s"}));
}

TEST(Words, AreFoundAloneAndAsPhrases) {
  const Forbidden forbidden{{"tells"}, {{"gives", "way"}}};
  EXPECT_EQ(found_in("// It tells nobody.", forbidden), "tells ");
  EXPECT_EQ(found_in("TEST(Warp, GivesWayToAnother)", forbidden), "gives way ");
  EXPECT_EQ(found_in("EXPECT_TRUE(giving_ways)", forbidden), "");
}

TEST(Words, AreThoseOfTheGlossary) {
  const Forbidden forbidden = forbidden_words();
  EXPECT_GT(forbidden.words.size(), 10u);
  EXPECT_GT(forbidden.phrases.size(), 5u);
  for (const SourceFile& file : read_repository()) {
    if (is_exempt(file)) continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::string found = found_in(file.lines[i], forbidden);
      EXPECT_TRUE(found.empty()) << place(file, i) << ": " << found << "| " << file.lines[i];
    }
  }
}

}  // namespace
}  // namespace heddle::tidy
