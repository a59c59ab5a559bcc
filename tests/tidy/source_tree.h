// The repository as the tidy tests see it.
#pragma once

#include <string>
#include <vector>

namespace heddle::tidy {

struct SourceFile {
  std::string path;  // from the repository's root
  std::string room;  // "mem"; empty outside src/
  std::vector<std::string> lines;

  bool in(const std::string& folder) const { return path.starts_with(folder); }
  bool is_header() const { return path.ends_with(".h"); }
};

// C++ and CUDA sources under the given folders.
std::vector<SourceFile> read_sources(const std::vector<std::string>& folders);
// A line without string literals and without what follows //.
std::string code_of(const std::string& line);

}  // namespace heddle::tidy
