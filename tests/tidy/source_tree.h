// The repository as the tidy tests see it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::tidy {

inline constexpr std::size_t kMaxColumns = 100;  // of code and of prose

struct SourceFile {
  std::string path;  // from the repository's root
  std::string room;  // "mem"; empty outside src/
  std::vector<std::string> lines;
  bool ends_in_newline = true;

  bool in(const std::string& folder) const { return path.starts_with(folder); }
  bool is_header() const { return path.ends_with(".h"); }
  bool is_markdown() const { return path.ends_with(".md"); }
};

// C++ and CUDA sources under the given folders.
std::vector<SourceFile> read_sources(const std::vector<std::string>& folders);
// All text files under the given files and folders; binary files and build folders are skipped.
std::vector<SourceFile> read_texts(const std::vector<std::string>& places);
// Every text file of the repository.
std::vector<SourceFile> read_repository();

// A line without string literals and without what follows //.
std::string code_of(const std::string& line);
// Characters of a line of UTF-8, which have one to four bytes.
std::size_t columns_of(std::string_view line);
// "FILE:LINE"; `line` counts from 0.
std::string place(const SourceFile& file, std::size_t line);

// Which lines of a Markdown page are prose: outside code blocks, tables and HTML comments.
std::vector<bool> prose_lines(const SourceFile& page);

}  // namespace heddle::tidy
