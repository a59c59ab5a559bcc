// Pages: width of prose, links, and numbers of decisions.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "tests/tidy/source_tree.h"

namespace heddle::tidy {
namespace {

namespace fs = std::filesystem;

std::vector<SourceFile> read_pages() {
  std::vector<SourceFile> pages;
  for (SourceFile& file : read_repository())
    if (file.is_markdown()) pages.push_back(std::move(file));
  return pages;
}

// The anchor that GitHub makes from a heading: small letters, blanks become hyphens, and only
// letters, digits, hyphens and underscores remain. A link in it counts with its text.
std::string anchor_of(const std::string& heading) {
  const std::string text =
      std::regex_replace(heading, std::regex("\\[([^\\]]*)\\]\\([^)]*\\)"), "$1");
  std::string anchor;
  for (const char c : text) {
    if (c == ' ')
      anchor += '-';
    else if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || (c & 0x80))
      anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return anchor;
}

std::set<std::string> anchors_of(const SourceFile& page) {
  std::set<std::string> anchors;
  std::map<std::string, int> uses;
  const std::vector<bool> prose = prose_lines(page);
  for (std::size_t i = 0; i < page.lines.size(); ++i) {
    const std::string& line = page.lines[i];
    const std::size_t marks = line.find_first_not_of('#');
    if (!prose[i] || marks == 0 || marks == std::string::npos || line[marks] != ' ') continue;
    const std::string anchor = anchor_of(line.substr(marks + 1));
    const int use = uses[anchor]++;
    anchors.insert(use == 0 ? anchor : anchor + "-" + std::to_string(use));
  }
  return anchors;
}

struct Link {
  std::size_t line;
  std::string target, anchor;
};

// Links to files of the repository, from text, tables and images; not from code.
std::vector<Link> links_of(const SourceFile& page) {
  const std::regex code("`[^`]*`"), link("\\]\\(([^)#\\s]*)(#[^)\\s]*)?\\)"),
      outside("^(https?|mailto):.*");
  std::vector<Link> links;
  bool block = false;
  for (std::size_t i = 0; i < page.lines.size(); ++i) {
    if (page.lines[i].find("```") != std::string::npos) block = !block;
    if (block) continue;
    const std::string text = std::regex_replace(page.lines[i], code, "code");
    for (std::sregex_iterator match(text.begin(), text.end(), link), end; match != end; ++match) {
      const std::string target = (*match)[1], anchor = (*match)[2];
      if (std::regex_match(target, outside)) continue;
      links.push_back({i, target, anchor.empty() ? "" : anchor.substr(1)});
    }
  }
  return links;
}

// "105" of each "docs/decisions/105-...md".
std::multiset<std::string> decision_files() {
  std::multiset<std::string> numbers;
  for (const SourceFile& page : read_texts({"docs/decisions"})) {
    const std::string name = fs::path(page.path).filename().string();
    if (std::regex_match(name, std::regex("[0-9]{3}-.*\\.md"))) numbers.insert(name.substr(0, 3));
  }
  return numbers;
}

SourceFile decision_index() {
  const auto index = read_texts({"docs/decisions/README.md"});
  return index.empty() ? SourceFile{} : index.front();
}

// The numbers in the cells before the link of each row: "| 028 | 094, 097 | [title](028-...) |".
std::multiset<std::string> decision_numbers() {
  std::multiset<std::string> numbers;
  const std::regex number("\\b[0-9]{3}\\b");
  for (const std::string& line : decision_index().lines) {
    const std::size_t link = line.find("](");
    if (!line.starts_with("| ") || link == std::string::npos) continue;
    const std::string cells = line.substr(0, line.rfind('[', link));
    for (std::sregex_iterator n(cells.begin(), cells.end(), number), end; n != end; ++n)
      numbers.insert(n->str());
  }
  return numbers;
}

TEST(Pages, MakeAnchorsAsGitHubDoes) {
  EXPECT_EQ(anchor_of("8. Statistics of its own"), "8-statistics-of-its-own");
  EXPECT_EQ(anchor_of("Why `a_b` and [C](c.md)?"), "why-a_b-and-c");
}

TEST(Pages, HaveProseOfAtMost100Columns) {
  for (const SourceFile& page : read_pages()) {
    const std::vector<bool> prose = prose_lines(page);
    for (std::size_t i = 0; i < page.lines.size(); ++i)
      EXPECT_LE(prose[i] ? columns_of(page.lines[i]) : 0, kMaxColumns) << place(page, i);
  }
}

// Reproductions are generated.
TEST(Pages, HaveAtMost250Lines) {
  for (const SourceFile& page : read_pages())
    if (!page.in("docs/reproductions")) EXPECT_LE(page.lines.size(), 250u) << page.path;
}

TEST(Pages, LinkToFilesAndHeadingsThatExist) {
  const fs::path root(HEDDLE_SOURCE_DIR);
  std::map<std::string, std::set<std::string>> anchors;
  const std::vector<SourceFile> pages = read_pages();
  for (const SourceFile& page : pages) anchors[page.path] = anchors_of(page);
  for (const SourceFile& page : pages)
    for (const Link& link : links_of(page)) {
      const fs::path target =
          link.target.empty()
              ? fs::path(page.path)
              : (fs::path(page.path).parent_path() / link.target).lexically_normal();
      EXPECT_TRUE(fs::exists(root / target)) << place(page, link.line) << ": no " << target;
      if (link.anchor.empty() || !anchors.contains(target.string())) continue;
      EXPECT_TRUE(anchors[target.string()].contains(link.anchor))
          << place(page, link.line) << ": no heading #" << link.anchor << " in " << target;
    }
}

// Also in --help. The text of a message may be split behind the name of the page.
TEST(Messages, NameASectionOfAPage) {
  std::map<std::string, std::set<std::string>> anchors;
  for (const SourceFile& page : read_pages()) anchors[page.path] = anchors_of(page);
  const std::regex text("\"(?:[^\"\\\\]|\\\\.)*\""), page("(docs/[a-z-]+\\.md)(?:#([a-z0-9-]+))?");
  std::size_t named = 0;
  for (const SourceFile& file : read_sources({"src"})) {
    if (!file.path.ends_with(".cc")) continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::string& line = file.lines[i];
      for (std::sregex_iterator quoted(line.begin(), line.end(), text), end; quoted != end;
           ++quoted) {
        const std::string words = quoted->str();
        for (std::sregex_iterator link(words.begin(), words.end(), page); link != end; ++link) {
          ++named;
          EXPECT_TRUE(anchors[(*link)[1]].contains((*link)[2]))
              << place(file, i) << ": " << link->str();
        }
      }
    }
  }
  EXPECT_GT(named, 3u);
}

TEST(Presets, HaveARowInTheTableOfPresets) {
  const auto page = read_texts({"docs/describe-a-gpu.md"});
  ASSERT_EQ(page.size(), 1u);
  std::string rows;
  for (const std::string& line : page.front().lines)
    if (line.starts_with("| `")) rows += line.substr(0, line.find('|', 1)) + "\n";
  std::size_t presets = 0;
  for (const auto& file : fs::directory_iterator(fs::path(HEDDLE_SOURCE_DIR) / "presets")) {
    if (file.path().extension() != ".toml") continue;
    ++presets;
    EXPECT_NE(rows.find("`" + file.path().stem().string() + "`"), std::string::npos)
        << file.path().filename() << " has no row in docs/describe-a-gpu.md";
  }
  EXPECT_GT(presets, 10u);
}

TEST(Decisions, HaveEachNumberInOneRowOfTheIndex) {
  const auto numbers = decision_numbers();
  EXPECT_GT(numbers.size(), 200u);
  for (const std::string& number : numbers) EXPECT_EQ(numbers.count(number), 1u) << number;
}

TEST(Decisions, ExistWhereTheyAreCited) {
  const auto numbers = decision_numbers();
  const std::regex cited("[Dd]ecisions?[/ ](([0-9]{3})((, | and )[0-9]{3})*)\\b"),
      number("[0-9]{3}");
  for (const SourceFile& file : read_repository())
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      if (file.lines[i].find("ecision") == std::string::npos) continue;
      std::sregex_iterator match(file.lines[i].begin(), file.lines[i].end(), cited), end;
      for (; match != end; ++match) {
        const std::string list = (*match)[1];
        for (std::sregex_iterator n(list.begin(), list.end(), number); n != end; ++n)
          EXPECT_TRUE(numbers.contains(n->str()))
              << place(file, i) << ": there is no decision " << n->str();
      }
    }
}

TEST(Decisions, HaveARowThatLinksToTheirFile) {
  const SourceFile index = decision_index();
  std::set<std::string> rows;
  for (const Link& link : links_of(index))
    if (index.lines[link.line].starts_with("| " + link.target.substr(0, 3) + " |"))
      rows.insert(link.target.substr(0, 3));
  const auto files = decision_files();
  EXPECT_GT(files.size(), 50u);
  for (const std::string& number : files)
    EXPECT_TRUE(rows.contains(number)) << "decision " << number << " has no row in the index";
}

}  // namespace
}  // namespace heddle::tidy
