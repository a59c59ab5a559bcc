#include "tests/tidy/source_tree.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace heddle::tidy {
namespace fs = std::filesystem;
namespace {

// Tracked places of the repository; build folders and results are elsewhere.
constexpr const char* kEverything =
    ".ci .clang-format .clang-tidy .editorconfig .github CHANGELOG.md CITATION.cff "
    "CMakeLists.txt CMakePresets.json CONTRIBUTING.md LICENSE README.md bench cmake demo docs "
    "examples experiments presets scripts sdk src test tests workloads";

bool is_source(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".h" || extension == ".cc" || extension == ".cu" || extension == ".c";
}

SourceFile read_file(const fs::path& root, const fs::path& path) {
  SourceFile file;
  file.path = fs::relative(path, root).string();
  if (file.in("src/")) file.room = file.path.substr(4, file.path.find('/', 4) - 4);
  std::ifstream text(path, std::ios::binary);
  for (std::string line; std::getline(text, line);) {
    file.ends_in_newline = !text.eof();
    file.lines.push_back(line);
  }
  return file;
}

bool is_text(const SourceFile& file) {
  return std::none_of(file.lines.begin(), file.lines.end(),
                      [](const std::string& line) { return line.find('\0') != std::string::npos; });
}

template <class Wanted>
std::vector<SourceFile> read(const std::vector<std::string>& places, Wanted wanted) {
  const fs::path root(HEDDLE_SOURCE_DIR);
  std::vector<SourceFile> files;
  const auto add = [&](const fs::path& path) {
    if (!wanted(path)) return;
    SourceFile file = read_file(root, path);
    if (is_text(file)) files.push_back(std::move(file));
  };
  for (const std::string& name : places) {
    const fs::path start = root / name;
    if (fs::is_regular_file(start)) add(start);
    if (!fs::is_directory(start)) continue;
    for (auto entry = fs::recursive_directory_iterator(start); entry != fs::end(entry); ++entry) {
      const std::string folder = entry->path().filename().string();
      // kept, and inputs of fuzz targets: files that tools made.
      if (entry->is_directory() &&
          (folder == "build" || folder == "__pycache__" || folder == "node_modules" ||
           folder == "kept" || entry->path() == root / "tests/fuzz/corpus"))
        entry.disable_recursion_pending();
      else if (entry->is_regular_file())
        add(entry->path());
    }
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

}  // namespace

std::vector<SourceFile> read_sources(const std::vector<std::string>& folders) {
  return read(folders, is_source);
}

std::vector<SourceFile> read_texts(const std::vector<std::string>& places) {
  return read(places, [](const fs::path&) { return true; });
}

std::vector<SourceFile> read_repository() {
  std::istringstream places(kEverything);
  return read_texts({std::istream_iterator<std::string>(places), {}});
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

std::size_t columns_of(std::string_view line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string place(const SourceFile& file, std::size_t line) {
  return file.path + ":" + std::to_string(line + 1);
}

std::vector<bool> prose_lines(const SourceFile& page) {
  std::vector<bool> prose;
  bool code = false, comment = false;
  for (const std::string& line : page.lines) {
    const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
    const std::string_view text = std::string_view(line).substr(first);
    const bool fence = text.starts_with("```");
    comment = comment || text.starts_with("<!--");
    prose.push_back(!code && !fence && !comment && !text.starts_with("|"));
    if (fence) code = !code;
    if (text.find("-->") != std::string_view::npos) comment = false;
  }
  return prose;
}

}  // namespace heddle::tidy
