#include "tests/tidy/source_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace heddle::tidy {
namespace fs = std::filesystem;

std::vector<SourceFile> read_sources(const std::vector<std::string>& folders) {
  const fs::path root(HEDDLE_SOURCE_DIR);
  std::vector<SourceFile> files;
  for (const std::string& folder : folders) {
    if (!fs::is_directory(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (!entry.is_regular_file() ||
          (extension != ".h" && extension != ".cc" && extension != ".cu" && extension != ".c"))
        continue;
      SourceFile file;
      file.path = fs::relative(entry.path(), root).string();
      if (file.in("src/")) file.room = file.path.substr(4, file.path.find('/', 4) - 4);
      std::ifstream text(entry.path());
      for (std::string line; std::getline(text, line);) file.lines.push_back(line);
      files.push_back(std::move(file));
    }
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

std::string code_of(const std::string& line) {
  std::string code;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote) {
      if (c == '\\')
        ++i;
      else if (c == quote)
        quote = 0;
      continue;
    }
    // An apostrophe between digits separates them.
    if (c == '"' ||
        (c == '\'' && (i == 0 || !std::isalnum(static_cast<unsigned char>(line[i - 1])))))
      quote = c;
    if (c == '/' && i + 1 < line.size() && line[i + 1] == '/') break;
    if (!quote) code += c;
  }
  return code;
}

TEST(CodeOf, LeavesOutStringsAndComments) {
  EXPECT_EQ(code_of("call(\"text // no\", 'c');  // why"), "call(, );  ");
  EXPECT_EQ(code_of("x = 1'000'000;"), "x = 1'000'000;");
}

}  // namespace heddle::tidy
