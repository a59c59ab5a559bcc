// The map and the rooms' READMEs name files and functions that exist.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "tests/tidy/source_tree.h"

namespace heddle::tidy {
namespace {

namespace fs = std::filesystem;

std::vector<SourceFile> read_map() {
  std::vector<SourceFile> files =
      read_texts({"docs/architecture.md", "docs/pictures", "CONTRIBUTING.md"});
  for (SourceFile& file : read_texts({"src"}))
    if (file.path.ends_with("README.md")) files.push_back(std::move(file));
  return files;
}

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// NAME, FAMILY: the reader's own.
bool is_placeholder(const std::string& name) {
  static const std::regex capitals("(^|[^A-Z])[A-Z]{3,}([^A-Z]|$)");
  return std::regex_search(name, capitals) && name.find("README") == std::string::npos;
}

// A path may begin at the root, at src/, at the page's folder, or below the page's folder.
bool exists(const SourceFile& page, const std::string& path) {
  const fs::path root(HEDDLE_SOURCE_DIR), folder = root / fs::path(page.path).parent_path();
  if (fs::exists(root / path) || fs::exists(root / "src" / path) || fs::exists(folder / path))
    return true;
  if (path.find('/') != std::string::npos) return false;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().filename() == path) return true;
  return false;
}

TEST(Map, NamesFilesThatExist) {
  const std::regex path("[A-Za-z_0-9./-]*[A-Za-z_0-9]\\.(cc|h|inc|md|toml|txt|py|sh|cu)\\b");
  for (const SourceFile& page : read_map()) {
    const bool room = page.in("src/");
    for (std::size_t i = 0; i < page.lines.size(); ++i) {
      const std::string& line = page.lines[i];
      for (std::sregex_iterator match(line.begin(), line.end(), path), end; match != end; ++match) {
        const std::string name = match->str();
        if (is_placeholder(name) || (!room && name.find('/') == std::string::npos)) continue;
        EXPECT_TRUE(exists(page, name)) << place(page, i) << ": there is no " << name;
      }
    }
  }
}

TEST(Map, NamesFunctionsThatExist) {
  std::set<std::string> known;
  for (const SourceFile& file : read_sources({"src"}))
    for (const std::string& line : file.lines)
      for (std::size_t end = line.find('('); end != std::string::npos;
           end = line.find('(', end + 1)) {
        std::size_t first = end;
        while (first > 0 && is_name(line[first - 1])) --first;
        known.insert(line.substr(first, end - first));
      }
  const std::regex named("([A-Za-z_][A-Za-z_0-9]*)\\(\\)");
  for (const SourceFile& page : read_map())
    for (std::size_t i = 0; i < page.lines.size(); ++i) {
      const std::string& line = page.lines[i];
      for (std::sregex_iterator match(line.begin(), line.end(), named), end; match != end; ++match)
        if (const std::string name = (*match)[1]; !is_placeholder(name)) {
          EXPECT_TRUE(known.contains(name)) << place(page, i) << ": there is no " << name << "()";
        }
    }
}

}  // namespace
}  // namespace heddle::tidy
