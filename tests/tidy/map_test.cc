// The map and the rooms' READMEs name files and functions that exist.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "tests/tidy/source_tree.h"

namespace heddle::tidy {
namespace {

namespace fs = std::filesystem;

std::vector<SourceFile> read_map() {
  std::vector<SourceFile> files = read_texts(
      {"docs/architecture.md", "docs/change-heddle.md", "docs/pictures", "CONTRIBUTING.md"});
  for (SourceFile& file : read_texts({"src"}))
    if (file.path.ends_with("README.md")) files.push_back(std::move(file));
  return files;
}

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string name_before(const std::string& line, std::size_t end) {
  std::size_t first = end;
  while (first > 0 && is_name(line[first - 1])) --first;
  return line.substr(first, end - first);
}

// Every name in the line: an attribute or alignas() may stand before the name of a class.
void add_names(const std::string& line, std::set<std::string>& names) {
  for (std::size_t end = 0; end < line.size(); ++end)
    if (is_name(line[end]) && (end + 1 == line.size() || !is_name(line[end + 1])))
      names.insert(name_before(line, end + 1));
}

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

// The names before a parenthesis in src/, and CLASS::name for every class that the same file
// declares or defines members of.
std::set<std::string> known_functions() {
  std::set<std::string> known;
  for (const SourceFile& file : read_sources({"src"})) {
    std::set<std::string> names, owners;
    for (const std::string& line : file.lines) {
      for (std::size_t end = line.find('('); end != std::string::npos;
           end = line.find('(', end + 1))
        names.insert(name_before(line, end));
      for (std::size_t end = line.find("::"); end != std::string::npos;
           end = line.find("::", end + 2))
        owners.insert(name_before(line, end));
      if (line.starts_with("class ") || line.starts_with("struct ") ||
          line.starts_with("namespace "))
        add_names(line, owners);
    }
    for (const std::string& name : names)
      for (const std::string& type : owners) known.insert(type + "::" + name);
    known.merge(names);
  }
  return known;
}

TEST(Map, NamesFunctionsThatExist) {
  const std::set<std::string> known = known_functions();
  const std::regex named("(?:([A-Za-z_0-9]+)::)?([A-Za-z_][A-Za-z_0-9]*)\\(\\)");
  for (const SourceFile& page : read_map())
    for (std::size_t i = 0; i < page.lines.size(); ++i) {
      const std::string& line = page.lines[i];
      for (std::sregex_iterator match(line.begin(), line.end(), named), end; match != end; ++match)
        if (!is_placeholder((*match)[2])) {
          const std::string scope = (*match)[1].matched ? (*match)[1].str() + "::" : "";
          EXPECT_TRUE(known.contains(scope + (*match)[2].str()))
              << place(page, i) << ": there is no " << match->str();
        }
    }
}

}  // namespace
}  // namespace heddle::tidy
