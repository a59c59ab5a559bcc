// Inline assembly that writes "%laneid" for "%%laneid", as nvcc takes it: clang says where it stands, and reads a copy of that file in
// which it is doubled. The user's files stay as they are, and diagnostics and line tables go on naming them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace heddle::cuda {

class LonePercents {
 public:
  // `folder` takes the copies.
  explicit LonePercents(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Mends every place that clang's messages complain of; false when there is none that could be.
  bool mend(const std::string& messages);

  // What clang needs to read the copies; empty while there are none.
  std::vector<std::string> flags() const;

 private:
  struct Copy {
    std::filesystem::path path;
    std::string text;
  };
  bool mend(const std::string& file, std::size_t line, std::size_t column);
  void write() const;

  std::filesystem::path folder_;
  std::map<std::string, Copy> copies_;  // by the absolute name of the original
};

}  // namespace heddle::cuda
